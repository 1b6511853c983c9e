"""The SQL that is the same for every tree; `thriftwood.export.sql` puts the tables and the names into it."""

QUERY = """\
-- A decision tree as a query. Written by thriftwood for DuckDB; gives one row per row of the table.
WITH RECURSIVE
{p}_cases AS (
  SELECT {key} AS case_id{values}
  FROM {table}
),
{p}_tests (test, name) AS ({tests}),
{p}_instructions (place, kind, test, cut) AS ({instructions}),
{p}_edges (place, outcome, target, share) AS ({edges}),
{p}_endings (place, {ending}) AS ({endings}),
-- One row for every instruction that a case meets, with the tests it has bought on the way.
{p}_walk AS (
  SELECT case_id, 0 AS place, 1e0 AS share, CAST([] AS INTEGER[]) AS basket
  FROM {p}_cases
  UNION ALL
  SELECT s.case_id, e.target, s.share * e.share,
    CASE WHEN s.buys THEN list_append(s.basket, s.test) ELSE s.basket END
  FROM ({stand}) AS s
  JOIN {p}_edges AS e ON e.place = s.place AND e.outcome = s.outcome
  WHERE s.share * e.share > 0
),
{p}_bought AS (
  SELECT case_id, test, MIN(place) AS place, SUM(share * price) AS paid
  FROM (
    SELECT s.case_id, s.test, s.place, s.share,
{price} AS price
    FROM ({stand}) AS s
    WHERE s.buys
  ) AS purchases
  GROUP BY case_id, test
),
{p}_bills AS (
  SELECT b.case_id, list(t.name ORDER BY b.place) AS bought, list(b.paid ORDER BY b.place) AS paid,
    SUM(b.paid) AS bill
  FROM {p}_bought AS b JOIN {p}_tests AS t ON t.test = b.test
  GROUP BY b.case_id
),
{p}_asked AS (
  SELECT a.case_id, list(t.name ORDER BY a.place) AS asked
  FROM (
    SELECT w.case_id, i.test, MIN(w.place) AS place
    FROM {p}_walk AS w JOIN {p}_instructions AS i ON i.place = w.place
    WHERE i.test >= 0
    GROUP BY w.case_id, i.test
  ) AS a JOIN {p}_tests AS t ON t.test = a.test
  GROUP BY a.case_id
),
{answers}
SELECT c.case_id{columns},
  COALESCE(a.asked, []) AS asked, COALESCE(b.bought, []) AS bought, COALESCE(b.paid, []) AS paid,
  COALESCE(b.bill, 0e0) AS bill
FROM {p}_cases AS c
{joins}
LEFT JOIN {p}_asked AS a ON a.case_id = c.case_id
LEFT JOIN {p}_bills AS b ON b.case_id = c.case_id
ORDER BY c.case_id
"""

# Where a case stands: the value it reads, whether it buys it, and the outcome.
STAND = """
    SELECT v.*, v.kind <> 'order' AND NOT v.has AND {charged} AS buys,
      CASE WHEN v.kind = 'buy' THEN 0
        WHEN v.kind = 'order' THEN CASE WHEN v.has OR NOT {charged} THEN 1 ELSE 0 END
        WHEN v.value IS NULL THEN {missing}
        WHEN v.cut IS NULL THEN CAST(v.value AS INTEGER)
        WHEN v.value <= v.cut THEN 0 ELSE 1 END AS outcome
    FROM (
      SELECT w.case_id, w.place, w.share, w.basket, i.kind, i.test, i.cut,
        list_contains(w.basket, i.test) AS has,
        {value} AS value
      FROM {p}_walk AS w
      JOIN {p}_instructions AS i ON i.place = w.place
      JOIN {p}_cases AS c ON c.case_id = w.case_id
      WHERE i.kind <> 'end'
    ) AS v
  """

CLASSES = """\
{p}_classes (class, answer) AS ({classes}),
{p}_end_shares (place, class, part) AS ({parts}),
{p}_ends AS (
  SELECT w.case_id, COUNT(*) AS ends, MIN(e.label) AS label
  FROM {p}_walk AS w JOIN {p}_endings AS e ON e.place = w.place
  GROUP BY w.case_id
),
{p}_shares AS (
  SELECT e.case_id, k.class, COALESCE(s.share, 0e0) AS share
  FROM {p}_ends AS e CROSS JOIN {p}_classes AS k
  LEFT JOIN (
    SELECT w.case_id, p.class, LEAST(SUM(w.share * p.part), 1e0) AS share
    FROM {p}_walk AS w JOIN {p}_end_shares AS p ON p.place = w.place
    GROUP BY w.case_id, p.class
  ) AS s ON s.case_id = e.case_id AND s.class = k.class
),
-- A case that ends at several places gets the answer that costs least; ties go to the first class.
{loss}{p}_chosen AS (
  SELECT w.case_id, w.class AS best, w.worth, 0 AS class FROM {p}_worth AS w WHERE w.class = 0
  UNION ALL
  SELECT c.case_id, CASE WHEN w.worth > c.worth + 1e-12 * abs({tied}) THEN w.class ELSE c.best END,
    CASE WHEN w.worth > c.worth + 1e-12 * abs({tied}) THEN w.worth ELSE c.worth END, w.class
  FROM {p}_chosen AS c JOIN {p}_worth AS w ON w.case_id = c.case_id AND w.class = c.class + 1
),
{p}_answers AS (
  SELECT e.case_id, k.answer
  FROM {p}_ends AS e
  LEFT JOIN {p}_chosen AS c ON c.case_id = e.case_id AND c.class = {last}
  JOIN {p}_classes AS k ON k.class = CASE WHEN e.ends = 1 THEN e.label ELSE c.best END
),
{p}_probabilities AS (
  SELECT case_id{pivot}
  FROM {p}_shares
  GROUP BY case_id
)"""

LOSS = """\
{p}_loss (class, answer, cost) AS ({loss}),
{p}_worth AS (
  SELECT s.case_id, l.answer AS class, -SUM(s.share * l.cost) AS worth
  FROM {p}_shares AS s
  JOIN {p}_ends AS e ON e.case_id = s.case_id AND e.ends > 1
  JOIN {p}_loss AS l ON l.class = s.class
  GROUP BY s.case_id, l.answer
),
"""

NO_LOSS = """\
{p}_worth AS (
  SELECT s.case_id, s.class, s.share AS worth
  FROM {p}_shares AS s JOIN {p}_ends AS e ON e.case_id = s.case_id AND e.ends > 1
),
"""

NUMBERS = """\
{p}_answers AS (
  SELECT w.case_id,
    CASE WHEN COUNT(*) = 1 THEN MIN(e.number) ELSE SUM(w.share * e.number) / SUM(w.share) END AS answer
  FROM {p}_walk AS w JOIN {p}_endings AS e ON e.place = w.place
  GROUP BY w.case_id
)"""
