// The tree as a picture: from left to right where there is room, otherwise as an outline with a row for each node.

const BOX = { height: 40, row: 50, pad: 10, gap: 34, margin: 12, indent: 24 };
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#555555"];
const MOST_DRAWN = 400;
const pen = document.createElement("canvas").getContext("2d");

const letterWidths = new Map(); // by font and letter: the pen is slow, and hundreds of texts change with a price
const textWidths = new Map(); // by font and text: as many do not
const MOST_TEXTS = 5000;

function keptMap(maps, font) {
  if (!maps.has(font)) maps.set(font, new Map());
  return maps.get(font);
}

function letterWidth(letter, font) {
  const widths = keptMap(letterWidths, font);
  if (!widths.has(letter)) {
    pen.font = font;
    widths.set(letter, pen.measureText(letter).width * 1.05);
  }
  return widths.get(letter);
}

const fontOf = (size, bold) => `${bold ? "600 " : ""}${size}px system-ui, sans-serif`;

function textWidth(text, size, bold) {
  const font = fontOf(size, bold);
  const widths = keptMap(textWidths, font);
  let width = widths.get(text);
  if (width === undefined) {
    width = 0;
    for (const letter of text) width += letterWidth(letter, font);
    if (widths.size >= MOST_TEXTS) widths.clear();
    widths.set(text, width);
  }
  return width;
}

function shortened(text, longest = 34) {
  const letters = [...text];
  return letters.length <= longest ? text : `${letters.slice(0, longest - 1).join("")}…`;
}

// As much of a text as is so wide at most.
function fitted(text, room, size, bold) {
  if (textWidth(text, size, bold) <= room) return text;
  const [letters, font] = [[...text], fontOf(size, bold)];
  let [kept, width] = [1, letterWidth("…", font) + letterWidth(letters[0], font)];
  while (kept < letters.length && (width += letterWidth(letters[kept], font)) <= room) kept += 1;
  return `${letters.slice(0, kept).join("")}…`;
}

// The way to a node and what is there, on one line. Where both are too long the way is cut first, down to two fifths: the end is the answer.
function titleWithWay({ label, title }, room) {
  const whole = label ? `${label}: ${title}` : title;
  if (!label || textWidth(whole, 14, true) <= room) return fitted(whole, room, 14, true);
  const end = `: ${fitted(title, 0.6 * room, 14, true)}`;
  return `${fitted(label, room - textWidth(end, 14, true), 14, true)}${end}`;
}

function measured(nodes, costs) {
  for (const node of nodes) {
    node.title = shortened(node.leaf ? node.name : `${node.name}?`);
    node.words = shortened(nodeWords(node, costs), 70);
    node.label = shortened(node.branch, 26);
    node.labelWidth = node.label ? textWidth(node.label, 12, false) : 0;
    node.width = Math.max(textWidth(node.title, 14, true), textWidth(node.words, 12, false)) + 2 * BOX.pad;
  }
}

function leftToRight(nodes) {
  let rows = 0;
  for (const node of nodes) if (!node.children.length) { node.y = BOX.margin + BOX.height / 2 + BOX.row * rows; rows += 1; }
  for (const node of nodes) {
    const labels = node.parent ? Math.max(...node.parent.children.map((one) => one.labelWidth)) : 0;
    node.x = node.parent ? node.parent.x + node.parent.width + labels + BOX.gap : BOX.margin;
  }
  for (const node of [...nodes].reverse()) {
    if (node.children.length) node.y = (node.children[0].y + node.children[node.children.length - 1].y) / 2;
  }
  return { width: Math.max(...nodes.map((node) => node.x + node.width)) + BOX.margin, height: 2 * BOX.margin + (rows - 1) * BOX.row + BOX.height };
}

function outlined(nodes, room) {
  const deepest = Math.max(1, ...nodes.map((node) => node.depth));
  const indent = Math.min(BOX.indent, (room * 0.35) / deepest);
  nodes.forEach((node, row) => {
    node.x = 4 + indent * node.depth;
    node.y = BOX.margin + BOX.height / 2 + (BOX.height + 6) * row;
    const inside = room - node.x - 4 - 2 * BOX.pad;
    node.title = titleWithWay(node, inside);
    node.words = fitted(node.words, inside, 12, false);
    node.width = Math.max(textWidth(node.title, 14, true), textWidth(node.words, 12, false)) + 2 * BOX.pad;
  });
  return { width: room, height: 2 * BOX.margin + (BOX.height + 6) * nodes.length };
}

// Draws into `at`, and returns the nodes with the elements they are drawn as.
function drawTree(at, nodes, costs, room) {
  const all = nodes.length;
  const kept = nodes.slice(0, MOST_DRAWN);
  const drawn = new Set(kept);
  kept.forEach((node) => { node.children = node.children.filter((child) => drawn.has(child)); });
  measured(kept, costs);
  let size = leftToRight(kept);
  const outline = size.width > room * 1.25;
  if (outline) size = outlined(kept, room);
  const scale = Math.min(1, room / size.width);
  const picture = shape("svg", {
    xmlns: SVG, class: "tree", viewBox: `0 0 ${size.width} ${size.height}`, width: size.width * scale, height: size.height * scale, role: "img",
    "aria-label": "the tree; its text is in the list below",
  });
  for (const node of kept) {
    if (!node.parent) continue;
    const { parent } = node;
    if (outline) {
      const x = parent.x + 10;
      picture.append(shape("path", { class: "branch", d: `M${x} ${parent.y + BOX.height / 2}V${node.y}H${node.x}` }));
    } else {
      const [x1, x2] = [parent.x + parent.width, node.x];
      const bend = x1 + BOX.gap - 8;
      picture.append(shape("path", { class: "branch", d: `M${x1} ${parent.y}C${bend} ${parent.y} ${x1 + 6} ${node.y} ${bend} ${node.y}H${x2}` }),
        shape("text", { class: "condition", x: bend + 3, y: node.y - 5 }, node.label));
    }
  }
  for (const node of kept) {
    const box = shape("rect", { class: node.leaf ? "box leaf" : "box", x: node.x, y: node.y - BOX.height / 2, width: node.width, height: BOX.height, rx: node.leaf ? 14 : 5 });
    if (node.leaf) box.setAttribute("stroke", COLOURS[node.answer % COLOURS.length]);
    node.element = shape("g", { class: "node" }, box, shape("text", { class: "name", x: node.x + BOX.pad, y: node.y - 3 }, node.title),
      shape("text", { class: "words", x: node.x + BOX.pad, y: node.y + 13 }, node.words));
    picture.append(node.element);
  }
  at.replaceChildren(picture);
  return all > kept.length ? `The first ${kept.length} of ${all} nodes are drawn.` : "";
}

// What is free is not ordered.
function orderWords(costs, name) {
  return listPrice(costs, name) > 0 ? `order ${name}` : `look at ${name}`;
}

// The same as a list, for those who do not see the picture.
function listTree(at, nodes, costs) {
  const lists = new Map();
  const root = html("ul", {});
  for (const node of nodes.slice(0, MOST_DRAWN)) {
    const item = html("li", {}, `${node.branch ? `${node.branch}: ` : ""}${node.leaf ? `answer ${node.name}` : orderWords(costs, node.name)} (${nodeWords(node, costs)})`);
    if (node.children.length) { lists.set(node, html("ul", {})); item.append(lists.get(node)); }
    (node.parent && lists.get(node.parent) ? lists.get(node.parent) : root).append(item);
  }
  at.replaceChildren(root);
}
