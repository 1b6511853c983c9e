// The small window beside whatever the mouse points at or the keyboard has reached.

const tip = byId("tip");

function showTip(target, content) {
  tip.replaceChildren(content);
  tip.hidden = false;
  const at = target.getBoundingClientRect();
  const own = tip.getBoundingClientRect();
  const wide = document.documentElement.clientWidth;
  const below = at.bottom + own.height + 10 < window.innerHeight || at.top < own.height + 10;
  tip.style.left = `${clamp(at.left, 8, Math.max(8, wide - own.width - 8)) + window.scrollX}px`;
  tip.style.top = `${(below ? at.bottom + 8 : at.top - own.height - 8) + window.scrollY}px`;
}

function hideTip() {
  tip.hidden = true;
}

// Show a tip while an element is pointed at or has the focus; Escape hides it.
function giveTip(target, makeContent) {
  const show = () => showTip(target, makeContent());
  target.addEventListener("mouseenter", show);
  target.addEventListener("focus", show);
  target.addEventListener("mouseleave", hideTip);
  target.addEventListener("blur", hideTip);
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") hideTip();
});

// Lines of a name and a value.
function facts(pairs) {
  const rows = pairs.filter(([, value]) => value !== null && value !== "");
  return html("dl", {}, ...rows.flatMap(([name, value]) => [html("dt", {}, name), html("dd", {}, value)]));
}

// Classes with their colours and counts.
function countList(counts) {
  const lines = counts.map(([label, name, count]) => {
    const mark = label === null ? "" : shape("svg", { width: 9, height: 9, "aria-hidden": "true" },
      shape("rect", { width: 9, height: 9, rx: 2, fill: data.colours[label % data.colours.length] }));
    return html("li", {}, mark, ` ${name}: ${count}`);
  });
  return html("ul", { class: "counts" }, ...lines);
}
