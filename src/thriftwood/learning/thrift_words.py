"""What `ThriftClassifier` says of its choice."""

from __future__ import annotations

from thriftwood.learning.thrift_judging import Judging

ASKED = "Score cards were asked for"
IDLE = f"{ASKED}, and no test pays: they buy none, and all get the same answer"


def reason(judging: Judging, taken: int, *, asked: bool = False, idle: bool = False) -> str:
    """Say what was chosen by what, without figures: those of the best of several are hopeful.

    It stands beside what a model costs on cases that did not choose it. `asked`: whether nothing but score
    cards was to be taken. `idle`: whether what was taken, learnt from all cases, buys nothing.
    """
    if not judging.parts or len(judging.results) < 2:
        return sentence(judging, taken)
    ended = _ended(judging)
    if asked:
        said = IDLE if idle else f"{ASKED}: no tree was tried"
        return f"{said}. Judged by unseen cases, {judging.how}.{ended}"
    taken = 0 if idle else taken
    if taken == 0:
        return f"No test clearly pays: all get the same answer. Judged by unseen cases, {judging.how}.{ended}"
    words = judging.results[taken].words
    return f"Chosen of {len(judging.results)} by what unseen cases cost, {judging.how}: {words}.{ended}"


def _ended(judging: Judging) -> str:
    if not judging.interrupted:
        return ""
    n_judged = len(judging.results)
    if n_judged == judging.competing:
        return " Ctrl-C ended the judging before all quarters of the cases."
    return f" Ctrl-C ended the judging after {n_judged} of {judging.competing} candidates."


def sentence(judging: Judging, taken: int, *, asked: bool = False, idle: bool = False) -> str:
    """Say what was chosen and why, with figures."""
    constant, *others = judging.results
    if not judging.parts:
        return "Nothing is tested: there are too few cases to judge tests by."
    if not others:
        return "Nothing is tested: all cases are of one class."
    n_judged, ended = len(judging.results), _ended(judging)
    best = judging.results[taken]
    if judging.believed is not None:
        best = best._replace(cost=judging.believed)
    if asked and idle:
        return f"{IDLE}. That costs {constant.about} an unseen case, {judging.how}.{ended}"
    if idle and taken:
        return (
            f"No test is asked: learnt from all cases, {best.words} buys none. The same answer for all costs "
            f"{constant.about} an unseen case, {judging.how}.{ended}"
        )
    if taken == 0:
        best = min(others, key=lambda candidate: candidate.cost)
        return (
            f"No test clearly pays: the same answer for all costs {constant.about} an unseen case, "
            f"{best.words} {best.about}, {judging.how}.{ended}"
        )
    lead = f"{ASKED}. They cost" if asked else f"Chosen of {n_judged}: {best.words}. It costs"
    return f"{lead} {best.about} an unseen case, testing nobody {constant.about}, {judging.how}.{ended}"
