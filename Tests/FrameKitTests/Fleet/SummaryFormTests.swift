import Fixtures
import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameStatistics
@testable import FrameTrace
@testable import FrameVerdicts

/// The lines of summaries: what scripts read in them, and what frametool has packed.
@Suite struct SummaryFormTests {
  private static func runs(
    in text: String, withRuns: Bool = true
  ) throws -> [(run: SummarizedRun, line: [UInt8])] {
    var runs: [(run: SummarizedRun, line: [UInt8])] = []
    let input = try InputFile(bytes: Array(text.utf8), path: "summary")
    try SummaryReader.read(input, withRuns: withRuns) { run, _, line in runs.append((run, line)) }
    return runs
  }

  /// Runs are the same in all that a line has.
  private static func expectSame(_ one: SummarizedRun, _ other: SummarizedRun) {
    #expect(one.file == other.file && one.size == other.size && one.tags == other.tags)
    #expect(one.process == other.process && one.surface == other.surface)
    #expect(one.outcome == other.outcome)
    #expect(one.identities == other.identities)
    #expect(one.run == other.run)
  }

  @Test(arguments: Scenarios.all.map(\.name))
  func theRunOfEachScenarioIsReadAsItWasWritten(_ name: String) throws {
    let scenario = try #require(Scenarios.all.first { $0.name == name })
    let study = Study(of: scenario.play(.init(frames: 400)).trace)
    let run = try SummarizedRun(
      of: study, .all, tags: ["device": "a"], size: 7, isComparable: true
    ).identified(by: Array(name.utf8))
    let read = try Self.runs(in: Writers.summaryHeader + Writers.line(run))
    #expect(read.count == 1)
    if let found = read.first { Self.expectSame(found.run, run) }
    // Several runs together keep all values of their figures.
    let other = try #require(Scenarios.all.first { $0.name == "uncapped-game" }).play(
      .init(frames: 400)
    ).trace
    var sum = try #require(run.tally)
    let second = try SummarizedRun(
      of: Study(of: other), .all, tags: [:], size: nil, isComparable: false)
    sum.merge(try #require(second.tally))
    let added = SummarizedRun(sum, tags: ["device": "a"])
    let again = try Self.runs(in: Writers.summaryHeader + Writers.line(added))
    #expect(again.first?.run.outcome == added.outcome)
  }

  private static func text(_ name: String) throws -> String {
    let path = TestData.root.appending(path: "Tests/Summaries/\(name)")
    return try String(contentsOf: path, encoding: .utf8)
  }

