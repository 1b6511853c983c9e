// What a scenario is: prices, mistakes, the learner. Every change can be undone, and the address holds the newest, so a link is a scenario.

const TOGETHER = 1000; // milliseconds

class State {
  constructor(initial, changed) {
    this.initial = initial;
    this.changed = changed;
    this.past = [];
    this.future = [];
    this.now = State.fromAddress(window.location.hash, initial) || initial;
  }

  static toAddress(scenario) {
    const bytes = new TextEncoder().encode(JSON.stringify(scenario));
    return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  }

  static read(hash) {
    const text = atob(hash.slice(3).replace(/-/g, "+").replace(/_/g, "/"));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (one) => one.charCodeAt(0))));
  }

  // null where there is none, or one of another table.
  static fromAddress(hash, initial) {
    if (!hash.startsWith("#s=")) return null;
    try {
      return checkedScenario(State.read(hash), initial);
    } catch {
      return null;
    }
  }

  // The name of the table of which a link holds prices: what `load` writes, without its size. Empty where there is none.
  static tableOf(hash) {
    if (!hash.startsWith("#s=")) return "";
    try {
      return String(State.read(hash).table).replace(/ \d+ \d+$/, "");
    } catch {
      return "";
    }
  }

  // `passing`: a slider is moving; only where it comes to rest is remembered.
  set(changes, passing = false) {
    if (!passing) {
      if (!this.goesOn()) this.past.push(this.rest || this.now);
      this.future = [];
      this.rest = null;
    } else if (!this.rest) this.rest = this.now;
    this.now = { ...this.now, ...changes };
    this.show(passing);
  }

  // Arrow keys move a slider by many small changes: those within a second of each other are undone at once.
  goesOn() {
    const [before, where, now] = [this.moved, document.activeElement, performance.now()];
    this.moved = where && where.type === "range" ? { where, now } : null;
    return Boolean(before && this.moved) && before.where === where && now - before.now < TOGETHER;
  }

  step(from, to) {
    if (!from.length) return;
    this.moved = null;
    to.push(this.now);
    this.now = from.pop();
    this.show(false);
  }

  undo() {
    this.step(this.past, this.future);
  }

  redo() {
    this.step(this.future, this.past);
  }

  show(passing) {
    this.changed(this.now, passing); // first, so that it is learnt while the browser takes the address
    if (!passing) this.toAddressBar();
  }

  hash() {
    return `#s=${State.toAddress(this.now)}`;
  }

  // From a file the address cannot be replaced in some browsers; the page works without.
  toAddressBar() {
    try { window.history.replaceState(null, "", this.hash()); } catch { /* as it is */ }
  }
}

const isPrice = (value) => typeof value === "number" && Number.isFinite(value) && value >= 0;

// A scenario from an address need not be trusted: only known tests, and prices that are numbers.
function checkedScenario(found, initial) {
  const costs = found.costs;
  if (typeof costs !== "object" || costs === null || found.table !== initial.table) return null;
  const tests = Object.values(costs.tests || {}).map((test) => (typeof test === "number" ? { price: test } : test));
  const known = Object.keys(costs.tests || {}).every((name) => initial.names.includes(name));
  const needs = tests.every((test) => (test.needs || []).every((need) => isPrice((costs.shared || {})[need])));
  const grouped = tests.every((test) => ["string", "undefined"].includes(typeof test.group) && (test.after === undefined || isPrice(test.after)));
  const rows = [...Object.values(costs.errors || {}), ...Object.values(costs.answers || {})];
  const errors = rows.flatMap((row) => (typeof row === "object" ? Object.values(row) : [row]));
  const shared = Object.values(costs.shared || {}).every(isPrice);
  const panel = ((costs.today || {}).tests || []).every((name) => initial.names.includes(name));
  if (!known || !needs || !grouped || !shared || !panel || !tests.every((test) => isPrice(test.price)) || !errors.every(Number.isFinite)) return null;
  return { ...initial, costs, learner: String(found.learner), weight: isPrice(found.weight) ? found.weight : initial.weight };
}
