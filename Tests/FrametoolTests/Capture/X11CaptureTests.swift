import Foundation
import Testing

@testable import FrameImporters
@testable import FrameTrace
@testable import frametool

/// An X server without a display, and a program that presents to it.
private final class XServer {
  let folder: TemporaryFolder
  private let server = Process()
  private(set) var display = ""

  static let isInstalled = ["Xvfb", "cc"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
  }

  init() throws {
    folder = try TemporaryFolder()
    let build = Process()
    build.executableURL = URL(filePath: "/usr/bin/cc")
    build.arguments = [
      "-O1", "\(Run.root.path)/Tests/Capture/x11_program.c", "-o", folder.path("program"),
      "-lxcb", "-lxcb-present",
    ]
    try build.run()
    build.waitUntilExit()
    try #require(build.terminationStatus == 0)
    let pipe = Pipe()
    server.executableURL = URL(filePath: "/usr/bin/Xvfb")
    // The server chooses a free number, and says which.
    server.arguments = ["-displayfd", "1", "-screen", "0", "640x480x24", "-noreset"]
    server.standardOutput = pipe
    server.standardError = FileHandle.nullDevice
    try server.run()
    var said = Data()
    while !said.contains(UInt8(ascii: "\n")) {
      let more = pipe.fileHandleForReading.availableData
      if more.isEmpty { break }
      said += more
    }
    let number = String(decoding: said, as: UTF8.self).trimmingCharacters(
      in: .whitespacesAndNewlines)
    try #require(!number.isEmpty, "Xvfb did not start")
    display = ":\(number)"
  }

  deinit {
    // It may have been started while a capture waits for the signals that end one, and then does not get them.
    kill(server.processIdentifier, SIGKILL)
    server.waitUntilExit()
  }

  /// Captures a shell command; `$PROGRAM` is the program.
  func capture(_ command: String, to name: String, _ options: [String] = []) -> Run {
    Run(
      ["capture", "x11"] + options + ["-o", folder.path(name), "--"]
        + [
          "env", "DISPLAY=\(display)", "PROGRAM=\(folder.path("program"))",
          "OUT=\(folder.url.path)", "sh", "-c", command,
        ],
      variables: ["DISPLAY": display])
  }

  func trace(_ name: String) throws -> Trace {
    try Importers.read(InputFile(path: folder.path(name)))
  }
}

@Suite(.enabled(if: XServer.isInstalled, "Xvfb and cc are needed"), .serialized)
struct X11CaptureTests {
  /// What the server told the program and what it told the recorder are the same.
  @Test func itRecordsWhatTheProgramWasTold() throws {
    let server = try XServer()
    let run = server.capture("$PROGRAM 60 2 2 >$OUT/told", to: "a.jsonl")
    #expect(run.status == .success, "\(run.errors)")
    #expect(run.errors.contains("1 program, 120 presents, 120 completed"), "\(run.errors)")
    let reported = try String(contentsOfFile: server.folder.path("told"), encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: " ").compactMap { Int64($0) } }
    let trace = try server.trace("a.jsonl")
    #expect(trace.surfaces.map(\.name) == ["window 1", "window 2"])
    #expect(trace.surfaces[0].process == "program" && reported.count == 120)
    for surface in trace.surfaces {
      let own = reported.filter { "window \($0[0])" == surface.id }
      let frames = surface.frames
      #expect(frames.count == own.count)
      for (row, line) in own.enumerated() {
        #expect(frames[row, .identifier] == line[1] && frames[row, .displayedRefresh] == line[2])
        #expect(frames[row, .displayed] == line[3] * 1000)
        let commit = try #require(frames[row, .commit])
        #expect(commit <= line[3] * 1000)
      }
    }
  }

  @Test func theProgramsStatusIsSaid() throws {
    let server = try XServer()
    let failed = server.capture("$PROGRAM 5 >$OUT/told; exit 3", to: "a.jsonl")
    #expect(failed.status == .success && failed.errors.contains("ended with status 3"))
    let killed = server.capture("$PROGRAM 5 >$OUT/told; kill -SEGV $$", to: "b.jsonl")
    #expect(killed.status == .ended(bySignal: 11), "\(killed.errors)")
  }

  /// What was there before is another program's.
  @Test func otherProgramsAreNotRecorded() throws {
    let server = try XServer()
    let other = Process()
    other.executableURL = URL(filePath: server.folder.path("program"))
    other.arguments = ["100000"]
    other.environment = ["DISPLAY": server.display]
    other.standardOutput = FileHandle.nullDevice
    try other.run()
    usleep(200_000)
    let run = server.capture("$PROGRAM 20 >$OUT/told", to: "a.jsonl")
    kill(other.processIdentifier, SIGKILL)
    other.waitUntilExit()
    #expect(run.status == .success, "\(run.errors)")
    let trace = try server.trace("a.jsonl")
    #expect(trace.surfaces.count == 1 && trace.frameCount == 20)
  }

  /// In a process of its own, because a capture waits for what its program left behind.
  @Test func aProgramThatPresentsNothingIsAnError() throws {
    let server = try XServer()
    let session = try ShellSession()
    let said = try session.run(
      "DISPLAY=\(server.display) frametool capture x11 -o a.jsonl -- true; echo $?; ls")
    #expect(said.contains("the program opened no connection to the X server"), "\(said)")
    #expect(said.contains("\n65\n") && !said.contains("a.jsonl\n"), "\(said)")
  }

  @Test func aCaptureMayHaveParts() throws {
    let server = try XServer()
    let run = server.capture("$PROGRAM 60 >$OUT/told", to: "a.jsonl", ["--part-time", "0.3"])
    #expect(run.status == .success, "\(run.errors)")
    let parts = server.folder.files.filter { $0.hasSuffix(".jsonl") }.sorted()
    #expect(parts.count > 2)
    let trace = try Importers.read(
      recording: parts.map { try InputFile(path: server.folder.path($0)) })
    #expect(trace.frameCount == 60 && trace.surfaces[0].name == "window 1")
  }
}

@Suite struct X11CaptureOptionsTests {
  @Test func withoutAServerItSaysSo() {
    let none = Run(["capture", "x11", "--", "true"], variables: ["DISPLAY": ""])
    #expect(none.status == .unavailable && none.errors.contains("DISPLAY is not set"))
    let wrong = Run(["capture", "x11", "--", "true"], variables: ["DISPLAY": ":65000"])
    #expect(wrong.status == .unavailable && wrong.errors.contains("there is no X server"))
  }

  @Test func aFolderIsForTheLayer() {
    let run = Run(
      ["capture", "x11", "--folder", "/tmp", "--", "true"], variables: ["DISPLAY": ":0"])
    #expect(run.status == .usage && run.errors.contains("--vulkan"))
  }

  @Test func aDryRunSaysWhatItWouldDo() {
    let run = Run(
      ["capture", "x11", "--dry-run", "-o", "a.jsonl", "--", "glxgears", "-fullscreen"],
      variables: ["DISPLAY": ":7"])
    #expect(run.status == .success)
    #expect(
      run.output == """
        follow the presents of all programs that connect to :7
        glxgears -fullscreen
        write a.jsonl

        """)
  }
}
