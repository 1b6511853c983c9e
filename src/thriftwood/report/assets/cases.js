// The list of cases, and the journey of the one that is chosen.

const list = byId("case");

function caseWords(one) {
  const said = one.actual === null ? one.answer : one.wrong === false ? one.answer : `${one.actual}, answered ${one.answer}`;
  return `${one.label} · ${said} · ${one.cost}`;
}

function fillList() {
  const wanted = byId("find").value.trim().toLowerCase();
  const onlyMistakes = byId("mistakes").checked;
  const shown = data.cases.map((one, place) => [one, place, caseWords(one)])
    .filter(([one, , words]) => (!onlyMistakes || one.wrong) && words.toLowerCase().includes(wanted));
  list.replaceChildren(...shown.map(([, place, words]) => html("option", { value: place }, words)));
  if (!shown.length) list.append(html("option", { disabled: "" }, `no such ${data.one}`));
}

function showCase(one) {
  const on = one ? new Map(one.steps.filter((step) => step.node !== null).map((step) => [step.node, step.share])) : null;
  showPath(on);
  byId("no-case").hidden = !one;
  byId("journey").replaceChildren(...(one ? journeyOf(one) : []));
}

function journeyOf(one) {
  const several = one.steps.some((step) => step.share < 1);
  const rows = one.steps.filter((step) => step.test !== null || step.bought.length).map((step) => stepRow(step, several));
  const head = html("thead", {}, html("tr", {}, ...["test", "value", "price", "bill"].map((name) =>
    html("th", { scope: "col" }, name))));
  const parts = [html("p", {}, "Answer: ", html("strong", {}, one.answer), one.actual === null ? "" :
    one.wrong === false ? ", which is right" : `, the truth is ${one.actual}`)];
  if (rows.length) parts.push(html("table", {}, head, html("tbody", {}, ...rows)));
  else parts.push(html("p", {}, "No test was needed."));
  parts.push(facts([["tests", one.tests], [one.wrong ? "mistake" : "answer", one.error], ["together", one.error === null ? null : one.cost]]));
  if (several) {
    parts.push(html("p", { class: "note" }, `A missing value spreads the ${data.one} over several branches; the mean of their bills is paid, by share.`));
  }
  return parts;
}

function stepRow(step, several) {
  const price = step.bought.length ? step.bought.map(([, cost]) => cost).join(" + ") : "–";
  const others = step.bought.map(([name]) => name).filter((name) => name !== step.test);
  const name = html("th", { scope: "row" }, step.test ?? "");
  if (others.length) name.append(html("small", {}, `with ${others.join(", ")}`));
  if (several) name.append(html("small", {}, `${(100 * step.share).toPrecision(3)} % of the ${data.one}`));
  return html("tr", {}, name, html("td", {}, step.value ?? ""), html("td", {}, price), html("td", {}, step.bill));
}

function startCases() {
  fillList();
  byId("find").addEventListener("input", fillList);
  byId("mistakes").addEventListener("change", fillList);
  list.addEventListener("change", () => {
    const one = data.cases[Number(list.value)];
    if (one) showCase(one);
  });
  byId("no-case").addEventListener("click", () => {
    list.value = "";
    showCase(null);
  });
  if (!data.cases.some((one) => one.wrong)) byId("mistakes").parentElement.hidden = true;
}
