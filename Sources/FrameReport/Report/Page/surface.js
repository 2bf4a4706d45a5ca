// One surface: its frames, and what was found out about them. Times are in nanoseconds from the start of the trace.

const stageNames = ["app", "compositor", "gpu", "display", "unknown"];
const stageWords = {
  app: "the app", compositor: "the compositor", gpu: "the GPU", display: "the display", unknown: "an unknown stage",
};
const outcomeWords = ["displayed", "replaced by a later frame", "discarded", "without a known end"];

/**
 * The lowest and highest of ranges of values, in time that grows with the logarithm of their length.
 */
class Extremes {
  /** @param {Float64Array} values */
  constructor(values) {
    this.lows = [values];
    this.highs = [values];
    while (this.lows[this.lows.length - 1].length > 16) {
      this.lows.push(Extremes.coarser(this.lows[this.lows.length - 1], Math.min, Infinity));
      this.highs.push(Extremes.coarser(this.highs[this.highs.length - 1], Math.max, -Infinity));
    }
  }

  /**
   * @param {Float64Array} values
   * @param {(one: number, other: number) => number} choose
   * @param {number} none
   */
  static coarser(values, choose, none) {
    const result = new Float64Array(Math.ceil(values.length / 16));
    for (let place = 0; place < result.length; place++) {
      let found = none;
      const end = Math.min(values.length, place * 16 + 16);
      for (let index = place * 16; index < end; index++) {
        if (!Number.isNaN(values[index])) found = choose(found, values[index]);
      }
      result[place] = found;
    }
    return result;
  }

  /**
   * The lowest and the highest value of places; null where there is none.
   * @param {number} start
   * @param {number} end
   * @returns {[number, number] | null}
   */
  within(start, end) {
    let [low, high] = [Infinity, -Infinity];
    let level = 0;
    const take = (/** @type {number} */ place) => {
      const [one, other] = [this.lows[level][place], this.highs[level][place]];
      if (one < low) low = one;
      if (other > high) high = other;
    };
    while (start < end) {
      const isTop = level + 1 === this.lows.length;
      while (start < end && (isTop || start % 16 !== 0)) take(start++);
      while (start < end && end % 16 !== 0) take(--end);
      [start, end] = [start / 16, end / 16];
      level++;
    }
    return low <= high ? [low, high] : null;
  }
}

/**
 * @typedef {{index: number, refresh: number, count: number, time: number, end: number, frame: number,
 *   stage: string, cause: number, sentence: string}} Drop
 * @typedef {{frame: number, sentence: string, range: number[], app: number[],
 *   lanes: {name: string, states: number[][]}[]}} Cause Times are in microseconds.
 * @typedef {{time: number, kind: "drop" | "hitch" | "stop" | "stutter" | "latency" | "long", drop: Drop | null, frame: number, words: string}} Mark
 */

/** Unpacks a surface. @param {any} head @returns {Promise<Surface>} */
async function readSurface(head) {
  const words = new TextDecoder().decode(await inflate(head.sentences));
  const sentences = words === "" ? [] : parsed(JSON.stringify(words.split("\0")));
  const surface = new Surface(head, unpackColumns(head.columns, await inflate(head.data)), sentences);
  if (head.causes) {
    const causes = parsed(new TextDecoder().decode(await inflate(head.causes)));
    for (const cause of causes) surface.causes.set(cause.frame, cause);
  }
  if (head.counters) {
    const counters = parsed(new TextDecoder().decode(await inflate(head.counters)));
    surface.counters = counters.map((/** @type {any} */ counter) => new Counter(counter));
  }
  if (head.markers) {
    const told = parsed(new TextDecoder().decode(await inflate(head.markers)));
    surface.markers = told.map((/** @type {any} */ marker) => ({ time: marker[0] * 1000, name: marker[1] }));
    surface.markerTime = Float64Array.from(surface.markers, (marker) => marker.time);
  }
  return surface;
}

