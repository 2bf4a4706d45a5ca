// What is seen of which surface, and how people move in it.

const keysText = [
  ["W, S or ↑, ↓", "zoom in, zoom out"], ["A, D or ←, →", "move left, move right"],
  ["N, P", "next, previous drop, hitch or worst latency"], [", .", "previous, next frame"],
  ["Home", "the whole trace"], ["Escape", "clear the selection, or leave the full window"],
  ["F", "full window, and back"], ["+, −", "higher, lower tracks"],
  ["wheel, pinch", "zoom, after a click on the plot; with Ctrl at any time"],
  ["drag", "move; with Shift, select a part and show its figures"],
  ["click on a track's name", "fold it, and back"],
];

class Explorer {
  /** @param {HTMLElement} place @param {any[]} heads */
  constructor(place, heads, isServed = false, shownPair = null) {
    this.place = place;
    this.heads = heads;
    this.isServed = isServed;
    /** @type {number[] | null} The two runs that a page without a link shows over each other. */
    this.shownPair = shownPair;
    this.isLoading = this.isWanted = false;
    /** @type {Map<number, Surface>} */
    this.surfaces = new Map();
    this.selection = null;
    this.pointed = null;
    this.mark = null;
    this.build();
    window.addEventListener("hashchange", () => this.readLink());
    window.addEventListener("resize", () => this.redraw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
  }

  build() {
    const canvas = (/** @type {string} */ name, /** @type {string} */ label) => element("canvas",
      { class: name, tabindex: "0", role: "application", "aria-label": label, "aria-describedby": "explore-keys" }, label);
    this.overview = canvas("overview", "Frame times of the whole trace; the box marks the part shown below");
    this.canvas = canvas("detail", "Frame times and the pipeline of the visible part");
    this.picture = new DetailPicture(this.canvas);
    this.tabs = element("div", { role: "tablist", "aria-label": "Traces and surfaces", class: "tabs" });
    this.heads.forEach((head, index) => {
      const tab = element("button", { type: "button", role: "tab", id: `tab-${index}`, "aria-controls": "explore-panel" },
        element("bdi", {}, head.title));
      tab.addEventListener("click", () => this.show(index));
      tab.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!step) return;
        const next = (index + step + this.heads.length) % this.heads.length;
        this.show(next).then(() => this.tabs.children[next].focus());
      });
      this.tabs.append(tab);
    });
    this.tabs.hidden = this.heads.length < 2;
    this.status = element("p", { role: "status", class: "status" });
    this.inspector = element("section", { class: "inspector", "aria-label": "Frame details" });
    this.figures = element("section", { class: "figures", "aria-label": "Figures of the selected or visible part" });
    this.list = element("details", {}, element("summary", {}, "The frames in view as a table"));
    this.list.addEventListener("toggle", () => this.fillList());
    this.toolbar = element("div", { class: "toolbar", role: "toolbar", "aria-label": "View controls" },
      button("Zoom in", () => this.zoom(0.5)), button("Zoom out", () => this.zoom(2)),
      button("Whole trace", () => this.look(this.whole.from, this.whole.to)),
      button("Previous mark", () => this.jumpToMark(-1)), button("Next mark", () => this.jumpToMark(1)),
      button("Clear selection", () => this.select(null)), button("Full window", () => this.fill()),
      button("Copy link", () => this.copy(location.href)), button("Copy as command", () => this.copyCommand()),
      button("Copy picture", () => this.copyPicture()));
    this.pair = new Pair(this);
    this.finder = new Finder(this);
    this.notes = new Notes(this);
    this.trackList = element("div");
    const height = element("input", { type: "range", min: "14", max: "96", id: "track-height" });
    height.addEventListener("input", () => this.setTrackHeight(Number(height.value)));
    this.height = height;
    const tracks = element("details", {}, element("summary", {}, "Tracks"), this.trackList,
      element("p", {}, element("label", { for: "track-height" }, "Height "), height));
    const keys = element("details", {}, element("summary", {}, "Keys"),
      element("dl", { id: "explore-keys" }, ...keysText.flatMap(([key, does]) => [element("dt", {}, key), element("dd", {}, does)])));
    this.place.append(this.tabs, element("div", { id: "explore-panel", role: "tabpanel" },
      this.overview, this.pair.panel, this.canvas, this.pair.title, this.pair.canvas, this.toolbar, this.status,
      element("div", { class: "beside" }, this.inspector, this.figures), this.finder.panel, this.notes.panel, tracks, this.list, keys));
    this.place.hidden = false;
    new DetailInput(this);
    new OverviewInput(this);
    this.place.addEventListener("keydown", (event) => this.key(event));
  }

  /** A surface, which is unpacked when it is first looked at. @param {number} index */
  async surfaceAt(index) {
    const head = this.heads[index];
    if (!this.surfaces.has(index)) {
      this.surfaces.set(index, await readSurface(head));
      head.data = head.sentences = head.causes = "";
    }
    const surface = this.surfaces.get(index);
    surface.isServed = this.isServed;
    return surface;
  }

  /** Shows a surface. @param {number} index */
  async show(index, from = NaN, to = NaN) {
    this.surface = await this.surfaceAt(index);
    this.index = index;
    this.whole = { from: this.surface.start, to: this.surface.end + (this.surface.end - this.surface.start) * 0.01 };
    this.selection = null;
    this.pointed = null;
    this.mark = null;
    Array.from(this.tabs.children).forEach((/** @type {any} */ tab, place) => {
      tab.setAttribute("aria-selected", `${place === index}`);
      tab.tabIndex = place === index ? 0 : -1;
    });
    this.overview.style.height = `${overviewHeight}px`;
    this.layTracks();
    this.finder.offer();
    this.pair.offer();
    this.inspector.replaceChildren(element("p", {}, "Point at a frame, or press N for the first mark."));
    const [start, end] = Number.isFinite(from) && Number.isFinite(to) ? [from, to] : this.firstView();
    this.look(start, end);
  }

  /** Around the longest run of drops, else the start: as many refreshes as can be read. */
  firstView() {
    const length = Math.min(this.whole.to - this.whole.from, 24 * (this.surface.head.interval || 16666667));
    const worst = this.surface.worstDrop;
    const start = worst ? worst.time - length * 0.4 : this.whole.from;
    return [start, start + length];
  }

  /** Gives the tracks their places, after some were folded or found. */
  layTracks() {
    const { surface } = this;
    this.canvas.style.height = `${detailHeight(surface)}px`;
    this.height.value = `${surface.trackHeight}`;
    this.trackList.replaceChildren(...tracksOf(surface).map((track) => {
      const box = element("input", { type: "checkbox" });
      box.checked = !track.isFolded;
      box.addEventListener("change", () => this.fold(track.key));
      return element("label", { class: "track" }, box, " ", element("bdi", {}, track.name));
    }));
    this.redraw();
  }

  /** Folds a track, or unfolds it. @param {string} key */
  fold(key) {
    const { folded } = this.surface;
    if (!folded.delete(key)) folded.add(key);
    this.layTracks();
  }

  /** @param {number} height */
  setTrackHeight(height) {
    this.surface.trackHeight = Math.min(Math.max(height, 14), 96);
    this.layTracks();
  }

  /** Fills the window, or goes back into the page. */
  fill() {
    document.documentElement.classList.toggle("filled");
    this.redraw();
  }

  /** @param {string} text */
  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.status.textContent = `Copied: ${text}`;
    } catch {
      this.status.textContent = text;
    }
  }

  copyCommand() {
    const { command } = this.surface.head;
    if (!command) {
      this.status.textContent = "The page was made with options, so it has no command to copy.";
      return;
    }
    const part = this.selection ?? this.view;
    const times = [part.from, part.to].map((time) => (Math.max(0, time) / 1e9).toFixed(6));
    this.copy(`${command} --from ${times[0]} --to ${times[1]}`);
  }

  /** The picture of what is seen, to the clipboard, else as a file. */
  copyPicture() {
    this.canvas.toBlob(async (picture) => {
      try {
        await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
        this.status.textContent = "The picture is in the clipboard.";
      } catch {
        save("pipeline.png", picture);
        this.status.textContent = "The picture was saved as pipeline.png.";
      }
    });
  }

  /** Shows an instant in the middle, as close as before. @param {number} time */
  center(time) {
    const length = Math.min(this.view.to - this.view.from, 24 * (this.surface.head.interval || 16666667));
    this.look(time - length / 2, time + length / 2);
  }

  /** Shows a part of the trace. @param {number} from @param {number} to */
  look(from, to) {
    // A link may say anything.
    if (!Number.isFinite(from) || !Number.isFinite(to)) return;
    const whole = this.whole.to - this.whole.from;
    const length = Math.min(Math.max(to - from, 1e4), whole);
    const middle = (from + to) / 2;
    const start = Math.min(Math.max(middle - length / 2, this.whole.from), this.whole.to - length);
    this.view = { from: start, to: start + length };
    this.redraw();
  }

  /** @param {number} factor @param {number} [around] The instant that stays where it is. */
  zoom(factor, around = (this.view.from + this.view.to) / 2) {
    const { from, to } = this.view;
    const length = Math.min(Math.max((to - from) * factor, 1e4), this.whole.to - this.whole.from);
    const share = (around - from) / (to - from);
    this.look(around - share * length, around + (1 - share) * length);
  }

  /** @param {number} share Of what is seen. */
  pan(share) {
    const step = (this.view.to - this.view.from) * share;
    this.look(this.view.from + step, this.view.to + step);
  }

  /** Selects a part, in whole microseconds, as the command line takes them. @param {{from: number, to: number} | null} part */
  select(part) {
    const round = (/** @type {number} */ time) =>
      Math.round(Math.min(Math.max(time, this.whole.from, 0), this.whole.to) / 1000) * 1000;
    this.selection = part && part.to > part.from ? { from: round(part.from), to: round(part.to) } : null;
    this.redraw();
  }

  /** Points at a frame or a drop, and says so. @param {any} pointed @param {boolean} isLasting */
  point(pointed, isLasting = false) {
    if (!pointed || Number.isNaN(pointed.row)) return;
    this.pointed = pointed;
    this.inspector.replaceChildren(...inspect(this.surface, pointed, (row) => this.jump(row)));
    if (isLasting) this.status.textContent = sentenceOf(this.surface, pointed);
    this.redraw();
  }

  /** Goes to a frame. @param {number} row @param {Drop | null} drop */
  jump(row, drop = null) {
    const place = this.surface.detailOf(row);
    const time = drop ? drop.time : place >= 0 ? this.surface.detailEnd[place] : this.surface.time[this.surface.placeOf(row)];
    const length = Math.min(this.view.to - this.view.from, 24 * (this.surface.head.interval || 16666667));
    this.look(time - length / 2, time + length / 2);
    this.point({ row, drop, touch: null }, true);
  }

  /**
   * Goes to the first or last mark, then on from there, or from the view's edge where the mark is out of sight.
   * @param {1 | -1} direction
   */
  jumpToMark(direction) {
    const { marks, markTime } = this.surface;
    if (marks.length === 0) {
      this.status.textContent = "There is no drop, hitch, stutter or latency to go to.";
      return;
    }
    const { from, to } = this.view;
    let place = direction > 0 ? 0 : -1;
    if (this.mark !== null) {
      const isNear = Math.abs(markTime[this.mark] - (from + to) / 2) <= to - from;
      const entered = direction > 0 ? firstNotBelow(markTime, from) : firstNotBelow(markTime, to) - 1;
      place = isNear ? this.mark + direction : entered;
    }
    this.mark = (place + marks.length) % marks.length;
    const mark = marks[this.mark];
    if (Number.isNaN(mark.frame)) {
      const length = this.view.to - this.view.from;
      this.look(mark.time - length / 2, mark.time + length / 2);
    } else {
      this.jump(mark.frame, mark.drop);
    }
    this.status.textContent = `${this.mark + 1} of ${marks.length}: ${mark.words}.`;
  }

  /** Goes to the longest drop, else to the longest frame time. */
  jumpToWorst() {
    const { surface } = this;
    const worst = surface.worstDrop;
    if (worst) this.jump(worst.frame, worst);
    else this.jump(surface.frameNear((surface.start + surface.end) / 2, surface.end - surface.start).row);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.surface) return;
    if (/** @type {HTMLElement} */ (event.target).matches("input, select")) return;
    const onCanvas = event.target === this.canvas || event.target === this.overview;
    /** @type {Record<string, () => void>} */
    const moves = {
      w: () => this.zoom(0.8), s: () => this.zoom(1.25), a: () => this.pan(-0.1), d: () => this.pan(0.1),
      n: () => this.jumpToMark(1), p: () => this.jumpToMark(-1),
      ",": () => this.step(-1), ".": () => this.step(1), f: () => this.fill(), "+": () => this.setTrackHeight(this.surface.trackHeight + 6),
      "-": () => this.setTrackHeight(this.surface.trackHeight - 6), "−": () => this.setTrackHeight(this.surface.trackHeight - 6),
      escape: () => (document.documentElement.classList.contains("filled") ? this.fill() : this.select(null)),
    };
    /** @type {Record<string, () => void>} */
    const onPicture = {
      arrowup: moves.w, arrowdown: moves.s, arrowleft: moves.a, arrowright: moves.d,
      home: () => this.look(this.whole.from, this.whole.to),
    };
    const move = moves[event.key.toLowerCase()] ?? (onCanvas ? onPicture[event.key.toLowerCase()] : undefined);
    if (!move) return;
    event.preventDefault();
    move();
  }

  /** The frame before or after the one that is pointed at. @param {number} direction */
  step(direction) {
    const place = this.pointed ? this.surface.placeOf(this.pointed.row) + direction
      : this.surface.placeOf(this.surface.frameNear((this.view.from + this.view.to) / 2, 0).row);
    this.jump(this.surface.rowAt(Math.min(Math.max(place, 0), this.surface.count - 1)));
  }

  /** Draws once before the next frame of the display, however often something changes. */
  redraw() {
    if (this.isWaiting || !this.surface) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      const start = performance.now();
      drawOverview(this.overview, this.surface, this.whole, this.view, this.selection);
      this.picture.draw(this.surface, this.view, this.selection, this.pointed, this.pair);
      this.pair.draw();
      this.place.dataset.drawn = (performance.now() - start).toFixed(2);
      clearTimeout(this.later);
      this.later = setTimeout(() => this.settle(), 120);
    });
  }

  /** What takes longer than a frame may: done once nothing has moved for a while. */
  settle() {
    const part = this.selection ?? this.view;
    this.figures.replaceChildren(...this.pair.figures(part), ...figures(this.surface, part, this.selection ? "Selection" : "In view"));
    this.fillList();
    this.writeLink();
    this.load();
  }

  /** Asks the server, if there is one, for the stages that are wanted and not in the page. */
  async load() {
    this.isWanted = true;
    if (!this.isServed || this.isLoading) return;
    this.isLoading = true;
    // What is wanted may change while an answer is on its way.
    while (this.isWanted) {
      this.isWanted = false;
      const { surface, index, pair } = this;
      const hasOwn = await this.loadStages(surface, index, this.view, this.pointed);
      const hasOther = pair.surface && await this.loadStages(pair.surface, pair.index, pair.view, null);
      if (hasOther) pair.lay();
      if (!hasOwn || this.surface !== surface) continue;
      this.layTracks();
      if (this.pointed) this.point(this.pointed);
      this.redraw();
    }
    this.isLoading = false;
  }

  /**
   * Whether stages of a part were missing and are there now.
   * @param {Surface} surface @param {number} index @param {Part} view @param {any} pointed
   */
  async loadStages(surface, index, view, pointed) {
    const missing = surface.missingStages(view, pointed);
    const told = missing && await ask(`stages/${index}/${missing.from}/${missing.count}`);
    if (missing && !told) this.isServed = surface.isServed = false;
    if (!told) return false;
    surface.addStages(unpackColumns(told.columns, await inflate(told.data)), missing.from, missing.count);
    return true;
  }

  fillList() {
    if (!this.list.open) return;
    const rows = this.surface.rowsWithin(this.view.from, this.view.to);
    const end = Math.min(rows.end, rows.start + 200);
    const lines = [];
    for (let place = rows.start; place < end; place++) {
      const row = this.surface.rowAt(place);
      const drops = this.surface.dropsByFrame.get(row) ?? [];
      const number = (/** @type {number} */ value) => (Number.isNaN(value) ? "" : (value / 1e6).toFixed(2));
      lines.push([`${row}`, (this.surface.time[place] / 1e9).toFixed(4), number(this.surface.frameTime[place]),
        number(this.surface.latency[place] ?? NaN), outcomeWords[this.surface.outcome[place] & 3],
        drops.map((/** @type {Drop} */ drop) => `${drop.count} by ${stageWords[drop.stage]}`).join(", ")]);
    }
    const caption = end < rows.end ? `The first 200 of ${rows.end - rows.start} frames in view` : "The frames in view";
    this.list.replaceChildren(this.list.firstElementChild,
      table(caption, [">frame", ">time in s", ">frame time in ms", ">latency in ms", "outcome", "dropped refreshes"], lines));
  }

  writeLink() {
    const number = (/** @type {number} */ time) => (time / 1e9).toFixed(6);
    const parts = [`s=${this.index}`, `from=${number(this.view.from)}`, `to=${number(this.view.to)}`];
    if (this.selection) parts.push(`part=${number(this.selection.from)}-${number(this.selection.to)}`);
    if (this.pointed) parts.push(`frame=${this.pointed.row}`);
    if (this.pair.surface) parts.push(`with=${this.pair.index}`, `later=${(this.pair.offset / 1e9).toFixed(6)}`);
    if (this.surface.folded.size > 0) parts.push(`fold=${[...this.surface.folded].join(",")}`);
    if (this.surface.trackHeight !== usualTrackHeight) parts.push(`height=${this.surface.trackHeight}`);
    if (this.finder.panel.open) parts.push(`find=${this.finder.kind}.${this.finder.column}.${this.finder.sign}`);
    if (this.notes.link) parts.push(`notes=${encodeURIComponent(this.notes.link)}`);
    if (this.isServed && this.view.to >= this.whole.to) parts.push("end=1");
    this.link = `#${parts.join("&")}`;
    history.replaceState(null, "", this.link);
  }

  /** Shows what the address says; what it does not say is left to us. */
  async readLink() {
    if (location.hash === this.link) return;
    const said = new URLSearchParams(location.hash.slice(1));
    if (this.surface && !said.has("s") && !said.has("worst")) return;
    const number = (/** @type {string} */ name) => (said.has(name) ? Number(said.get(name)) * 1e9 : NaN);
    const most = Math.max(...this.heads.map((head) => head.count));
    const index = Number(said.get("s") ?? this.shownPair?.[0] ?? this.heads.findIndex((head) => head.count === most));
    await this.show(index >= 0 && index < this.heads.length ? Math.floor(index) : 0, number("from"), number("to"));
    // The end of a trace that has grown.
    if (said.has("end") && this.view.to < this.whole.to) {
      this.look(this.whole.to - (this.view.to - this.view.from), this.whole.to);
    }
    const part = (said.get("part") ?? "").split("-").map((time) => Number(time) * 1e9);
    if (part.length === 2 && part.every(Number.isFinite)) this.select({ from: part[0], to: part[1] });
    if (said.has("worst")) this.jumpToWorst();
    const frame = Number(said.get("frame") ?? NaN);
    if (Number.isInteger(frame)) this.point({ row: frame, drop: null, touch: null });
    for (const key of (said.get("fold") ?? "").split(",").filter((key) => key)) this.surface.folded.add(key);
    if (Number(said.get("height")) > 0) this.surface.trackHeight = Math.min(Math.max(Number(said.get("height")), 14), 96);
    this.layTracks();
    const [kind, column, sign] = (said.get("find") ?? "").split(".");
    if (Object.hasOwn(itemKinds, kind)) {
      this.finder.panel.open = true;
      this.finder.list(kind, itemKinds[kind].columns[Number(column)] ? Number(column) : 0, sign === "-1" ? -1 : 1);
    }
    this.notes.readLink(said.get("notes") ?? "[]");
    if (said.has("with")) await this.pair.show(Number(said.get("with")), number("later"));
    else if (!said.has("s") && this.shownPair) await this.pair.show(this.shownPair[1]);
    // A link leads here, past what stands above.
    if (said.has("s")) this.place.scrollIntoView();
  }
}

