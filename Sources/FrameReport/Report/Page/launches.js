// A launch over time: its phases, what its threads did, and the slices of its main thread as a flame chart.

/**
 * @typedef {{name: string, end?: number, length: number, phases: [string, number, number][],
 *   lanes: {name: string, states: number[][]}[], slices: [string, number, number, number][]}} Launch
 * @typedef {{x: number, y: number, width: number, height: number, words: string}} Bar
 */

const goal = 400_000;
const barHeight = 20;

class LaunchPicture {
  /** @param {HTMLElement} place @param {Launch[]} launches */
  constructor(place, launches) {
    this.launches = launches;
    /** @type {Bar[]} */
    this.bars = [];
    this.chosen = -1;
    this.choice = element("select", { id: "launch-choice" }, ...launches.map((launch, index) =>
      element("option", { value: `${index}` }, `${launch.name}: ${milliseconds((launch.end ?? launch.length) * 1000)}`)));
    this.choice.addEventListener("change", () => this.show(Number(this.choice.value)));
    this.canvas = element("canvas", { class: "launch", tabindex: "0", role: "application",
      "aria-label": "Phases, threads and slices of a launch; W and S zoom, A and D move, the arrow keys go from bar to bar" });
    this.status = element("p", { role: "status", class: "status" }, "Point at a bar to see what it is.");
    place.append(element("p", {}, element("label", { for: "launch-choice" }, "Launch "), this.choice), this.canvas,
      element("div", { class: "toolbar" }, button("Zoom in", () => this.zoom(0.5)), button("Zoom out", () => this.zoom(2)),
        button("Whole launch", () => this.look(0, this.launch.length))), this.status);
    place.hidden = false;
    this.canvas.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.point(event));
    this.canvas.addEventListener("wheel", (/** @type {WheelEvent} */ event) => {
      if (!event.ctrlKey && document.activeElement !== this.canvas) return;
      event.preventDefault();
      this.zoom(2 ** (event.deltaY / 300), this.timeAt(event.offsetX));
    }, { passive: false });
    this.canvas.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
    window.addEventListener("resize", () => this.draw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    // The slowest one first.
    this.show(launches.reduce((found, launch, index) => (launch.length > launches[found].length ? index : found), 0));
  }

  get launch() { return this.launches[this.index]; }

  /** @param {number} index */
  show(index) {
    this.index = index;
    this.choice.value = `${index}`;
    this.depth = this.launch.slices.reduce((most, slice) => Math.max(most, slice[3] + 1), 0);
    this.canvas.style.height = `${(1 + this.launch.lanes.length + this.depth) * (barHeight + 4) + axisHeight + 6}px`;
    this.chosen = -1;
    this.look(0, this.launch.length);
  }

  /** @param {number} from @param {number} to */
  look(from, to) {
    const length = Math.min(Math.max(to - from, 100), this.launch.length * 1.02);
    const start = Math.min(Math.max(from, 0), this.launch.length * 1.02 - length);
    this.view = { from: start, to: start + length };
    this.draw();
  }

  /** @param {number} factor @param {number} [around] */
  zoom(factor, around = (this.view.from + this.view.to) / 2) {
    this.look(around - (around - this.view.from) * factor, around + (this.view.to - around) * factor);
  }

  get left() { return Math.min(margin + 20, this.canvas.clientWidth / 4); }

  /** @param {number} x */
  timeAt(x) { return this.view.from + (this.view.to - this.view.from) * (x - this.left) / (this.canvas.clientWidth - this.left); }

  /** @param {number} time */
  x(time) { return this.left + (this.canvas.clientWidth - this.left) * (time - this.view.from) / (this.view.to - this.view.from); }

