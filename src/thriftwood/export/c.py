"""Trees as C: one file of C99 that includes nothing and allocates nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from thriftwood.export.plan import Asked, Plan, plan, tree_of
from thriftwood.export.quoting import c_string, function_name, plain
from thriftwood.tree.conditions import number_text

_HEAD = """\
/* A decision tree as a C99 function. Written by thriftwood; needs no library.

   int {name}(double (*ask)(void *context, int test), void *context, {name}_result *result);

   ask gives the value of a test by its number in {name}_tests: a number, or the code of a category (its place
   in {name}_categories[test], or what {name}_code gives for its name), or NaN when there is no value. It is called
   only for tests that are bought, once each, when they are bought. Returns 0. */

enum {{ {upper}_TESTS = {n_tests}, {upper}_CLASSES = {n_classes}, {upper}_UNSEEN = -2 }};

typedef struct {{
{answer}
  int n_asked, asked[{most_tests}];   /* tests in the order they were asked */
  int n_bought, bought[{most_tests}]; /* tests in the order they were bought */
  double paid[{most_tests}];          /* what was paid for each test bought */
  double bill;               /* the sum */
}} {name}_result;
"""

_CODE = """\
/* The code of a category; {upper}_UNSEEN if the test has no such category. */
int {name}_code(int test, const char *category) {{
  const char *const *names = {name}_categories[test];
  for (int code = 0; code < {name}_n_categories[test]; ++code) {{
    const char *a = names[code], *b = category;
    while (*a != '\\0' && *a == *b) ++a, ++b;
    if (*a == *b) return code;
  }}
  return {upper}_UNSEEN;
}}
"""

_WALK = """\
typedef struct {{
  double (*ask)(void *context, int test);
  void *context;
  {name}_result *result;
  double value[{most_tests}];
  int known[{most_tests}];  /* whether it was asked */
  int entry[{most_tests}];  /* its place in result->bought, or -1 */
  int basket[{most_tests}]; /* tests bought on the path that is followed */
  int size;
}} {name}_case;

enum {{ {upper}_MISSING_ = -1, {upper}_ALL_ = -1, {upper}_STOP_ = -2 }};

static double {name}_read_({name}_case *at, int test) {{
  if (!at->known[test]) {{
    at->known[test] = 1;
    at->result->asked[at->result->n_asked++] = test;
    at->value[test] = at->ask(at->context, test);
  }}
  return at->value[test];
}}

/* The code of a value: below 0 if it is missing or unseen; 0 for any number. */
static int {name}_state_({name}_case *at, int test) {{
  const double value = {name}_read_(at, test);
  const int count = {name}_n_categories[test];
  if (value != value) return {upper}_MISSING_;
  if (count < 0) return 0;
  if (value >= 0.0 && value < count && value == (int)value) return (int)value;
  return value == -1.0 || {name}_unseen_is_missing_[test] ? {upper}_MISSING_ : {upper}_UNSEEN;
}}

static int {name}_has_(const {name}_case *at, int test) {{
  for (int i = 0; i < at->size; ++i)
    if (at->basket[i] == test) return 1;
  return 0;
}}

static double {name}_price_(const {name}_case *at, int test) {{
  double price = {name}_own_price_[test];
  for (int i = 0; {name}_has_after_[test] && i < at->size; ++i)
    if ({name}_group_[at->basket[i]] == {name}_group_[test]) price = {name}_after_[test];
  for (int n = {name}_first_need_[test]; n < {name}_first_need_[test + 1]; ++n) {{
    int paid = 0;
    for (int i = 0; i < at->size; ++i)
      for (int m = {name}_first_need_[at->basket[i]]; m < {name}_first_need_[at->basket[i] + 1]; ++m)
        paid |= {name}_need_[m] == {name}_need_[n];
    if (!paid) price += {name}_resource_price_[{name}_need_[n]];
  }}
  return price;
}}

