// Numbers as a person types and reads them.

const EVERY_NUMBER = Number.MAX_VALUE; // the cut of a test that only asks whether there is a value: models/tree/branches.py

// A cut with as few digits as leave values on their side of it, eight at least: 20240131.5 is not 20240132 beside the value 20240132. One that
// was rounded to single precision, as 19.7 to 19.700000762939453, with as few as give it again.
function cutText(cut, values) {
  const single = Math.fround(cut) === cut;
  for (let digits = single ? 1 : 8; digits < 17; digits += 1) {
    const rounded = Number(cut.toPrecision(digits));
    if ((!single || Math.fround(rounded) === cut) && values.every((value) => (value > rounded) === (value > cut))) return String(rounded);
  }
  return String(cut);
}

// With a point or a comma; null where it is no number. A comma before three digits may stand between thousands, so that is none either.
function typedNumber(text) {
  const typed = text.trim();
  if (!/^[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?$/.test(typed) || /^[+-]?[1-9]\d{0,2},\d{3}$/.test(typed)) return null;
  const value = Number(typed.replace(",", "."));
  return Number.isFinite(value) ? value : null;
}

function numberWanted(text) {
  const typed = text.trim();
  if (/^[+-]?[1-9]\d{0,2},\d{3}$/.test(typed)) return `Write ${typed.replace(",", "")} or ${typed.replace(",", ".")}: the comma can be read in two ways.`;
  return "A number is wanted, such as 12.5.";
}
