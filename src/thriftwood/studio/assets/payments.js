// What the tests of a tree cost where they stand, as `thriftwood show` says it: core/accounting/node_payments.hpp has the rules.

// The branch of those cases that have no value of a node's test, and of no others; -1 where there is none.
function missingBranch(tree, node) {
  const { kind, threshold, n_children, n_surrogates, missing_route, map_offset, feature } = tree.nodes;
  if (kind[node] === 1) {
    if (n_children[node] > 2) return 2;
    return threshold[node] === EVERY_NUMBER && !n_surrogates[node] && missing_route[node] === 1 ? 1 : -1;
  }
  if (kind[node] === 0 || n_surrogates[node] || missing_route[node] < 0) return -1;
  const branches = tree.branch_map.subarray(map_offset[node], map_offset[node] + tree.feature_values[feature[node]]);
  return branches.some((branch) => branch < 0 || branch === missing_route[node]) ? -1 : missing_route[node];
}

class Payments {
  constructor(tree, table, costs) {
    [this.tree, this.costs] = [tree, costs];
    this.names = table.columns.map((column) => column.name);
    this.atOnce = costs.payment === "upfront" ? this.below(0) : null;
    this.totals = new Map();
    this.seen = []; // where all is paid at once, a price stands at the first node that asks for its test
  }

  below(node) {
    return featuresBelow(this.tree, node).map((feature) => this.names[feature]);
  }

  // What is bought at a node by cases that have bought `paid`: its test, and all below it where that comes late. Those that lack a test buy it
  // nowhere, and it delays nothing.
  boughtAt(node, paid, lacked) {
    const name = this.names[this.tree.nodes.feature[node]];
    if (paid.includes(name) || lacked.includes(name)) return [];
    if (!testOf(this.costs, name).delayed) return [name];
    return this.below(node).filter((one) => !paid.includes(one) && !lacked.includes(one));
  }

  // What cases that lack some tests have bought after the nodes of a way.
  paidAfter(way, lacked) {
    if (this.atOnce) return this.atOnce.filter((name) => !lacked.includes(name));
    return way.reduce((paid, node) => [...paid, ...this.boughtAt(node, paid, lacked)], []);
  }

  // Puts price and purchases to a node of `drawnNodes`, and returns what its branches begin with; `begins` is what it began with itself.
  price(node, { way, paid, lacked }) {
    if (node.leaf) {
      node.price = this.total(paid);
      return () => null;
    }
    const before = this.atOnce ? this.seen : paid;
    const bought = this.atOnce ? [node.name].filter((name) => !before.includes(name)) : this.boughtAt(node.id, before, lacked);
    const after = [...before, ...bought];
    node.price = bought.reduce((sum, name, i) => sum + effectivePrice(this.costs, name, [...before, ...bought.slice(0, i)]), 0);
    node.along = bought.filter((name) => name !== node.name);
    node.bought = bought.length > 0;
    if (this.atOnce) this.seen = after;
    const [on, apart] = [[...way, node.id], this.costs.charge_missing === false ? missingBranch(this.tree, node.id) : -1];
    const beginning = (gone) => ({ way: on, paid: this.paidAfter(on, gone), lacked: gone });
    const usual = { way: on, paid: this.atOnce ? paid : after, lacked };
    return (branch) => (branch === apart ? beginning([...lacked, node.name]) : usual);
  }

  // Of leaves side by side: they have paid for the same.
  total(paid) {
    if (!this.totals.has(paid)) this.totals.set(paid, totalPrice(this.costs, paid));
    return this.totals.get(paid);
  }

  start() {
    return { way: [], paid: this.paidAfter([], []), lacked: [] };
  }
}

// What every way from a node ends with, by nodes: the number of an answer, null where they differ. A test that stops cases answers, too.
function commonAnswers(tree) {
  const { kind, label, first_child, n_children, missing_route, unseen_route } = tree.nodes;
  const common = Array.from(label);
  for (let node = tree.size - 1; node >= 0; node -= 1) { // branches have larger numbers
    if (kind[node] === 0) continue;
    const ends = new Set(Array.from({ length: n_children[node] }, (_, branch) => common[first_child[node] + branch]));
    if (missing_route[node] === -2 || unseen_route[node] === -2) ends.add(label[node]);
    common[node] = ends.size === 1 ? [...ends][0] : null;
  }
  return common;
}
