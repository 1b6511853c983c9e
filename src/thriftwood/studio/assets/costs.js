// The price list: the content of a cost file as the library has it (Costs.to_dict), what the core wants of it, and its TOML.

const SETTING_NAMES = ["currency", "case_name", "payment", "charge_missing", "errors_default", "default_price"];
const PART_NAMES = ["tests", "shared", "errors", "answers", "today"];

// The same content with its keys in the order of files, and empty parts left out.
function orderedCosts(costs) {
  const ordered = {};
  for (const name of SETTING_NAMES) if (costs[name] !== undefined) ordered[name] = costs[name];
  for (const name of PART_NAMES) {
    const part = costs[name];
    if (part !== undefined && Object.keys(part).length) ordered[name] = name === "tests" ? orderedTests(part) : part;
  }
  return ordered;
}

function orderedTests(tests) {
  return Object.fromEntries(Object.entries(tests).map(([name, test]) => [name, plainTest(test)]));
}

function plainTest(test) {
  if (typeof test === "number") return test;
  const entry = { price: test.price };
  if (test.needs && test.needs.length) entry.needs = test.needs;
  if (test.delayed) entry.delayed = true;
  if (test.group !== undefined) entry.group = test.group;
  if (test.after !== undefined) entry.after = Math.min(test.after, test.price);
  return Object.keys(entry).length === 1 ? entry.price : entry;
}

