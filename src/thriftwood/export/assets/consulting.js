// The consultation: known values in the order in which they came, and the next question.

const known = new Map();
const at = (id) => document.getElementById(id);
const element = (name, attributes, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};
const money = (amount) => `${Number(amount.toPrecision(6))}${MODEL.currency ? ` ${MODEL.currency}` : ""}`;
const words = (value) => (value === null ? "cannot be had" : String(value));

function tell(name, value) {
  known.set(name, value);
  show();
}

// Whether a test is compared with a number below zero: the keys for decimals of some phones have no minus.
function mayBeNegative(number) {
  const trees = MODEL.members || (MODEL.nodes ? [MODEL] : []);
  const cutThere = (step) => step.questions.some(([test, cut]) => test === number && cut !== null && cut <= 0);
  const countedThere = (entry) => entry.test === number && entry.at !== null && entry.at[0] < 0;
  return trees.some((tree) => Object.values(tree.nodes).some(cutThere)) || (MODEL.stages || []).some((stage) => stage.counted.some(countedThere));
}

function choices(test) {
  const none = element("button", { type: "button" }, "cannot be had");
  none.addEventListener("click", () => tell(test.name, null));
  if (test.categories !== null) {
    const buttons = test.categories.map((value) => {
      const button = element("button", { type: "button" }, String(value));
      button.addEventListener("click", () => tell(test.name, value));
      return button;
    });
    return [...buttons, none];
  }
  const inputmode = mayBeNegative(MODEL.tests.indexOf(test)) ? "text" : "decimal";
  const field = element("input", { type: "text", autocomplete: "off", id: "value", "aria-label": `the result of ${test.name}`, inputmode });
  return [field, element("button", { type: "submit" }, "Go on"), none];
}

// What numbers were compared with on the way down one tree: test -> [above, at most]. Score cards and panels have no single way.
function boundsOnTheWay() {
  const bounds = new Map();
  const told = (test) => encoded(MODEL.tests[test], known.has(MODEL.tests[test].name) ? known.get(MODEL.tests[test].name) : null);
  let node = 0;
  while (MODEL.nodes && MODEL.nodes[node]) {
    const step = MODEL.nodes[node];
    const [test, cut] = step.questions[0];
    const value = told(test);
    if (cut !== null && cut !== EVERY_NUMBER && value !== null) {
      const [above, most] = bounds.get(test) || [-Infinity, Infinity];
      bounds.set(test, value > cut ? [Math.max(above, cut), most] : [above, Math.min(most, cut)]);
    }
    const branch = branchOf(step, told);
    if (branch < 0) break;
    node = step.children[branch];
  }
  return bounds;
}

// Of score cards: for which class points count in the stage that decided. Two classes share a score, which counts for the second.
function countedClass({ answer }, stage) {
  return stage.base.length > 1 ? MODEL.classes.indexOf(answer) : 0;
}

function pointsOfResult({ name, value }, decision) {
  const stage = MODEL.stages && MODEL.stages[decision.stage - 1];
  const place = stage ? countedClass(decision, stage) : -1;
  if (place < 0) return null;
  const test = MODEL.tests.findIndex((one) => one.name === name);
  const all = stage.counted.filter((entry) => entry.test === test).map((entry) => pointsOf(entry, encoded(MODEL.tests[test], value)));
  return all.reduce((sum, points) => sum + (points ? points[place] : 0), 0);
}

const signed = (points) => `${Math.round(points) > 0 ? "+" : ""}${Math.round(points) || 0}`;

// What points are for, and their sum.
function scoreWords(decision) {
  const stage = MODEL.stages && MODEL.stages[decision.stage - 1];
  const place = stage ? countedClass(decision, stage) : -1;
  if (place < 0) return "";
  const [other, own] = MODEL.classes;
  const whom = stage.base.length > 1 ? `for ${decision.answer}` : `for ${own} against ${other}`;
  return ` Points count ${whom}: with ${Math.round(stage.base[place])} to begin with they are ${Math.round(decision.scores[place])}.`;
}

