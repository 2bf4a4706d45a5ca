// The whole trace, with the part that is seen.

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

/** How many pixels stand for one share of dropped refreshes. */
const densityWidth = 4;

/**
 * Draws how many refreshes were dropped as a bar for every few pixels: full where half of the refreshes or more were.
 * @param {CanvasRenderingContext2D} context @param {Surface} surface @param {Part} range
 * @param {{left: number, width: number, top: number, height: number}} place @param {string} color
 */
function drawDensity(context, surface, range, place, color) {
  const count = Math.max(1, Math.floor(place.width / densityWidth));
  const sums = new Float64Array(count);
  const length = (range.to - range.from) / count;
  for (const drop of surface.drops) {
    const bin = Math.floor((drop.time - range.from) / length);
    if (bin >= 0 && bin < count) sums[bin] += drop.count;
  }
  const refreshes = Math.max(1, length / (surface.head.interval || 16666667));
  context.fillStyle = color;
  sums.forEach((sum, bin) => {
    if (sum === 0) return;
    const height = Math.max(2, place.height * Math.min(1, 2 * sum / refreshes));
    context.fillRect(place.left + bin * densityWidth, place.top + place.height - height, densityWidth - 1, height);
  });
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
  const bottom = height - 16;
  const hasBlame = !surface.head.whyNoDrops;
  const times = { left: 0, width, top: 2, height: bottom - (hasBlame ? 24 : 14), high };
  drawTimes(context, surface, whole, times, colors.buffers[0]);
  const bars = { left: 0, width, top: bottom - 20, height: 18 };
  if (hasBlame) drawDensity(context, surface, whole, bars, colors.fault);
  else drawMarks(context, surface, whole, { ...bars, top: bottom - 10, height: 8 }, colors.fault);
  if (selection) {
    context.globalAlpha = 0.25;
    context.fillStyle = colors.buffers[1];
    context.fillRect(x(selection.from), 0, Math.max(1, x(selection.to) - x(selection.from)), bottom);
  }
  context.globalAlpha = 0.55;
  context.fillStyle = colors.back;
  context.fillRect(0, 0, x(view.from), bottom);
  context.fillRect(x(view.to), 0, width - x(view.to), bottom);
  context.globalAlpha = 1;
  drawOverviewAxes(context, whole, { width, bottom, top: times.top, height: times.height, high }, colors);
  // The window stays wide enough to be seen and held, however short the part is.
  const middle = (x(view.from) + x(view.to)) / 2;
  const half = Math.max(5, (x(view.to) - x(view.from)) / 2);
  const left = Math.min(Math.max(middle - half, 1), width - 2 * half - 1);
  context.strokeStyle = colors.link;
  context.lineWidth = 2;
  context.strokeRect(left, 1, 2 * half, bottom - 2);
  context.fillStyle = colors.link;
  for (const edge of [left, left + 2 * half]) context.fillRect(edge - 2, bottom / 2 - 8, 4, 16);
}

/**
 * @param {CanvasRenderingContext2D} context @param {Part} whole
 * @param {{width: number, bottom: number, top: number, height: number, high: number}} place @param {any} colors
 */
function drawOverviewAxes(context, whole, place, colors) {
  drawTimeAxis(context, whole, { left: 0, right: place.width, top: place.bottom, words: 10, spacing: 120 }, colors.soft, timeUnit(whole));
  const values = ticks(0, place.high / 1e6, 2).values.filter((value) => value > 0);
  context.textAlign = "left";
  context.strokeStyle = colors.line;
  context.lineWidth = 1;
  for (const value of values) {
    const y = place.top + place.height * (1 - value * 1e6 / place.high);
    context.beginPath();
    context.moveTo(0, y);
    context.lineTo(place.width, y);
    context.stroke();
    context.fillText(`${Number(value.toPrecision(3))} ms`, 3, y - 6);
  }
}
