import Foundation
import FrameStatistics
import Testing

@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameTrace

/// Programs that hang for a while, and programs that have nothing to draw, known only from their
/// messages.
@Suite("Hangs and rests by Wayland messages")
struct WaylandHangTests {
  /// What a program does between two frames.
  private enum Step {
    /// Draws at the frame callback.
    case frame
    /// Does not react for the given time in ms, and then draws.
    case hang(Double)
    /// Has nothing to draw for the given time in ms, until a finger touches; it answers `answer` ms
    /// later.
    case rest(Double, answer: Double)
    /// Has nothing to draw for the given time in ms, and then draws a single frame, like a blinking
    /// cursor.
    case blink(Double)
  }

  /// The messages of a program on a display, as a recorder on the socket writes them.
  /// - Parameters:
  ///   - jitter: How late a loaded compositor shows frames on average, in intervals.
  ///   - heldUp: For hangs within the present call, the share of it in which the recorder of the messages is held up, too;
  ///     `nil` for hangs before the call.
  ///   - layer: Whether the Vulkan layer saw the frames, too: for each the return of the present call before it, and
  ///     when this one began and ended.
  private static func messages(
    _ steps: [Step], interval: Int, jitter: Double = 0, layer: Bool = false,
    heldUp: Double? = nil
  ) -> String {
    var random = SplitMix64(seed: 43)
    let zero = 1_000_000_000_000
    var lines: [(time: Int, text: String)] = []
    let say = { (time: Int, words: String) in lines.append((time, "[\(time),\(words)]")) }
    say(zero - 9_000_000, #"0,"!","capture",0,"part",[1]"#)
    say(
      zero - 8_000_000,
      #"0,"!","capture",0,"clocks",[1795478022062302683,999992000000,999992000000,999992000000]"#)
    say(zero - 7_900_000, #"0,"!","capture",0,"begin",[1]"#)
    say(zero - 7_800_000, #"1,"conn","",0,"connect",[11,"synth"]"#)
    say(zero - 7_700_000, #"1,"<","wp_presentation",8192,"clock_id",[1]"#)
    say(zero - 7_600_000, #"1,">","wl_registry",2,"bind",["wl_compositor",1,4]"#)
    say(zero - 7_500_000, #"1,">","wl_compositor",4,"create_surface",[3]"#)
    for buffer in [10, 12] {
      say(zero - 7_000_000, #"1,">","wl_shm_pool",9,"create_buffer",[\#(buffer),250,250,1]"#)
    }
    var shown = zero
    var returned = zero
    for (index, step) in steps.enumerated() {
      let done = shown + interval / 16
      if index > 0 {
        say(done, #"1,"<","wl_callback",11,"done",[\#(shown / 1_000_000)]"#)
      }
      let milliseconds = { (length: Double) in Int(length * 1e6) }
      let commit: Int
      switch step {
      case .frame: commit = done + 150_000
      case .hang(let length), .blink(let length): commit = done + milliseconds(length)
      case .rest(let length, let answer):
        let down = done + milliseconds(length)
        say(down, #"1,"<","wl_touch",37,"down",[3,\#(down / 1_000_000),3,0,5.0,5.0]"#)
        commit = down + milliseconds(answer)
        say(commit + 1, #"1,"<","wl_touch",37,"up",[4,\#(commit / 1_000_000),0]"#)
      }
      let buffer = [10, 12][index % 2]
      let feedback = [8191, 8190][index % 2]
      say(commit, #"1,">","wl_surface",3,"attach",[\#(buffer)]"#)
      say(commit, #"1,">","wl_surface",3,"frame",[11]"#)
      say(commit, #"1,">","wp_presentation",8192,"feedback",[3,\#(feedback)]"#)
      say(commit, #"1,">","wl_surface",3,"commit",[]"#)
      if layer {
        let end = commit + 20_000
        var begin = commit - 20_000
        if let heldUp, case .hang(let length) = step {
          begin = done + 130_000
          let start = commit + 20_000 - milliseconds(heldUp * length)
          say(end, #"0,"!","proxy",0,"gap",[\#(start),\#(commit + 20_000)]"#)
        }
        say(
          end,
          #"11,"!","vulkan",3,"frame",[\#(index),\#(returned),\#(end),\#(begin),null,null,\#(begin),\#(begin + 10_000),null,null]"#
        )
        returned = end
      }
      shown = zero + ((commit + interval / 8 - zero) / interval + 1) * interval
      if jitter > 0 { shown += Int(-log(1 - random.nextUnit()) * jitter * Double(interval)) }
      say(
        shown + 200_000,
        #"1,"<","wp_presentation_feedback",\#(feedback),"presented",[\#(shown),\#(interval),\#(index),0]"#
      )
      if index > 0 {
        say(shown + 300_000, #"1,"<","wl_buffer",\#([12, 10][index % 2]),"release",[]"#)
      }
    }
    let sorted = lines.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    return sorted.map(\.element.text).joined(separator: "\n") + "\n"
  }

  /// The drops for steady frames with the given step before every 40th.
  private static func drops(
    _ step: Step, interval: Int, layer: Bool = false, heldUp: Double? = nil
  ) throws -> DropFindings {
    let steps = (0..<210).map { $0 % 40 == 39 ? step : .frame }
    let trace = try TestData.read(
      text: messages(steps, interval: interval, layer: layer, heldUp: heldUp),
      path: "wayland.jsonl")
    #expect(trace.surfaces[0].frames.has(.gpuEnd) == layer)
    return try #require(TraceAnalysis(of: trace).surfaces[0].drops.value)
  }

  private static let intervals = [16_666_667, 8_333_333, 4_166_667]

  @Test("a hang is the app's, however long", arguments: intervals, [false, true])
  func hangs(_ interval: Int, _ layer: Bool) throws {
    var before = 0
    for length in [40.0, 55, 70, 90, 130, 200, 350, 499, 501, 600, 900, 1300, 2000] {
      let drops = try Self.drops(.hang(length), interval: interval, layer: layer)
      // Each of the five is late by its length, within the refresh in which it finishes.
      let expected = Int(length * 1e6 / Double(interval))
      #expect(
        (5 * expected - 5...5 * expected + 5).contains(drops.refreshes),
        "\(length) ms at \(interval)")
      // A frame that was finished just before a refresh, too late for the compositor, waits for the next one, which is
      // charged to the compositor where the layer's times say that it was finished.
      let waited = layer ? 5 : 0
      #expect(
        drops.byStage[.app, default: 0] >= drops.refreshes - waited, "\(length) ms at \(interval)")
      #expect(drops.restTime.count == 0)
      #expect(drops.refreshes >= before)
      before = drops.refreshes
    }
  }

  /// The message of a commit may pass while the recorder is held up. The layer knows when the present call returned.
  @Test("a hang within the present call is no wait for the compositor", arguments: intervals)
  func hangInPresent(_ interval: Int) throws {
    for length in [40.0, 90, 350, 900] {
      let drops = try Self.drops(.hang(length), interval: interval, layer: true, heldUp: 0.4)
      let expected = Int(length * 1e6 / Double(interval))
      #expect((5 * expected - 5...5 * expected + 5).contains(drops.refreshes))
      #expect(
        drops.byStage[.app, default: 0] >= drops.refreshes - 5, "\(length) ms at \(interval)")
    }
  }

  /// A program whose messages are not passed on waits in its present call: from half of the call on, it may be that.
  @Test("what the recorder held up is nobody's", arguments: intervals)
  func heldUpByTheRecorder(_ interval: Int) throws {
    for length in [40.0, 90, 350] {
      let drops = try Self.drops(.hang(length), interval: interval, layer: true, heldUp: 0.6)
      let known = drops.byStage.filter { $0.key != .unknown }.values.reduce(0, +)
      #expect(known <= 5 && drops.refreshes > 5, "\(length) ms at \(interval): \(drops.byStage)")
    }
  }

  /// Both sides of half a refresh: what is shorter makes no frame late, and its times are kept.
  @Test("a short stop of the recorder takes no times", arguments: intervals, [0.48, 0.52])
  func shortlyHeldUp(_ interval: Int, _ share: Double) throws {
    // The call begins some time after the hang does.
    let length = Double(interval) / 1e6 * share + 0.11
    let steps = (0..<60).map { $0 % 20 == 19 ? Step.hang(length) : .frame }
    let trace = try TestData.read(
      text: Self.messages(steps, interval: interval, layer: true, heldUp: 1), path: "wayland.jsonl")
    let frames = trace.surfaces[0].frames
    let without = (0..<frames.count).count { frames[$0, .gpuEnd] == nil }
    #expect(without == (share < 0.5 ? 0 : 3))
  }

  @Test(
    "on a loaded compositor a stated interval is used while display times jitter around it",
    arguments: intervals, [0.02, 0.1, 0.15])
  func loadedCompositor(_ interval: Int, _ jitter: Double) throws {
    let steps = (0..<1200).map { $0 % 30 == 15 ? Step.hang(50 + Double($0 % 100)) : .frame }
    let trace = try TestData.read(
      text: Self.messages(steps, interval: interval, jitter: jitter), path: "wayland.jsonl")
    let surface = TraceAnalysis(of: trace).surfaces[0]
    let drops = try #require(surface.drops.value)
    let expected = steps.reduce(0.0) { sum, step in
      if case .hang(let length) = step { sum + length * 1e6 / Double(interval) } else { sum }
    }
    #expect(abs(Double(drops.refreshes) - expected) < 0.05 * expected)
    #expect(Double(drops.byStage[.app] ?? 0) > 0.95 * Double(drops.refreshes))
    let share = try #require(surface.refreshes?.stepShare)
    #expect((share < 0.9) == (jitter > 0.1), "\(share)")
    let line = FindingLines(surface, of: TraceAnalysis(of: trace))[.display] ?? ""
    let words = "of 1199 steps between display times are whole refreshes"
    #expect(line.contains(words) == (share < 0.9), "\(line)")
  }

  @Test(
    "under any jitter, a longer hang never drops less", arguments: [0.0, 0.03, 0.06, 0.1, 0.15])
  func longerHangsDropMore(_ jitter: Double) throws {
    var before = 0
    for length in [40.0, 60, 80, 120, 200] {
      let steps = (0..<600).map { $0 % 30 == 15 ? Step.hang(length) : .frame }
      let trace = try TestData.read(
        text: Self.messages(steps, interval: 16_666_667, jitter: jitter), path: "wayland.jsonl")
      let drops = try #require(TraceAnalysis(of: trace).surfaces[0].drops.value)
      let expected = 20 * length / 16.666667
      #expect(abs(Double(drops.refreshes) - expected) < 0.25 * expected + 3, "\(length) ms")
      #expect(drops.refreshes >= before, "\(length) ms")
      before = drops.refreshes
    }
  }

  @Test("display times that are not near refreshes are not judged, unless the user states the rate")
  func strayingDisplayTimes() throws {
    let steps = [Step](repeating: .frame, count: 300)
    var trace = try TestData.read(
      text: Self.messages(steps, interval: 16_666_667, jitter: 0.3), path: "wayland.jsonl")
    #expect(TraceAnalysis(of: trace).surfaces[0].drops.value == nil)
    trace.displays[0].isIntervalOfUser = true
    let asked = TraceAnalysis(of: trace).surfaces[0]
    #expect(asked.drops.value != nil, "\(asked.drops)")
    // A rate that has fewer refreshes than there are frames is still refused.
    trace.displays[0].interval = Nanoseconds(20_000_000)
    #expect(TraceAnalysis(of: trace).surfaces[0].drops.value == nil)
  }

  @Test("a program that was asked for nothing rests", arguments: intervals, [false, true])
  func rests(_ interval: Int, _ layer: Bool) throws {
    for length in [200.0, 700, 2400] {
      for answer in [1.0, 20, 55] {
        let drops = try Self.drops(
          .rest(length, answer: answer), interval: interval, layer: layer)
        // The time to answer may count as late, but never the time before.
        let most = Int(answer * 1e6 / Double(interval)) + 1
        #expect(drops.refreshes <= 5 * most, "\(length) ms, then \(answer) at \(interval)")
        #expect(abs(drops.restTime.milliseconds / 5 - length) < 120)
      }
    }
  }

  @Test("frames of a cursor that blinks are apart by rest")
  func blinks() throws {
    let steps = (0..<120).map { $0 > 40 && $0 % 40 > 20 ? Step.blink(600) : .frame }
    let trace = try TestData.read(
      text: Self.messages(steps, interval: 16_666_667), path: "wayland.jsonl")
    let drops = try #require(TraceAnalysis(of: trace).surfaces[0].drops.value)
    // The last one before steady frames cannot be distinguished from a hang.
    #expect(drops.refreshes <= 2 * 37)
    #expect(drops.restTime.milliseconds > 30 * 500)
  }
}
