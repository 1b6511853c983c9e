// Score cards in stages: who is sure stops, who is doubtful buys more. `fetch` gives the value of a test by its name.
function walk(fetch) {
  const values = new Map(); // test -> number, code, null (missing) or undefined (unseen)
  const paid = new Map();
  const buy = (test) => {
    if (values.has(test)) return;
    values.set(test, encoded(MODEL.tests[test], fetch(MODEL.tests[test].name)));
    if (values.get(test) !== null || MODEL.charge_missing) paid.set(test, priceOf(test, [...paid.keys()]));
  };
  MODEL.upfront.forEach(buy);
  let [scores, chances, expected, number] = [[], [], [], 0];
  for (number = 0; number < MODEL.stages.length; number += 1) {
    const stage = MODEL.stages[number];
    stage.tests.forEach(buy);
    if (stage.tests.some((test) => paid.has(test) && MODEL.delayed.includes(test))) MODEL.stages.slice(number + 1).forEach((later) => later.tests.forEach(buy));
    scores = stage.base;
    for (const entry of stage.counted) {
      const added = pointsOf(entry, values.get(entry.test));
      if (added) scores = scores.map((score, i) => score + added[i]);
    }
    chances = chancesOf(scores.map((score) => score / 100));
    expected = MODEL.answers.map((_, k) => chances.reduce((sum, chance, actual) => sum + chance * MODEL.loss[actual * MODEL.answers.length + k], 0));
    if (stage.stop === null || Math.min(...expected) <= stage.stop) break;
  }
  const answer = MODEL.answers[expected.indexOf(Math.min(...expected))];
  return { answer, probabilities: chances, scores, stage: number + 1, asked: [...values.keys()], paid };
}

function pointsOf(entry, value) {
  if (value === undefined) return null;
  if (value === null) return entry.missing;
  if (entry.at === null) return entry.points[value];
  const x = Math.min(Math.max(value, entry.at[0]), entry.at[entry.at.length - 1]);
  let k = 0;
  while (k < entry.slopes.length - 1 && entry.at[k + 1] <= x) k += 1;
  return entry.points[k].map((point, i) => point + entry.slopes[k][i] * (x - entry.at[k]));
}

function chancesOf(logOdds) {
  if (logOdds.length === 1) {
    const second = 1 / (1 + Math.exp(-Math.min(Math.max(logOdds[0], -700), 700)));
    return [1 - second, second];
  }
  const top = Math.max(...logOdds);
  const raised = logOdds.map((score) => Math.exp(score - top));
  const total = raised.reduce((sum, one) => sum + one, 0);
  return raised.map((one) => one / total);
}
