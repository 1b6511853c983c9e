// What of the tree is seen: zoom, movement, and the whole of it on paper.

const view = { x: 0, y: 0, scale: 1, content: { width: 1, height: 1 } };
const stage = byId("tree-view");

// A window may be opened with no width at all and get one later; then the tree is drawn again.
function stageWidth() {
  return Math.max(stage.parentElement.clientWidth - 2, 240);
}

function applyView() {
  const { width, height } = stage.getBoundingClientRect();
  stage.setAttribute("viewBox", `${view.x} ${view.y} ${width / view.scale} ${height / view.scale}`);
}

// As high as the tree, so that the page scrolls and nothing is cut off; of a very large one, a window.
const HIGHEST = 5000;

function setStageHeight() {
  const scale = clamp(stageWidth() / view.content.width, READABLE, 1);
  const wanted = Math.ceil(view.content.height * scale) + 4;
  stage.style.height = `${wanted > HIGHEST ? Math.max(320, window.innerHeight * 0.72) : Math.max(wanted, 96)}px`;
}

function wholeScale() {
  const { width, height } = stage.getBoundingClientRect();
  return Math.min(width / view.content.width, height / view.content.height);
}

// The whole tree, or, where its letters would be too small, its beginning at a size to read.
function fitView(smallest = 0) {
  const { width, height } = stage.getBoundingClientRect();
  const whole = Math.min(wholeScale(), 1);
  view.scale = Math.max(whole, smallest, 0.02);
  view.x = whole < view.scale || view.content.outline ? 0 : (view.content.width - width / view.scale) / 2;
  view.y = whole < view.scale ? 0 : (view.content.height - height / view.scale) / 2;
  applyView();
}

function zoom(factor, atX, atY) {
  const { width, height } = stage.getBoundingClientRect();
  const [px, py] = [atX ?? width / 2, atY ?? height / 2];
  const scale = clamp(view.scale * factor, 0.02, 4);
  view.x += px / view.scale - px / scale;
  view.y += py / view.scale - py / scale;
  view.scale = scale;
  applyView();
}

// See some nodes together, as large as they can be; of a long way at least its end, at a size to read.
function fitNodes(some) {
  const { width, height } = stage.getBoundingClientRect();
  const left = Math.min(...some.map((node) => node.x - node.labelWidth)) - BOX.margin;
  const right = Math.max(...some.map((node) => node.x + node.width)) + BOX.margin;
  const top = Math.min(...some.map((node) => node.y)) - BOX.height;
  const bottom = Math.max(...some.map((node) => node.y)) + BOX.height;
  view.scale = clamp(Math.min(width / (right - left), height / (bottom - top)), 0.55, 1);
  view.x = (left + right - width / view.scale) / 2;
  view.y = (top + bottom - height / view.scale) / 2;
  reveal(some[some.length - 1]);
}

// Move as little as needed to see a node.
function reveal(node) {
  const { width, height } = stage.getBoundingClientRect();
  const [wide, high] = [width / view.scale, height / view.scale];
  view.x = clamp(view.x, node.x + node.width + BOX.margin - wide, node.x - BOX.margin - node.labelWidth);
  if (node.x + node.width + BOX.margin - wide > node.x - BOX.margin - node.labelWidth) view.x = node.x - BOX.margin;
  view.y = clamp(view.y, node.y + BOX.height - high, node.y - BOX.height);
  applyView();
}

function watchMouse() {
  let from = null;
  stage.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    from = { x: event.clientX, y: event.clientY };
  });
  window.addEventListener("pointermove", (event) => {
    if (!from) return;
    view.x -= (event.clientX - from.x) / view.scale;
    view.y -= (event.clientY - from.y) / view.scale;
    if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > 3) stage.dataset.moved = "yes";
    from = { x: event.clientX, y: event.clientY };
    applyView();
  });
  const stop = () => {
    from = null;
    setTimeout(() => delete stage.dataset.moved); // after the click that ends a movement
  };
  window.addEventListener("pointerup", stop);
  window.addEventListener("pointercancel", stop); // the page scrolls instead
  stage.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return; // without these the page scrolls, as everywhere
    event.preventDefault();
    const at = stage.getBoundingClientRect();
    zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.clientX - at.left, event.clientY - at.top);
  }, { passive: false });
}

// On paper: the drawing where it is readable and leaves room on its page, otherwise the outline, which may break between
// pages; on the screen again: as it was.
const PAPER = { width: 700, height: 640 };

function watchPrinting() {
  const paper = () => {
    const drawn = drawForPaper();
    const scale = Math.min(1, PAPER.width / drawn.width);
    document.body.classList.toggle("outlined", scale < READABLE - 0.05 || drawn.height * scale > PAPER.height);
    stage.setAttribute("viewBox", `0 0 ${drawn.width} ${drawn.height}`);
    stage.style.height = "auto";
    stage.style.maxWidth = `${drawn.width}px`;
  };
  const screen = () => {
    stage.style.maxWidth = "";
    redraw();
    lookAgain();
  };
  const printing = window.matchMedia("print");
  printing.addEventListener("change", () => (printing.matches ? paper() : screen()));
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (printing.matches) {
      paper(); // having asked, we may get no notice of the change
    } else if (width !== window.innerWidth) { // phones change the height while one scrolls
      screen();
    }
    width = window.innerWidth;
  });
  window.addEventListener("beforeprint", paper);
  window.addEventListener("afterprint", screen);
}
