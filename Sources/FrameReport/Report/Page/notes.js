// What people write about parts of a trace: kept in the link, and in files.

/** @typedef {{surface: number, from: number, to: number, text: string}} Note */

const mostNotes = 100;
const longestNote = 500;

class Notes {
  /** @param {Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
    /** @type {Note[]} */
    this.all = [];
    this.words = element("input", { type: "text", id: "note-words", maxlength: `${longestNote}` });
    const form = element("form", {},
      element("label", { for: "note-words" }, "On the selection, or the visible part "), this.words, " ", element("button", {}, "Add note"));
    form.addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      this.add(this.words.value.trim());
      this.words.value = "";
    });
    this.list = element("ul");
    const file = element("input", { type: "file", id: "note-file", accept: ".json" });
    file.addEventListener("change", async () => {
      if (file.files?.[0]) this.read(await file.files[0].text());
      file.value = "";
    });
    this.panel = element("details", { class: "notes" }, element("summary", {}, "Notes"), form, this.list,
      element("p", {}, button("Save notes", () => save("notes.json", new Blob([this.json()], { type: "application/json" }))), " ",
        element("label", { for: "note-file" }, "Load notes "), file));
  }

  /** @param {string} text */
  add(text) {
    const { explorer } = this;
    const part = explorer.selection ?? explorer.view;
    if (text === "" || this.all.length >= mostNotes) return;
    this.all.push({ surface: explorer.index, from: Math.round(part.from), to: Math.round(part.to), text: text.slice(0, longestNote) });
    this.show();
  }

  show() {
    const { explorer } = this;
    this.list.replaceChildren(...this.all.map((note, place) => element("li", {},
      button(`${seconds(note.from)} to ${seconds(note.to)}`, () => explorer.show(note.surface, note.from, note.to)), " ",
      element("bdi", {}, note.text), " ", button("Remove", () => {
        this.all.splice(place, 1);
        this.show();
      }))));
    if (this.all.length > 0) this.panel.open = true;
    explorer.redraw();
  }

  json() { return JSON.stringify({ schema: "frametool.notes/1", notes: this.all }, null, 1); }

  /** The notes as the link has them: short. */
  get link() { return this.all.length === 0 ? "" : JSON.stringify(this.all.map((note) => [note.surface, note.from, note.to, note.text])); }

  /** Takes over notes, and leaves out what is none. @param {any[]} told */
  take(told) {
    const isNote = (/** @type {any} */ note) => note && Number.isInteger(note.surface) && this.explorer.heads[note.surface]
      && Number.isFinite(note.from)
      && Number.isFinite(note.to) && note.to >= note.from && typeof note.text === "string";
    const key = (/** @type {Note} */ note) => [note.surface, note.from, note.to, note.text].join("\n");
    const known = new Set(this.all.map(key));
    const fresh = told.filter((note) => isNote(note) && !known.has(key(note)));
    const taken = fresh.slice(0, mostNotes - this.all.length);
    for (const note of taken) {
      this.all.push({ surface: note.surface, from: note.from, to: note.to, text: note.text.slice(0, longestNote) });
    }
    this.show();
    return taken.length;
  }

  /** @param {string} text A file of notes. */
  read(text) {
    const say = (/** @type {string} */ words) => { this.explorer.status.textContent = words; };
    try {
      const told = JSON.parse(text);
      if (told.schema !== "frametool.notes/1" || !Array.isArray(told.notes)) throw new Error();
      say(`${counted(this.take(told.notes), "note")} loaded.`);
    } catch {
      say("Expected a file that Save notes wrote, with the schema frametool.notes/1.");
    }
  }

  /** @param {string} link */
  readLink(link) {
    try {
      const told = JSON.parse(link).filter(Array.isArray);
      this.take(told.map((/** @type {any[]} */ [surface, from, to, text]) => ({ surface, from, to, text })));
    } catch {
      // A link that was cut has no notes.
    }
  }
}

/** Hands a file to the user. @param {string} name @param {Blob} content */
function save(name, content) {
  const link = element("a", { href: URL.createObjectURL(content), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
