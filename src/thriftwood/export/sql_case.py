"""The plain form of a tree in SQL: its answer alone, one CASE inside another. Any engine reads it quickly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from thriftwood.export.plan import ALL_BRANCHES, Plan, Question, Step
from thriftwood.export.quoting import sql_literal, sql_name, sql_number
from thriftwood.export.sql_parts import check_names, one_type, value_of
from thriftwood.table import UNSEEN

MOST_LEVELS = 300
"""Tests on a path. Engines limit how deep an expression is: DuckDB to 1,000, and a test takes up to three."""

Undecided = Literal["refuse", "null"]


def case_query(made: Plan, table: Sequence[str], key: str | None, undecided: Undecided) -> str:
    """Write a query with the columns ``case_id`` and ``answer``, as `export_sql` does with ``plain``."""
    check_names(made.tests, key)
    values = "".join(f",\n    {value_of(test)} AS v{number}" for number, test in enumerate(made.tests))
    case_id = "row_number() OVER ()" if key is None else sql_name(key)
    return (
        f"SELECT case_id,\n  {_Writer(made, undecided).answer()} AS answer\nFROM (\n"
        f"  SELECT {case_id} AS case_id{values}\n  FROM {'.'.join(map(sql_name, table))}\n) AS coded"
    )


class _Writer:
    def __init__(self, made: Plan, undecided: Undecided) -> None:
        self.made, self.undecided = made, undecided
        self.answers = () if made.classes is None else one_type(made.answers, made.further)

    def answer(self) -> str:
        """Write the whole tree, branches before the nodes that lead to them."""
        written: dict[int, str] = {}
        level: dict[int, int] = {}
        for node in reversed(list(self.made.preorder())):
            step = self.made.steps.get(node)
            if step is None:
                written[node], level[node] = self._ending(node), 0
                continue
            level[node] = 1 + max(level[child] for child in step.children)
            written[node] = self._choice(node, step, [written.pop(child) for child in step.children])
        if level[0] > MOST_LEVELS:
            raise ValueError(
                f"The tree has {level[0]} tests on a path, too many for an expression in SQL "
                f"({MOST_LEVELS}). Prune it, or leave plain out."
            )
        return written[0]

    def _ending(self, node: int) -> str:
        ending = self.made.endings[node]
        return sql_literal(self.answers[ending.label]) if self.answers else sql_number(ending.values[0])

    def _choice(self, node: int, step: Step, branches: list[str]) -> str:
        missing = self._route(node, step, step.missing, branches)
        unseen = self._route(node, step, step.unseen, branches)
        if len(step.questions) > 1:
            return self._with_surrogates(step, branches, missing, unseen)
        question = step.questions[0]
        value = f"v{question.test}"
        if question.cut is not None:
            cut, (low, high) = sql_number(question.cut), (branches[b] for b in question.branches)
            if missing == low:  # no value is not above the cut
                return f"CASE WHEN {value} > {cut} THEN {high} ELSE {low} END"
            if missing == high:
                return f"CASE WHEN {value} <= {cut} THEN {low} ELSE {high} END"
            return (
                f"CASE WHEN {value} <= {cut} THEN {low} WHEN {value} > {cut} THEN {high} ELSE {missing} END"
            )
        whens = "".join(
            f" WHEN {value} IN ({', '.join(codes)}) THEN {branches[b]}"
            for b, codes in _codes_by_branch(question).items()
        )
        if self.made.tests[question.test].unseen_is_missing or unseen == missing:
            return f"CASE{whens} ELSE {missing} END" if whens else missing
        return f"CASE{whens} WHEN {value} = {UNSEEN}e0 THEN {unseen} ELSE {missing} END"

    def _with_surrogates(self, step: Step, branches: list[str], missing: str, unseen: str) -> str:
        """Write a node that other tests stand in for: the first that gives a branch decides."""
        found = f"COALESCE({', '.join(map(_branch, step.questions))})"
        whens = "".join(f" WHEN {b} THEN {answer}" for b, answer in enumerate(branches))
        undecided = missing
        if unseen != missing:
            own = f"v{step.questions[0].test}"
            undecided = f"CASE WHEN {own} = {UNSEEN}e0 THEN {unseen} ELSE {missing} END"
        return f"CASE {found}{whens} ELSE {undecided} END"

    def _route(self, node: int, step: Step, route: int, branches: list[str]) -> str:
        """Write the answer of a case that no question decides."""
        if route >= 0:
            return branches[route]
        if route != ALL_BRANCHES:
            return self._ending(node)
        if self.undecided == "refuse":
            name = self.made.tests[step.questions[0].test].name
            raise ValueError(
                f"Node {node} of this tree asks {name!r} and sends cases with missing values down several "
                "branches, which a plain CASE cannot. Learn with Growth(missing='branch'), leave plain out, "
                "or say undecided='null': such cases then have no answer."
            )
        return "NULL"


def _branch(question: Question) -> str:
    """Write the number of the branch that a question gives, NULL if it gives none."""
    value = f"v{question.test}"
    if question.cut is not None:
        low, high = question.branches
        cut = sql_number(question.cut)
        return f"CASE WHEN {value} <= {cut} THEN {low} WHEN {value} > {cut} THEN {high} END"
    whens = "".join(
        f" WHEN {value} IN ({', '.join(codes)}) THEN {b}" for b, codes in _codes_by_branch(question).items()
    )
    return f"CASE{whens} END" if whens else "NULL"


def _codes_by_branch(question: Question) -> dict[int, list[str]]:
    """List the codes of each branch; a category that counts as missing has none."""
    found: dict[int, list[str]] = {}
    for code, branch in enumerate(question.branches):
        if branch >= 0:
            found.setdefault(branch, []).append(f"{code}e0")
    return found