  draw() {
    const ready = prepared(this.canvas);
    this.bars = [];
    if (!ready) return;
    const { context, width, height } = ready;
    const colors = palette();
    const states = { running: colors.buffers[0], starved: colors.fault, kernel: colors.buffers[3], waiting: colors.line };
    let top = 4;
    const name = (/** @type {string} */ text) => {
      context.fillStyle = colors.soft;
      context.textAlign = "right";
      context.fillText(text, this.left - 6, top + barHeight / 2, this.left - 8);
    };
    /** @type {(start: number, end: number, color: string, text: string, words: string) => void} */
    const bar = (start, end, color, text, words) => {
      if (end < this.view.from || start > this.view.to) return;
      const x = Math.max(this.x(start), this.left);
      const right = Math.min(this.x(end), width);
      context.fillStyle = color;
      context.fillRect(x, top, Math.max(0.5, right - x - 0.5), barHeight);
      const room = right - x - 8;
      if (text && room > 20) {
        context.fillStyle = inkUpon(color);
        context.textAlign = "left";
        context.save();
        context.beginPath();
        context.rect(x, top, right - x, barHeight);
        context.clip();
        context.fillText(text, x + 4, top + barHeight / 2);
        context.restore();
      }
      this.bars.push({ x, y: top, width: Math.max(1, right - x), height: barHeight,
        words: `${words}: ${milliseconds((end - start) * 1000)}, from ${milliseconds(start * 1000)} on` });
    };
    name("phases");
    this.launch.phases.forEach(([phase, start, end], place) => bar(start, end, colors.buffers[place % 6], phase, phase));
    top += barHeight + 4;
    for (const lane of this.launch.lanes) {
      name(lane.name);
      for (const [start, end, kind] of lane.states) bar(start, end, states[threadStates[kind][0]], "", `${lane.name}, ${threadStates[kind][1]}`);
      top += barHeight + 4;
    }
    const first = top;
    for (let depth = 0; depth < this.depth; depth++) {
      if (depth === 0) name("slices");
      for (const [slice, start, end, own] of this.launch.slices) {
        if (own === depth) bar(start, end, colors.buffers[[1, 4, 5, 2][depth % 4]], slice, slice);
      }
      top += barHeight + 4;
    }
    this.drawAxis(context, colors, Math.max(first, top), width);
    const chosen = this.bars[this.chosen];
    if (chosen) {
      context.strokeStyle = colors.text;
      context.lineWidth = 2;
      context.strokeRect(chosen.x, chosen.y, chosen.width, chosen.height);
    }
  }

  /** @param {CanvasRenderingContext2D} context @param {any} colors @param {number} top @param {number} width */
  drawAxis(context, colors, top, width) {
    // Times of launches are in microseconds.
    drawTimeAxis(context, this.view, { left: this.left, right: width, top, words: 13, spacing: 110 }, colors.soft, { size: 1e3, name: "ms" });
    const lines = [[this.launch.end, colors.text], [goal, colors.fault]];
    for (const [time, color] of lines) {
      if (time === undefined || time < this.view.from || time > this.view.to) continue;
      context.fillStyle = color;
      context.fillRect(this.x(time), 0, 1.5, top);
    }
  }

  /** @param {PointerEvent} event */
  point(event) {
    let place = this.bars.length - 1;
    const isIn = (/** @type {Bar} */ bar) => event.offsetX >= bar.x && event.offsetX <= bar.x + bar.width
      && event.offsetY >= bar.y && event.offsetY <= bar.y + bar.height;
    while (place >= 0 && !isIn(this.bars[place])) place--;
    this.choose(place);
  }

  /** @param {number} place A bar, by its place. */
  choose(place) {
    if (!this.bars[place]) return;
    this.chosen = place;
    this.status.textContent = `${this.bars[place].words}.`;
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = (this.view.to - this.view.from) / 10;
    /** @type {Record<string, () => void>} */
    const moves = {
      w: () => this.zoom(0.8), s: () => this.zoom(1.25), a: () => this.look(this.view.from - step, this.view.to - step),
      d: () => this.look(this.view.from + step, this.view.to + step), home: () => this.look(0, this.launch.length),
      arrowright: () => this.choose(Math.min(this.chosen + 1, this.bars.length - 1)),
      arrowleft: () => this.choose(Math.max(this.chosen - 1, 0)),
    };
    const move = moves[event.key.toLowerCase()];
    if (!move) return;
    event.preventDefault();
    move();
  }
}