/** What a sensor or counter read over time. */
class Counter {
  /** @param {{name: string, unit: string, count: number, times: number[], values: number[]}} told Times are in microseconds. */
  constructor(told) {
    this.name = told.name;
    this.unit = told.unit;
    this.count = told.count;
    this.times = Float64Array.from(told.times, (time) => time * 1000);
    this.values = told.values;
    this.low = this.high = 0;
    for (const value of told.values) {
      this.low = Math.min(this.low, value);
      this.high = Math.max(this.high, value);
    }
    // A reading stands for the usual time to the next one, and not for a gap.
    const steps = Array.from(this.times.subarray(1), (time, place) => time - this.times[place]).sort((a, b) => a - b);
    this.step = 2 * (steps[Math.floor(steps.length / 2)] ?? 0);
  }

  /** How long the reading at a place stands. @param {number} place */
  endOf(place) { return Math.min(this.times[place] + this.step, this.times[place + 1] ?? Infinity); }

  /** The place of the reading that stands at an instant; −1 for none. @param {number} time */
  placeAt(time) {
    const place = firstNotBelow(this.times, time + 0.5) - 1;
    return place >= 0 && time <= this.endOf(place) ? place : -1;
  }

  /** A reading in words. @param {number} value */
  words(value) { return `${Number(value.toPrecision(4))} ${this.unit}`; }
}

class Surface {
  /**
   * @param {any} head What the page says of it.
   * @param {Map<string, Float64Array>} columns
   * @param {string[]} sentences What is said of its first drops.
   */
  constructor(head, columns, sentences) {
    this.head = head;
    this.sentences = sentences;
    /** @type {Map<number, Cause>} Why late frames were late, by their rows. */
    this.causes = new Map();
    /** @type {Counter[]} */
    this.counters = [];
    /** @type {{time: number, name: string}[]} The marks that the app or the tester set, in order of time. */
    this.markers = [];
    this.markerTime = new Float64Array(0);
    /** @type {any} Its tracks, once it was drawn; those that are folded, and how high the others are. */
    this.tracks = null;
    this.folded = new Set();
    this.trackHeight = usualTrackHeight;
    this.columns = columns;
    /** Whether a server tells what is not here. */
    this.isServed = false;
    /** @type {{from: number, to: number}[]} The rows whose stages a server told. */
    this.loaded = [];
    /** @type {Map<string, Float64Array>} The stages that the page itself has. */
    this.ownStages = new Map();
    const column = (/** @type {string} */ name) => columns.get(name) ?? new Float64Array(0);
    this.column = column;
    this.time = column("time");
    this.count = this.time.length;
    this.rows = columns.get("row") ?? null;
    this.outcome = Uint8Array.from(column("outcome"));
    this.isSorted = this.time.every((time, place) => place === 0 || this.time[place - 1] <= time);
    this.order = this.isSorted ? null : Uint32Array.from(this.time.keys()).sort((a, b) => this.time[a] - this.time[b]);
    this.sortedTime = this.order ? Float64Array.from(this.order, (row) => this.time[row]) : this.time;
    this.rests = Array.from(column("restStart"), (start, place) => ({ start, end: column("restEnd")[place] }));
    this.middles = head.leavesRestsOut ? this.rests.map((rest) => rest.start + Math.floor((rest.end - rest.start) / 2)) : [];
    this.latency = column("latency");
    this.frameTime = this.frameTimes();
    this.extremes = new Extremes(this.order ? Float64Array.from(this.order, (row) => this.frameTime[row]) : this.frameTime);
    this.hitchTime = column("hitchTime");
    this.hitchLength = column("hitchLength");
    this.drops = this.readDrops();
    this.dropsByFrame = new Map();
    for (const drop of this.drops) {
      this.dropsByFrame.set(drop.frame, [...(this.dropsByFrame.get(drop.frame) ?? []), drop]);
    }
    this.readDetails();
    this.readTouches();
    this.marks = this.findMarks();
    this.markTime = Float64Array.from(this.marks, (mark) => mark.time);
    const ends = [this.sortedTime[this.count - 1], ...column("seen")].filter((time) => !Number.isNaN(time));
    const starts = [this.sortedTime[0], ...column("seen")].filter((time) => !Number.isNaN(time));
    this.start = Math.min(...starts);
    this.end = Math.max(...ends, this.start + 1e6);
  }

