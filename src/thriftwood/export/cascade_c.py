"""Score cards as C: one file of C99 that needs the maths library alone and allocates nothing."""

from __future__ import annotations

from collections.abc import Iterable

from thriftwood.export import c_text
from thriftwood.export.c_tables import array, names_of, price_tables, starts
from thriftwood.export.cascade_plan import CascadePlan, cascade_plan
from thriftwood.export.quoting import function_name
from thriftwood.models.cascade import Cascade

_INTRODUCTION = {
    "what": "Score cards in stages as a C99 function. Written by thriftwood; link with -lm.",
    "bought": "the case buys",
}
_MORE = """\
  int stage;                 /* the number of the stage that answered, from 0 */
  double scores[{n_scores}];           /* its points */"""

_COUNT = """\
/* The points of a value: those of entry `e` for the score `s`. */
static double {name}_points_({name}_case *at, int e, int s) {{
  const int test = {name}_counted_[e], state = {name}_state_(at, test);
  const int first = {name}_first_point_[e], n = {name}_first_point_[e + 1] - first;
  int k = 0;
  if (state == {upper}_MISSING_) return {name}_missing_[e * {n_scores} + s];
  if (state < 0) return 0.0;
  if ({name}_n_categories[test] >= 0) return {name}_points_at_[(first + state) * {n_scores} + s];
  double x = at->value[test];
  if (x < {name}_at_[first]) x = {name}_at_[first];
  if (x > {name}_at_[first + n - 1]) x = {name}_at_[first + n - 1];
  while (k < n - 2 && {name}_at_[first + k + 1] <= x) ++k;
  k += first;
  return {name}_points_at_[k * {n_scores} + s] + {name}_slopes_[k * {n_scores} + s] * (x - {name}_at_[k]);
}}

/* The chances of the classes, from points. */
static void {name}_chances_(const double *scores, double *chances) {{
{chances}
}}
"""

_TWO = """\
  double log_odds = scores[0] / 100.0;
  if (log_odds > 700.0) log_odds = 700.0;
  if (log_odds < -700.0) log_odds = -700.0;
  chances[1] = 1.0 / (1.0 + exp(-log_odds));
  chances[0] = 1.0 - chances[1];"""

_MORE_CLASSES = """\
  double top = scores[0] / 100.0, total = 0.0;
  for (int k = 1; k < {upper}_CLASSES; ++k)
    if (scores[k] / 100.0 > top) top = scores[k] / 100.0;
  for (int k = 0; k < {upper}_CLASSES; ++k) {{
    chances[k] = exp(scores[k] / 100.0 - top);
    total += chances[k];
  }}
  for (int k = 0; k < {upper}_CLASSES; ++k) chances[k] /= total;"""

_DECIDE = """\
int {name}(double (*ask)(void *context, int test), void *context, {name}_result *result) {{
  {name}_case at = {{0}};
  at.ask = ask;
  at.context = context;
  at.result = result;
  for (int test = 0; test < {upper}_TESTS; ++test) at.entry[test] = -1;
  result->n_asked = result->n_bought = 0;
  result->bill = 0.0;
  for (int i = 0; i < {n_upfront}; ++i) {name}_buy_(&at, {name}_upfront_[i], 1.0);
  for (int stage = 0; stage < {n_stages}; ++stage) {{
    int last = {name}_first_test_[stage + 1];
    for (int test = {name}_first_test_[stage]; test < {name}_first_test_[stage + 1]; ++test) {{
      {name}_buy_(&at, test, 1.0);
      if ({name}_delayed_[test] && {name}_has_(&at, test)) last = {upper}_TESTS;
    }}
    for (int test = {name}_first_test_[stage + 1]; test < last; ++test) {name}_buy_(&at, test, 1.0);
    for (int s = 0; s < {n_scores}; ++s) {{
      result->scores[s] = {name}_base_[stage * {n_scores} + s];
      for (int e = {name}_first_entry_[stage]; e < {name}_first_entry_[stage + 1]; ++e)
        result->scores[s] += {name}_points_(&at, e, s);
    }}
    {name}_chances_(result->scores, result->probabilities);
    double least = 0.0;
    for (int k = 0; k < {n_answers}; ++k) {{
      double cost = 0.0;
      for (int actual = 0; actual < {upper}_CLASSES; ++actual)
        cost += result->probabilities[actual] * {name}_loss_[actual * {n_answers} + k];
      if (k > 0 && !(cost < least)) continue;
      least = cost;
      result->answer = k;
    }}
    result->stage = stage;
    if ({name}_ends_[stage] || least <= {name}_stop_[stage]) break;
  }}
  return 0;
}}
"""


def cascade_c(cascade: Cascade, name: str) -> str:
    """Write a cascade as a C function; see `export_c`."""
    made = cascade_plan(cascade)
    name = function_name(name, language="C")
    words = {
        "name": name,
        "upper": name.upper(),
        "n_tests": len(made.tests),
        "most_tests": max(len(made.tests), 1),  # C has no arrays of nothing
        "n_classes": len(made.classes),
        "n_scores": made.n_scores,
        "n_answers": len(made.answers),
        "n_stages": len(made.stages),
        "named": "answers" if made.further else "classes",
        "further": f", {name.upper()}_ANSWERS = {len(made.answers)}" if made.further else "",
        "n_upfront": len(made.upfront),
        "charge_missing": int(made.charge_missing),
        **_INTRODUCTION,
    }
    answer = f"{c_text.CLASS_PARTS['answer']}\n{_MORE}".format(**words)
    chances = (_TWO if len(made.classes) == 2 else _MORE_CLASSES).format(**words)
    pieces = [
        "#include <math.h>\n",
        c_text.HEAD.format(answer=answer, **words),
        "\n".join([*names_of(made, name), *price_tables(made, name), *_tables(made, name)]) + "\n",
        c_text.CODE.format(**words),
        c_text.BUYING.format(**words),
        _COUNT.format(chances=chances, **words),
        _DECIDE.format(**words),
    ]
    return "\n".join(pieces)


def _tables(made: CascadePlan, name: str) -> list[str]:
    """Write the stages and their cards as arrays."""
    stages = made.stages
    counted = [one for stage in stages for one in stage.counted]
    none = (0.0,) * made.n_scores
    whole: dict[str, Iterable[int]] = {
        "first_test": starts(stage.tests for stage in stages),
        "delayed": [int(test in made.delayed) for test in range(len(made.tests))],
        "first_entry": starts(stage.counted for stage in stages),
        "counted": [one.test for one in counted],
        "first_point": starts(one.points for one in counted),
        "ends": [int(stage.stop == float("inf")) for stage in stages],
    }
    numbers: dict[str, Iterable[float]] = {
        "base": [points for stage in stages for points in stage.base],
        "at": [value for one in counted for value in one.at or (0.0,) * len(one.points)],
        "points_at": [points for one in counted for row in one.points for points in row],
        "slopes": [
            slope
            for one in counted
            for row in (*one.slopes, *[none] * (len(one.points) - len(one.slopes)))
            for slope in row
        ],
        "missing": [points for one in counted for points in one.missing],
        "stop": [0.0 if stage.stop == float("inf") else stage.stop for stage in stages],
        "loss": made.loss,
    }
    return [array(f"static const int {name}_{key}_", values) for key, values in whole.items()] + [
        array(f"static const double {name}_{key}_", map(repr, values)) for key, values in numbers.items()
    ]
