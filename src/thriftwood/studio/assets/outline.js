// A tree in words: its branches, its nodes, the way of one case.

const sortedValues = new WeakMap(); // by column: a cut is written at every price, and 10,000 values take a millisecond to sort

function branchWords(tree, table, node, branch) {
  const column = table.columns[tree.nodes.feature[node]];
  if (branch === tree.nodes.missing_route[node] && branch === tree.nodes.n_children[node] - 1 && (branch > 1 || tree.nodes.kind[node] === 2)) {
    const kept = tree.nodes.kind[node] === 2 ? codesOf(tree, node, branch) : [];
    if (!kept.length) return "missing";
  }
  if (tree.nodes.kind[node] === 1) {
    const threshold = tree.nodes.threshold[node];
    if (threshold === EVERY_NUMBER) return branch === 0 ? "known" : "missing";
    if (column.categories.length) return `${branch === 0 ? "up to" : "above"} ${column.categories[Math.floor(threshold)]}`;
    return `${branch === 0 ? "≤" : ">"} ${cutText(threshold, besideCut(column, threshold))}`;
  }
  const names = codesOf(tree, node, branch).map((code) => column.categories[code]);
  return names.length > 3 ? `${names.slice(0, 2).join(", ")} or ${names.length - 2} others` : names.join(", ") || "others";
}

// The values of a column on both sides of a cut.
function besideCut(column, cut) {
  if (!sortedValues.has(column)) sortedValues.set(column, Float64Array.from(column.values).sort()); // missing ones last
  const values = sortedValues.get(column);
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= cut) low = middle + 1; else high = middle;
  }
  return [values[low - 1], values[low]].filter((one) => !Number.isNaN(one ?? NaN));
}

function codesOf(tree, node, branch) {
  const start = tree.nodes.map_offset[node];
  const count = tree.feature_values[tree.nodes.feature[node]];
  return Array.from({ length: count }, (_, code) => code).filter((code) => tree.branch_map[start + code] === branch);
}

// Nodes for drawing, each before its branches; without recursion, for a tree may be deep. Of idle tests, which cannot change the answer, those
// that stand below no other say so.
function drawnNodes(tree, table, costs, answers) {
  const found = [];
  const payments = new Payments(tree, table, costs);
  const common = commonAnswers(tree);
  const open = [{ node: { id: 0, parent: null, branch: "", depth: 0 }, begins: payments.start() }];
  while (open.length) {
    const { node, begins } = open.pop();
    const { nodes } = tree;
    node.children = [];
    node.leaf = nodes.kind[node.id] === 0;
    node.weight = nodes.weight[node.id];
    if (node.parent) node.parent.children.push(node);
    found.push(node);
    node.name = node.leaf ? answers[nodes.label[node.id]] : table.columns[nodes.feature[node.id]].name;
    if (node.leaf) node.answer = nodes.label[node.id];
    else if (common[node.id] !== null && !(node.parent && common[node.parent.id] !== null)) node.idle = answers[common[node.id]];
    const beginning = payments.price(node, begins);
    if (node.leaf) continue;
    for (let branch = nodes.n_children[node.id] - 1; branch >= 0; branch -= 1) {
      const child = { id: nodes.first_child[node.id] + branch, parent: node, branch: branchWords(tree, table, node.id, branch), depth: node.depth + 1 };
      open.push({ node: child, begins: beginning(branch) });
    }
  }
  return found;
}

// What stands below the name of a node: its price, with what is ordered along because its result comes late.
function nodeWords(node, costs) {
  const cases = counted(node.weight, costs.case_name || "case", casesName(costs));
  if (node.leaf) return `${cases} · ${money(node.price, costs)} paid`;
  const free = listPrice(costs, node.name) > 0 && !node.bought ? "paid before" : "free";
  const [named, others] = node.along.length > 3 ? [node.along.slice(0, 2), ` and ${node.along.length - 2} others`] : [node.along, ""];
  const along = named.length ? ` with ${named.join(", ")}${others}` : "";
  const idle = node.idle === undefined ? "" : ` · idle: all below answer ${node.idle}`;
  return `${node.price > 0 ? money(node.price, costs) : free}${along} · ${cases}${idle}`;
}

