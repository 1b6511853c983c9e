"""Score cards as SQL: one query that counts the points of every row of a table, written for DuckDB.

A step of the query for the values, the scores of all stages, the chances, what answers are expected to cost,
the stage where each case ends, the tests it has bought by then, and what each of them costs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from thriftwood.export.cascade_plan import CardStage, CascadePlan, Counting, cascade_plan
from thriftwood.export.quoting import sql_literal, sql_name, sql_number, sql_string
from thriftwood.export.sql_parts import check_names, one_type, prefix_for, probability_names, value_of
from thriftwood.models.cascade import Cascade

_QUERY = """\
-- Score cards in stages as a query. Written by thriftwood for DuckDB; gives one row per row of the table.
WITH
{p}_cases AS (
  SELECT {key} AS case_id{values}
  FROM {table}
),
{p}_scores AS (
  SELECT *{scores}
  FROM {p}_cases
),
{p}_raised AS (
  SELECT *{raised}
  FROM {p}_scores
),
{p}_chances AS (
  SELECT *{chances}
  FROM {p}_raised
),
{p}_expected AS (
  SELECT *{expected}
  FROM {p}_chances
),
{p}_ended AS (
  SELECT *, {ended} AS stage
  FROM {p}_expected
),
-- The stage up to which tests are bought: a delayed test, or upfront payment, brings the later ones along.
{p}_ordered AS (
  SELECT *, {ordered} AS up_to
  FROM {p}_ended
),
{p}_bought AS (
  SELECT *{bought}
  FROM {p}_ordered
),
{p}_paid AS (
  SELECT *{paid}
  FROM {p}_bought
)
SELECT case_id, {answer} AS answer{probabilities},
  {asked} AS asked, {names} AS bought, {prices} AS paid,
  {bill} AS bill
