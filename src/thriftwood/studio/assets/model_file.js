// A tree as the file that the library writes, to the byte: src/thriftwood/models/files/trees.py has the form and its digest.

const WHOLE_FIELDS = ["kind", "feature", "first_child", "n_children", "map_offset", "missing_route", "unseen_route", "label",
  "first_surrogate", "n_surrogates"];
const NODE_FIELDS = [...WHOLE_FIELDS, "threshold", "weight", "impurity", "gain", "risk"];
const SURROGATE_FIELDS = ["kind", "feature", "map_offset", "flipped", "threshold", "agreement", "adjusted"];

// A value with two spellings: with spaces, as files have it, and without, with sorted keys, as its digest is made of.
class Written {
  constructor(file, digest) {
    this.file = file;
    this.digest = digest;
  }
}

function writtenRaw(text) {
  return new Written(text, text);
}

function writtenList(items) {
  return new Written(`[${items.map((one) => one.file).join(", ")}]`, `[${items.map((one) => one.digest).join(",")}]`);
}

function writtenObject(entries) {
  const kept = entries.filter(([, value]) => value !== null);
  const sorted = [...kept].sort(([a], [b]) => byCodePoint(a, b));
  return new Written(
    `{${kept.map(([name, value]) => `${jsonText(name)}: ${value.file}`).join(", ")}}`,
    `{${sorted.map(([name, value]) => `${jsonText(name)}:${value.digest}`).join(",")}}`,
  );
}

// As Python sorts texts: by characters, not by the halves that JavaScript has of some.
function byCodePoint(a, b) {
  const [left, right] = [[...a], [...b]];
  for (let i = 0; i < Math.min(left.length, right.length); i += 1) {
    if (left[i] !== right[i]) return left[i].codePointAt(0) - right[i].codePointAt(0);
  }
  return left.length - right.length;
}

const writtenText = (text) => writtenRaw(jsonText(text));
const writtenFloats = (values) => writtenList(Array.from(values, (value) => writtenRaw(floatText(value))));
const writtenWholes = (values) => writtenList(Array.from(values, (value) => writtenRaw(String(value))));

function writtenCosts(value) {
  if (typeof value === "number") return writtenRaw(priceText(value));
  if (typeof value === "string") return writtenText(value);
  if (typeof value === "boolean") return writtenRaw(String(value));
  if (Array.isArray(value)) return writtenList(value.map(writtenCosts));
  return writtenObject(Object.entries(value).map(([name, entry]) => [name, writtenCosts(entry)]));
}

function writtenTree(tree) {
  const fields = (names, records) => writtenObject(names.map((name) => {
    if (name === "flipped") return [name, writtenList(Array.from(records[name], (one) => writtenRaw(one ? "true" : "false")))];
    return [name, (WHOLE_FIELDS.includes(name) ? writtenWholes : writtenFloats)(records[name])];
  }));
  return writtenObject([
    ["regression", writtenRaw("false")],
    ["width", writtenRaw(String(tree.width))],
    ["feature_values", writtenWholes(tree.feature_values)],
    ["nodes", fields(NODE_FIELDS, tree.nodes)],
    ["values", writtenFloats(tree.values)],
    ["branch_map", writtenWholes(tree.branch_map)],
    ["loss", writtenFloats(tree.loss)],
    ["smoothing", tree.smoothing.length ? writtenFloats(tree.smoothing) : null],
    ["cases", tree.cases ? writtenRaw(String(tree.cases)) : null],
    ["surrogates", fields(SURROGATE_FIELDS, tree.surrogates)],
  ]);
}

// `table` has its encoder and classes written already.
function modelText(tree, table, costs, note) {
  const further = furtherAnswers(costs);
  const entries = [
    ["format", writtenText("thriftwood-tree")],
    ["version", writtenRaw("1")],
    ["classes", table.classesWritten],
    ["answers", further.length ? writtenList(further.map(writtenText)) : null],
    ["encoder", table.encoderWritten],
    ["costs", writtenCosts(orderedCosts(costs))],
    ["tree", writtenTree(tree)],
    ["note", note ? writtenText(note) : null],
  ];
  return writtenObject([...entries, ["sha256", writtenText(sha256(writtenObject(entries).digest))]]).file;
}
