// Decides one case. `ask` gives the value of a test by its name: a function that runs the test, or an object of what is known. It is used
// only for tests that the case comes to, once each; null means that there is no value, and categories are as in MODEL.tests. Undefined, as of a
// key that is misspelt, is refused: taken for null, it would be billed and answered.
function decide(ask) {
  const told = typeof ask === "function" ? ask : (name) => (Object.hasOwn(ask, name) ? ask[name] : undefined);
  const found = walk((name) => {
    const value = told(name);
    if (value === undefined) throw new Error(missed(name));
    return value;
  });
  const names = (numbers) => numbers.map((number) => MODEL.tests[number].name);
  const { paid, asked, label, ...result } = found;
  const bought = [...paid].map(([number, cost]) => [MODEL.tests[number].name, cost]);
  if (result.probabilities) result.probabilities = Object.fromEntries(MODEL.classes.map((label, k) => [String(label), result.probabilities[k]]));
  return { ...result, asked: names(asked), bought, bill: bought.reduce((sum, [, cost]) => sum + cost, 0) };
}

function missed(name) {
  const { categories } = MODEL.tests.find((test) => test.name === name);
  return `Nothing was given for the test ${JSON.stringify(name)}. Pass ${categories === null ? "a number" : "one of its categories"}, or null where it cannot be had.`;
}

// One question at a time: what to ask next when so much is known, or the decision. A test whose value cannot be had is known as null.
function next(known) {
  const needed = {};
  try {
    return { decision: decide((name) => { if (Object.hasOwn(known, name)) return known[name]; needed.name = name; throw needed; }) };
  } catch (thrown) {
    if (thrown !== needed) throw thrown;
    return { ask: MODEL.tests.find((test) => test.name === needed.name) };
  }
}
