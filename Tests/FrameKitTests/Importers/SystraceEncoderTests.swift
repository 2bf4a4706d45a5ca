import Fixtures
import Testing

@testable import FrameImporters
@testable import FrameTrace

/// The kernel logs that traces are written as.
@Suite struct SystraceEncoderTests {
  private static func trace(_ name: String) throws -> Trace {
    let scenario = try #require(Scenarios.all.first { $0.name == name })
    return scenario.play(.init(frames: 120)).trace
  }

  /// Writes and reads a trace, and checks its times, which lose their nanoseconds and move by a constant.
  /// - Returns: The frames that came back.
  @discardableResult
  private static func read(
    _ own: Trace, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> (trace: Trace, frames: Table<FrameColumn>) {
    let encoder = SystraceEncoder()
    try #require(encoder.whyNot(own) == nil)
    let found = try Importers.read(InputFile(bytes: encoder.encode(own)))
    let (before, after) = (own.surfaces[0].frames, found.surfaces[0].frames)
    #expect(
      found.surfaces.count == 1 && found.issues.allSatisfy { $0.severity == .info })
    try #require(after.count == before.count)
    let moved = try #require(after[0, .appStart]) - (before[0, .appStart] ?? 0)
    let columns: [FrameColumn] = [
      .appStart, .appEnd, .commit, .bufferWaitStart, .bufferWaitEnd, .queued,
    ]
    for (row, column) in (0..<before.count).flatMap({ row in columns.map { (row, $0) } }) {
      let distance = after[row, column].flatMap { time in
        before[row, column].map { abs(time - moved - $0) }
      }
      guard after[row, column] != nil || columns.prefix(3).contains(column) else { continue }
      #expect((distance ?? .max) <= 1000, "\(column) of \(row)", sourceLocation: sourceLocation)
    }
    return (found, after)
  }

  @Test(arguments: ["steady-60", "dropped-frames", "layer-gpu-overrun", "talk-triple"])
  func framesAndRefreshesComeBack(_ name: String) throws {
    let own = try Self.trace(name)
    let found = try Self.read(own).trace
    #expect(found.displays.map(\.refreshes.count) == own.displays.map(\.refreshes.count))
  }

  /// A render thread that waits for a buffer, and one that queues.
  @Test func waitsAndQueuesComeBack() throws {
    var own = try Self.trace("steady-60")
    own.surfaces[0].frames = Table()
    for frame in 0..<50 as Range<Int64> {
      var row = Table<FrameColumn>.Row()
      let start = frame * 16_000_000
      row[.appStart] = start
      if frame % 5 == 1 {
        row[.bufferWaitStart] = start + 5_000_000
        row[.bufferWaitEnd] = start + 5_000_000 + frame * 20_000
      }
      row[.commit] = start + 7_000_000
      // A fence that the GPU signals after the call is not in the log.
      row[.queued] = start + (frame % 2 == 0 ? 7_500_000 : 11_000_000)
      row[.appEnd] = start + 8_000_000
      own.surfaces[0].frames.append(row)
    }
    let frames = try Self.read(own).frames
    #expect(
      (0..<50).filter { frames[$0, .bufferWaitEnd] != nil } == Array(stride(from: 1, to: 50, by: 5))
    )
    #expect((0..<50).filter { frames[$0, .queued] != nil } == Array(stride(from: 0, to: 50, by: 2)))
  }

  /// The scheduler's events are in the same log.
  @Test func threadsComeBack() throws {
    let own = try Self.trace("scheduling-faults")
    let found = try Self.read(own).trace
    let alone = try Importers.read(InputFile(bytes: Array(FtraceLogText(own).text.utf8)))
    #expect(alone.threadStates.count > 0 && found.threadStates.count == alone.threadStates.count)
    let slices = { (trace: Trace) in
      Set((0..<trace.markers.count).compactMap { trace.markers.text($0, .name) })
    }
    #expect(slices(found).isSuperset(of: slices(alone)))
  }

  /// Frames that overlap cannot be slices of one thread, and a frame without its commit has no marks.
  @Test func whatThreadsCannotMarkIsRefused() throws {
    var own = try Self.trace("steady-60")
    own.surfaces[0].frames = Table()
    var row = Table<FrameColumn>.Row()
    (row[.appStart], row[.commit], row[.appEnd]) = (0, 10, 20)
    own.surfaces[0].frames.append(row)
    (row[.appStart], row[.commit], row[.appEnd]) = (20, 20, 30)
    own.surfaces[0].frames.append(row)
    #expect(SystraceEncoder().whyNot(own) == nil)
    var overlapping = own
    (row[.appStart], row[.commit], row[.appEnd]) = (29, 30, 40)
    overlapping.surfaces[0].frames.append(row)
    #expect(SystraceEncoder().whyNot(overlapping)?.contains("overlap") == true)
    (row[.appStart], row[.commit]) = (30, nil)
    own.surfaces[0].frames.append(row)
    #expect(SystraceEncoder().whyNot(own)?.contains("commit") == true)
  }

  /// Linux numbers processes with 32 bits, and a mark states one without a sign.
  @Test(arguments: [
    (-1, false), (0, true), (Int(Int32.max) - 1, true), (Int(Int32.max), false), (Int.max, false),
  ])
  func numbersThatNoKernelGivesAreRefused(_ process: Int, _ isWritten: Bool) throws {
    var own = try Self.trace("steady-60")
    own.surfaces[0].processID = process
    #expect((SystraceEncoder().whyNot(own) == nil) == isWritten)
    if isWritten { try Self.read(own) }
  }

  /// A slice that ends with its frame, when the next frame begins, does not end that one.
  @Test func slicesThatEndTogetherAreNested() throws {
    var own = try Self.trace("scheduling-faults")
    own.markers = Table()
    var marker = Table<MarkerColumn>.Row()
    marker[.name] = own.markers.texts.number(of: "inner")
    marker[.process] = own.surfaces[0].process.map { own.markers.texts.number(of: $0) }
    let main = try #require((0..<own.threads.count).first { own.threads[$0, .main] == 1 })
    marker[.thread] = own.threads[main, .identifier]
    own.surfaces[0].frames = Table()
    for frame in 0..<20 as Range<Int64> {
      var row = Table<FrameColumn>.Row()
      row[.appStart] = frame * 6_000_000
      (row[.commit], row[.appEnd]) = ((frame + 1) * 6_000_000, (frame + 1) * 6_000_000)
      own.surfaces[0].frames.append(row)
      marker[.start] = frame * 6_000_000 + 1_000_000
      marker[.end] = (frame + 1) * 6_000_000
      own.markers.append(marker)
    }
    let markers = try Self.read(own).trace.markers
    let lengths = (0..<markers.count).compactMap { row -> Int64? in
      guard let name = markers.text(row, .name), let start = markers[row, .start],
        let end = markers[row, .end], name == "inner" || name.hasPrefix("Choreographer")
      else { return nil }
      return (end - start) / 1_000_000
    }
    #expect(lengths.sorted() == Array(repeating: 5, count: 20) + Array(repeating: 6, count: 20))
  }
}
