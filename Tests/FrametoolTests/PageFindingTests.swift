import Foundation
import Testing

@testable import frametool

/// What the interactive page finds, keeps and hands on: lists, words, notes, links, commands.
@Suite(.serialized, .enabled(if: Chromium.path != nil, "\(Chromium.reason)"))
struct PageFindingTests {
  private let folder: TemporaryFolder
  private let page: BrowserPage

  init() throws {
    folder = try TemporaryFolder()
    page = try BrowserPage()
  }

  @discardableResult
  private func open(_ arguments: [String], fragment: String = "") throws -> String {
    let path = folder.path("page.html")
    let run = Run(["report"] + arguments + ["-o", path])
    #expect(run.status == .success, "\(run.errors)")
    try page.open(path, fragment: fragment)
    return path
  }

  private func press(_ words: String) throws {
    _ = try page.run(
      "[...document.querySelectorAll('button')].find((one) => one.textContent.startsWith('\(words)')).click()"
    )
  }

  private func status() throws -> String {
    try page.text("return document.querySelector('#explore .status').textContent")
  }

  private func search(_ words: String) throws -> String {
    _ = try page.run(
      """
      document.querySelector(".finder").open = true;
      document.querySelector("#find-words").value = "\(words)";
      document.querySelector(".finder form").requestSubmit();
      await new Promise((done) => setTimeout(done, 200));
      """)
    return try status()
  }

  private func link() throws -> String {
    LaunchedProcess.rest(milliseconds: 300)
    return try page.text("return location.hash")
  }

