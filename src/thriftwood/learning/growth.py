"""`Growth`: how a tree grows, as one value that a grid search can reach into."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from operator import attrgetter
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from thriftwood import _core
from thriftwood.base.advice import Part, advised
from thriftwood.base.parameters import Choice, Flag, Real, Rule, Whole, check
from thriftwood.base.remedies import SetFreely, SetParameter, Setting
from thriftwood.base.value_object import ValueObject
from thriftwood.learning.criteria import FACTS

EXACT_ROWS = 50_000
"""bins="auto": up to so many rows thresholds are exact."""
MOST_BINS = 256
"""A byte; one of its values stands for missing."""
MOST_LEVELS = 64
"""Levels of tests that are looked at to choose one."""
_DEFAULT: Any = _core.Settings()
"""The defaults stand in core/settings.hpp, next to what they mean there."""


@dataclass(frozen=True, slots=True)
class Features:
    """A number of features: whole, a share, "sqrt" or None."""

    def accepts(self, value: Any) -> bool:
        """Tell whether it is one of these."""
        if isinstance(value, str):
            return value == "sqrt"
        return Whole(1, none=True).accepts(value) or (
            not isinstance(value, Integral) and Real(0.0, 1.0, above=True).accepts(value)
        )

    def wanted(self) -> str:
        """Say what is accepted."""
        return "a whole number of at least 1, a share above 0.0 and at most 1.0, 'sqrt' or None"


class Growth(ValueObject):
    """How a tree grows: when it stops, which tests it may make, what becomes of missing values.

    The defaults grow as scikit-learn's trees do, until the leaves are pure. `thriftwood.algorithm` knows the
    values with which published learners grow.

    Parameters
    ----------
    max_depth : int or None
        The longest path, in tests. None: no limit.
    max_leaves : int or None
        The most leaves. With ``order="best"`` the most useful splits are made first.
    budget : float or None
        The most that a case may pay for tests, by the prices of the estimator's `costs`, on any path and in
        any table: a test that would go beyond it is not made. Whatever weighs prices goes on weighing them.
        None: no limit. See `docs/budgets.md` for delayed tests, missing values and surrogates.
    min_split_weight : float
        A lighter node stays a leaf.
    min_branch_weight : float
        The least weight of a branch; see `two_branches`.
    count_cases : bool
        Minimum weights, and surrogates, count cases by their `sample_weight` alone (CART). False: they count
        what `priors` and error costs make of it, too.
    two_branches : bool
        True: two branches of `min_branch_weight` are enough (C4.5). False: every branch needs it.
    order : {"depth", "breadth", "best"}
        Which open node is split next. It matters to the tree when `max_leaves` stops growth, and to a priced
        criterion when tests are paid upfront: those of the nodes split before cost nothing more.
    nominal : {"binary", "multiway", "grouped", "value"}
        Tests of nominal features: two sets of categories (CART), one branch per category (ID3, C4.5), or
        categories merged while that helps (C4.5's value grouping), or one category against all others
        (LASC). The last two are not for ``criterion="absolute_error"``.
    missing : {"fractional", "surrogate", "branch", "stay", "majority", "error"}
        A case whose tested value is missing goes down every branch in parts (C4.5), where the best known
        surrogate test says (CART), down a branch of its own, stays at the node in a branch of its own that is
        a leaf (Ling et al. 2004), goes down the heaviest branch, or is refused.
        With "branch" a feature whose known values cannot be told apart may still be asked whether it is
        known.
        Surrogates exist for tests with two branches only, so "surrogate" needs ``nominal="binary"`` or
        ``"value"``.
    bins : int, None or "auto"
        Numeric features in at most so many bins (2 to 256; of 256 one is for missing values), or None for
        exact thresholds. "auto": exact up to 50,000 rows and 255 bins above. Bins do not keep single values
        apart, so thresholds must be exact, and with "auto" are, with ``missing="surrogate"``,
        ``criterion="absolute_error"``, ``cut_at="observed"`` and a `min_gap`.
    min_decrease : float
        A split must lower the impurity of the whole table by at least this.
    min_relative_gain : float
        A split must lower the impurity of its node by at least this share of it.
    gain_floor : float
        A split must gain more than this. Slightly below 0, so that a test that gains nothing by itself is
        made when the node is impure: the next test may need it (exclusive or).
    max_features : int, float, "sqrt" or None
        A node asks so many features, drawn anew at each with the estimator's `random_state`: a number, a
        share of all, or the square root of their number. Features that are constant at a node do not count,
        and the drawing goes on while none has a test. None: all features. "lasc"
        plans with the features drawn at the node; not for criteria that look ahead by samples.
    lookahead : int
        A test is chosen by the cheapest tree of so many levels that begins with it, and the others below it
        in the same way: optimal near the node, greedy further down. 1: by its own merit alone. A test that
        tells nothing by itself, and which others to ask, is found by it. For criteria whose gain is in money
        ("min-total-cost", "cstree", "leaf-cost", "gini-loss"). Of a numeric feature the best cut and eight
        others are looked at; each level takes about nine times the number of features as long.
    rollouts : bool
        With `lookahead`: only the first of these levels is searched, and below each test a tree is grown by
        merit, which sees as far in a fraction of the time.
    confidence : float or None
        A feature may be tested only if a chi-square test calls it relevant with this confidence.
    bonferroni : bool
        Multiply the p value of a numeric test by the number of cuts it was chosen from; with `confidence`.
    share_rule : bool
        Numeric tests: each side needs a tenth of the known weight per class, at most 25 (C4.5).
    cut_penalty : bool
        Subtract log2(number of cuts) / weight from the gain of a numeric test (C4.5 release 8; not for
        criteria whose gain is in money).
    average_gain : bool
        Leave out features of less than average gain (C4.5; for ``criterion="gain_ratio"`` and the priced
        criteria that count in bits of gain).
    min_gap : float
        Neighbouring values of a numeric feature must differ by more to be cut apart.
    cut_at : {"midpoint", "observed"}
        A threshold is the middle between two values, or the largest value of the training table that is not
        above it (C4.5).
    slack : float
        C4.5's epsilon: by how much a gain may be below the average, and the least split information.
    max_exhaustive : int
        Binary nominal tests with more than two classes: all subsets are tried up to so many categories, and
        beyond that those along the first principal component of the class shares.
    many_categories : int or None
        A nominal feature with more categories than this is tested only where at least half of what they
        tell (in bits, or squared error) holds for cases that are left out of their own category, too:
        a test with a branch for each of thousands of cities fits anything. None: it is tested like any
        other, as ID3, C4.5 and CART do. Not for ``criterion="absolute_error"``.
    max_surrogates : int
        The most surrogate tests of a node.
    surrogate_style : {0, 1}
        The agreement of a surrogate counts over all cases that know the test itself (0, rpart) or over those
        that know the surrogate too (1, the CART book).
    use_surrogate : {0, 1, 2}
        2: surrogates, then the heavier branch. 1: surrogates, then the node itself answers. 0: no
        surrogates, the node itself answers.

    Examples
    --------
    >>> Growth(max_depth=3)
    Growth(max_depth=3)
    """

    rules: ClassVar[dict[str, Rule]] = {
        "max_depth": Whole(1, 2**31 - 1, none=True),
        "max_leaves": Whole(1, 2**31 - 1, none=True),
        "budget": Real(0.0, none=True),
        "min_split_weight": Real(0.0),
        "min_branch_weight": Real(0.0),
        "count_cases": Flag(),
        "two_branches": Flag(),
        "order": Choice(("depth", "breadth", "best")),
        "nominal": Choice(("binary", "multiway", "grouped", "value")),
        "missing": Choice(("fractional", "surrogate", "branch", "stay", "majority", "error")),
        "bins": Whole(2, MOST_BINS, none=True, words=("auto",)),
        "min_decrease": Real(0.0),
        "min_relative_gain": Real(0.0, 1.0),
        "gain_floor": Real(),
        "max_features": Features(),
        "lookahead": Whole(1, MOST_LEVELS),
        "rollouts": Flag(),
        "confidence": Real(0.0, 1.0, above=True, below=True, none=True),
        "bonferroni": Flag(),
        "share_rule": Flag(),
        "cut_penalty": Flag(),
        "average_gain": Flag(),
        "min_gap": Real(0.0),
        "cut_at": Choice(("midpoint", "observed")),
        "slack": Real(0.0),
        "max_exhaustive": Whole(2, 20),
        "many_categories": Whole(2, 2**31 - 1, none=True),
        "max_surrogates": Whole(0, 2**31 - 1),
        "surrogate_style": Choice((0, 1)),
        "use_surrogate": Choice((0, 1, 2)),
    }

    def __init__(
        self,
        max_depth: int | None = None,
        max_leaves: int | None = None,
        *,
        budget: float | None = None,
        min_split_weight: float = _DEFAULT.min_split_weight,
        min_branch_weight: float = _DEFAULT.min_branch_weight,
        count_cases: bool = _DEFAULT.count_cases,
        two_branches: bool = _DEFAULT.two_branches,
        order: Literal["depth", "breadth", "best"] = _DEFAULT.order,
        nominal: Literal["binary", "multiway", "grouped", "value"] = _DEFAULT.nominal,
        missing: Literal["fractional", "surrogate", "branch", "stay", "majority", "error"] = _DEFAULT.missing,
        bins: int | Literal["auto"] | None = "auto",
        min_decrease: float = _DEFAULT.min_decrease,
        min_relative_gain: float = _DEFAULT.min_relative_gain,
        gain_floor: float = _DEFAULT.gain_floor,
        max_features: float | Literal["sqrt"] | None = None,
        lookahead: int = _DEFAULT.lookahead,
        rollouts: bool = _DEFAULT.rollouts,
        confidence: float | None = None,
        bonferroni: bool = _DEFAULT.bonferroni,
        share_rule: bool = _DEFAULT.share_rule,
        cut_penalty: bool = _DEFAULT.cut_penalty,
        average_gain: bool = _DEFAULT.average_gain,
        min_gap: float = _DEFAULT.min_gap,
        cut_at: Literal["midpoint", "observed"] = _DEFAULT.cut_at,
        slack: float = _DEFAULT.slack,
        max_exhaustive: int = _DEFAULT.max_exhaustive,
        many_categories: int | None = _DEFAULT.many_categories,
        max_surrogates: int = _DEFAULT.max_surrogates,
        surrogate_style: Literal[0, 1] = 0,
        use_surrogate: Literal[0, 1, 2] = 2,
    ) -> None:
        self.max_depth = max_depth
        self.max_leaves = max_leaves
        self.budget = budget
        self.min_split_weight = min_split_weight
        self.min_branch_weight = min_branch_weight
        self.count_cases = count_cases
        self.two_branches = two_branches
        self.order = order
        self.nominal = nominal
        self.missing = missing
        self.bins = bins
        self.min_decrease = min_decrease
        self.min_relative_gain = min_relative_gain
        self.gain_floor = gain_floor
        self.max_features = max_features
        self.lookahead = lookahead
        self.rollouts = rollouts
        self.confidence = confidence
        self.bonferroni = bonferroni
        self.share_rule = share_rule
        self.cut_penalty = cut_penalty
        self.average_gain = average_gain
        self.min_gap = min_gap
        self.cut_at = cut_at
        self.slack = slack
        self.max_exhaustive = max_exhaustive
        self.many_categories = many_categories
        self.max_surrogates = max_surrogates
        self.surrogate_style = surrogate_style
        self.use_surrogate = use_surrogate

    def settings(self, criterion: str, n_rows: int, n_threads: int) -> _core.Settings:
        """Return these settings as the core reads them; cached and shared: copy before changing.

        Raises
        ------
        ValueError
            When a parameter is out of its bounds; the message names it.
        """
        values = _VALUES(self)
        large = n_rows > EXACT_ROWS
        # Checking and translating 25 parameters takes longer than growing a small tree: once per set of them.
        # Types are part of the key because 1 == True == 1.0.
        key = (*values, *map(type, values), criterion, large, n_threads)
        try:
            known = _SETTINGS.get(key)
        except TypeError:  # an unhashable value; the check below names it
            known = None
        if known is None:
            check(self, self.rules)
            self._check_fits(criterion)
            known = self._translated(criterion, large, n_threads)
            if len(_SETTINGS) >= _MOST_SETTINGS:
                _SETTINGS.clear()
            _SETTINGS[key] = known
        return known

    def _check_fits(self, criterion: str) -> None:
        """Refuse what would do nothing, or something else, beside the other settings."""
        facts = FACTS[criterion]
        if self.average_gain and not facts.averages_gain:
            averaging = [name for name, known in FACTS.items() if known.averages_gain]
            raise advised(
                ValueError,
                f"Growth has average_gain=True, a rule of {', '.join(map(repr, averaging))}, but the "
                f"criterion is {criterion!r}. ",
                SetParameter("average_gain", (False,)),
                ".",
            )
        if self.cut_penalty and facts.gain_in_money:
            raise advised(
                ValueError,
                f"Growth has cut_penalty=True, which is in bits, but the gain of criterion={criterion!r} is "
                "in money. ",
                SetParameter("cut_penalty", (False,)),
                ".",
            )
        if facts.predicts_numbers:
            self._check_fits_numbers(criterion)
        if facts.two_outcomes and self.nominal not in ("value", "binary"):
            raise advised(
                ValueError,
                f"Growth has nominal={self.nominal!r}, but criterion={criterion!r} plans for the two "
                "outcomes of a test. ",
                SetParameter("nominal", ("value", "binary"), remark=" (as published)"),
                ".",
            )
        if self.missing == "surrogate" and self.nominal not in ("binary", "value"):
            raise advised(
                ValueError,
                f"Growth has missing='surrogate' and nominal={self.nominal!r}, but surrogates exist for "
                "tests with two branches only. ",
                SetParameter("nominal", ("binary", "value")),
                ", or choose another way for missing values.",
            )
        if self.max_features is not None and facts.samples:
            raise advised(
                ValueError,
                f"Growth has max_features={self.max_features!r}, but criterion={criterion!r} looks ahead by "
                "samples, for which it asks all features. ",
                SetParameter("max_features", (None,)),
                ".",
            )
        self._check_lookahead(criterion)
        if self.bonferroni and self.confidence is None:
            raise advised(
                ValueError,
                "Growth has bonferroni=True, a rule of the chi-square test, but confidence=None makes no "
                "such test. ",
                SetFreely("confidence", 0.95),
                ", or ",
                Setting("bonferroni", False),
                ".",
            )
        exact = self._exact_for(criterion)
        if exact is not None and isinstance(self.bins, Integral):
            raise advised(
                ValueError,
                f"Growth has bins={self.bins}, but {exact.setting} needs exact thresholds. ",
                SetParameter("bins", (None,)),
                f" or {exact.instead}.",
            )

    def _check_lookahead(self, criterion: str) -> None:
        """Refuse looking ahead where nothing adds up what is seen."""
        if self.lookahead == 1:
            if self.rollouts:
                raise advised(
                    ValueError,
                    "Growth has rollouts=True, trees grown below each test, but lookahead=1 looks at no "
                    "level below it. ",
                    SetFreely("lookahead", 3),
                    ", or ",
                    Setting("rollouts", False),
                    ".",
                )
            return
        looks = f"Growth has lookahead={self.lookahead}"
        if not FACTS[criterion].gain_in_money:
            able = [repr(name) for name, known in FACTS.items() if known.gain_in_money]
            raise ValueError(
                f"{looks}, which adds up what tests and mistakes cost, but the gain of "
                f"criterion={criterion!r} is not in money. Use one of {', '.join(able)}, or lookahead=1."
            )
        if self.missing == "surrogate":
            raise advised(
                ValueError,
                f"{looks}, which knows no surrogates, and missing='surrogate'. ",
                SetParameter("missing", ("branch", "stay", "fractional")),
                ".",
            )
        if self.max_features is not None:
            raise advised(
                ValueError,
                f"{looks}, which asks all features, and max_features={self.max_features!r}. ",
                SetParameter("max_features", (None,)),
                ".",
            )

    def _check_fits_numbers(self, criterion: str) -> None:
        """Refuse what would do nothing, or something else, in a tree that predicts numbers."""
        for name in ("confidence", "share_rule", "cut_penalty"):
            if getattr(self, name):
                raise ValueError(
                    f"Growth has {name}={getattr(self, name)!r}, which counts classes, but {criterion!r} "
                    "predicts numbers. Leave it at its default."
                )
        if FACTS[criterion].by_median and self.nominal in _UNKNOWN_TO_MEDIANS:
            raise advised(
                ValueError,
                f"Growth has nominal={self.nominal!r}, but criterion={criterion!r} "
                f"{_UNKNOWN_TO_MEDIANS[self.nominal]}. ",
                SetParameter("nominal", ("binary", "multiway")),
                ".",
            )

    def _translated(self, criterion: str, large: bool, n_threads: int) -> _core.Settings:
        settings = _core.Settings()
        settings.criterion = criterion
        for name in _SAME_NAME:
            value = getattr(self, name)
            setattr(settings, name, bool(value) if isinstance(value, np.bool_) else value)
        settings.max_depth = int(self.max_depth or 0)
        settings.max_leaves = int(self.max_leaves or 0)
        settings.confidence = float(self.confidence or 0.0)
        settings.max_exhaustive = int(self.max_exhaustive)
        settings.many_categories = int(self.many_categories or 0)
        # Refused values never reach the core; unseen categories stop at the node, as in its "branch".
        settings.missing = "branch" if self.missing == "error" else self.missing
        settings.reuse_nominal = self.nominal != "multiway"
        settings.max_surrogates = int(self.max_surrogates) if self.use_surrogate else 0
        settings.surrogate_known_only = self.surrogate_style == 1
        settings.after_surrogates = "majority" if self.use_surrogate == 2 else "stop"
        settings.bins = self._bins(criterion, large)
        settings.feature_draw, settings.max_features = _drawn(self.max_features)
        settings.threads = n_threads
        return settings

    def exact_error(self, criterion: str) -> ValueError:
        """Refuse settings that need exact thresholds, where a table is counted by bins."""
        exact = self._exact_for(criterion)
        if exact is None:
            remedy: tuple[Part, ...] = ("and Growth has bins=None. ", SetParameter("bins", ("auto",)), ".")
        else:
            remedy = (f"and {exact.setting} needs exact thresholds: {exact.instead}.",)
        return advised(ValueError, "A table that is read in parts is counted by bins, ", *remedy)

    def _bins(self, criterion: str, large: bool) -> int:
        if self.bins == "auto":
            return MOST_BINS - 1 if large and self._exact_for(criterion) is None else 0
        return 0 if self.bins is None else min(int(self.bins), MOST_BINS - 1)

    def _exact_for(self, criterion: str) -> _Exact | None:
        """Return a setting that rules out bins, if there is one."""
        # A surrogate needs the order of all values, a median the order of all targets.
        if self.missing == "surrogate":
            return _Exact("missing='surrogate'", "treat missing values in another way")
        if FACTS[criterion].by_median:
            return _Exact(f"criterion={criterion!r}", "criterion='squared_error'")
        # Bins are cut between values: which values lie next to the cut in a node is not known.
        if self.cut_at == "observed":
            return _Exact("cut_at='observed'", "cut_at='midpoint'")
        if self.min_gap > 0:
            return _Exact(f"min_gap={self.min_gap}", "min_gap=0.0")
        return None


_UNKNOWN_TO_MEDIANS = {
    "grouped": "merges no categories",
    "value": "has no tests of one category against the others",
}
"""Nominal tests that the absolute error has no search for, and why they are refused."""


class _Exact(NamedTuple):
    """A setting that needs exact thresholds, and what to set instead."""

    setting: str
    instead: str


def _drawn(max_features: float | str | None) -> tuple[str, float]:
    """Return how the core draws features, and how many."""
    if max_features is None:
        return "all", 0.0
    if isinstance(max_features, str):
        return max_features, 0.0
    return "number" if isinstance(max_features, Integral) else "share", float(max_features)


_VALUES = attrgetter(*Growth.rules)
_SAME_NAME = (
    *("min_split_weight", "min_branch_weight", "two_branches", "order", "nominal", "min_decrease"),
    *(
        "count_cases",
        "min_relative_gain",
        "gain_floor",
        "bonferroni",
        "share_rule",
        "cut_penalty",
        "average_gain",
        "min_gap",
        "cut_at",
        "slack",
        "lookahead",
        "rollouts",
    ),
)
_MOST_SETTINGS = 1000
_SETTINGS: dict[tuple[Any, ...], _core.Settings] = {}
