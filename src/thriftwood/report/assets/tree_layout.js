// Where nodes stand: from left to right, a column for each depth, a row for each visible end.

const BOX = { height: 42, row: 54, pad: 10, curve: 34, margin: 14, name: 13, note: 11.5, longest: 30 };
const pen = document.createElement("canvas").getContext("2d");

function textWidth(text, size, bold) {
  pen.font = `${bold ? "600 " : ""}${size}px system-ui, sans-serif`;
  return pen.measureText(text).width * 1.04;
}

function shortened(text) {
  const letters = [...text]; // whole characters, not halves of them
  if (letters.length <= BOX.longest) return text;
  const head = Math.floor(BOX.longest / 2);
  return `${letters.slice(0, head).join("")}…${letters.slice(head + 1 - BOX.longest).join("")}`;
}

// Nodes with what the drawing needs besides their data: children, depth, widths, whether they are folded.
function preparedNodes(records) {
  const nodes = new Map();
  for (const record of records) {
    const parent = nodes.get(record.parent) || null;
    const node = { ...record, parent, children: [], depth: parent ? parent.depth + 1 : 0, folded: false };
    node.title = shortened(node.test === null ? node.answer : node.test);
    node.words = nodeNotes(node).join(" · ");
    node.label = shortened(node.branch);
    node.width = Math.max(textWidth(node.title, BOX.name, true), textWidth(node.words, BOX.note, false)) + 2 * BOX.pad;
    node.labelWidth = textWidth(node.label, BOX.note, false) + 8;
    if (parent) parent.children.push(node);
    nodes.set(record.id, node);
  }
  return nodes;
}

function nodeNotes(node) {
  const notes = [];
  if (node.test !== null && node.price !== null) notes.push(node.price === "paid before" ? node.price : `price ${node.price}`);
  notes.push(counted(node.cases, "case"));
  if (node.test === null && node.bill !== null) notes.push(`bill ${node.bill}`);
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

function placeNodes(visible) {
  const boxes = [];
  const labels = [];
  let rows = 0;
  for (const node of visible) {
    boxes[node.depth] = Math.max(boxes[node.depth] || 0, node.width);
    labels[node.depth] = Math.max(labels[node.depth] || 0, node.labelWidth);
    if (node.folded || node.children.length === 0) node.y = BOX.margin + BOX.height / 2 + BOX.row * rows++;
  }
  for (const node of [...visible].reverse()) {
    if (node.folded || node.children.length === 0) continue;
    node.y = (node.children[0].y + node.children[node.children.length - 1].y) / 2;
  }
  const left = [];
  const bend = [];
  let x = BOX.margin;
  boxes.forEach((width, depth) => {
    bend.push(x);
    x += depth ? labels[depth] + BOX.curve : 0;
    left.push(x);
    x += width + 8; // room for the mark that folds
  });
  for (const node of visible) [node.x, node.bend] = [left[node.depth], bend[node.depth]];
  return { width: x + BOX.margin, height: 2 * BOX.margin + (rows - 1) * BOX.row + BOX.height };
}

// Fold the deepest levels until a reader can take the tree in at a glance.
function foldFor(root, mostEnds) {
  const all = visibleNodes(root);
  for (let depth = Math.max(...all.map((node) => node.depth)) - 1; depth > 0; depth -= 1) {
    if (visibleNodes(root).filter((node) => node.folded || !node.children.length).length <= mostEnds) return;
    for (const node of all) if (node.depth === depth && node.children.length) node.folded = true;
  }
}
