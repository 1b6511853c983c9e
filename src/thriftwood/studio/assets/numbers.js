// Numbers as text: as Python writes them into files, and as a reader wants them.

// Python's repr of a float: the shortest digits that read back the same, with an exponent below 1e-4 and from 1e16 on.
function floatText(value) {
  if (Object.is(value, -0)) return "-0.0";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) {
    const [digits, exponent] = value.toExponential().split("e");
    const power = Math.abs(Number(exponent));
    return `${digits}e${exponent.startsWith("-") ? "-" : "+"}${power < 10 ? "0" : ""}${power}`;
  }
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

// A price in a file: whole numbers without a point.
function priceText(value) {
  return Number.isInteger(value) && Math.abs(value) < 1e15 ? String(value) : floatText(value);
}

// Python's json.dumps of a text: ASCII, everything else escaped.
function jsonText(text) {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

// Four digits that count, thousands set apart, no zeros at the end.
function shown(value) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString("en-GB");
  return String(Number(value.toPrecision(size >= 1 ? 4 : 3)));
}

// 1 test, 2 tests, 24.58 patients: cases with missing values are shared among branches.
function counted(value, one, many = `${one}s`) {
  return `${shown(value)} ${value === 1 ? one : many}`;
}

function percent(share) {
  return `${share > 0 && share < 0.1 ? shown(Number((100 * share).toPrecision(2))) : Math.round(100 * share)} %`;
}
