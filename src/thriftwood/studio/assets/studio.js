// The page: it asks the worker for every scenario, and shows what comes.

const data = JSON.parse(byId("data").textContent);
const LEARNT = 27; // trees, at most, until a break-even price is found: worker.js
const SLOW = 300; // milliseconds after which what is shown, of the prices before, is grey
const PATIENCE = 20000; // milliseconds that break-even prices may take unasked; the button finds all

function tableWords(table, costs) {
  const { length } = table.labels;
  const sample = table.n_rows > length ? `, a sample of ${shown(table.n_rows)}` : "";
  const without = table.without ? `; ${shown(table.without)} without ${table.target} left out` : "";
  return `${table.name}: ${counted(length, costs.case_name || "case", casesName(costs))}, ${counted(table.columns.length, "test")}${sample}${without}`;
}

class Studio {
  constructor() {
    this.learners = data.learners;
    this.table = null;
    this.found = null;
    this.worths = new Map();
    this.job = 0;
    this.waiting = Link.isOne(window.location.hash) ? new Link(window.location.hash) : null;
    this.prices = new Prices(this);
    this.walk = new Walk(this);
    this.refusals = new Refusals("problem");
  }

  learner(scenario) {
    return this.learners.find((one) => one.name === scenario.learner) || this.learners[0];
  }

  // How many cases something is learnt from decides how exact thresholds are.
  settings(scenario, rows = this.table.labels.length) {
    const learner = this.learner(scenario);
    const lines = rows > data.exact_rows ? learner.settings_of_many : learner.settings;
    return learner.weight === null ? lines : `${lines}parameter.${learner.weight}=${scenario.weight}\n`;
  }

