// How numbers are written, and how elements are made. Every text from a trace is a text node, never markup.

/**
 * What JSON from the page says, with what turns the direction of text or cannot be seen in it shown as a sign.
 * @param {string} text @returns {any}
 */
function parsed(text) {
  const unseen = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
  return JSON.parse(text, (key, value) => (typeof value === "string" && key !== "data" ? value.replace(unseen, "\ufffd") : value));
}

/** @param {number} time In nanoseconds. */
function seconds(time) { return `${(time / 1e9).toFixed(3)} s`; }

/** @param {number} length In nanoseconds. */
function milliseconds(length) { return `${(length / 1e6).toFixed(2)} ms`; }

/** @param {number} count @param {string} one @param {string} [many] */
function counted(count, one, many = one + "s") { return `${count} ${count === 1 ? one : many}`; }

/**
 * @param {string} tag
 * @param {Record<string, string>} [attributes]
 * @param {...(Node | string)} children
 * @returns {any}
 */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/**
 * A button that does something.
 * @param {string} text @param {() => void} action
 */
function button(text, action) {
  const made = element("button", { type: "button" }, text);
  made.addEventListener("click", action);
  return made;
}

/**
 * A table with a row of headings; columns whose heading starts with ">" are numbers.
 * @param {string} caption @param {string[]} headings @param {string[][]} rows
 */
function table(caption, headings, rows) {
  const kind = headings.map((heading) => (heading.startsWith(">") ? { class: "number" } : {}));
  const head = headings.map((heading, place) => element("th", { scope: "col", ...kind[place] }, heading.replace(/^>/, "")));
  const body = rows.map((row) => element("tr", {}, ...row.map((text, place) =>
    element(place === 0 ? "th" : "td", place === 0 ? { scope: "row", ...kind[0] } : kind[place], text))));
  return element("div", { class: "table", role: "group", "aria-label": caption, tabindex: "0" },
    element("table", {}, element("caption", {}, caption), element("thead", {}, element("tr", {}, ...head)),
      element("tbody", {}, ...body)));
}

/**
 * Round values of an axis: at most so many in a range.
 * @param {number} low @param {number} high @param {number} most
 */
function ticks(low, high, most) {
  const rough = (high - low) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? 10 * power;
  const found = [];
  for (let number = Math.ceil(low / step); number * step <= high; number++) found.push(number * step);
  return { step, values: found };
}

/** The unit for a range of times. @param {Part} part */
function timeUnit(part) { return part.to - part.from > 2e9 ? { size: 1e9, name: "s" } : { size: 1e6, name: "ms" }; }

/**
 * An axis of times below a picture.
 * @param {CanvasRenderingContext2D} context @param {Part} part
 * @param {{left: number, right: number, top: number, words: number, spacing: number}} place Where it is, how far below it the
 *   words are, and how far apart they should be.
 * @param {string} color @param {{size: number, name: string}} unit
 */
function drawTimeAxis(context, part, place, color, unit) {
  const width = place.right - place.left;
  const marks = ticks(part.from / unit.size, part.to / unit.size, Math.max(2, width / place.spacing));
  const decimals = Math.max(0, -Math.floor(Math.log10(marks.step)));
  context.fillStyle = color;
  context.textAlign = "center";
  for (const value of marks.values) {
    const x = place.left + width * (value * unit.size - part.from) / (part.to - part.from);
    context.fillRect(x, place.top, 1, 4);
    if (x > place.left + 24 && x < place.right - 24) context.fillText(`${value.toFixed(decimals)} ${unit.name}`, x, place.top + place.words);
  }
}

/**
 * A canvas's context in pixels of the style sheet, cleared, and its size; null while it has none.
 * @param {HTMLCanvasElement} canvas
 */
function prepared(canvas) {
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const context = canvas.getContext("2d");
  if (!context || width === 0 || height === 0) return null;
  const scale = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = "12px system-ui, sans-serif";
  context.textBaseline = "middle";
  return { context, width, height };
}

/** The colors of the style sheet as they are now: light or dark. */
function palette() {
  const style = getComputedStyle(document.documentElement);
  const color = (/** @type {string} */ name) => style.getPropertyValue("--" + name).trim();
  return {
    text: color("text"), soft: color("soft"), line: color("line"), back: color("back"), band: color("band"),
    fault: color("fault"), link: color("link"),
    buffers: [0, 1, 2, 3, 4, 5].map((place) => color("color-" + place)),
  };
}
