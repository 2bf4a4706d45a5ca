import Testing

@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace

/// Reports and their stages, nested from begins and ends of the same ID.
@Suite struct ChromeNestingTests {
  private static func event(
    _ isBegin: Bool, _ name: Int32, _ time: Int64, facts: Int32 = -1
  ) -> ChromeReportEvent {
    ChromeReportEvent(time: time, name: name, report: 0, facts: facts, isBegin: isBegin)
  }

  private static func add(_ events: [ChromeReportEvent], to nesting: inout ChromeNesting) {
    var list = PieceList<ChromeReportEvent>()
    for event in events { list.append(event) }
    nesting.add(list, at: events.indices.map { Int32($0) }[...])
  }

  private static func stages(_ nesting: ChromeNesting, _ report: Int) -> [[Int64?]] {
    nesting.stages[nesting.reports[report].stages].map { [Int64($0.name), $0.start, $0.end] }
  }

  /// An ID that is used again belongs to another report, and stages are listed in the order of their begins.
  @Test func anIdentifierIsUsedAgain() {
    var nesting = ChromeNesting(reports: 3, stages: 3)
    let used = [
      Self.event(true, 0, 1, facts: 0), Self.event(true, 1, 2), Self.event(true, 2, 3),
      Self.event(false, 2, 4), Self.event(false, 1, 5), Self.event(false, 0, 6),
      Self.event(true, 0, 7, facts: 1), Self.event(true, 2, 8), Self.event(false, 2, 9),
    ]
    Self.add(used, to: &nesting)
    Self.add([Self.event(false, 1, 2), Self.event(true, 0, 3, facts: 2)], to: &nesting)
    nesting.rename { $0 + 10 }
    #expect(nesting.reports.map(\.start) == [1, 7, 3])
    #expect(nesting.reports.map(\.end) == [6, nil, nil])
    #expect(Self.stages(nesting, 0) == [[11, 2, 5], [12, 3, 4]])
    #expect(Self.stages(nesting, 1) == [[12, 8, 9]])
    #expect(Self.stages(nesting, 2) == [])
    #expect(nesting.unmatchedEnds == 1 && nesting.unmatchedBegins == 2)
  }

  /// Identifiers of 64 bits, with a sign or without one; nothing else is one.
  @Test(
    arguments: [
      ("0", 0), ("7", 7), ("-1", .max), ("-9223372036854775808", 1 << 63),
      ("-9223372036854775809", nil), ("9223372036854775808", 1 << 63),
      ("18446744073709551615", .max), ("18446744073709551616", nil),
      ("184467440737095516150", nil), ("1.5", nil), ("1e5", nil), ("-0", 0),
    ] as [(String, UInt64?)])
  func identifiersHave64Bits(_ text: String, _ number: UInt64?) {
    let bytes = Array(text.utf8)
    #expect(ChromeReports.bits(bytes.span, 0..<bytes.count) == number)
  }

  /// The reports of an ID, nested plainly.
  private struct Plain {
    var reports: [(start: Int64, end: Int64?, stages: [[Int64?]])] = []
    var unmatched = (ends: 0, begins: 0)

    /// The same by the definition alone: of the open begins of an end's name, the last one ends, and a stage belongs to
    /// the report that began last before it.
    init(_ events: [ChromeReportEvent]) {
      var open: [(name: Int32, start: Int64, report: Int?)] = []
      let order = events.indices.sorted { (events[$0].time, $0) < (events[$1].time, $1) }
      for event in order.map({ events[$0] }) {
        if event.isBegin {
          let isReport = event.facts >= 0
          open.append(
            (event.name, event.time, isReport || reports.isEmpty ? nil : reports.count - 1))
          if isReport { reports.append((event.time, nil, [])) }
        } else if let position = open.lastIndex(where: { $0.name == event.name }) {
          let begin = open.remove(at: position)
          if let report = begin.report {
            reports[report].stages.append([Int64(begin.name), begin.start, event.time])
          } else if let report = reports.lastIndex(where: { $0.start == begin.start }) {
            reports[report].end = event.time
          }
        } else {
          unmatched.ends += 1
        }
      }
      for begin in open {
        unmatched.begins += 1
        if let report = begin.report {
          reports[report].stages.append([Int64(begin.name), begin.start, nil])
        }
      }
      for report in reports.indices {
        let stages = reports[report].stages
        let order = stages.indices.sorted { (stages[$0][1] ?? 0, $0) < (stages[$1][1] ?? 0, $1) }
        reports[report].stages = order.map { stages[$0] }
      }
    }
  }

  /// Any events nest by the definition, whatever was nested before them.
  @Test func anyEventsNestByTheDefinition() {
    var random = SplitMix64(seed: 46)
    for _ in 0..<100 {
      var nesting = ChromeNesting(reports: 0, stages: 0)
      var unmatched = (ends: 0, begins: 0)
      for _ in 0..<5 {
        let events = (0..<Int.random(in: 0...14, using: &random)).map { _ in
          let isReport = Int.random(in: 0...3, using: &random) == 0
          return Self.event(
            Bool.random(using: &random), isReport ? 0 : Int32.random(in: 0...3, using: &random),
            Int64.random(in: 0...9, using: &random), facts: isReport ? 0 : -1)
        }
        let first = nesting.reports.count
        Self.add(events, to: &nesting)
        let plain = Plain(events)
        unmatched = (
          unmatched.ends + plain.unmatched.ends, unmatched.begins + plain.unmatched.begins
        )
        #expect(nesting.reports[first...].map(\.start) == plain.reports.map(\.start))
        #expect(nesting.reports[first...].map(\.end) == plain.reports.map(\.end))
        let stages = (first..<nesting.reports.count).map { Self.stages(nesting, $0) }
        #expect(stages == plain.reports.map(\.stages))
      }
      #expect(nesting.unmatchedEnds == unmatched.ends)
      #expect(nesting.unmatchedBegins == unmatched.begins)
    }
  }
}
