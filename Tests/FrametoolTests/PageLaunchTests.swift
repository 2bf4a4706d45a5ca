import Foundation
import Testing

@testable import frametool

/// Launches over time in the page: phases, threads, and the slices of the main thread.
@Suite(.serialized, .enabled(if: Chromium.path != nil, "\(Chromium.reason)"))
struct PageLaunchTests {
  private let folder: TemporaryFolder
  private let page: BrowserPage

  init() throws {
    folder = try TemporaryFolder()
    page = try BrowserPage()
    let path = folder.path("page.html")
    let run = Run(["report", folder.generate("star-searcher-before"), "-o", path])
    #expect(run.status == .success, "\(run.errors)")
    try page.open(path)
  }

  private func status() throws -> String {
    try page.text("return document.querySelector('#explore-launches .status').textContent")
  }

  @Test func barsTellWhatTheyAre() throws {
    let count = try page.number("return document.querySelectorAll('#launch-choice option').length")
    #expect(count == 1)
    _ = try page.run("document.querySelector('canvas.launch').focus()")
    var said: Set<String> = []
    for _ in 0..<60 {
      try page.press("ArrowRight")
      said.insert(try status())
    }
    // Each bar has its name, its length and its start.
    #expect(said.allSatisfy { $0.contains(#/: \d+\.\d\d ms, from \d+\.\d\d ms on\.$/#) }, "\(said)")
    #expect(said.contains { $0.hasPrefix("main thread, ") }, "\(said)")
    #expect(said.count > 6)
    #expect(try page.console() == [])
  }

  @Test func aBarIsAsLongAsTheTableSays() throws {
    // The phases of the launch that is shown, by the data of the page and by what is drawn.
    let pairs = try page.run(
      """
      const data = JSON.parse(document.getElementById("page-data").textContent);
      const launches = JSON.parse(new TextDecoder().decode(await inflate(data.launches)));
      const holder = document.createElement("div");
      document.body.append(holder);
      const picture = new LaunchPicture(holder, launches);
      const launch = picture.launch;
      const first = picture.bars[0];
      const scale = first.width / (launch.phases[0][2] - launch.phases[0][1]);
      return picture.bars.slice(0, launch.phases.length).map((bar, place) =>
        [bar.width, (launch.phases[place][2] - launch.phases[place][1]) * scale]);
      """)
    let widths = pairs as? [[Double]] ?? []
    #expect(widths.count > 3)
    for pair in widths where pair.count == 2 { #expect(abs(pair[0] - pair[1]) < 1.5, "\(pair)") }
  }

  @Test func keysAndTheWheelMoveInIt() throws {
    let axis = """
      const canvas = document.createElement("canvas");
      const shown = document.querySelector("canvas.launch");
      [canvas.width, canvas.height] = [shown.width, shown.height];
      canvas.getContext("2d", { willReadFrequently: true }).drawImage(shown, 0, 0);
      const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
      let sum = 0;
      for (let place = 0; place < data.length; place += 4) sum = (sum * 31 + data[place]) % 1000003;
      return sum;
      """
    _ = try page.run("document.querySelector('canvas.launch').focus()")
    let whole = try page.number(axis)
    try page.press("w")
    let closer = try page.number(axis)
    #expect(closer != whole)
    try page.press("d")
    #expect(try page.number(axis) != closer)
    try page.press("Home")
    #expect(try page.number(axis) == whole)
    let lines = try page.console()
    #expect(lines == [], "\(lines)")
  }
}
