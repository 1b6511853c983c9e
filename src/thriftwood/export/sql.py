"""Trees as SQL: one query that walks every row of a table, written for DuckDB.

The tree becomes small tables inside the query (instructions, edges, endings), and a recursive step moves
every case along the edge that its value chooses; so a tree of any depth makes a query of bearable size. A
case reads the column of a test only when it has come to that test.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from thriftwood.export import sql_text
from thriftwood.export.cascade_sql import cascade_sql
from thriftwood.export.plan import Asked, Plan, exported_of, plan
from thriftwood.export.program import Program, program
from thriftwood.export.quoting import sql_literal, sql_name, sql_number, sql_string
from thriftwood.export.sql_case import Undecided, case_query
from thriftwood.export.sql_parts import check_names, one_type, prefix_for, probability_names, value_of
from thriftwood.models import Cascade
from thriftwood.table import MISSING


def export_sql(
    model: Any,
    table: str | Sequence[str] = "cases",
    *,
    key: str | None = None,
    plain: bool = False,
    undecided: Undecided = "refuse",
) -> str:
    """Write a tree, or score cards, as a query that decides every row of a table, for DuckDB.

    Parameters
    ----------
    model : fitted estimator, search, Tree or Cascade
        What to write.
    table : str or sequence of str
        The name of the table; its parts if it is in a schema: ``("main", "cases")``.
    key : str, optional
        A column that is different in every row, to tell the rows of the result by; None: their numbers, from
        1, in the order of the table. The plain form's rows have no order: add ``ORDER BY case_id``.
    plain : bool
        Of a tree: the answer alone, as one CASE inside another, which engines read as quickly as any CASE. A
        tree that shares cases with missing values out among branches has no such form.
    undecided : {"refuse", "null"}
        With `plain`: refuse such a tree, or give those cases no answer.

    Returns
    -------
    str
        A query (without a semicolon) whose columns are ``case_id``, ``answer``, ``probability_<class>`` for
        every class, ``asked`` (a list of tests in order), ``bought``, ``paid`` (lists of tests and of what
        was paid for each) and ``bill``; with `plain` the first two of these. NULL and NaN are missing values.

    Raises
    ------
    ValueError
        If a name, category or class cannot be written in SQL, or two columns differ only in their case.

    Notes
    -----
    Answers, purchases and prices are those of ``tw.bill``, as in `export_python`. Sums over several endings
    may differ from the library's in the last digit.

    Examples
    --------
    >>> from thriftwood.learning import CostTreeClassifier
    >>> query = export_sql(CostTreeClassifier().fit([[1.0], [2.0]], ["no", "yes"]), "patients")
    >>> [line.strip() for line in query.splitlines() if "patients" in line or line.startswith("SELECT")]
    ['FROM "patients"', 'SELECT c.case_id, y.answer,']
    >>> from thriftwood.learning import Growth
    >>> model = CostTreeClassifier(growth=Growth(missing="majority")).fit([[1.0], [2.0], [3.0]], [0, 1, 1])
    >>> export_sql(model, plain=True).splitlines()[1]
    '  CASE WHEN v0 <= 1.5e0 THEN 0 ELSE 1 END AS answer'
    """
    exported = exported_of(model)
    if undecided not in ("refuse", "null") or (undecided == "null" and not plain):
        raise ValueError(f"undecided is 'refuse', or with plain=True 'null'. Got {undecided!r}.")
    if isinstance(exported, Cascade):
        if plain:
            raise ValueError("The plain form is of a tree, and this model answers by score cards.")
        return cascade_sql(exported, table, key)
    made = plan(exported)
    parts = [table] if isinstance(table, str) else list(table)
    if plain:
        return case_query(made, parts, key, undecided)
    compiled = program(made)
    check_names(made.tests, key)
    p = prefix_for(parts)
    stand = sql_text.STAND.format(
        p=p,
        charged="TRUE" if made.charge_missing else "(v.value IS NOT NULL)",
        missing=MISSING,
        value=_choice("i.test", [f"c.v{test}" for test in range(len(made.tests))]),
    )
    return sql_text.QUERY.format(
        p=p,
        key="row_number() OVER ()" if key is None else sql_name(key),
        table=".".join(map(sql_name, parts)),
        values="".join(f",\n    {value_of(test)} AS v{number}" for number, test in enumerate(made.tests)),
        tests=_rows((str(n), sql_string(test.name)) for n, test in enumerate(made.tests)) or _nothing(2),
        instructions=_rows(_instructions(compiled)),
        edges=_rows((str(at), str(o), str(to), sql_number(s)) for at, o, to, s in compiled.edges)
        or _nothing(4),
        stand=stand,
        price=f"      {_price(made)}",
        **_answers(made, compiled, p),
    )


def _choice(subject: str, results: list[str]) -> str:
    if not results:
        return "CAST(NULL AS DOUBLE)"
    whens = " ".join(f"WHEN {number} THEN {result}" for number, result in enumerate(results))
    return f"CASE {subject} {whens} END"


def _price(made: Plan) -> str:
    """Write what a test costs, given the basket before it was bought."""
    return _choice("s.test", [_price_of(made, test) for test in made.tests])


def _price_of(made: Plan, test: Asked) -> str:
    price = sql_number(test.price)
    if test.after is not None:
        others = [n for n, other in enumerate(made.tests) if other.group == test.group]
        price = f"CASE WHEN list_has_any(s.basket, {others}) THEN {sql_number(test.after)} ELSE {price} END"
    for resource in test.needs:
        users = [n for n, other in enumerate(made.tests) if resource in other.needs]
        cost = sql_number(made.resources[resource])
        price += f" + CASE WHEN list_has_any(s.basket, {users}) THEN 0e0 ELSE {cost} END"
    return price


def _instructions(compiled: Program) -> Iterable[tuple[str, ...]]:
    for at, step in enumerate(compiled.instructions):
        cut = "CAST(NULL AS DOUBLE)" if step.cut is None else sql_number(step.cut)
        yield str(at), sql_string(step.kind), str(step.test), cut


def _answers(made: Plan, compiled: Program, p: str) -> dict[str, str]:
    """Write the parts of the query that differ between classes and numbers."""
    joins = f"JOIN {p}_answers AS y ON y.case_id = c.case_id"
    ends = compiled.ends.items()
    if made.classes is None:
        numbers = _rows((str(at), sql_number(made.endings[node].values[0])) for at, node in ends)
        return {
            "ending": "number",
            "endings": numbers,
            "answers": sql_text.NUMBERS.format(p=p),
            "columns": ", y.answer",
            "joins": joins,
        }
    names = probability_names(made.classes)
    width, n_answers = len(made.classes), len(made.answers)
    shares = ((at, k, part) for at, node in ends for k, part in enumerate(made.endings[node].values))
    loss = ((n // n_answers, n % n_answers, cost) for n, cost in enumerate(made.loss))
    worth = sql_text.LOSS.format(p=p, loss=_rows((str(a), str(k), sql_number(c)) for a, k, c in loss))
    classes = sql_text.CLASSES.format(
        p=p,
        classes=_rows(
            (str(k), sql_literal(value)) for k, value in enumerate(one_type(made.answers, made.further))
        ),
        parts=_rows((str(at), str(k), sql_number(part)) for at, k, part in shares if part > 0),
        loss=worth if made.loss else sql_text.NO_LOSS.format(p=p),
        tied="w.worth" if made.loss else "c.worth",
        last=n_answers - 1,
        pivot="".join(f",\n    MAX(CASE WHEN class = {k} THEN share END) AS p{k}" for k in range(width)),
    )
    return {
        "ending": "label",
        "endings": _rows((str(at), str(made.endings[node].label)) for at, node in ends),
        "answers": classes,
        "columns": ", y.answer" + "".join(f",\n  q.p{k} AS {name}" for k, name in enumerate(names)),
        "joins": f"{joins}\nJOIN {p}_probabilities AS q ON q.case_id = c.case_id",
    }


def _rows(rows: Iterable[Sequence[str]]) -> str:
    """Write a table of constants; nothing if there are no rows."""
    lines = ",\n    ".join(f"({', '.join(row)})" for row in rows)
    return lines and f"\n  VALUES\n    {lines}\n"


def _nothing(width: int) -> str:
    """Write a table without rows."""
    return f"SELECT {', '.join(['0'] * width)} WHERE FALSE"
