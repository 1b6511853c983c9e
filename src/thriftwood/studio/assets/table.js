// A table of the page: made ready for the core, or read from a file that was dropped.

const MOST_ROWS = 100000;
const MOST_CLASSES = 50; // of numbers as many as `fit` takes: datasets/files/labels.py
const NOTHING = new Set(["", "?", "NA", "N/A", "n/a", "#N/A", "nan", "NaN", "NAN", "null", "NULL"]); // datasets/files/table.py

class TargetError extends Error {} // another column to learn would help

// From the JSON that Python wrote.
function tableOf(content) {
  return {
    ...content,
    columns: content.columns.map((column) => ({
      ...column,
      values: column.nominal
        ? Int32Array.from(column.values)
        : Float64Array.from(column.values, (value) => (value === null ? NaN : value)),
    })),
    labels: Int32Array.from(content.labels),
    encoderWritten: new Written(...content.encoder_written),
    classesWritten: new Written(...content.classes_written),
  };
}

// The text of a file, and what it was read as if that is not UTF-8: spreadsheets of the West write Windows' code page 1252.
function textOf(buffer, name) {
  const bytes = new Uint8Array(buffer);
  const begins = (...mark) => mark.every((byte, i) => bytes[i] === byte);
  if (begins(0x50, 0x4b, 3, 4) || begins(0xd0, 0xcf, 0x11, 0xe0)) throw new Error(`${name} is a workbook, such as Excel writes. Save its sheet as CSV, and open that.`);
  const wide = { "255,254": "utf-16le", "254,255": "utf-16be" }[bytes.slice(0, 2).join()];
  if (wide) return { text: new TextDecoder(wide).decode(bytes), encoding: "UTF-16" };
  if (bytes.includes(0)) throw new Error(`${name} is no text, and a table is a CSV file: names in its first line, then a line for each case.`);
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), encoding: "" };
  } catch {
    return { text: new TextDecoder("windows-1252").decode(bytes), encoding: "Windows-1252" };
  }
}

// The names of a table that was refused.
function csvNames(text) {
  const content = contentOf(text);
  const [first = []] = csvRows(content, separatorOf(content));
  return first.map((one) => one.trim());
}

// The name of the last column that holds these classes and nothing else; null where none does.
function columnOfClasses(text, classes) {
  const content = contentOf(text);
  const [names = [], ...cases] = csvRows(content, separatorOf(content));
  const valuesOf = (i) => [...new Set(cases.map((row) => (row[i] ?? "").trim()).filter((cell) => !NOTHING.has(cell)))];
  const place = names.findLastIndex((_, i) => sameNames(valuesOf(i), classes));
  return place < 0 ? null : names[place].trim();
}

// Without the mark of an encoding and empty lines before the names.
function contentOf(text) {
  return text.replace(/^\ufeff/, "").replace(/^(?: *\r?\n)+/, "");
}

// What stands between cells: what gives the first line most of them.
function separatorOf(content) {
  return [",", ";", "\t", "|"].map((one) => [content.slice(0, content.indexOf("\n") + 1 || undefined).split(one).length, one])
    .sort((a, b) => b[0] - a[0])[0][1];
}

// Rows of a CSV text; quotes may hold separators and line ends.
function csvRows(text, separator) {
  const rows = [];
  let [row, cell, quoted] = [[], "", false];
  const endCell = () => { row.push(cell); cell = ""; };
  const endRow = () => { endCell(); if (row.length > 1 || row[0].trim()) rows.push(row); row = []; };
  for (let i = 0; i < text.length; i += 1) {
    const one = text[i];
    if (quoted) {
      if (one === "\"" && text[i + 1] === "\"") { cell += one; i += 1; } else if (one === "\"") quoted = false;
      else cell += one;
    } else if (one === "\"" && cell === "") quoted = true;
    else if (one === separator) endCell();
    else if (one === "\n") endRow();
    else if (one !== "\r") cell += one;
  }
  if (cell || row.length) endRow();
  return rows;
}

// A table from a CSV text: numbers where every value is one, names otherwise; `target` is the column to learn, `aside` one that is no test.
function tableFromCsv(text, name, target, aside = null) {
  const content = contentOf(text);
  const separator = separatorOf(content);
  const rows = csvRows(content, separator);
  if (rows.length < 3) throw new Error(`${name} has ${counted(rows.length ? rows.length - 1 : 0, "row")} below its names; at least two are wanted.`);
  const names = rows[0].map((one) => one.trim());
  const wrong = rows.findIndex((row) => row.length !== names.length);
  if (wrong > 0) throw new Error(`Line ${wrong + 1} of ${name} has ${counted(rows[wrong].length, "cell")}; the first line has ${counted(names.length, "name")}.`);
  if (names.length < 2) throw new Error(`${name} has one column, where one to learn and others to learn it by are wanted.`);
  if (new Set(names).size < names.length) throw new Error(`Two columns of ${name} have the same name. Rename one.`);
  const chosen = target && names.includes(target) ? target : names[names.length - 1];
  const place = names.indexOf(chosen);
  const commas = decimalCommas(names.map((_, i) => rows.slice(1).map((row) => row[i].trim())), separator);
  const cases = rows.slice(1).filter((row) => !NOTHING.has(row[place].trim()));
  if (!cases.length) throw new TargetError(`No row of ${name} has a value of ${chosen}. Choose another column to learn.`);
  const classOf = classTexts(chosen, cases.map((row) => row[place].trim()), commas[place]);
  const classes = [...new Set(classOf)].sort(byCodePoint);
  if (classes.length < 2) throw new TargetError(`All rows of ${name} have the same ${chosen}: there is nothing to tell apart.`);
  if (classes.length > MOST_CLASSES) throw new TargetError(`${chosen} has ${classes.length} different values, where ${MOST_CLASSES} classes at most are wanted. Choose another column to learn.`);
  const all = names.flatMap((one, i) => (i === place || one === aside ? [] : [columnOf(one, cases.map((row) => row[i].trim()), commas[i])]));
  if (!all.length) throw new TargetError(`${name} has no column to learn ${chosen} by. Choose another column to learn.`);
  const kept = sampledCases(classOf); // only now: what columns and classes are, all cases say
  const columns = all.map((column) => ({ ...column, values: column.values.constructor.from(kept, (i) => column.values[i]) }));
  const categorical = columns.flatMap((column, i) => (column.nominal
    ? [[String(i), writtenObject([["kind", writtenText("nominal")], ["categories", writtenList(column.categories.map(writtenText))]])]] : []));
  return {
    name,
    target: chosen,
    names,
    n_rows: cases.length,
    without: rows.length - 1 - cases.length,
    columns,
    classes,
    labels: Int32Array.from(kept, (i) => classes.indexOf(classOf[i])),
    classesWritten: writtenObject([["dtype", writtenText("str")], ["values", writtenList(classes.map(writtenText))]]),
    encoderWritten: writtenObject([["n_features", writtenRaw(String(columns.length))],
      ["names", writtenList(columns.map((column) => writtenText(column.name)))], ["categorical", writtenObject(categorical)]]),
  };
}

