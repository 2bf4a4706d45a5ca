// Everything of a surface that one may look for, as lists to sort and by words.

/** @typedef {{time: number, frame: number, drop: Drop | null, cells: string[], values: (number | string)[]}} Item */

/** How many items of a list are shown. */
const mostItems = 200;

const itemKinds = {
  drop: { name: "dropped refreshes", columns: [">time in s", ">refreshes", "charged to", ">frame", ">held up by"] },
  hitch: { name: "hitches", columns: [">time in s", ">length in ms", ">frame"] },
  latency: { name: "latencies", columns: [">time in s", ">latency in ms", ">frame"] },
  long: { name: "frame times", columns: [">time in s", ">frame time in ms", ">frame"] },
  touch: { name: "touches", columns: [">time in s", ">visible after ms", ">shown by frame"] },
  marker: { name: "markers", columns: [">time in s", "name"] },
};

/** Of so many frames, all are listed; of more, the longest of them. */
const mostListed = 20_000;

/** The least of the values that are listed, and how many of those equal to it are. @param {Float64Array} values */
function leastKept(values) {
  const known = values.filter((value) => !Number.isNaN(value)).sort();
  if (known.length <= mostListed) return { least: -Infinity, count: 0 };
  const least = known[known.length - mostListed];
  let place = known.length - mostListed;
  while (place < known.length && known[place] === least) place++;
  return { least, count: place - (known.length - mostListed) };
}

/** A number of a cell, and an empty cell for none. @param {number} value @param {number} decimals */
function cell(value, decimals) { return Number.isNaN(value) ? "" : value.toFixed(decimals); }

/** The items of a kind, in order of time. @param {Surface} surface @param {string} kind @returns {Item[]} */
function itemsOf(surface, kind) {
  /** @type {(time: number, frame: number, values: any[], cells: string[], drop?: Drop | null) => Item} */
  const item = (time, frame, values, cells, drop = null) => ({ time, frame, drop, values: [time, ...values], cells: [(time / 1e9).toFixed(4), ...cells] });
  const lengths = (/** @type {Float64Array} */ values) => {
    let { least, count } = leastKept(values);
    const found = [];
    for (let place = 0; place < values.length; place++) {
      const [value, row] = [values[place], surface.rowAt(place)];
      if (value > least || (value === least && count-- > 0)) found.push(item(surface.time[place], row, [value, row], [cell(value / 1e6, 2), `${row}`]));
    }
    return found;
  };
  switch (kind) {
    case "drop":
      return surface.drops.map((drop) => item(drop.time, drop.frame, [drop.count, stageWords[drop.stage], drop.frame, drop.cause],
        [`${drop.count}`, stageWords[drop.stage], `${drop.frame}`, drop.cause === drop.frame ? "" : cell(drop.cause, 0)], drop));
    case "hitch":
      return Array.from(surface.hitchTime, (time, place) => {
        const [length, frame] = [surface.hitchLength[place], surface.column("hitchFrame")[place]];
        return item(time, frame, [length, frame], [cell(length / 1e6, 2), cell(frame, 0)]);
      });
    case "latency": return lengths(surface.latency);
    case "long": return lengths(surface.frameTime);
    case "touch":
      return surface.touches.filter((touch) => touch.isMain).map((touch) => item(touch.time, touch.shownBy,
        [touch.latency, touch.shownBy], [cell(touch.latency / 1e6, 2), cell(touch.shownBy, 0)]));
    default: return surface.markers.map(({ time, name }) => item(time, NaN, [name], [name]));
  }
}

/** Compares two values of one column; missing ones are last in either order. @param {any} a @param {any} b @param {number} sign */
function compareValues(a, b, sign) {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return (a < b ? -1 : a > b ? 1 : 0) * sign;
}