  /// The same traces, summarized by the version that had all counts in the open and by the first one that packed them.
  /// Neither file may be written again: what it stands for are summaries that users have.
  @Test func linesOfEarlierVersionsAreTheSameRuns() throws {
    let earlier = try Self.runs(in: Self.text("runs-2.jsonl"))
    let packed = try Self.runs(in: Self.text("runs-3.jsonl"))
    #expect(earlier.count == 5 && packed.count == 5)
    for (one, other) in zip(earlier, packed) { Self.expectSame(one.run, other.run) }
    #expect(earlier[0].run.tally?.frames.neverShown == 3)
    #expect(earlier[1].run.run?.count == 109)
    let p95 = RunFigure(
      key: TallyKey(metric: "appTime", definition: nil), statistic: .p95)
    #expect(earlier[1].run.tally?.figures[p95]?.exact == [4_761_590])
    #expect(packed[4].run.tally?.figures[p95]?.count == 2)
    // A merge has one form.
    for (one, other) in zip(earlier.dropLast(), packed) {
      let now = try Self.runs(in: Writers.summaryHeader + SummaryReader.current(one.line))
      Self.expectSame(now[0].run, other.run)
      #expect(
        SummaryReader.current(other.line) == String(decoding: other.line, as: UTF8.self) + "\n")
      #expect(SummaryReader.current(one.line).contains("\"values\"") == false)
    }
  }

  /// The version that had all in the open also wrote lines that it did not read: fewer than no values missing, and frame
  /// times of more than a day. Lines of its first builds have no ids.
  @Test func linesThatEarlierVersionsCouldNotReadAreRead() throws {
    let text = try Self.text("runs-2.jsonl")
    let runs = try Self.runs(in: text)
    let hidden = try Self.runs(in: text.replacing("\"missing\":0", with: "\"missing\":-59"))
    for (one, other) in zip(hidden, runs) { #expect(one.run.outcome == other.run.outcome) }
    let long = FrameHistogram.bin(16_667_000_000)
    let bins = try #require(text.firstMatch(of: /"bins":\[(\d+),1,/))
    let slow = try Self.runs(
      in: text.replacing("\"bins\":[\(bins.1),1,", with: "\"bins\":[\(long),1,"))
    #expect(slow.count == runs.count)
    let nameless = try Self.runs(in: text.replacing(/"id":"[0-9a-f]{16}",/, with: ""))
    for (one, other) in zip(nameless, runs) where other.run.tally != nil {
      #expect(one.run.identities.count == other.run.identities.count)
      // The same after it was written anew.
      let now = try Self.runs(in: Writers.summaryHeader + SummaryReader.current(one.line))
      #expect(now.first?.run.identities == one.run.identities)
      #expect(now.first?.run.outcome == other.run.outcome)
      #expect(SummaryReader.current(one.line).contains("\"packed\""))
    }
  }

  /// A line without a part of its counts is no run without them.
  @Test(arguments: ["statistics", "figures", "packed", "runs", "frames"])
  func linesWithoutAPartAreRefused(_ key: String) throws {
    let text = try Self.text("runs-3.jsonl").split(separator: "\n")[..<2].joined(separator: "\n")
    #expect(try Self.runs(in: text + "\n").count == 1)
    #expect(throws: ParseError.self) {
      try Self.runs(in: text.replacing("\"\(key)\":", with: "\"other\":") + "\n")
    }
    for value in ["null", "-1", "[1]", "{\"frameTime\":[]}"] {
      #expect(throws: ParseError.self, "\(value)") {
        try Self.runs(in: text.replacing("\"\(key)\":", with: "\"\(key)\":\(value),\"x\":") + "\n")
      }
    }
  }

  /// The difference of any two values of a figure fits in 64 bits.
  @Test func figuresAtTheEndsOf64BitsAreRefused() throws {
    #expect(FigureValues(each: [FigureValues.possible.lowerBound, (1 << 62) - 1]) != nil)
    #expect(FigureValues(each: [FigureValues.possible.lowerBound - 1]) == nil)
    #expect(FigureValues(each: [1 << 62]) == nil)
    #expect(FigureValues(ValueCounts(1 << 62)) == nil)
    #expect(FigureValues(ValueCounts()) == nil)
    let text = try Self.text("runs-3.jsonl")
    let value = try #require(text.firstMatch(of: /"p50":(\d+)/))
    #expect(throws: ParseError.self) {
      try Self.runs(in: text.replacing("\"p50\":\(value.1)", with: "\"p50\":\(Int64.max)"))
    }
  }

  /// Runs that have no figure in common have each figure once, and are several runs all the same.
  @Test func runsOfDifferentMetricsAreSeveral() throws {
    var tally = RunTally.empty
    for metric in ["frameTime", "displayLatency"] {
      var run = RunTally()
      run.figures[
        RunFigure(key: TallyKey(metric: metric, definition: nil), statistic: .mean)] = FigureValues(
          7)
      tally.merge(run)
    }
    #expect(NamedFigures(tally) == nil)
    let line = Writers.line(SummarizedRun(tally, tags: [:]))
    #expect(!line.contains("\"statistics\""))
    #expect(try Self.runs(in: Writers.summaryHeader + line).first?.run.outcome == .counted(tally))
  }

  /// A script needs nothing of what is packed for the figures of runs.
  @Test func figuresAreInTheOpen() throws {
    let line = try Self.runs(in: Self.text("runs-3.jsonl"))[1].line
    let node = try JSONNode(line)
    #expect(node["statistics"]?["appTime"]?["p95"]?.integer == 4_761_590)
    #expect(node["figures"]?["averageFrameRate"]?.integer == 245_887_919)
    #expect(node["values"] == nil && node["run"] == nil)
  }

  /// A tally of two definitions of a metric cannot name its figures by the metric alone.
  @Test func figuresOfTwoDefinitionsKeepThem() throws {
    var tally = RunTally()
    for (definition, value) in [("one", 5), ("other", 6)] as [(String, Int64)] {
      let key = TallyKey(metric: "frameTime", definition: definition)
      tally.values[key] = RunTally.Values(counts: ValueCounts(value))
      tally.figures[RunFigure(key: key, statistic: .mean)] = FigureValues(value)
    }
    #expect(NamedFigures(tally) == nil)
    // Nor can figures without values, such as rates.
    var rates = RunTally()
    for definition in ["one", "other"] {
      let key = TallyKey(metric: "averageFrameRate", definition: definition)
      rates.figures[RunFigure(key: key, statistic: nil)] = FigureValues(60_000_000)
    }
    #expect(NamedFigures(rates) == nil)
    // One of which may have none.
    let undefined = TallyKey(metric: "averageFrameRate", definition: nil)
    var partly = rates
    partly.figures[RunFigure(key: undefined, statistic: nil)] = FigureValues(60_000_000)
    #expect(NamedFigures(partly) == nil)
    rates.figures[
      RunFigure(
        key: TallyKey(metric: "averageFrameRate", definition: "other"), statistic: nil)] = nil
    #expect(NamedFigures(rates)?.definitions == ["averageFrameRate": "one"])
    for tally in [tally, rates, partly] {
      let run = SummarizedRun(tally, tags: [:])
      let read = try Self.runs(in: Writers.summaryHeader + Writers.line(run))
      #expect(read.first?.run.outcome == run.outcome)
    }
  }

  /// More values than are kept one by one.
  @Test(arguments: [1, 2, FigureValues.mostExact, FigureValues.mostExact + 1])
  func figuresOfManyRunsAreReadAsWritten(_ count: Int) throws {
    var tally = RunTally.empty
    for position in 0..<Int64(count) {
      var run = RunTally()
      let key = TallyKey(metric: "frameTime", definition: nil)
      run.figures[RunFigure(key: key, statistic: .p95)] = FigureValues(position * position - 3)
      tally.merge(run)
    }
    let run = SummarizedRun(tally, tags: [:])
    let read = try Self.runs(in: Writers.summaryHeader + Writers.line(run))
    #expect(read.first?.run.outcome == run.outcome)
    #expect(
      (tally.figures.values.first?.exact == nil) == (count > FigureValues.mostExact))
  }

  /// The words that lines are packed with, which no later version may change without another schema.
  @Test func theDictionaryIsTheOneThatLinesWerePackedWith() {
    #expect(SummaryDictionary.bytes.count == 3893)
    #expect(Checksum.of(SummaryDictionary.bytes) == 2_764_484_637)
  }

  @Test func aLineOfAMinuteTakesFewKilobytes() throws {
    let scenario = try #require(Scenarios.all.first { $0.name == "uncapped-game" })
    let study = Study(of: scenario.play(.init(frames: 3600)).trace)
    let run = try SummarizedRun(of: study, .all, tags: [:], size: nil, isComparable: true)
    // It had 44 kB with its counts in the open.
    #expect(Writers.line(run).utf8.count < 7500)
  }
}