  /** The row of the frame at a place among those that are kept. @param {number} place */
  rowAt(place) { return this.head.firstRow + (this.rows ? this.rows[place] : place); }

  /** The place of a frame; the nearest one where it is not kept. @param {number} row */
  placeOf(row) {
    const own = row - this.head.firstRow;
    const place = this.rows ? firstNotBelow(this.rows, own) : own;
    return Math.min(Math.max(place, 0), this.count - 1);
  }

  /** Whether figures of a part can be given: only where no frame was left out. */
  get isWhole() { return this.rows === null; }

  /** Whether the app rested between two instants. @param {number} start @param {number} end */
  isRestBetween(start, end) {
    const place = firstNotBelow(this.middles, start + 0.5);
    return place < this.middles.length && this.middles[place] < end;
  }

  frameTimes() {
    const told = this.column("frameTime");
    if (!this.head.frameTimes || told.length === 0) return new Float64Array(this.count).fill(NaN);
    if (!this.head.frameTimes.areSteps) return told;
    const result = new Float64Array(this.count).fill(NaN);
    const known = [];
    for (let row = 0; row < told.length; row++) if (!Number.isNaN(told[row])) known.push(row);
    known.sort((a, b) => told[a] - told[b]);
    for (let place = 1; place < known.length; place++) {
      const [start, end] = [told[known[place - 1]], told[known[place]]];
      if (!this.isRestBetween(start, end)) result[known[place]] = end - start;
    }
    return result;
  }

  readDrops() {
    const [refresh, count, time] = ["dropRefresh", "dropCount", "dropTime"].map(this.column);
    const [frame, stage, cause] = ["dropFrame", "dropStage", "dropCause"].map(this.column);
    return Array.from(refresh, (number, index) => {
      const name = stageNames[stage[index]] ?? "unknown";
      const refreshes = count[index] === 1 ? "1 refresh" : `${count[index]} refreshes`;
      return {
        index, refresh: number, count: count[index], time: time[index], end: this.refreshTime(number + count[index]),
        frame: frame[index], stage: name, cause: cause[index],
        sentence: this.sentences[index]
          ?? `${refreshes} at ${seconds(time[index])}, frame ${frame[index]}, by ${stageWords[name]}`,
      };
    });
  }

  /** The longest run of dropped refreshes; null for none. @returns {Drop | null} */
  get worstDrop() {
    return this.drops.reduce((/** @type {Drop | null} */ found, drop) => (found && found.count >= drop.count ? found : drop), null);
  }

  /** When a refresh was; NaN where none is known. @param {number} number */
  refreshTime(number) {
    const [numbers, times] = [this.column("refreshNumber"), this.column("refreshTime")];
    const last = numbers.length - 1;
    if (last < 0) return NaN;
    if (number < numbers[0]) return times[0] - (numbers[0] - number) * this.head.before;
    if (number >= numbers[last]) return times[last] + (number - numbers[last]) * this.head.after;
    const place = firstNotBelow(numbers, number + 0.5) - 1;
    const share = (number - numbers[place]) / (numbers[place + 1] - numbers[place]);
    return times[place] + Math.floor(share * (times[place + 1] - times[place]));
  }

  /**
   * The times of the refreshes in a range; none where they are not known or too many.
   * @param {number} from
   * @param {number} to
   * @param {number} most
   */
  refreshesWithin(from, to, most) {
    const [numbers, times] = [this.column("refreshNumber"), this.column("refreshTime")];
    if (numbers.length === 0) return [];
    const place = Math.max(0, firstNotBelow(times, from) - 1);
    let number = numbers[place];
    if (from < times[0]) number = numbers[0] - Math.ceil((times[0] - from) / this.head.before);
    const last = numbers.length - 1;
    if (place === last) number += Math.floor((from - times[last]) / this.head.after);
    const found = [];
    for (; found.length <= most; number++) {
      const time = this.refreshTime(number);
      if (time > to) return found;
      if (time >= from) found.push(time);
      // A gap between two known refreshes may have any number of others.
      else if (place < last && number + 1 < numbers[place + 1]) {
        const share = (from - time) / (times[place + 1] - times[place]);
        number += Math.max(0, Math.floor(share * (numbers[place + 1] - numbers[place])) - 1);
      }
    }
    return [];
  }

