// The distributions of two sides over one axis, and what changed, with the values under the cursor.

class ComparisonPicture {
  /** @param {HTMLElement} place @param {any} data */
  constructor(place, data) {
    this.data = data;
    const values = data.sides.flatMap((/** @type {any} */ side) => side.runs.flatMap((/** @type {any} */ run) => [run.curve[0], run.curve[run.curve.length - 1]]));
    this.low = Math.min(...values);
    this.high = Math.max(...values, this.low + 0.01);
    this.cursor = null;
    this.canvas = element("canvas", { class: "compared", tabindex: "0", role: "application",
      "aria-label": `The share of ${data.what}s at or below each length, for both sides; the arrow keys move a cursor` });
    this.status = element("p", { role: "status", class: "status" }, "Point at a value to see the share of each side at or below it.");
    this.canvas.style.height = "300px";
    place.append(this.canvas, this.status);
    place.hidden = false;
    this.canvas.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.point(this.valueAt(event.offsetX)));
    this.canvas.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      this.point(Math.min(Math.max((this.cursor ?? this.low) + step * (this.high - this.low) / 100, this.low), this.high));
    });
    window.addEventListener("resize", () => this.draw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    this.draw();
  }

  get scale() { return (this.canvas.clientWidth - 60) / (this.high - this.low); }

  /** @param {number} x */
  valueAt(x) { return this.low + (x - 50) / this.scale; }

  /** The share of a run's values that are at most so long. @param {any} run @param {number} value */
  static share(run, value) {
    const place = firstNotBelow(run.curve, value);
    if (place === 0) return value < run.curve[0] ? 0 : 0.5 / (run.curve.length - 1);
    if (place >= run.curve.length) return 1;
    const [before, after] = [run.curve[place - 1], run.curve[place]];
    return (place - 1 + (after > before ? (value - before) / (after - before) : 1)) / (run.curve.length - 1);
  }

  /** @param {number} value */
  point(value) {
    if (value < this.low || value > this.high) return;
    this.cursor = value;
    const words = this.data.sides.map((/** @type {any} */ side) => {
      const shares = side.runs.map((/** @type {any} */ run) => ComparisonPicture.share(run, value));
      const text = [Math.min(...shares), Math.max(...shares)].map((share) => (share * 100).toFixed(1));
      return `${side.name} ${text[0] === text[1] ? text[0] : text.join(" to ")} %`;
    });
    this.status.textContent = `At most ${value.toFixed(2)} ms: ${words.join(", ")}.`;
    this.draw();
  }

  draw() {
    const ready = prepared(this.canvas);
    if (!ready) return;
    const { context, width, height } = ready;
    const colors = palette();
    const [left, bottom] = [50, height - 24];
    const x = (/** @type {number} */ value) => left + (value - this.low) * this.scale;
    const y = (/** @type {number} */ share) => bottom - share * (bottom - 10);
    context.fillStyle = colors.soft;
    context.strokeStyle = colors.line;
    context.textAlign = "right";
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      context.fillText(`${share * 100} %`, left - 6, y(share));
      context.strokeRect(left, y(share), width - left - 10, 0);
    }
    context.textAlign = "center";
    for (const value of ticks(this.low, this.high, width / 90).values) {
      context.fillText(`${Number(value.toPrecision(6))} ms`, x(value), bottom + 13);
    }
    this.data.sides.forEach((/** @type {any} */ side, /** @type {number} */ place) => {
      context.strokeStyle = context.fillStyle = colors.buffers[place];
      context.lineWidth = 2;
      context.setLineDash(place === 1 ? [6, 4] : []);
      for (const run of side.runs) {
        context.beginPath();
        run.curve.forEach((/** @type {number} */ value, /** @type {number} */ index) =>
          context.lineTo(x(value), y(index / (run.curve.length - 1))));
        context.stroke();
      }
      context.setLineDash([]);
      context.textAlign = "left";
      context.fillText(`${place === 1 ? "– –" : "—"} ${side.name}`, left + 8, 20 + place * 18);
    });
    if (this.cursor !== null) {
      context.strokeStyle = colors.text;
      context.lineWidth = 1;
      context.strokeRect(x(this.cursor), 10, 0, bottom - 10);
    }
  }
}
