import Foundation
import Testing

@testable import frametool

/// Files that are read together: touches next to frames, the clocks of a recording, tables joined
/// by their columns.
@Suite struct JoinedInputTests {
  private static let touches = "Tests/Golden/evemu/drag/input.events"
  private static let withoutTouches = "Tests/Golden/mangohud/microseconds/input.csv"

  @Test func threadsBesideFramesSayWhy() throws {
    let folder = try TemporaryFolder()
    let frames = folder.path("frames.jsonl")
    #expect(
      Run(["generate", "scheduling-faults", "--frames", "30", "-o", frames]).status == .success)
    let lines = try String(contentsOfFile: frames, encoding: .utf8).split(separator: "\n")
    let bare = lines.filter { line in
      !["threadState", "thread", "marker"].contains { line.contains("{\"type\":\"\($0)\"") }
    }
    try bare.joined(separator: "\n").write(toFile: frames, atomically: true, encoding: .utf8)
    let threads = "Tests/Golden/trace-cmd/faults/input.dat"
    let alone = Run(["analyze", frames])
    #expect(!alone.output.contains("why, "))
    // The clock of the recording is the kernel's own, which drifts.
    let drifting = Run(["analyze", frames, "--threads", threads])
    #expect(drifting.errors.contains("found one on trace-cmd's clock local"))
    let run = Run(["analyze", frames, "--threads", threads, "--threads-offset", "0"])
    #expect(run.status == .success, "\(run.errors)")
    #expect(run.output.contains("main thread ran ") && run.output.contains("why, of 2 by the app"))
    let usage = Run(["analyze", frames, "--threads-offset", "3"])
    #expect(usage.errors.hasPrefix("error: --threads-offset has no effect without --threads\n"))
    let other = Run(["analyze", frames, "--threads", threads, "--threads-offset", "1e7"])
    #expect(other.status == .badData && other.errors.contains("--threads-offset"))
    let none = Run(["analyze", frames, "--threads", frames])
    #expect(none.errors.contains("expected a recording of what threads did"))
    let counted = folder.path("counted.json")
    #expect(Run(["analyze", frames, "--summary", counted]).status == .success)
    let summaries = ["report", "--before", counted, "--after", counted]
    let page = ["-o", folder.path("report.md"), "--no-plots"]
    #expect(Run(summaries + page).errors.contains("has no effect on") == false)
    let refused = Run(summaries + page + ["--threads", threads])
    #expect(
      refused.status == .usage && refused.errors.hasPrefix("error: --threads has no effect on"))
  }

  /// A program is told when its frames were displayed; KWin's log, when it drew them.
  @Test func aCompositorsLogTellsWhenItDrew() throws {
    let folder = try TemporaryFolder()
    let (frames, log) = (folder.path("frames.jsonl"), folder.path("kwin.csv"))
    var program = "{\"schema\":\"frametool.trace/1\",\"unit\":\"ns\"}\n"
    var rows =
      "target pageflip timestamp,pageflip timestamp,render start,render end,safety margin,refresh duration,vrr,tearing,predicted render time\n"
    for frame in 0..<60 {
      // The compositor takes 4 ms, and 14 for every twentieth frame, which then comes a refresh later.
      let start = 5_000_000_000 + frame * 33_333_334
      let isLate = frame % 20 == 10
      let (drawn, end) = (start + 6_000_000, start + (isLate ? 20_000_000 : 10_000_000))
      let shown = start + (isLate ? 33_333_334 : 16_666_667)
      program +=
        "{\"type\":\"frame\",\"appStart\":\(start),\"commit\":\(start + 5_000_000),\"displayed\":\(shown + 1000)}\n"
      rows += "\(start + 16_666_667),\(shown),\(drawn),\(end),1000000,16666667,0,0,0\n"
    }
    try Data(program.utf8).write(to: URL(filePath: frames))
    try Data(rows.utf8).write(to: URL(filePath: log))
    let run = Run(["analyze", frames, "--refresh", "60", "--compositor", log, "--all"])
    #expect(run.status == .success, "\(run.errors)")
    #expect(run.output.contains("60 × frames with the compositor's drawing from its log"))
    let line = run.output.split(separator: "\n").first { $0.contains("compositorTime") } ?? ""
    #expect(line.contains("14.000") && line.contains("4.000"), "\(run.output)")
    // A log that is of another time, or none; a trace that says it itself.
    let other = Run(["analyze", "Samples/game.csv", "--compositor", log])
    #expect(
      other.status == .badData && other.errors.contains("fewer than nine in ten of the displayed"))
    let none = Run(["analyze", frames, "--compositor", frames])
    #expect(none.status == .badData && none.errors.contains("expected a compositor's frame log"))
    let own = folder.path("own.jsonl")
    _ = Run(["generate", "app-overrun", "-o", own])
    #expect(
      Run(["analyze", own, "--compositor", log]).errors.contains("says itself when the compositor"))
  }

  /// A log of another output matches now and then, by chance: nine in ten of the frames have to be in it.
  /// Both sides of that, and of the half millisecond that a time may be rounded by.
  @Test(arguments: [
    (53, 0, false), (54, 0, true), (60, 0, true), (60, 500_000, true), (60, 500_001, false),
  ])
  func aCompositorsLogIsOfTheSameOutput(_ known: Int, _ offset: Int, _ isJoined: Bool) throws {
    let folder = try TemporaryFolder()
    let (frames, log) = (folder.path("frames.jsonl"), folder.path("kwin.csv"))
    var program = "{\"schema\":\"frametool.trace/1\",\"unit\":\"ns\"}\n"
    var rows =
      "target pageflip timestamp,pageflip timestamp,render start,render end,refresh duration\n"
    for frame in 0..<60 {
      let time = 5_000_000_000 + frame * 16_666_667
      // The first and the last are in the log, so that it is of the whole time.
      let isKnown = frame < known - 1 || frame == 59
      program +=
        "{\"type\":\"frame\",\"commit\":\(time - 12_000_000),\"displayed\":\(time + offset)}\n"
      rows +=
        "0,\(isKnown ? time : time + 3_000_000),\(time - 9_000_000),\(time - 7_000_000),16666667\n"
    }
    try Data(program.utf8).write(to: URL(filePath: frames))
    try Data(rows.utf8).write(to: URL(filePath: log))
    let run = Run(["analyze", frames, "--refresh", "60", "--compositor", log])
    #expect((run.status == .success) == isJoined, "\(run.errors)")
    #expect(run.output.contains("\(known) × frames with the compositor's drawing") == isJoined)
  }

  @Test func touchesTakeAnOffset() {
    let run = Run(["analyze", "Samples/game.csv", "--touches", Self.touches])
    #expect(run.status == .usage)
    #expect(run.errors.hasPrefix("error: --touches has no effect without --offset\n"))
    let alone = Run(["analyze", "Samples/game.csv", "--offset", "3"])
    #expect(alone.status == .usage)
    #expect(alone.errors.hasPrefix("error: --offset has no effect without --touches\n"))
    let odd = Run(["analyze", "Samples/game.csv", "--touches", Self.touches, "--offset", "soon"])
    #expect(odd.status == .usage)
    #expect(
      odd.errors.contains("expected a number of ms, such as -12.5 or camera=-12.5, found soon"))
  }

  @Test func joinedTouchesAreToldInEveryResult() {
    let more = ["--touches", Self.touches, "--offset", "panel=1000"]
    let info = Run(["info", "Samples/game.csv"] + more)
    #expect(info.status == .success)
    #expect(info.output.contains("read with it  \(Self.touches)"))
    #expect(info.output.contains("panel, joined as stated"))
    let analysis = Run(["analyze", "Samples/game.csv"] + more)
    #expect(analysis.output.contains("aligned by the user's offset (1000.000 ms)"))
    let none = Run(
      ["analyze", "Samples/game.csv", "--touches", Self.withoutTouches, "--offset", "0"])
    #expect(none.status == .badData)
    #expect(none.errors.contains("expected a recording of touches"))
  }

  @Test func columnsAreNamedOnEveryWay() {
    let table = "Tests/Golden/csv/seconds/input.csv"
    let columns = ["--columns", "time=time:s,frameRate=fps"]
    #expect(Run(["analyze", table] + columns).status == .success)
    #expect(Run(["gate", table, "--limit", "p99(frameTime)<=50ms"] + columns).status == .success)
    let unnamed = Run(["analyze", table])
    #expect(unnamed.status == .badData)
    let odd = Run(["analyze", table, "--columns", "tme=time"])
    #expect(odd.status == .usage)
    #expect(odd.errors.hasPrefix("error: --columns: expected one of dropped, frameRate,"))
    let absent = Run(["analyze", table, "--columns", "time=when"])
    #expect(absent.status == .badData)
    #expect(absent.errors.contains("expected a column when in a header, found none"))
    let both = Run(["analyze", table, "--input-format", "presentmon"] + columns)
    #expect(both.status == .badData)
  }

  /// The clocks next to a recording can be read alone or named, and are refused if the file has
  /// none.
  @Test func clocksBesideARecordingAreRead() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "frametool-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let sample = Run.root.appending(path: "Tests/Golden/wayland-debug/window/input.log")
    try FileManager.default.copyItem(at: sample, to: folder.appending(path: "run.wayland.log"))
    let log = folder.appending(path: "run.wayland.log").path
    #expect(Run(["info", log]).output.contains("joined as measured"))
    let clocks = folder.appending(path: "run.meta.json")
    // The log's time stamps are at least 2500 s later than the monotonic clock.
    let begin =
      #"{"clock_begin": {"monotonic_ns": 1000000000000, "realtime_ns": 3500000000000, "monotonic_raw_ns": 999000000000}}"#
    try Data(begin.utf8).write(to: clocks)
    let info = Run(["info", log])
    #expect(info.output.contains("read with it  \(clocks.path)"))
    #expect(info.output.contains("CLOCK_REALTIME, joined as stated"))
    // A folder of one recording has the clocks in it.
    let joined = Run(["info", "--one-recording", folder.path])
    #expect(joined.status == .success, "\(joined.errors)")
    try Data("{}".utf8).write(to: clocks)
    let odd = Run(["info", log])
    #expect(odd.status == .badData)
    #expect(odd.errors.contains("run.meta.json: expected clock_begin with monotonic_ns"))
  }
}
