"""The C that is the same for every tree, or for all that buys tests; tables and names are put into it."""

HEAD = """\
/* {what}

   int {name}(double (*ask)(void *context, int test), void *context, {name}_result *result);

   ask gives the value of a test by its number in {name}_tests: a number, or the code of a category (its
   place in {name}_categories[test], or what {name}_code gives for its name), or NaN when there is no
   value. It is called only for tests that {bought}, once each. Returns 0. */

enum {{ {upper}_TESTS = {n_tests}, {upper}_CLASSES = {n_classes}{further}, {upper}_UNSEEN = -2 }};

typedef struct {{
{answer}
  int n_asked, asked[{most_tests}];   /* tests in the order they were asked */
  int n_bought, bought[{most_tests}]; /* tests in the order they were bought */
  double paid[{most_tests}];          /* what was paid for each test bought */
  double bill;               /* the sum */
}} {name}_result;
"""

CODE = """\
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

BUYING = """\
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
  if (value == -1.0 || {name}_unseen_is_missing_[test]) return {upper}_MISSING_;
  return {upper}_UNSEEN;
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
"""

BRANCH = """\
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

DECIDE = """\
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

CLASS_PARTS = {
    "answer": "  int answer;                /* a place in {name}_{named} */\n"
    "  double probabilities[{n_classes}];",
    "clear": "  for (int k = 0; k < {upper}_CLASSES; ++k) result->probabilities[k] = 0.0;",
    "gather": "    result->answer = {name}_label_[node];\n"
    "    for (int k = 0; k < {upper}_CLASSES; ++k)\n"
    "      result->probabilities[k] += share * {name}_values_[{name}_ending_[node] * {upper}_CLASSES + k];",
    "finish": "  for (int k = 0; k < {upper}_CLASSES; ++k) /* by rounding */\n"
    "    if (result->probabilities[k] > 1.0) result->probabilities[k] = 1.0;\n"
    "  if (n_ends > 1) result->answer = {name}_cheapest_(result->probabilities);",
}

NUMBER_PARTS = {
    "answer": "  double answer;",
    "clear": "  double sum = 0.0, shares = 0.0;\n  result->answer = 0.0;",
    "gather": "    result->answer = {name}_values_[{name}_ending_[node]];\n"
    "    sum += share * result->answer;\n"
    "    shares += share;",
    "finish": "  if (n_ends > 1) result->answer = sum / shares;",
}

CHEAPEST_BY_LOSS = """\
/* The class that costs least; ties, up to rounding, go to the first. */
static int {name}_cheapest_(const double *shares) {{
  int best = 0;
  double least = 0.0;
  for (int k = 0; k < {upper}_{answers}; ++k) {{
    double cost = 0.0;
    for (int actual = 0; actual < {upper}_CLASSES; ++actual)
      cost += shares[actual] * {name}_loss_[actual * {upper}_{answers} + k];
    if (k > 0 && !(least > cost + 1e-12 * (cost < 0.0 ? -cost : cost))) continue;
    best = k;
    least = cost;
  }}
  return best;
}}
"""

LIKELIEST = """\
/* The class with the largest share; ties, up to rounding, go to the first. */
static int {name}_cheapest_(const double *shares) {{
  int best = 0;
  for (int k = 1; k < {upper}_CLASSES; ++k)
    if (shares[k] > shares[best] + 1e-12 * shares[best]) best = k;
  return best;
}}
"""
