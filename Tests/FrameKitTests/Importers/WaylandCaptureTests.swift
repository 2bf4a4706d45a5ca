import Testing

@testable import FrameTrace

/// What `capture wayland` writes about itself, and its effect on frames.
@Suite struct WaylandCaptureTests {
  /// The trace of a program with one surface, from given lines and those of its frames; times in
  /// ms.
  private static func trace(_ lines: [(time: Int64, rest: String)]) throws -> Trace {
    let start: [(Int64, String)] = [
      (0, #"1,"conn","",0,"connect",[7,"terminal"]"#),
      (0, #"1,">","wl_compositor",3,"create_surface",[5]"#),
      (0, #"1,"<","wl_keyboard",9,"enter",[1,5]"#),
    ]
    let text = (start + lines).map { "[\(1_000_000_000 + $0 * 1_000_000),\($1)]" }
    return try TestData.read(text: text.joined(separator: "\n") + "\n")
  }

  private static func commit(_ time: Int64, buffer: Int) -> [(time: Int64, rest: String)] {
    [
      (time, #"1,">","wl_surface",5,"attach",[\#(buffer)]"#),
      (time, #"1,">","wl_surface",5,"frame",[20]"#),
      (time, #"1,">","wl_surface",5,"commit",[]"#),
    ]
  }

  private static func key(_ time: Int64, _ state: Int) -> (time: Int64, rest: String) {
    (time, #"1,"<","wl_keyboard",9,"key",[\#(1000 + time),30,\#(state)]"#)
  }

  private static let callback = #"1,"<","wl_callback",20,"done",[1010]"#

  /// A terminal answers a key press; the earlier release of the previous key is unrelated.
  @Test func aFrameIsStartedByTheInputThatItAnswers() throws {
    let lines =
      Self.commit(0, buffer: 30) + [(10, Self.callback), Self.key(11, 0), Self.key(260, 1)]
      + Self.commit(262, buffer: 31)
    let frames = try Self.trace(lines).surfaces[0].frames
    #expect(frames.count == 2)
    #expect(frames[1, .appStart] == 1_260_000_000 && frames[1, .commit] == 1_262_000_000)
  }

  @Test func anInputOfLongAgoStartsNothing() throws {
    let lines =
      Self.commit(0, buffer: 30) + [(10, Self.callback), Self.key(11, 0)]
      + Self.commit(262, buffer: 31)
    let frames = try Self.trace(lines).surfaces[0].frames
    #expect(frames[1, .appStart] == nil && frames[1, .commit] == 1_262_000_000)
  }

  /// Only messages that passed while the recorder was held up, or right after, passed late.
  @Test(arguments: [
    (4, 9, true), (1, 5, false), (5, 30, true), (9, 11, true), (12, 40, false),
  ])
  func aGapHidesWhatPassedInIt(_ from: Int64, _ to: Int64, _ isHidden: Bool) throws {
    let gap =
      #"0,"!","proxy",0,"gap",[\#(1_000_000_000 + from * 1_000_000),\#(1_000_000_000 + to * 1_000_000)]"#
    let lines =
      Self.commit(0, buffer: 30) + [(8, Self.callback)] + Self.commit(10, buffer: 31)
      + [(to, gap)]
    let frames = try Self.trace(lines).surfaces[0].frames
    let committed = (0..<frames.count).contains { frames[$0, .commit] == 1_010_000_000 }
    #expect(committed != isHidden)
  }
}
