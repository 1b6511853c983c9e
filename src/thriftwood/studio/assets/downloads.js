// What leaves the page: files made here, sent nowhere.

function download(name, text, type) {
  const link = html("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// A cell that a spreadsheet would take for a formula is put in quotes with a mark before it.
function csvCell(text) {
  const safe = /^[=+\-@\t\r]/.test(text) && !Number.isFinite(Number(text)) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replace(/"/g, "\"\"")}"` : safe;
}

function answersText(bill, table, costs) {
  const answers = [...table.classes, ...furtherAnswers(costs)];
  const rows = Array.from(bill.answers, (answer, row) => [String(row + 1), csvCell(table.classes[table.labels[row]]), csvCell(answers[answer]), String(bill.testCost[row])].join(","));
  return ["case,truth,answer,test_cost", ...rows].join("\n") + "\n";
}

// The picture with its style inside, so that it looks the same elsewhere.
function pictureText(picture) {
  const copy = picture.cloneNode(true);
  const style = shape("style", {}, ".box{fill:#fff;stroke:#5a6775;stroke-width:1.4}.branch{fill:none;stroke:#aeb9c4;stroke-width:1.4}"
    + "text{font-family:system-ui,sans-serif;fill:#1b2733}.name{font-size:14px;font-weight:600}.words,.condition{font-size:12px;fill:#5a6775}");
  copy.prepend(style);
  return new XMLSerializer().serializeToString(copy);
}

// Files of the tree, only while it is that of the prices on the page: a file of the one with the other would be wrong.
function offerDownloads(offered) {
  for (const id of ["get-aid", "get-model", "get-answers", "get-picture"]) byId(id).disabled = !offered;
}

function startDownloads(studio) {
  const at = (id, make) => byId(id).addEventListener("click", () => make(studio.found, studio.table, studio.state.now.costs));
  at("get-costs", (_, __, costs) => download("costs.toml", tomlText(costs), "application/toml"));
  at("get-model", (found, table, costs) => download("model.json", `${modelText(found.tree, table, costs, found.note)}\n`, "application/json"));
  at("get-answers", (found, table, costs) => download("answers.csv", answersText(found.bill, table, costs), "text/csv"));
  at("get-aid", (found, table, costs) => download("pocket.html", aidText(data.aid, data.title || "Which test next?", aidModel(found.tree, table, costs)), "text/html"));
  at("get-picture", () => download("tree.svg", pictureText(byId("tree").querySelector("svg")), "image/svg+xml"));
}
