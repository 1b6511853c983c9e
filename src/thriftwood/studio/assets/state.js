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

  resting() {
    return this.rest || this.now;
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
    to.push(this.resting());
    this.rest = null;
    this.now = from.pop();
    this.changed(this.now, false);
    this.toAddressBar();
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