  @Test func dropsAreListedInAnyOrderAndLeadToTheirFrames() throws {
    let path = folder.generate("compositor-overrun-sustained", frames: 180)
    try open([path], fragment: "#s=0&from=0.1&to=0.5&find=drop.1.-1")
    let cells =
      try page.run(
        """
        return [...document.querySelectorAll(".finder tbody tr")].map((row) => [...row.children].map((one) => one.textContent));
        """) as? [[String]] ?? []
    let counts = cells.compactMap { Int($0[1]) }
    #expect(cells.count > 3 && counts == counts.sorted(by: >), "\(counts)")
    // The list has the drops that `analyze` counts.
    let json = try #require(
      try JSONSerialization.jsonObject(
        with: Data(Run(["analyze", path, "--format", "json"]).output.utf8)) as? [String: Any])
    let surface = try #require(json["surfaces"] as? [[String: Any]])[0]
    let dropped = try #require(surface["dropped"] as? [String: Any])["refreshes"] as? Int
    #expect(counts.reduce(0, +) == dropped)
    _ = try page.run("document.querySelectorAll('.finder thead button')[0].click()")
    let times =
      try page.run(
        "return [...document.querySelectorAll('.finder tbody th')].map((one) => Number(one.textContent))"
      )
      as? [Double] ?? []
    #expect(times.count == cells.count && times == times.sorted())
    #expect(
      try page.text(
        "return document.querySelector('.finder [aria-sort]').getAttribute('aria-sort')")
        == "ascending")
    _ = try page.run("document.querySelectorAll('.finder tbody button')[1].click()")
    let said = try page.text("return document.querySelector('.inspector').innerText")
    #expect(
      said.contains("Dropped: ") && said.contains(String(format: "%.3f s", times[1])),
      "\(said), \(times[1])")
    #expect(try page.console() == [])
  }

  @Test func wordsLeadToFramesTimesMarkersAndTraces() throws {
    let path = folder.generate("triple-switch")
    var lines = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    let commit = try #require(lines.firstMatch(of: #/"commit": ?(\d+)/#).flatMap { Int64($0.1) })
    for (second, name) in [(1, "level start"), (2, "Level start"), (2, "boss")] as [(Int64, String)]
    {
      lines +=
        "{\"type\":\"marker\",\"name\":\"\(name)\",\"start\":\(commit + second * 1_000_000_000)}\n"
    }
    let marked = folder.path("marked.jsonl")
    try lines.write(to: URL(filePath: marked), atomically: true, encoding: .utf8)
    try open([marked, folder.generate("app-overrun", frames: 60)])
    #expect(try search("77").hasPrefix("Frame 77: "))
    #expect(try search("180") == "There is no frame 180: frames are 0 to 179.")
    #expect(try search("1.5 s") == "At 1.500 s.")
    #expect(try link().contains("from=1."))
    #expect(try search("9000 ms").hasPrefix("The trace is from "))
    #expect(try search("level").hasPrefix("2 of 2 markers: Level start at "))
    #expect(try search("level").hasPrefix("1 of 2 markers: level start at "))
    #expect(try search("nothing like it") == "Nothing is called nothing like it.")
    #expect(try search("app-overrun").hasPrefix("Shows "))
    #expect(try page.text("return document.querySelector('[aria-selected=true]').id") == "tab-1")
    #expect(try page.console() == [])
  }

  /// A link that was cut, or made up, leads to a page that works.
  @Test func anyLinkLeadsToAPageThatWorks() throws {
    let path = try open([
      folder.generate("triple-switch"), folder.generate("app-overrun", frames: 60),
    ])
    let links = [
      "#s=0&from=1", "#s=0&to=1", "#s=0&from=-Infinity&to=Infinity", "#s=99&from=x&to=y", "#s=-1",
      "#s=0.5",
      "#s=0&find=constructor.0.1", "#s=0&find=drop.99.7", "#s=0&part=1-", "#s=0&part=5-2",
      "#s=0&frame=1e99",
      "#s=0&frame=-5", "#s=0&notes=[[]]", "#s=0&notes={", "#s=0&notes=[null,[0,0,1,2]]",
      "#s=0&fold=,,x",
      "#s=0&height=1e9", "#s=0&with=7&later=x", "#s=0&with=0", "#s=0&with=1&later=NaN", "#worst",
      "#%",
    ]
    for link in links {
      try page.open(path, fragment: link)
      let (view, found) = (try search("1.2.3 s"), try search("5 s"))
      #expect(view.hasPrefix("Nothing is called 1.2.3 s"), "\(link): \(view)")
      #expect(!found.isEmpty, "\(link)")
      #expect(try page.console().filter { !$0.contains("line") } == [], "\(link)")
    }
  }

  @Test func notesAreInTheLinkAndInFiles() throws {
    let trace = folder.generate("triple-switch")
    let path = try open([trace], fragment: "#s=0&from=1.000000&to=1.250000&part=1.100000-1.200000")
    _ = try page.run(
      """
      document.querySelector("#note-words").value = "stalls, “here” & <b>there</b>";
      document.querySelector(".notes form").requestSubmit();
      """)
    let kept = try link()
    #expect(kept.contains("notes="))
    try page.open(path, fragment: kept)
    let list = "return document.querySelector('.notes ul').innerText"
    #expect(try page.text(list).contains("1.100 s to 1.200 s stalls, “here” & <b>there</b> Remove"))
    #expect(try page.text("return String(document.querySelectorAll('.notes b').length)") == "0")
    // What is saved can be loaded, and loading it twice changes nothing.
    let count = try page.number(
      """
      const explorer = new Notes({ heads: [{}], surface: null, redraw() {}, status: {}, show() {} });
      explorer.readLink(new URLSearchParams(location.hash.slice(1)).get("notes"));
      const file = explorer.json();
      explorer.read(file);
      explorer.read("{}");
      explorer.read('{"schema":"frametool.notes/1","notes":[{"surface":7,"from":0,"to":1,"text":"x"},{"surface":"length","from":0,"to":1,"text":"x"},null,{"from":2}]}');
      return explorer.all.length;
      """)
    #expect(count == 1)
    try press("Remove")
    #expect(try !link().contains("notes="))
    #expect(try page.console() == [])
  }

  @Test func tracksFoldGrowAndAreInTheLink() throws {
    try open([folder.generate("triple-switch")])
    let height = "return document.querySelector('canvas.detail').getBoundingClientRect().height"
    let before = try page.number(height)
    let names = try page.text("return document.querySelector('.track').parentElement.textContent")
    for name in ["GPU", "display", "dropped", "buffer A", "buffer B", "buffer C"] {
      #expect(names.contains(name), "\(names)")
    }
    _ = try page.run("document.querySelectorAll('.track input')[0].click()")
    #expect(try page.number(height) == before - 14)
    _ = try page.run("document.querySelector('canvas.detail').focus()")
    try page.press("+")
    let grown = try page.number(height)
    #expect(grown > before)
    let kept = try link()
    #expect(kept.contains("fold=app") && kept.contains("height=32"), "\(kept)")
    try page.open(folder.path("page.html"), fragment: kept)
    #expect(try page.number(height) == grown)
    try page.press("f")
    _ = try page.run("document.querySelector('canvas.detail').focus()")
    try page.press("f")
    let top = "return document.querySelector('#explore').getBoundingClientRect().top"
    #expect(try page.number(top) == 0)
    #expect(
      try page.number(
        "return innerHeight - document.querySelector('#explore').getBoundingClientRect().height")
        == 0)
    try page.press("Escape")
    #expect(try page.text("return document.documentElement.className") == "explorable")
    #expect(try page.console() == [])
  }

  @Test func theCommandAndThePictureAreHandedOn() throws {
    let trace = folder.generate("triple-switch")
    try open([trace], fragment: "#s=0&from=1.000000&to=1.250000&part=1.100000-1.200000")
    try press("Copy as command")
    LaunchedProcess.rest(milliseconds: 200)
    let said = try status()
    let words = try #require(
      said.firstMatch(of: #/frametool (analyze .* --from 1\.100000 --to 1\.200000)$/#), "\(said)")
    let run = Run(words.1.split(separator: " ").map(String.init))
    #expect(run.status == .success && run.output.contains("frames"), "\(run.errors)")
    try press("Copy picture")
    LaunchedProcess.rest(milliseconds: 500)
    #expect(try status().contains("picture"))
  }

  /// A trace that says nothing of refreshes has its stutters and its longest frame times as marks.
  @Test func longFramesAreMarksWhereNothingIsBlamed() throws {
    let path = folder.path("steps.csv")
    var (text, time) = ("frame,ms\n", 0)
    for frame in 0..<300 {
      time += frame == 100 || frame == 200 ? 66 : frame == 150 ? 33 : frame == 50 ? 32 : 16
      text += "\(frame),\(time)\n"
    }
    try Data(text.utf8).write(to: URL(filePath: path))
    try open([path, "--columns", "time=ms:ms"])
    let marks =
      try page.run(
        """
        const surface = await readSurface(JSON.parse(document.getElementById("page-data").textContent).surfaces[0]);
        return surface.marks.map((mark) => mark.words);
        """) as? [String] ?? []
    #expect(marks.filter { $0.hasPrefix("stutter of 66.00 ms") }.count == 2, "\(marks)")
    // More than twice the median, which 32 ms are not.
    #expect(marks.filter { $0.hasPrefix("frame time of 33.00 ms") }.count == 1, "\(marks)")
    // Of many frames the longest are listed, also where all are alike.
    let listed =
      try page.run(
        """
        const counts = [];
        for (const length of [19999, 20000, 20001, 50000]) {
          const { least, count } = leastKept(new Float64Array(length).fill(7));
          counts.push(least === -Infinity ? length : count);
        }
        const rising = leastKept(Float64Array.from({ length: 30000 }, (_, place) => place));
        return [...counts, rising.least, rising.count];
        """) as? [Int] ?? []
    #expect(listed == [19_999, 20_000, 20_000, 20_000, 10_000, 1])
    _ = try page.run("document.querySelector('canvas.detail').focus()")
    try page.press("n")
    #expect(try status().hasPrefix("1 of 3: stutter of 66.00 ms"))
  }

  /// The window of the overview can be seen and held, however short the part in view is.
  @Test func theWindowOfTheOverviewNeverHides() throws {
    let trace = folder.generate("triple-switch", frames: 600)
    for start in ["0.000000", "5.000000", "9.990000"] {
      let end = String(format: "%.6f", (Double(start) ?? 0) + 0.000_05)
      try open([trace], fragment: "#s=0&from=\(start)&to=\(end)")
      LaunchedProcess.rest(milliseconds: 300)
      let width = try page.number(
        """
        const canvas = document.querySelector("canvas.overview");
        const data = canvas.getContext("2d").getImageData(0, Math.round(canvas.height * 0.4), canvas.width, 1).data;
        const color = palette().link.match(/\\w\\w/g).map((part) => parseInt(part, 16));
        let [low, high] = [Infinity, -Infinity];
        for (let x = 0; x < canvas.width; x++) {
          if (color.every((part, place) => Math.abs(data[4 * x + place] - part) < 3)) [low, high] = [Math.min(low, x), Math.max(high, x)];
        }
        return high - low;
        """)
      #expect(width >= 8, "\(start): \(width)")
    }
  }
}
