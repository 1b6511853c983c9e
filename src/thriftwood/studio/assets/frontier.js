// Money against mistakes: the same learner with other weights, each judged on cases that it was not learnt from.

const POINTS = 7;

// What is varied: the learner's own weight of prices, or how dear mistakes are. The point as now is not asked: it is the estimate of the page.
function frontierQuestions(studio, scenario) {
  const learner = studio.learner(scenario);
  const values = Array.from({ length: POINTS }, (_, i) => 4 ** (i - (POINTS - 1) / 2)).filter((value) => value !== 1)
    .sort((a, b) => Math.abs(Math.log(a)) - Math.abs(Math.log(b))); // the nearest are shown first
  if (learner.weight !== null && scenario.weight > 0) {
    return values.map((factor) => ({ value: factor, costs: scenario.costs, settings: studio.judging({ ...scenario, weight: scenario.weight * factor }) }));
  }
  const { classes } = studio.table;
  return values.map((factor) => ({
    value: factor, settings: studio.judging(scenario), costs: { ...scenario.costs, ...scaledMistakes(scenario.costs, classes, factor) },
  }));
}

function scaledMistakes(costs, classes, factor) {
  const matrix = errorMatrix(costs, classes).map((row) => row.map((cost) => cost * factor));
  const errors = Object.fromEntries(classes.map((actual, i) => [actual, Object.fromEntries(classes.map((answer, j) => [answer, matrix[i][j]]))]));
  const answers = Object.fromEntries(furtherAnswers(costs).map((name, k) => [name,
    Object.fromEntries(classes.map((actual, i) => [actual, matrix[i][classes.length + k]]))]));
  return { errors, answers, errors_default: undefined };
}

// In steps of 1, 2 or 5 of some power of ten, until all values and 0 are covered: what answers cost is below 0 where they bring money.
function roundTicks(values) {
  const least = Math.min(0, ...values);
  const most = Math.max(0, ...values) || (least < 0 ? 0 : 1);
  const power = 10 ** Math.floor(Math.log10((most - least) / 4));
  const step = power * ([1, 2, 5].find((one) => one * power >= (most - least) / 4) || 10);
  const [first, last] = [Math.floor(least / step + 1e-9), Math.ceil(most / step - 1e-9)];
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

// What is varied, and what one of its values means.
function variedWords(scenario, learner) {
  return learner.weight !== null && scenario.weight > 0 ? `prices weigh (${learner.weight})` : "mistakes cost";
}

function timesWords(value) {
  return value < 1 ? `1/${shown(1 / value)}` : `${shown(value)} ×`;
}

const SEEMS = 0.02; // differences of a smaller part are as good as none,

// and those within a standard error, of the same cases, are chance.
function differenceError(one, other, table, matrix) {
  const costOf = ({ answers, testCost }, i) => testCost[i] + matrix[table.labels[i]][answers[i]];
  const differences = [];
  for (let i = 0; i < table.labels.length; i += 1) if (one.answers[i] >= 0) differences.push(costOf(one, i) - costOf(other, i));
  const mean = differences.reduce((sum, value) => sum + value, 0) / differences.length;
  return Math.sqrt(differences.reduce((sum, value) => sum + (value - mean) ** 2, 0)) / differences.length;
}

// That the learner as it is set is not the cheapest, where another of its points seems to be.
function cheaperWords(bills, scenario, learner) {
  const now = bills.find((one) => one.value === 1);
  const best = bills.reduce((least, one) => (one.cost < least.cost ? one : least));
  const saved = now.cost - best.cost;
  if (!(saved > SEEMS * Math.abs(now.cost)) || !(saved > best.error)) return "";
  return `A tree of another point seems cheaper: ${money(best.cost, scenario.costs)} if learnt as if ${variedWords(scenario, learner)} ${timesWords(best.value)} as much; trees of another learner may be, too.`;
}

// `now`: what new cases cost as the page has it; `missing`: how many points are still to come. Returns what the points cost.
function showFrontier(points, now, table, scenario, learner, missing) {
  const { costs } = scenario;
  const matrix = errorMatrix(costs, table.classes);
  const bills = [{ value: 1, ...now }, ...points.map(({ value, unseen }) => ({ value, error: differenceError(unseen, now.cases, table, matrix), ...meanBill(unseen, table, matrix) }))]
    .sort((a, b) => a.value - b.value);
  const width = clamp(byId("frontier-chart").clientWidth, 260, 560); // drawn to size, so that letters keep theirs
  const [height, left, bottom] = [clamp(0.6 * width, 200, 300), 64, 44];
  const across = roundTicks(bills.map((one) => one.tests));
  const up = roundTicks(bills.map((one) => one.mistakes));
  const [most, best, worst] = [Math.max(...across), Math.min(...up), Math.max(...up)];
  const word = answersWord(costs);
  const x = (tests) => left + ((width - left - 16) * tests) / most;
  const y = (mistakes) => height - bottom - ((height - bottom - 14) * (mistakes - best)) / (worst - best);
  const chart = shape("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `what tests cost against what ${word} cost` });
  for (const mistakes of up) {
    chart.append(shape("line", { class: "grid", x1: left, x2: width - 16, y1: y(mistakes), y2: y(mistakes) }),
      shape("text", { class: "tick end", x: left - 6, y: y(mistakes) + 4 }, shown(mistakes)));
  }
  chart.append(...across.map((tests) => shape("text", { class: "tick middle", x: x(tests), y: height - bottom + 16 }, shown(tests))));
  chart.append(shape("text", { class: "middle", x: (left + width) / 2, y: height - 8 }, `tests, ${aCase(costs)}`),
    shape("text", { class: "middle", transform: `translate(14 ${(height - bottom) / 2}) rotate(-90)` }, `${word}, ${aCase(costs)}`));
  const order = [...bills].sort((a, b) => a.tests - b.tests);
  chart.append(shape("polyline", { class: "way", points: order.map((one) => `${x(one.tests)},${y(one.mistakes)}`).join(" ") }));
  for (const one of [...bills].sort((a, b) => (a.value === 1) - (b.value === 1))) { // the current one above the others
    const current = one.value === 1;
    chart.append(shape("circle", { class: current ? "dot current" : "dot", cx: x(one.tests), cy: y(one.mistakes), r: current ? 7 : 4.5 }));
  }
  byId("frontier-chart").replaceChildren(chart);
  byId("frontier-answers").textContent = word;
  byId("frontier-rows").replaceChildren(...bills.map((one) => html("tr", { class: one.value === 1 ? "current" : null },
    html("th", { scope: "row" }, one.value === 1 ? "as now" : timesWords(one.value)), html("td", { class: "num" }, money(one.tests, costs)),
    html("td", { class: "num" }, money(one.mistakes, costs)), html("td", { class: "num" }, money(one.cost, costs)), html("td", { class: "num" }, percent(one.wrong)))));
  byId("frontier-note").textContent = `Each point is learnt as if ${variedWords(scenario, learner)} so many times as much as now, and judged at today's prices on cases that it was not learnt from.${missing ? ` ${missing} more ${missing === 1 ? "is" : "are"} being learnt.` : ""}`;
  return bills;
}
