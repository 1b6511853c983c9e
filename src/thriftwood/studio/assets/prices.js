// The left side: every price as a slider and a number, what tests share, what mistakes cost, what is done today.

const STEPS = 200;
const DECADES = 4;

// Sliders move by ratio, and begin at 0: half way is a hundredth of the most.
const sliderPrice = (step, most) => (step <= 0 ? 0 : Number((most * 10 ** (DECADES * (step / STEPS - 1))).toPrecision(3)));
const sliderStep = (price, most) => (price <= 0 ? 0 : clamp(STEPS * (1 + Math.log10(price / most) / DECADES), 1, STEPS));

class Prices {
  constructor(studio) {
    this.studio = studio;
    this.fields = new Map();
  }

  // A slider and a number of one amount; `set(amount, passing)` says what a change means.
  amount(key, label, value, most, set) {
    const id = `amount-${this.fields.size}`;
    const slider = html("input", { type: "range", min: 0, max: STEPS, step: 1, id: `${id}-slider`, "aria-label": `${label}, slider` });
    const number = html("input", { type: "number", min: 0, step: "any", id, inputmode: "decimal" });
    slider.addEventListener("input", () => { const price = sliderPrice(Number(slider.value), most); number.value = price; set(price, true); });
    slider.addEventListener("change", () => set(sliderPrice(Number(slider.value), most), false));
    number.addEventListener("change", () => {
      const price = number.value === "" ? NaN : Number(number.value);
      if (isPrice(price)) set(price, false); else this.show(this.studio.state.now);
    });
    this.fields.set(key, { slider, number, most });
    this.put(key, value);
    return html("div", { class: "amount" }, html("label", { for: id }, label), slider, number);
  }

  put(key, value) {
    const field = this.fields.get(key);
    if (!field) return;
    field.slider.value = sliderStep(value, field.most);
    if (document.activeElement !== field.number || Number(field.number.value) !== value) field.number.value = value;
  }

  // Once for a table; afterwards `show` changes what changed.
  build(table, scenario) {
    this.fields.clear();
    const { costs } = scenario;
    const names = table.columns.map((column) => column.name);
    const listed = names.map((name) => listPrice(costs, name));
    const dearest = Math.max(1, ...errorMatrix(costs, table.classes).flat());
    const most = Math.max(10, 4 * Math.max(...listed), dearest / 4);
    byId("prices").replaceChildren(...names.map((name) => this.test(name, costs, most)));
    const shared = Object.keys(costs.shared || {});
    byId("shared-part").hidden = shared.length === 0;
    byId("shared").replaceChildren(...shared.map((name) => this.amount(`shared ${name}`, name, costs.shared[name], most,
      (price, passing) => this.studio.change((now) => ({ ...now, shared: { ...now.shared, [name]: price } }), passing))));
    this.buildMistakes(table, costs);
    byId("today-tests").replaceChildren(...names.map((name) => this.todayBox(name)));
    this.show(scenario);
  }

  test(name, costs, most) {
    const row = this.amount(`test ${name}`, name, testOf(costs, name).price, most,
      (price, passing) => this.studio.change((now) => withPrice(now, name, price), passing));
    const test = testOf(costs, name);
    const late = html("input", { type: "checkbox", "aria-label": `the result of ${name} comes late` });
    late.checked = Boolean(test.delayed);
    late.addEventListener("change", () => this.studio.change((now) => ({
      ...now, tests: { ...now.tests, [name]: plainTest({ ...testOf(now, name), delayed: late.checked }) },
    })));
    this.fields.set(`late ${name}`, { late });
    const notes = [];
    if (test.needs.length) notes.push(`needs ${test.needs.join(", ")}`);
    if (test.group !== undefined) notes.push(`${test.after === undefined ? "" : `${shown(test.after)} after another of `}${test.group}`);
    row.append(html("div", { class: "more" }, html("label", {}, late, " comes late"), notes.length ? html("span", {}, notes.join(" · ")) : ""));
    return row;
  }

  buildMistakes(table, costs) {
    const answers = [...table.classes, ...furtherAnswers(costs)];
    const head = html("tr", {}, html("th", { scope: "col" }, "truth"), ...answers.map((one) => html("th", { scope: "col" }, `said ${one}`)));
    const rows = table.classes.map((actual, i) => html("tr", {}, html("th", { scope: "row" }, actual),
      ...answers.map((answer, j) => html("td", {}, i === j ? "0" : this.mistake(actual, answer, j >= table.classes.length)))));
    byId("mistakes").replaceChildren(html("thead", {}, head), html("tbody", {}, ...rows));
  }

  mistake(actual, answer, further) {
    const field = html("input", { type: "number", min: 0, step: "any", "aria-label": `what it costs to say ${answer} when the truth is ${actual}` });
    field.addEventListener("change", () => {
      const cost = field.value === "" ? NaN : Number(field.value);
      if (!isPrice(cost)) { this.show(this.studio.state.now); return; }
      this.studio.change((now) => withMistake(now, this.studio.table.classes, actual, answer, cost, further));
    });
    this.fields.set(`mistake ${actual} ${answer}`, { mistake: field });
    return field;
  }

  todayBox(name) {
    const box = html("input", { type: "checkbox" });
    box.addEventListener("change", () => {
      this.studio.change((now) => {
        const panel = ((now.today || {}).tests || []).filter((one) => one !== name);
        if (box.checked) panel.push(name);
        const { today, ...others } = now;
        return panel.length ? { ...others, today: { tests: panel } } : others;
      });
    });
    this.fields.set(`today ${name}`, { box });
    return html("label", {}, box, ` ${name}`);
  }

  show({ costs }) {
    const { table } = this.studio;
    for (const { name } of table.columns) {
      const test = testOf(costs, name);
      this.put(`test ${name}`, test.price);
      this.fields.get(`late ${name}`).late.checked = Boolean(test.delayed);
      this.fields.get(`today ${name}`).box.checked = ((costs.today || {}).tests || []).includes(name);
    }
    for (const [name, price] of Object.entries(costs.shared || {})) this.put(`shared ${name}`, price);
    const answers = [...table.classes, ...furtherAnswers(costs)];
    errorMatrix(costs, table.classes).forEach((row, i) => row.forEach((cost, j) => {
      const field = this.fields.get(`mistake ${table.classes[i]} ${answers[j]}`);
      if (field && field.mistake) field.mistake.value = cost;
    }));
    byId("payment").value = costs.payment || "sequential";
  }
}

// Every mistake is named once one is changed.
function withMistake(costs, classes, actual, answer, cost, further) {
  if (further) {
    const old = costs.answers[answer];
    const each = typeof old === "number" ? Object.fromEntries(classes.map((one) => [one, old])) : old;
    return { ...costs, answers: { ...costs.answers, [answer]: { ...each, [actual]: cost } } };
  }
  const matrix = errorMatrix(costs, classes);
  const errors = Object.fromEntries(classes.map((one, i) => [one,
    Object.fromEntries(classes.flatMap((other, j) => (i === j && !matrix[i][j] ? [] : [[other, matrix[i][j]]])))]));
  errors[actual][answer] = cost;
  const { errors_default: dropped, ...others } = costs;
  return { ...others, errors };
}
