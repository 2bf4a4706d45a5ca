import Testing

@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace

/// The marks of `atrace` and of those that write the same grammar.
@Suite struct AtraceMarkTests {
  /// Reads and takes texts, each a microsecond after the one before.
  private static func marks(_ texts: [(thread: Int64, text: String)]) -> AtraceMarks {
    var marks = AtraceMarks()
    for (position, line) in texts.enumerated() {
      let text = Array(line.text.utf8)
      let bytes = [0x7c] + text + [UInt8](repeating: 0x7c, count: 8)
      guard let mark = marks.read(bytes.span, 1..<text.count + 1) else { continue }
      marks.consume(mark, at: Int64(position) * 1000, thread: line.thread)
    }
    return marks
  }

  private static func described(_ marks: AtraceMarks) -> [String] {
    marks.slices.map { slice in
      let end = slice.end.map { "\($0 / 1000)" } ?? "open"
      let thread = slice.thread.map { "\($0)" } ?? "process"
      return
        "\(marks.name(of: slice)) \(slice.start / 1000)-\(end) \(slice.process) \(thread)"
    }
  }

  /// What is written, and the slices, counters, malformed marks and unmatched ends that it makes.
  struct Case: CustomTestStringConvertible, Sendable {
    var texts: [String]
    var slices: [String] = []
    var counters: [String] = []
    var malformed = 0
    var unmatched = 0
    var open = 0
    var testDescription: String { texts.joined(separator: " ") }
  }

  static let cases: [Case] = [
    .init(texts: ["B|5|draw", "E|5"], slices: ["draw 0-1 5 7"]),
    .init(texts: ["B|5|draw", "E"], slices: ["draw 0-1 5 7"]),
    .init(texts: ["B|5|draw\n", "E\n", "E\0"], slices: ["draw 0-1 5 7"], unmatched: 1),
    .init(
      texts: ["B|5|a|b", "B|5|a|b|c|d", "E", "E"], slices: ["a|b 0-3 5 7", "a|b|c|d 1-2 5 7"]),
    .init(texts: ["B|5|"], slices: [" 0-open 5 7"], open: 1),
    .init(texts: ["B|5", "B|x|draw", "B|-5|draw", "B||draw", "B|"], malformed: 5),
    .init(
      texts: ["S|5|launch|9", "S|5|launch|9", "F|5|launch|9", "F|5|launch|9", "F|5|launch|9"],
      slices: ["launch 0-3 5 process", "launch 1-2 5 process"], unmatched: 1),
    .init(
      texts: ["S|5|a|7", "F|5|a|07", "F|5|a|+7", "F|6|a|7", "F|5|b|7", "F|5|a|7"],
      slices: ["a 0-5 5 process"], unmatched: 4),
    .init(texts: ["S|5|a|x1", "F|5|a|x2", "F|5|a|x1"], slices: ["a 0-2 5 process"], unmatched: 1),
    .init(texts: ["S|5|a|0", "F|5|a|-0", "F|5|a|0"], slices: ["a 0-2 5 process"], unmatched: 1),
    .init(texts: ["S|5|a", "F|5|a", "G|5|t|a", "H|5|t"], malformed: 4),
    .init(texts: ["G|5|track|name|3", "H|5|track|3"], slices: ["name 0-1 5 process"]),
    .init(
      texts: ["C|5|VSYNC-app|1", "C|5|VSYNC-app|0", "C|6|VSYNC-app|-4"],
      counters: ["5 VSYNC-app 1 0", "6 VSYNC-app -4"]),
    .init(
      texts: ["C|5|big|9223372036854775807", "C|5|big|9223372036854775808", "C|5|big|1.5"],
      counters: ["5 big 9223372036854775807"], malformed: 2),
    .init(
      texts: ["I|5|tap", "N|5|track|tap", "I|5", "I|x|tap"],
      slices: ["tap 0-0 5 7", "tap 1-1 5 7"], malformed: 2),
    .init(texts: ["B|532|H:open|M62", "E|532|M62"], slices: ["open 0-1 532 7"]),
    .init(
      texts: ["S|532|H:open file 7", "F|532|H:open file 7", "C|532|H:fps 60", "B|532|H:a b"],
      slices: ["open file 0-1 532 process", "a b 3-open 532 7"], counters: ["532 fps 60"], open: 1),
    // Names are compared by their bytes: these two look the same.
    .init(
      texts: ["S|5|\u{e9}|1", "F|5|e\u{301}|1", "F|5|\u{e9}|1"],
      slices: ["\u{e9} 0-2 5 process"], unmatched: 1),
    .init(texts: ["B|5|H:\u{301}x", "E"], slices: ["\u{301}x 0-1 5 7"]),
    .init(
      texts: ["S|5|H:x \u{301}7", "F|5|H:x \u{301}7"], slices: ["x 0-1 5 process"]),
    .init(texts: ["", "hello", "X|5|a", "Bx", "B", "\n", "trace_event_clock_sync: x", "|5|a"]),
  ]

