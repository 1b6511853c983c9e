// The worker: learns what the page asks for. A newer question ends an older one between two trees; as a tree is never interrupted, the page
// has a second worker for what is compared with the tree that it shows, and the next price need not wait.

let engine = null;
let started = null;
let job = 0; // the newest question

const LOOK = 16; // prices of a test to look at: each by so much below the one before,
const LOOKS = 11; // down to a millionth of a millionth of the dearest, for prices may be small beside mistakes,
const CLOSE = 1e-4; // and then halved until nobody would name one between
const REST = 120; // milliseconds that a price stays as it is before folds are learnt: while a slider moves, trees alone
const pause = (time = 0) => new Promise((resolve) => { setTimeout(resolve, time); });
const tell = (kind, number, content) => postMessage({ kind, job: number, ...content });

function learn(asked) {
  return asked.learner === "thrift" ? engine.thrift() : engine.grow(asked.settings);
}

// What cases cost that a tree was not learnt from; null once another question came. Between two parts break-even prices may be tried.
async function unseenOf(asked, settings, costs, progress = () => {}) {
  const n = engine.table.labels.length;
  const unseen = { answers: new Float64Array(n).fill(-1), testCost: new Float64Array(n) };
  const { length } = engine.parts();
  for (let part = 0; part < length; part += 1) {
    progress(part, length);
    engine.setCosts(costs);
    engine.judge(settings, part, unseen);
    await pause();
    if (job !== asked.job) return null;
  }
  return unseen;
}

// What they cost where all get the same answer, the cheapest for the others.
function constantCost(costs) {
  const { labels, classes } = engine.table;
  const matrix = errorMatrix(costs, classes);
  const counted = (rows) => {
    const counts = classes.map(() => 0);
    for (const row of rows) counts[labels[row]] += 1;
    return counts;
  };
  const costOf = (counts, answer) => counts.reduce((sum, count, actual) => sum + count * matrix[actual][answer], 0);
  const all = counted(labels.keys());
  let [cost, known] = [0, 0];
  for (const rows of engine.parts()) {
    const own = counted(rows);
    const others = rows.length < labels.length ? all.map((count, i) => count - own[i]) : all;
    const costs = matrix[0].map((_, answer) => costOf(others, answer));
    cost += costOf(own, costs.indexOf(Math.min(...costs)));
    known += rows.length;
  }
  return cost / known;
}

function answer(asked) {
  engine.setCosts(asked.costs);
  const started = performance.now();
  const found = learn(asked);
  const bill = engine.bill(found.handle);
  tell("tree", asked.job, { tree: engine.tree(found.handle), bill, note: found.note, milliseconds: performance.now() - started });
}

// Our own learner chooses anew without each part: by the figure that it chose by, the chosen one would look too cheap.
async function judge(asked) {
  await pause(REST);
  if (job !== asked.job) return;
  const unseen = await unseenOf(asked, asked.judging, asked.costs, (done, parts) => tell("judging", asked.job, { done, parts }));
  if (unseen === null) return;
  tell("unseen", asked.job, { unseen, constant: constantCost(asked.costs), parts: engine.parts().length });
}

async function compare(asked) {
  await judge(asked);
  if (job === asked.job && asked.panel) await answerToday(asked);
  if (job === asked.job) await answerFrontier(asked);
}

// Today's panel, answered as `thriftwood fit` does: by logistic regression or a forest, whichever does it better.
async function answerToday(asked) {
  const answers = new Float64Array(engine.table.labels.length).fill(-1);
  for (let part = 0; part < engine.parts().length; part += 1) {
    engine.setCosts(asked.costs);
    engine.judgePanel(asked.forest, asked.panel, part, answers);
    await pause();
    if (job !== asked.job) return;
  }
  tell("today", asked.job, { answers });
}

async function answerFrontier(asked) {
  const points = [];
  for (const point of asked.frontier) {
    const unseen = await unseenOf(asked, point.settings, point.costs);
    if (unseen === null) return;
    points.push({ value: point.value, unseen });
    tell("frontier", asked.job, { points, missing: asked.frontier.length - points.length });
  }
}

// The largest of some prices at which a tree buys a test, then halved by ratio; NaN where none does, null once another question came. A test
// that the shown tree buys has a price already, and no lower one is told.
async function worthOf(asked, { name, bought }) {
  const place = engine.table.columns.findIndex((column) => column.name === name);
  const buys = async (price) => {
    engine.setCosts(withPrice(asked.costs, name, price));
    const found = engine.bill(learn(asked).handle).bought[place] > 0;
    await pause();
    return found;
  };
  const now = bought ? testOf(asked.costs, name).price : NaN;
  let [low, high] = [now, asked.most];
  for (let look = 0, price = asked.most; look < LOOKS && !(price <= now); look += 1, price /= LOOK) {
    const found = await buys(price);
    if (job !== asked.job) return null;
    if (found) { low = price; break; }
    high = price;
  }
  if (Number.isNaN(low) && await buys(0)) low = 0;
  while (low > 0 && high > low * (1 + CLOSE) && job === asked.job) {
    const middle = low * Math.sqrt(high / low);
    if (await buys(middle)) low = middle; else high = middle;
  }
  return job === asked.job ? low : null;
}

async function answerWorths(asked) {
  for (const test of asked.tests) {
    const low = await worthOf(asked, test);
    if (low === null) return;
    tell("worth", asked.job, { name: test.name, price: low || 0, beyond: low >= asked.most, never: Number.isNaN(low) });
  }
  tell("worths", asked.job, {});
}

onmessage = async ({ data: asked }) => {
  job = asked.job;
  try {
    if (asked.kind === "start") {
      started = thriftwoodCore({ wasmBinary: asked.binary }).then((core) => { engine = new Engine(core); });
      await started;
      tell("ready", asked.job, {});
      return;
    }
    await started;
    if (asked.kind === "load") engine.load(asked.table);
    else if (asked.kind === "learn") answer(asked);
    else if (asked.kind === "judge") await judge(asked);
    else if (asked.kind === "compare") await compare(asked);
    else if (asked.kind === "worths") await answerWorths(asked);
  } catch (problem) {
    tell("problem", asked.job, { message: problem.message });
    if (asked.kind === "worths") tell("worths", asked.job, {}); // those that were found are all: the others can be asked for again
  }
};
