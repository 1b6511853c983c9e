// One case, test by test.

class Walk {
  constructor(studio) {
    this.studio = studio;
    this.row = 0;
    this.at = 0;
    byId("case").addEventListener("change", () => this.choose(Number(byId("case").value) - 1));
    onPress("case-next", () => { this.at += 1; this.show(); });
    onPress("case-back", () => { this.at -= 1; this.show(); });
    byId("case-other").addEventListener("click", () => this.choose((this.row * 7919 + 104729) % this.studio.table.labels.length));
  }

  choose(row) {
    this.row = clamp(Number.isInteger(row) ? row : 0, 0, this.studio.table.labels.length - 1);
    this.at = 0;
    this.show();
  }

  show() {
    const { found, table } = this.studio;
    if (!found) return;
    const { costs } = found.now; // the prices of the page may be newer than the tree
    this.row = Math.min(this.row, table.labels.length - 1);
    const way = wayOf(found.tree, table, costs, this.row);
    this.at = Math.min(this.at, way.steps.length + 1);
    byId("case").value = this.row + 1;
    byId("case").max = table.labels.length;
    const shownSteps = way.steps.slice(0, this.at);
    byId("case-steps").replaceChildren(...shownSteps.map((step) => html("li", {},
      html("b", {}, step.name), ` ${step.value} `, html("span", { class: "money" }, `${step.price > 0 ? money(step.price, costs) : "free"}, ${money(step.total, costs)} so far`))));
    const next = way.steps[this.at];
    const done = this.at > way.steps.length || !way.steps.length;
    let words = next ? `Next: ${orderWords(costs, next.name)}.` : "All that is asked is known.";
    if (done) words = `${way.spread ? "A value is missing, so the branches answer together. " : ""}${answerWords(found.bill, table, costs, this.row)}`;
    byId("case-words").textContent = words;
    able("case-next", !done);
    able("case-back", this.at > 0);
    const seen = new Set(shownSteps.flatMap((step) => step.nodes || []));
    if (done) seen.add(way.end);
    for (const node of found.drawn) if (node.element) node.element.classList.toggle("on-the-way", seen.has(node.id));
    if (this.at > 0) scrollTo(byId("tree"), found.drawn.findLast((node) => node.element && seen.has(node.id)));
  }
}

// How a case ends. An answer that is no class is neither right nor wrong, and what is right may cost something, or bring it.
function answerWords(bill, table, costs, row) {
  const { classes } = table;
  const [answer, truth] = [bill.answers[row], table.labels[row]];
  const cost = errorMatrix(costs, classes)[truth][answer];
  const kind = answer === truth ? "right, which" : answer < classes.length ? "a mistake that" : "an answer that";
  const effect = cost === 0 ? "costs nothing" : cost > 0 ? `costs ${money(cost, costs)}` : `brings ${money(-cost, costs)}`;
  return `Answer: ${[...classes, ...furtherAnswers(costs)][answer]}. The truth is ${classes[truth]}: `
    + `${answer === truth && cost === 0 ? "right" : `${kind} ${effect}`}. In all ${money(bill.testCost[row] + cost, costs)}.`;
}

// A tree may be taller than its frame: the node that was reached is brought into its middle.
function scrollTo(frame, node) {
  if (!node) return;
  const [inside, outside] = [node.element.getBoundingClientRect(), frame.getBoundingClientRect()];
  frame.scrollTop += inside.top - outside.top - (outside.height - inside.height) / 2;
}
