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
      let decided = false;
      for (const [test, cut, branches] of step.questions) {
        if (test !== first) basket = buy([test], share, basket);
        const value = read(test);
        if (value === null || value === undefined) continue;
        branch = branches[cut === null ? value : Number(value > cut)];
        if (branch >= 0) { decided = true; break; }
      }
      if (!decided) branch = read(first) === undefined ? step.unseen : step.missing;
    }
    if (branch === -2) ends.push([share, MODEL.endings[node]]);
    else if (branch === -1) {
      for (let i = step.children.length - 1; i >= 0; i -= 1) if (share * step.shares[i] > 0) waiting.push([step.children[i], share * step.shares[i], basket]);
    } else waiting.push([step.children[branch], share, basket]);
  }
  return { ...answerOf(ends), asked: [...values.keys()], paid };
}

function answerOf(ends) {
  if (MODEL.classes === null) {
    const total = ends.reduce((sum, [share]) => sum + share, 0);
    return { answer: ends.length === 1 ? ends[0][1].values[0] : ends.reduce((sum, [share, end]) => sum + share * end.values[0], 0) / total };
  }
  const sums = MODEL.classes.map((_, k) => Math.min(1, ends.reduce((sum, [share, end]) => sum + share * end.values[k], 0)));
  return { answer: MODEL.answers[ends.length === 1 ? ends[0][1].label : cheapest(sums)], probabilities: sums };
}

// Ties, up to rounding, go to the first answer.
function cheapest(sums) {
  let best = 0;
  if (!MODEL.loss.length) {
    for (let k = 1; k < sums.length; k += 1) if (sums[k] > sums[best] + 1e-12 * Math.abs(sums[best])) best = k;
    return best;
  }
  const n = MODEL.answers.length;
  const costs = MODEL.answers.map((_, k) => sums.reduce((sum, share, actual) => sum + share * MODEL.loss[actual * n + k], 0));
  for (let k = 1; k < n; k += 1) if (costs[best] > costs[k] + 1e-12 * Math.abs(costs[k])) best = k;
  return best;
}