function reason({ name, value }, bounds, points) {
  const counted = points === null ? "" : ` (${signed(points)} points)`;
  if (value === null) return `${name} is not to be had${counted}`;
  const [above, most] = bounds.get(MODEL.tests.findIndex((test) => test.name === name)) || [-Infinity, Infinity];
  const limits = [[above, "above"], [most, "at most"]].filter(([limit]) => Number.isFinite(limit)).map(([limit, side]) => `${side} ${cutText(limit, [value])}`);
  return `${name} is ${value}${limits.length ? ` (${limits.join(", ")})` : ""}${counted}`;
}

const listed = (parts) => (parts.length > 2 ? `${parts.slice(0, -1).join(", ")}, and ${parts[parts.length - 1]}` : parts.join(" and "));

// What was paid so far: first for what is known, then for what was ordered along. Of what was not bought it is null.
function soFar({ result, unasked }) {
  const paid = new Map(result.bought);
  const rows = [...known].map(([name, value]) => ({ name, value, paid: paid.get(name) ?? null }));
  return [...rows, ...unasked.map((name) => ({ name, ordered: true, paid: paid.get(name) ?? null }))];
}

// What the next test costs, with all that is ordered along.
function priceWords({ ask, along }, rows) {
  const numberOf = (name) => MODEL.tests.findIndex((test) => test.name === name);
  if (rows.some((row) => row.ordered && row.name === ask.name)) return "It was ordered before.";
  const basket = rows.filter((row) => row.paid !== null).map(({ name }) => numberOf(name));
  const price = [numberOf(ask.name), ...along].reduce((sum, number) => {
    const own = priceOf(number, basket);
    basket.push(number);
    return sum + own;
  }, 0);
  if (along.length) return `Ordered with ${listed(along.map((number) => MODEL.tests[number].name))}, for ${money(price)} in all.`;
  return price > 0 ? `It costs ${money(price)}.` : "It is free.";
}

// `started`: by the reader, and not by opening the page, which leaves the focus where it is.
function show(started = known.size > 0) {
  const step = nextStep(known);
  const rows = soFar(step);
  at("question").hidden = Boolean(step.decision);
  at("answer").hidden = !step.decision;
  at("wrong").hidden = true;
  at("so-far").replaceChildren(...rows.map((row) => element("tr", {}, element("th", { scope: "row" }, row.name), element("td", {}, row.ordered ? "ordered" : words(row.value)), element("td", { class: "num" }, money(row.paid ?? 0)))));
  at("bill").textContent = money(rows.reduce((sum, row) => sum + row.paid, 0));
  at("back").disabled = !known.size;
  if (step.decision) {
    const { answer, probabilities } = step.decision;
    at("says").textContent = String(answer);
    const sure = Object.entries(probabilities || {}).map(([name, share]) => `${name} ${Math.round(1000 * share) / 10}\u00a0%`);
    const likeliest = !MODEL.loss.length || Object.values(probabilities || {}).every((share) => share <= (probabilities[answer] ?? 0) + 1e-12);
    at("sure").textContent = (sure.length ? `Expected among ${MODEL.many} like this one: ${sure.join(", ")}.` : "")
      + (sure.length && !likeliest ? " What mistakes cost makes this the cheapest answer, though not the likeliest." : "");
    if (started) at("answer").focus();
    const bounds = boundsOnTheWay();
    const told = rows.filter((row) => !row.ordered);
    at("why").textContent = told.length ? `Because ${listed(told.map((row) => reason(row, bounds, pointsOfResult(row, step.decision))))}.${scoreWords(step.decision)}` : "It is the same for everybody.";
  } else {
    at("asked").textContent = `${step.ask.name}?`;
    at("price").textContent = priceWords(step, rows);
    at("choices").replaceChildren(...choices(step.ask));
    at("why").textContent = known.size ? `The results so far lead to ${step.ask.name}.` : `${step.ask.name} is asked of everybody first.`;
    const first = at("choices").querySelector("input, button");
    if (started) first.focus();
  }
}

at("question").addEventListener("submit", (event) => {
  event.preventDefault();
  const step = nextStep(known);
  const field = at("value");
  if (!step.ask || !field) return;
  const value = typedNumber(field.value);
  if (value === null) {
    at("wrong").textContent = numberWanted(field.value);
    at("wrong").hidden = false;
    field.focus();
    return;
  }
  tell(step.ask.name, value);
});
at("back").addEventListener("click", () => { known.delete([...known.keys()].pop()); show(true); });
at("again").addEventListener("click", () => { known.clear(); show(true); });
at("print").addEventListener("click", () => window.print());
show();
