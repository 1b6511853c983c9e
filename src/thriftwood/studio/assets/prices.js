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
    this.opened = new Set(); // tests of which more is shown
  }

  // A slider and a number of one amount; `set(amount, passing)` says what a change means.
  amount(key, label, value, most, set) {
    const id = `amount-${this.fields.size}`;
    const slider = html("input", { type: "range", min: 0, max: STEPS, step: 1, id: `${id}-slider`, "aria-label": `${label}, slider` });
    const number = numberField({ id });
    const field = { slider, number, most, prices: new Map() }; // prices of steps that the field had: a slider that comes back is where it was
    this.fields.set(key, field);
    this.onMove(field, set);
    this.onPrice(number, label, set);
    this.put(key, value);
    return html("div", { class: "amount" }, html("label", { for: id }, label), slider, number);
  }

  // Where a slider comes to rest on the step that it set out from, browsers tell no change: it rests, too, when pointer or key are let go.
  onMove(field, set) {
    const { slider, number, most, prices } = field;
    const price = () => prices.get(slider.value) ?? sliderPrice(Number(slider.value), most);
    let moving = false;
    const rest = () => {
      if (!moving) return;
      moving = false;
      set(price(), false);
    };
    slider.addEventListener("input", () => {
      moving = true;
      document.addEventListener("pointerup", rest, { once: true }); // the pointer may be let go beside the slider
      number.value = price();
      slider.setAttribute("aria-valuetext", shown(price()));
      set(price(), true);
    });
    for (const end of ["change", "keyup", "blur"]) slider.addEventListener(end, rest);
  }

  // A field that was changed to what is no price says so, and is as before. `kind`: what it wants, and `isTaken`, whether a number is that.
  onPrice(field, label, set, kind = "price", isTaken = isPrice) {
    field.addEventListener("change", () => {
      const price = typedNumber(field.value);
      if (isTaken(price)) { set(price, false); return; }
      const wanted = price === null ? numberWanted(field.value) : "It must be 0 or more.";
      const words = `${label}: ${field.value.trim() || "nothing"} is no ${kind}. ${wanted}`;
      this.show(this.studio.state.now);
      this.refuse(field, words);
    });
  }

  // The field is marked until the prices are shown again.
  refuse(field, words) {
    field.setAttribute("aria-invalid", "true");
    this.refused = field;
    this.studio.problem(words);
  }

  forgive() {
    if (this.refused) this.refused.removeAttribute("aria-invalid");
  }

  put(key, value) {
    const field = this.fields.get(key);
    if (!field) return;
    field.slider.value = sliderStep(value, field.most);
    field.prices.set(field.slider.value, value);
    field.slider.setAttribute("aria-valuetext", shown(value));
    field.number.value = value;
  }

  // Once for a table; afterwards `show` changes what changed.
  build(table, scenario) {
    this.fields.clear();
    const { costs } = scenario;
    this.built = structureOf(costs);
    const { activeElement } = document;
    const among = byId("shared").contains(activeElement);
    const focused = activeElement && activeElement.id;
    const names = table.columns.map((column) => column.name);
    const listed = names.map((name) => listPrice(costs, name));
    const dearest = Math.max(1, ...errorMatrix(costs, table.classes).flat());
    const most = Math.max(10, 4 * Math.max(...listed), dearest / 4);
    byId("prices").replaceChildren(...names.map((name) => this.test(name, costs, most)));
    const shared = Object.keys(costs.shared || {});
    byId("shared").replaceChildren(...shared.map((name) => this.shared(name, costs.shared[name], most)), this.newShared(shared));
    this.buildMistakes(table, costs);
    byId("today-tests").replaceChildren(...names.map((name) => this.todayBox(name)));
    this.show(scenario);
    const next = byId(focused) || (among && byId("add-shared")); // what had the focus may be gone
    if (next) next.focus();
  }

  shared(name, price, most) {
    const row = this.amount(`shared ${name}`, name, price, most,
      (amount, passing) => this.studio.change((now) => withSharedPrice(now, name, amount), passing));
    const remove = html("button", { type: "button", "aria-label": `remove ${name}` }, "Remove");
    remove.addEventListener("click", () => this.studio.change((now) => withoutShared(now, name)));
    row.append(html("div", { class: "more" }, remove));
    return row;
  }

  newShared(taken) {
    const name = html("input", { id: "new-shared", type: "text", "aria-label": "the name of another thing that tests share", placeholder: "such as blood draw" });
    const add = html("button", { type: "button", id: "add-shared" }, "Add");
    add.addEventListener("click", () => {
      const wanted = name.value.trim();
      if (taken.includes(wanted)) this.studio.problem(`${wanted} is there already: its price is above.`);
      else if (wanted) this.studio.change((now) => ({ ...now, shared: { ...now.shared, [wanted]: 1 } }));
    });
    name.addEventListener("keydown", (event) => { if (event.key === "Enter") add.click(); });
    return html("div", { class: "tools new" }, name, add);
  }

  test(name, costs, most) {
    const row = this.amount(`test ${name}`, name, testOf(costs, name).price, most,
      (price, passing) => this.studio.change((now) => withPrice(now, name, price), passing));
    row.append(this.more(name, costs));
    return row;
  }

  // What else there is to say of a test: whether its result comes late, its group, what it shares with others. The fields stay where they are
  // whatever is said: one that was left may be followed by another that has the focus already.
  more(name, costs) {
    const id = `more-${this.fields.size}`;
    const change = (changes) => this.studio.change((now) => withTest(now, name, changes));
    const late = html("input", { type: "checkbox", id: `${id}-late` });
    late.addEventListener("change", () => change({ delayed: late.checked }));
    const group = html("input", { type: "text", id: `${id}-group` });
    group.addEventListener("change", () => change(group.value.trim() ? { group: group.value.trim() } : { group: undefined, after: undefined }));
    const after = numberField({ id: `${id}-after` });
    after.addEventListener("change", (event) => {
      if (after.value.trim()) return;
      event.stopImmediatePropagation(); // nothing: it costs as much as before
      change({ after: undefined });
    });
    this.onPrice(after, `${name} after another of its group`, (price) => change({ after: price }));
    const groupPart = html("label", {}, "group ", group);
    const afterPart = html("label", {}, "after another of its group it costs ", after);
    const needs = new Map(Object.keys(costs.shared || {}).map((need) => {
      const box = html("input", { type: "checkbox", id: `${id}-needs-${need}` });
      box.addEventListener("change", () => this.studio.change((now) => {
        const others = testOf(now, name).needs.filter((one) => one !== need);
        return withTest(now, name, { needs: box.checked ? [...others, need] : others });
      }));
      return [need, box];
    }));
    const words = html("span");
    this.fields.set(`more ${name}`, { words, late, group, groupPart, after, afterPart, needs });
    const details = html("details", { class: "more" }, html("summary", {}, words, html("span", { class: "hidden" }, ` of ${name}`)),
      html("label", {}, late, " the result comes late"), groupPart,
      ...Array.from(needs, ([need, box]) => html("label", {}, box, ` needs ${need}`)));
    details.open = this.opened.has(name);
    details.addEventListener("toggle", () => this.opened[details.open ? "add" : "delete"](name));
    return details;
  }

  showMore(test, { words, late, group, groupPart, after, afterPart, needs }) {
    words.textContent = moreWords(test);
    late.checked = Boolean(test.delayed);
    group.value = test.group ?? "";
    after.value = test.after ?? "";
    if (test.group === undefined) afterPart.remove();
    else if (!afterPart.isConnected) groupPart.after(afterPart);
    for (const [need, box] of needs) box.checked = test.needs.includes(need);
  }

  buildMistakes(table, costs) {
    const answers = [...table.classes, ...furtherAnswers(costs)];
    const head = html("tr", {}, html("th", { scope: "col" }, "truth"), ...answers.map((one) => html("th", { scope: "col" }, `said ${one}`)));
    const rows = table.classes.map((actual, i) => html("tr", {}, html("th", { scope: "row" }, actual),
      ...answers.map((answer, j) => (i === j ? this.right(i) : html("td", {}, this.mistake(i, j, actual, answer))))));
    byId("mistakes").replaceChildren(html("thead", {}, head), html("tbody", {}, ...rows));
  }

  // What a right answer costs can be read alone: nothing, as a rule.
  right(i) {
    const cell = html("td");
    this.fields.set(`mistake ${i} ${i}`, { show: (cost) => { cell.textContent = cost; } });
    return cell;
  }

  // By their numbers: names of two classes may make the same text as those of two others.
  mistake(i, j, actual, answer) {
    const { classes } = this.studio.table;
    const further = j >= classes.length;
    const isTaken = further ? isPrice : Number.isFinite; // a mistake may be a benefit, as in price lists of files
    const label = `what it costs to say ${answer} when the truth is ${actual}`;
    const field = numberField({ "aria-label": label });
    this.onPrice(field, label, (cost) => this.studio.change((now) => withMistake(now, classes, actual, answer, cost, further)), "cost", isTaken);
    this.fields.set(`mistake ${i} ${j}`, { show: (cost) => { field.value = cost; } });
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

  show(scenario) {
    this.forgive();
    const { table } = this.studio;
    const { costs } = scenario;
    if (this.built !== structureOf(costs)) { this.build(table, scenario); return; }
    for (const { name } of table.columns) {
      const test = testOf(costs, name);
      this.put(`test ${name}`, test.price);
      this.showMore(test, this.fields.get(`more ${name}`));
      this.fields.get(`today ${name}`).box.checked = ((costs.today || {}).tests || []).includes(name);
    }
    for (const [name, price] of Object.entries(costs.shared || {})) this.put(`shared ${name}`, price);
    errorMatrix(costs, table.classes).forEach((row, i) => row.forEach((cost, j) => {
      this.fields.get(`mistake ${i} ${j}`).show(cost);
    }));
    byId("payment").value = costs.payment || "sequential";
  }
}

// Which fields there are: they are made anew when this changes.
function structureOf(costs) {
  return JSON.stringify([Object.keys(costs.shared || {}), furtherAnswers(costs)]);
}

function moreWords(test) {
  const words = [];
  if (test.delayed) words.push("comes late");
  if (test.needs.length) words.push(`needs ${test.needs.join(", ")}`);
  if (test.group !== undefined) words.push(test.after === undefined ? `group ${test.group}` : `${shown(test.after)} after another of ${test.group}`);
  return words.join(" · ") || "late, group, shared";
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
