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

// Nodes for drawing, each before its branches; without recursion, for a tree may be deep.
function drawnNodes(tree, table, costs, answers) {
  const found = [];
  const open = [{ id: 0, parent: null, branch: "", depth: 0, paid: [] }];
  while (open.length) {
    const node = open.pop();
    const { nodes } = tree;
    node.children = [];
    node.leaf = nodes.kind[node.id] === 0;
    node.weight = nodes.weight[node.id];
    if (node.parent) node.parent.children.push(node);
    found.push(node);
    if (node.leaf) {
      node.name = answers[nodes.label[node.id]];
      node.answer = nodes.label[node.id];
      node.price = totalPrice(costs, node.paid);
      continue;
    }
    node.name = table.columns[nodes.feature[node.id]].name;
    node.price = effectivePrice(costs, node.name, node.paid);
    const paid = node.paid.includes(node.name) ? node.paid : [...node.paid, node.name];
    for (let branch = nodes.n_children[node.id] - 1; branch >= 0; branch -= 1) {
      open.push({ id: nodes.first_child[node.id] + branch, parent: node, branch: branchWords(tree, table, node.id, branch), depth: node.depth + 1, paid });
    }
  }
  return found;
}

// The way of one case: its purchases in order, each with the nodes that it decides, and where it ends.
function wayOf(tree, table, costs, row) {
  const steps = [];
  let [node, paid, total, spread] = [0, [], 0, false];
  const asked = new Map(); // by name: a test that is asked again is known
  const buy = (name) => {
    const price = effectivePrice(costs, name, paid);
    paid = paid.includes(name) ? paid : [...paid, name];
    total += price;
    return price;
  };
  const below = (start) => {
    const names = [];
    const open = [start];
    while (open.length) {
      const one = open.pop();
      if (tree.nodes.kind[one] === 0) continue;
      const { name } = table.columns[tree.nodes.feature[one]];
      if (!names.includes(name)) names.push(name);
      for (let i = tree.nodes.n_children[one] - 1; i >= 0; i -= 1) open.push(tree.nodes.first_child[one] + i);
    }
    return names;
  };
  if (costs.payment === "upfront") below(0).forEach((name) => steps.push({ name, value: "ordered at once", price: buy(name), total }));
  while (tree.nodes.kind[node] !== 0) {
    const column = table.columns[tree.nodes.feature[node]];
    const value = column.values[row];
    const missing = column.nominal ? value < 0 : Number.isNaN(value);
    const words = missing ? "missing" : column.categories.length ? column.categories[value] : String(value);
    const late = testOf(costs, column.name).delayed && !paid.includes(column.name);
    const free = missing && costs.charge_missing === false;
    if (asked.has(column.name)) asked.get(column.name).nodes.push(node);
    else {
      const price = free ? 0 : buy(column.name);
      asked.set(column.name, { name: column.name, value: words, price, total, nodes: [node] });
      steps.push(asked.get(column.name));
    }
    if (late && !free) below(node).filter((name) => !paid.includes(name)).forEach((name) => steps.push({ name, value: "ordered along", price: buy(name), total }));
    let branch = missing ? tree.nodes.missing_route[node] : -2;
    if (!missing && tree.nodes.kind[node] === 1) branch = value <= tree.nodes.threshold[node] ? 0 : 1;
    if (!missing && tree.nodes.kind[node] === 2) {
      branch = tree.branch_map[tree.nodes.map_offset[node] + value];
      if (branch < 0) branch = tree.nodes.missing_route[node];
    }
    if (branch < 0) { spread = branch === -1; break; }
    node = tree.nodes.first_child[node] + branch;
  }
  return { steps, end: node, spread };
}