/** Mouse, pen and fingers on the detail. */
class DetailInput {
  /** @param {Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
    /** @type {Map<number, number>} */
    this.held = new Map();
    const canvas = explorer.canvas;
    canvas.addEventListener("wheel", (/** @type {WheelEvent} */ event) => this.wheel(event), { passive: false });
    canvas.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => this.down(event));
    canvas.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(name, (/** @type {PointerEvent} */ event) => this.up(event));
    }
  }

  /** @param {MouseEvent} event */
  timeOf(event) { return this.explorer.picture.timeAt(event.offsetX); }

  /** @param {WheelEvent} event */
  wheel(event) {
    // A page has to scroll: the wheel is ours once somebody has clicked here, or with Ctrl, as of a pinch on a pad.
    if (!event.ctrlKey && document.activeElement !== this.explorer.canvas) return;
    event.preventDefault();
    const step = event.deltaMode === 1 ? 30 : 1;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      this.explorer.pan((event.deltaX || event.deltaY) * step / 1000);
    } else {
      this.explorer.zoom(2 ** (event.deltaY * step / (event.ctrlKey ? 100 : 300)), this.timeOf(event));
    }
  }

  /** @param {PointerEvent} event */
  down(event) {
    const { explorer } = this;
    const track = event.offsetX < explorer.picture.left && explorer.picture.trackAt(event.offsetY);
    if (track) {
      explorer.fold(track.key);
      return;
    }
    explorer.canvas.setPointerCapture(event.pointerId);
    this.held.set(event.pointerId, event.offsetX);
    this.start = { x: event.offsetX, time: this.timeOf(event), from: explorer.view.from, to: explorer.view.to, selects: event.shiftKey, moved: false };
    this.spread = this.distance();
  }

  /** How far two fingers are apart; 0 without. */
  distance() {
    const places = [...this.held.values()];
    return places.length === 2 ? Math.abs(places[0] - places[1]) : 0;
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { explorer, start } = this;
    if (!explorer.surface) return;
    if (!this.held.has(event.pointerId)) {
      explorer.point(explorer.picture.at(event.offsetX, event.offsetY));
      return;
    }
    this.held.set(event.pointerId, event.offsetX);
    if (Math.abs(event.offsetX - start.x) > 3) start.moved = true;
    if (this.held.size === 2) {
      const spread = this.distance();
      if (spread > 10 && this.spread > 10) explorer.zoom(this.spread / spread, this.timeOf(event));
      this.spread = spread;
    } else if (start.selects) {
      const time = this.timeOf(event);
      explorer.select({ from: Math.min(start.time, time), to: Math.max(start.time, time) });
    } else if (start.moved) {
      const shift = (start.x - event.offsetX) * (start.to - start.from) / (explorer.canvas.clientWidth - explorer.picture.left);
      explorer.look(start.from + shift, start.to + shift);
    }
  }

  /** @param {PointerEvent} event */
  up(event) {
    this.held.delete(event.pointerId);
    if (this.held.size > 0 || !this.start || this.start.moved) return;
    this.explorer.point(this.explorer.picture.at(event.offsetX, event.offsetY), true);
  }
}