// The classes of cases as text, by the rule of datasets/files/labels.py: numbers by their value, whole and few.
function classTexts(name, cells, decimalComma) {
  const column = columnOf(name, cells, decimalComma);
  if (column.nominal) return cells;
  const numbers = new Set(column.values);
  if (numbers.size > MOST_CLASSES || [...numbers].some((one) => !Number.isInteger(one))) {
    throw new TargetError(`${name} has ${numbers.size} different numbers, where classes are wanted: whole numbers, ${MOST_CLASSES} at most. Choose another column to learn, or make classes of its numbers.`);
  }
  return Array.from(column.values, (one) => String(BigInt(one)));
}

// All cases, or every so-manyth of each class, as src/thriftwood/studio/content.py takes them: classes of a file are texts there, "10" before "2".
function sampledCases(classOf) {
  if (classOf.length <= MOST_ROWS) return classOf.map((_, i) => i);
  const rank = new Map([...new Set(classOf)].sort(byCodePoint).map((one, i) => [one, i]));
  const ranks = classOf.map((one) => rank.get(one));
  const byClass = ranks.map((_, i) => i).sort((a, b) => ranks[a] - ranks[b] || a - b);
  const step = (classOf.length - 1) / (MOST_ROWS - 1);
  return Array.from({ length: MOST_ROWS }, (_, i) => byClass[i === MOST_ROWS - 1 ? classOf.length - 1 : Math.floor(i * step)]).sort((a, b) => a - b);
}

// Which columns have a comma for the decimal point, by the rule of datasets/files/decimal_commas.py: most cells are such numbers, and in one
// column of the file at least the commas cannot stand between thousands.
function decimalCommas(columns, separator) {
  const counts = columns.map((cells) => {
    const known = cells.filter((cell) => !NOTHING.has(cell));
    const fitting = known.filter((cell) => /^[+-]?\d+(,\d+)?([eE][+-]?\d+)?$/.test(cell));
    const marked = fitting.filter((cell) => cell.includes(","));
    const possible = marked.length > 0 && 2 * fitting.length > known.length;
    return { possible, certain: possible && marked.some((cell) => !/^[+-]?[1-9]\d{0,2},\d{3}$/.test(cell)) };
  });
  const sure = separator !== "," && counts.some((count) => count.certain);
  return counts.map((count) => sure && count.possible);
}

// The number of a cell as Python has it, which takes no 0x10; null where it is none.
function floatOf(cell) {
  if (!/^[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf(inity)?|nan)$/i.test(cell)) return null;
  return Number(cell.replace(/inf(inity)?$/i, "Infinity"));
}

// By the rule of datasets/files/table.py, where whole numbers too long for a float are identifiers.
function isNumber(cell) {
  const value = floatOf(cell);
  if (value === null) return false;
  return !/^[+-]?\d{16,400}$/.test(cell) || !Number.isFinite(value) || BigInt(cell) === BigInt(value);
}

function columnOf(name, cells, decimalComma) {
  const known = cells.map((cell) => (NOTHING.has(cell) ? null : cell));
  const written = known.map((cell) => (decimalComma && cell !== null ? cell.replaceAll(",", ".") : cell));
  if (written.every((cell) => cell === null || isNumber(cell))) {
    return { name, nominal: false, categories: [], values: Float64Array.from(written, (cell) => numberOf(name, cell)) };
  }
  const categories = sortedCategories(known.filter((cell) => cell !== null));
  const codes = new Map(categories.map((category, code) => [category, code]));
  return { name, nominal: true, categories, values: Int32Array.from(known, (cell) => (cell === null ? -1 : codes.get(cell))) };
}

// By the rule of datasets/columns.py: by their value where Python has one of every cell, of identifiers and of 1_000, too.
function sortedCategories(cells) {
  const categories = [...new Set(cells)].sort(byCodePoint);
  const values = new Map(categories.map((cell) => [cell, floatOf(cell.replace(/(\d)_(?=\d)/g, "$1"))]));
  return [...values.values()].includes(null) ? categories : categories.sort((a, b) => values.get(a) - values.get(b));
}

function numberOf(name, cell) {
  const value = cell === null ? NaN : floatOf(cell);
  if (Math.abs(value) !== Infinity) return value;
  throw new Error(`Column ${name} holds ${cell}, and numbers must be finite. Mend the cell, or empty it: then it is missing.`);
}
