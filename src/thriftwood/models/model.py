"""`Model`: whatever has been learnt and can be asked, whoever learnt it.

A *table* here is what `Model.table` makes of the user's X: read once, then asked for answers, for shares and
for the ledger. A model's tables are for that model alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.base.saving import save_text
from thriftwood.costs import Costs
from thriftwood.costs.names import counted
from thriftwood.models.files import trees as files
from thriftwood.models.files.kinds import read_as
from thriftwood.models.labels import named, with_further
from thriftwood.models.lazy_row import LazyRow
from thriftwood.models.ledger import Charged, FloatArray, Ledger, Mask, asked_in
from thriftwood.models.setup import Setup
from thriftwood.models.strategy import Strategy
from thriftwood.table import Column, Encoded, Encoder
from thriftwood.table.native import core_table, refuse_missing

if TYPE_CHECKING:
    from thriftwood import Consultation
    from thriftwood.models.tree import Tree


FREE = Costs()
"""Nothing costs anything."""


WITH_FILES = "Trees, also with naive Bayes, panels, boosters and cascades"


class Part(NamedTuple):
    """A tree that a model is made of."""

    name: str
    tree: Tree
    vote_weight: float | None = None
    """How much it counts in a vote."""
    price: float | None = None
    """Its price in the stacked tree, which asks the others."""


class Model(ABC):
    """Whatever has been learnt and can be asked: a tree, several trees, a model of another library.

    Attributes
    ----------
    classes : array of shape (n_classes,) or None
        Class labels, in the order of the class numbers; None if it answers with numbers.
    costs : Costs or None
        What tests and mistakes cost, as far as the model knows.
    encoder : Encoder
        How tables are read. A model of another library reads them itself and has none.
    setup : Setup
        How it is asked where a call does not say.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> model = tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y).model_
    >>> table = model.table(golf.X)
    >>> model.answers_of(table)[:3], model.ledger_of(table, golf.costs).test_cost[:3]
    (array([0, 0, 1], dtype=int32), array([6., 6., 4.]))
    >>> model.description, model.features_used
    ('a tree', ('Outlook', 'Humidity', 'Wind'))
    """

    kind: ClassVar[str] = "model"
    """What people call it."""
    part_noun: ClassVar[str] = "tree"
    """What people call its parts."""
    parts_answer: ClassVar[bool] = True
    """Whether a part answers by itself; the stages of a booster do not."""
    has_file: ClassVar[bool] = False
    """Whether it can be saved."""
    decides_by_name: bool = True
    """Whether `decide` takes a case as a mapping; other models read tables."""

    classes: NDArray[Any] | None
    further: tuple[str, ...] = ()
    """Answers that are no class, such as "refer"; their numbers follow those of the classes."""
    costs: Costs | None
    encoder: Encoder
    setup: Setup = Setup()
    _prices: tuple[Costs, _core.Prices] | None = None  # of the costs that were asked about last

    @property
    def owner(self) -> str:
        """Whose model it is, for messages: the class of the estimator that learnt it, or its own."""
        return self.setup.owner or type(self).__name__

    # Its columns

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        """The names of the features; x0, x1, ... if the table had none."""
        return self.encoder.feature_names or tuple(f"x{j}" for j in range(self.encoder.n_features))

    @property
    def n_features(self) -> int:
        """Number of features of the tables it takes."""
        return len(self.feature_names)

    @cached_property
    def feature_index(self) -> dict[str, int]:
        """The place of each feature, by name."""
        return {name: feature for feature, name in enumerate(self.feature_names)}

    @property
    def columns(self) -> tuple[Column, ...]:
        """What the encoder learnt about each feature."""
        return self.encoder.columns

    # The tests it may buy

    @property
    @abstractmethod
    def tests(self) -> NDArray[np.int32]:
        """The numbers of the features that it tests: with upfront payment every case pays for all of them."""

    @cached_property
    def features_used(self) -> tuple[str, ...]:
        """The names of `tests`, without surrogates."""
        return tuple(self.feature_names[test] for test in self.tests.tolist())

    @property
    def features_asked(self) -> tuple[str, ...]:
        """The features that a case may be asked for, surrogates included."""
        return self.features_used

    # What it answers

    @property
    def answers(self) -> NDArray[Any] | None:
        """What the numbers of `answers_of` mean: the classes, then the answers that are none."""
        return self.classes if self.classes is None or not self.further else self._all_answers

    @cached_property
    def _all_answers(self) -> NDArray[Any]:
        assert self.classes is not None  # numbers are no classes
        return with_further(self.classes, self.further)

    def encode(self, X: Any) -> Encoded:
        """Encode a table."""
        return self.encoder.encode(self.setup.prepared(X))

    def table(self, X: Any) -> Any:
        """Read a table, to be asked about."""
        encoded = self.encode(X)
        if self.setup.refuses_missing:
            refuse_missing(encoded, self.encoder)
        return self.handed(encoded)

    def handed(self, encoded: Encoded) -> Any:
        """Return an encoded table as it is asked about: as the core holds it."""
        return core_table(encoded, self.encoder)

    def read(self, X: Any) -> tuple[Self, Any]:
        """Read a table; also return the model, its columns named by that table where it knows no names."""
        return self, self.table(X)

    @abstractmethod
    def answers_of(self, table: Any, n_threads: int | None = None) -> NDArray[Any]:
        """Answer every row of a table that was read: with the number of a class, or with a number."""

    @abstractmethod
    def shares_of(self, table: Any, n_threads: int | None = None) -> FloatArray:
        """Give the share of each class, in the order of `classes`, for every row of a table that was read."""

    @abstractmethod
    def ledger_of(self, table: Any, costs: Costs, n_threads: int | None = None) -> Ledger:
        """Return what every row of a table that was read buys at these prices."""

    def asked(self, table: Any, costs: Costs, n_threads: int | None = None) -> Mask:
        """Tell which tests each case is asked: an array of shape (n_rows, n_features)."""
        return asked_in(self.ledger_of(table, costs, n_threads), self.n_features)

    def charge(self, table: Any, costs: Costs, n_threads: int | None = None) -> Charged:
        """Answer every row and list what it buys: what a bill is made of."""
        return Charged(self.answers_of(table, n_threads), self.ledger_of(table, costs, n_threads))

    def predict(self, X: Any, *, n_threads: int | None = None) -> NDArray[Any]:
        """Answer every row of a table: classes, or numbers."""
        answers = self.answers_of(self.table(X), n_threads)
        return answers if self.answers is None else named(self.answers, answers)

    def predict_proba(self, X: Any, *, n_threads: int | None = None) -> FloatArray:
        """Give the share of each class, in the order of `classes`, for every row."""
        return self.shares_of(self.table(X), n_threads)

    def decide(self, row: Mapping[str, Any]) -> Any:
        """Answer one case: a mapping from the names of all features to values, None where one is missing.

        The quick way for a server: a tree takes a few microseconds, where `predict` has a table to read.

        Examples
        --------
        >>> import thriftwood as tw
        >>> golf = tw.load_dataset("golf-nominal")
        >>> model = tw.algorithm("bagging", random_state=0).fit(golf.X, golf.y)
        >>> model.decide({"Outlook": "Rain", "Temp": "Mild", "Humidity": "High", "Wind": "Strong"})
        'No'
        """
        if not self.decides_by_name:
            raise TypeError(f"{self._sentence_start} is not asked by names. Use predict(X).")
        encoded = self.encoder.rows.encoded(row)
        if self.setup.refuses_missing:
            refuse_missing(encoded, self.encoder)
        answer = self.answers_of(self.handed(encoded), 1)[0]
        named_answer = answer if self.answers is None else self.answers[answer]
        return named_answer.item() if isinstance(named_answer, np.generic) else named_answer

    def answer_from(self, row: LazyRow, places: NDArray[np.int32]) -> Any:
        """Answer for one row whose values are computed when they are asked for; see `LazyRow`."""
        raise TypeError(f"{self._sentence_start} is not asked value by value.")

    def prices_of(self, costs: Costs) -> _core.Prices:
        """Put a price list into the core's terms: a price for each of the features."""
        last = self._prices
        if last is None or last[0] is not costs:
            last = self._prices = costs, _core.Prices(costs.compile(self.feature_names))
        return last[1]

    @property
    def prices(self) -> _core.Prices:
        """Its own prices in the core's terms; nothing costs anything if it has no costs."""
        return self.prices_of(self.costs or FREE)

    def threads(self, n_threads: int | None) -> int:
        """Return how many threads a call has."""
        return self.setup.n_threads if n_threads is None else n_threads

    def consult(
        self,
        known: Any = None,
        *,
        unavailable: Iterable[str] = (),
        strategy: Strategy = "sequential",
        budget: float | None = None,
    ) -> Consultation:
        """Start a consultation: the tests it needs, one at a time and each once, with the running bill.

        Parameters
        ----------
        known : mapping from names to values, optional
            What is known already, free of charge: a dictionary or a pandas Series. A missing value in it
            is not known yet, and will be asked for.
        unavailable : list of names, optional
            Tests that cannot be had; they are not asked for.
        strategy : {"sequential", "single_batch", "multiple_batch"}
            Which tests are run together. Only a single tree plans batches; all others are asked one test at a
            time.
        budget : float, optional
            The most that the case may cost. What would exceed it is not bought.

        Raises
        ------
        TypeError
            If it cannot be asked test by test: a model of another library, or one that goes by votes of
            other models.
        """
        from thriftwood import Consultation  # a higher room: asked for when it is called

        if strategy != "sequential" and self.single_tree is None:
            raise ValueError(
                f"strategy={strategy!r} plans the tests of a single tree, and this is {self.description}, "
                "which asks for one test at a time. Leave it out."
            )
        planned = {} if self.single_tree is None else {"strategy": strategy}
        return Consultation.of(self, known, unavailable=unavailable, budget=budget, **planned)

    # What it is

    @property
    def parts(self) -> tuple[Part, ...]:
        """The trees of ours that it is made of, in the order asked; none in a model of another library."""
        return ()

    @property
    def parts_asked(self) -> tuple[int, ...]:
        """The places in `parts` of those that a case may come to, in the order a reader meets them."""
        return tuple(range(len(self.parts)))

    @property
    def single_tree(self) -> Tree | None:
        """The tree that answers, if one alone does: to be drawn, exported or reported."""
        return None

    @property
    def stacked_tree(self) -> Tree | None:
        """The tree that asks the parts, where one does."""
        return None

    @property
    def asking_tree(self) -> Tree | None:
        """The tree that asks for the tests, if one alone does; the answers may be by another rule."""
        return self.single_tree

    @property
    def size(self) -> str:
        """How many parts it has, in words."""
        return counted(len(self.parts), self.part_noun)

    @property
    def description(self) -> str:
        """What it is, as part of a sentence."""
        article = "an" if self.kind[0] in "aeiou" else "a"
        return f"{article} {self.kind} of {self.size}" if self.parts else f"{article} {self.kind}"

    @property
    def _sentence_start(self) -> str:
        """What it is, at the beginning of a sentence."""
        return self.description[0].upper() + self.description[1:]

    @property
    def how_it_answers(self) -> str:
        """Which parts are asked, when asking ends, and what is answered, in sentences."""
        return ""

    @property
    def facts(self) -> dict[str, Any]:
        """What only this kind of model has, as plain values by name."""
        return {}

    def without_idle_tests(self) -> Self:
        """Return a model that asks no test which cannot change its answer; itself where there are none."""
        return self

    # Asked in another way

    def asked_with(self, **changes: Any) -> Self:
        """Return the same model with another `setup`."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.setup = replace(self.setup, **changes)
        return other

    @abstractmethod
    def with_costs(self, costs: Costs | None) -> Self:
        """Return the same model with other costs."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_prices"}

    # Files

    def save(self, path: str | PathLike[str]) -> None:
        """Write it to a JSON file; `load` gives an equal one."""
        save_text(path, self.to_json() + "\n", encoding="ascii")

    def to_json(self) -> str:
        """Write it as JSON text."""
        raise TypeError(f"{self._sentence_start} has no file. {WITH_FILES} have one.")

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read it from a file that `save` wrote; the file need not be trusted.

        Raises
        ------
        TreeFileError
            A ValueError that says what is wrong, if it is not such a file of a version this library reads.
        """
        with read_as(cls.kind):
            return cls.from_content(files.json_of(files.bytes_of(path)))

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read it from the text that `to_json` wrote; the text need not be trusted."""
        with read_as(cls.kind):
            return cls.from_content(files.json_of(text))

    @classmethod
    def from_content(cls, content: Any) -> Self:
        """Make it of the JSON object that its file is."""
        raise TypeError(f"A {cls.__name__} has no file. {WITH_FILES} have one.")