  /**
   * The rows whose stages are wanted and not here: of a part with few frames, else around what is pointed at; null for none.
   * @param {Part} view @param {any} pointed @returns {{from: number, count: number} | null}
   */
  missingStages(view, pointed) {
    if (this.head.detailed >= this.head.count) return null;
    const last = this.head.firstRow + this.head.count;
    const around = (/** @type {number} */ from, /** @type {number} */ to) => {
      const start = Math.max(this.head.firstRow, from - 24);
      const end = Math.min(last, to + 24);
      if (end - start > 4000 || this.loaded.some((part) => part.from <= start && part.to >= end)) return null;
      return { from: start, count: end - start };
    };
    const rows = this.rowsWithin(view.from, view.to);
    const seen = rows.end > rows.start ? around(this.rowAt(rows.start), this.rowAt(rows.end - 1) + 1) : null;
    return seen ?? (pointed && this.detailOf(pointed.row) < 0 ? around(pointed.row, pointed.row + 1) : null);
  }

  /**
   * Adds the stages of frames that a server told.
   * @param {Map<string, Float64Array>} told @param {number} from @param {number} count
   */
  addStages(told, from, count) {
    // What was loaded long ago goes, so that a long look costs no memory.
    if (this.loaded.length > 50) {
      for (const [name, values] of this.ownStages) this.columns.set(name, values);
      this.loaded = [];
    }
    for (const name of told.keys()) if (!this.ownStages.has(name)) this.ownStages.set(name, this.column(name));
    const merge = (/** @type {string} */ key, /** @type {string[]} */ names) => {
      const [own, more] = [this.column(key), told.get(key)];
      const low = firstNotBelow(own, from);
      const high = firstNotBelow(own, from + count);
      for (const name of names) {
        const [old, added] = [this.column(name), told.get(name)];
        const values = new Float64Array(low + more.length + own.length - high).fill(NaN);
        if (old.length) values.set(old.subarray(0, low));
        values.set(added, low);
        if (old.length) values.set(old.subarray(high), low + more.length);
        this.columns.set(name, values);
      }
    };
    const isMore = (/** @type {string} */ name) => name.startsWith("moreApp");
    const names = [...told.keys()];
    merge("moreAppRow", names.filter((name) => isMore(name) && name !== "moreAppRow").concat("moreAppRow"));
    merge("detailRow", names.filter((name) => !isMore(name) && name !== "detailRow").concat("detailRow"));
    this.loaded.push({ from, to: from + count });
    this.tracks = null;
    this.readDetails();
  }

  readDetails() {
    this.detailRow = this.column("detailRow");
    const names = ["appStart", "compositorStart", "gpuStart", "queued", "displayed"];
    const starts = names.map(this.column);
    const ends = ["appEnd", "commit", "compositorEnd", "gpuEnd", "queued", "displayed", "swappedOut"].map(this.column);
    const count = this.detailRow.length;
    const begin = new Float64Array(count);
    this.detailEnd = new Float64Array(count);
    for (let place = 0; place < count; place++) {
      let [low, high] = [Infinity, -Infinity];
      for (const column of starts) if (column[place] < low) low = column[place];
      for (const column of ends) if (column[place] > high) high = column[place];
      const own = this.time[this.placeOf(this.detailRow[place])];
      begin[place] = low < Infinity ? low : own;
      this.detailEnd[place] = Math.max(high, begin[place]);
    }
    this.detailOrder = Uint32Array.from(begin.keys()).sort((a, b) => begin[a] - begin[b]);
    this.detailBegin = Float64Array.from(this.detailOrder, (place) => begin[place]);
    // From here on some frame is still on its way.
    this.detailReach = new Float64Array(count);
    let reach = -Infinity;
    this.detailOrder.forEach((place, index) => { this.detailReach[index] = reach = Math.max(reach, this.detailEnd[place]); });
    this.moreApp = new Map();
    const [rows, more, end] = ["moreAppRow", "moreAppStart", "moreAppEnd"].map(this.column);
    rows.forEach((row, place) => {
      this.moreApp.set(row, [...(this.moreApp.get(row) ?? []), [more[place], end[place]]]);
    });
  }