/// Packed counts that were damaged.
@Suite struct PackedCountsTests {
  private static func node(_ text: String) throws -> JSONNode {
    try JSONNode(Array("\"\(text)\"".utf8))
  }

  private static func content(_ histograms: [FrameHistogram]) -> String {
    var packed = PackedHistograms()
    var record = FieldRecord()
    record.add("indices", values: histograms.map { packed.index(of: $0) })
    return PackedCounts.text(record, packed)
  }

  private static func histogram(_ bins: [(Int, Int64)]) -> FrameHistogram {
    bins.reduce(into: FrameHistogram()) { $0.add($1.1, toBin: $1.0) }
  }

  @Test(arguments: 0..<50)
  func histogramsAreReadAsWritten(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var histograms = (0..<Int.random(in: 1...12, using: &random)).map { _ in
      Self.histogram(
        (0..<Int.random(in: 0...30, using: &random)).map { _ in
          (
            Int.random(in: 520_000...530_000, using: &random),
            Int64.random(in: 1...300, using: &random)
          )
        })
    }
    histograms.append(histograms[0])
    let packed = try PackedCounts(reading: Self.node(Self.content(histograms)))
    let indices = try #require(packed.members["indices"]?.integers)
    #expect(indices.first == indices.last, "equal histograms are written once")
    for (histogram, index) in zip(histograms, indices) {
      #expect(packed.histograms[index] == histogram)
    }
    #expect(packed.histograms[-1] == nil)
    #expect(packed.histograms[Int64(histograms.count)] == nil)
    #expect(packed.histograms[.max] == nil)
  }

