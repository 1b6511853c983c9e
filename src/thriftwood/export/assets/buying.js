// What tests cost, and what their values mean: the same for trees and for score cards.

// The number, the code of a category, or null where there is no value; undefined for a category that was not there in training.
function encoded(test, value) {
  if (value === null || (typeof value === "number" && Number.isNaN(value))) return null;
  if (test.categories === null) {
    const number = typeof value === "string" && value.trim() === "" ? NaN : Number(value);
    if (Number.isNaN(number)) throw new TypeError(`The test ${JSON.stringify(test.name)} takes a number or null, got ${JSON.stringify(value)}.`);
    return number;
  }
  const code = test.categories.indexOf(value);
  if (code >= 0) return code;
  return test.unseen_is_missing ? null : undefined;
}

// What a test still costs once others were bought.
function priceOf(number, basket) {
  const test = MODEL.tests[number];
  const bought = basket.map((other) => MODEL.tests[other]);
  const opened = test.after !== null && bought.some((other) => other.group === test.group);
  return test.needs.reduce((sum, need) => sum + (bought.some((other) => other.needs.includes(need)) ? 0 : MODEL.resources[need]),
    opened ? test.after : test.price);
}
