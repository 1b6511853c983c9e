// Where nodes stand. Two ways: drawn from left to right, where that can be read in the width there is; otherwise as an
// outline, a row for each node below the one before, which fits any width.

const BOX = { height: 42, row: 54, line: 50, pad: 10, curve: 30, margin: 14, name: 13, note: 11.5, longest: 30, indent: 26 };
const FOLD = 8; // the mark that folds stands out by so much
const READABLE = 0.75; // letters smaller than this part of their size are hard to read
const pen = document.createElement("canvas").getContext("2d");

function textWidth(text, size, bold) {
  pen.font = `${bold ? "600 " : ""}${size}px system-ui, sans-serif`;
  return pen.measureText(text).width * 1.04;
}

function shortened(text, longest = BOX.longest) {
  const letters = [...text]; // whole characters, not halves of them
  if (letters.length <= longest) return text;
  const head = Math.floor(longest / 2);
  return `${letters.slice(0, head).join("")}…${letters.slice(head + 1 - longest).join("")}`;
}

// As much of a text as there is room for.
function fitted(text, size, bold, room) {
  let longest = [...text].length;
  while (longest > 3 && textWidth(shortened(text, longest), size, bold) > room) longest -= Math.ceil(longest / 12);
  return shortened(text, longest);
}

// Nodes with what the drawing needs besides their data: children, depth, whether they are folded.
function preparedNodes(records) {
  const nodes = new Map();
  for (const record of records) {
    const parent = nodes.get(record.parent) || null;
    const node = { ...record, parent, children: [], depth: parent ? parent.depth + 1 : 0, folded: false };
    node.name = node.test === null ? node.answer : node.test;
    node.notes = nodeNotes(node).join(" · ");
    if (parent) parent.children.push(node);
    nodes.set(record.id, node);
  }
  return nodes;
}

function nodeNotes(node) {
  const notes = [];
  if (node.test !== null && node.price !== null) notes.push(node.price + node.along);
  notes.push(counted(node.cases, data.one, data.many));
  if (node.test === null && node.bill !== null) notes.push(`${node.bill} paid`);
  if (node.below) notes.push(`${node.below} nodes below`);
  return notes;
}

// The visible nodes, each before its branches. No recursion: a tree may be deep.
function visibleNodes(root) {
  const found = [];
  const open = [root];
  while (open.length) {
    const node = open.pop();
    found.push(node);
    if (!node.folded) open.push(...[...node.children].reverse());
  }
  return found;
}

function isEnd(node) {
  return node.folded || node.children.length === 0;
}

// A row for each visible end, a test in the middle of its branches. Subtrees share no row, so boxes cannot overlap.
function leftToRight(visible) {
  let rows = 0;
  let right = 0;
  for (const node of visible) {
    [node.title, node.words, node.label] = [shortened(node.name), node.notes, shortened(node.branch)];
    node.width = Math.max(textWidth(node.title, BOX.name, true), textWidth(node.words, BOX.note, false)) + 2 * BOX.pad;
    node.labelWidth = node.label ? textWidth(node.label, BOX.note, false) + 8 : 0;
    if (isEnd(node)) node.y = BOX.margin + BOX.height / 2 + BOX.row * rows++;
  }
  for (const node of visible) {
    const { parent } = node;
    node.bend = parent ? parent.x + parent.width + FOLD : 0;
    const labels = parent ? Math.max(...parent.children.map((one) => one.labelWidth)) : 0;
    node.x = parent ? node.bend + labels + BOX.curve : BOX.margin;
    right = Math.max(right, node.x + node.width);
  }
  for (const node of [...visible].reverse()) {
    if (!isEnd(node)) node.y = (node.children[0].y + node.children[node.children.length - 1].y) / 2;
  }
  return { width: right + FOLD + BOX.margin, height: 2 * BOX.margin + (rows - 1) * BOX.row + BOX.height, outline: false };
}

// A row for each node, moved in by its depth; its branch is written in its own box.
function outlined(visible, width) {
  const deepest = Math.max(1, ...visible.map((node) => node.depth));
  const indent = Math.min(BOX.indent, (width * 0.35) / deepest);
  visible.forEach((node, row) => {
    node.x = BOX.margin / 2 + indent * node.depth;
    node.y = BOX.margin + BOX.height / 2 + BOX.line * row;
    const room = width - node.x - BOX.margin / 2 - FOLD - 2 * BOX.pad;
    node.label = node.branch ? fitted(node.branch, BOX.note, false, room * 0.5) : "";
    node.labelWidth = node.label ? textWidth(node.label, BOX.note, false) + 10 : 0;
    node.title = fitted(node.name, BOX.name, true, room - node.labelWidth);
    node.words = fitted(node.notes, BOX.note, false, room);
    const needed = Math.max(node.labelWidth + textWidth(node.title, BOX.name, true), textWidth(node.words, BOX.note, false));
    node.width = Math.min(needed, room) + 2 * BOX.pad;
    node.bend = node.parent ? node.parent.x + indent / 2 : 0;
  });
  return { width, height: 2 * BOX.margin + (visible.length - 1) * BOX.line + BOX.height, outline: true };
}

// Fold the deepest levels until a reader can take the tree in at a glance.
function foldFor(root, mostEnds) {
  const all = visibleNodes(root);
  for (let depth = Math.max(...all.map((node) => node.depth)) - 1; depth > 0; depth -= 1) {
    if (visibleNodes(root).filter(isEnd).length <= mostEnds) return;
    for (const node of all) if (node.depth === depth && node.children.length) node.folded = true;
  }
}
