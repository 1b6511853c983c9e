// What trees answer: the branch of a case at a node, and the answer where it ends.

// The branch that the first question with one gives; otherwise where a case goes without. `valueOf` gives the value of a test.
function branchOf(step, valueOf) {
  let own = null;
  for (const [place, [test, cut, branches]] of step.questions.entries()) {
    const value = valueOf(test);
    if (place === 0) own = value;
    if (value === null || value === undefined) continue;
    const branch = branches[cut === null ? value : Number(value > cut)];
    if (branch >= 0) return branch;
  }
  return own === undefined ? step.unseen : step.missing;
}

function answerOf(ends, loss = MODEL.loss) {
  if (MODEL.classes === null) {
    const total = ends.reduce((sum, [share]) => sum + share, 0);
    return { answer: ends.length === 1 ? ends[0][1].values[0] : ends.reduce((sum, [share, end]) => sum + share * end.values[0], 0) / total };
  }
  const sums = MODEL.classes.map((_, k) => Math.min(1, ends.reduce((sum, [share, end]) => sum + share * end.values[k], 0)));
  const label = ends.length === 1 ? ends[0][1].label : cheapest(sums, loss);
  return { answer: MODEL.answers[label], label, probabilities: sums };
}

// Ties, up to rounding, go to the first answer.
function cheapest(sums, loss) {
  let best = 0;
  if (!loss.length) {
    for (let k = 1; k < sums.length; k += 1) if (sums[k] > sums[best] + 1e-12 * Math.abs(sums[best])) best = k;
    return best;
  }
  const n = MODEL.answers.length;
  const costs = MODEL.answers.map((_, k) => sums.reduce((sum, share, actual) => sum + share * loss[actual * n + k], 0));
  for (let k = 1; k < n; k += 1) if (costs[best] > costs[k] + 1e-12 * Math.abs(costs[k])) best = k;
  return best;
}
