/**
 * What a docked page shows otherwise than its step says, at several sizes of its frame: run in that page.
 *
 * `asked` is what the step names: the address, the part of a small screen, the beginning of a line of code, of a heading in a
 * section, and ranges of sliders.
 */
async ([asked, sizes]) => {
  const PATIENCE = 15000; // milliseconds until the picture has to be there, and to fit a size; waited for in full only where it does not
  const root = document.documentElement;
  const query = new URLSearchParams(asked.address.split("?")[1]);
  const box = (e) => e.getBoundingClientRect();
  const isShown = (e) => e && box(e).width > 8 && box(e).height > 8 && getComputedStyle(e).visibility !== "hidden";
  const overlap = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)) / (a.width * a.height || 1);
  const next = () => new Promise((done) => { requestAnimationFrame(done); setTimeout(done, 25); }); // a hidden frame is not painted
  const frames = async (/** @type {number} */ n) => { for (let k = 0; k < n; k += 1) await next(); };

  /** What is left of the window for an element by the boxes that cut it. */
  function room(element) {
    let { top, left, right, bottom } = { top: 0, left: 0, right: innerWidth, bottom: innerHeight };
    for (let each = element.parentElement ?? element.getRootNode().host; each; each = each.parentElement ?? each.getRootNode().host) {
      if (getComputedStyle(each).overflow === "visible") continue;
      const cut = box(each);
      [top, left, right, bottom] = [Math.max(top, cut.top), Math.max(left, cut.left), Math.min(right, cut.right), Math.min(bottom, cut.bottom)];
    }
    return { top, left, right, bottom };
  }

  /** The picture of the step has come. */
  function isThere() {
    const program = query.get("program");
    const frame = query.get("at");
    if (program === null) return !query.has("data") || document.getElementById("stat-step")?.textContent?.trim() === (query.get("step") ?? "0");
    const where = document.getElementById("where")?.textContent ?? "";
    if (document.querySelector(".array-picture")) return document.getElementById("program")?.value === program && (frame === null || where.startsWith(`frame ${frame} `));
    return document.getElementById("program")?.value === program && !!document.querySelector("#picture .op, #picture .group") && (frame === null || where.startsWith(`frame ${frame} `));
  }

  const code = () => document.querySelector("#editor .code")?.shadowRoot?.querySelector(".cm-scroller");

  function* ofGraph(isPhone) {
    const arrays = document.querySelector(".array-picture");
    const [stage, svg] = [document.querySelector(".stage"), arrays ?? document.getElementById("picture")];
    if (!svg || (isPhone && root.dataset.dock !== "graph")) return;
    const [all, s] = [[...svg.querySelectorAll(".value .card, .group .card, .op, .array-node")].map(box), box(stage)];
    const seen = all.filter((each) => overlap(each, s) > 0.5);
    if (!seen.length) return yield "no card is in view";
    const across = (Math.min(Math.max(...seen.map((b) => b.right)), s.right) - Math.max(Math.min(...seen.map((b) => b.left)), s.left)) / s.width;
    const down = (Math.min(Math.max(...seen.map((b) => b.bottom)), s.bottom) - Math.max(Math.min(...seen.map((b) => b.top)), s.top)) / s.height;
    if (Math.max(across, down) < 0.4) yield `the graph has ${across.toFixed(2)} by ${down.toFixed(2)} of the stage`;
    if (s.width < 0.4 * innerWidth || s.height < 0.25 * innerHeight) yield `the stage is ${s.width | 0} by ${s.height | 0} pixels`;
    if (arrays && ![...svg.querySelectorAll(".array-node.now")].some((card) => overlap(box(card), s) > 0.9)) yield "the array of the frame is not in view";
    for (const card of svg.querySelectorAll(".value .card, .array-node")) {
      const b = box(card);
      if (overlap(b, s) < 0.95) continue;
      const top = document.elementFromPoint((b.left + b.right) / 2, (b.top + b.bottom) / 2);
      if (top && !svg.contains(top) && !top.contains(svg)) yield `a card is covered by ${top.tagName} ${top.className}`;
    }
  }

  function* ofCode(isPhone) {
    const text = code();
    if (isPhone ? root.dataset.dock === "program" : query.has("program")) {
      if (!isShown(text)) return yield "there is no code";
      if (text.scrollWidth > text.clientWidth + 1) yield `code is cut by ${text.scrollWidth - text.clientWidth} pixels`;
    }
    if (!asked.code || !isShown(text)) return;
    if (text.querySelector(".folded")) yield "code is folded";
    const line = [...text.querySelectorAll(".cm-line")].find((each) => each.textContent.trimStart().startsWith(asked.code));
    if (!line || overlap(box(line), room(line)) < 0.9) yield `the line “${asked.code}” is not in view`;
  }

  function* ofSections(isPhone) {
    const isIn = !isPhone || root.dataset.dock === "sums";
    if (query.has("value") && isIn && !isShown(document.querySelector("#value-card:not([hidden]) h2, #value-title"))) yield "the card of the Value is closed";
    const heading = asked.place && [...document.querySelectorAll(".lens[open] h3")].find((each) => each.textContent.startsWith(asked.place));
    if (asked.place && isIn && (!heading || overlap(box(heading), room(heading)) < 0.9)) yield `“${asked.place}” is not in view`;
    const isOfPlot = query.has("nudge") || query.has("descend") || query.has("check");
    const plot = isOfPlot && !asked.place ? document.querySelector(".lens[open] .plot") : null;
    if (isIn && plot && isShown(plot) && overlap(box(plot), room(plot)) < 0.9) yield "the plot is cut";
    for (const table of document.querySelectorAll("table")) {
      const [b, r] = [box(table), room(table)];
      if (b.width > 8 && b.right > r.right + 2) yield `a table is cut by ${(b.right - r.right) | 0} pixels: ${table.textContent.trim().slice(0, 20)}`;
    }
  }

  function* ofRun(isPhone) {
    if (!document.querySelector(".lab")) return;
    const { dock } = root.dataset;
    const names = { network: ".stage", frames: ".frames", results: ".side" };
    for (const [part, selector] of Object.entries(names)) {
      if (part === "frames" && !query.has("phase")) continue;
      if (isPhone ? dock !== part : query.get("hide")?.includes("none")) continue;
      if (!isShown(document.querySelector(selector))) yield `the part ${part} is hidden`;
    }
  }

  function* ofSliders() {
    for (const row of document.querySelectorAll("#leaves .leaf")) {
      const range = asked.ranges[row.querySelector("label").textContent.trim()];
      const slider = row.querySelector("input");
      if (range && (Number(slider.min) !== range[0] || Number(slider.max) !== range[1])) yield `a slider goes from ${slider.min} to ${slider.max}`;
    }
  }

  function faults([width]) {
    const isPhone = width < 600;
    if (root.dataset.dock !== asked.part) return [`the part is ${root.dataset.dock}`];
    return [...ofGraph(isPhone), ...ofCode(isPhone), ...ofSections(isPhone), ...ofRun(isPhone), ...ofSliders()].map((fault) => `${width}: ${fault}`);
  }

  const end = performance.now() + PATIENCE;
  while (!isThere() && performance.now() < end) await frames(2);
  if (!isThere()) return [`the picture of ${asked.address.slice(0, 80)} has not come`];
  const found = [];
  for (const size of sizes) {
    Object.assign(frameElement.style, { width: `${size[0]}px`, height: `${size[1]}px` });
    await frames(2);
    if (asked.code) window.seegrad.seek(asked.code); // as the lesson does in a window of that size
    const soon = performance.now() + PATIENCE;
    let wrong = faults(size);
    while (wrong.length && performance.now() < soon) {
      await frames(3);
      wrong = faults(size);
    }
    found.push(...wrong);
  }
  Object.assign(frameElement.style, { width: "", height: "" });
  return found;
}
