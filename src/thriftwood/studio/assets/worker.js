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
async function unseenOf(asked, settings, costs, parts) {
  const n = engine.table.labels.length;
  const unseen = { answers: new Float64Array(n).fill(-1), testCost: new Float64Array(n) };
  for (let part = 0; part < engine.deal(Math.min(parts, n)); part += 1) {
    engine.setCosts(costs);
    engine.judge(settings, part, unseen);
    await pause();
    if (job !== asked.job) return null;
  }
  return unseen;
}

async function answer(asked) {
  engine.setCosts(asked.costs);
  const started = performance.now();
  const found = learn(asked);
  const bill = engine.bill(found.handle);
  tell("tree", asked.job, { tree: engine.tree(found.handle), bill, note: found.note, milliseconds: performance.now() - started });
  await pause(REST);
  if (job !== asked.job) return;
  const unseen = found.unseen || await unseenOf(asked, asked.settings, asked.costs, asked.parts);
  if (unseen === null) return;
  tell("unseen", asked.job, { unseen, cost: found.judged ? found.judged[2 * found.chosen] : null, constant: found.judged ? found.judged[0] : null });
}

async function compare(asked) {
  if (asked.panel) await answerToday(asked);
  if (job === asked.job) await answerFrontier(asked);
}

// Today's panel, answered as well as trees of its tests can: they are free, the others beyond all means.
async function answerToday(asked) {
  const tests = Object.fromEntries(engine.table.columns.map((column) => [column.name, asked.panel.includes(column.name) ? 0 : 1e12]));
  const costs = { ...asked.costs, tests, shared: {}, payment: "sequential" };
  const unseen = await unseenOf(asked, asked.panelSettings, costs, asked.parts);
  if (unseen !== null) tell("today", asked.job, { answers: unseen.answers });
}

async function answerFrontier(asked) {
  const points = [];
  for (const point of asked.frontier) {
    engine.setCosts(point.costs);
    const unseen = asked.learner === "thrift" ? engine.thrift().unseen : await unseenOf(asked, point.settings, point.costs, asked.parts);
    await pause();
    if (unseen === null || job !== asked.job) return;
    points.push({ value: point.value, unseen });
  }
  tell("frontier", asked.job, { points });
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
    else if (asked.kind === "learn") await answer(asked);
    else if (asked.kind === "compare") await compare(asked);
    else if (asked.kind === "worths") await answerWorths(asked);
  } catch (problem) {
    tell("problem", asked.job, { message: problem.message });
    if (asked.kind === "worths") tell("worths", asked.job, {}); // those that were found are all: the others can be asked for again
  }
};
