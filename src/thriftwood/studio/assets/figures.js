// Figures of what was learnt: means of bills, the sentence, the bill by test.

// What cases cost on average, of those that were answered; tests and mistakes apart. An answer that is no class is neither right nor wrong.
function meanBill(unseen, table, matrix) {
  let [tests, mistakes, wrong, known] = [0, 0, 0, 0];
  for (let i = 0; i < unseen.answers.length; i += 1) { // row by row, and again where cases were dealt several times
    const [answer, label] = [unseen.answers[i], table.labels[i % table.labels.length]];
    if (answer < 0) continue;
    known += 1;
    tests += unseen.testCost[i];
    mistakes += matrix[label][answer];
    if (answer !== label && answer < table.classes.length) wrong += 1;
  }
  return { tests: tests / known, mistakes: mistakes / known, cost: (tests + mistakes) / known, wrong: wrong / known, known };
}

// As long as cases are judged: how far that is.
function judgingWords({ judging }) {
  if (!judging) return "";
  return judging.parts === 1 ? "being judged" : `being judged: ${judging.done} of ${judging.parts} folds`;
}

// What the figures of new cases are of, in the words of `thriftwood fit`.
function basisWords(parts, judged, table, costs) {
  if (parts > 1) return `By ${parts}-fold cross-validation.`;
  if (judged < table.labels.length) return `Of ${counted(judged, costs.case_name || "case", casesName(costs))} held out.`;
  return `Of the ${casesName(costs)} it learnt from, which are too few to judge by others: new ones cost more.`;
}

// The tests: how many of all cases buy each, the most asked first, and those that nobody buys.
function testsOfBill(bill, table) {
  const tests = table.columns.map((column, i) => ({ name: column.name, share: bill.bought[i] / table.labels.length, paid: bill.paid[i] / table.labels.length }));
  return {
    bought: tests.filter((one) => one.share > 0).sort((a, b) => b.share - a.share || b.paid - a.paid),
    others: tests.filter((one) => !(one.share > 0)),
  };
}

function money(value, costs) {
  return `${shown(value)}${costs.currency ? ` ${costs.currency}` : ""}`;
}

// In the order of the sentence: tests of as many cases in the order in which the tree asks them.
function inOrder(bought, drawn) {
  const first = new Map();
  drawn.forEach((node) => { if (!node.leaf && !(first.get(node.name) <= node.depth)) first.set(node.name, node.depth); });
  return [...bought].sort((a, b) => b.share - a.share || first.get(a.name) - first.get(b.name));
}

// What to order: what is free is not ordered, as in the report (report/sentence.py).
function adviceOf(bill, drawn, table, costs) {
  const bought = inOrder(testsOfBill(bill, table).bought, drawn);
  if (!bought.length) return "Test nobody: this learner finds no test that pays for itself.";
  const [first, ...others] = bought.filter((test) => listPrice(costs, test.name) > 0);
  if (!first) {
    const named = bought.slice(0, bought.length > 5 ? 4 : 5).map((test) => test.name);
    if (bought.length > 5) named.push(`${bought.length - 4} more columns`);
    const last = named.pop();
    return `Order no test: ${named.length ? `${named.join(", ")} and ${last}, which cost nothing, decide` : `${last}, which costs nothing, decides`}.`;
  }
  const whom = (test) => (test.share > 0.9995 ? "everybody" : `${percent(test.share)} of ${casesName(costs)}`);
  const listed = others.slice(0, 3).map((test) => `${test.name} for ${whom(test)}`);
  return `Order ${first.name} for ${whom(first)}${listed.length ? `, then ${listed.join(", ")}` : ""}${others.length > 3 ? ", and others for fewer" : ""}.`;
}

const ALIKE = 0.005; // a part of the cost that no sentence tells apart

