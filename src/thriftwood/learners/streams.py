"""Entries of the learners that learn case by case."""

from __future__ import annotations

from thriftwood.learners.entries import Entry, same
from thriftwood.learners.optimal import OptimalEntry
from thriftwood.streams.hoeffding import HoeffdingTreeClassifier

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
)