  /**
   * The frames whose stages are kept and that were on their way or shown in a range, by their places; null where
   * they are more than so many.
   * @param {number} from @param {number} to @param {number} most
   */
  detailsWithin(from, to, most) {
    const start = firstNotBelow(this.detailReach, from);
    const end = firstNotBelow(this.detailBegin, to);
    if (end - start > 4 * most) return null;
    const found = [];
    for (let index = start; index < end; index++) {
      const place = this.detailOrder[index];
      if (this.detailEnd[place] >= from) found.push(place);
    }
    return found.length > most ? null : found;
  }

  /** The place of a frame among those whose stages are kept; −1 for none. @param {number} row */
  detailOf(row) {
    const place = firstNotBelow(this.detailRow, row);
    return this.detailRow[place] === row ? place : -1;
  }

  readTouches() {
    const names = ["Kind", "Start", "End", "Delivered", "Frame", "ShownBy", "Photon", "Latency"];
    const [kind, start, end, delivered, frame, shownBy, photon, latency] = names.map((name) => this.column("touch" + name));
    this.touches = Array.from(kind, (value, index) => ({
      index, isMain: value === 0, isPredicted: value === 2, start: start[index], end: end[index],
      delivered: delivered[index], frame: frame[index], shownBy: shownBy[index], photon: photon[index],
      latency: latency[index],
      time: [delivered[index], end[index], start[index]].find((time) => !Number.isNaN(time)) ?? NaN,
    })).filter((touch) => !Number.isNaN(touch.time)).sort((a, b) => a.time - b.time);
    this.touchTime = Float64Array.from(this.touches, (touch) => touch.time);
  }

  /** What is worth a jump, in order of time. @returns {Mark[]} */
  findMarks() {
    /** @type {Mark[]} */
    const marks = this.drops.map((drop) => ({ time: drop.time, kind: "drop", drop, frame: drop.frame, words: drop.sentence }));
    const frames = this.column("hitchFrame");
    this.hitchTime.forEach((time, place) => {
      if (this.dropsByFrame.has(frames[place])) return;
      const words = `hitch of ${milliseconds(this.hitchLength[place])} at ${seconds(time)}`;
      marks.push({ time, kind: "hitch", drop: null, frame: frames[place], words });
    });
    const interrupted = new Set();
    for (const kind of /** @type {("stop" | "stutter")[]} */ (["stop", "stutter"])) {
      const [times, lengths, rows] = ["Time", "Length", "Frame"].map((name) => this.column(kind + name));
      times.forEach((time, place) => {
        if (interrupted.has(rows[place])) return;
        interrupted.add(rows[place]);
        const words = `${kind} of ${milliseconds(lengths[place])} at ${seconds(time)}, frame ${rows[place]}`;
        marks.push({ time, kind, drop: null, frame: rows[place], words });
      });
    }
    const slow = Array.from(this.latency.keys()).filter((place) => !Number.isNaN(this.latency[place]));
    slow.sort((a, b) => this.latency[b] - this.latency[a] || a - b);
    for (const place of slow.slice(0, 10)) {
      const words = `among the 10 worst latencies: ${milliseconds(this.latency[place])}, frame ${this.rowAt(place)}`;
      marks.push({ time: this.time[place], kind: "latency", drop: null, frame: this.rowAt(place), words });
    }
    for (const place of this.longFrames()) {
      if (interrupted.has(this.rowAt(place))) continue;
      const words = `frame time of ${milliseconds(this.frameTime[place])} at ${seconds(this.time[place])}, frame ${this.rowAt(place)}`;
      marks.push({ time: this.time[place], kind: "long", drop: null, frame: this.rowAt(place), words });
    }
    return marks.sort((a, b) => a.time - b.time);
  }

