// The tracks under the frame times, and where each of them is.

/**
 * @typedef {{key: string, name: string, top: number, height: number, isFolded: boolean, counter?: Counter, buffer?: number,
 *   thread?: string}} Track
 */

const usualTrackHeight = 26;
const foldedHeight = 12;
/** Above and below what is drawn in a track, together. */
const padding = 6;
const mostBufferTracks = 6;
const mostThreadTracks = 4;

/** The name of a buffer, as the command line has it. @param {number} number */
function bufferName(number) { return number < 26 ? String.fromCharCode(65 + number) : `${number + 1}`; }

/** The tracks that a surface has anything in, without their places. @param {Surface} surface @returns {any[]} */
function findTracks(surface) {
  const known = (/** @type {string} */ name) => surface.column(name).some((time) => !Number.isNaN(time));
  const ends = { app: known("appEnd") || known("commit"), compositor: known("compositorEnd"), gpu: known("gpuEnd"), display: true };
  const starts = { app: known("appStart"), compositor: known("compositorStart"), gpu: known("gpuStart"), display: known("displayed") };
  const tracks = surface.head.stages.filter((/** @type {any} */ stage) => starts[stage.key] && ends[stage.key]);
  if (surface.touches.length > 0) {
    tracks.unshift({ key: "touch", name: "touch" });
    if (surface.touches.some((touch) => !Number.isNaN(touch.photon))) tracks.push({ key: "photon", name: "to photon" });
  }
  if (!surface.head.whyNoDrops) tracks.push({ key: "dropped", name: "dropped" });
  if (surface.markers.length > 0) tracks.push({ key: "markers", name: "markers" });
  const buffers = known("bufferStart") ? new Set(surface.column("buffer").filter((number) => !Number.isNaN(number))) : [];
  for (const buffer of [...buffers].sort((a, b) => a - b).slice(0, mostBufferTracks)) {
    tracks.push({ key: `buffer-${buffer}`, name: `buffer ${bufferName(buffer)}`, buffer });
  }
  const threads = new Set([...surface.causes.values()].flatMap((cause) => cause.lanes.map((lane) => lane.name)));
  [...threads].slice(0, mostThreadTracks).forEach((thread, place) => tracks.push({ key: `thread-${place}`, name: thread, thread }));
  surface.counters.forEach((counter, place) => tracks.push({ key: `counter-${place}`, name: counter.name, counter }));
  return tracks;
}

/** The tracks from top to bottom. @param {Surface} surface @returns {Track[]} */
function tracksOf(surface) {
  let top = timesHeight;
  return (surface.tracks ??= findTracks(surface)).map((/** @type {any} */ track) => {
    const isFolded = surface.folded.has(track.key);
    const height = isFolded ? foldedHeight : surface.trackHeight;
    const placed = { ...track, top, height, isFolded };
    top += height;
    return placed;
  });
}

/** Where the last track ends. @param {Surface} surface */
function bottomOf(surface) {
  return tracksOf(surface).reduce((end, track) => Math.max(end, track.top + track.height), timesHeight);
}

/** The height that the tracks and the frame times take. @param {Surface} surface */
function detailHeight(surface) { return bottomOf(surface) + axisHeight; }
