// What a tree asks next of one case, and what is ordered with it.

// Walks down on what is known: the first test that the way needs, or none where it ends; what is ordered along is asked only where the way comes
// to it. `bought`: the tests that are ordered so far, and `along` those that come with the next one.
function onTheWay(known) {
  const valueOf = (number) => encoded(MODEL.tests[number], known.get(MODEL.tests[number].name));
  const isKnown = (number) => known.has(MODEL.tests[number].name);
  const isLacked = (number) => isKnown(number) && valueOf(number) === null && !MODEL.charge_missing;
  const bought = new Set();
  const buy = (numbers, basket) => numbers.filter((number) => !isLacked(number)).forEach((number) => { basket.add(number); bought.add(number); });
  const start = new Set();
  buy(MODEL.upfront, start);
  const open = [[0, start]];
  while (open.length) {
    const [node, basket] = open.pop();
    const step = MODEL.nodes[node];
    if (!step) continue;
    const [[first]] = step.questions;
    let needed = null;
    if (isKnown(first) && !basket.has(first) && !isLacked(first)) buy(step.orders.length ? step.orders : [first], basket);
    const branch = branchOf(step, (number) => {
      if (!isKnown(number)) needed ??= number;
      if (needed !== null) return undefined;
      if (number !== first) buy([number], basket);
      return valueOf(number);
    });
    if (needed !== null) {
      const orders = needed === first && !basket.has(first) ? step.orders : [];
      const along = orders.filter((number) => number !== needed && !basket.has(number) && !isLacked(number));
      return { ask: MODEL.tests[needed], along, bought };
    }
    if (branch === -1) for (let i = step.children.length - 1; i >= 0; i -= 1) if (step.shares[i] > 0) open.push([step.children[i], new Set(basket)]);
    if (branch >= 0) open.push([step.children[branch], basket]);
  }
  return { ask: null, along: [], bought };
}

// The decision, or what was paid so far: what was ordered and not asked is paid, whatever comes out; the rest is not to be had.
function decidedBy(known, bought) {
  const ordered = new Set([...bought].map((number) => MODEL.tests[number].name));
  const standIn = ({ categories }) => (categories === null ? 0 : categories[0]);
  const test = (name) => MODEL.tests.find((one) => one.name === name);
  return decide((name) => (known.has(name) ? known.get(name) : ordered.has(name) ? standIn(test(name)) : null));
}

// The next question, or the decision, of every model; score cards and panels order nothing along that they do not ask.
function nextStep(known) {
  if (!MODEL.nodes) {
    const step = next(Object.fromEntries(known));
    return { ...step, along: [], result: step.decision || decidedBy(known, []), unasked: [] };
  }
  const { ask, along, bought } = onTheWay(known);
  const result = decidedBy(known, bought);
  const unasked = [...bought].map((number) => MODEL.tests[number].name).filter((name) => !known.has(name));
  return { ...(ask ? { ask } : { decision: result }), along, result, unasked };
}
