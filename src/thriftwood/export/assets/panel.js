// Asks trees one after the other until their vote is decided; they share what was bought. `fetch` gives the value of a test by its name.
function walk(fetch) {
  const values = new Map(); // test -> number, code, null (missing) or undefined (unseen)
  const paid = new Map();
  const read = (test) => {
    if (!values.has(test)) values.set(test, encoded(MODEL.tests[test], fetch(MODEL.tests[test].name)));
    return values.get(test);
  };
  const lacks = (test) => read(test) === null && !MODEL.charge_missing;
  const buy = (tests) => { for (const test of tests) if (!paid.has(test) && !lacks(test)) paid.set(test, priceOf(test, [...paid.keys()])); };
  buy(MODEL.upfront);
  const votes = MODEL.classes.map(() => 0);
  let done = 0;
  while (done < MODEL.members.length) {
    const member = MODEL.members[done];
    const said = answerOf(endsOf(member, read, buy, paid, lacks), member.loss);
    const weight = MODEL.weights[done];
    if (MODEL.shares) said.probabilities.forEach((share, k) => { votes[k] += weight * share; });
    else votes[said.label] += weight;
    done += 1;
    if (MODEL.short_cut && isDecided(votes, done)) break;
  }
  let most = 0;
  votes.forEach((cast, k) => { if (cast > votes[most] * (1 + 1e-12)) most = k; });
  const total = MODEL.weights.slice(0, done).reduce((sum, weight) => sum + weight, 0);
  return { answer: MODEL.classes[most], probabilities: votes.map((cast) => Math.min(1, cast / total)), consulted: done, asked: [...values.keys()], paid };
}

// Where a case ends in one tree, with the share of each end. A case that is spread buys what any branch asks, in full.
function endsOf(member, read, buy, paid, lacks) {
  const ends = [];
  const waiting = [[0, 1]];
  while (waiting.length) {
    const [node, share] = waiting.pop();
    const step = member.nodes[node];
    let branch = -2;
    if (step) {
      const [first] = step.questions[0];
      if (!paid.has(first) && !lacks(first)) buy(step.orders.length ? step.orders : [first]);
      branch = branchOf(step, (test) => { if (test !== first) buy([test]); return read(test); });
    }
    if (branch === -2) ends.push([share, member.endings[node]]);
    else if (branch === -1) {
      for (let i = step.children.length - 1; i >= 0; i -= 1) if (share * step.shares[i] > 0) waiting.push([step.children[i], share * step.shares[i]]);
    } else waiting.push([step.children[branch], share]);
  }
  return ends;
}

// Whether nobody can catch the leader, when the first `done` trees have voted.
function isDecided(votes, done) {
  const left = MODEL.weights.slice(done).reduce((sum, weight) => sum + weight, 0);
  const slack = 1e-9 * MODEL.weights.reduce((sum, weight) => sum + weight, 0);
  const leader = votes.indexOf(Math.max(...votes));
  return votes.every((cast, rival) => {
    const ahead = votes[leader] - cast - left;
    return rival === leader || ahead > slack || (MODEL.tie_ends && leader < rival && ahead >= 0);
  });
}
