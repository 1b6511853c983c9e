// The compiled core with JavaScript's arrays around it: one table at a time, on one thread. wasm/face.cpp has the other side.

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
    this.dealt = 0;
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

  // Our own learner: its tree, and what it and the constant cost cases that they were not learnt from.
  thrift() {
    const handle = this.check(this.core._tw_thrift(5, 0));
    const [judged, chosen, deals] = this.result(0, 3);
    const n = this.table.labels.length * deals;
    const after = 3 + 2 * judged;
    const part = (place) => this.result(after + place * n, after + (place + 1) * n);
    return {
      handle,
      note: this.core.UTF8ToString(this.core._tw_text()),
      judged: Array.from(this.result(3, after)),
      chosen,
      unseen: { answers: part(0), testCost: part(1) },
    };
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

  deal(parts) {
    if (this.dealt !== parts) this.check(this.core._tw_deal(parts, 0));
    this.dealt = parts;
    return parts;
  }

  // Learns without one part and answers its cases: fills in their places of `unseen`.
  judge(settings, part, unseen) {
    const size = this.withText(settings, (at) => this.core._tw_judge(at, part));
    const rows = this.result(0, size);
    const answers = this.result(size, 2 * size);
    const testCost = this.result(2 * size, 3 * size);
    rows.forEach((row, i) => {
      unseen.answers[row] = answers[i];
      unseen.testCost[row] = testCost[i];
    });
  }
}