class Finder {
  /** @param {Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
    this.kind = "";
    this.column = 0;
    this.sign = 1;
    /** @type {any} What the items that are kept were made for, and the items. */
    this.made = null;
    this.words = element("input", { type: "search", id: "find-words", placeholder: "1234, 5.2 s, level start" });
    const form = element("form", { role: "search" },
      element("label", { for: "find-words" }, "Frame, time, marker or process "), this.words, " ", element("button", {}, "Go"));
    form.addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      this.search(this.words.value.trim());
    });
    this.kinds = element("select", { id: "find-kind" });
    this.kinds.addEventListener("change", () => this.list(this.kinds.value, 0, 1));
    this.place = element("div");
    this.panel = element("details", { class: "finder" }, element("summary", {}, "Find"), form,
      element("p", {}, element("label", { for: "find-kind" }, "List "), this.kinds), this.place);
    this.panel.addEventListener("toggle", () => this.fill());
  }

  /** Offers what the surface has. */
  offer() {
    const { surface } = this.explorer;
    this.made = null;
    const counts = { drop: surface.drops.length, hitch: surface.hitchTime.length, touch: surface.touches.filter((touch) => touch.isMain).length,
      latency: surface.latency.filter((value) => !Number.isNaN(value)).length,
      long: surface.frameTime.filter((value) => !Number.isNaN(value)).length, marker: surface.markers.length };
    const known = Object.keys(itemKinds).filter((kind) => counts[kind] > 0);
    this.kinds.replaceChildren(...known.map((kind) => element("option", { value: kind }, kind === "marker" && surface.head.markerCount > counts.marker ? `markers (${counts.marker} of ${surface.head.markerCount})`
        : `${itemKinds[kind].name} (${counts[kind]})`)));
    if (!known.includes(this.kind)) [this.kind, this.column, this.sign] = [known[0] ?? "", known[0] === "long" ? 1 : 0, known[0] === "long" ? -1 : 1];
    this.kinds.value = this.kind;
    this.fill();
  }

  /** Shows a list in an order. @param {string} kind @param {number} column @param {number} sign */
  list(kind, column, sign) {
    if (!Object.hasOwn(itemKinds, kind)) return;
    [this.kind, this.column, this.sign] = [kind, column, sign];
    this.kinds.value = kind;
    this.fill();
    this.explorer.redraw();
  }

  fill() {
    const { surface } = this.explorer;
    if (!this.panel.open || !this.kind || !surface) return;
    if (this.made?.kind !== this.kind || this.made?.surface !== surface) {
      this.made = { kind: this.kind, surface, items: itemsOf(surface, this.kind) };
    }
    const items = this.made.items;
    items.sort((/** @type {Item} */ a, /** @type {Item} */ b) =>
      compareValues(a.values[this.column], b.values[this.column], this.sign) || a.time - b.time);
    const { name, columns } = itemKinds[this.kind];
    const shown = items.slice(0, mostItems);
    const isCut = (this.kind === "long" || this.kind === "latency") && items.length >= mostListed;
    const longest = isCut ? ", of the longest" : "";
    const caption = shown.length < items.length ? `The first ${shown.length} of ${items.length} ${name} in this order${longest}` : `All ${name}`;
    const made = table(caption, columns, shown.map((/** @type {Item} */ item) => item.cells));
    made.querySelectorAll("thead th").forEach((/** @type {any} */ head, /** @type {number} */ column) => {
      const isOwn = column === this.column;
      const words = head.textContent;
      if (isOwn) head.setAttribute("aria-sort", this.sign > 0 ? "ascending" : "descending");
      head.replaceChildren(button(`${words}${isOwn ? (this.sign > 0 ? " ▲" : " ▼") : ""}`, () => {
        this.list(this.kind, column, isOwn ? -this.sign : 1);
        this.place.querySelectorAll("thead button")[column].focus();
      }));
    });
    made.querySelectorAll("tbody th").forEach((/** @type {any} */ head, /** @type {number} */ place) => {
      head.replaceChildren(button(head.textContent, () => this.go(shown[place])));
    });
    this.place.replaceChildren(made);
  }

  /** @param {Item} item */
  go(item) {
    const { explorer } = this;
    if (!Number.isNaN(item.frame)) explorer.jump(item.frame, item.drop);
    else explorer.center(item.time);
    explorer.canvas.scrollIntoView({ block: "nearest" });
  }

  /** Goes to what words mean: a frame's number, a time, a marker's or a process's name. @param {string} words */
  search(words) {
    const { explorer } = this;
    const { surface } = explorer;
    const say = (/** @type {string} */ text) => { explorer.status.textContent = text; };
    if (words === "") return;
    if (/^#?\d+$/.test(words)) {
      const row = Number(words.replace("#", ""));
      if (row >= surface.head.firstRow && row < surface.head.firstRow + surface.head.count) return explorer.jump(row);
      const last = surface.head.firstRow + surface.head.count - 1;
      return say(`There is no frame ${row}: frames are ${surface.head.firstRow} to ${last}.`);
    }
    const time = words.match(/^(\d+(?:\.\d+)?) ?(s|ms|us|µs|ns)$/);
    if (time) {
      const size = { s: 1e9, ms: 1e6, us: 1e3, µs: 1e3, ns: 1 }[time[2]];
      const wanted = Number(time[1]) * size;
      if (wanted < explorer.whole.from || wanted > explorer.whole.to) {
        return say(`The trace is from ${seconds(explorer.whole.from)} to ${seconds(surface.end)}.`);
      }
      explorer.center(wanted);
      return say(`At ${seconds(wanted)}.`);
    }
    const plain = words.toLowerCase();
    const markers = surface.markers.filter((marker) => marker.name.toLowerCase().includes(plain));
    if (markers.length > 0) {
      const middle = (explorer.view.from + explorer.view.to) / 2;
      const next = markers.find((marker) => marker.time > middle + 1e3) ?? markers[0];
      explorer.center(next.time);
      return say(`${markers.indexOf(next) + 1} of ${counted(markers.length, "marker")}: ${next.name} at ${seconds(next.time)}.`);
    }
    const tab = explorer.heads.findIndex((head) => head.title.toLowerCase().includes(plain));
    if (tab < 0) return say(`Nothing is called ${words}.`);
    explorer.show(tab).then(() => say(`Shows ${explorer.heads[tab].title}.`));
  }
}
