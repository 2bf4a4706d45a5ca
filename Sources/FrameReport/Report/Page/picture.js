// The two canvases: the whole trace with the part that is seen, and that part with the pipeline of its frames.

/** How many frames are told apart in the pipeline. */
const mostFrames = 1500;
const overviewHeight = 100;
const timesHeight = 120;
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
    /** @type {Track[]} */
    this.rows = [];
  }

  /**
   * @param {Surface} surface @param {Part} view @param {Part | null} selection
   * @param {{row: number, drop: Drop | null} | null} pointed @param {Pair | null} [pair] A second run to draw over it.
   */
  draw(surface, view, selection, pointed, pair = null) {
    const ready = prepared(this.canvas);
    this.boxes = [];
    if (!ready) return;
    ({ context: this.context, width: this.width, height: this.height } = ready);
    [this.surface, this.view, this.pointed] = [surface, view, pointed];
    this.colors = palette();
    this.left = Math.min(margin, ready.width / 5);
    this.rows = tracksOf(surface);
    this.bottom = bottomOf(surface);
    this.drawAxes(pair);
    this.context.save();
    this.context.beginPath();
    this.context.rect(this.left, 0, this.width - this.left, this.height);
    this.context.clip();
    const times = { left: this.left, width: this.width - this.left, top: 6, height: timesHeight - 14, high: this.high };
    drawTimes(this.context, surface, view, times, this.colors.buffers[0]);
    pair?.drawOver(this, times);
    this.drawStages();
    this.drawBuffers();
    this.drawThreads();
    this.drawDrops();
    this.drawMarkers();
    this.drawCounters();
    if (selection) {
      this.context.globalAlpha = 0.18;
      this.context.fillStyle = this.colors.buffers[1];
      this.context.fillRect(this.x(selection.from), 0, Math.max(1, this.x(selection.to) - this.x(selection.from)), this.bottom);
      this.context.globalAlpha = 1;
    }
    this.context.restore();
  }

  /** @param {Pair | null} pair */
  drawAxes(pair) {
    const { context, colors, surface, view } = this;
    const start = firstNotBelow(surface.sortedTime, view.from);
    const found = surface.extremes.within(start, firstNotBelow(surface.sortedTime, view.to));
    const other = pair?.surface && highest(pair.surface, pair.surface.extremes.within(
      firstNotBelow(pair.surface.sortedTime, pair.view.from), firstNotBelow(pair.surface.sortedTime, pair.view.to)));
    this.high = Math.max(highest(surface, found), other ?? 0);
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
    for (const row of this.rows) {
      context.fillText(`${row.isFolded ? "▸" : "▾"} ${row.name}`, this.left - 6, row.top + row.height / 2, this.left - 8);
    }
    line(this.left, this.bottom, this.width, this.bottom);
    drawTimeAxis(context, view, { left: this.left, right: this.width, top: this.bottom, words: 13, spacing: 110 }, colors.soft, timeUnit(view));
  }

  /** The middle of a row by its name; NaN where there is no such row. @param {string} key */
  middle(key) {
    const row = this.row(key);
    return row ? row.top + row.height / 2 : NaN;
  }

  /** A row by its name; nothing where there is none. @param {string} key */
  row(key) { return this.rows.find((/** @type {any} */ row) => row.key === key); }

  drawStages() {
    const { context, surface, view } = this;
    const places = surface.detailsWithin(view.from, view.to, mostFrames);
    const rows = surface.rowsWithin(view.from, view.to);
    const count = rows.end - rows.start;
    this.hint = "";
    if (places === null || count > mostFrames) {
      this.hint = `${counted(surface.framesIn(rows), "frame")} in view: zoom in (W) to ${mostFrames} or fewer to see their stages`;
    } else if (places.length < count) {
      this.hint = surface.isServed ? "the stages of these frames are being read" : `the page has the stages of ${surface.head.detailed} of ${surface.head.count} frames: those around drops and long frame times`;
    }
    if (this.hint) {
      context.fillStyle = this.colors.soft;
      context.textAlign = "left";
      context.fillText(this.hint, this.left + 8, timesHeight + 12, this.width - this.left - 16);
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
      this.drawBoxes(boxes, row);
    }
    this.drawTouches();
  }

  /** @param {{place: number, start: number, end: number}[]} boxes @param {Track} track */
  drawBoxes(boxes, track) {
    const { context, surface, colors } = this;
    /** @type {number[]} */
    const lanes = [];
    const laid = boxes.map((box) => {
      let lane = lanes.findIndex((end) => end <= box.start);
      if (lane < 0) lane = Math.min(lanes.length, 3);
      lanes[lane] = box.end;
      return { ...box, lane };
    });
    const height = (track.height - padding) / Math.max(1, lanes.length);
    for (const box of laid) {
      const row = surface.detailRow[box.place];
      const buffer = surface.column("buffer")[box.place];
      const outcome = surface.outcome[surface.placeOf(row)] & 3;
      const x = Math.max(this.x(box.start), this.left - 2);
      const width = Math.max(1, Math.min(this.x(box.end), this.width + 2) - x);
      const y = track.top + padding / 2 + box.lane * height;
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
    const [top, app, photon] = [this.middle("touch"), this.row("app")?.top ?? NaN, this.row("photon")?.top ?? NaN];
    if (Number.isNaN(top)) return;
    const reach = Math.min(7, this.row("touch").height / 2 - 1);
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
        const box = { x: start, y: top - reach, width: Math.max(3, end - start), height: 2 * reach, row: touch.shownBy, drop: null, touch };
        context.fillRect(box.x, box.y, box.width, box.height);
        this.boxes.push(box);
      }
      const consumed = surface.detailOf(touch.frame);
      const worked = consumed < 0 ? NaN : surface.column("appStart")[consumed];
      if (!Number.isNaN(worked) && !Number.isNaN(app)) {
        this.arrow(this.x(touch.time), top + reach, this.x(Math.max(worked, touch.time)), app + padding / 2, colors.soft);
      }
      if (!touch.isMain || Number.isNaN(touch.photon) || Number.isNaN(touch.start)) continue;
      let lane = lanes.findIndex((until) => until <= touch.start);
      if (lane < 0) lane = lanes.length;
      lanes[lane] = touch.photon;
      if (lane > (this.row("photon").height - 10) / 7) continue;
      const y = photon + 6 + lane * 7;
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
    const reach = Math.min(9, this.row("dropped").height / 2 - 1);
    const scale = (this.width - this.left) / (view.to - view.from);
    const first = surface.column("dropTime");
    const start = Math.max(0, firstNotBelow(first, view.from) - 1);
    const end = firstNotBelow(first, view.to);
    if (end - start > 4 * mostFrames) {
      drawMarks(context, surface, view, { left: this.left, width: this.width - this.left, top: middle - reach, height: 2 * reach }, colors.fault);
      return;
    }
    for (const drop of surface.drops.slice(start, end)) {
      const x = Math.max(this.x(drop.time), this.left - 2);
      const width = Math.max(2, Math.min(this.x(drop.end) || x, this.width + 2) - x);
      if (drop.end < view.from) continue;
      context.fillStyle = colors.fault;
      context.fillRect(x, middle - reach, width, 2 * reach);
      if (this.pointed && this.pointed.drop === drop) {
        context.strokeStyle = colors.text;
        context.lineWidth = 2;
        context.strokeRect(x, middle - reach, width, 2 * reach);
      }
      if (reach > 6 && width > 12 + 7 * drop.stage.length) {
        context.fillStyle = inkUpon(colors.fault);
        context.textAlign = "center";
        context.fillText(drop.stage, x + width / 2, middle);
      }
      this.boxes.push({ x, y: middle - reach, width, height: 2 * reach, row: drop.frame, drop, touch: null });
      this.drawBlame(drop, x + Math.min(width, 12) / 2, middle - reach);
    }
    context.strokeStyle = colors.fault;
    context.lineWidth = 1.5;
    const from = Math.max(0, firstNotBelow(surface.hitchTime, view.from) - 1);
    for (let place = from; place < surface.hitchTime.length && surface.hitchTime[place] < view.to && place - from < mostFrames; place++) {
      if (surface.hitchLength[place] * scale < 2) continue;
      this.arrow(this.x(surface.hitchTime[place]), middle - 11, this.x(surface.hitchTime[place] + surface.hitchLength[place]), middle - 11, colors.fault);
    }
  }

  /**
   * Leads from a dropped refresh to the work that held it up.
   * @param {Drop} drop @param {number} x @param {number} y
   */
  drawBlame(drop, x, y) {
    const { surface, colors } = this;
    const place = Number.isNaN(drop.cause) ? -1 : surface.detailOf(drop.cause);
    const track = this.row(drop.stage);
    if (place < 0 || !track) return;
    const end = surface.column(drop.stage === "app" ? "appEnd" : `${drop.stage}End`)[place];
    const at = Number.isNaN(end) ? surface.column("commit")[place] : end;
    if (Number.isNaN(at) || at < this.view.from) return;
    this.context.globalAlpha = 0.7;
    this.arrow(x, y, this.x(at), track.top + track.height - padding / 2, colors.fault);
    this.context.globalAlpha = 1;
  }

  /** When each buffer is drawn into, queued, shown and held, in a track of its own. */
  drawBuffers() {
    const { context, surface, view, colors } = this;
    const rows = this.rows.filter((/** @type {Track} */ row) => row.key.startsWith("buffer-"));
    if (rows.length === 0 || this.hasTooMany()) return;
    const [start, end, queued, displayed, out, buffer] =
      ["bufferStart", "bufferEnd", "queued", "displayed", "swappedOut", "buffer"].map(surface.column);
    for (const place of surface.detailsWithin(view.from, view.to, mostFrames) ?? []) {
      const row = rows.find((/** @type {any} */ one) => one.buffer === buffer[place]);
      if (!row || Number.isNaN(start[place])) continue;
      const last = Math.max(start[place], Number.isNaN(end[place]) ? view.to : end[place]);
      const within = (/** @type {number} */ time, /** @type {number} */ low) =>
        Math.min(Math.max(Number.isNaN(time) ? last : time, low), last);
      const finished = within(Number.isNaN(queued[place]) ? start[place] : queued[place], start[place]);
      const visible = within(displayed[place], finished);
      const gone = within(out[place], visible);
      const color = colors.buffers[buffer[place] % 6];
      const parts = [[start[place], finished, 0.55, color], [finished, visible, 0.25, color], [visible, gone, 1, color],
        [gone, last, 0.3, colors.soft]];
      for (const [from, to, strength, paint] of parts) {
        if (to <= from || to < view.from || from > view.to) continue;
        const x = Math.max(this.x(from), this.left - 2);
        const width = Math.max(1, Math.min(this.x(to), this.width + 2) - x);
        const box = { x, y: row.top + padding / 2, width, height: row.height - padding };
        context.globalAlpha = strength;
        context.fillStyle = paint;
        context.fillRect(box.x, box.y, box.width, box.height);
        context.globalAlpha = 1;
        if (strength === 1) {
          const text = `${surface.detailRow[place]}`;
          if (box.height > 11 && width > 8 + 7 * text.length) {
            context.fillStyle = inkUpon(paint);
            context.textAlign = "center";
            context.fillText(text, x + width / 2, box.y + box.height / 2);
          }
        }
        this.boxes.push({ ...box, row: surface.detailRow[place], drop: null, touch: null });
      }
    }
  }

  /** Whether more frames are in view than are told apart. */
  hasTooMany() {
    const rows = this.surface.rowsWithin(this.view.from, this.view.to);
    return rows.end - rows.start > mostFrames;
  }

  /** What threads did around late frames, where the trace tells. */
  drawThreads() {
    const { context, surface, view, colors } = this;
    const paint = { running: colors.buffers[0], starved: colors.fault, kernel: colors.buffers[3], waiting: colors.line };
    for (const row of this.rows) {
      if (!row.thread) continue;
      for (const cause of surface.causes.values()) {
        if (cause.range[1] * 1000 < view.from || cause.range[0] * 1000 > view.to) continue;
        for (const lane of cause.lanes.filter((one) => one.name === row.thread)) {
          for (const [start, end, kind] of lane.states) {
            const x = Math.max(this.x(start * 1000), this.left);
            context.fillStyle = paint[threadStates[kind][0]];
            context.fillRect(x, row.top + padding / 2, Math.max(0.5, this.x(end * 1000) - x), row.height - padding);
          }
        }
      }
    }
  }

  /** The marks that the app or the tester set. */
  drawMarkers() {
    const { context, surface, view, colors } = this;
    const row = this.row("markers");
    if (!row) return;
    context.textAlign = "left";
    for (let place = firstNotBelow(surface.markerTime, view.from); place < surface.markers.length; place++) {
      const { time, name } = surface.markers[place];
      if (time > view.to) break;
      const x = this.x(time);
      context.fillStyle = colors.link;
      context.fillRect(x, row.top + 2, 2, row.height - 4);
      const room = this.x(surface.markers[place + 1]?.time ?? Infinity) - x - 8;
      if (row.isFolded || context.measureText(name).width > room) continue;
      context.fillStyle = colors.text;
      context.fillText(name, x + 5, row.top + row.height / 2);
    }
  }


  /** Draws what sensors and counters read, each as a band from its lowest value, or 0, to its highest. */
  drawCounters() {
    const { context, view, colors } = this;
    this.rows.forEach((/** @type {Track} */ row) => {
      const counter = row.counter;
      if (!counter) return;
      const [top, height] = [row.top + padding / 2, row.height - padding];
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
      if (low > high || row.isFolded) return;
      context.fillStyle = colors.text;
      context.textAlign = "right";
      const words = low < high ? `${Number(low.toPrecision(4))} to ${counter.words(high)}` : counter.words(low);
      context.fillText(words, this.width - 6, top + height / 2);
    });
  }

  /** The track at a height. @param {number} y */
  trackAt(y) { return this.rows.find((/** @type {Track} */ row) => y >= row.top && y < row.top + row.height); }

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
