// Figures of what was learnt: means of bills, the sentence, the bill by test.

// What cases cost on average, of those that were answered; tests and mistakes apart.
function meanBill(unseen, table, matrix) {
  let [tests, mistakes, wrong, known] = [0, 0, 0, 0];
  for (let i = 0; i < unseen.answers.length; i += 1) { // row by row, and again where cases were dealt several times
    const [answer, label] = [unseen.answers[i], table.labels[i % table.labels.length]];
    if (answer < 0) continue;
    known += 1;
    tests += unseen.testCost[i];
    mistakes += matrix[label][answer];
    wrong += answer === label ? 0 : 1;
  }
  return { tests: tests / known, mistakes: mistakes / known, cost: (tests + mistakes) / known, wrong: wrong / known, known };
}

// The best single answer for all; of many cases the difference by folds is nothing.
function nobodyCost(table, matrix) {
  const counts = table.classes.map(() => 0);
  table.labels.forEach((label) => { counts[label] += 1; });
  const costs = matrix[0].map((_, answer) => counts.reduce((sum, count, actual) => sum + count * matrix[actual][answer], 0));
  return Math.min(...costs) / table.labels.length;
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

// What to order, and what a new case costs then: the latter is empty until it is known. `lead` begins it where a page has other models.
function sentencesOf(bill, drawn, table, costs, unseen, nobody, lead = `A new ${costs.case_name || "case"} costs`) {
  const bought = inOrder(testsOfBill(bill, table).bought, drawn);
  const many = casesName(costs);
  let advice = "Test nobody: no test pays for itself.";
  if (bought.length) {
    const [first, ...others] = bought;
    const whom = (test) => (test.share > 0.9995 ? "everybody" : `${percent(test.share)} of ${many}`);
    const listed = others.slice(0, 3).map((test) => `${test.name} for ${whom(test)}`);
    advice = `Order ${first.name} for ${whom(first)}${listed.length ? `, then ${listed.join(", ")}` : ""}${others.length > 3 ? ", and others for fewer" : ""}.`;
  }
  if (!unseen) return [advice, ""];
  const saved = nobody > 0 ? (nobody - unseen.cost) / nobody : 0;
  const against = Math.abs(saved) < 0.005 ? "as much as testing nobody" : `${percent(Math.abs(saved))} ${saved > 0 ? "less" : "more"} than testing nobody`;
  return [advice, `${lead} ${money(unseen.cost, costs)}, ${against}.`];
}

function showBill(bill, table, costs, worths) {
  const { bought, others } = testsOfBill(bill, table);
  const most = Math.max(...bought.map((one) => one.paid), 1e-9);
  const rows = bought.map((one) => html("tr", {},
    html("th", { scope: "row" }, one.name),
    html("td", { class: "num" }, percent(one.share)),
    html("td", { class: "num" }, priceWords(costs, one.name)),
    html("td", { class: "num" }, money(one.paid, costs)),
    html("td", {}, shape("svg", { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
      shape("rect", { width: (100 * one.paid) / most, height: 10 }))),
    html("td", { class: "num" }, worthText(worths.get(one.name), costs))));
  byId("bill-rows").replaceChildren(...rows);
  byId("other-rows").replaceChildren(...others.map((one) => html("tr", {},
    html("th", { scope: "row" }, one.name),
    html("td", { class: "num" }, priceWords(costs, one.name)),
    html("td", { class: "num" }, worthText(worths.get(one.name), costs)))));
  byId("other-tests").hidden = !others.length;
  byId("other-count").textContent = others.length === 1 ? "1 test is bought by nobody" : `${others.length} tests are bought by nobody`;
  byId("bill-none").hidden = bought.length > 0;
}

// The price of the test alone, and what it needs besides.
function priceWords(costs, name) {
  const { price, needs } = testOf(costs, name);
  return `${money(price, costs)}${needs.map((need) => ` + ${need}`).join("")}`;
}

function worthText(worth, costs) {
  if (!worth) return "";
  if (worth.never) return "at no price";
  return worth.beyond ? `over ${money(worth.price, costs)}` : money(worth.price, costs);
}
