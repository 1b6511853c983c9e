"""Today's practice, and the words of a price list: its unit of money and what a case is called."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any

from thriftwood.costs.names import CostError, column_name, first_repeat, got, in_list, nearest

LONGEST_WORD = 40  # letters of a currency or of what a case is called: both stand inside sentences
IRREGULAR = {
    "child": "children",
    "person": "people",
    "woman": "women",
    "man": "men",
    "mouse": "mice",
    "foot": "feet",
    "calf": "calves",
    "sheep": "sheep",
    "fish": "fish",
}
TODAY_KEYS = ("tests", "answers", "model")


@dataclass(frozen=True, init=False, repr=False, slots=True)
class Today:
    """What is done today, to compare a model with.

    Parameters
    ----------
    tests : list of str or int, optional
        The fixed panel: tests that everybody gets. An empty list: nobody is tested. Without `answers` they
        are answered as well as can be learnt from them.
    answers : str, optional
        The column of the table that has today's answers. They are charged with `tests`, if there are any.
    model : str, optional
        The file of a saved model that answers today, as seen from where a command runs.

    Examples
    --------
    >>> Today(["TSH", "T3"])
    Today(tests=['TSH', 'T3'])
    >>> print(Today(["TSH", "T3"])), print(Today(answers="referred")), print(Today(model="old.json"))
    TSH and T3 for everybody
    the answers in column 'referred'
    the model old.json
    (None, None, None)
    """

    tests: tuple[str, ...] | None
    answers: str | None
    model: str | None

    def __init__(
        self, tests: Any | None = None, *, answers: str | None = None, model: str | None = None
    ) -> None:
        put = object.__setattr__
        put(self, "tests", None if tests is None else _panel(tests))
        put(self, "answers", _name(answers, "today.answers must name the column of today's answers"))
        put(self, "model", _name(model, "today.model must name the file of a saved model"))
        if self.model is not None and (self.tests is not None or self.answers is not None):
            raise CostError("today has a model, which says itself what it asks. Leave out the rest.")
        if self.tests is None and self.answers is None and self.model is None:
            raise CostError(f"today says nothing. Name one of {', '.join(TODAY_KEYS)}.")

    @property
    def learnt(self) -> bool:
        """Whether what everybody is answered must be learnt from their tests."""
        return self.answers is None and self.model is None

    def to_dict(self) -> dict[str, Any]:
        """Return the table ``[today]`` of a cost file."""
        panel = None if self.tests is None else list(self.tests)
        plain = {"tests": panel, "answers": self.answers, "model": self.model}
        return {name: value for name, value in plain.items() if value is not None}

    def __str__(self) -> str:
        if self.model is not None:
            return f"the model {self.model}"
        *most, last = map(in_list, self.tests or ("no tests",))
        panel = f"{', '.join(most)} and {last}" if most else last
        if self.answers is None:
            return f"{panel} for everybody"
        tests = f" after {panel} for everybody" if self.tests else ""
        return f"the answers in column {self.answers!r}{tests}"

    def __repr__(self) -> str:
        return f"Today({', '.join(f'{name}={value!r}' for name, value in self.to_dict().items())})"


def checked_today(today: object) -> Today | None:
    """Return today's practice: of a list, its panel; of a dictionary, what its keys say.

    Examples
    --------
    >>> checked_today(["TSH"]), checked_today({"answers": "referred"})
    (Today(tests=['TSH']), Today(answers='referred'))
    """
    if today is None or isinstance(today, Today):
        return today
    if isinstance(today, Mapping):
        for name in today:
            if name not in TODAY_KEYS:
                raise CostError(f"today has no key {name!r}. {nearest(str(name), TODAY_KEYS)}")
        return Today(**today)
    return Today(_panel(today))


def checked_word(word: object, what: str, *, empty: bool) -> str:
    """Return a word that can stand inside a sentence, or say what is wrong with it."""
    if not isinstance(word, str):
        raise CostError(f"{what} must be a text. {got(word)}")
    if not word.isprintable() or word != word.strip() or len(word) > LONGEST_WORD or not (word or empty):
        raise CostError(
            f"{what} must be a word or two of at most {LONGEST_WORD} letters, in one line and without blanks "
            f"around it. Got {word!r}."
        )
    return str(word)


def plural(noun: str) -> str:
    """Return what several of a noun are called.

    Examples
    --------
    >>> [plural(noun) for noun in ("case", "patient", "inquiry", "box", "day", "child", "sick person")]
    ['cases', 'patients', 'inquiries', 'boxes', 'days', 'children', 'sick people']
    """
    for one, many in IRREGULAR.items():
        if noun == one or noun.endswith(f" {one}"):
            return noun.removesuffix(one) + many
    if noun[-1:] == "y" and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "z", "ch", "sh")) else f"{noun}s"


def _panel(tests: object) -> tuple[str, ...]:
    if isinstance(tests, str) or not isinstance(tests, (list, tuple, Set)):
        raise CostError(f"today must be a list of the tests that everybody gets. {got(tests)}")
    # A set has no order of its own; sorting keeps equal lists equal from run to run.
    names = [column_name(name) for name in (sorted(tests, key=str) if isinstance(tests, Set) else tests)]
    twice = first_repeat(names)
    if twice is not None:
        raise CostError(f"today names the test {twice!r} twice.")
    return tuple(names)


def _name(value: object, wanted: str) -> str | None:
    if value is None or (isinstance(value, str) and value):
        return value
    raise CostError(f"{wanted}. {got(value)}")
