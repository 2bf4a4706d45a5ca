// Two runs over each other: how they are aligned, and what differs.

/** A second surface under the first, its times moved onto those of the first. */
class Pair {
  /** @param {Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
    /** @type {any} The second surface, its place among the tabs, and how much later its times are. */
    this.surface = null;
    this.index = -1;
    this.offset = 0;
    this.canvas = element("canvas", { class: "detail second", tabindex: "0", role: "application", hidden: "",
      "aria-label": "Frame times and the pipeline of the second run", "aria-describedby": "explore-keys" });
    this.picture = new DetailPicture(this.canvas);
    this.title = element("p", { class: "second", hidden: "" });
    this.choice = element("select", { id: "pair-with" });
    this.choice.addEventListener("change", () => this.show(Number(this.choice.value)));
    this.alignment = element("select", { id: "pair-by" });
    this.alignment.addEventListener("change", () => this.align(this.alignment.value));
    this.shift = element("input", { type: "number", step: "any", id: "pair-shift" });
    this.shift.addEventListener("change", () => this.move(Number(this.shift.value) * 1e6));
    this.panel = element("p", { class: "pair" },
      element("label", { for: "pair-with" }, "Beside it "), this.choice, " ",
      element("span", { hidden: "" }, element("label", { for: "pair-by" }, "aligned by "), this.alignment, " ",
        element("label", { for: "pair-shift" }, "later by "), this.shift, " ms"));
    this.panel.hidden = explorer.heads.length < 2;
    this.canvas.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.point(event, false));
    this.canvas.addEventListener("click", (/** @type {PointerEvent} */ event) => this.point(event, true));
  }

  /** Offers the other surfaces. */
  offer() {
    const { heads, index } = this.explorer;
    const others = heads.map((head, place) => element("option", { value: `${place}` }, head.title)).filter((_, place) => place !== index);
    this.choice.replaceChildren(element("option", { value: "-1" }, "nothing"), ...others);
    if (this.index === index) this.hide();
    else if (this.surface) this.show(this.index, this.offset);
    this.choice.value = `${this.index}`;
  }

  hide() {
    [this.surface, this.index] = [null, -1];
    this.lay();
  }

  /** Shows a second surface, aligned by the first frames. @param {number} index @param {number} [offset] */
  async show(index, offset = NaN) {
    const { explorer } = this;
    if (!(index >= 0 && index < explorer.heads.length) || index === explorer.index) {
      this.hide();
      return;
    }
    this.surface = await explorer.surfaceAt(index);
    this.index = index;
    this.choice.value = `${index}`;
    const shared = [...new Set(explorer.surface.markers.map((/** @type {any} */ one) => one.name))]
      .filter((name) => this.surface.markers.some((/** @type {any} */ other) => other.name === name)).slice(0, 50);
    this.alignment.replaceChildren(element("option", { value: "" }, "the first frames"),
      ...shared.map((name) => element("option", { value: `marker ${name}` }, `the marker ${name}`)), element("option", { value: "hand" }, "hand"));
    if (Number.isNaN(offset)) this.align("");
    else {
      this.alignment.value = "hand";
      this.move(offset);
    }
    this.lay();
  }

  /** @param {string} by */
  align(by) {
    const first = (/** @type {Surface} */ surface) => {
      const name = by.replace(/^marker /, "");
      return by === "" ? surface.sortedTime[0] : surface.markers.find((marker) => marker.name === name)?.time ?? NaN;
    };
    const offset = first(this.surface) - first(this.explorer.surface);
    if (by !== "hand" && !Number.isNaN(offset)) this.move(offset);
    this.alignment.value = by;
  }

  /** @param {number} offset How much later the second run's times are. */
  move(offset) {
    this.offset = Number.isFinite(offset) ? Math.round(offset) : 0;
    this.shift.value = `${this.offset / 1e6}`;
    if (document.activeElement === this.shift) this.alignment.value = "hand";
    this.explorer.redraw();
  }

  lay() {
    const isShown = this.surface !== null;
    for (const node of [this.canvas, this.title, this.panel.querySelector("span")]) node.hidden = !isShown;
    if (isShown) {
      this.canvas.style.height = `${detailHeight(this.surface)}px`;
      this.title.replaceChildren("Below: ", element("bdi", {}, this.explorer.heads[this.index].title));
    }
    this.explorer.redraw();
  }

  /** The part of the second run that is in view. */
  get view() {
    const { from, to } = this.explorer.view;
    return { from: from + this.offset, to: to + this.offset };
  }

  draw() {
    if (this.surface) this.picture.draw(this.surface, this.view, null, null);
  }

  /**
   * The second run's frame times over those of the first, with what lies between them shaded.
   * @param {DetailPicture} picture @param {{left: number, width: number, top: number, height: number, high: number}} place
   */
  drawOver(picture, place) {
    if (!this.surface) return;
    const { context, colors, surface, view } = picture;
    drawTimes(context, this.surface, this.view, place, colors.buffers[1]);
    const own = levels(surface, view, place.width);
    const other = levels(this.surface, this.view, place.width);
    const y = (/** @type {number} */ value) => place.top + place.height * (1 - Math.min(value / place.high, 1));
    context.globalAlpha = 0.25;
    for (let column = 0; column < own.length; column++) {
      if (Number.isNaN(own[column]) || Number.isNaN(other[column])) continue;
      // In the color of the run that took longer.
      context.fillStyle = colors.buffers[other[column] > own[column] ? 1 : 0];
      const [low, high] = [Math.min(own[column], other[column]), Math.max(own[column], other[column])];
      context.fillRect(place.left + column * levelWidth, y(high), levelWidth, y(low) - y(high));
    }
    context.globalAlpha = 1;
  }

  /** @param {PointerEvent} event @param {boolean} isLasting */
  point(event, isLasting) {
    const found = this.picture.at(event.offsetX, event.offsetY);
    if (!found || Number.isNaN(found.row)) return;
    const { explorer } = this;
    explorer.inspector.replaceChildren(element("p", {}, "Second run"), ...inspect(this.surface, found, (row) => this.jump(row)));
    if (isLasting) explorer.status.textContent = `Second run: ${sentenceOf(this.surface, found)}`;
  }

  /** Goes to a frame of the second run. @param {number} row */
  jump(row) {
    const { explorer, surface } = this;
    explorer.center(surface.time[surface.placeOf(row)] - this.offset);
    const found = { row, drop: null, touch: null };
    explorer.inspector.replaceChildren(element("p", {}, "Second run"), ...inspect(surface, found, (other) => this.jump(other)));
    explorer.status.textContent = `Second run: ${sentenceOf(surface, found)}`;
  }

  /** What differs in a part, as rows of a table. @param {{from: number, to: number}} part @returns {Node[]} */
  figures(part) {
    if (!this.surface || !this.surface.isWhole || !this.explorer.surface.isWhole) return [];
    const both = [figuresOfPart(this.explorer.surface, part.from, part.to),
      figuresOfPart(this.surface, part.from + this.offset, part.to + this.offset)];
    const dropped = both.map((one) => [...one.droppedByStage.values()].reduce((sum, count) => sum + count, 0));
    const rows = [["frames", ...both.map((one) => `${one.frames}`)]];
    if (![this.explorer.surface, this.surface].some((one) => one.head.whyNoDrops)) rows.push(["dropped refreshes", ...dropped.map(String)]);
    for (const [key, name] of [["p50", "frame time p50 in ms"], ["p95", "p95"], ["p99", "p99"], ["max", "longest"]]) {
      rows.push([name, ...both.map((one) => (one.frameTime ? (one.frameTime[key] / 1e6).toFixed(2) : ""))]);
    }
    return [table("Both runs in this part", ["figure", ">first", ">second"], rows)];
  }
}

/** How many pixels share a level. */
const levelWidth = 4;

/** The longest frame time of every few pixels. @param {Surface} surface @param {Part} view @param {number} width */
function levels(surface, view, width) {
  const count = Math.max(0, Math.floor(width / levelWidth));
  const result = new Float64Array(count).fill(NaN);
  const step = (view.to - view.from) / Math.max(1, count);
  let start = firstNotBelow(surface.sortedTime, view.from);
  let last = NaN;
  for (let column = 0; column < count; column++) {
    const end = firstNotBelow(surface.sortedTime, view.from + (column + 1) * step);
    const found = surface.extremes.within(start, end);
    start = end;
    // A frame time stands until the next one, but not beyond it.
    if (found) last = found[1];
    else if (end > 0 && view.from + column * step - surface.sortedTime[end - 1] > last) last = NaN;
    result[column] = last;
  }
  return result;
}
