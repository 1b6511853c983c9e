// What the page does when it is opened: buttons, keys, files.

const studio = new Studio();

function startTheme() {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme || (system.matches ? "dark" : "light")) === "dark";
  const name = () => { byId("theme").textContent = isDark() ? "Light" : "Dark"; };
  byId("theme").addEventListener("click", () => { document.documentElement.dataset.theme = isDark() ? "light" : "dark"; name(); });
  system.addEventListener("change", name);
  name();
}

// Which column is learnt can be said even where the one that was taken will not do.
function offerTargets(file, names, target) {
  byId("target-part").hidden = false;
  byId("target-label").textContent = `to learn from ${file.name}`;
  byId("target").replaceChildren(...names.map((name) => html("option", { value: name }, name)));
  byId("target").value = names.includes(target) ? target : names[names.length - 1];
  byId("target").onchange = () => openFile(file, byId("target").value);
}

// A table that was dropped or chosen: its last column is learnt unless another is named, here or by a link that waits for it.
let opened = null; // the file of the table that is shown
let reads = 0; // files that were begun to be read: the newest is wanted, though an older one may take longer

async function openFile(file, named) {
  let target = named;
  reads += 1;
  const read = reads;
  let content = null;
  try {
    if (file.name.endsWith(".toml")) throw new Error("Prices come with the page: `thriftwood studio --costs FILE`, or are set here.");
    const bytes = await file.arrayBuffer();
    if (read !== reads) return;
    content = textOf(bytes, file.name);
    target ??= studio.waiting && studio.waiting.targetIn(content.text, file.name);
    const listed = data.invented ? {} : data.costs;
    const table = tableFromCsv(content.text, file.name, target, (listed.today || {}).answers); // what is answered today is no test
    offerTargets(file, table.names, table.target);
    byId("drop-part").hidden = true;
    opened = file;
    const first = firstCosts(listed, table);
    studio.load(table, first.costs, first.words, content.encoding ? `${file.name} is not UTF-8; it was read as ${content.encoding}.` : "");
  } catch (problem) {
    if (read !== reads) return;
    // Of the table that is shown, what is learnt stays as it was.
    if (problem instanceof TargetError) offerTargets(file, csvNames(content.text), file === opened ? studio.table.target : target);
    studio.problem(problem.message);
  }
}

function startFiles() {
  byId("file").addEventListener("click", () => { byId("file").value = ""; }); // the same file, mended, is a change, too
  byId("file").addEventListener("change", () => { if (byId("file").files[0]) openFile(byId("file").files[0], null); });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) openFile(file, null);
  });
}

// To a part of the page, without a place in the browser's history: going back there would be taken for opening an older link.
function jump(event) {
  const link = event.target.closest("a[href^='#']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const place = byId(link.getAttribute("href").slice(1));
  place.tabIndex = -1; // so that keys go on from there
  place.addEventListener("blur", () => place.removeAttribute("tabindex"), { once: true });
  place.focus({ preventScroll: true });
  place.scrollIntoView();
}

function startButtons() {
  onPress("undo", () => studio.state.undo());
  onPress("redo", () => studio.state.redo());
  byId("reset").addEventListener("click", () => studio.state.set({ ...studio.state.initial }));
  byId("link").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(window.location.href.split("#")[0] + studio.state.hash());
      const needed = !data.table || studio.table.name !== data.table.name ? "the table" : "this file";
      const alone = needed === "this file" && window.location.protocol !== "file:";
      studio.tell(`The link is copied.${alone ? "" : ` Whoever gets it needs ${needed}, too.`}`);
    } catch {
      studio.state.toAddressBar();
      studio.tell("The address of this page is the link.");
    }
  });
  byId("learner").replaceChildren(...data.learners.map((one) => html("option", { value: one.name }, one.name)));
  byId("learner").addEventListener("change", () => {
    const now = { ...studio.state.now, learner: byId("learner").value };
    studio.state.set({ learner: now.learner, weight: studio.usualWeight(now) });
  });
  byId("weight").addEventListener("change", () => {
    const weight = typedNumber(byId("weight").value);
    if (isPrice(weight)) studio.state.set({ weight });
    else {
      const wanted = weight === null ? numberWanted(byId("weight").value) : "It must be 0 or more.";
      studio.prices.refuse(byId("weight"), `${byId("weight").value.trim() || "Nothing"} is no weight. ${wanted}`);
      byId("weight").value = studio.state.now.weight;
    }
  });
  byId("payment").addEventListener("change", () => studio.change((now) => {
    const { payment, ...others } = now;
    return byId("payment").value === "upfront" ? { ...others, payment: "upfront" } : others;
  }));
  onPress("worths", () => studio.findWorths(true));
  document.addEventListener("keydown", (event) => {
    if (!studio.state || !(event.ctrlKey || event.metaKey) || event.target.matches("input[type=number], input[type=text]")) return;
    if (event.key === "z" && !event.shiftKey) { event.preventDefault(); studio.state.undo(); }
    if (event.key === "y" || (event.key === "z" && event.shiftKey) || event.key === "Z") { event.preventDefault(); studio.state.redo(); }
  });
  document.addEventListener("click", jump);
  window.addEventListener("hashchange", () => studio.follow());
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (studio.found && width !== window.innerWidth) {
      studio.showTree();
      if (studio.found.points) studio.showFrontier();
    }
    width = window.innerWidth;
  });
}

startTheme();
startFiles();
startButtons();
startDownloads(studio);
studio.start().catch((problem) => studio.problem(problem.message, LEARNING));
