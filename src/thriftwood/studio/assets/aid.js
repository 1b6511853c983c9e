// The tree as a page to consult: the model as src/thriftwood/export/javascript.py writes it, put into the page that Python made ready.

const TITLE_MARK = "\ue000";
const MODEL_MARK = "\ue001";

function preorder(tree) {
  const found = [];
  const open = [0];
  while (open.length) {
    const node = open.pop();
    found.push(node);
    if (tree.nodes.kind[node] !== 0) for (let i = tree.nodes.n_children[node] - 1; i >= 0; i -= 1) open.push(tree.nodes.first_child[node] + i);
  }
  return found;
}

// What the answers of a test mean: [test, cut or null, the branch of each]. Ranks are asked by name, as categories are.
function questionOf(tree, table, number, entry, flipped) {
  const { kind, feature, threshold, offset } = entry;
  const { categories } = table.columns[feature];
  let [cut, branches] = [null, categories.map((_, code) => tree.branch_map[offset + code])];
  if (kind === 1) [cut, branches] = categories.length ? [null, categories.map((_, rank) => Number(rank > threshold))] : [threshold, [0, 1]];
  return [number.get(feature), cut, flipped ? branches.map((one) => (one >= 0 ? 1 - one : -1)) : branches];
}

function stepOf(tree, table, costs, number, node) {
  const { nodes, surrogates } = tree;
  const own = { kind: nodes.kind[node], feature: nodes.feature[node], threshold: nodes.threshold[node], offset: nodes.map_offset[node] };
  const questions = [questionOf(tree, table, number, own, false)];
  for (let i = nodes.first_surrogate[node]; i < nodes.first_surrogate[node] + nodes.n_surrogates[node]; i += 1) {
    const other = { kind: surrogates.kind[i], feature: surrogates.feature[i], threshold: surrogates.threshold[i], offset: surrogates.map_offset[i] };
    questions.push(questionOf(tree, table, number, other, Boolean(surrogates.flipped[i])));
  }
  const children = Array.from({ length: nodes.n_children[node] }, (_, i) => nodes.first_child[node] + i);
  const weights = children.map((child) => nodes.weight[child]);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const column = table.columns[own.feature];
  return {
    questions,
    children,
    missing: nodes.missing_route[node],
    unseen: column.nominal ? nodes.unseen_route[node] : nodes.missing_route[node],
    shares: weights.map((weight) => (total > 0 && total < Infinity ? weight / total : 1 / children.length)),
    orders: testOf(costs, column.name).delayed ? featuresBelow(tree, node).map((feature) => number.get(feature)) : [],
  };
}

function endingOf(tree, node) {
  const label = tree.nodes.label[node];
  const weights = Array.from(tree.values.subarray(node * tree.width, (node + 1) * tree.width), (weight, k) => weight + (tree.smoothing.length ? tree.smoothing[k] : 0));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total > 0) return { label, values: weights.map((weight) => weight / total) };
  return { label, values: weights.map((_, k) => (label >= weights.length ? 1 / weights.length : Number(k === label))) };
}

function aidModel(tree, table, costs) {
  const asked = [...new Set([...featuresBelow(tree, 0), ...tree.surrogates.feature])];
  const number = new Map(asked.map((feature, test) => [feature, test]));
  const [groups, needs] = [[], []];
  const met = (list, name) => { if (!list.includes(name)) list.push(name); return list.indexOf(name); };
  const tests = asked.map((feature) => {
    const column = table.columns[feature];
    const test = testOf(costs, column.name);
    return {
      name: column.name,
      categories: column.nominal || column.categories.length ? column.categories : null,
      unseen_is_missing: !column.nominal && column.categories.length > 0,
      price: test.price,
      after: test.after === undefined ? null : test.after,
      group: test.group === undefined ? -1 : met(groups, test.group),
      needs: test.needs.map((need) => met(needs, need)),
    };
  });
  const places = preorder(tree).sort((a, b) => a - b);
  const inner = places.filter((node) => tree.nodes.kind[node] !== 0);
  const nodes = Object.fromEntries(inner.map((node) => [node, stepOf(tree, table, costs, number, node)]));
  const stops = places.filter((node) => !nodes[node] || nodes[node].missing === -2 || nodes[node].unseen === -2);
  return {
    tests,
    resources: needs.map((need) => costs.shared[need]),
    upfront: costs.payment === "upfront" ? featuresBelow(tree, 0).map((feature) => number.get(feature)) : [],
    charge_missing: costs.charge_missing !== false,
    classes: table.classes,
    answers: [...table.classes, ...furtherAnswers(costs)],
    loss: Array.from(tree.loss),
    nodes,
    endings: Object.fromEntries(stops.map((node) => [node, endingOf(tree, node)])),
    currency: costs.currency || "",
    many: casesName(costs),
  };
}

function aidText(page, title, model) {
  const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#x27;" };
  const shownTitle = title.replace(/[&<>"']/g, (one) => escapes[one]);
  const content = jsonText(model).replace(/[&<>]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);
  return page.split(TITLE_MARK).join(shownTitle).split(MODEL_MARK).join(content);
}
