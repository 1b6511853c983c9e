"""The type of a stream, by a tree or several; only the features that they ask for are computed.

A file of a classifier, version 1, is one JSON object::

    {"format": "thriftwood-flowtype", "version": 1, "sha256": "...",
     "model": {...},            the file of a tree, a panel or a booster
     "sureness": {...}}         `thriftwood.flowtype.sureness`
"""

from __future__ import annotations

import json
import math
import warnings
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from time import perf_counter
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.callers import callers_level
from thriftwood.base.saving import save_text
from thriftwood.consult.consultation import Consultation
from thriftwood.flowtype.chunk import FEATURES, SIZES, Bytes, Chunk
from thriftwood.flowtype.reading import chunk_of, looked_at
from thriftwood.flowtype.sureness import UNKNOWN, Sureness
from thriftwood.models.files.kinds import FLOWTYPE, TreeFileError
from thriftwood.models.files.loading import model_of_content
from thriftwood.models.files.trees import bytes_of, digest, json_of
from thriftwood.models.model import Model
from thriftwood.models.tree.confidence import smoothed_share
from thriftwood.models.tree.walk import endings


@dataclass(frozen=True)
class Classification:
    """The type that a model answers for a stream, and what it took."""

    answer: Any
    """The type; "unknown" if it is like none of them."""
    probabilities: dict[Any, float]
    """The share of every type: calibrated where the classifier knows how sure it is, otherwise that where the
    tree ended, or among the trees that were asked."""
    cost: float
    """What the features asked for cost by the price list, in its unit, microseconds by custom."""
    bought: tuple[tuple[str, float], ...]
    """The features in the order asked, each with what it added to the cost."""
    values: dict[str, float]
    """The features computed."""
    steps: tuple[str, ...]
    """The steps done for them."""
    seconds: float
    """What the steps and features took this time, by the clock."""
    why: str
    """The way through the tree, in words; of several trees that of each one asked."""
    first_byte: int
    """Where in the stream the bytes looked at begin: behind the first 4 KB, if it is long enough."""
    n_bytes: int
    """How many bytes were looked at: 16384, unless the stream is too short."""
    nearest: Any = None
    """The type that the model answered; of an unknown stream the nearest."""
    unlike: bool = False
    """Whether it is unknown because it is unlike its type; otherwise because no type is likely enough."""

    @property
    def share(self) -> float:
        """The share of the nearest type."""
        return self.probabilities.get(self.nearest, 0.0)

    @property
    def sizes_lacking(self) -> tuple[int, ...]:
        """The sizes whose features could not be had, in bytes: the stream is too short for them."""
        return tuple(size for size in SIZES if size > self.n_bytes)


