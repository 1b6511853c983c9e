// The page: it asks the worker for every scenario, and shows what comes.

const data = JSON.parse(byId("data").textContent);
const PARTS = 5;
const LEARNT = 24; // trees, at most, until a break-even price is found: worker.js
const PATIENCE = 20000; // milliseconds that break-even prices may take unasked; the button finds all

class Studio {
  constructor() {
    this.learners = data.learners;
    this.table = null;
    this.found = null;
    this.worths = new Map();
    this.job = 0;
    this.prices = new Prices(this);
    this.walk = new Walk(this);
  }

  learner(scenario) {
    return this.learners.find((one) => one.name === scenario.learner) || this.learners[0];
  }

  settings(scenario) {
    const learner = this.learner(scenario);
    const lines = this.table.labels.length > data.exact_rows ? learner.settings_of_many : learner.settings;
    return learner.weight === null ? lines : `${lines}parameter.${learner.weight}=${scenario.weight}\n`;
  }

  async start() {
    const bytes = Uint8Array.from(atob(byId("core").textContent), (one) => one.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    this.binary = await new Response(stream).arrayBuffer();
    this.worker = this.startedWorker((told) => { if (told.kind === "ready") this.ready(); else this.hear(told); });
  }

  startedWorker(hear) {
    const worker = new Worker(URL.createObjectURL(new Blob([byId("worker").textContent], { type: "text/javascript" })));
    worker.onmessage = ({ data: told }) => hear(told);
    worker.onerror = () => this.problem("The learner could not be started in this browser.");
    worker.postMessage({ kind: "start", job: 0, binary: this.binary });
    return worker;
  }

  // What is compared with the tree that is shown is learnt by a second worker: the first is free for the next price.
  compare(question) {
    this.second ??= this.startedWorker((told) => { if (told.kind !== "ready") this.hear(told); });
    if (this.compared !== this.table) this.second.postMessage({ kind: "load", job: this.job, table: this.tableForCore() });
    this.compared = this.table;
    this.second.postMessage(question);
  }

  tableForCore() {
    const { columns, labels, classes } = this.table;
    return { columns, labels, classes };
  }

  load(table, costs) {
    const first = !this.state; // of later tables the address holds what was set for the one before, and nobody's link
    this.table = table;
    this.found = null;
    byId("page").classList.add("loaded");
    for (const id of ["reset", "link", "get-costs"]) byId(id).disabled = false;
    byId("table-name").textContent = `${table.name}: ${table.labels.length.toLocaleString("en-GB")} ${casesName(costs)}, ${table.columns.length} tests`
      + `${table.n_rows > table.labels.length ? `, a sample of ${table.n_rows.toLocaleString("en-GB")}` : ""}`;
    const names = table.columns.map((column) => column.name);
    const initial = { table: `${table.name} ${table.columns.length} ${table.labels.length}`, names, costs, learner: data.learner, weight: 1 };
    initial.weight = this.usualWeight(initial);
    this.state = new State(initial, (now, passing) => this.show(now, passing));
    this.prices.build(table, this.state.now);
    this.worker.postMessage({ kind: "load", job: this.job, table: this.tableForCore() });
    const lost = first && window.location.hash.startsWith("#s=") && this.state.now === initial;
    this.state.show(false);
    if (lost) this.tell("The link's prices could not be read, or are of another table: these are the first ones.");
  }

  // Where its authors name no weight: a test of the mean price is worth three hundredths of a bit.
  usualWeight(scenario) {
    const learner = this.learner(scenario);
    if (learner.weight === null) return 1;
    if (learner.default_weight !== null) return learner.default_weight;
    const prices = scenario.names.map((name) => listPrice(scenario.costs, name));
    const mean = prices.reduce((sum, price) => sum + price, 0) / prices.length || 1;
    return Number((0.03 / mean).toPrecision(2));
  }

  // Another scenario in the address of the open page. A part of the page, such as #tree-part, is none: the address stays a scenario.
  follow() {
    if (!window.location.hash.startsWith("#s=")) { this.state.toAddressBar(); return; }
    if (window.location.hash === this.state.hash()) return;
    const found = State.fromAddress(window.location.hash, this.state.initial);
    if (found) this.state.set(found);
    else this.tell("The link's prices could not be read, or are of another table: nothing is changed.");
  }

  change(costsOf, passing = false) {
    this.state.set({ costs: costsOf(this.state.now.costs) }, passing);
  }

  show(now, passing) {
    this.job += 1;
    this.tell("");
    this.worths.clear();
    byId("worths").disabled = false;
    offerDownloads(false);
    if (!passing) this.prices.show(now);
    const learner = this.learner(now);
    byId("learner").value = learner.name;
    byId("learner-words").textContent = learner.sentence;
    byId("weight-part").hidden = learner.weight === null;
    byId("weight-label").textContent = `What a unit of price weighs (${learner.weight})`;
    if (document.activeElement !== byId("weight")) byId("weight").value = now.weight;
    byId("undo").disabled = !this.state.past.length;
    byId("redo").disabled = !this.state.future.length;
    const panel = (now.costs.today || {}).tests;
    const question = { job: this.job, learner: learner.name, costs: now.costs, settings: this.settings(now), parts: PARTS };
    this.asked = { started: performance.now(), now, compared: {
      ...question, kind: "compare", panel: panel && panel.length ? panel : null, panelSettings: this.panelSettings(), frontier: passing ? [] : frontierQuestions(this, now),
    } };
    if (this.second) this.second.postMessage({ kind: "stop", job: this.job });
    this.worker.postMessage({ ...question, kind: "learn" });
  }

  panelSettings() {
    const cheapest = this.learners.find((one) => one.name === "min-total-cost");
    return this.table.labels.length > data.exact_rows ? cheapest.settings_of_many : cheapest.settings;
  }

  hear(told) {
    if (told.job !== this.job) return;
    const { now } = this.asked;
    const matrix = errorMatrix(now.costs, this.table.classes);
    if (told.kind === "problem") this.problem(told.message);
    if (told.kind === "tree") {
      this.problem("");
      this.found = { ...told, unseen: null };
      this.showTree(now);
      offerDownloads(true);
      byId("page").dataset.milliseconds = performance.now() - this.asked.started;
      byId("page").dataset.worker = told.milliseconds;
      byId("page").dataset.tree = String(Number(byId("page").dataset.tree || 0) + 1);
    } else if (told.kind === "unseen") {
      this.found.unseen = meanBill(told.unseen, this.table, matrix);
      if (told.cost !== null) this.found.unseen.cost = told.cost;
      this.found.nobody = told.constant === null ? nobodyCost(this.table, matrix) : told.constant;
      this.showFigures(now);
      byId("page").dataset.judged = String(this.job);
      this.compare(this.asked.compared);
    } else if (told.kind === "today") {
      const panel = now.costs.today.tests;
      const price = totalPrice(now.costs, panel);
      const bill = meanBill({ answers: told.answers, testCost: new Float64Array(told.answers.length) }, this.table, matrix);
      this.found.today = price + bill.cost;
      this.showFigures(now);
    } else if (told.kind === "frontier") {
      byId("frontier-part").hidden = !told.points.length;
      if (told.points.length) { showFrontier(told.points, this.table, now, this.learner(now)); this.findWorths(false); }
    } else if (told.kind === "worth") {
      this.worths.set(told.name, told);
      showBill(this.found.bill, this.table, now.costs, this.worths);
    } else if (told.kind === "worths") byId("worths").disabled = this.worths.size === this.table.columns.length;
  }

  // Break-even prices, those of tests that are bought and paid first: by themselves as many as are quickly found.
  findWorths(wanted) {
    if (!this.found) return;
    const { costs } = this.state.now;
    const quick = Math.floor(PATIENCE / (LEARNT * this.found.milliseconds));
    const { bought, others } = testsOfBill(this.found.bill, this.table);
    const priced = ({ name }) => Number(listPrice(costs, name) > 0);
    const names = [...bought.sort((a, b) => priced(b) - priced(a)), ...others].map((one) => one.name);
    const wantedNow = names.slice(0, wanted ? undefined : quick).filter((name) => !this.worths.has(name));
    const tests = wantedNow.map((name) => ({ name, bought: bought.some((one) => one.name === name) }));
    if (!tests.length) return;
    byId("worths").disabled = true;
    const mistakes = errorMatrix(costs, this.table.classes).flat();
    const most = Math.max(1, Math.max(...mistakes) - Math.min(...mistakes), ...names.map((name) => 2 * listPrice(costs, name)));
    this.compare({ kind: "worths", job: this.job, costs, tests, most, learner: this.learner(this.state.now).name, settings: this.settings(this.state.now) });
  }

  showTree(now) {
    const { tree, bill } = this.found;
    const answers = [...this.table.classes, ...furtherAnswers(now.costs)];
    this.found.drawn = drawnNodes(tree, this.table, now.costs, answers);
    byId("tree-note").textContent = drawTree(byId("tree"), this.found.drawn, now.costs, Math.max(280, byId("tree").clientWidth));
    listTree(byId("tree-list"), this.found.drawn);
    showBill(bill, this.table, now.costs, this.worths);
    byId("note").textContent = this.found.note;
    this.showFigures(now);
    this.walk.show();
  }

  showFigures(now) {
    const { unseen, nobody, today, bill } = this.found;
    const [advice, cost] = sentencesOf(bill, this.found.drawn, this.table, now.costs, unseen, nobody);
    byId("sentence").textContent = `${advice} ${cost}`.trim();
    byId("glance").textContent = `${cost} ${advice}`.trim();
    const figure = (id, value) => { byId(id).textContent = value === undefined || value === null ? "…" : money(value, now.costs); };
    figure("cost", unseen && unseen.cost);
    byId("cost-parts").textContent = unseen ? `${money(unseen.tests, now.costs)} tests, ${money(unseen.mistakes, now.costs)} mistakes; ${percent(unseen.wrong)} wrong` : "";
    byId("cost-name").textContent = `A new ${now.costs.case_name || "case"} costs`;
    figure("nobody", nobody);
    byId("today-tile").hidden = !(now.costs.today || {}).tests;
    figure("today", today);
  }

  tell(words) {
    byId("told").textContent = words;
  }

  problem(words) {
    byId("problem").textContent = words;
    byId("problem").hidden = !words;
  }

  ready() {
    byId("page").dataset.ready = "yes";
    if (data.table) this.load(tableOf(data.table), data.costs);
    else {
      byId("drop-part").hidden = false;
      const wanted = State.tableOf(window.location.hash);
      if (wanted) this.tell(`This link holds prices of ${wanted}: open that table, and they are there.`);
    }
  }
}
