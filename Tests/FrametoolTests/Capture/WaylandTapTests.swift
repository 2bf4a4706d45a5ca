import Testing

@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace
@testable import frametool

/// A tap between a program and its compositor changes nothing for either, and records what passes.
@Suite struct WaylandTapTests {
  /// Lets a program speak to a compositor through a tap, in pieces of any size.
  private struct Talk {
    var compositor: FakeCompositor
    var tap: WaylandTap
    var toProgram: [UInt8] = []
    var lines: [UInt8] = []
    var time: Int64 = 1_000_000_000

    init(asks: Bool = true, _ compositor: FakeCompositor = FakeCompositor()) {
      self.compositor = compositor
      tap = WaylandTap(
        connection: 1, process: .init(number: 42, name: "program"), asks: asks, at: time)
      settle([])
    }

    mutating func say(_ bytes: [UInt8], in pieces: () -> Int) {
      var rest = bytes[...]
      while !rest.isEmpty {
        time += 1000
        tap.consume(Array(rest.prefix(pieces())), from: .request, at: time)
        rest = rest.dropFirst(pieces())
        settle(bytes)
      }
    }

    /// Passes messages to both sides until no more are sent.
    private mutating func settle(_ bytes: [UInt8]) {
      repeat {
        compositor.consume(tap.toCompositor)
        tap.toCompositor = []
        let answers = compositor.takeOutput()
        // The pieces end in the middle of an answer.
        let middle = answers.count / 3
        tap.consume(Array(answers[..<middle]), from: .event, at: time)
        tap.consume(Array(answers[middle...]), from: .event, at: time)
        toProgram += tap.toProgram
        tap.toProgram = []
      } while !tap.toCompositor.isEmpty
      lines += tap.takeLines()
    }
  }

  /// What the program would receive without a tap.
  private static func heard(_ bytes: [UInt8]) -> [UInt8] {
    var compositor = FakeCompositor()
    compositor.consume(bytes)
    return compositor.takeOutput()
  }

  private static func trace(_ lines: [UInt8]) throws -> Trace {
    try Importers.read(InputFile(bytes: lines, path: "capture.jsonl"))
  }

  @Test(arguments: [1, 3, 7, 8, 20, 64], [false, true])
  func bothSidesHearWhatTheyWouldWithoutIt(_ size: Int, _ asks: Bool) throws {
    let bytes = ProgramMessages.frames(20, asks: asks)
    var talk = Talk()
    talk.say(bytes) { size }
    #expect(talk.compositor.violations == [])
    #expect(talk.toProgram == Self.heard(bytes))
    // One display time for each frame, whichever side requested it.
    #expect(talk.compositor.commits.map(\.feedbacks) == [Int](repeating: 1, count: 20))
    #expect(talk.tap.counts.asked == (asks ? 0 : 20))
    let trace = try Self.trace(talk.lines)
    let frames = try #require(trace.surfaces.first).frames
    #expect(frames.count == 20)
    #expect((0..<20).allSatisfy { frames[$0, .displayed] != nil && frames[$0, .commit] != nil })
    #expect(trace.surfaces[0].processID == 42 && trace.surfaces[0].process == "program")
  }

  @Test func itDoesNotAskWhereItMayNotOrCannot() throws {
    let bytes = ProgramMessages.frames(5)
    var quiet = Talk(asks: false)
    quiet.say(bytes) { 16 }
    #expect(quiet.compositor.commits.map(\.feedbacks) == [0, 0, 0, 0, 0])
    #expect(quiet.toProgram == Self.heard(bytes))
    var without = Talk(FakeCompositor(offersPresentation: false))
    without.say(bytes) { 16 }
    #expect(without.compositor.commits.map(\.feedbacks) == [0, 0, 0, 0, 0])
    #expect(without.compositor.violations == [])
  }

  @Test func itGivesItsNumbersUpWhenTheProgramNeedsThem() {
    var talk = Talk()
    talk.say(ProgramMessages.frames(3)) { 64 }
    // Surfaces that are never destroyed, past the numbers that the tap used.
    for number in 9..<UInt32(9000) {
      talk.say(WaylandWireMessage.bytes(3, 0, [number])) { 64 }
    }
    talk.say(WaylandWireMessage.bytes(6, 1, [8, 0, 0]) + WaylandWireMessage.bytes(6, 6)) { 64 }
    #expect(talk.compositor.violations == [])
    #expect(talk.compositor.commits.map(\.feedbacks) == [1, 1, 1, 0])
  }

  @Test(arguments: 0..<40) func bytesThatAreNoMessagesPassAsTheyAre(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var bytes = ProgramMessages.frames(4)
    for _ in 0..<8 {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
    }
    var tap = WaylandTap(
      connection: 1, process: .init(number: 1, name: nil), asks: false, at: 0)
    var passed: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Int.random(in: 1...40, using: &random)
      tap.consume(Array(rest.prefix(count)), from: .request, at: 1)
      rest = rest.dropFirst(count)
      passed += tap.toCompositor
      tap.toCompositor = []
    }
    // A message that never ends is held back; everything else passes.
    #expect(Array(bytes.prefix(passed.count)) == passed)
    #expect(bytes.count - passed.count < 1 << 16)
  }

  /// Data that is not a message can arrive before the numbers are filled.
  @Test func aProgramThatSpeaksSomethingElseIsLetThrough() {
    var tap = WaylandTap(
      connection: 1, process: .init(number: 1, name: nil), asks: true, at: 0)
    var compositor = FakeCompositor()
    let garbage: [UInt8] = [1, 0, 0, 0, 0, 0, 3, 0, 9, 9, 9]
    tap.consume(garbage, from: .request, at: 1)
    var passed: [UInt8] = []
    for _ in 0..<100 where !tap.toCompositor.isEmpty {
      passed = tap.toCompositor
      compositor.consume(tap.toCompositor)
      tap.toCompositor = []
      tap.consume(compositor.takeOutput(), from: .event, at: 2)
    }
    #expect(passed.suffix(garbage.count) == garbage[...])
    #expect(tap.toProgram == [])
  }

  @Test func aNewFileBeginsWithWhatWasSaidBefore() throws {
    var talk = Talk()
    talk.say(ProgramMessages.frames(10)) { 32 }
    let state = talk.tap.stateLines(at: talk.time)
    talk.lines = []
    for _ in 0..<10 {
      talk.say(WaylandWireMessage.bytes(6, 1, [8, 0, 0]) + WaylandWireMessage.bytes(6, 6)) { 64 }
    }
    let trace = try Self.trace(state + talk.lines)
    #expect(trace.surfaces.map(\.frames.count) == [10])
    #expect(trace.surfaces[0].processID == 42)
    #expect(trace.bufferEvents.count > 0)
  }
}
