// What the prices of a dropped table begin with: those that the page's list names, and made-up ones, of which the page says so.

const [USUAL_PRICE, USUAL_MISTAKE] = [1, 50];

// `listed` is the content of any price list; the mistakes of the result are named one by one. `words`: what nobody named, if anything.
function firstCosts(listed, table) {
  const { classes } = table;
  const names = table.columns.map((column) => column.name);
  const named = names.filter((name) => ownTest(listed, name) !== undefined);
  const others = typeof listed.default_price === "number" ? [] : names.filter((name) => !named.includes(name));
  const { currency, case_name, payment, charge_missing } = listed;
  const [errors, unnamed] = firstErrors(listed, classes);
  const tests = firstTests(listed, named);
  const costs = orderedCosts({
    currency, case_name, payment, charge_missing, default_price: others.length ? undefined : listed.default_price,
    tests: Object.fromEntries(names.flatMap((name) => (named.includes(name) ? [[name, tests[name]]] : others.includes(name) ? [[name, USUAL_PRICE]] : []))),
    shared: Object.fromEntries(Object.entries(listed.shared || {}).filter(([name]) => named.some((test) => testOf(listed, test).needs.includes(name)))),
    errors,
    answers: { ...besideClasses(listed, classes), ...firstAnswers(listed, classes) },
    today: firstToday(listed, table),
  });
  const mistakes = classes.length * (classes.length - 1);
  return { costs, words: inventedWords(others.length, others.length === names.length, unnamed, unnamed === mistakes) };
}

// A group with a single test left is none.
function firstTests(listed, named) {
  const members = (group) => named.filter((name) => testOf(listed, name).group === group).length;
  return Object.fromEntries(named.map((name) => {
    const { group, after, ...alone } = testOf(listed, name);
    return [name, plainTest(group === undefined || members(group) === 1 ? alone : { ...alone, group, after })];
  }));
}

// Errors by name, and how many of them the list leaves out. Rows by number are of other classes where there are more or fewer.
function firstErrors(listed, classes) {
  const others = Array.isArray(listed.errors) && listed.errors.length !== classes.length;
  const known = others ? { errors_default: listed.errors_default } : listed;
  let unnamed = 0;
  const rows = classes.map((actual, i) => [actual, Object.fromEntries(classes.flatMap((answer, j) => {
    const cost = namedError(known, classes, i, j);
    if (i === j) return cost ? [[answer, cost]] : [];
    if (cost === undefined) unnamed += 1;
    return [[answer, cost ?? USUAL_MISTAKE]];
  }))]);
  return [Object.fromEntries(rows), unnamed];
}

// Columns of errors that are answers and no classes, by the rule of costs/further.py: every row names them, and they have none.
function besideClasses({ errors, errors_default }, classes) {
  if (errors === undefined || Array.isArray(errors) || errors_default !== undefined || Object.keys(errors).length < 2) return {};
  const rows = Object.values(errors);
  const names = Object.keys(rows[0]).filter((name) => !classes.includes(name) && !Object.hasOwn(errors, name) && rows.every((row) => Object.hasOwn(row, name)));
  if (!classes.every((actual) => Object.hasOwn(errors, actual))) return {};
  return Object.fromEntries(names.map((name) => [name, Object.fromEntries(classes.map((actual) => [actual, errors[actual][name]]))]));
}

// Further answers of which the list says what they cost in these classes.
function firstAnswers({ answers = {} }, classes) {
  return Object.fromEntries(Object.entries(answers).flatMap(([name, cost]) => {
    if (classes.includes(name)) return [];
    if (typeof cost === "number") return [[name, cost]];
    if (!classes.every((actual) => Object.hasOwn(cost, actual))) return [];
    return [[name, Object.fromEntries(classes.map((actual) => [actual, cost[actual]]))]];
  }));
}

// What today costs is known where the table has all its tests, and the column of its answers.
function firstToday({ today = {} }, { names, target }) {
  const { tests = [], answers } = today;
  const named = answers === undefined ? tests : [...tests, answers];
  return named.every((name) => name !== target && names.includes(name)) ? today : {};
}

function inventedWords(tests, allTests, mistakes, allMistakes) {
  const left = (all) => (all ? "" : " that the price list leaves out");
  const made = [
    ...(tests ? [[`every test${left(allTests)}`, USUAL_PRICE]] : []),
    ...(mistakes ? [[`every mistake${left(allMistakes)}`, USUAL_MISTAKE]] : []),
  ].map(([what, cost], i) => (i ? `${what} ${cost}` : `${what} is taken to cost ${cost}`));
  return made.length ? `Nobody named these prices: ${made.join(" and ")}. Set yours before you go by the answer.` : "";
}