// What a case costs beside something else: -1 less, 0 as much, 1 more, and the words.
function compared(cost, other, name, costs) {
  const more = cost - other;
  if (more === 0 || Math.abs(more) < ALIKE * Math.abs(other)) return { side: 0, words: `as much as ${name}` };
  const by = other > 0 ? percent(Math.abs(more) / other) : money(Math.abs(more), costs);
  return { side: Math.sign(more), words: `${by} ${more > 0 ? "more" : "less"} than ${name}` };
}

// What a new case costs, empty until it is known; what is cheaper comes first, in capitals, as in evaluation/verdicts.py.
function costSentence(costs, unseen, nobody, today, lead) {
  if (!unseen) return { words: "", dearer: false };
  const named = [["testing nobody", nobody], ["today's panel", today]].filter(([, other]) => Number.isFinite(other));
  const all = named.map(([name, other]) => ({ name, ...compared(unseen.cost, other, name, costs) }));
  const dearer = all.filter((one) => one.side > 0);
  const said = [...dearer, ...all.filter((one) => one.side <= 0)].map((one) => one.words);
  const cheaper = dearer.length ? `DEARER THAN ${dearer.map((one) => one.name).join(" AND ").toUpperCase()}: ` : "";
  return { words: `${cheaper}${[`${lead} ${money(unseen.cost, costs)}`, ...said].join(", ")}.`, dearer: dearer.length > 0 };
}

// What to order and what a new case costs then. `lead` begins the latter where a page has other models.
function sentenceOf(bill, drawn, table, costs, { unseen, nobody, today, lead = `A new ${costs.case_name || "case"} costs`, costFirst = false } = {}) {
  const advice = adviceOf(bill, drawn, table, costs);
  const { words, dearer } = costSentence(costs, unseen, nobody, today, lead);
  return (dearer || costFirst ? [words, advice] : [advice, words]).join(" ").trim();
}

// Those that have a price first: what is free can be read below.
function pricedFirst(tests, costs) {
  const free = ({ name }) => Number(listPrice(costs, name) === 0);
  return [...tests].sort((a, b) => free(a) - free(b));
}

// `looking`: the tests whose break-even price is being looked for.
function showBill(bill, table, costs, worths, looking) {
  const tests = testsOfBill(bill, table);
  const [bought, others] = [pricedFirst(tests.bought, costs), pricedFirst(tests.others, costs)];
  const most = Math.max(...bought.map((one) => one.paid), 1e-9);
  const rows = bought.map((one) => html("tr", {},
    html("th", { scope: "row" }, ...breakable(one.name)),
    html("td", { class: "num" }, percent(one.share)),
    html("td", { class: "num" }, priceWords(costs, one.name)),
    html("td", { class: "num" }, money(one.paid, costs)),
    html("td", {}, shape("svg", { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
      shape("rect", { width: (100 * one.paid) / most, height: 10 }))),
    html("td", { class: "num" }, worthPart(worths.get(one.name), looking.has(one.name), costs))));
  byId("bill-rows").replaceChildren(...rows);
  byId("other-rows").replaceChildren(...others.map((one) => html("tr", {},
    html("th", { scope: "row" }, ...breakable(one.name)),
    html("td", { class: "num" }, priceWords(costs, one.name)),
    html("td", { class: "num" }, worthPart(worths.get(one.name), looking.has(one.name), costs)))));
  byId("other-tests").hidden = !others.length;
  byId("other-count").textContent = others.length === 1 ? "1 test is bought by nobody" : `${others.length} tests are bought by nobody`;
  byId("bill-none").hidden = bought.length > 0;
}

// The price of the test alone, and what it needs besides.
function priceWords(costs, name) {
  const { price, needs } = testOf(costs, name);
  return `${money(price, costs)}${needs.map((need) => ` + ${need}`).join("")}`;
}

function worthPart(worth, looking, costs) {
  if (!worth) return looking ? html("span", { title: "being looked for" }, "…") : html("span", { title: "found by the button below" }, "–");
  if (worth.never) return "at no price";
  return worth.beyond ? `over ${money(worth.price, costs)}` : money(worth.price, costs);
}
