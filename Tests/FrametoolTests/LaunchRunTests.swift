import Foundation
import Testing

@testable import FrameImporters
@testable import FrameTrace
@testable import frametool

/// Programs on this machine, launched and measured.
@Suite struct LaunchRunTests {
  private static func json(_ arguments: [String]) throws -> [String: Any] {
    let run = Run(["launch", "run", "--format", "json"] + arguments)
    #expect(run.status == .success, "\(run.errors)")
    let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    ContractTests.check(try #require(json as? [String: Any]), "launch run")
    return try #require(json as? [String: Any])
  }

  private static func launches(_ json: [String: Any], trace: Int = 0) throws -> [[String: Any]] {
    let traces = try #require(json["traces"] as? [[String: Any]])
    return try #require(traces[trace]["launches"] as? [[String: Any]])
  }

  @Test func theFirstLaunchOnlyWarmsUp() throws {
    let launches = try Self.launches(Self.json(["-n", "3", "--", "true"]))
    #expect(launches.map { $0["throwaway"] as? Bool } == [true, false, false, false])
    #expect(launches.map { $0["kind"] as? String } == [nil, "warm", "warm", "warm"])
    #expect(launches.allSatisfy { $0["until"] as? String == "exited" })
    #expect(launches.allSatisfy { ($0["total_ms"] as? Double ?? 0) > 0 })
    #expect(launches.allSatisfy { $0["cpu_ms"] is Double })
  }

  @Test(arguments: [
    "echo starting; echo it is ready now; sleep 1000", "printf 'ready> '; sleep 1000",
    "echo starting >&2; echo ready >&2; sleep 1000",
  ])
  func aMarkerEndsALaunch(_ script: String) throws {
    let json = try Self.json(["-n", "1", "--until", "read[y]", "--", "sh", "-c", script])
    let launches = try Self.launches(json)
    #expect(launches.map { $0["until"] as? String } == ["marked", "marked"])
    #expect(launches.allSatisfy { ($0["total_ms"] as? Double ?? .infinity) < 900_000 })
  }

  @Test func childrenOfAProgramEndWithIt() throws {
    let folder = try TemporaryFolder()
    let script =
      "(trap '' TERM; sleep 1000) & echo $! > '\(folder.path("child"))'; echo ready; wait"
    _ = try Self.json(["-n", "1", "--until", "ready", "--", "sh", "-c", script])
    #expect(ProcessState.ends(try #require(ProcessState.number(in: folder.path("child")))))
  }

  @Test(arguments: [
    ("-- /nonexistent/program", 69, "cannot be started: No such file"),
    ("-n 1 -- false", 65, "false: ended with status 1"),
    ("-n 1 -- sh -c kill\u{a0}-9\u{a0}$$", 65, "ended by signal 9"),
    ("--until ( -- true", 64, "--until: expected a regular expression"),
    ("--until x -- true", 65, "expected a line that matches --until, but it ended"),
    ("--limit 0.05 -- sleep 1000", 65, "expected an exit within 0.05 s"),
    ("--until x --first-frame -- true", 64, "give one of the two"),
    ("--drop f -- true", 64, "--drop has no effect without --cold"),
    ("--against ' -- true", 64, "--against: expected a command"),
    ("--against-output f -- true", 64, "has no effect without --against"),
    ("--against true -n 3 -- true", 64, "at least 4 launches to compare"),
    ("--against true -o f --against-output f -- true", 64, "both name f"),
    ("--cold --drop /no/such -- true", 64, "there is no file /no/such"),
    ("--until ^$ --limit 0.5 -- sh -c printf\u{a0}hello;sleep\u{a0}9", 65, "within 0.5 s"),
    ("", 64, "launch run: expected -- COMMAND"),
  ])
  func whatCannotBeMeasuredIsSaid(_ line: String, _ status: Int32, _ words: String) {
    let arguments = line.split(separator: " ").map { word in
      String(word.map { $0 == "\u{a0}" ? " " : $0 })
    }
    let run = Run(["launch", "run"] + arguments)
    #expect(run.status.rawValue == status && run.errors.contains(words), "\(run.errors)")
    #expect(run.output == "")
  }

  /// A child that another thread starts briefly inherits files that are open for writing.
  @Test func aProgramThatIsStillOpenForWritingIsStartedOnceItIsNot() throws {
    let folder = try TemporaryFolder()
    let script = try folder.script("new", "exit 0")
    // A program that another test starts meanwhile must not keep the file open for as long as it runs.
    let writer = try FileHandle(forWritingTo: URL(filePath: script))
    _ = fcntl(writer.fileDescriptor, F_SETFD, FD_CLOEXEC)
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.05)
      try? writer.close()
    }
    _ = try Self.json(["-n", "1", "--", script])
  }

  @Test func whatAProgramLeavesBehindIsEnded() throws {
    let folder = try TemporaryFolder()
    let script = "sleep 1000 & echo $! > '\(folder.path("child"))'"
    _ = try Self.json(["-n", "1", "--", "sh", "-c", script])
    #expect(ProcessState.ends(try #require(ProcessState.number(in: folder.path("child")))))
  }

  @Test func processorTimeIsThatUpToTheMarker() throws {
    let script = "trap '' TERM; echo ready; while :; do :; done"
    let launches = try Self.launches(
      Self.json(["-n", "1", "--until", "ready", "--", "sh", "-c", script]))
    #expect(launches.allSatisfy { ($0["cpu_ms"] as? Double ?? 0) < 1000 })
  }

  @Test func aProgramAgainstItselfIsTwoGroups() throws {
    let json = try Self.json(["-n", "4", "--against", "true", "--", "true"])
    let groups = try #require(json["groups"] as? [[String: Any]])
    #expect(groups.map { $0["process"] as? String } == ["true", "true (before)"])
    #expect(groups.allSatisfy { ($0["total"] as? [String: Any])?["n"] as? Int == 4 })
  }

  @Test func whatWasMeasuredIsPrintedBeforeItIsWritten() {
    let run = Run(["launch", "run", "-n", "1", "-o", "/nonexistent/x", "--", "true"])
    #expect(run.status == .inputOutput && run.output.contains("n 1; median"))
  }

  @Test func aProgramThatFailsIsMeasuredWhenAsked() throws {
    #expect(
      try Self.launches(Self.json(["-n", "2", "--ignore-failure", "--", "false"])).count == 3)
  }

  @Test func twoCommandsTakeTurnsAndAreCompared() throws {
    let folder = try TemporaryFolder()
    let (one, other) = (folder.path("one.jsonl"), folder.path("other.jsonl"))
    let json = try Self.json([
      "-n", "4", "--against", "sh -c 'exit 0'", "-o", one, "--against-output", other, "--", "sleep",
      "0.1",
    ])
    let comparison = try #require(json["comparison"] as? [String: Any])
    #expect(comparison["overall"] as? String == "regressed")
    let traces = try [one, other].map { try Importers.read(InputFile(path: $0)) }
    let starts = traces.map { trace in
      (0..<trace.launches.count).compactMap { trace.launches[$0, .started] }
    }
    let order = (starts[0].map { ($0, "a") } + starts[1].map { ($0, "b") })
      .sorted { $0.0 < $1.0 }.map(\.1)
    #expect(order.joined() == "ab" + "abbaabba")
    // The written files can be compared and shown later.
    let run = Run(["compare", "--launch", other, one, "--fail-on", "regression"])
    #expect(run.status == .regression)
    #expect(
      Run(["launch", one]).output.contains(
        "sleep 0.1, warm, from the start of the process to the exit: n 4"))
  }

  @Test func aColdLaunchSaysWhatWasDropped() throws {
    let run = Run(["launch", "run", "-n", "2", "--cold", "--", "true"])
    if run.status == .unavailable {
      print("skipped: this system cannot drop single files from memory: \(run.errors)")
      return
    }
    #expect(run.output.contains("true, cold, from the start of the process to the exit: n 2"))
    #expect(run.output.contains("files that it maps were dropped from the page cache"))
  }

  /// A client's output under WAYLAND_DEBUG, without and with display times.
  @Test(arguments: [false, true])
  func theFirstFrameOfAClientIsFound(_ asks: Bool) throws {
    let second = LaunchedProcess.now / 1_000_000_000 + 1
    let lines = [
      "[1.000]  -> wl_display@1.sync(new id wl_callback@3)", "[2.000] wl_callback@3.done(7)",
      asks ? "[2.1] wp_presentation@5.clock_id(1)" : "",
      asks
        ? "[2.2]  -> wp_presentation@5.feedback(wl_surface@4, new id wp_presentation_feedback@8)"
        : "",
      "[3.000]  -> wl_surface@4.frame(new id wl_callback@9)",
      "[3.100]  -> wl_surface@4.commit()", "[9.000] wl_callback@9.done(16)",
      asks
        ? "[9.1] wp_presentation_feedback@8.presented(0, \(second), 0, 16666666, 0, 1, 0)"
        : "",
    ]
    let script = lines.filter { !$0.isEmpty }.map { "echo '\($0)' >&2; " }.joined()
    var harness = LaunchHarness(
      ["sh", "-c", script + "sleep 1000"], until: .firstFrame, isCold: false, dropped: [],
      limit: 20_000_000_000, showsOutput: false, ignoresFailure: false,
      console: Console(
        output: { _ in true }, errors: { _ in true },
        open: { _ throws(ParseError) in
          try InputFile(bytes: [])
        }))
    let record = try harness.launch(isThrowaway: false)
    #expect(record.until == (asks ? .firstFrame : .frameCallback))
    #expect(record.firstFrame == (asks ? second * 1_000_000_000 : nil))
    #expect(record.frameCallback.map { $0 > record.started } == true)
  }

  @Test func wordsAreSplitAsAShellWould() {
    #expect(ShellWords.split("a  b\tc") == ["a", "b", "c"])
    #expect(ShellWords.split(#"sh -c 'echo "x y"'"#) == ["sh", "-c", #"echo "x y""#])
    #expect(ShellWords.split(#""a b"'c'd\ e """#) == ["a bcd e", ""])
    #expect(ShellWords.split(#""\n\"""#) == [#"\n""#])
    #expect(ShellWords.split("'a") == nil && ShellWords.split("a\\") == nil)
    #expect(ShellWords.split(" ") == [])
  }
}