/** The brush on the whole trace: its ends and its middle can be dragged, and a new one drawn beside it. */
class OverviewInput {
  /** @param {Explorer} explorer */
  constructor(explorer) {
    const canvas = explorer.overview;
    const timeOf = (/** @type {number} */ x) =>
      explorer.whole.from + (explorer.whole.to - explorer.whole.from) * x / canvas.clientWidth;
    /** @type {any} */
    let start = null;
    canvas.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      canvas.setPointerCapture(event.pointerId);
      const time = timeOf(event.offsetX);
      const near = timeOf(8) - timeOf(0);
      const { from, to } = explorer.view;
      const part = Math.abs(time - from) < near ? "from" : Math.abs(time - to) < near ? "to" : time > from && time < to ? "both" : "new";
      start = { time, part, from, to };
    });
    canvas.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (!start) return;
      const time = timeOf(event.offsetX);
      if (start.part === "both") explorer.look(start.from + time - start.time, start.to + time - start.time);
      else {
        const other = start.part === "from" ? start.to : start.part === "to" ? start.from : start.time;
        if (Math.abs(time - other) > 1e4) explorer.look(Math.min(time, other), Math.max(time, other));
      }
    });
    canvas.addEventListener("pointerup", (/** @type {PointerEvent} */ event) => {
      // A click beside the brush moves it there.
      if (start && start.part === "new" && Math.abs(timeOf(event.offsetX) - start.time) < timeOf(3) - timeOf(0)) {
        const half = (start.to - start.from) / 2;
        explorer.look(start.time - half, start.time + half);
      }
      start = null;
    });
    canvas.addEventListener("wheel", (/** @type {WheelEvent} */ event) => {
      if (!event.ctrlKey && document.activeElement !== canvas) return;
      event.preventDefault();
      explorer.zoom(2 ** (event.deltaY / 300), timeOf(event.offsetX));
    }, { passive: false });
  }
}