  // The same for judging: of more cases than thresholds are exact of, 30 % are held out.
  judging(scenario) {
    return this.settings(scenario, 0.7 * this.table.labels.length);
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
    worker.onerror = () => this.problem(NOT_STARTED, LEARNING);
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

  // `said`: what there is to say of the file. `invented`: what to say of prices that nobody named, as long as they are as here.
  load(table, costs, invented, said = "") {
    this.table = table;
    this.invented = invented ? costs : null;
    this.found = null;
    byId("page").classList.add("loaded");
    byId("invented").textContent = invented;
    for (const id of ["undo", "redo", "reset", "link", "get-costs"]) byId(id).disabled = false;
    byId("table-name").textContent = tableWords(table, costs);
    for (const one of document.querySelectorAll(".a-case")) one.textContent = aCase(costs);
    for (const one of document.querySelectorAll(".case-name")) one.textContent = costs.case_name || "case";
    byId("frontier-part").hidden = true;
    const initial = this.firstScenario(table, costs);
    const linked = this.waiting && this.waiting.scenario(initial);
    this.state = new State(initial, linked || initial, (now, passing) => this.show(now, passing));
    this.prices.build(table, this.state.now);
    this.worker.postMessage({ kind: "load", job: this.job, table: this.tableForCore() });
    this.show(this.state.now, false);
    // A link waits until its table is there, and stays in the address until something is changed. One that cannot be used does not wait.
    const words = this.waiting && !linked ? this.waiting.words(table, "these are the first ones") : "";
    if (linked || (this.waiting && !this.waiting.mayWaitBeside(table))) this.waiting = null;
    if (!this.waiting) this.state.toAddressBar();
    this.tell(`${said} ${words}`.trim());
  }

  firstScenario(table, costs) {
    const initial = {
      table: `${table.name} ${table.columns.length} ${table.labels.length}`,
      target: table.target,
      names: table.columns.map((column) => column.name),
      classes: table.classes,
      learners: this.learners.map((one) => one.name),
      costs,
      learner: data.learner,
    };
    return { ...initial, weight: this.usualWeight(initial) };
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

  // Another address in the open page. What somebody typed is no link, and leaves it a scenario.
  follow() {
    const { hash } = window.location;
    if (this.state && hash === this.state.hash()) return;
    if (Link.isOne(hash)) this.open(new Link(hash));
    if (this.state) this.state.toAddressBar();
  }

  open(link) {
    const linked = this.state && link.scenario(this.state.initial);
    if (linked) this.state.set(linked);
    else {
      this.waiting = link.mayWaitBeside(this.table) ? link : null;
      this.tell(link.words(this.table, this.table ? "nothing is changed" : "open a table"));
    }
  }

  change(costsOf, passing = false) {
    this.state.change(costsOf, passing);
  }

  show(now, passing) {
    this.job += 1;
    byId("page").dataset.job = String(this.job);
    this.tell("");
    this.refusals.solved(TAKING);
    byId("invented").hidden = !this.invented || !sameCosts(now.costs, this.invented);
    this.worths.clear();
    this.finding = false;
    this.looking = new Set(this.table.columns.map((column) => column.name));
    byId("worths-left").hidden = true;
    byId("cheaper").hidden = true;
    byId("frontier-part").setAttribute("aria-busy", "true"); // its points are those of the prices before
    able("worths", false); // until the tree is there: which tests it buys says where to look
    offerDownloads(false);
    if (!passing) this.prices.show(now);
    const learner = this.learner(now);
    byId("learner").value = learner.name;
    byId("learner-words").textContent = learner.sentence;
    byId("weight-part").hidden = learner.weight === null;
    byId("weight-label").textContent = `What a unit of price weighs (${learner.weight})`;
    if (document.activeElement !== byId("weight")) byId("weight").value = now.weight;
    able("undo", this.state.past.length > 0);
    able("redo", this.state.future.length > 0);
    const question = { job: this.job, learner: learner.name, costs: now.costs, settings: this.settings(now) };
    this.asked = { started: performance.now(), now, compared: {
      ...question, kind: "compare", judging: this.judging(now), panel: panelOf(now.costs), forest: data.forest,
      frontier: passing ? [] : frontierQuestions(this, now),
    } };
    if (this.second) this.second.postMessage({ kind: "stop", job: this.job });
    this.worker.postMessage({ ...question, kind: "learn" });
    this.slow ??= setTimeout(() => byId("results").setAttribute("aria-busy", "true"), SLOW);
  }

  // What is shown is of the newest prices, or said not to be.
  isAnswered() {
    clearTimeout(this.slow);
    this.slow = null;
    byId("results").removeAttribute("aria-busy");
  }

  hear(told) {
    if (told.job !== this.job) return;
    if (!this.asked) { this.problem(NOT_STARTED, LEARNING); return; }
    const { now } = this.asked;
    const matrix = errorMatrix(now.costs, this.table.classes);
    if (told.kind === "problem") {
      this.isAnswered();
      this.refusedByLearner(told.message, now);
    }
    if (told.kind === "tree") {
      this.isAnswered();
      this.refusals.solved(LEARNING);
      this.answered = told.job;
      byId("page").classList.remove("stale");
      this.found = { ...told, now, unseen: null };
      this.showTree();
      offerDownloads(true);
      able("worths", true);
      byId("page").dataset.milliseconds = performance.now() - this.asked.started;
      byId("page").dataset.worker = told.milliseconds;
      byId("page").dataset.tree = String(Number(byId("page").dataset.tree || 0) + 1);
      this.compare(this.asked.compared);
    } else if (told.kind === "judging") {
      this.found.judging = told;
      this.showFigures();
    } else if (told.kind === "unseen") {
      this.found.unseen = { ...meanBill(told.unseen, this.table, matrix), cases: told.unseen };
      [this.found.nobody, this.found.parts] = [told.constant, told.parts];
      this.showFigures();
      byId("page").dataset.judged = String(this.job);
    } else if (told.kind === "today") {
      const price = meanPanelPrice(this.table, now.costs, panelOf(now.costs), told.answers);
      const bill = meanBill({ answers: told.answers, testCost: new Float64Array(told.answers.length) }, this.table, matrix);
      this.found.today = price + bill.cost;
      this.showFigures();
    } else if (told.kind === "frontier") {
      byId("frontier-part").hidden = false;
      this.found.points = told.points;
      this.showFrontier(told.missing);
      if (!told.missing) this.findWorths(false);
    } else if (told.kind === "worth") {
      this.worths.set(told.name, told);
      this.showBill();
    } else if (told.kind === "worths") this.foundWorths();
  }

  // What is shown is of the question before: it must not be taken for the answer to this one.
  refusedByLearner(message, now) {
    const onlyApart = this.learner(now).name === "thrift" && now.costs.payment === "upfront";
    this.problem(`${message}${onlyApart ? " Choose another learner, such as min-total-cost." : ""}`, LEARNING);
    byId("page").classList.toggle("stale", this.answered !== this.job);
  }

  // Break-even prices, those of tests that are bought and paid first: by themselves as many as are quickly found.
  findWorths(wanted) {
    if (this.answered !== this.job || this.finding) return;
    const { costs } = this.state.now;
    const quick = Math.floor(PATIENCE / (LEARNT * this.found.milliseconds));
    const { bought, others } = testsOfBill(this.found.bill, this.table);
    const priced = ({ name }) => Number(listPrice(costs, name) > 0);
    const names = [...bought.sort((a, b) => priced(b) - priced(a)), ...others].map((one) => one.name);
    const wantedNow = names.slice(0, wanted ? undefined : quick).filter((name) => !this.worths.has(name));
    const tests = wantedNow.map((name) => ({ name, bought: bought.some((one) => one.name === name) }));
    if (!tests.length) { this.foundWorths(); return; }
    this.finding = true;
    this.looking = new Set(wantedNow);
    byId("worths-left").hidden = true;
    this.showBill();
    able("worths", false);
    const mistakes = errorMatrix(costs, this.table.classes).flat();
    const most = Math.max(1, Math.max(...mistakes) - Math.min(...mistakes), ...names.map((name) => 2 * listPrice(costs, name)));
    this.compare({ kind: "worths", job: this.job, costs, tests, most, learner: this.learner(this.state.now).name, settings: this.settings(this.state.now) });
  }

  // Those that were not found are found by the button alone.
  foundWorths() {
    const left = this.worths.size < this.table.columns.length;
    this.finding = false;
    this.looking = new Set();
    able("worths", left);
    byId("worths-left").hidden = !left;
    this.showBill();
  }

  showBill() {
    const { bill, now } = this.found;
    showBill(bill, this.table, now.costs, this.worths, this.looking);
  }

  showFrontier(missing) {
    const { points, unseen, now } = this.found;
    const bills = showFrontier(points, unseen, this.table, now, this.learner(now), missing);
    byId("frontier-part").removeAttribute("aria-busy");
    byId("frontier-part").dataset.missing = missing;
    if (missing) return;
    byId("cheaper").textContent = cheaperWords(bills, now, this.learner(now));
    byId("cheaper").hidden = !byId("cheaper").textContent;
  }

  // By the prices that it was learnt with: those of the page may be newer.
  showTree() {
    const { tree, now } = this.found;
    const answers = [...this.table.classes, ...furtherAnswers(now.costs)];
    this.found.drawn = drawnNodes(tree, this.table, now.costs, answers);
    byId("tree-note").textContent = drawTree(byId("tree"), this.found.drawn, now.costs, Math.max(280, byId("tree").clientWidth));
    listTree(byId("tree-list"), this.found.drawn, now.costs);
    this.showBill();
    byId("note").textContent = this.found.note;
    this.showFigures();
    this.walk.show();
  }

  showFigures() {
    const { now, unseen, nobody, today, bill, drawn } = this.found;
    const known = { unseen, nobody, today };
    byId("basis").textContent = unseen ? basisWords(this.found.parts, unseen.known, this.table, now.costs) : "";
    byId("sentence").textContent = sentenceOf(bill, drawn, this.table, now.costs, known);
    byId("glance").textContent = sentenceOf(bill, drawn, this.table, now.costs, { ...known, costFirst: true });
    const figure = (id, value) => { byId(id).textContent = value === undefined || value === null ? "…" : money(value, now.costs); };
    figure("cost", unseen && unseen.cost);
    byId("cost-parts").textContent = unseen ? `${money(unseen.tests, now.costs)} tests, ${money(unseen.mistakes, now.costs)} ${answersWord(now.costs)}; ${percent(unseen.wrong)} wrong` : judgingWords(this.found);
    byId("cost-name").textContent = `A new ${now.costs.case_name || "case"} costs`;
    figure("nobody", nobody);
    byId("today-tile").hidden = !panelOf(now.costs);
    figure("today", today);
  }

  tell(words) {
    byId("told").textContent = words;
  }

  problem(words, of = TAKING) {
    this.refusals.say(words, of);
  }

  ready() {
    byId("page").dataset.ready = "yes";
    if (data.table) this.load(tableOf(data.table), data.costs, data.invented ? inventedWords(1, true, 1, true) : "");
    else {
      byId("drop-part").hidden = false;
      if (this.waiting) this.tell(this.waiting.words(null, "open a table"));
    }
  }
}
