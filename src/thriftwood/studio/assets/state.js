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
    this.moved = null; // the slider that made the newest change, and when
  }

  // `passing`: a slider is moving; only where it comes to rest is remembered, and nothing where that is as before. `slider`: the one that moved.
  set(changes, passing = false, slider = null) {
    const before = this.resting();
    const changed = Object.keys(changes).some((name) => changes[name] !== before[name]);
    this.now = changed ? { ...before, ...changes } : before;
    this.rest = passing ? before : null;
    if (changed && !passing) {
      if (!this.goesOn(slider)) this.past.push(before);
      this.future = [];
    }
    this.changed(this.now, passing); // first, so that it is learnt while the browser takes the address
    if (!passing) this.toAddressBar();
  }

  // A change of the costs. A slider that is brought back to where it set out leaves nothing to undo.
  change(costsOf, passing) {
    const { activeElement } = document;
    const slider = activeElement && activeElement.type === "range" ? activeElement : null;
    const before = this.past[this.past.length - 1];
    if (passing || !this.isMovedOn(slider) || costsOf(before.costs) !== before.costs) {
      this.set({ costs: costsOf(this.resting().costs) }, passing, slider);
      return;
    }
    this.past.pop();
    this.moved = null; // what is now the newest change was made elsewhere
    this.settle(before);
  }

  // Whether this slider made the newest change.
  isMovedOn(slider) {
    return this.moved !== null && this.moved.slider === slider;
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
  goesOn(slider) {
    const now = performance.now();
    const together = this.isMovedOn(slider) && now - this.moved.now < TOGETHER;
    this.moved = slider && { slider, now };
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
