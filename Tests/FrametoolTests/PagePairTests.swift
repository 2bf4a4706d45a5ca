import Foundation
import Testing

@testable import frametool

/// Two runs in one page: over each other, aligned, with what differs.
@Suite(.serialized, .enabled(if: Chromium.path != nil, "\(Chromium.reason)"))
struct PagePairTests {
  private let folder: TemporaryFolder
  private let page: BrowserPage

  init() throws {
    folder = try TemporaryFolder()
    page = try BrowserPage()
  }

  /// A trace with a marker, all of it later by some time.
  private func marked(_ scenario: String, at milliseconds: Int64, later: Int64 = 0) throws -> String
  {
    let path = folder.generate(scenario, frames: 600)
    var text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    text +=
      "{\"type\":\"marker\",\"name\":\"level\",\"start\":\((milliseconds + later) * 1_000_000)}\n"
    let marked = folder.path("\(scenario)-marked.jsonl")
    try text.write(to: URL(filePath: marked), atomically: true, encoding: .utf8)
    return marked
  }

  private func offset() throws -> Double {
    try page.number("return Number(document.querySelector('#pair-shift').value)")
  }

  @Test func aRunAgainstAnotherHasBothPipelinesAndTheVerdict() throws {
    let (old, new) = (
      folder.generate("gpu-overrun", frames: 600),
      folder.generate("gpu-overrun-sustained", frames: 600)
    )
    let path = folder.path("page.html")
    let run = Run(["report", "--against", old, new, "-o", path])
    #expect(run.status == .success && run.errors.isEmpty, "\(run.errors)")
    try page.open(path)
    let heights =
      try page.run(
        "return [...document.querySelectorAll('canvas.detail')].map((one) => one.getBoundingClientRect().height)"
      )
      as? [Double] ?? []
    #expect(heights.count == 2 && heights.allSatisfy { $0 > 200 }, "\(heights)")
    LaunchedProcess.rest(milliseconds: 300)
    let figures = try page.text("return document.querySelector('.figures').innerText")
    #expect(figures.contains("Both runs in this part"), "\(figures)")
    // The first is the older one.
    let title = try page.text("return document.querySelector('p.second').textContent")
    #expect(title.contains("gpu-overrun-sustained"), "\(title)")
    let text = try page.text("return document.body.innerText")
    #expect(text.contains("Before and after"))
    let kept = try page.text("return location.hash")
    #expect(kept.contains("with=1") && kept.contains("later="), "\(kept)")
    // Both colors are in the panel of the frame times.
    let colors = try page.number(
      """
      const canvas = document.querySelector("canvas.detail");
      const data = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, 110).data.buffer);
      return new Set(data).size;
      """)
    #expect(colors > 6)
    // A distribution is drawn once, by the page itself.
    let shown = try page.run(
      "return [...document.querySelectorAll('figure')].filter((one) => getComputedStyle(one).display !== 'none').map((one) => one.innerText).filter((text) => text.includes('before'))"
    )
    #expect((shown as? [String] ?? ["none"]).isEmpty, "\(shown)")
    #expect(try page.console() == [])
  }

  @Test func theyAreAlignedByFirstFramesMarkersOrByHand() throws {
    let (one, other) = (try marked("steady-60", at: 500), try marked("app-overrun", at: 900))
    let path = folder.path("page.html")
    #expect(Run(["report", one, other, "-o", path]).status == .success)
    try page.open(path)
    let first = try offset()
    #expect(abs(first) < 50)
    _ = try page.run(
      """
      const by = document.querySelector("#pair-by");
      by.value = "marker level";
      by.dispatchEvent(new Event("change"));
      """)
    // Times are from the start of each trace.
    let starts =
      try page.run(
        """
        const heads = JSON.parse(document.getElementById("page-data").textContent).surfaces;
        const both = await Promise.all(heads.map(readSurface));
        return both.map((surface) => surface.markers[0].time / 1e6);
        """) as? [Double] ?? []
    let marked = try offset()
    #expect(starts.count == 2)
    if starts.count == 2 { #expect(abs(marked - (starts[1] - starts[0])) < 1e-6, "\(starts)") }
    _ = try page.run(
      """
      const shift = document.querySelector("#pair-shift");
      shift.focus();
      shift.value = "123.5";
      shift.dispatchEvent(new Event("change"));
      """)
    LaunchedProcess.rest(milliseconds: 300)
    let kept = try page.text("return location.hash")
    #expect(kept.contains("later=0.123500"), "\(kept)")
    try page.open(path, fragment: kept)
    #expect(try offset() == 123.5)
    _ = try page.run(
      """
      const choice = document.querySelector("#pair-with");
      choice.value = "-1";
      choice.dispatchEvent(new Event("change"));
      """)
    LaunchedProcess.rest(milliseconds: 300)
    #expect(
      try page.number(
        "return document.querySelector('canvas.second').getBoundingClientRect().height") == 0)
    #expect(try !page.text("return location.hash").contains("with="))
    #expect(try page.console() == [])
  }

  @Test func whatCannotBeComparedIsShownWithoutAVerdict() throws {
    let (old, new) = (
      folder.generate("steady-60", frames: 60), folder.generate("app-overrun", frames: 60)
    )
    let path = folder.path("page.html")
    let run = Run(["report", "--against", old, new, "-o", path])
    #expect(run.status == .success && run.errors.contains("note: no verdict: "), "\(run.errors)")
    let alone = Run(["report", "--against", old, "-o", path])
    #expect(alone.errors.contains("--against: expected one TRACE in addition"), "\(alone.errors)")
    #expect(Run(["report", "--against", old, new, new, "-o", path]).status == .usage)
    #expect(
      Run(["report", "--against", old, new, "--before", old, "--after", new, "-o", path]).status
        == .usage)
    #expect(Run(["report", "--against", old, new, "-o", old]).status == .usage)
  }

  @Test func aComparisonOfTwoTracesHasTheirPipelines() throws {
    let files = ["gpu-overrun", "gpu-overrun-sustained"].map { folder.generate($0, frames: 600) }
    let path = folder.path("page.html")
    #expect(
      Run(["report", "--before", files[0], "--after", files[1], "-o", path]).status == .success)
    try page.open(path)
    #expect(try page.number("return document.querySelectorAll('canvas.detail').length") == 2)
    #expect(try page.console() == [])
  }
}