// A column or a class may be called "constructor", which every object has.
function own(record, name) {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

function ownTest(costs, name) {
  return own(costs.tests, name);
}

function testOf(costs, name) {
  const test = ownTest(costs, name);
  if (test === undefined) return { price: typeof costs.default_price === "number" ? costs.default_price : 0, needs: [] };
  if (typeof test === "number") return { price: test, needs: [] };
  // Nothing costs more after another: where a price was moved below, both are the same.
  return { needs: [], ...test, ...(test.after === undefined ? {} : { after: Math.min(test.after, test.price) }) };
}

function furtherAnswers(costs) {
  return Object.keys(costs.answers || {});
}

// What is paid besides tests, as in the report: an answer that is no class has its price, but is no mistake.
function answersWord(costs) {
  return furtherAnswers(costs).length ? "answers" : "mistakes";
}

function namesErrors(costs) {
  return costs.errors !== undefined || costs.errors_default !== undefined || furtherAnswers(costs).length > 0;
}

// What the list says that answering class j costs when the truth is class i; undefined where it does not.
function namedError(costs, classes, i, j) {
  const { errors } = costs;
  const named = Array.isArray(errors) ? errors[i][j] : own(own(errors, classes[i]), classes[j]);
  return named === undefined && i !== j ? costs.errors_default : named;
}

// What answers cost, a row for each class: the classes, then further answers.
function errorMatrix(costs, classes) {
  return classes.map((actual, i) => {
    const row = classes.map((_, j) => namedError(costs, classes, i, j) ?? Number(i !== j));
    for (const name of furtherAnswers(costs)) {
      const cost = costs.answers[name];
      row.push(typeof cost === "number" ? cost : cost[actual]);
    }
    return row;
  });
}

// The tests that everybody gets today, where what is answered then is to be learnt from them.
function panelOf({ today = {} }) {
  return today.answers === undefined ? today.tests : undefined;
}

// As wasm/wire.hpp reads it.
function priceNumbers(costs, names) {
  const resources = Object.keys(costs.shared || {});
  const groups = [];
  const numbers = [costs.payment === "upfront" ? 1 : 0, costs.charge_missing === false ? 0 : 1, resources.length];
  for (const name of resources) numbers.push(costs.shared[name]);
  for (const name of names) {
    const test = testOf(costs, name);
    if (test.group !== undefined && !groups.includes(test.group)) groups.push(test.group);
    numbers.push(test.price, test.group === undefined ? -1 : groups.indexOf(test.group));
    numbers.push(test.after === undefined ? NaN : test.after, test.delayed ? 1 : 0, test.needs.length);
    for (const need of test.needs) numbers.push(resources.indexOf(need));
  }
  return numbers;
}

// What a test costs when nothing was bought before.
function listPrice(costs, name) {
  const test = testOf(costs, name);
  return test.price + test.needs.reduce((sum, need) => sum + (costs.shared || {})[need], 0);
}

function tomlString(text) {
  const short = { "\\": "\\\\", "\"": "\\\"", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r" };
  const escaped = [...text].map((one) => {
    if (short[one]) return short[one];
    return one < " " || one === "\u007f" ? `\\u${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}` : one;
  });
  return `"${escaped.join("")}"`;
}

const tomlKey = (name) => (/^[A-Za-z0-9_-]+$/.test(name) ? name : tomlString(name));

function tomlValue(value) {
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number") return priceText(value);
  if (typeof value === "string") return tomlString(value);
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(", ")}]`;
  return `{${Object.entries(value).map(([name, entry]) => `${tomlKey(name)} = ${tomlValue(entry)}`).join(", ")}}`;
}

function tomlText(costs) {
  const ordered = orderedCosts(costs);
  const isTable = (value) => typeof value === "object" && !Array.isArray(value);
  const lines = (entries) => Object.entries(entries).map(([name, value]) => `${tomlKey(name)} = ${tomlValue(value)}\n`).join("");
  const sections = [lines(Object.fromEntries(Object.entries(ordered).filter(([, value]) => !isTable(value))))];
  for (const [name, table] of Object.entries(ordered)) {
    if (!isTable(table)) continue;
    if (name === "errors") for (const [actual, row] of Object.entries(table)) sections.push(`[errors.${tomlKey(actual)}]\n${lines(row)}`);
    else sections.push(`[${tomlKey(name)}]\n${lines(table)}`);
  }
  return sections.filter((section) => section).join("\n");
}

// Some facts of a test changed; undefined takes one away. What it costs after another stays as it was written.
function withTest(costs, name, changes) {
  const old = ownTest(costs, name);
  const test = { ...(typeof old === "object" ? old : { price: testOf(costs, name).price }), ...changes };
  const kept = Object.fromEntries(Object.entries(test).filter(([, value]) => value !== undefined && value !== false && !(Array.isArray(value) && !value.length)));
  return { ...costs, tests: { ...costs.tests, [name]: Object.keys(kept).length === 1 ? kept.price : kept } };
}

// Whether a price list says the same as another.
function sameCosts(one, other) {
  return one === other || JSON.stringify(orderedCosts(one)) === JSON.stringify(orderedCosts(other));
}

// The same costs where the price is as before.
function withPrice(costs, name, price) {
  return testOf(costs, name).price === price ? costs : withTest(costs, name, { price });
}

function withSharedPrice(costs, name, price) {
  return costs.shared[name] === price ? costs : { ...costs, shared: { ...costs.shared, [name]: price } };
}

// Without a shared resource, whoever needed it.
function withoutShared(costs, name) {
  const { [name]: dropped, ...shared } = costs.shared;
  const users = Object.keys(costs.tests || {}).filter((test) => testOf(costs, test).needs.includes(name));
  return users.reduce((now, test) => withTest(now, test, { needs: testOf(now, test).needs.filter((need) => need !== name) }), { ...costs, shared });
}

// What tests still cost once others were bought: core/costs.hpp has the rules.
function effectivePrice(costs, name, paid) {
  if (paid.includes(name)) return 0;
  const test = testOf(costs, name);
  if (test.group === undefined && !test.needs.length) return test.price; // most tests: a tree of hundreds of nodes asks often
  const others = paid.map((one) => testOf(costs, one));
  const opened = test.group !== undefined && others.some((one) => one.group === test.group);
  const own = opened && test.after !== undefined ? test.after : test.price;
  return test.needs.reduce((sum, need) => sum + (others.some((one) => one.needs.includes(need)) ? 0 : costs.shared[need]), own);
}

// What tests cost together, bought in this order.
function totalPrice(costs, names) {
  return names.reduce((sum, name, i) => sum + effectivePrice(costs, name, names.slice(0, i)), 0);
}

function aCase(costs) {
  const noun = costs.case_name || "case";
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}

// As costs/today.py has them.
const IRREGULAR = [["child", "children"], ["person", "people"], ["woman", "women"], ["man", "men"], ["mouse", "mice"], ["foot", "feet"], ["calf", "calves"],
  ["sheep", "sheep"], ["fish", "fish"]];

function casesName(costs) {
  const noun = costs.case_name || "case";
  for (const [one, many] of IRREGULAR) if (noun === one || noun.endsWith(` ${one}`)) return noun.slice(0, -one.length) + many;
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}