// The tests of a subtree, by their columns, in the order in which a reader meets them.
function featuresBelow(tree, start) {
  const found = [];
  const open = [start];
  while (open.length) {
    const node = open.pop();
    if (tree.nodes.kind[node] === 0) continue;
    if (!found.includes(tree.nodes.feature[node])) found.push(tree.nodes.feature[node]);
    for (let i = tree.nodes.n_children[node] - 1; i >= 0; i -= 1) open.push(tree.nodes.first_child[node] + i);
  }
  return found;
}

function isMissing(column, row) {
  return column.nominal ? column.values[row] < 0 : Number.isNaN(column.values[row]);
}

// What tests that everybody gets cost a case, on average: less where some cannot be had and missing values are not charged.
function meanPanelPrice(table, costs, panel, answers) {
  if (costs.charge_missing !== false) return totalPrice(costs, panel);
  const columns = panel.map((name) => table.columns.find((column) => column.name === name));
  const prices = new Map(); // by the tests that a case has
  let [sum, known] = [0, 0];
  for (let row = 0; row < table.labels.length; row += 1) {
    if (answers[row] < 0) continue;
    known += 1;
    const names = columns.filter((column) => !isMissing(column, row)).map((column) => column.name);
    const key = JSON.stringify(names);
    if (!prices.has(key)) prices.set(key, totalPrice(costs, names));
    sum += prices.get(key);
  }
  return sum / known;
}

// The branch of a case at a node; -1 where it goes down all of them, -2 where it stops.
function branchAt(tree, node, column, row) {
  const { kind, threshold, map_offset, missing_route } = tree.nodes;
  if (isMissing(column, row)) return missing_route[node];
  const value = column.values[row];
  if (kind[node] === 1) return value <= threshold[node] ? 0 : 1;
  const branch = tree.branch_map[map_offset[node] + value];
  return branch < 0 ? missing_route[node] : branch;
}

// What a case buys: tests in their order, each at what it costs after those before. One that cannot be had is not bought where such are free.
class Basket {
  constructor(table, costs, row) {
    [this.table, this.costs, this.row] = [table, costs, row];
    this.names = [];
    this.total = 0;
  }

  isToBuy(column) {
    return !this.names.includes(column.name) && !(isMissing(column, this.row) && this.costs.charge_missing === false);
  }

  // What it cost; nothing where it was bought before, or need not be.
  buy(column) {
    if (!this.isToBuy(column)) return 0;
    const price = effectivePrice(this.costs, column.name, this.names);
    this.names.push(column.name);
    this.total += price;
    return price;
  }

  // As steps of the way: tests that are ordered before their results are asked for.
  ordered(features, value) {
    return features.map((feature) => this.table.columns[feature]).filter((column) => this.isToBuy(column))
      .map((column) => ({ name: column.name, value, price: this.buy(column), total: this.total }));
  }
}

// The way of one case: its purchases in order, each with the nodes that it decides, and where it ends.
function wayOf(tree, table, costs, row) {
  const basket = new Basket(table, costs, row);
  const steps = costs.payment === "upfront" ? basket.ordered(featuresBelow(tree, 0), "ordered at once") : [];
  const asked = new Map(); // by name: a test that is asked again is known
  let node = 0;
  while (tree.nodes.kind[node] !== 0) {
    const column = table.columns[tree.nodes.feature[node]];
    const { name } = column;
    if (asked.has(name)) asked.get(name).nodes.push(node);
    else {
      const late = testOf(costs, name).delayed && basket.isToBuy(column);
      const value = isMissing(column, row) ? "missing" : column.categories.length ? column.categories[column.values[row]] : String(column.values[row]);
      asked.set(name, { name, value, price: basket.buy(column), total: basket.total, nodes: [node] });
      steps.push(asked.get(name), ...(late ? basket.ordered(featuresBelow(tree, node), "ordered along") : []));
    }
    const branch = branchAt(tree, node, column, row);
    if (branch < 0) return { steps, end: node, spread: branch === -1 };
    node = tree.nodes.first_child[node] + branch;
  }
  return { steps, end: node, spread: false };
}
