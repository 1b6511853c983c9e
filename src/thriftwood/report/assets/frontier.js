// The frontier: points with their standard errors, the line of those that none other beats, the chosen one.

const PLOT = { width: 700, height: 360, left: 62, right: 16, top: 12, bottom: 46 };

// Round numbers across a range, about `wanted` of them.
function ticks(low, high, wanted) {
  const rough = (high - low) / wanted || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const found = [];
  for (let at = Math.ceil(low / step); at * step <= high + step * 1e-9; at += 1) found.push(at * step || 0); // no -0
  return found;
}

function range(values) {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const room = (high - low || Math.abs(high) || 1) * 0.08;
  return [low - room, high + room];
}

function scaleOf([low, high], from, to) {
  return (value) => from + ((value - low) / (high - low)) * (to - from);
}

function drawFrontier(frontier) {
  const points = frontier.points.filter((point) => point.cost !== null && point.score !== null);
  if (points.length === 0) return;
  PLOT.width = clamp(byId("frontier-chart").clientWidth, 300, 760); // drawn to size, so that letters keep theirs
  PLOT.height = clamp(PLOT.width * 0.55, 260, 380);
  const inner = [PLOT.left, PLOT.width - PLOT.right, PLOT.height - PLOT.bottom, PLOT.top];
  const spread = (key, error) => points.flatMap((p) => [p[key] - (p[error] || 0), p[key] + (p[error] || 0)]);
  const costs = range(spread("cost", "costError"));
  const scores = range(spread("score", "scoreError"));
  const x = scaleOf(costs, inner[0], inner[1]);
  const y = scaleOf(scores, inner[2], inner[3]);
  const chart = shape("svg", { viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, class: "chart", role: "group",
    "aria-label": `${frontier.yTitle} against ${frontier.xTitle}` });
  drawAxes(chart, frontier, costs, scores, x, y);
  drawLine(chart, points, x, y);
  const order = [...points].sort((a, b) => a.chosen - b.chosen); // the chosen one on top
  for (const point of order) chart.append(drawPoint(frontier, point, x(point.cost), y(point.score), x, y));
  byId("frontier-chart").replaceChildren(chart, legend(frontier));
  byId("frontier-note").replaceChildren(
    `Each point is a value of ${frontier.param}, judged by ${counted(frontier.folds, "fold")}: what tests cost against ` +
    "how good the answers are. Bars are one standard error.",
    html("span", { class: "screen" }, " Point at one, or reach it with Tab, to see its numbers."));
}

function startFrontier(frontier) {
  drawFrontier(frontier);
  const printing = window.matchMedia("print");
  window.addEventListener("resize", () => { if (!printing.matches) drawFrontier(frontier); });
}

function drawAxes(chart, frontier, costs, scores, x, y) {
  const [left, right] = [PLOT.left, PLOT.width - PLOT.right];
  const bottom = PLOT.height - PLOT.bottom;
  const digits = { maximumSignificantDigits: 6 };
  for (const at of ticks(...scores, 6)) {
    chart.append(shape("line", { x1: left, x2: right, y1: y(at), y2: y(at), class: "grid" }),
      shape("text", { x: left - 8, y: y(at) + 4, class: "tick end" }, at.toLocaleString("en", digits)));
  }
  for (const at of ticks(...costs, PLOT.width / 90)) {
    chart.append(shape("line", { x1: x(at), x2: x(at), y1: PLOT.top, y2: bottom, class: "grid" }),
      shape("text", { x: x(at), y: bottom + 18, class: "tick middle" }, at.toLocaleString("en", digits)));
  }
  chart.append(shape("text", { x: (left + right) / 2, y: PLOT.height - 10, class: "title middle" }, frontier.xTitle),
    shape("text", { x: 0, y: 0, transform: `translate(16 ${(PLOT.top + bottom) / 2}) rotate(-90)`,
      class: "title middle" }, frontier.yTitle));
}

// Between two points the cheaper one is the best that can be had for the money.
function drawLine(chart, points, x, y) {
  const line = points.filter((point) => point.pareto).sort((a, b) => a.cost - b.cost);
  const path = line.map((p, i) => (i ? `H${x(p.cost)}V${y(p.score)}` : `M${x(p.cost)} ${y(p.score)}`)).join("");
  chart.append(shape("path", { d: path, class: "pareto-line" }));
}

function drawPoint(frontier, point, cx, cy, x, y) {
  const kind = `point${point.pareto ? " pareto" : ""}${point.chosen ? " chosen" : ""}`;
  const said = `${frontier.param} ${point.value}: score ${point.scoreText}, cost ${point.costText}` +
    (point.chosen ? `, chosen: ${frontier.chosenIs}` : "");
  const group = shape("g", { class: kind, tabindex: 0, role: "img", "aria-label": said });
  const [se, ce] = [point.scoreError || 0, point.costError || 0];
  group.append(
    shape("line", { x1: cx, x2: cx, y1: y(point.score - se), y2: y(point.score + se), class: "error" }),
    shape("line", { x1: x(point.cost - ce), x2: x(point.cost + ce), y1: cy, y2: cy, class: "error" }),
    shape("circle", { cx, cy, r: 14, class: "target" }),
    shape("circle", { cx, cy, r: 5.5, class: "dot" }));
  if (point.chosen) group.append(shape("circle", { cx, cy, r: 10, class: "ring" }));
  giveTip(group, () => facts([
    [frontier.param, point.value],
    ["score", `${point.scoreText} ± ${(point.scoreError || 0).toPrecision(2)}`],
    ["cost", point.costError ? `${point.costText} ± ${point.costError.toPrecision(2)}` : point.costText],
    ["tree", `${counted(point.tests, "test")}, ${counted(point.leaves, "leaf", "leaves")}`],
    ["", marks(frontier, point).join(", ")],
  ]));
  return group;
}

function marks(frontier, point) {
  const said = [point.pareto ? "no other beats it in both" : "another is cheaper and no worse, or better"];
  if (point.chosen) said.push(`chosen: ${frontier.chosenIs}`);
  if (point.cheapest && !said.includes(`chosen: ${frontier.cheapestIs}`)) said.push(frontier.cheapestIs);
  return said;
}

function legend(frontier) {
  const item = (kind, words) => {
    const sign = kind.includes("chosen") ? { r: 8, class: "ring" } : { r: 5, class: "dot" };
    const mark = shape("g", { class: kind, transform: "translate(11 11)" }, shape("circle", sign));
    return html("li", {}, shape("svg", { width: 22, height: 22, class: "chart", "aria-hidden": "true" }, mark), words);
  };
  return html("ul", { class: "legend" }, item("point pareto", "on the Pareto line"), item("point", "dominated"),
    item("point chosen", `chosen: ${frontier.chosenIs}`));
}
