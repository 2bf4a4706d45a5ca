import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameReport
@testable import FrameStatistics
@testable import FrameTrace

/// Interactions with pages: their parts, the decisive one, and what they were spent in.
@Suite struct PageInteractionTests {
  /// An event of the Event Timing API, in ms.
  private struct Entry {
    var number: Int64
    var start, first, last, end: Double
    var page = "page"

    var row: (inout Trace) -> Void {
      { trace in
        var row = Table<PageEventColumn>.Row()
        let time = { (value: Double) in Int64(value * 1e6) }
        row[.interaction] = number
        row[.start] = time(start)
        row[.processingStart] = time(first)
        row[.processingEnd] = time(last)
        row[.end] = time(end)
        row[.process] = trace.pageEvents.texts.number(of: page)
        trace.pageEvents.append(row)
      }
    }
  }

  private static func found(_ entries: [Entry]) -> PageInteractions {
    var trace = Trace(Provenance(file: "page", importer: "test", format: "test", reason: "test"))
    for entry in entries { entry.row(&trace) }
    return TraceAnalysis(of: trace).interactions
  }

  private static func milliseconds(_ one: PageInteraction) -> [Double] {
    [one.duration.milliseconds]
      + PageInteraction.Part.allCases.compactMap { one.parts[$0]?.milliseconds }
  }

