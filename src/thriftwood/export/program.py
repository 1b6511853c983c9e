"""A plan as a list of instructions: what a language without loops and functions can follow with a table.

Every instruction reads one test of the case, may buy it, and is left by an *edge* that its outcome chooses:

- ``ask``: buys the test; the outcome is 0 up to the cut and 1 above it, or the code of the category, or
  MISSING or UNSEEN;
- ``order``: the test begins an order of several; the outcome is 1 if the order was placed before or the test
  has no value and is not charged, otherwise 0;
- ``buy``: buys the test; the outcome is 0;
- ``end``: the case, or its share, ends here.

Instructions are numbered in the order a case meets them, also a case that goes down several branches, and a
case meets each at most once: sorting by number gives the order of purchases.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from thriftwood.export.plan import STOP, Plan, Question, Step
from thriftwood.table import MISSING, UNSEEN


class Instruction(NamedTuple):
    """One instruction; `test` is -1 at an end, `cut` None unless a number is cut."""

    kind: str
    test: int = -1
    cut: float | None = None


class Edge(NamedTuple):
    """From the instruction `at`, by an outcome, to the instruction `target`, with a share of the case."""

    at: int
    outcome: int
    target: int
    share: float


@dataclass
class Program:
    """Instructions, edges, and the node behind each end."""

    instructions: list[Instruction] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    ends: dict[int, int] = field(default_factory=dict)


def program(plan: Plan) -> Program:
    """Compile a plan.

    Examples
    --------
    >>> from thriftwood.export.plan import plan
    >>> from thriftwood.learning import CostTreeClassifier
    >>> made = program(plan(CostTreeClassifier().fit([[1.0], [2.0]], ["no", "yes"]).tree_))
    >>> [instruction.kind for instruction in made.instructions]
    ['ask', 'end', 'end']
    >>> made.edges[2:]
    [Edge(at=0, outcome=0, target=1, share=1.0), Edge(at=0, outcome=1, target=2, share=1.0)]
    """
    return _Compiler(plan).program


class _Compiler:
    """Writes instructions in pre-order; edges to nodes are resolved when all nodes have their place."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.program = Program()
        self.place: dict[int, int] = {}  # node -> its first instruction
        self.to_nodes: list[Edge] = []  # edges whose target is still the number of a node
        for test in plan.upfront:
            self._go_on(self._add(Instruction("buy", test)), 0)
        for node in plan.preorder():
            self.place[node] = len(self.program.instructions)
            if node in plan.steps:
                self._step(node, plan.steps[node])
            else:
                self._end(node)
        self.program.edges += [edge._replace(target=self.place[edge.target]) for edge in self.to_nodes]
        self.program.edges.sort()

    def _add(self, instruction: Instruction) -> int:
        self.program.instructions.append(instruction)
        return len(self.program.instructions) - 1

    def _go_on(self, at: int, outcome: int, steps: int = 1) -> None:
        self.program.edges.append(Edge(at, outcome, at + steps, 1.0))

    def _end(self, node: int) -> int:
        at = self._add(Instruction("end"))
        self.program.ends[at] = node
        return at

    def _step(self, node: int, step: Step) -> None:
        own, *surrogates = step.questions
        if step.orders:
            at = self._add(Instruction("order", own.test))
            self._go_on(at, 0)
            self._go_on(at, 1, len(step.orders) + 1)
            for test in step.orders:
                self._go_on(self._add(Instruction("buy", test)), 0)
        at = self._ask(step, own)
        end = self._end(node) if STOP in (step.missing, step.unseen) else -1
        undecided = [(at, code) for code in self._undecided(own)]
        if step.unseen == step.missing or (at, UNSEEN) not in undecided:
            self._chain(step, surrogates, undecided, step.missing, end)
        else:
            undecided.remove((at, UNSEEN))
            self._chain(step, surrogates, undecided, step.missing, end)
            self._chain(step, surrogates, [(at, UNSEEN)], step.unseen, end)

    def _undecided(self, question: Question) -> list[int]:
        """List the outcomes of a question that lead to no branch."""
        test = self.plan.tests[question.test]
        known_only = test.categories is None or test.unseen_is_missing
        outcomes = [MISSING] if known_only else [MISSING, UNSEEN]
        return outcomes + [code for code, branch in enumerate(question.branches) if branch < 0]

    def _ask(self, step: Step, question: Question) -> int:
        at = self._add(Instruction("ask", question.test, question.cut))
        for code, branch in enumerate(question.branches):
            if branch >= 0:
                self.to_nodes.append(Edge(at, code, step.children[branch], 1.0))
        return at

    def _chain(
        self, step: Step, surrogates: list[Question], open_ends: list[tuple[int, int]], route: int, end: int
    ) -> None:
        """Lead what a question leaves open to the surrogates in turn, and at last to the node's route."""
        for question in surrogates:
            at = self._ask(step, question)
            self.program.edges += [Edge(before, outcome, at, 1.0) for before, outcome in open_ends]
            open_ends = [(at, outcome) for outcome in self._undecided(question)]
        for before, outcome in open_ends:
            if route == STOP:
                self.program.edges.append(Edge(before, outcome, end, 1.0))
            taken = step.takes(route)
            self.to_nodes += [Edge(before, outcome, child, share) for child, share in taken]