  @Test(arguments: cases)
  func marksMakeSlicesAndCounters(_ given: Case) {
    let marks = Self.marks(given.texts.map { (7, $0) })
    #expect(Self.described(marks) == given.slices)
    #expect(
      marks.counters.map { counter in
        (["\(counter.process)", counter.name] + counter.readings.map { "\($0.value)" })
          .joined(separator: " ")
      } == given.counters)
    #expect(marks.malformed == given.malformed && marks.unmatchedEnds == given.unmatched)
    #expect(marks.openCount == given.open)
  }

  /// What the name of a slice says about a frame: the number is the second word, and other names are not of frames.
  @Test(
    arguments: [
      ("Choreographer#doFrame", true, nil), ("Choreographer#doFrame 7", true, 7),
      ("Choreographer#doFrame  7", true, 7), ("Choreographer#doFrame +7", true, 7),
      ("Choreographer#doFrame -7", true, -7), ("Choreographer#doFrame 7 8", false, nil),
      ("Choreographer#doFrame ", false, nil), ("Choreographer#doFrame x", false, nil),
      ("Choreographer#doFrames", false, nil), ("Choreographer#doFram", false, nil),
      ("Choreographer#doFrame 999999999999999999", true, 999_999_999_999_999_999),
      ("Choreographer#doFrame 9223372036854775807", true, .max),
      ("Choreographer#doFrame 9223372036854775808", false, nil),
    ] as [(name: String, isFrame: Bool, token: Int64?)])
  func namesOfFrames(_ given: (name: String, isFrame: Bool, token: Int64?)) {
    let found = AtraceFrames(Self.marks([(7, "B|5|\(given.name)"), (7, "E")])).frames[5] ?? []
    #expect(found.map(\.token) == (given.isFrame ? [given.token] : []))
  }

  /// Slices are found by how their names begin, whatever else they are called, and asked for no other name.
  @Test func slicesAreFoundByTheirNames() {
    let names = ["", "a", "ab", "abc", "b", "abcdefghij", "abcdefghix", "ab"]
    let marks = Self.marks(names.map { (7, "I|5|\($0)") })
    func found(_ slices: [AtraceMarks.Slice]) -> [String] { slices.map { marks.name(of: $0) } }
    #expect(found(marks.slices(beginning: "ab")) == names.filter { $0.hasPrefix("ab") })
    #expect(found(marks.slices(beginning: "abcdefghi")) == ["abcdefghij", "abcdefghix"])
    #expect(found(marks.slices(beginning: "b", "abcdefghij")) == ["b", "abcdefghij"])
    #expect(found(marks.slices(beginning: "abcdefghijk")) == [])
    var asked: [String] = []
    let ended = marks.slices(beginning: "ab") { name in
      asked.append(name)
      return name.count == 2
    }
    #expect(found(ended) == ["ab", "ab"] && asked == ["ab", "abc", "abcdefghij", "abcdefghix"])
  }

  /// However threads and tracks are nested, an end is that of the last slice of its own thread or track.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func endsBelongToTheLastBegin(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var texts: [(thread: Int64, text: String)] = []
    var open: [String: [Int]] = [:]
    var ends: [Int?] = []
    var unmatched = 0
    for time in 0..<200 {
      let thread = Int64.random(in: 1...3, using: &random)
      let cookie = ["1", "01", "x"][Int.random(in: 0..<3, using: &random)]
      let isAsync = Bool.random(using: &random)
      let key = isAsync ? "track \(cookie)" : "thread \(thread)"
      if Int.random(in: 0..<5, using: &random) < 3 {
        texts.append((thread, isAsync ? "S|5|a|\(cookie)" : "B|5|a"))
        open[key, default: []].append(ends.count)
        ends.append(nil)
      } else {
        texts.append((thread, isAsync ? "F|5|a|\(cookie)" : "E"))
        if let position = open[key]?.popLast() { ends[position] = time } else { unmatched += 1 }
      }
    }
    let marks = Self.marks(texts)
    #expect(marks.slices.map { $0.end.map { Int($0 / 1000) } } == ends)
    #expect(marks.unmatchedEnds == unmatched)
    #expect(marks.openCount == ends.count { $0 == nil })
  }
}