  /// Lighthouse's own test of this trace (`interaction-to-next-paint-test.js`) expects 368 ms.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func thePublishedFigureOfATraceComesOut() throws {
    let path = TestData.folder.appending(
      path: "chrome/GoogleChrome_lighthouse__traces--timespan-responsiveness-m103.trace.json"
    ).path
    let found = TraceAnalysis(of: try TestData.read(path)).interactions
    #expect(found.interactionToNextPaint == .milliseconds(368))
    #expect(found.all.count == 8 && found.missing == 0)
    #expect(found.decisive.first?.work?.name == "FunctionCall handler (events.html:207)")
  }

  /// The events of an interaction share a number; those with the same next picture, their handlers.
  @Test func theLongestEventIsTheInteraction() {
    let found = Self.found([
      Entry(number: 7, start: 0, first: 4, last: 50, end: 72),
      Entry(number: 7, start: 100, first: 101, last: 103, end: 308),
      Entry(number: 7, start: 100, first: 103, last: 300, end: 308),
      Entry(number: 0, start: 90, first: 300, last: 304, end: 312),
      Entry(number: 9, start: 400, first: 401, last: 402, end: 420),
    ])
    #expect(found.all.map(Self.milliseconds) == [[208, 1, 199, 8], [20, 1, 1, 18]])
    #expect(found.decisive.map(\.number) == [7])
  }

  /// The parts are the whole, whatever the times are: handlers that end after the picture count until then.
  @Test func thePartsAddUp() {
    var random = SplitMix64(seed: 45)
    for _ in 0..<500 {
      let entries = (0..<Int64(1 + random.next() % 12)).map { number in
        let start = Double(random.next() % 1000)
        let first = start + Double(random.next() % 300) - 20
        return Entry(
          number: number / 2, start: start, first: first,
          last: first + Double(random.next() % 300), end: start + Double(random.next() % 500))
      }
      for one in Self.found(entries).all where !one.parts.isEmpty {
        #expect(one.parts.values.reduce(Nanoseconds.zero) { $0 + $1 } == one.duration)
        #expect(one.parts.values.allSatisfy { $0 >= .zero })
      }
    }
  }

  /// web.dev, "Interaction to Next Paint": one outlier is passed over for every 50 interactions.
  @Test(arguments: [(1, 1.0), (49, 49), (50, 49), (99, 98), (100, 98), (499, 490), (700, 691)])
  func oneInFiftyIsPassedOver(_ count: Int, _ expected: Double) {
    let entries = (1...Int64(count)).map { number in
      let start = Double(number) * 1000
      return Entry(
        number: number, start: start, first: start, last: start, end: start + Double(number))
    }
    #expect(Self.found(entries).interactionToNextPaint?.milliseconds == expected)
  }

  /// More of a delay never gives less of the figure.
  @Test func aLongerInteractionNeverLowersTheFigure() {
    var last = Nanoseconds.zero
    for length in stride(from: 0.0, through: 900, by: 12.5) {
      let entries = (1...Int64(60)).map { number in
        let start = Double(number) * 1000
        let end = start + (number % 20 == 0 ? length : 80)
        return Entry(number: number, start: start, first: start, last: start, end: end)
      }
      let found = Self.found(entries).interactionToNextPaint ?? .zero
      #expect(found >= last)
      last = found
    }
  }

  /// Pages are apart: numbers may repeat, and the figure of several is that which three in four keep below.
  @Test func eachPageHasItsOwn() {
    let found = Self.found(
      [100.0, 200, 300, 400, 500].enumerated().map { page, length in
        Entry(
          number: 1, start: 0, first: 1, last: 2, end: length, page: "visit \(page)")
      })
    #expect(found.decisive.map(\.duration.milliseconds) == [500, 400, 300, 200, 100])
    #expect(found.interactionToNextPaint == .milliseconds(400))
  }

  @Test func theNativeFormatKeepsThem() throws {
    let path = TestData.root.appending(path: "Tests/Golden/web-vitals/entries/input.json").path
    let trace = try TestData.read(path)
    var bytes: [UInt8] = []
    var writer = NativeWriter(trace) { bytes += $0 }
    writer.write()
    let again = try TestData.read(bytes: bytes)
    #expect(
      TraceAnalysis(of: again).interactions.all == TraceAnalysis(of: trace).interactions.all)
  }

  /// web-vitals states the parts of the decisive interaction; they are kept, and its script is found.
  @Test func theMetricOfAVisitIsKept() throws {
    let path = TestData.root.appending(path: "Tests/Golden/web-vitals/visits/input.jsonl").path
    let found = TraceAnalysis(of: try TestData.read(path)).interactions
    #expect(
      Set(found.decisive.map(Self.milliseconds)) == [
        [376, 12, 240, 124], [104, 4, 26, 74], [520],
      ])
    #expect(found.all.first { $0.target == "#buy" }?.work?.name == "addToCart (shop.js)")
  }

  private static func visit(_ id: String, _ value: Int, _ more: String = "") -> String {
    "{\"name\":\"INP\",\"value\":\(value),\"rating\":\"good\",\"id\":\"\(id)\",\"navigationType\":\"navigate\",\"entries\":[]\(more)}\n"
  }

  /// A page may report its metric again while it grows; the last one counts.
  @Test func aVisitThatReportsAgainIsOneVisit() throws {
    let text =
      Self.visit("v5-1", 40) + Self.visit("v5-1", 80) + Self.visit("v5-2", 50)
      + Self.visit("v5-1", 900)
    let trace = try TestData.read(text: text)
    let found = TraceAnalysis(of: trace).interactions
    #expect(found.ofPages == [.milliseconds(900), .milliseconds(50)])
    #expect(found.interactionToNextPaint?.milliseconds == 687.5)
    #expect(trace.issues.first { $0.message.contains("reported again") }?.count == 2)
  }

  /// Visits without details are part of the figure.
  @Test func visitsWithoutDetailsCount() throws {
    let details =
      ",\"attribution\":{\"interactionTime\":10,\"inputDelay\":1,\"processingDuration\":2}"
    let text =
      Self.visit("a", 50, details) + Self.visit("b", 800) + Self.visit("c", 900)
      + Self.visit("d", 1000)
    let found = TraceAnalysis(of: try TestData.read(text: text)).interactions
    #expect(found.ofPages.count == 4 && found.decisive.count == 1)
    #expect(found.interactionToNextPaint == .milliseconds(925))
  }

  /// Of an address, a report has the last part of its path and nothing else.
  @Test(arguments: [
    ("https://u:pw@shop.example/app.js?session=SECRET", "app.js"),
    ("https://u:pw@shop.example", "a script"),
    ("BUTTON#buy.onclick", "BUTTON#buy.onclick"), ("", "a script"),
  ])
  func addressesAreCutShort(_ invoker: String, _ expected: String) throws {
    let text =
      "[{\"entryType\":\"long-animation-frame\",\"startTime\":0,\"duration\":60,\"scripts\":[{\"invoker\":\"\(invoker)\",\"startTime\":1,\"duration\":50}]}]"
    let trace = try TestData.read(text: text)
    #expect(
      (0..<trace.markers.count).compactMap { trace.markers.text($0, .name) }.sorted()
        == [expected, "long animation frame"].sorted())
  }

  /// Thousands of interactions over thousands of slices, and as many frames at one time, end with an answer.
  @Test func manyInteractionsAtOnceHaveAnAnswer() throws {
    let count = 4000
    let events = (1...count).map {
      "{\"entryType\":\"event\",\"name\":\"click\",\"startTime\":0,\"duration\":100000,\"processingStart\":1,\"processingEnd\":99999,\"interactionId\":\($0)}"
    }
    let frames = (0..<count).map {
      "{\"entryType\":\"long-animation-frame\",\"startTime\":\($0 * 20),\"duration\":10}"
    }
    let text = "[\((events + frames).joined(separator: ","))]"
    let found = TraceAnalysis(of: try TestData.read(text: text)).interactions
    #expect(found.all.count == count)
    // What the longest were spent in is looked for up to a bound.
    let known = found.all.count { $0.work != nil }
    #expect(known > 0 && known < count)
  }

  /// Both sides of web.dev's bounds.
  @Test(arguments: [
    (200.0, "good"), (200.001, "needs improvement"), (500, "needs improvement"), (500.001, "poor"),
  ])
  func theRatingIsThatOfWebDev(_ time: Double, _ rating: String) {
    #expect(InteractionTables.rating(.milliseconds(time)) == rating)
  }

  /// Both sides of 8 ms: handlers before the same picture count together, those before another one do not.
  @Test(arguments: [(8.0, 40.0), (8.001, 10.0)])
  func eventsOfOnePictureShareTheirHandlers(_ distance: Double, _ processing: Double) {
    let found = Self.found([
      Entry(number: 7, start: 0, first: 10, last: 20, end: 100),
      Entry(number: 0, start: 1, first: 30, last: 50, end: 100 - distance),
    ])
    #expect(found.all.first?.parts[.processing] == .milliseconds(processing))
  }

  /// Both sides of 8 ms between the picture and the frame; the frames of several surfaces are none.
  @Test func theFrameIsTheOneThatWasShownThen() {
    let frame = { (times: [(surface: String, time: Double)]) -> FrameReference? in
      var builder = TraceBuilder(
        Provenance(file: "page", importer: "test", format: "test", reason: "test"))
      for (surface, time) in times {
        let position = builder.surface(surface) { Surface(id: surface) }
        var row = Table<FrameColumn>.Row()
        row[.displayed] = Int64(time * 1e6)
        builder.trace.surfaces[position].frames.append(row)
      }
      Entry(number: 7, start: 0, first: 10, last: 20, end: 100).row(&builder.trace)
      return TraceAnalysis(of: builder.finish()).interactions.all.first?.frame
    }
    #expect(frame([("a", 50), ("a", 108)])?.row == 1)
    #expect(frame([("a", 50), ("a", 108.001)]) == nil)
    #expect(frame([("a", 92), ("a", 99)])?.row == 1)
    #expect(frame([("a", 99), ("b", 100)]) == nil)
  }
}
