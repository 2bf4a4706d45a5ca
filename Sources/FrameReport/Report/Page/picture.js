// The two canvases: the whole trace with the part that is seen, and that part with the pipeline of its frames.

/** How many frames are told apart in the pipeline. */
const mostFrames = 1500;
const overviewHeight = 84;
const timesHeight = 120;
const laneHeight = 26;
const axisHeight = 22;
const margin = 92;

/**
 * @typedef {{from: number, to: number}} Part
 * @typedef {{x: number, y: number, width: number, height: number, row: number, drop: Drop | null, touch: any}} Box
 */

/** Where an axis of frame times ends. @param {Surface} surface @param {[number, number] | null} found Its lowest and highest. */
function highest(surface, found) {
  return Math.max(found ? found[1] : 0, surface.head.interval ? 1.5 * surface.head.interval : 1e5) * 1.05;
}

/**
 * Draws frame times as a line for each column of pixels, so that no spike is lost.
 * @param {CanvasRenderingContext2D} context @param {Surface} surface @param {Part} range
 * @param {{left: number, width: number, top: number, height: number, high: number}} place
 * @param {string} color
 */
function drawTimes(context, surface, range, place, color) {
  const y = (/** @type {number} */ value) => place.top + place.height * (1 - Math.min(value / place.high, 1));
  const span = range.to - range.from;
  const start = firstNotBelow(surface.sortedTime, range.from);
  const end = firstNotBelow(surface.sortedTime, range.to);
  context.fillStyle = color;
  if (end - start < place.width / 3) {
    for (let index = start; index < end; index++) {
      const value = surface.frameTime[surface.order ? surface.order[index] : index];
      if (Number.isNaN(value)) continue;
      const x = place.left + place.width * (surface.sortedTime[index] - range.from) / span;
      context.fillRect(x - 1.5, y(value) - 1.5, 3, 3);
    }
    return;
  }
  let next = start;
  for (let column = 0; column < place.width && next < end; column++) {
    const until = firstNotBelow(surface.sortedTime, range.from + span * (column + 1) / place.width);
    const found = surface.extremes.within(next, Math.min(until, end));
    next = until;
    if (!found) continue;
    const top = y(found[1]);
    context.fillRect(place.left + column, top, 1, Math.max(1.5, y(Math.max(found[0], 0)) - top));
  }
}

/**
 * Marks drops and hitches, one for each column of pixels at most.
 * @param {CanvasRenderingContext2D} context @param {Surface} surface @param {Part} range
 * @param {{left: number, width: number, top: number, height: number}} place @param {string} color
 */
function drawMarks(context, surface, range, place, color) {
  context.fillStyle = color;
  const scale = place.width / (range.to - range.from);
  let last = -1;
  for (let index = firstNotBelow(surface.markTime, range.from); index < surface.marks.length; index++) {
    const mark = surface.marks[index];
    if (mark.time > range.to) break;
    const x = Math.floor(place.left + (mark.time - range.from) * scale);
    if (mark.kind === "latency" || x === last) continue;
    context.fillRect(x, place.top, 2, place.height);
    last = x;
    // What falls on the same column is not looked at.
    index = Math.max(index, firstNotBelow(surface.markTime, range.from + (x + 1 - place.left) / scale) - 1);
  }
}

/**
 * The whole trace.
 * @param {HTMLCanvasElement} canvas @param {Surface} surface @param {Part} whole @param {Part} view
 * @param {Part | null} selection
 */
function drawOverview(canvas, surface, whole, view, selection) {
  const ready = prepared(canvas);
  if (!ready) return;
  const { context, width, height } = ready;
  const colors = palette();
  const x = (/** @type {number} */ time) => width * (time - whole.from) / (whole.to - whole.from);
  context.fillStyle = colors.band;
  context.fillRect(0, 0, width, height);
  const found = surface.extremes.within(0, surface.count);
  const high = highest(surface, found);
  drawTimes(context, surface, whole, { left: 0, width, top: 2, height: height - 14, high }, colors.buffers[0]);
  drawMarks(context, surface, whole, { left: 0, width, top: height - 10, height: 8 }, colors.fault);
  if (selection) {
    context.globalAlpha = 0.25;
    context.fillStyle = colors.buffers[1];
    context.fillRect(x(selection.from), 0, Math.max(1, x(selection.to) - x(selection.from)), height);
  }
  context.globalAlpha = 0.55;
  context.fillStyle = colors.back;
  context.fillRect(0, 0, x(view.from), height);
  context.fillRect(x(view.to), 0, width - x(view.to), height);
  context.globalAlpha = 1;
  context.strokeStyle = colors.link;
  context.lineWidth = 2;
  context.strokeRect(x(view.from), 1, Math.max(2, x(view.to) - x(view.from)), height - 2);
}

