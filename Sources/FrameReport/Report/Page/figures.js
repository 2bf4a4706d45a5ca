// Figures of a part of a surface, by the definitions that `frametool analyze --from --to` uses.

/**
 * The quantile of ascending values: type 7 of Hyndman and Fan (1996).
 * @param {Float64Array} sorted
 * @param {number} share
 */
function quantile(sorted, share) {
  const position = (sorted.length - 1) * share;
  const rank = Math.floor(position);
  const upper = sorted[Math.min(rank + 1, sorted.length - 1)];
  return sorted[rank] + (position - rank) * (upper - sorted[rank]);
}

/**
 * @typedef {{n: number, mean: number, p50: number, p90: number, p95: number, p99: number, max: number}} Summary
 */

/**
 * Describes numbers; null for none.
 * @param {number[] | Float64Array} values
 * @returns {Summary | null}
 */
function summarize(values) {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  let sum = 0;
  for (const value of sorted) sum += value;
  const [p50, p90, p95, p99] = [0.5, 0.9, 0.95, 0.99].map((share) => quantile(sorted, share));
  return { n: sorted.length, mean: sum / sorted.length, p50, p90, p95, p99, max: sorted[sorted.length - 1] };
}

/**
 * What is known of the part of a surface from one instant on until another.
 * @param {Surface} surface
 * @param {number} from
 * @param {number} to
 */
function figuresOfPart(surface, from, to) {
  const rows = surface.rowsWithin(from, to);
  const outcomes = [0, 0, 0, 0];
  for (let row = rows.start; row < rows.end; row++) outcomes[surface.outcome[row] & 3]++;
  const droppedByStage = new Map();
  for (const drop of surface.drops) {
    let count = 0;
    for (let place = 0; place < drop.count; place++) {
      const time = place === 0 ? drop.time : surface.refreshTime(drop.refresh + place);
      if (time >= from && time < to) count++;
      else if (time >= to) break;
    }
    if (count > 0) droppedByStage.set(drop.stage, (droppedByStage.get(drop.stage) ?? 0) + count);
  }
  let [hitches, hitchTime] = [0, 0];
  for (let place = 0; place < surface.hitchTime.length; place++) {
    if (surface.hitchTime[place] < from || surface.hitchTime[place] >= to) continue;
    hitches++;
    hitchTime += surface.hitchLength[place];
  }
  return {
    frames: rows.end - rows.start,
    displayed: outcomes[0],
    neverShown: outcomes[1] + outcomes[2],
    frameTime: summarize(surface.frameTimesOf(rows)),
    latency: summarize(surface.latenciesOf(rows, from, to)),
    droppedByStage,
    hitches,
    hitchTime,
    activeTime: surface.activeTime(from, to),
  };
}
