"""A panel of trees as a plan: the plans of its members over one list of tests, and how they vote."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from thriftwood.costs import Costs
from thriftwood.export.plan import Asked, Plan, Question, Step, plan, priced
from thriftwood.models.panel import Panel
from thriftwood.models.voting import Vote


@dataclass(frozen=True)
class PanelPlan:
    """A panel, ready to be written in another language. Made by `panel_plan`.

    Parameters
    ----------
    tests : tuple of Asked
        What can be asked, in the order a reader meets it.
    members : tuple of Plan
        The trees, whose tests have the numbers of this plan.
    vote : Vote
        How they come to an answer.
    classes, further, loss, resources, upfront, charge_missing
        As `Plan` has them; a vote has neither further answers nor costs.
    """

    tests: tuple[Asked, ...]
    members: tuple[Plan, ...]
    vote: Vote
    classes: tuple[Any, ...]
    resources: tuple[float, ...]
    upfront: tuple[int, ...]
    charge_missing: bool
    further: tuple[str, ...] = ()
    loss: tuple[float, ...] = ()


def panel_of(model: Any) -> Panel | None:
    """Return the panel of a fitted estimator or search, or what it is itself; None of anything else."""
    model = getattr(model, "best_estimator_", model)
    found = model if isinstance(model, Panel) else getattr(model, "model_", None)
    return found if isinstance(found, Panel) else None


def panel_plan(panel: Panel) -> PanelPlan:
    """Make the plan of a panel that votes.

    Examples
    --------
    >>> from thriftwood.learning import CostTreeClassifier, fit_many
    >>> trees = fit_many(CostTreeClassifier(), [[1, 0], [2, 0], [3, 1]], ["no", "no", "yes"], rows=[[0, 2]])
    >>> made = panel_plan(Panel(trees, Vote((1.0,))))
    >>> [test.name for test in made.tests], len(made.members)
    (['x0'], 1)
    """
    if not isinstance(panel.rule, Vote):
        raise ValueError(
            f"Trees that vote can be written as a page or as JavaScript. This is {panel.description}, whose "
            "trees are asked by another."
        )
    costs = panel.costs or Costs()
    place = {name: feature for feature, name in enumerate(panel.feature_names)}
    features = [place[name] for name in panel.features_asked]
    number = {feature: test for test, feature in enumerate(features)}
    tests, resources = priced(panel, costs.compile(panel.feature_names), features)
    upfront = costs.payment == "upfront"
    members = []
    for tree in panel.members:
        own = plan(tree)
        members.append(_renumbered(own, [number[place[test.name]] for test in own.tests]))
    return PanelPlan(
        tests=tests,
        members=tuple(members),
        vote=panel.rule,
        classes=tuple(panel.classes.tolist()),
        resources=resources,
        upfront=tuple(number[test] for test in panel.tests.tolist()) if upfront else (),
        charge_missing=costs.charge_missing,
    )


def _renumbered(own: Plan, number: list[int]) -> Plan:
    """Return the plan of a tree whose tests have other numbers."""

    def step(old: Step) -> Step:
        questions = tuple(Question(number[q.test], q.cut, q.branches) for q in old.questions)
        return replace(old, questions=questions, orders=tuple(number[test] for test in old.orders))

    return replace(own, steps={node: step(old) for node, old in own.steps.items()})
