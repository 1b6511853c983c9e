"""Entries of the learners that learn case by case."""

from __future__ import annotations

from thriftwood.learners.entries import Entry, same
from thriftwood.learners.optimal import OptimalEntry
from thriftwood.streams.hoeffding import HoeffdingTreeClassifier
from thriftwood.streams.incremental import IncrementalTreeClassifier

STREAM_LEARNERS: tuple[Entry, ...] = (
    OptimalEntry(
        name="hoeffding",
        sentence="Looks at each case once and keeps counts, not cases; a leaf makes a test when it is sure, "
        "by Hoeffding's bound, that no other would turn out better at its price.",
        reference="Domingos & Hulten 2000, Mining high-speed data streams, KDD",
        formula="any criterion's merit with eps less gain, against all others with eps more; "
        "eps = R sqrt(ln(1/delta) / 2n)",
        estimator=HoeffdingTreeClassifier,
        names={"grace_period": same("grace"), "nmin": same("grace")},
    ),
    OptimalEntry(
        name="efdt",
        sentence="The same, but makes a test as soon as it is better than none, and makes another one when "
        "that turns out better.",
        reference="Manapragada, Webb & Salehi 2018, Extremely fast decision tree, KDD",
        formula="as hoeffding, against no test",
        estimator=HoeffdingTreeClassifier,
        settings={"revise": True},
        names={"grace_period": same("grace"), "nmin": same("grace")},
    ),
    OptimalEntry(
        name="id4",
        sentence="For the record: keeps counts, and where another test turns out better everything below it "
        "is discarded and begins anew. The tree depends on the order of the cases and need not be id3's.",
        reference="Schlimmer & Fisher 1986, A case study of incremental concept induction, AAAI",
        formula="gain = H(class) - sum_v W_v/W H(class | v)",
        estimator=IncrementalTreeClassifier,
        settings={"missing": "error", "subtrees": "discard"},
    ),
    OptimalEntry(
        name="id5r",
        sentence="The tree of id3 on the cases so far, revised by every case: where another test turns out "
        "better the subtrees below are regrouped.",
        reference="Utgoff 1989, Incremental induction of decision trees, Machine Learning 4",
        formula="gain = H(class) - sum_v W_v/W H(class | v)",
        estimator=IncrementalTreeClassifier,
        settings={"missing": "error"},
    ),
    OptimalEntry(
        name="iti",
        sentence="The same with tests of two branches; cases without a value stay at the node, and "
        "pruning=MDL() cuts back what answers.",
        reference="Utgoff, Berkman & Clouse 1997, Decision tree induction based on efficient tree "
        "restructuring, Machine Learning 29",
        formula="gain = H(class) - sum_v W_v/W H(class | v)",
        estimator=IncrementalTreeClassifier,
        settings={"nominal": "value"},
    ),
)