  /**
   * The places of the longest frame times where nothing tells which refreshes were dropped: those of more than twice the
   * median, at most a hundred.
   */
  longFrames() {
    if (!this.head.whyNoDrops || this.hitchTime.length > 0) return [];
    const known = Array.from(this.frameTime.keys()).filter((place) => !Number.isNaN(this.frameTime[place]));
    const middle = summarize(this.frameTime.filter((value) => !Number.isNaN(value)))?.p50 ?? NaN;
    return known.filter((place) => this.frameTime[place] > 2 * middle)
      .sort((a, b) => this.frameTime[b] - this.frameTime[a] || a - b).slice(0, 100);
  }

  /**
   * The frame with the longest frame time among those near an instant, else the nearest one.
   * @param {number} time @param {number} pixel How long a pixel is.
   */
  frameNear(time, pixel) {
    const own = (/** @type {number} */ index) => (this.order ? this.order[index] : index);
    const start = firstNotBelow(this.sortedTime, time - 4 * pixel);
    const end = firstNotBelow(this.sortedTime, time + 4 * pixel);
    let best = Math.min(firstNotBelow(this.sortedTime, time), this.count - 1);
    if (best > 0 && time - this.sortedTime[best - 1] < this.sortedTime[best] - time) best--;
    const found = this.extremes.within(start, end);
    for (let index = start; found && index < end; index++) {
      if (this.frameTime[own(index)] === found[1]) best = index;
    }
    return { row: this.rowAt(own(best)), drop: null, touch: null };
  }

  /**
   * The rows of a range. Where frames are not in the order of their times, as many rows come before an instant as have an
   * earlier time, as on the command line.
   * @param {number} from @param {number} to
   */
  rowsWithin(from, to) {
    return { start: firstNotBelow(this.sortedTime, from), end: firstNotBelow(this.sortedTime, to) };
  }

  /** How many frames the rows of a range stand for, those that are not kept included. @param {{start: number, end: number}} rows */
  framesIn(rows) {
    if (rows.end <= rows.start) return 0;
    return rows.end === this.count && rows.start === 0 ? this.head.count : this.rowAt(rows.end - 1) - this.rowAt(rows.start) + 1;
  }

  /** The frame times of rows alone: no step leads into them. @param {{start: number, end: number}} rows */
  frameTimesOf(rows) {
    if (!this.head.frameTimes) return [];
    const told = this.column("frameTime").subarray(rows.start, rows.end).filter((value) => !Number.isNaN(value));
    if (!this.head.frameTimes.areSteps) return told;
    const times = told.sort();
    const steps = [];
    for (let place = 1; place < times.length; place++) {
      if (!this.isRestBetween(times[place - 1], times[place])) steps.push(times[place] - times[place - 1]);
    }
    return steps;
  }

  /** @param {{start: number, end: number}} rows @param {number} from @param {number} to */
  latenciesOf(rows, from, to) {
    if (!this.head.latency) return [];
    if (!this.head.latency.isOfTouches) {
      return this.latency.subarray(rows.start, rows.end).filter((value) => !Number.isNaN(value));
    }
    return this.touches.filter((touch) => touch.isMain && touch.time >= from && touch.time < to
      && !Number.isNaN(touch.latency)).map((touch) => touch.latency);
  }

  /** How long the surface was active in a range. @param {number} from @param {number} to */
  activeTime(from, to) {
    const [start, end] = this.column("seen");
    const length = (/** @type {number} */ low, /** @type {number} */ high) =>
      Math.max(0, Math.min(high, to, end) - Math.max(low, from, start));
    return this.rests.reduce((sum, rest) => sum - length(rest.start, rest.end), length(start, end));
  }
}
