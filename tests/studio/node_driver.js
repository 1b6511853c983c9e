// Learns trees with the committed module, for a test: JSON lines in, a line of JSON out for each. The test puts the studio's own scripts
// before it, and the folder of its assets after node's name.
const { readFileSync } = require("fs");
const { gunzipSync } = require("zlib");
const { createInterface } = require("readline");

(async () => {
  const core = await thriftwoodCore({ wasmBinary: gunzipSync(readFileSync(`${process.argv[2]}/core.wasm.gz`)) });
  const engine = new Engine(core);
  for await (const line of createInterface({ input: process.stdin })) {
    const asked = JSON.parse(line);
    const answer = {};
    try {
      const table = asked.csv === undefined ? tableOf(asked.table) : tableFromCsv(asked.csv, "table.csv", asked.target);
      const unseenOf = () => {
        const unseen = { answers: new Array(table.labels.length).fill(-1), testCost: new Array(table.labels.length).fill(0) };
        engine.parts().forEach((_, part) => { engine.judge(asked.settings, part, unseen); });
        if (asked.panel) engine.parts().forEach((_, part) => { engine.judgePanel(asked.forest, asked.panel, part, unseen.today ??= []); });
        return { ...unseen, parts: engine.parts().length };
      };
      const started = performance.now();
      engine.load(table);
      for (const costs of asked.before || []) {
        engine.setCosts(costs);
        if (asked.settings) engine.grow(asked.settings);
        unseenOf();
      }
      engine.setCosts(asked.costs);
      const grown = asked.settings ? engine.grow(asked.settings) : engine.thrift();
      answer.milliseconds = performance.now() - started;
      if (asked.again) {
        const second = performance.now();
        engine.setCosts(asked.costs);
        const again = asked.settings ? engine.grow(asked.settings) : engine.thrift();
        engine.bill(again.handle);
        answer.again = performance.now() - second;
        grown.handle = again.handle;
      }
      answer.model = modelText(engine.tree(grown.handle), table, asked.costs, grown.note);
      const bill = engine.bill(grown.handle);
      answer.answers = Array.from(bill.answers);
      answer.testCost = Array.from(bill.testCost);
      answer.toml = tomlText(asked.costs);
      if (asked.judged) answer.unseen = unseenOf();
    } catch (problem) {
      answer.error = problem.message;
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
})();
