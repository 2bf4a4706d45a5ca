import Foundation
import Testing

@testable import FrameStatistics
@testable import frametool

/// The interactive page in a browser: what it shows, and that everything in it can be reached.
@Suite(.serialized, .enabled(if: Chromium.path != nil, "\(Chromium.reason)"))
struct PageTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func report(_ arguments: [String]) throws -> String {
    let path = folder.path("page.html")
    let run = Run(["report"] + arguments + ["-o", path])
    #expect(run.status == .success, "\(run.errors)")
    return path
  }

  /// The position and size of a canvas.
  private func position(_ name: String, in page: BrowserPage) throws -> (
    x: Int, y: Int, width: Int
  ) {
    let numbers =
      try page.run(
        """
        const canvas = document.querySelector("canvas.\(name)");
        canvas.scrollIntoView({ block: "center", behavior: "instant" });
        const place = canvas.getBoundingClientRect();
        return [place.left, place.top, place.width];
        """) as? [NSNumber] ?? []
    #expect(numbers.count == 3)
    return (numbers[0].intValue, numbers[1].intValue, numbers[2].intValue)
  }

  /// The visible part, from the page's address, once it has settled.
  private func view(_ page: BrowserPage) throws -> (from: Double, to: Double, link: String) {
    LaunchedProcess.rest(milliseconds: 300)
    let link = try page.text("return location.hash")
    let numbers = ["from", "to"].map { name in
      link.split(separator: "&").first { $0.contains("\(name)=") }
        .flatMap { $0.split(separator: "=").last }.flatMap { Double($0) } ?? .nan
    }
    return (numbers[0], numbers[1], link)
  }

  @Test func keysMoveInIt() throws {
    let page = try BrowserPage()
    try page.open(try report([folder.generate("triple-switch")]))
    #expect(try page.console() == [])
    _ = try page.run("document.querySelector('canvas.detail').focus()")
    let start = try view(page)
    try page.press("w")
    let closer = try view(page)
    #expect(abs((closer.to - closer.from) / (start.to - start.from) - 0.8) < 0.01)
    try page.press("d", "d")
    let later = try view(page)
    #expect(
      later.from > closer.from && abs((later.to - later.from) - (closer.to - closer.from)) < 1e-5)
    try page.press("a", "ArrowLeft")
    #expect(try view(page).from < later.from)
    try page.press("Home")
    let whole = try view(page)
    #expect(whole.from < 0.1 && whole.to > 3)
    try page.press("n")
    let said = try page.text("return document.querySelector('.status').textContent")
    #expect(said.contains("by the GPU: 15.0 ms, usually 6.7"), "\(said)")
    let facts = try page.text("return document.querySelector('.inspector').innerText")
    #expect(facts.contains("Frame 60") && facts.contains("late by"), "\(facts)")
    try page.press(".")
    #expect(
      try page.text("return document.querySelector('.inspector h3').textContent")
        == "Frame 61")
    #expect(try page.console() == [])
  }

  @Test func mouseAndWheelMoveInIt() throws {
    let page = try BrowserPage()
    try page.open(try report([folder.generate("triple-switch")]))
    let detail = try position("detail", in: page)
    let start = try view(page)
    let (middle, row) = (detail.x + detail.width / 2, detail.y + 60)
    // Pointing at an element shows what it is.
    try page.point(middle, detail.y + 210)
    let facts = try page.text("return document.querySelector('.inspector').innerText")
    #expect(facts.contains("displayed") && facts.contains("buffer"), "\(facts)")
    try page.drag([(middle, row), (middle - 100, row)])
    let moved = try view(page)
    #expect(
      moved.from > start.from && abs((moved.to - moved.from) - (start.to - start.from)) < 1e-5)
    // The wheel scrolls the page until the user has clicked into the plot.
    try page.drag([(middle, row)])
    _ = try page.run("document.querySelector('canvas.detail').focus()")
    try page.wheel(middle, row, by: -300)
    let closer = try view(page)
    #expect(abs((closer.to - closer.from) / (moved.to - moved.from) - 0.5) < 0.02)
    let overview = try position("overview", in: page)
    try page.drag([
      (overview.x + overview.width * 6 / 10, overview.y + 20),
      (overview.x + overview.width * 9 / 10, overview.y + 20),
    ])
    let brushed = try view(page)
    #expect(abs((brushed.to - brushed.from) / 3.1 - 0.3) < 0.02, "\(brushed)")
    #expect(try page.console() == [])
  }

  @Test func aClickOnADropTellsItsSentenceAndLeadsToTheCulprit() throws {
    let page = try BrowserPage()
    let path = folder.generate("compositor-overrun-sustained", frames: 180)
    try page.open(try report([path]))
    let analysis = Run(["analyze", path]).output
    let worst = try #require(analysis.firstMatch(of: #/worst: (.*)/#)).1
    _ = try page.run("document.querySelector('canvas.detail').focus()")
    var said = ""
    for _ in 0..<12 where !said.contains(worst) {
      try page.press("n")
      said = try page.text("return document.querySelector('.inspector').innerText")
    }
    #expect(said.contains(worst), "\(said), \(worst)")
    if worst.contains("which held it up") {
      let culprit = try page.text(
        """
        const button = document.querySelector(".inspector button");
        button.click();
        return button.textContent + document.querySelector(".inspector h3").textContent;
        """)
      let numbers = culprit.matches(of: #/rame (\d+)/#).map(\.1)
      #expect(numbers.count == 2 && numbers[0] == numbers[1], "\(culprit)")
    }
  }

  /// A late frame tells why, with the states of its threads as bands.
  @Test func aLateFrameTellsWhatItsThreadsDid() throws {
    let page = try BrowserPage()
    let path = folder.generate("scheduling-faults", frames: 60)
    try page.open(try report([path]))
    _ = try page.run("document.querySelector('canvas.detail').focus()")
    var said = ""
    for _ in 0..<12 where !said.contains("Why: main thread ran ") {
      try page.press("n")
      said = try page.text("return document.querySelector('.inspector').innerText")
    }
    #expect(said.contains("Why: main thread ran "), "\(said)")
    let bands = try page.text(
      """
      const bands = [...document.querySelectorAll(".inspector .band")];
      const width = (one) => one.getBoundingClientRect().width;
      const running = bands[0].querySelectorAll(".running");
      const share = [...running].reduce((sum, part) => sum + width(part), 0) / width(bands[0]);
      return bands[0].getAttribute("aria-label") + " | " + bands.length + " | " + share.toFixed(2);
      """)
    #expect(bands.hasPrefix("main thread: running "), "\(bands)")
    let share = bands.split(separator: " ").last.flatMap { Double($0) } ?? 0
    // The work on the frame is two thirds of what is shown.
    #expect(share > 0.55 && share < 0.8, "\(bands)")
    #expect(try page.console() == [])
  }

  /// What the system's sensors read has a band each, and a frame tells the reading that stood then.
  @Test func aFrameTellsWhatSensorsRead() throws {
    let path = folder.generate("steady-60", frames: 120)
    let page = try BrowserPage()
    let picture = """
      const found = document.querySelector("canvas.detail");
      return String(Math.round(found.getBoundingClientRect().height))
      """
    try page.open(try report([path]))
    let before = try #require(Int(try page.text(picture)))
    var lines = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    let start = try #require(lines.firstMatch(of: #/"commit": ?(\d+)/#).flatMap { Int64($0.1) })
    for second in 0..<4 as Range<Int64> {
      let time = start - 1_000_000 + second * 500_000_000
      lines += """
        {"type":"telemetry","name":"gpu-power","unit":"W","time":\(time),"value":\(10 + second)}
        {"type":"telemetry","name":"steady","unit":"W","time":\(time),"value":5}

        """
    }
    let other = folder.path("sensors.jsonl")
    try lines.write(to: URL(filePath: other), atomically: true, encoding: .utf8)
    try page.open(try report([other]))
    // A counter that never changes has no band.
    #expect(try page.text(picture) == "\(before + 26)")
    _ = try page.run("document.querySelector('canvas.detail').focus()")
    try page.press(".")
    let said = try page.text("return document.querySelector('.inspector').innerText")
    #expect(said.contains("gpu-power") && said.contains(" W, read at "), "\(said)")
    #expect(try page.console() == [])
  }

  /// The page shows the same figures for a part as `analyze --from --to` prints.
  @Test func aSelectionHasTheFiguresOfTheCommandLine() throws {
    let page = try BrowserPage()
    var random = SplitMix64(seed: 25)
    let scenarios = [
      "triple-switch", "app-overrun", "coalesced-pile-up", "dynamics-at-rest", "variable-refresh",
      "uncapped-game",
      "two-surfaces", "predicted-touches", "video-24",
    ]
    for scenario in scenarios {
      let path = folder.generate(scenario, frames: 400)
      try page.open(try report([path]))
      for _ in 0..<6 {
        let start = Double(random.next() % 4_000_000) / 1e6
        let end = start + Double(random.next() % 3_000_000 + 20_000) / 1e6
        try compare(path, start, end, page)
      }
    }
  }

  private func compare(
    _ path: String, _ start: Double, _ end: Double, _ page: BrowserPage
  ) throws {
    let times = [start, end].map { String(format: "%.6f", $0) }
    let found =
      try page.run(
        """
        const head = JSON.parse(document.getElementById("page-data").textContent).surfaces[0];
        const surface = await readSurface(head);
        const found = figuresOfPart(surface, \(times[0]) * 1e9, \(times[1]) * 1e9);
        return { ...found, metric: head.latency?.metric, droppedByStage: Object.fromEntries(found.droppedByStage) };
        """) as? [String: Any] ?? [:]
    let run = Run([
      "analyze", path, "--from", times[0], "--to", times[1], "--format", "json",
    ])
    guard run.status == .success else {
      #expect(run.errors.contains("the region starts after the end"), "\(run.errors)")
      return
    }
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let surface = try #require(json["surfaces"] as? [[String: Any]])[0]
    let position: Comment = "\(path) from \(times[0]) to \(times[1])"
    let frames = surface["frames"] as? [String: Any] ?? [:]
    #expect(found["frames"] as? Int == frames["count"] as? Int, position)
    #expect(found["displayed"] as? Int == frames["displayed"] as? Int, position)
    let metrics = surface["metrics"] as? [String: Any] ?? [:]
    let latency = found["metric"] as? String
    for (own, name) in [("frameTime", "frameTime"), ("latency", latency ?? "")] {
      guard let stated = metrics[name] as? [String: Any], let n = stated["n"] as? Int, n > 0 else {
        continue
      }
      let summary = found[own] as? [String: Any] ?? [:]
      #expect(summary["n"] as? Int == n, "\(name), \(position)")
      for figure in ["mean", "p50", "p90", "p95", "p99", "max"] {
        let mine = (summary[figure] as? NSNumber)?.doubleValue ?? .nan
        let theirs = (stated[figure] as? NSNumber)?.doubleValue ?? .nan
        #expect(abs(mine / 1e6 - theirs) < 1e-4, "\(name) \(figure), \(position)")
      }
    }
    if let drops = surface["dropped"] as? [String: Any],
      let stages = drops["by_stage"] as? [String: Int]
    {
      let mine = found["droppedByStage"] as? [String: Int] ?? [:]
      #expect(mine == stages.filter { $0.value > 0 }, position)
    }
  }

  @Test func aLinkShowsTheSamePosition() throws {
    let page = try BrowserPage()
    let path = try report([
      folder.generate("triple-switch"), folder.generate("app-overrun", frames: 180),
    ])
    let link = "#s=1&from=1.000000&to=1.250000&part=1.100000-1.200000&frame=60"
    try page.open(path, fragment: link)
    #expect(try view(page).link == link)
    let figures = try page.text("return document.querySelector('.figures h3').textContent")
    #expect(figures == "Selection: 1.100 s to 1.200 s")
    #expect(
      try page.text("return document.querySelector('[aria-selected=true]').id") == "tab-1")
  }

  @Test func itFitsEveryScreenAndPrints() throws {
    let page = try BrowserPage()
    let path = try report([folder.generate("triple-switch")])
    for (width, scheme) in [(390, "light"), (390, "dark"), (1400, "dark"), (1400, "light")] {
      try page.call(
        "Emulation.setDeviceMetricsOverride",
        ["width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500])
      try page.call(
        "Emulation.setEmulatedMedia",
        ["features": [["name": "prefers-color-scheme", "value": scheme]]])
      try page.open(path)
      #expect(
        try page.number("return document.scrollingElement.scrollWidth") <= Double(width))
      let color = try page.text("return getComputedStyle(document.body).backgroundColor")
      #expect(color == (scheme == "dark" ? "rgb(22, 25, 29)" : "rgb(255, 255, 255)"))
      let drawn = try page.number(
        """
        const canvas = document.querySelector("canvas.detail");
        const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
        return new Set(new Uint32Array(data.buffer)).size;
        """)
      #expect(drawn > 10)
      #expect(try page.console() == [])
    }
    #expect(try page.printed().utf8.count > 60_000)
    try page.call("Emulation.setEmulatedMedia", ["media": "print"])
    let shown = try page.run(
      """
      const shown = (selector) => getComputedStyle(document.querySelector(selector)).display !== "none";
      const images = [...document.querySelectorAll("img")];
      return [shown(".printed"), shown(".explorer"), images.every((image) => image.naturalWidth > 100)];
      """)
    #expect(shown as? [Bool] == [true, false, true])
  }

  @Test func aComparisonTellsTheSharesAtAPlace() throws {
    let page = try BrowserPage()
    let files = ["gpu-overrun", "gpu-overrun-sustained"].map { folder.generate($0, frames: 600) }
    try page.open(try report(["--before", files[0], "--after", files[1]]))
    let position = try position("compared", in: page)
    try page.point(position.x + position.width / 2, position.y + 100)
    let said = try page.text(
      "return document.querySelector('#explore-comparison .status').textContent")
    #expect(
      said.contains("At most ") && said.contains("before ") && said.contains("after "), "\(said)")
    _ = try page.run("document.querySelector('canvas.compared').focus()")
    try page.press("ArrowRight")
    let next = try page.text(
      "return document.querySelector('#explore-comparison .status').textContent")
    #expect(next != said)
    #expect(try page.console() == [])
  }

  @Test func everythingHasANameAndATable() throws {
    let page = try BrowserPage()
    try page.open(try report([folder.generate("triple-switch")]))
    let nameless = try page.run(
      """
      const named = (node) => node.getAttribute("aria-label") || node.textContent.trim();
      return [...document.querySelectorAll("button, canvas, [role], summary")].filter((node) => !named(node)
        && node.getAttribute("role") !== "status" && !node.hidden).map((node) => node.outerHTML);
      """)
    #expect((nameless as? [String]) == [])
    let rows = try page.number(
      """
      const list = [...document.querySelectorAll("details")].find((node) => node.textContent.includes("as a table"));
      list.open = true;
      await new Promise((done) => setTimeout(done, 200));
      return list.querySelectorAll("tbody tr").length;
      """)
    #expect(rows > 10)
  }

  private static let many = 100_000
  private static let spike = 61_234

  @Test func noSpikeOfManyFramesIsLost() throws {
    let path = folder.path("long.csv")
    var text =
      "Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,"
      + "FrameType,CPUStartTime,FrameTime,CPUBusy,CPUWait,GPULatency,GPUTime,GPUBusy,GPUWait,DisplayLatency,"
      + "DisplayedTime\n"
    var random = SplitMix64(seed: 1)
    // Times are in units of 0.1 µs, since PresentMon writes four decimals of a millisecond.
    var time: Int64 = 0
    let number = { (value: Int64) in
      "\(value / 10_000).\(String(10_000 + value % 10_000).dropFirst())"
    }
    for frame in 0..<Self.many {
      let length: Int64 = frame == Self.spike ? 4_800_000 : 65_000 + Int64(random.next() % 10_000)
      text +=
        "game.exe,1,0x1,DXGI,0,0,1,Hardware: Independent Flip,Application,\(number(time)),\(number(length)),"
      text += "5.0000,1.5000,1.0000,4.0000,4.0000,0.0000,12.5000,\(number(length))\n"
      time += length
    }
    try Data(text.utf8).write(to: URL(filePath: path))
    let written = try report([path])
    let size = try FileManager.default.attributesOfItem(atPath: written)[.size] as? Int ?? 0
    #expect(size < 1_250_000)
    let page = try BrowserPage()
    try page.open(written)
    _ = try page.run("document.querySelector('canvas.overview').focus()")
    try page.press("Home")
    // The spike is visible in the view of the whole trace: something is drawn at the top of its
    // column.
    LaunchedProcess.rest(milliseconds: 300)
    let isSeen = try page.run(
      """
      const canvas = document.querySelector("canvas.overview");
      const context = canvas.getContext("2d");
      const x = Math.round(canvas.width * \(Double(Self.spike) / Double(Self.many)));
      const row = new Uint32Array(context.getImageData(x - 15, 8, 30, 1).data.buffer);
      return new Set(row).size > 1;
      """)
    #expect(isSeen as? Bool == true)
    #expect(try page.console() == [])
  }
}