/** The rows of the pipeline's picture that the surface has anything in. @param {Surface} surface */
function rowsOf(surface) {
  const known = (/** @type {string} */ name) => surface.column(name).some((time) => !Number.isNaN(time));
  const ends = { app: known("appEnd") || known("commit"), compositor: known("compositorEnd"), gpu: known("gpuEnd"), display: true };
  const starts = { app: known("appStart"), compositor: known("compositorStart"), gpu: known("gpuStart"), display: known("displayed") };
  const rows = surface.head.stages.filter((/** @type {any} */ stage) => starts[stage.key] && ends[stage.key]);
  if (surface.touches.length > 0) {
    rows.unshift({ key: "touch", name: "touch" });
    if (surface.touches.some((touch) => !Number.isNaN(touch.photon))) rows.push({ key: "photon", name: "to photon" });
  }
  if (!surface.head.whyNoDrops) rows.push({ key: "dropped", name: "dropped" });
  for (const counter of surface.counters) rows.push({ key: "counter", name: counter.name, counter });
  return rows;
}

/** The height that the pipeline's picture takes. @param {Surface} surface */
function detailHeight(surface) { return timesHeight + rowsOf(surface).length * laneHeight + axisHeight; }

/** Draws a part of a surface and knows afterwards what is where. */
class DetailPicture {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    /** @type {Box[]} */
    this.boxes = [];
    this.hint = "";
    this.left = this.width = this.height = this.bottom = 0;
    this.high = 1;
    /** @type {any} */
    this.colors = null;
    /** @type {any} */
    this.context = null;
    /** @type {any} */
    this.surface = null;
    /** @type {Part} */
    this.view = { from: 0, to: 1 };
    /** @type {any} */
    this.pointed = null;
    /** @type {{key: string, name: string}[]} */
    this.rows = [];
  }

  /**
   * @param {Surface} surface @param {Part} view @param {Part | null} selection
   * @param {{row: number, drop: Drop | null} | null} pointed
   */
  draw(surface, view, selection, pointed) {
    const ready = prepared(this.canvas);
    this.boxes = [];
    if (!ready) return;
    ({ context: this.context, width: this.width, height: this.height } = ready);
    [this.surface, this.view, this.pointed] = [surface, view, pointed];
    this.colors = palette();
    this.left = Math.min(margin, ready.width / 5);
    this.rows = surface.pictureRows ??= rowsOf(surface);
    this.bottom = timesHeight + this.rows.length * laneHeight;
    this.drawAxes();
    this.context.save();
    this.context.beginPath();
    this.context.rect(this.left, 0, this.width - this.left, this.height);
    this.context.clip();
    drawTimes(this.context, surface, view,
      { left: this.left, width: this.width - this.left, top: 6, height: timesHeight - 14, high: this.high }, this.colors.buffers[0]);
    this.drawStages();
    this.drawDrops();
    this.drawCounters();
    if (selection) {
      this.context.globalAlpha = 0.18;
      this.context.fillStyle = this.colors.buffers[1];
      this.context.fillRect(this.x(selection.from), 0, Math.max(1, this.x(selection.to) - this.x(selection.from)), this.bottom);
      this.context.globalAlpha = 1;
    }
    this.context.restore();
  }

  drawAxes() {
    const { context, colors, surface, view } = this;
    const start = firstNotBelow(surface.sortedTime, view.from);
    const found = surface.extremes.within(start, firstNotBelow(surface.sortedTime, view.to));
    this.high = highest(surface, found);
    const line = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ toX, /** @type {number} */ toY) => {
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(toX, toY);
      context.stroke();
    };
    context.lineWidth = 1;
    context.strokeStyle = colors.line;
    const refreshes = surface.refreshesWithin(view.from, view.to, (this.width - this.left) / 6);
    for (const time of refreshes) line(this.x(time), timesHeight, this.x(time), this.bottom);
    context.fillStyle = colors.soft;
    context.textAlign = "right";
    for (const value of ticks(0, this.high / 1e6, 3).values) {
      const y = 6 + (timesHeight - 14) * (1 - value * 1e6 / this.high);
      line(this.left, y, this.width, y);
      context.fillText(`${Number(value.toPrecision(3))} ms`, this.left - 6, y);
    }
    this.rows.forEach((/** @type {any} */ row, /** @type {number} */ place) => {
      context.fillText(row.name, this.left - 6, timesHeight + (place + 0.5) * laneHeight, this.left - 8);
    });
    line(this.left, this.bottom, this.width, this.bottom);
    const span = (view.to - view.from) / 1e6;
    const unit = span > 2000 ? { size: 1e9, name: "s" } : { size: 1e6, name: "ms" };
    const marks = ticks(view.from / unit.size, view.to / unit.size, Math.max(2, (this.width - this.left) / 110));
    const decimals = Math.max(0, -Math.floor(Math.log10(marks.step)));
    context.textAlign = "center";
    for (const value of marks.values) {
      const x = this.x(value * unit.size);
      line(x, this.bottom, x, this.bottom + 4);
      if (x > this.left + 24 && x < this.width - 24) context.fillText(`${value.toFixed(decimals)} ${unit.name}`, x, this.bottom + 13);
    }
  }

  /** The middle of a row by its name; NaN where there is no such row. @param {string} key */
  middle(key) {
    const place = this.rows.findIndex((/** @type {any} */ row) => row.key === key);
    return place < 0 ? NaN : timesHeight + (place + 0.5) * laneHeight;
  }

  drawStages() {
    const { context, surface, view } = this;
    const places = surface.detailsWithin(view.from, view.to, mostFrames);
    const rows = surface.rowsWithin(view.from, view.to);
    const count = rows.end - rows.start;
    this.hint = "";
    if (places === null || count > mostFrames) {
      this.hint = `${counted(count, "frame")} in view: zoom in (W) to ${mostFrames} or fewer to see their stages`;
    } else if (places.length < count) {
      this.hint = surface.isServed ? "the stages of these frames are being read" : `the page has the stages of ${surface.head.detailed} of ${surface.head.count} frames: those around drops and long frame times`;
    }
    if (this.hint) {
      context.fillStyle = this.colors.soft;
      context.textAlign = "left";
      context.fillText(this.hint, this.left + 8, timesHeight + laneHeight / 2, this.width - this.left - 16);
    }
    if (places === null || count > mostFrames) return;
    const column = surface.column;
    const appEnd = (/** @type {number} */ place) => {
      const [end, commit] = [column("appEnd")[place], column("commit")[place]];
      return Number.isNaN(end) ? commit : Number.isNaN(commit) ? end : Math.max(end, commit);
    };
    const spans = {
      app: (/** @type {number} */ place) => [[column("appStart")[place], appEnd(place)],
        ...(surface.moreApp.get(surface.detailRow[place]) ?? [])],
      compositor: (/** @type {number} */ place) => [[column("compositorStart")[place], column("compositorEnd")[place]]],
      gpu: (/** @type {number} */ place) => [[column("gpuStart")[place], column("gpuEnd")[place]]],
      display: (/** @type {number} */ place) => {
        const [shown, out] = [column("displayed")[place], column("swappedOut")[place]];
        return [[shown, Number.isNaN(out) ? Math.max(view.to, shown) : out]];
      },
    };
    for (const row of this.rows) {
      const ends = spans[row.key];
      if (!ends) continue;
      const boxes = places.flatMap((place) => ends(place).map(([start, end]) => ({ place, start, end })))
        .filter((box) => box.end >= box.start && box.end >= view.from && box.start <= view.to)
        .sort((a, b) => a.start - b.start);
      this.drawBoxes(boxes, this.middle(row.key));
    }
    this.drawTouches();
  }

  /** @param {{place: number, start: number, end: number}[]} boxes @param {number} middle */
  drawBoxes(boxes, middle) {
    const { context, surface, colors } = this;
    /** @type {number[]} */
    const lanes = [];
    const laid = boxes.map((box) => {
      let lane = lanes.findIndex((end) => end <= box.start);
      if (lane < 0) lane = Math.min(lanes.length, 3);
      lanes[lane] = box.end;
      return { ...box, lane };
    });
    const height = (laneHeight - 6) / Math.max(1, lanes.length);
    for (const box of laid) {
      const row = surface.detailRow[box.place];
      const buffer = surface.column("buffer")[box.place];
      const outcome = surface.outcome[surface.placeOf(row)] & 3;
      const x = Math.max(this.x(box.start), this.left - 2);
      const width = Math.max(1, Math.min(this.x(box.end), this.width + 2) - x);
      const y = middle - (laneHeight - 6) / 2 + box.lane * height;
      const isShown = outcome === 0 || outcome === 3;
      const color = Number.isNaN(buffer) ? colors.soft : colors.buffers[buffer % 6];
      context.fillStyle = isShown ? color : colors.soft;
      if (isShown) {
        context.fillRect(x, y, width, height - 1);
      } else {
        context.globalAlpha = 0.3;
        context.fillRect(x, y, width, height - 1);
        context.globalAlpha = 1;
      }
      context.strokeStyle = colors.back;
      context.lineWidth = 1;
      if (width > 3) context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 2);
      if (this.pointed && this.pointed.row === row) {
        context.strokeStyle = colors.text;
        context.lineWidth = 2;
        context.strokeRect(x, y, width, height - 1);
      }
      const text = `${row}`;
      if (height > 11 && width > 8 + 7 * text.length) {
        context.fillStyle = isShown ? inkUpon(color) : colors.text;
        context.textAlign = "center";
        context.fillText(text, x + width / 2, y + height / 2);
      }
      this.boxes.push({ x, y, width, height, row, drop: null, touch: null });
    }
  }

  drawTouches() {
    const { context, surface, view, colors } = this;
    const [top, app, photon] = [this.middle("touch"), this.middle("app"), this.middle("photon")];
    if (Number.isNaN(top)) return;
    const seen = surface.touches.filter((touch) => !touch.isPredicted
      && Math.min(touch.start, touch.time) <= view.to && Math.max(touch.time, touch.photon || 0) >= view.from);
    if (seen.length > mostFrames) return;
    /** @type {number[]} */
    const lanes = [];
    for (const touch of seen) {
      const place = surface.detailOf(touch.shownBy);
      const buffer = place < 0 ? NaN : surface.column("buffer")[place];
      const color = Number.isNaN(buffer) ? colors.soft : colors.buffers[buffer % 6];
      const [start, end] = [this.x(touch.start), Number.isNaN(touch.end) ? this.x(touch.start) + 3 : this.x(touch.end)];
      context.fillStyle = color;
      if (!Number.isNaN(start)) {
        const box = { x: start, y: top - 7, width: Math.max(3, end - start), height: 14, row: touch.shownBy, drop: null, touch };
        context.fillRect(box.x, box.y, box.width, box.height);
        this.boxes.push(box);
      }
      const consumed = surface.detailOf(touch.frame);
      const worked = consumed < 0 ? NaN : surface.column("appStart")[consumed];
      if (!Number.isNaN(worked) && !Number.isNaN(app)) {
        this.arrow(this.x(touch.time), top + 7, this.x(Math.max(worked, touch.time)), app - laneHeight / 2 + 3, colors.soft);
      }
      if (!touch.isMain || Number.isNaN(touch.photon) || Number.isNaN(touch.start)) continue;
      let lane = lanes.findIndex((until) => until <= touch.start);
      if (lane < 0) lane = lanes.length;
      lanes[lane] = touch.photon;
      if (lane > 2) continue;
      const y = photon - laneHeight / 2 + 6 + lane * 7;
      this.arrow(this.x(touch.start), y, this.x(touch.photon), y, color);
      this.boxes.push({ x: this.x(touch.start), y: y - 3, width: this.x(touch.photon) - this.x(touch.start), height: 6,
        row: touch.shownBy, drop: null, touch });
    }
  }

  /** @param {number} x @param {number} y @param {number} toX @param {number} toY @param {string} color */
  arrow(x, y, toX, toY, color) {
    const { context } = this;
    const angle = Math.atan2(toY - y, toX - x);
    context.strokeStyle = context.fillStyle = color;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(toX, toY);
    context.stroke();
    context.beginPath();
    context.moveTo(toX, toY);
    for (const turn of [2.7, -2.7]) context.lineTo(toX + 7 * Math.cos(angle + turn), toY + 7 * Math.sin(angle + turn));
    context.fill();
  }

  drawDrops() {
    const { context, surface, view, colors } = this;
    const middle = this.middle("dropped");
    if (Number.isNaN(middle)) return;
    const scale = (this.width - this.left) / (view.to - view.from);
    const first = surface.column("dropTime");
    const start = Math.max(0, firstNotBelow(first, view.from) - 1);
    const end = firstNotBelow(first, view.to);
    if (end - start > 4 * mostFrames) {
      drawMarks(context, surface, view, { left: this.left, width: this.width - this.left, top: middle - 9, height: 18 }, colors.fault);
      return;
    }
    for (const drop of surface.drops.slice(start, end)) {
      const x = Math.max(this.x(drop.time), this.left - 2);
      const width = Math.max(2, Math.min(this.x(drop.end) || x, this.width + 2) - x);
      if (drop.end < view.from) continue;
      context.fillStyle = colors.fault;
      context.fillRect(x, middle - 9, width, 18);
      if (this.pointed && this.pointed.drop === drop) {
        context.strokeStyle = colors.text;
        context.lineWidth = 2;
        context.strokeRect(x, middle - 9, width, 18);
      }
      if (width > 12 + 7 * drop.stage.length) {
        context.fillStyle = inkUpon(colors.fault);
        context.textAlign = "center";
        context.fillText(drop.stage, x + width / 2, middle);
      }
      this.boxes.push({ x, y: middle - 9, width, height: 18, row: drop.frame, drop, touch: null });
    }
    context.strokeStyle = colors.fault;
    context.lineWidth = 1.5;
    const from = Math.max(0, firstNotBelow(surface.hitchTime, view.from) - 1);
    for (let place = from; place < surface.hitchTime.length && surface.hitchTime[place] < view.to && place - from < mostFrames; place++) {
      if (surface.hitchLength[place] * scale < 2) continue;
      this.arrow(this.x(surface.hitchTime[place]), middle - 11, this.x(surface.hitchTime[place] + surface.hitchLength[place]), middle - 11, colors.fault);
    }
  }

  /** Draws what sensors and counters read, each as a band from its lowest value, or 0, to its highest. */
  drawCounters() {
    const { context, view, colors } = this;
    this.rows.forEach((/** @type {any} */ row, /** @type {number} */ index) => {
      const counter = row.counter;
      if (!counter) return;
      const [top, height] = [timesHeight + index * laneHeight + 3, laneHeight - 6];
      const start = Math.max(0, firstNotBelow(counter.times, view.from) - 1);
      let [low, high] = [Infinity, -Infinity];
      context.fillStyle = colors.buffers[3];
      context.globalAlpha = 0.6;
      for (let place = start; place < counter.times.length && counter.times[place] < view.to; place++) {
        if (counter.endOf(place) < view.from) continue;
        const value = counter.values[place];
        [low, high] = [Math.min(low, value), Math.max(high, value)];
        const x = Math.max(this.x(counter.times[place]), this.left);
        const part = height * (value - counter.low) / (counter.high - counter.low);
        context.fillRect(x, top + height - part, Math.max(1, this.x(counter.endOf(place)) - x), part);
      }
      context.globalAlpha = 1;
      if (low > high) return;
      context.fillStyle = colors.text;
      context.textAlign = "right";
      const words = low < high ? `${Number(low.toPrecision(4))} to ${counter.words(high)}` : counter.words(low);
      context.fillText(words, this.width - 6, top + height / 2);
    });
  }

  /** Where an instant is. @param {number} time */
  x(time) { return this.left + (this.width - this.left) * (time - this.view.from) / (this.view.to - this.view.from); }

  /** What is at a point: the box that was drawn last there, else the nearest frame time. @param {number} x @param {number} y */
  at(x, y) {
    const near = 3;
    for (let place = this.boxes.length - 1; place >= 0; place--) {
      const box = this.boxes[place];
      if (x >= box.x - near && x <= box.x + box.width + near && y >= box.y && y <= box.y + box.height) {
        return { row: box.row, drop: box.drop, touch: box.touch };
      }
    }
    if (!this.surface || y > timesHeight || x < this.left) return null;
    return this.surface.frameNear(this.timeAt(x), (this.view.to - this.view.from) / (this.width - this.left));
  }

  /** The instant at a place on the axis. @param {number} x */
  timeAt(x) {
    return this.view.from + (this.view.to - this.view.from) * (x - this.left) / Math.max(1, this.width - this.left);
  }
}

/** Black or white, whichever is read more easily on a color: their contrast is the same at a luminance of 0.18 (WCAG 2.1). @param {string} color */
function inkUpon(color) {
  const number = parseInt(color.slice(1), 16);
  const parts = [number >> 16, number >> 8 & 255, number & 255].map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] > 0.18 ? "#000000" : "#ffffff";
}