FROM {p}_paid
ORDER BY case_id
"""


def cascade_sql(cascade: Cascade, table: str | Sequence[str], key: str | None) -> str:
    """Write a cascade as a query; see `export_sql`."""
    made = cascade_plan(cascade)
    parts = [table] if isinstance(table, str) else list(table)
    check_names(made.tests, key)
    stages, tests = range(len(made.stages)), range(len(made.tests))
    classes, answers = range(len(made.classes)), range(len(made.answers))
    in_order = made.upfront or tuple(tests)
    chance = [[f"p{s}_{k}" for k in classes] for s in stages]
    return _QUERY.format(
        p=prefix_for(parts),
        key="row_number() OVER ()" if key is None else sql_name(key),
        table=".".join(map(sql_name, parts)),
        values=_columns((f"v{t}", value_of(made.tests[t])) for t in tests),
        scores=_columns(
            (f"s{s}_{k}", _score(made.stages[s], k)) for s in stages for k in range(made.n_scores)
        ),
        raised=_columns(_raised(made, s, k) for s in stages for k in classes),
        chances=_columns((f"p{s}_{k}", _chance(made, s, k)) for s in stages for k in classes),
        expected=_columns((f"e{s}_{a}", _expected(made, chance[s], a)) for s in stages for a in answers),
        ended=_ended(made),
        ordered=_ordered(made),
        bought=_columns((f"b{t}", _is_bought(made, t)) for t in tests),
        paid=_columns((f"c{t}", _price(made, t, in_order)) for t in tests),
        answer=_answer(made),
        probabilities="".join(
            f",\n  {_by_stage([chance[s][k] for s in stages])} AS {name}"
            for k, name in enumerate(probability_names(made.classes))
        ),
        asked=_list([(_is_asked(made, t), sql_string(made.tests[t].name)) for t in in_order], "VARCHAR"),
        names=_list([(f"b{t}", sql_string(made.tests[t].name)) for t in in_order], "VARCHAR"),
        prices=_list([(f"b{t}", f"c{t}") for t in in_order], "DOUBLE"),
        bill=" + ".join(f"CASE WHEN b{t} THEN c{t} ELSE 0e0 END" for t in in_order) or "0e0",
    )


def _columns(named: Iterable[tuple[str, str]]) -> str:
    return "".join(f",\n    {text} AS {name}" for name, text in named)


# Points and chances


def _score(stage: CardStage, score: int) -> str:
    added = (f"\n      + {_points(one, score)}" for one in stage.counted)
    return sql_number(stage.base[score]) + "".join(added)


def _points(one: Counting, score: int) -> str:
    """Write what a test adds to a score."""
    value, points = f"v{one.test}", [row[score] for row in one.points]
    missing = f"WHEN {value} IS NULL THEN {sql_number(one.missing[score])}"
    if one.at is None:
        each = "".join(f" WHEN {value} = {code}e0 THEN {sql_number(p)}" for code, p in enumerate(points))
        return f"CASE {missing}{each} ELSE 0e0 END"
    at, slopes = one.at, [row[score] for row in one.slopes]
    pieces = [f"WHEN {value} <= {sql_number(at[0])} THEN {sql_number(points[0])}"]
    for k in range(len(slopes)):
        rise = f"{sql_number(slopes[k])} * ({value} - {sql_number(at[k])})"
        pieces.append(f"WHEN {value} < {sql_number(at[k + 1])} THEN {sql_number(points[k])} + {rise}")
    top = points[-2] + slopes[-1] * (at[-1] - at[-2])  # rounded as it is counted
    return f"CASE {missing} {' '.join(pieces)} ELSE {sql_number(top)} END"


def _raised(made: CascadePlan, s: int, k: int) -> tuple[str, str]:
    """Write e to the power of a score, less the largest of several; of two classes the odds against."""
    if made.n_scores == 1:
        return f"r{s}_{k}", f"exp(-least(greatest(s{s}_0 / 100e0, -700e0), 700e0))"
    top = ", ".join(f"s{s}_{j} / 100e0" for j in range(made.n_scores))
    return f"r{s}_{k}", f"exp(s{s}_{k} / 100e0 - greatest({top}))"


def _chance(made: CascadePlan, s: int, k: int) -> str:
    if made.n_scores == 1:
        second = f"1e0 / (1e0 + r{s}_0)"
        return second if k else f"1e0 - {second}"
    return f"r{s}_{k} / ({' + '.join(f'r{s}_{j}' for j in range(made.n_scores))})"


def _expected(made: CascadePlan, chances: Sequence[str], answer: int) -> str:
    width = len(made.answers)
    costs = made.loss[answer::width]
    return " + ".join(f"{p} * {sql_number(cost)}" for p, cost in zip(chances, costs, strict=True))


# Where cases end, and what they buy


def _ended(made: CascadePlan) -> str:
    whens: list[str] = []
    for s, stage in enumerate(made.stages):
        if math.isinf(stage.stop):
            return f"CASE {' '.join(whens)} ELSE {s} END" if whens else str(s)
        least = f"least({', '.join(f'e{s}_{a}' for a in range(len(made.answers)))})"
        whens.append(f"WHEN {least} <= {sql_number(stage.stop)} THEN {s}")
    raise AssertionError("the last stage answers every case")


def _answer(made: CascadePlan) -> str:
    answers = [sql_literal(value) for value in one_type(made.answers, made.further)]
    found = []
    for s in range(len(made.stages)):
        whens = []
        for a, text in enumerate(answers[:-1]):
            others = [f"e{s}_{a} <= e{s}_{b}" for b in range(len(answers)) if b != a]
            whens.append(f"WHEN {' AND '.join(others)} THEN {text}")
        found.append(f"CASE {' '.join(whens)} ELSE {answers[-1]} END")
    return _by_stage(found)


def _by_stage(texts: Sequence[str]) -> str:
    if len(texts) == 1:
        return texts[0]
    return f"CASE stage {' '.join(f'WHEN {s} THEN {text}' for s, text in enumerate(texts))} END"


def _stage_of(made: CascadePlan, test: int) -> int:
    return next(s for s, stage in enumerate(made.stages) if test in stage.tests)


def _ordered(made: CascadePlan) -> str:
    last = len(made.stages) - 1
    if made.upfront:
        return str(last)
    waits = []
    for test in made.delayed:
        had = "" if made.charge_missing else f" AND v{test} IS NOT NULL"
        waits.append(f"(stage >= {_stage_of(made, test)}{had})")
    return f"CASE WHEN {' OR '.join(waits)} THEN {last} ELSE stage END" if waits else "stage"


def _is_asked(made: CascadePlan, test: int) -> str:
    return f"up_to >= {_stage_of(made, test)}"


def _is_bought(made: CascadePlan, test: int) -> str:
    charged = "" if made.charge_missing else f" AND v{test} IS NOT NULL"
    return f"({_is_asked(made, test)}{charged})"


def _price(made: CascadePlan, test: int, in_order: Sequence[int]) -> str:
    """Write what a test costs, given which of those before it were bought."""
    asked, before = made.tests[test], in_order[: in_order.index(test)]
    price = sql_number(asked.price)
    others = [f"b{t}" for t in before if made.tests[t].group == asked.group]
    if asked.after is not None and others:
        price = f"CASE WHEN {' OR '.join(others)} THEN {sql_number(asked.after)} ELSE {price} END"
    for resource in asked.needs:
        users = [f"b{t}" for t in before if resource in made.tests[t].needs]
        cost = sql_number(made.resources[resource])
        price += f" + CASE WHEN {' OR '.join(users)} THEN 0e0 ELSE {cost} END" if users else f" + {cost}"
    return price


def _list(entries: Sequence[tuple[str, str]], kind: str) -> str:
    """Write a list of those entries whose condition holds."""
    nothing = f"CAST([] AS {kind}[])"
    written = (f"CASE WHEN {when} THEN [{text}] ELSE {nothing} END" for when, text in entries)
    return " || ".join(written) or nothing
