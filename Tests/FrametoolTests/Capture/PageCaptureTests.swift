import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameTrace
@testable import frametool

/// A page whose handlers are slow by known times, recorded in a real browser.
@Suite(.serialized, .enabled(if: Chromium.path != nil, "\(Chromium.reason)"))
struct PageCaptureTests {
  /// The page notes what its own observer is told, as marks that the browser records.
  private static let page = """
    <!doctype html><meta charset=utf-8><title>slow handlers</title><body style="height:3000px">
    <button id=a>50</button><button id=b>200</button><button id=c>500</button><input id=q>
    <script>
    function busy(ms) { const end = performance.now() + ms; while (performance.now() < end); }
    for (const [id, ms] of [["a", 50], ["b", 200], ["c", 500]]) {
      document.getElementById(id).addEventListener("click", function slowHandler() {
        busy(ms);
        document.getElementById(id).textContent = "done";
      });
    }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (entry.interactionId) performance.mark(`seen ${entry.interactionId} ${entry.duration}`);
      }
    }).observe({ type: "event", durationThreshold: 16, buffered: true });
    </script>
    """

  private static let lengths = [50.0, 200, 500]

  private static func slow(_ analysis: TraceAnalysis) -> [PageInteraction] {
    analysis.interactions.all.filter { $0.work?.name.contains("slowHandler") ?? false }
  }

  /// Whether an interaction took as long as its handler, within one frame: the rest is the browser's.
  private static func takes(_ length: Double, _ one: PageInteraction) -> Bool {
    one.parts[.processing].map { (length - 1...length + 17).contains($0.milliseconds) } ?? false
  }

  /// Records the page, again if other tests held up its handlers, at most three times.
  private static func record(_ page: String, _ path: String) throws -> TraceAnalysis {
    var analysis = try recordOnce(page, path)
    for _ in 0..<2 {
      let slow = slow(analysis)
      if slow.count == lengths.count, zip(lengths, slow).allSatisfy(takes) { break }
      print("interactions were held up, and are recorded again")
      analysis = try recordOnce(page, path)
    }
    return analysis
  }

  private static func recordOnce(_ page: String, _ path: String) throws -> TraceAnalysis {
    let run = Run([
      "capture", "chrome", "--headless", "--click", "#a", "--click", "#b", "--click", "#c",
      "--click", "#q", "--type", "ab", "--scroll", "600", "--duration", "1.5", "-o", path,
      "file://\(page)",
    ])
    #expect(run.status == .success, "\(run.errors)")
    return TraceAnalysis(of: try Importers.read(InputFile(path: path)))
  }

  @Test func interactionsTakeAsLongAsTheirHandlers() throws {
    let folder = try TemporaryFolder()
    let (page, path) = (folder.path("page.html"), folder.path("run.trace.json"))
    try Data(Self.page.utf8).write(to: URL(filePath: page))
    let analysis = try Self.record(page, path)
    let found = analysis.interactions
    let slow = Self.slow(analysis)
    #expect(slow.count == 3, "\(found.all)")
    for (length, one) in zip(Self.lengths, slow) {
      #expect(Self.takes(length, one), "\(one)")
      #expect(one.longest == .processing && one.frame != nil, "\(one)")
    }
    #expect(found.decisive.first?.number == slow.last?.number)
    // The page's own observer rounds to 8 ms.
    let recorded = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path)))
    let events = (recorded as? [String: Any])?["traceEvents"] as? [[String: Any]] ?? []
    let seen = events.compactMap { $0["name"] as? String }.filter { $0.hasPrefix("seen ") }
      .map { $0.split(separator: " ") }
    for one in slow {
      let own = seen.filter { $0[1] == "\(one.number)" }.compactMap { Double($0[2]) }.max()
      let distance = try #require(own, "\(seen)") - one.duration.milliseconds
      #expect(abs(distance) <= 8, "\(one): \(own ?? 0)")
    }
    // The frame that the slowest one delayed is charged to the app, by name.
    let frame = try #require(slow.last?.frame)
    let charged = analysis.surfaces.first { $0.index == frame.surface }
    let cause = try #require(charged?.causes?.byFrame[frame], "\(charged?.causes as Any)")
    #expect(cause.what?.contains("slowHandler") ?? false, "\(cause.sentence)")
    #expect(found.all.contains { $0.kind?.hasPrefix("key") ?? false })
  }

  @Test func anElementThatIsNotThereIsTold() throws {
    let folder = try TemporaryFolder()
    let page = folder.path("page.html")
    try Data("<p>nothing".utf8).write(to: URL(filePath: page))
    let run = Run([
      "capture", "chrome", "--headless", "--click", "#none", "--duration", "0.1", "-o",
      folder.path("run.trace.json"), "file://\(page)",
    ])
    #expect(
      run.status == .badData && run.errors.contains("found none\nhelp: a selector as in CSS"),
      "\(run.errors)")
  }

  @Test(arguments: ["0", "far", "nan", "1e9"])
  func aScrollOfNoDistanceIsTold(_ distance: String) {
    let run = Run(["capture", "chrome", "--scroll", distance, "https://example.org"])
    #expect(run.status == .usage && run.errors.contains("CSS pixels"), "\(run.errors)")
  }
}