  /// Both ends of what bins may be, and one beyond each.
  @Test func binsOutsideAreRefused() throws {
    let bins = UnpackedHistograms.bins
    for (first, last, isPossible) in [
      (bins.lowerBound, bins.upperBound, true), (bins.lowerBound - 1, bins.upperBound, false),
      (bins.lowerBound, bins.upperBound + 1, false),
    ] {
      let packed = try PackedCounts(
        reading: Self.node(Self.content([Self.histogram([(first, 1), (last, 2)])])))
      #expect((packed.histograms[0] != nil) == isPossible)
    }
  }

  /// Histograms of few bytes each that span all bins: the same one takes its memory once, and different ones are refused
  /// beyond what any run has.
  @Test func histogramsThatSpanAllBinsAreBounded() throws {
    let bins = UnpackedHistograms.bins
    let wide = (0..<300).map { Self.histogram([(bins.lowerBound, $0 + 1), (bins.upperBound, 1)]) }
    let packed = try PackedCounts(reading: Self.node(Self.content(wide)))
    let fit = (1 << 23) / bins.count
    #expect(fit < wide.count)
    for _ in 0..<300 { #expect(packed.histograms[0] == wide[0]) }
    for index in 1..<Int64(fit) { #expect(packed.histograms[index] != nil) }
    #expect(packed.histograms[Int64(fit)] == nil)
    #expect(packed.histograms[Int64(fit) - 1] == wide[fit - 1], "what was made stays")
  }

  /// Bytes that say more than they have, or what no histogram can be.
  @Test(
    arguments: [
      [], [1], [2, 1, 0, 0], [1, 1, 0], [1, .max, 0, 0], [.max], [3, .max, .max, 2, 0],
      [2, .max, 1, 0, 0], [1, 1, 0, 0, 0], [0, 0],
    ] as [[UInt64]])
  func numbersThatDoNotFitAreRefused(_ numbers: [UInt64]) {
    #expect(UnpackedHistograms(Varints.bytes(numbers)) == nil)
  }

  @Test func distancesAndCountsOfAnySizeAreRefused() throws {
    let bins = UnpackedHistograms.bins
    let (first, rest) = (UInt64(bins.lowerBound), UInt64(bins.count - 2))
    let read = { (numbers: [UInt64]) in UnpackedHistograms(Varints.bytes(numbers)) }
    let fits = try #require(read([1, 2, first, rest, 0, 7]))
    #expect(fits[0] == Self.histogram([(bins.lowerBound, 1), (bins.upperBound, 8)]))
    for numbers in [
      [1, 2, first, rest + 1, 0, 7], [1, 2, first, .max, 0, 7], [1, 2, .max, 0, 0, 7],
      [1, 2, first, rest, .max, 7], [1, 2, first, rest, 0, 1 << 40], [1, 2, .max - 4, 4, 0, 0],
    ] as [[UInt64]] {
      #expect(try #require(read(numbers))[0] == nil, "\(numbers)")
    }
  }

  /// A text that was cut or changed is refused, or still has the same content.
  @Test func damagedTextsNeverHaveOtherContent() throws {
    let histogram = Self.histogram([(524_000, 3), (524_010, 1), (524_020, 9)])
    let text = Self.content([histogram])
    for length in 0..<text.utf8.count {
      #expect(throws: JSONScanner.Problem.self, "cut at \(length)") {
        try PackedCounts(reading: Self.node(String(text.prefix(length))))
      }
    }
    var random = SplitMix64(seed: 1)
    for _ in 0..<2000 {
      var bytes = Array(text.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] =
          Array("AZaz09+/=".utf8)[Int.random(in: 0..<9, using: &random)]
      }
      if let packed = try? PackedCounts(reading: Self.node(String(decoding: bytes, as: UTF8.self)))
      {
        #expect(packed.histograms[0] == histogram)
      }
    }
  }

