// The scenario that is shown: prices, mistakes, the learner. Every change can be undone, and the address holds the newest, so a link is a scenario.

const TOGETHER = 1000; // milliseconds

class State {
  constructor(initial, now, changed) {
    this.initial = initial;
    this.changed = changed;
    this.past = [];
    this.future = [];
    this.now = now;
    this.rest = null; // what a slider set out from, as long as it moves
  }

  // `passing`: a slider is moving; only where it comes to rest is remembered, and nothing where that is as before.
  set(changes, passing = false) {
    const before = this.resting();
    const changed = Object.keys(changes).some((name) => changes[name] !== before[name]);
    this.now = changed ? { ...before, ...changes } : before;
    this.rest = passing ? before : null;
    if (changed && !passing) {
      if (!this.goesOn()) this.past.push(before);
      this.future = [];
    }
    this.changed(this.now, passing); // first, so that it is learnt while the browser takes the address
    if (!passing) this.toAddressBar();
  }

  // A change of the costs. A slider that is brought back to where it set out leaves nothing to undo.
  change(costsOf, passing) {
    const before = this.past[this.past.length - 1];
    if (passing || !before || !this.isMovedOn() || costsOf(before.costs) !== before.costs) {
      this.set({ costs: costsOf(this.resting().costs) }, passing);
      return;
    }
    this.past.pop();
    this.moved.now = -Infinity;
    this.settle(before);
  }

  // Whether the slider that has the focus made the newest change.
  isMovedOn() {
    return Boolean(this.moved) && this.moved.where === document.activeElement;
  }

  settle(now) {
    this.rest = null;
    this.now = now;
    this.changed(now, false);
    this.toAddressBar();
  }

  resting() {
    return this.rest || this.now;
  }

  // Arrow keys move a slider by many small changes: those within a second of each other are undone at once.
  goesOn() {
    const [where, now] = [document.activeElement, performance.now()];
    const together = this.isMovedOn() && now - this.moved.now < TOGETHER;
    this.moved = where && where.type === "range" ? { where, now } : null;
    return together;
  }

  step(from, to) {
    if (!from.length) return;
    this.moved = null;
    to.push(this.resting());
    this.settle(from.pop());
  }

  undo() {
    this.step(this.past, this.future);
  }

  redo() {
    this.step(this.future, this.past);
  }

  hash() {
    return Link.hashOf(this.now);
  }

  // From a file the address cannot be replaced in some browsers; the page works without.
  toAddressBar() {
    try { window.history.replaceState(null, "", this.hash()); } catch { /* as it is */ }
  }
}

const isPrice = (value) => typeof value === "number" && Number.isFinite(value) && value >= 0;
