// The compiled core with JavaScript's arrays around it: one table at a time, on one thread. wasm/face.cpp has the other side.

const FOLDS = 5; // parts by which our own learner chooses, and what deals them: as ThriftClassifier
const SEED = 0;

class Engine {
  constructor(core) {
    this.core = core;
  }

  check(result) {
    if (result < 0) throw new Error(this.core.UTF8ToString(this.core._tw_error()));
    return result;
  }

  // The last result, from one place on; it stays where it is only until the next call.
  result(from = 0, to = this.core._tw_result_size()) {
    const start = this.core._tw_result() / 8;
    return this.core.HEAPF64.slice(start + from, start + to);
  }

  withNumbers(numbers, call) {
    const at = this.core._malloc(8 * numbers.length + 8);
    this.core.HEAPF64.set(numbers, at / 8);
    try {
      return this.check(call(at, numbers.length));
    } finally {
      this.core._free(at);
    }
  }

  withText(text, call) {
    const size = this.core.lengthBytesUTF8(text) + 1;
    const at = this.core._malloc(size);
    this.core.stringToUTF8(text, at, size);
    try {
      return this.check(call(at));
    } finally {
      this.core._free(at);
    }
  }

  // columns: {values, nominal, categories}; a missing number is NaN, a missing code -1.
  load(table) {
    this.table = table;
    this.check(this.core._tw_begin(table.labels.length, table.columns.length, table.classes.length));
    table.columns.forEach((column, feature) => {
      if (column.nominal) {
        const at = this.core._tw_codes(feature, column.categories.length);
        this.core.HEAP32.set(column.values, at / 4);
      } else {
        const at = this.core._tw_numbers(feature);
        this.core.HEAPF64.set(column.values, at / 8);
      }
    });
    this.core.HEAP32.set(table.labels, this.core._tw_labels() / 4);
    this.dealt = null;
  }

  setCosts(costs) {
    this.costs = costs;
    const names = this.table.columns.map((column) => column.name);
    this.withNumbers(priceNumbers(costs, names), (at, count) => this.core._tw_prices(at, count));
    const loss = namesErrors(costs) ? errorMatrix(costs, this.table.classes).flat() : [];
    this.withNumbers(loss, (at, count) => this.core._tw_loss(at, count));
  }

  grow(settings) {
    return { handle: this.withText(settings, (at) => this.core._tw_grow(at)), note: "" };
  }

  // Our own learner: its tree, and what was chosen and why.
  thrift() {
    const handle = this.check(this.core._tw_thrift(FOLDS, SEED));
    return { handle, note: this.core.UTF8ToString(this.core._tw_text()) };
  }

  tree(handle) {
    this.check(this.core._tw_tree(handle));
    const all = this.result();
    const [size, width, cases, maps, surrogates, features, losses, smoothing] = all;
    let at = 8;
    const next = (count) => all.subarray(at, at += count);
    const fields = (names, count) => Object.fromEntries(names.map((name) => [name, next(count)]));
    return {
      size,
      width,
      cases,
      nodes: fields(NODE_FIELDS, size),
      values: next(size * width),
      branch_map: next(maps),
      surrogates: fields(SURROGATE_FIELDS, surrogates),
      feature_values: next(features),
      loss: next(losses),
      smoothing: next(smoothing),
    };
  }

  bill(handle) {
    this.check(this.core._tw_bill(handle));
    const [n, tests] = [this.table.labels.length, this.table.columns.length];
    return {
      answers: this.result(0, n),
      testCost: this.result(n, 2 * n),
      bought: this.result(2 * n, 2 * n + tests),
      paid: this.result(2 * n + tests),
    };
  }

  // The parts that cases are judged by, each learnt without: their cases. Those of `thriftwood fit`.
  parts() {
    this.dealt ??= Array.from({ length: this.check(this.core._tw_parts()) }, (_, part) => {
      this.check(this.core._tw_part(part));
      return Int32Array.from(this.result());
    });
    return this.dealt;
  }

  // Answers the cases of a part by what the tests of a panel tell of the others: fills in their places of `answers`.
  judgePanel(forest, panel, part, answers) {
    const tests = panel.map((name) => this.table.columns.findIndex((column) => column.name === name));
    this.withNumbers(tests, (numbers, count) => this.withText(forest, (at) => this.core._tw_today(at, numbers, count, part)));
    const given = this.result();
    this.parts()[part].forEach((row, i) => { answers[row] = given[i]; });
  }

  // Learns without one part, by our own learner where there are no settings, and answers its cases: fills in their places of `unseen`.
  judge(settings, part, unseen) {
    if (settings) this.withText(settings, (at) => this.core._tw_judge(at, part));
    else this.check(this.core._tw_judge_thrift(FOLDS, SEED, part));
    const rows = this.parts()[part];
    const answers = this.result(0, rows.length);
    const testCost = this.result(rows.length, 2 * rows.length);
    rows.forEach((row, i) => {
      unseen.answers[row] = answers[i];
      unseen.testCost[row] = testCost[i];
    });
  }
}