static void {name}_buy_({name}_case *at, int test, double share) {{
  {name}_result *result = at->result;
  const int state = {name}_state_(at, test);
  if ({name}_has_(at, test) || (state == {upper}_MISSING_ && !{charge_missing})) return;
  const double cost = share * {name}_price_(at, test);
  at->basket[at->size++] = test;
  if (at->entry[test] < 0) {{
    at->entry[test] = result->n_bought++;
    result->bought[at->entry[test]] = test;
    result->paid[at->entry[test]] = 0.0;
  }}
  result->paid[at->entry[test]] += cost;
  result->bill += cost;
}}

/* The branch that a case takes at an inner node, or {upper}_ALL_ or {upper}_STOP_. */
static int {name}_branch_({name}_case *at, int node, double share) {{
  const int own = {name}_test_[{name}_first_question_[node]];
  if (!{name}_has_(at, own) && ({name}_state_(at, own) != {upper}_MISSING_ || {charge_missing})) {{
    {name}_buy_(at, own, share);
    for (int i = {name}_first_order_[node]; i < {name}_first_order_[node + 1]; ++i)
      {name}_buy_(at, {name}_order_[i], share);
  }}
  for (int q = {name}_first_question_[node]; q < {name}_first_question_[node + 1]; ++q) {{
    const int test = {name}_test_[q];
    if (test != own) {name}_buy_(at, test, share);
    int place = {name}_state_(at, test);
    if (place < 0) continue;
    if ({name}_n_categories[test] < 0) place = at->value[test] > {name}_cut_[q];
    const int branch = {name}_branches_[{name}_first_branch_[q] + place];
    if (branch >= 0) return branch;
  }}
  return {name}_state_(at, own) == {upper}_UNSEEN ? {name}_unseen_[node] : {name}_missing_[node];
}}
"""

_DECIDE = """\
int {name}(double (*ask)(void *context, int test), void *context, {name}_result *result) {{
  struct {{ int node, size; double share; }} open[{most_open}];
  {name}_case at;
  int n_open = 1, n_ends = 0;
  at.ask = ask;
  at.context = context;
  at.result = result;
  at.size = 0;
  for (int test = 0; test < {upper}_TESTS; ++test) at.known[test] = 0, at.entry[test] = -1;
  result->n_asked = result->n_bought = 0;
  result->bill = 0.0;
{clear}
  for (int i = 0; i < {n_upfront}; ++i) {name}_buy_(&at, {name}_upfront_[i], 1.0);
  open[0].node = 0;
  open[0].size = at.size;
  open[0].share = 1.0;
  while (n_open > 0) {{
    int node = open[--n_open].node;
    const double share = open[n_open].share;
    int branch = {upper}_STOP_;
    at.size = open[n_open].size;
    while ({name}_first_question_[node] < {name}_first_question_[node + 1]) {{
      branch = {name}_branch_(&at, node, share);
      if (branch < 0) break;
      node = {name}_first_child_[node] + branch;
      branch = {upper}_STOP_;
    }}
    if (branch == {upper}_ALL_) {{
      for (int c = {name}_n_children_[node] - 1; c >= 0; --c) {{
        const int child = {name}_first_child_[node] + c;
        const double part = share * {name}_share_[child];
        if (!(part > 0.0)) continue;
        open[n_open].node = child;
        open[n_open].size = at.size;
        open[n_open++].share = part;
      }}
      continue;
    }}
    ++n_ends;
{gather}
  }}
{finish}
  return 0;
}}
"""

_CLASS_PARTS = {
    "answer": "  int answer;                /* a place in {name}_classes */\n"
    "  double probabilities[{n_classes}];",
    "clear": "  for (int k = 0; k < {upper}_CLASSES; ++k) result->probabilities[k] = 0.0;",
    "gather": "    result->answer = {name}_label_[node];\n"
    "    for (int k = 0; k < {upper}_CLASSES; ++k)\n"
    "      result->probabilities[k] += share * {name}_values_[{name}_ending_[node] * {upper}_CLASSES + k];",
    "finish": "  if (n_ends > 1) result->answer = {name}_cheapest_(result->probabilities);",
}

_NUMBER_PARTS = {
    "answer": "  double answer;",
    "clear": "  double sum = 0.0, shares = 0.0;\n  result->answer = 0.0;",
    "gather": "    result->answer = {name}_values_[{name}_ending_[node]];\n"
    "    sum += share * result->answer;\n"
    "    shares += share;",
    "finish": "  if (n_ends > 1) result->answer = sum / shares;",
}

_CHEAPEST_BY_LOSS = """\
/* The class that costs least; ties, up to rounding, go to the first. */
static int {name}_cheapest_(const double *shares) {{
  int best = 0;
  double least = 0.0;
  for (int k = 0; k < {upper}_CLASSES; ++k) {{
    double cost = 0.0;
    for (int actual = 0; actual < {upper}_CLASSES; ++actual)
      cost += shares[actual] * {name}_loss_[actual * {upper}_CLASSES + k];
    if (k > 0 && !(least > cost + 1e-12 * (cost < 0.0 ? -cost : cost))) continue;
    best = k;
    least = cost;
  }}
  return best;
}}
"""

_LIKELIEST = """\
/* The class with the largest share; ties, up to rounding, go to the first. */
static int {name}_cheapest_(const double *shares) {{
  int best = 0;
  for (int k = 1; k < {upper}_CLASSES; ++k)
    if (shares[k] > shares[best] + 1e-12 * shares[best]) best = k;
  return best;
}}
"""


def export_c(model: Any, name: str = "decide") -> str:
    """Write a tree as a C function that asks only for the tests it needs.

    Parameters
    ----------
    model : fitted estimator, search, or Tree
        The tree to write.
    name : str
        The name of the function, and the beginning of every other name in the file.

    Returns
    -------
    str
        A file of C99 in ASCII. Its comment says how to call it: values come from a callback
        ``double ask(void *context, int test)`` with NaN for a missing value and codes for categories;
        ``decide_tests``, ``decide_categories`` and ``decide_classes`` are the names behind the numbers, as
        UTF-8.

    Raises
    ------
    ValueError
        If `name` is no name for a function, or a name or category cannot be written in C.

    Notes
    -----
    Answers, purchases and prices are those of ``tw.bill``, as in `export_python`. It needs no heap, keeps
    nothing between calls, and may be called by several threads. Compile without ``-ffast-math``: NaN means
    missing.

    Examples
    --------
    >>> from thriftwood.tree import CostTreeClassifier
    >>> source = export_c(CostTreeClassifier().fit([[1.0], [2.0]], ["no", "yes"]), name="screen")
    >>> print(*(line for line in source.splitlines() if line.startswith("const")), sep="\\n")
    const char *const screen_tests[] = {"x0"};
    const char *const *const screen_categories[] = {0};
    const int screen_n_categories[] = {-1};
    const char *const screen_classes[] = {"no", "yes"};
    """
    made = plan(tree_of(model))
    name = function_name(name, language="C")
    classes = made.classes
    words = {
        "name": name,
        "upper": name.upper(),
        "n_tests": len(made.tests),
        "most_tests": max(len(made.tests), 1),  # C has no arrays of nothing
        "n_classes": 0 if classes is None else len(classes),
        "most_open": made.most_open,
        "n_upfront": len(made.upfront),
        "charge_missing": int(made.charge_missing),
    }
    chosen = _NUMBER_PARTS if classes is None else _CLASS_PARTS
    words |= {part: text.format(**words) for part, text in chosen.items()}
    cheapest = _CHEAPEST_BY_LOSS if made.loss else _LIKELIEST
    pieces = [
        _HEAD.format(**words),
        "\n".join([*_names(made, name), *_tables(made, name)]) + "\n",
        _CODE.format(**words),
        _WALK.format(**words),
        "" if classes is None else cheapest.format(**words),
        _DECIDE.format(**words),
    ]
    return "\n".join(piece for piece in pieces if piece)


def _names(made: Plan, name: str) -> list[str]:
    """Write what numbers mean."""
    lines = [_texts(f"const char *const {name}_tests", (test.name for test in made.tests))]
    pointers = []
    for number, test in enumerate(made.tests):
        if test.categories:
            declared = f"static const char *const {name}_categories_{number}_"
            lines.append(
                _texts(declared, map(_category_text, test.categories, [test] * len(test.categories)))
            )
        pointers.append(f"{name}_categories_{number}_" if test.categories else "0")
    lines.append(_array(f"const char *const *const {name}_categories", pointers))
    counts = [-1 if test.categories is None else len(test.categories) for test in made.tests]
    lines.append(_array(f"const int {name}_n_categories", counts))
    if made.classes is not None:
        texts = [_text(plain(value, "The target")) for value in made.classes]
        lines.append(_texts(f"const char *const {name}_classes", texts))
    return lines


def _tables(made: Plan, name: str) -> list[str]:
    """Write the tests' prices and the nodes as arrays."""
    tests, nodes = made.tests, range(max([*made.steps, *made.endings]) + 1)
    steps = [made.steps.get(node) for node in nodes]
    questions = [question for step in steps if step for question in step.questions]
    share = {c: s for step in steps if step for c, s in zip(step.children, step.shares, strict=True)}
    place = {node: number for number, node in enumerate(sorted(made.endings))}
    whole: dict[str, Iterable[int]] = {
        "unseen_is_missing": [int(test.unseen_is_missing) for test in tests],
        "group": [test.group for test in tests],
        "has_after": [int(test.after is not None) for test in tests],
        "first_need": _starts(test.needs for test in tests),
        "need": [resource for test in tests for resource in test.needs],
        "upfront": made.upfront,
        "first_question": _starts(step.questions if step else () for step in steps),
        "test": [question.test for question in questions],
        "first_branch": _starts(question.branches for question in questions),
        "branches": [branch for question in questions for branch in question.branches],
        "first_child": [step.children.start if step else -1 for step in steps],
        "n_children": [len(step.children) if step else 0 for step in steps],
        "missing": [step.missing if step else -1 for step in steps],
        "unseen": [step.unseen if step else -1 for step in steps],
        "first_order": _starts(step.orders if step else () for step in steps),
        "order": [test for step in steps if step for test in step.orders],
        "ending": [place.get(node, -1) for node in nodes],
    }
    if made.classes is not None:
        whole["label"] = [made.endings[node].label if node in place else -1 for node in nodes]
    numbers: dict[str, Iterable[float]] = {
        "own_price": [test.price for test in tests],
        "after": [test.after or 0.0 for test in tests],
        "resource_price": made.resources,
        "cut": [question.cut or 0.0 for question in questions],
        "share": [share.get(node, 1.0) for node in nodes],
        "values": [value for node in place for value in made.endings[node].values],
    }
    if made.loss:
        numbers["loss"] = made.loss
    return [_array(f"static const int {name}_{key}_", values) for key, values in whole.items()] + [
        _array(f"static const double {name}_{key}_", map(repr, values)) for key, values in numbers.items()
    ]


def _starts(groups: Iterable[Any]) -> list[int]:
    """Say where each group begins when they lie one after another, and where the last one ends."""
    starts = [0]
    for group in groups:
        starts.append(starts[-1] + len(group))
    return starts


def _category_text(value: Any, test: Asked) -> str:
    return _text(plain(value, f"The test {test.name!r}"))


def _text(value: Any) -> str:
    return number_text(value) if isinstance(value, float) else str(value)


def _texts(declared: str, texts: Iterable[str]) -> str:
    return _array(declared, map(c_string, texts))


def _array(declared: str, values: Iterable[Any]) -> str:
    """Write an array, a zero where there would be nothing, in lines of bearable length."""
    entries = [str(value) for value in values] or ["0"]
    lines, line = [], f"{declared}[] = {{"
    for number, entry in enumerate(entries):
        entry += "};" if number + 1 == len(entries) else ","
        if len(line) + len(entry) > 109:
            lines.append(line.rstrip())
            line = "  "
        line += entry if line.endswith(("{", "  ")) else f" {entry}"
    return "\n".join([*lines, line])
