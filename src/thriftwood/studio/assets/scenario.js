// What a link may hold. It need not be trusted: table, prices and learner are looked at before anything is learnt by them.

const isText = (value) => typeof value === "string";
const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const sameNames = (names, others) => names.length === others.length && names.every((name) => others.includes(name));
const areOf = (names, known) => Array.isArray(names) && names.every((name) => known.includes(name)) && new Set(names).size === names.length;

// The name of a table as every page of it has it: one that is inside a page may come from another folder, or be packed.
function plainName(name) {
  return name.replace(/^.*[\\/]/, "").replace(/(.)\.[a-z]\w{0,7}(\.gz)?$/i, "$1");
}

// The same with its size, which stands behind it in a scenario.
function plainTable(table) {
  const [, name, size] = /^(.*?)( \d+ \d+)?$/s.exec(table);
  return plainName(name) + (size || "");
}

// Links of older pages do not say what is learnt, nor do pages whose classes have no name.
function agree(target, other) {
  return !target || !other || target === other;
}

// The scenario of a link, if it is one of the table with which the page begins; null otherwise.
function checkedScenario(found, initial) {
  if (!isRecord(found) || !isText(found.table) || plainTable(found.table) !== plainTable(initial.table) || !agree(found.target, initial.target)) return null;
  if (!initial.learners.includes(found.learner) || !isPrice(found.weight) || !areSoundCosts(found.costs, initial)) return null;
  return { ...initial, costs: found.costs, learner: found.learner, weight: found.weight };
}

// Whether costs are such as the page writes them, and those of these tests and classes.
function areSoundCosts(costs, { names, classes }) {
  if (!isRecord(costs)) return false;
  const resources = isRecord(costs.shared) ? Object.keys(costs.shared) : [];
  const of = (known, sound) => (part) => isRecord(part) && areOf(Object.keys(part), known) && Object.values(part).every(sound);
  const ofEach = (known, sound) => (part) => of(known, sound)(part) && Object.keys(part).length === known.length;
  const sound = {
    currency: isText,
    case_name: isText,
    payment: (value) => ["sequential", "upfront"].includes(value),
    charge_missing: (value) => typeof value === "boolean",
    errors_default: isPrice,
    default_price: (value) => value === "none" || isPrice(value),
    tests: of(names, (test) => isPrice(test) || isSoundTest(test, resources)),
    shared: of(resources, isPrice),
    errors: (rows) => ofEach(classes, isRecord)(rows)
      && Object.entries(rows).every(([actual, row]) => ofEach(classes, Number.isFinite)({ [actual]: 0, ...row })),
    answers: (rows) => isRecord(rows) && !Object.keys(rows).some((name) => classes.includes(name))
      && Object.values(rows).every((row) => isPrice(row) || ofEach(classes, isPrice)(row)),
    today: (value) => isRecord(value) && (value.tests === undefined || areOf(value.tests, names)),
  };
  return Object.entries(costs).every(([name, part]) => Object.hasOwn(sound, name) && sound[name](part));
}

function isSoundTest(test, resources) {
  const sound = {
    price: isPrice,
    after: isPrice,
    needs: (needs) => areOf(needs, resources),
    group: isText,
    delayed: (value) => typeof value === "boolean",
  };
  return isRecord(test) && "price" in test && Object.entries(test).every(([name, value]) => Object.hasOwn(sound, name) && sound[name](value));
}
