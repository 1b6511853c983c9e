// Walks one case down the tree; `fetch` gives the value of a test by its name.
function walk(fetch) {
  const values = new Map(); // test -> number, code, null (missing) or undefined (unseen)
  const paid = new Map(); // test -> what it cost, by the share of the case that bought it
  const read = (test) => {
    if (!values.has(test)) values.set(test, encoded(MODEL.tests[test], fetch(MODEL.tests[test].name)));
    return values.get(test);
  };
  const buy = (tests, share, basket) => {
    let own = basket;
    for (const test of tests) {
      if (own.includes(test) || (read(test) === null && !MODEL.charge_missing)) continue;
      paid.set(test, (paid.get(test) || 0) + share * priceOf(test, own));
      own = [...own, test];
    }
    return own;
  };
  const ends = [];
  const waiting = [[0, 1, buy(MODEL.upfront, 1, [])]];
  while (waiting.length) {
    let [node, share, basket] = waiting.pop();
    const step = MODEL.nodes[node];
    let branch = -2;
    if (step) {
      const [first] = step.questions[0];
      if (!basket.includes(first) && (read(first) !== null || MODEL.charge_missing)) basket = buy(step.orders.length ? step.orders : [first], share, basket);
      branch = branchOf(step, (test) => { if (test !== first) basket = buy([test], share, basket); return read(test); });
    }
    if (branch === -2) ends.push([share, MODEL.endings[node]]);
    else if (branch === -1) {
      for (let i = step.children.length - 1; i >= 0; i -= 1) if (share * step.shares[i] > 0) waiting.push([step.children[i], share * step.shares[i], basket]);
    } else waiting.push([step.children[branch], share, basket]);
  }
  return { ...answerOf(ends), asked: [...values.keys()], paid };
}
