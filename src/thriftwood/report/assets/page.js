// What the page does when it is opened.

function startTheme() {
  const button = byId("theme");
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme || (system.matches ? "dark" : "light")) === "dark";
  const name = () => { button.textContent = isDark() ? "Light" : "Dark"; };
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    name();
  });
  system.addEventListener("change", name);
  name();
}

// Tables that scroll are reached with Tab; the others need not be.
function startTables() {
  const tables = [...document.querySelectorAll(".scroll")];
  const mark = () => tables.forEach((one) => { one.tabIndex = one.scrollWidth > one.clientWidth ? 0 : -1; });
  mark();
  window.addEventListener("resize", mark);
}

startTheme();
startTables();
if (data.frontier) startFrontier(data.frontier);
if (data.nodes) {
  startTree();
  startCases();
}