class StreamClassifier:
    """Classifies streams by a tree, a panel or a booster; computes what is asked for and nothing else.

    A step, such as a spectrum, is done once, whichever trees ask for what comes of it; a tree that is not
    consulted has nothing computed.

    Parameters
    ----------
    model : Tree, Panel or Booster
        What was learnt on columns that are named as in `FEATURES`; any of them in any order.
    sureness : Sureness, optional
        What `measure_sureness` measured of such models: shares are calibrated, and streams that are like no
        type are unknown; a few cheap statistics are then computed of every stream. Without it shares are
        those of the streams that were learnt from, which is too sure.

    Examples
    --------
    >>> from thriftwood import algorithm, flowtype
    >>> noise, text = np.random.default_rng(0).bytes(20480), b"so much depends upon " * 1000
    >>> X = flowtype.named_columns(flowtype.features([noise, text] * 5))
    >>> prices = flowtype.price_list(rounds=2)
    >>> model = algorithm("eg2", costs=prices).fit(X, ["ENC", "TXT"] * 5)
    >>> sorter = flowtype.StreamClassifier(model.tree_)
    >>> sorter.answer(noise), len(sorter.explain(text).bought)
    ('ENC', 1)
    """

    def __init__(self, model: Model, sureness: Sureness | None = None) -> None:
        if not isinstance(model, Model):
            raise TypeError(
                f"A StreamClassifier is made of a model, such as the `model_` of a learner. Got "
                f"{type(model).__name__}. StreamClassifier.load(path) reads the file of `flowtype train`."
            )
        unknown = [name for name in model.feature_names if name not in FEATURES]
        if unknown or model.classes is None:
            what = f"the column {unknown[0]!r}" if unknown else "numbers for answers"
            raise ValueError(
                f"The model has {what}; one that tells types by the features of flowtype was wanted. "
                "`thriftwood flowtype train` makes one."
            )
        self.model, self.sureness = model, sureness

    @cached_property
    def _numbers(self) -> NDArray[np.int32]:
        return np.array([FEATURES.index(name) for name in self.model.feature_names], dtype=np.int32)

    def answer(self, content: Bytes | BinaryIO) -> Any:
        """Return the type; without a sureness in the shortest time: the walk and the features are native."""
        if self.sureness is not None:
            return self.explain(content).answer
        return self.model.answer_from(Chunk(chunk_of(content)), self._numbers)

    def explain(self, content: Bytes | BinaryIO) -> Classification:
        """Return the type, what was computed, what it costs and why it was asked."""
        first_byte, read = looked_at(content)
        chunk = Chunk(read)
        lacking = [name for name in self.model.feature_names if not chunk.has(name)]
        case = self.model.consult(unavailable=lacking)
        seconds = 0.0
        while (name := case.next_test) is not None:
            begin = perf_counter()
            value = chunk.feature(name)
            seconds += perf_counter() - begin
            case.answer(value)
        nearest, shares, unlike, bought = case.result, case.probabilities, False, list(case.bought)
        answer = nearest
        if self.sureness is not None:
            nearest, sure, shares = self._sure_shares(case, chunk)
            begin = perf_counter()
            unlike = self.sureness.is_unlike(chunk, str(nearest))
            seconds += perf_counter() - begin
            answer = UNKNOWN if unlike or sure < self.sureness.least else nearest
            bought += self._guards_bought(chunk, [name for name, _ in bought])
        return Classification(
            answer=answer,
            probabilities=shares,
            cost=sum(price for _, price in bought) if self.sureness is not None else case.bill,
            bought=tuple(bought),
            values=chunk.computed,
            steps=chunk.steps,
            seconds=seconds,
            why=case.why,
            first_byte=first_byte,
            n_bytes=chunk.size,
            nearest=nearest,
            unlike=unlike,
        )

    def _sure_shares(self, case: Consultation, chunk: Chunk) -> tuple[Any, float, dict[Any, float]]:
        """Return the type, how sure it is, and the calibrated shares of all types.

        What was measured holds for single leaves. A short stream ends in several, so each is calibrated, and
        then they are weighed.
        """
        assert self.sureness is not None
        tree = self.model.single_tree
        if tree is None:
            said = case.probabilities[case.result] if case.confidence is None else case.confidence.share
            sure = self.sureness.share(str(case.result), said)
            return case.result, sure, self.sureness.shares(case.probabilities, case.result, sure)
        known = {n: chunk.computed.get(name, math.nan) for n, name in enumerate(tree.feature_names)}
        ends = endings(tree, known)
        kinds = list(case.probabilities)
        sure, shares = 0.0, dict.fromkeys(kinds, 0.0)
        for end in ends:
            label = tree.answer(end.node)
            sure = self.sureness.share(str(label), smoothed_share(tree, end.node, kinds.index(label)))
            told = dict(zip(kinds, tree.shares(end.node), strict=True))
            for kind, share in self.sureness.shares(told, label, sure).items():
                shares[kind] += end.share * share
        if len(ends) == 1:
            return case.result, sure, shares
        nearest = tree.cheapest_answer(list(shares.values()))
        return nearest, shares[nearest], shares

    def _guards_bought(self, chunk: Chunk, bought: list[str]) -> list[tuple[str, float]]:
        """Return what the guard's statistics cost after those that were bought."""
        assert self.sureness is not None
        new = [name for name in self.sureness.guard(chunk).features if name not in bought]
        if self.model.costs is None:
            return [(name, 0.0) for name in new]
        return list(zip(new, self.model.costs.purchase([*bought, *new])[len(bought) :], strict=True))

    # Files

    def save(self, path: str | PathLike[str]) -> None:
        """Write model and sureness to a file; without a sureness it is the file of the model."""
        save_text(path, self.to_json() + "\n", encoding="ascii")

    def to_json(self) -> str:
        """Write what `save` puts into a file."""
        if self.sureness is None:
            return self.model.to_json()
        content = {
            "format": FLOWTYPE,
            "version": 1,
            "model": json.loads(self.model.to_json()),
            "sureness": self.sureness.to_content(),
        }
        return json.dumps({**content, "sha256": digest(content)}, allow_nan=False, indent=1)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> StreamClassifier:
        """Read what `save` wrote, or the file of a model.

        Raises
        ------
        TreeFileError
            If the file is neither.
        """
        return cls.from_json(bytes_of(path))

    @classmethod
    def from_json(cls, text: str | bytes) -> StreamClassifier:
        """Read the content of a file; it need not be trusted."""
        content = json_of(text)
        model = model_of_content(content)
        if content.get("format") != FLOWTYPE:
            return cls(model)
        try:
            types = [] if model.classes is None else [str(kind) for kind in model.classes.tolist()]
            return cls(model, Sureness.from_content(content["sureness"], types))
        except (ValueError, TypeError, KeyError, AttributeError) as problem:
            raise TreeFileError(str(problem), "flowtype") from None


def classify(
    content: Bytes | BinaryIO, model: StreamClassifier | Model | str | PathLike[str]
) -> Classification:
    """Classify a stream: `StreamClassifier.explain`, with what was computed, what it costs and why.

    Parameters
    ----------
    content : bytes or open binary file
        The stream; of a file or a pipe no more than 20 KB are read.
    model : StreamClassifier, path or model
        What tells types; a path is that of a file of ``thriftwood flowtype train``, which has beside the
        model how sure it is. A model without that gets a warning.

    Examples
    --------
    >>> from thriftwood import algorithm, flowtype
    >>> noise, text = np.random.default_rng(0).bytes(20480), b"so much depends upon " * 1000
    >>> X = flowtype.named_columns(flowtype.features([noise, text] * 5))
    >>> model = algorithm("c45").fit(X, ["ENC", "TXT"] * 5)
    >>> flowtype.classify(text, flowtype.StreamClassifier(model.tree_)).answer
    'TXT'
    """
    return classifier_of(model).explain(content)


def classifier_of(model: StreamClassifier | Model | str | PathLike[str]) -> StreamClassifier:
    """Return what tells types: itself, of a file, or of a model, which is warned about."""
    if isinstance(model, StreamClassifier):
        return model
    if isinstance(model, str | PathLike):
        return StreamClassifier.load(model)
    classifier = StreamClassifier(model)
    warnings.warn(
        "A model alone does not know how sure it is: its shares are those of the streams it learnt from, "
        "which is too sure, and no stream is unknown. Give the file of `thriftwood flowtype train` or "
        "StreamClassifier.load(file); StreamClassifier(model) says that the model alone is meant.",
        stacklevel=callers_level(),
    )
    return classifier
