// What if a price changed: the studio's learner in a section of the report. Moves of a slider ask for a tree, its rest for folds.

const live = JSON.parse(byId("live-data").textContent);

class LivePrices extends Prices {
  show({ costs }) {
    this.forgive();
    for (const key of this.fields.keys()) this.put(key, this.studio.amounts.get(key)(costs));
  }
}

class Live {
  constructor() {
    this.table = tableOf(live.table);
    this.state = { now: { costs: live.costs } };
    this.amounts = new Map(); // what each field shows of a price list
    this.prices = new LivePrices(this);
    this.refusals = new Refusals("live-problem");
    this.job = 0;
    this.first = null; // what a new case costs by such a tree as prices were
    this.build();
    onPress("live-reset", () => this.change(() => live.costs, false));
  }

  build() {
    const { costs } = live;
    const { classes } = this.table;
    const matrix = errorMatrix(costs, classes);
    const most = Math.max(10, ...matrix.flat(), ...live.tests.map((name) => 4 * listPrice(costs, name)));
    const rows = live.tests.map((name) => this.amount(`test ${name}`, name, most, (now) => testOf(now, name).price, (now, price) => withPrice(now, name, price)));
    for (const name of Object.keys(costs.shared || {})) {
      rows.push(this.amount(`shared ${name}`, `${name} (shared)`, most, (now) => now.shared[name], (now, price) => ({ ...now, shared: { ...now.shared, [name]: price } })));
    }
    for (const [i, actual] of classes.entries()) {
      for (const [j, answer] of classes.entries()) {
        if (i === j || classes.length > 3) continue;
        rows.push(this.amount(`mistake ${i} ${j}`, `saying ${answer} of ${actual}`, 4 * most, (now) => errorMatrix(now, classes)[i][j],
          (now, cost) => withMistake(now, classes, actual, answer, cost, false)));
      }
    }
    byId("live-prices").replaceChildren(...rows);
  }

  amount(key, label, most, read, write) {
    this.amounts.set(key, read);
    return this.prices.amount(key, label, read(live.costs), most, (price, passing) => this.change((now) => write(now, price), passing));
  }

  change(costsOf, passing) {
    this.state.now = { costs: costsOf(this.state.now.costs) };
    if (!passing) this.prices.show(this.state.now);
    this.refusals.solved(TAKING);
    able("live-reset", !this.isAsReported());
    this.learn();
  }

  // Also where a price was changed and changed back.
  isAsReported() {
    return sameCosts(this.state.now.costs, live.costs);
  }

  async start() {
    const bytes = Uint8Array.from(atob(byId("live-core").textContent), (one) => one.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const binary = await new Response(stream).arrayBuffer();
    this.worker = new Worker(URL.createObjectURL(new Blob([byId("live-worker").textContent], { type: "text/javascript" })));
    this.worker.onmessage = ({ data: told }) => this.hear(told);
    this.worker.onerror = () => this.problem(NOT_STARTED, LEARNING);
    this.worker.postMessage({ kind: "start", job: 0, binary }, [binary]);
  }

  learn() {
    this.job += 1;
    this.worker.postMessage({
      kind: "learn", job: this.job, learner: live.learner, costs: this.state.now.costs, settings: live.settings,
    });
  }

  hear(told) {
    if (told.kind === "ready") {
      const { columns, labels, classes } = this.table;
      this.worker.postMessage({ kind: "load", job: 0, table: { columns, labels, classes } });
      this.learn();
      return;
    }
    if (told.job !== this.job) return;
    const { costs } = this.state.now;
    const matrix = errorMatrix(costs, this.table.classes);
    if (told.kind === "problem") this.problem(this.job ? told.message : NOT_STARTED, LEARNING);
    if (told.kind === "tree") {
      this.refusals.solved(LEARNING);
      [this.bill, this.tree, this.learntWith] = [told.bill, told.tree, costs];
      this.draw();
      byId("live-sentence").textContent = sentenceOf(told.bill, this.drawn, this.table, costs);
      byId("live").dataset.tree = String(this.job);
      this.worker.postMessage({ kind: "judge", job: this.job, learner: live.learner, costs, judging: live.judging });
    } else if (told.kind === "unseen") {
      const unseen = meanBill(told.unseen, this.table, matrix);
      if (this.isAsReported()) this.first = unseen.cost;
      byId("live-sentence").textContent = sentenceOf(this.bill, this.drawn, this.table, costs, { unseen, nobody: told.constant, lead: live.lead });
      const before = this.isAsReported() || this.first === null ? "" : `At the prices of this report such a tree costs ${money(this.first, costs)}.`;
      byId("live-change").textContent = `${before} ${live.reported}`.trim();
      byId("live").dataset.judged = String(this.job);
    }
  }

  draw() {
    if (!this.tree) return;
    const costs = this.learntWith; // the prices of the page may be newer
    this.drawn = drawnNodes(this.tree, this.table, costs, [...this.table.classes, ...furtherAnswers(costs)]);
    byId("live-note").textContent = drawTree(byId("live-tree"), this.drawn, costs, Math.max(280, byId("live-tree").clientWidth));
    byId("live-tree").querySelector("svg").setAttribute("aria-label", "the tree at these prices");
  }

  problem(words, of = TAKING) {
    this.refusals.say(words, of);
  }
}

const whatIf = new Live();
window.addEventListener("resize", () => whatIf.draw());
whatIf.start().catch((problem) => whatIf.problem(problem.message, LEARNING));
