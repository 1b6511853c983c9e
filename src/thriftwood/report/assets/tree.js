// The tree itself: boxes and lines, folding, walking with the keyboard, the path of a case.

const nodes = preparedNodes(data.nodes);
const root = nodes.get(0);
let reached = root; // the node that Tab comes back to
const ENDS = stageWidth() < 700 ? 12 : 24; // of a larger tree the deepest levels are folded at first
let path = null; // node number -> share of the chosen case; null: no case is chosen

function drawTree() {
  const visible = visibleNodes(root);
  const frame = byId("beside");
  frame.classList.remove("narrow");
  const drawn = leftToRight(visible);
  const fits = drawn.width * READABLE <= stageWidth();
  frame.classList.toggle("narrow", !fits); // an outline leaves room beside it, on wide screens
  view.content = fits ? drawn : outlined(visible, stageWidth());
  if (!visible.includes(reached)) reached = root;
  fillStage(visible, view.content.outline);
}

function drawForPaper() {
  const visible = visibleNodes(root);
  const drawn = leftToRight(visible);
  fillStage(visible, false);
  return drawn;
}

function fillStage(visible, outline) {
  const lines = visible.filter((node) => node.parent).map((node) => drawLink(node, outline));
  stage.replaceChildren(...lines, ...visible.map((node) => drawNode(node, outline)));
}

function redraw() {
  drawTree();
  setStageHeight();
  applyView();
}

function pathClass(node) {
  if (!path) return "";
  return path.has(node.id) ? " on" : " off";
}

function drawLink(node, outline) {
  const kind = { class: `link${pathClass(node)}`, "aria-hidden": "true" };
  const { parent } = node;
  if (outline) {
    const down = `M${node.bend} ${parent.y + BOX.height / 2}V${node.y}H${node.x}`;
    return shape("g", kind, shape("path", { d: down, "stroke-width": 1.2 + 3 * (node.share || 0) }));
  }
  const half = node.bend + BOX.curve / 2;
  const turned = node.bend + BOX.curve;
  const d = `M${parent.x + parent.width} ${parent.y}H${node.bend}C${half} ${parent.y} ${half} ${node.y} ${turned} ${node.y}H${node.x}`;
  const thick = 1.2 + 9 * (node.share || 0);
  const words = shape("text", { x: turned, y: node.y - thick / 2 - 4, class: "branch" }, node.label);
  return shape("g", kind, shape("path", { d, "stroke-width": thick }), words);
}

function drawNode(node, outline) {
  const leaf = node.test === null;
  const inner = node.children.length > 0;
  const group = shape("g", {
    class: `node ${leaf ? "leaf" : "test"}${pathClass(node)}`,
    transform: `translate(${node.x} ${node.y - BOX.height / 2})`,
    tabindex: node === reached ? 0 : -1,
    role: "treeitem",
    "aria-level": node.depth + 1,
    "aria-expanded": inner ? String(!node.folded) : null,
    "aria-label": spoken(node, outline),
    "data-node": node.id,
  });
  group.append(shape("rect", { width: node.width, height: BOX.height, rx: 4, class: "box",
    stroke: leaf ? node.colour : null }));
  if (leaf) group.append(shape("rect", { width: node.width, height: BOX.height, rx: 4, fill: node.colour, opacity: 0.14 }));
  group.append(...[...strip(node),
    outline ? shape("text", { x: BOX.pad, y: 16, class: "branch" }, node.label) : "",
    " ", shape("text", { x: BOX.pad + (outline ? node.labelWidth : 0), y: 16, class: "name" }, node.title),
    " ", shape("text", { x: BOX.pad, y: 31, class: "words" }, node.words)].filter((part) => part !== ""));
  if (inner) group.append(foldMark(node));
  giveTip(group, () => nodeTip(node));
  group.addEventListener("click", () => { if (!stage.dataset.moved) choose(node); });
  group.addEventListener("focus", () => { reached = node; });
  return group;
}

// The shares of the classes at the foot of a box.
function strip(node) {
  let x = 0;
  const parts = node.shares.length ? node.shares.map(([label, share]) => [data.colours[label % data.colours.length], share])
    : [[node.colour, 1]];
  return parts.map(([fill, share]) => {
    const part = shape("rect", { x, y: BOX.height - 5, width: share * node.width, height: 5, fill });
    x += share * node.width;
    return part;
  });
}

function foldMark(node) {
  return shape("g", { class: "fold", transform: `translate(${node.width} ${BOX.height / 2})` },
    shape("circle", { r: 7 }), shape("path", { d: node.folded ? "M-3.5 0H3.5M0 -3.5V3.5" : "M-3.5 0H3.5" }));
}

