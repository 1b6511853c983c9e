"""Plain words: where the paper's claims hold here and where they do not, and what ours come to."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean

from thriftwood.experiments.cocost2009.ensembles import COCOST, FOREST
from thriftwood.experiments.cocost2009.lightgbm import PENALISED
from thriftwood.experiments.cocost2009.ours import OURS, TIMED, named
from thriftwood.experiments.cocost2009.reporting import LEVELS, WHOLE, Times, rows_of_table_3
from thriftwood.experiments.cocost2009.speed import ALL
from thriftwood.experiments.cocost2009.summing import Mean, Means
from thriftwood.experiments.cocost2009.trees import GREEDY, LASC, SETS, SVM


def notes(means: Means, times: Times, whole: float) -> list[str]:
    """Say where the paper's claims hold here and where they do not."""
    rows = rows_of_table_3(means)
    said = [
        f"All {WHOLE} features cost {whole:.1f} microseconds. Of the paper's tables is known what its text "
        "repeats.",
        _claim_cocost(rows, whole),
        *_of_fewer_features(means, rows[SVM]),
        _claim_forest(rows),
        _claim_lasc(means),
    ]
    return [*said, *_claims_ours(means, rows, times, whole)]


def _claim_cocost(rows: Mapping[str, Mean], whole: float) -> str:
    ours, svm = rows[COCOST], rows[SVM]
    ahead = sum(one >= other for one, other in zip(ours.by_split, svm.by_split, strict=True))
    holds = "holds" if ours.accuracy >= svm.accuracy and ours.cost <= 0.25 * svm.cost else "does not hold"
    return (
        "The paper's claim, the accuracy of the SVM for 10 to 25 % of its cost, "
        f"{holds} here: CoCoST as published is right in {100 * ours.accuracy:.1f} % of the cases for "
        f"{100 * ours.cost / whole:.1f} % of the cost, the SVM in {100 * svm.accuracy:.1f} %; CoCoST is at "
        f"least as accurate in {ahead} of {len(svm.by_split)} splits."
    )


def _of_fewer_features(means: Means, whole: Mean) -> list[str]:
    """Say so if the SVM, the yardstick, is more accurate on some of the features than on all."""
    best = means.best(SVM)
    if best is None or best.accuracy <= whole.accuracy:
        return []
    return [
        f"The SVM is a weak yardstick with all features: on {best.setting} of them, chosen forward, it is "
        f"right in {100 * best.accuracy:.1f} % for {best.cost:.1f} microseconds."
    ]


def _claim_forest(rows: Mapping[str, Mean]) -> str:
    ours, forest = rows[COCOST], rows[FOREST]
    better = ours.accuracy >= forest.accuracy
    return (
        f"That CoCoST is more accurate than the best forest {'holds' if better else 'does not hold'}: the "
        f"forest {forest.setting} (alpha, trees) is right in {100 * forest.accuracy:.1f} % for "
        f"{forest.cost:.1f} microseconds, CoCoST in {100 * ours.accuracy:.1f} % for {ours.cost:.1f}."
    )


def _claim_lasc(means: Means) -> str:
    first = 0
    for size in SETS:
        own = means.get(LASC, f"{size}/1")
        others = [means.get(name, str(size)) for name in GREEDY]
        first += own is not None and all(other is None or own.accuracy >= other.accuracy for other in others)
    return (
        f"That LASC is usually the most accurate of the trees: on {first} of {len(SETS)} sets of features it "
        "is, with alpha 1."
    )


def _claims_ours(means: Means, rows: Mapping[str, Mean], times: Times, whole: float) -> list[str]:
    best = means.cheapest(rows[SVM].accuracy, OURS)
    said = []
    if best is None:
        most = means.best(OURS)
        assert most is not None  # they are always tried
        said.append(
            f"No setting of ours is as accurate as the SVM; the best is right in {100 * most.accuracy:.1f} %."
        )
    else:
        said.append(
            f"Ours ({best.setting}) is as accurate as the SVM on all features, {100 * best.accuracy:.1f} %, "
            f"for {100 * best.cost / whole:.1f} % of its cost."
        )
    pairs = [
        (level, means.cost_at(level, OURS), means.cost_at(level, PENALISED))
        for level in LEVELS
        if means.cost_at(level, PENALISED) is not None
    ]
    if pairs:
        dearer = [f"{level:.2f}" for level, ours, theirs in pairs if ours is None or ours > (theirs or 0.0)]
        settings = len(means.of_learners(OURS)), len(means.of_learners(PENALISED))
        said.append(
            f"Of {len(pairs)} accuracies from {pairs[0][0]:.2f} to {pairs[-1][0]:.2f} ours costs no more "
            f"than LightGBM with penalties at {len(pairs) - len(dearer)}"
            + (f", more at {', '.join(dearer)}" if dearer else "")
            + f" ({settings[0]} settings of ours, {settings[1]} of LightGBM, the same cases)."
        )
    else:
        said.append("LightGBM is not installed, so it does not compete (pip install lightgbm).")
    quicker = fmean(one[ALL] / one[OURS] for one in times)
    timed = means.get(OURS, named(*TIMED))
    right = f", right in {100 * timed.accuracy:.1f} %," if timed else ""
    said.append(
        f"With ours ({named(*TIMED)}){right} a chunk is answered in {quicker:.1f} times less of the "
        "processor's time than all its features take."
    )
    return said