  /// Both sides of each bound on what is read.
  @Test func boundsOnWhatIsReadAreMet() throws {
    // Histograms without bins take a byte each, and their number takes four.
    let most = UInt64(8 << 20) - 4
    for (count, isRead) in [(most, true), (most + 1, false)] {
      let bytes = Varints.bytes([count]) + [UInt8](repeating: 0, count: Int(count))
      #expect((UnpackedHistograms(bytes) != nil) == isRead)
    }
    for (count, isRead) in [(16, true), (17, false)] {
      var record = FieldRecord()
      for position in 0..<count { record.add("\(position)", position) }
      let node = try Self.node(PackedCounts.text(record, PackedHistograms()))
      #expect(((try? PackedCounts(reading: node)) != nil) == isRead)
    }
    let none = try JSONNode(Array("{}".utf8))
    for (count, isRead) in [(1024, true), (1025, false)] {
      let members = (0..<count).map { "\"\($0)\":\"a\"" }.joined(separator: ",")
      let definitions = try JSONNode(Array("{\(members)}".utf8))
      var tally = RunTally()
      let read: Void? = try? NamedFigures.read(
        statistics: none, figures: none, definitions: definitions, to: &tally)
      #expect((read != nil) == isRead)
    }
    for (size, isRead) in [(1 << 20, true), (64 << 20 + 1, false)] {
      let object = Array("{\"x\":\"".utf8) + [UInt8](repeating: 0x61, count: size - 10)
      let content = object + Array("\"}\n".utf8) + [0]
      #expect(content.count == size)
      let packed = Deflated.zstd(
        content, level: 1, dictionary: SummaryDictionary.bytes, isChecked: true)
      let node = try Self.node(Base64.text(packed))
      #expect(((try? PackedCounts(reading: node)) != nil) == isRead)
    }
  }

  /// A few bytes cannot claim to be megabytes.
  @Test func aSizeThatBytesCannotHoldIsRefused() throws {
    // A frame that states 256 MB, and has a single block of one byte.
    let claim: [UInt8] =
      [0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0x00, 0x00, 0x00, 0x10, 0x09, 0x00, 0x00, 0x41]
    #expect(Inflated.zstdSize(claim, claim.indices) == 1 << 28)
    #expect(throws: JSONScanner.Problem.self) {
      try PackedCounts(reading: Self.node(Base64.text(claim)))
    }
    for other in ["12", "[]", "{}", "null"] {
      #expect(throws: JSONScanner.Problem.self) {
        try PackedCounts(reading: try JSONNode(Array(other.utf8)))
      }
    }
  }
}

@Suite struct PackedTextTests {
  /// RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func base64(_ plain: String, _ text: String) {
    #expect(Base64.text(Array(plain.utf8)) == text)
    #expect(Base64.bytes(text) == Array(plain.utf8))
  }

  @Test func allBytesSurvive() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    #expect(Base64.bytes(Base64.text(bytes)) == bytes)
  }

  @Test(arguments: ["Z", "Zg", "Zg=", "Z===", "====", "Zg=a", "Zm9v\n", "Zm-_", "Zm9é", "Z g="])
  func otherTextsAreRefused(_ text: String) { #expect(Base64.bytes(text) == nil) }

  @Test func varints() {
    let numbers: [UInt64] = [0, 1, 127, 128, 16_383, 16_384, 1 << 62, .max]
    #expect(Varints.numbers(Varints.bytes(numbers)) == numbers)
    #expect(Varints.numbers([]) == [])
    #expect(Varints.numbers([0x80]) == nil)
    #expect(Varints.numbers([UInt8](repeating: 0xff, count: 11)) == nil)
  }
}

@Suite struct FigureValuesTests {
  /// The values of many runs add up in any order and grouping, where they are kept one by one and where they are counted.
  @Test(arguments: [3, 999, 1000, 1001, 1400])
  func anyOrder(_ count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    let values = (0..<count).map { _ in Int64.random(in: -5...60_000_000, using: &random) }
    let sum = { (values: [Int64]) in values.reduce(into: FigureValues()) { $0.add($1) } }
    let all = sum(values)
    #expect(all.exact == (count <= FigureValues.mostExact ? values.sorted() : nil))
    #expect(all.counts == ValueCounts(Sample(values)))
    #expect(all.count == Int64(count) && all.low == values.min())
    #expect(all.sum == values.reduce(Int128(0)) { $0 + Int128($1) })
    let shuffled = values.shuffled(using: &random)
    #expect(sum(shuffled) == all)
    let cut = Int.random(in: 0...count, using: &random)
    var left = sum(Array(shuffled[..<cut]))
    left.merge(sum(Array(shuffled[cut...])))
    #expect(left == all)
  }

  @Test func valuesOutOfOrderAreRefused() {
    #expect(FigureValues(each: [1, 2, 2])?.exact == [1, 2, 2])
    #expect(FigureValues(each: [2, 1]) == nil)
    #expect(FigureValues(each: []) == nil)
    #expect(FigureValues(each: Array(0...1000)) == nil)
  }
}