// What is seen comes first, so that the name has it (and who speaks to the page can say it); then what it means.
function spoken(node, outline) {
  const seen = `${outline && node.label ? `${node.label} ` : ""}${node.title} ${node.words}`;
  return `${seen}; ${node.test === null ? `answer ${node.answer}` : `asks ${node.test}`}${node.condition ? ` where ${node.condition}` : ""}`;
}

function nodeTip(node) {
  const way = [];
  for (let at = node; at.parent; at = at.parent) way.unshift(at.condition);
  const content = html("div", {}, html("strong", {}, node.test === null ? `Answer: ${node.answer}` : `${node.test}?`));
  if (way.length) content.append(html("p", { class: "way" }, way.slice(-6).join(", ")));
  content.append(facts([
    [node.along ? "ordered at once" : "price here", node.price],
    ["paid on arrival", node.bill],
    ["answer if it ended here", node.test === null ? null : node.answer],
    [`${data.many} learnt from`, node.cases],
  ]), countList(node.counts));
  if (node.along) {
    const each = node.ordered.map(([name, price]) => `${name} ${price}`).join(", ");
    content.append(html("p", { class: "remark" }, `The answer comes late, so all that may be asked below is ordered with it: ${each}.`));
  }
  content.append(facts([[`${data.many} of this page`, node.here.cases]]), countList(node.here.counts));
  for (const remark of node.remarks) content.append(html("p", { class: "remark" }, remark));
  return content;
}

function choose(node) {
  reached = node;
  if (node.children.length) {
    node.folded = !node.folded;
    redraw();
  }
  focusNode(node);
}

function focusNode(node) {
  reached = node;
  for (const group of stage.querySelectorAll(".node")) {
    group.setAttribute("tabindex", group.dataset.node === String(node.id) ? 0 : -1);
  }
  reveal(node);
  stage.querySelector(`[data-node="${node.id}"]`).focus({ preventScroll: true });
}

function walkTo(key) {
  const visible = visibleNodes(root);
  const place = visible.indexOf(reached);
  if (key === "ArrowDown") return visible[place + 1];
  if (key === "ArrowUp") return visible[place - 1];
  if (key === "ArrowLeft") return reached.parent;
  if (key === "Home") return root;
  if (key === "End") return visible[visible.length - 1];
  return reached.folded ? null : reached.children[0];
}

function watchKeys() {
  stage.addEventListener("keydown", (event) => {
    const handled = pressed(event.key);
    if (handled) event.preventDefault();
  });
}

function pressed(key) {
  if (key === "Enter" || key === " ") choose(reached);
  else if (key === "+" || key === "=") zoom(1.2);
  else if (key === "-") zoom(1 / 1.2);
  else if (key === "0") fitView();
  else if (key === "ArrowRight" && reached.folded) choose(reached);
  else if (key.startsWith("Arrow") || key === "Home" || key === "End") {
    const goal = walkTo(key);
    if (goal) focusNode(goal);
  } else return false;
  return true;
}

function foldAll(folded) {
  for (const node of nodes.values()) node.folded = folded && node.depth > 0 && node.children.length > 0;
  redraw();
  fitView(READABLE);
}

// Show the way of a case: its nodes are unfolded and lit, the rest steps back; of a large tree it is folded.
function showPath(shares) {
  const large = nodes.size > 2 * ENDS;
  path = shares;
  for (const node of nodes.values()) {
    if (shares && shares.has(node.id)) node.folded = false;
    else if (large) node.folded = Boolean(shares) && node.children.length > 0;
  }
  if (large && !shares) foldFor(root, ENDS);
  redraw();
  lookAgain();
}

// The tree, and where it is too large for that, the chosen way.
function lookAgain() {
  const way = path ? [...path.keys()].map((id) => nodes.get(id)) : [];
  if (way.length && wholeScale() < READABLE) fitNodes(way);
  else fitView(READABLE);
}

function startTree() {
  foldFor(root, ENDS);
  drawTree();
  setStageHeight();
  fitView(READABLE);
  watchMouse();
  watchKeys();
  watchPrinting();
  byId("zoom-in").addEventListener("click", () => zoom(1.25));
  byId("zoom-out").addEventListener("click", () => zoom(1 / 1.25));
  byId("fit").addEventListener("click", () => fitView());
  byId("unfold").addEventListener("click", () => foldAll(false));
  byId("fold").addEventListener("click", () => foldAll(true));
}
