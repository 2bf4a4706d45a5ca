import Foundation
import Testing

@testable import FrameImporters
@testable import FrameTrace
@testable import frametool

/// A compositor without a display, in a temporary folder.
final class Weston {
  let folder: TemporaryFolder
  private let process = Process()

  static let isInstalled = ["weston", "weston-presentation-shm", "vkcube-wayland"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
  }

  init() throws {
    folder = try TemporaryFolder()
    try Data("[core]\nrepaint-window=16\nidle-time=0\n".utf8)
      .write(to: URL(filePath: folder.path("weston.ini")))
    process.executableURL = URL(filePath: "/usr/bin/weston")
    process.arguments = [
      "--config=\(folder.path("weston.ini"))", "--socket=w", "--backend=headless-backend.so",
      "--use-pixman", "--width=640", "--height=480",
    ]
    var environment = ProcessInfo.processInfo.environment
    environment["XDG_RUNTIME_DIR"] = folder.url.path
    process.environment = environment
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    for _ in 0..<1000 where !folder.files.contains("w") { usleep(10_000) }
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }

  static let layer = Run.root.appending(path: ".build/libframetool_vulkan_layer.so").path

  var variables: [String: String] {
    [
      "XDG_RUNTIME_DIR": folder.url.path, "WAYLAND_DISPLAY": "w",
      "FRAMETOOL_VULKAN_LAYER": Self.layer,
    ]
  }

  /// Captures a program that runs on the compositor.
  func capture(_ options: [String], to name: String, _ program: [String]) -> Run {
    let environment = [
      "env", "XDG_RUNTIME_DIR=\(folder.url.path)", "WAYLAND_DISPLAY=w",
    ]
    // If the tool does not give the program a session, the program uses that of the tests.
    let command = options == ["vulkan"] ? environment + program : program
    return Run(
      ["capture"] + options + ["-o", folder.path(name), "--"] + command, variables: variables)
  }

  func trace(_ names: String...) throws -> Trace {
    try Importers.read(
      recording: names.map { try InputFile(path: folder.path($0)) })
  }
}

/// Programs from Debian, captured on a separate compositor.
@Suite(
  .serialized,
  .enabled(if: Weston.isInstalled, "weston or vkcube is not installed: scripts/install capture"))
struct CaptureTests {
  @Test func aProgramThatAsksForDisplayTimes() throws {
    let weston = try Weston()
    let run = weston.capture(
      ["wayland", "--duration", "1.5", "--then", "analyze"], to: "a.jsonl",
      ["sh", "-c", "exec weston-presentation-shm -f > /dev/null"])
    #expect(run.status == .success, "\(run.errors)")
    // On a busy machine there may be too few refreshes to find a rate, and then nothing counts as
    // dropped.
    #expect(run.output.contains("a.jsonl: ") && run.output.contains("frames on 1 surface"))
    #expect(run.errors.contains("recorded ") && !run.errors.contains("requested by frametool"))
    let trace = try weston.trace("a.jsonl")
    #expect(trace.frameCount > 3)
    #expect(trace.surfaces[0].process == "weston-presenta")
    #expect(trace.clocks.contains { $0.name.contains("MONOTONIC_RAW") && $0.join == .stated })
    #expect(!weston.folder.files.contains { $0.hasPrefix("frametool") })
  }

  @Test func aProgramThatDoesNotAsk() throws {
    let weston = try Weston()
    let with = weston.capture(
      ["wayland", "--duration", "1"], to: "with.jsonl", ["weston-simple-shm"])
    let without = weston.capture(
      ["wayland", "--duration", "1", "--no-feedback", "--quiet"], to: "without.jsonl",
      ["weston-simple-shm"])
    #expect(with.status == .success && without.status == .success)
    #expect(with.errors.contains("requested by frametool") && without.errors == "")
    let shown = { (trace: Trace) in
      let frames = trace.surfaces[0].frames
      return (0..<frames.count).count { frames[$0, .displayed] != nil }
    }
    let trace = try weston.trace("with.jsonl")
    #expect(trace.frameCount > 5 && shown(trace) >= trace.frameCount - 4)
    #expect(shown(try weston.trace("without.jsonl")) == 0)
  }

  @Test func aCompositorThatTakesNoInputsIsNamed() throws {
    let weston = try Weston()
    let run = weston.capture(["wayland", "--inject", "touch"], to: "i.jsonl", ["true"])
    #expect(run.status == .unavailable)
    #expect(
      run.errors.contains("does not let programs inject a touch") && run.errors.contains("help: "))
    #expect(!weston.folder.files.contains("i.jsonl"))
    let lost = weston.capture(
      ["wayland", "--inject", "key", "--inject-into", "none"], to: "i.jsonl", ["true"])
    #expect(lost.status == .unavailable && lost.errors.contains("there is no Wayland compositor"))
    for options in [["--inject-at", "1,2"], ["--inject", "key", "--inject-at", "1"]] {
      let run = weston.capture(["wayland"] + options, to: "i.jsonl", ["true"])
      #expect(run.status == .usage, "\(run.errors)")
    }
  }

  @Test func aLongRecordingIsInParts() throws {
    let weston = try Weston()
    let run = weston.capture(
      ["wayland", "--duration", "1.75", "--part-time", "0.5"], to: "p.jsonl",
      ["weston-simple-shm"])
    #expect(run.status == .success, "\(run.errors)")
    let parts = weston.folder.files.filter { $0.hasPrefix("p.") }.sorted()
    #expect(parts.starts(with: ["p.jsonl", "p.part0002.jsonl", "p.part0003.jsonl"]))
    let counts = try parts.map { try weston.trace($0).frameCount }
    #expect(counts.dropLast().allSatisfy { $0 > 0 })
    let all = try Importers.read(
      recording: parts.map { try InputFile(path: weston.folder.path($0)) })
    // If a frame's attach and commit are in two files, the frame is in neither alone.
    #expect(all.surfaces.count == 1 && abs(all.frameCount - counts.reduce(0, +)) <= parts.count)
    let kept = weston.capture(
      ["wayland", "--duration", "1.6", "--part-time", "0.3", "--keep", "2"], to: "k.jsonl",
      ["weston-simple-shm"])
    #expect(kept.status == .success)
    #expect(weston.folder.files.count { $0.hasPrefix("k.") } == 2)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: Weston.layer), "no Vulkan layer"))
  func aVulkanProgramFromInsideAndFromBetween() throws {
    let weston = try Weston()
    let program = ["vkcube-wayland", "--c", "60", "--present_mode", "2"]
    let inside = weston.capture(["vulkan"], to: "v.jsonl", program)
    #expect(inside.status == .success, "\(inside.errors)")
    let trace = try weston.trace("v.jsonl")
    let frames = trace.surfaces[0].frames
    #expect(frames.count == 60)
    for column in [FrameColumn.commit, .appEnd, .buffer, .gpuStart, .gpuEnd, .bufferWaitEnd] {
      #expect((0..<60).allSatisfy { frames[$0, column] != nil }, "\(column)")
    }
    #expect((0..<60).count { frames[$0, .displayed] != nil } >= 57)
    // The GPU works on a frame after the app has received its buffer.
    #expect((1..<60).allSatisfy { frames[$0, .gpuEnd] ?? 0 > frames[$0, .gpuStart] ?? 0 })
    let both = weston.capture(["vulkan", "--wayland"], to: "j.jsonl", program)
    #expect(both.status == .success, "\(both.errors)")
    let joined = try weston.trace("j.jsonl").surfaces[0].frames
    #expect(joined.count == 60 && joined.has(.gpuEnd) && joined.has(.released))
    #expect(try Self.distances(weston.folder.path("j.jsonl"), joined).allSatisfy { $0 < 50_000 })
  }

  /// A frame that is not yet displayed when a file ends is in the next file.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: Weston.layer), "no Vulkan layer"))
  func noFrameIsLostBetweenFiles() throws {
    let weston = try Weston()
    let run = Run(
      [
        "capture", "vulkan", "--part-time", "0.3", "-o", weston.folder.path("p.jsonl"), "--", "env",
        "XDG_RUNTIME_DIR=\(weston.folder.url.path)", "WAYLAND_DISPLAY=w", "vkcube-wayland", "--c",
        "90", "--present_mode", "2",
      ], variables: weston.variables)
    #expect(run.status == .success, "\(run.errors)")
    let names = weston.folder.files.filter { $0.hasPrefix("p.") }
    let frames = try names.map { try Self.rows(weston.folder.path($0)) }
    #expect(names.count > 3 && frames.flatMap(\.self).count == 90)
    // Only the last frames that the program presented may not have been displayed.
    #expect(frames.flatMap(\.self).count { $0.contains("\"displayed\":") } >= 87)
  }

  private static func rows(_ path: String) throws -> [Substring] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .filter { $0.contains("\"type\":\"frame\"") }
  }

  /// The differences, in ns, between the layer's display times and those of the messages.
  private static func distances(_ path: String, _ frames: Table<FrameColumn>) throws -> [Int64] {
    let displayed = Set((0..<frames.count).compactMap { frames[$0, .displayed] })
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let seen = lines.compactMap { line -> Int64? in
      guard let node = try? JSONNode(Array(line.utf8)), let message = RecordedMessage(node),
        message.interface == "vulkan", message.name == "frame"
      else { return nil }
      return message.integer(1 + (VulkanFrame.columns.firstIndex(of: .displayed) ?? 0))
    }
    #expect(seen.count >= 57)
    return seen.map { time in displayed.map { abs($0 - time) }.min() ?? .max }
  }

  @Test func aProgramThatSaysNothing() throws {
    let weston = try Weston()
    let silent = weston.capture(["wayland"], to: "s.jsonl", ["true"])
    #expect(silent.status == .badData)
    #expect(silent.errors.contains("opened no connection to the compositor"))
    let failing = weston.capture(["wayland"], to: "f.jsonl", ["sh", "-c", "exit 7"])
    #expect(failing.errors.contains("sh ended with status 7"))
    let absent = weston.capture(["wayland"], to: "n.jsonl", ["/nonexistent/program"])
    #expect(absent.status == .unavailable && absent.errors.contains("cannot be started"))
    #expect(!weston.folder.files.contains("n.jsonl"))
    let full = Run(
      ["capture", "wayland", "-o", "/dev/full", "--", "true"], variables: weston.variables)
    #expect(full.status == .inputOutput && full.errors.contains("No space left on device"))
  }
}

/// Capture options, without any compositor.
@Suite struct CaptureOptionTests {
  @Test(arguments: [
    ("wayland -- true", 69, "there is no Wayland session: XDG_RUNTIME_DIR is not set"),
    ("wayland -o - -- true", 64, "a capture cannot be written to standard output"),
    ("wayland --keep 3 -- true", 64, "--keep has no effect without --part-size or --part-time"),
    ("wayland --then plot -- true", 64, "expected one of analyze, report, found plot"),
    (
      "wayland --then analyze --part-time 3 -- true", 64,
      "--then has no effect with --part-time"
    ),
    ("vulkan --duration 0 -- true", 64, "expected a number from 0.01"),
    ("vulkan", 64, "expected -- COMMAND"),
    ("vulkan", 64, "usage: frametool capture vulkan [OPTION…] -- COMMAND…"),
    ("film -- true", 64, "expected one of capture vulkan, capture wayland"),
  ])
  func whatCannotBeDoneIsSaid(_ line: String, _ status: Int32, _ words: String) {
    let run = Run(["capture"] + line.split(separator: " ").map(String.init))
    #expect(run.status.rawValue == status)
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test func noCompositorIsThere() throws {
    let folder = try TemporaryFolder()
    let run = Run(
      ["capture", "wayland", "--", "true"],
      variables: ["XDG_RUNTIME_DIR": folder.path("."), "WAYLAND_DISPLAY": "nobody"])
    #expect(run.status == .unavailable && run.errors.contains("there is no Wayland compositor at"))
  }

  @Test func aCaptureThatCannotBePackedIsRefused() {
    for (arguments, message) in [
      (["wayland", "--part-time", "2"], "a capture in several files is not packed")
    ] {
      let run = Run(["capture"] + arguments + ["-o", "x.FTZ", "--", "true"])
      #expect(run.status == .usage)
      #expect(run.errors.contains("-o: \(message), found x.FTZ\n"), "\(run.errors)")
    }
  }

  @Test func aPackedCaptureCanBeReadUntilItIsPacked() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("run.ftz")
    let capture = try #require(PackedCapture(path))
    let trace = Run(["generate", "dropped-frames", "--frames", "50", "-o", capture.recording])
    #expect(trace.status == .success && folder.files == ["run.ftz.jsonl"])
    try capture.pack(quiet: true, on: .system())
    #expect(folder.files == ["run.ftz"])
    #expect(Run(["info", path]).output.contains("packed frametool trace, version 1"))
    #expect(PackedCapture(folder.path("run.jsonl")) == nil)
  }

  @Test func aDryRunStartsNothing() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: URL(filePath: folder.path("layer.so")))
    let run = Run(
      ["capture", "vulkan", "--dry-run", "-o", folder.path("x.jsonl"), "--", "game", "a b"],
      variables: [
        "XDG_RUNTIME_DIR": folder.path("run"), "FRAMETOOL_VULKAN_LAYER": folder.path("layer.so"),
        "XDG_DATA_DIRS": "/data",
      ])
    #expect(run.status == .success, "\(run.errors)")
    #expect(run.output.contains("/share:/data FRAMETOOL_CAPTURE="))
    #expect(run.output.contains("FRAMETOOL_LAYER=1 game 'a b'\n"))
    #expect(folder.files == ["layer.so"])
  }

  /// Without a session folder, the layer's manifest must not be where another user can create it
  /// first.
  @Test(arguments: ["unset", "open", "own"])
  func theLayersFolderIsPrivateAndNew(_ runtime: String) throws {
    let folder = try TemporaryFolder()
    try Data().write(to: URL(filePath: folder.path("layer.so")))
    try FileManager.default.createDirectory(
      atPath: folder.path("run"), withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    // In an open folder without the sticky bit, any user can replace this folder with another one.
    try FileManager.default.setAttributes(
      [.posixPermissions: runtime == "open" ? 0o777 : 0o700], ofItemAtPath: folder.path("run"))
    let game = try folder.script(
      "game",
      """
      echo "$FRAMETOOL_CAPTURE" | tr : '\\n' >'\(folder.path("paths"))'
      for path in $(cat '\(folder.path("paths"))'); do
        ls -lnd "$path" | cut -c1-10
        (cd "$path" && find . -type f | sort)
      done >'\(folder.path("found"))'
      """)
    var variables = ["FRAMETOOL_VULKAN_LAYER": folder.path("layer.so")]
    if runtime != "unset" { variables["XDG_RUNTIME_DIR"] = folder.path("run") }
    let run = Run(
      ["capture", "vulkan", "-o", folder.path("x.jsonl"), "--", game], variables: variables)
    #expect(
      run.errors.contains("no process of the program loaded the Vulkan layer"), "\(run.errors)")
    let text = { try String(contentsOfFile: folder.path($0), encoding: .utf8) }
    let paths = try text("paths").split(separator: "\n").map(String.init)
    let isOwn = runtime == "own"
    #expect(paths.first?.hasPrefix("/dev/shm/frametool-") == true)
    #expect(paths.count == (isOwn ? 2 : 1))
    #expect(paths.contains { $0.hasPrefix(folder.path("run")) } == isOwn)
    let found = try text("found").split(separator: "\n")
    #expect(found.count { $0 == "drwx------" } == paths.count)
    #expect(
      found.allSatisfy {
        ["drwx------", "./libframetool_vulkan_layer.so", "./owner"].contains($0)
          || $0 == "./share/vulkan/implicit_layer.d/frametool.json"
      }, "\(found)")
    #expect(paths.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
  }

  /// What a killed recorder left in memory goes away with the next capture; what is still used, and what another user
  /// could have put there, stays, and no link is followed.
  @Test(arguments: ["", "/"])
  func foldersOfKilledRecordersAreSwept(_ ending: String) throws {
    let folder = try TemporaryFolder()
    try Data().write(to: URL(filePath: folder.path("layer.so")))
    // A folder's name may have the letters that the system replaces.
    let (shared, files) = (folder.path("shared-XXXXXX"), FileManager.default)
    try files.createDirectory(atPath: folder.path("home"), withIntermediateDirectories: false)
    try Data("mine".utf8).write(to: URL(filePath: folder.path("home/letter")))
    for (name, hasOwner, mode) in [
      ("frametool-dead", true, 0o700), ("frametool-live", true, 0o700),
      ("frametool-open", true, 0o755), ("frametool-strange", false, 0o700),
      ("mine", true, 0o700),
    ] {
      let path = "\(shared)/\(name)"
      try files.createDirectory(atPath: path, withIntermediateDirectories: true)
      try files.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      try Data("ring".utf8).write(to: URL(filePath: "\(path)/1-0.ring"))
      try files.createSymbolicLink(
        atPath: "\(path)/home", withDestinationPath: folder.path("home"))
      if hasOwner { try Data("1\n".utf8).write(to: URL(filePath: "\(path)/owner")) }
    }
    let live = try ByteSink(alone: "\(shared)/frametool-live/owner") { 0 }
    _ = Run(
      [
        "capture", "vulkan", "--folder", shared + ending, "-o", folder.path("x.jsonl"), "--",
        "true",
      ],
      variables: ["FRAMETOOL_VULKAN_LAYER": folder.path("layer.so")])
    let left = try files.contentsOfDirectory(atPath: shared).sorted()
    #expect(left == ["frametool-live", "frametool-open", "frametool-strange", "mine"])
    #expect(files.fileExists(atPath: folder.path("home/letter")))
    withExtendedLifetime(live) {}
  }

  /// A capture without frames leaves no file, and an older one of the same name stays.
  @Test func aFailedCaptureChangesNoFile() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: URL(filePath: folder.path("layer.so")))
    let variables = ["FRAMETOOL_VULKAN_LAYER": folder.path("layer.so")]
    for program in ["true", "nothing-of-that-name"] {
      try Data("older".utf8).write(to: URL(filePath: folder.path("old.jsonl")))
      try Data("backup".utf8).write(to: URL(filePath: folder.path("old.jsonl.earlier")))
      try Data("backup".utf8).write(to: URL(filePath: folder.path("new.jsonl.earlier")))
      for name in ["old.jsonl", "new.jsonl"] {
        let run = Run(
          ["capture", "vulkan", "-o", folder.path(name), "--", program], variables: variables)
        #expect(run.status != .success)
      }
      #expect(try String(contentsOfFile: folder.path("old.jsonl"), encoding: .utf8) == "older")
      #expect(
        folder.files == ["layer.so", "new.jsonl.earlier", "old.jsonl", "old.jsonl.earlier"])
    }
  }

  @Test func aProgramOf32BitsIsRefused() throws {
    let folder = try TemporaryFolder()
    let program = URL(filePath: folder.path("old"))
    try Data([0x7f, 0x45, 0x4c, 0x46, 1, 1, 1, 0]).write(to: program)
    let run = Run(["capture", "vulkan", "--", program.path])
    #expect(run.status == .unavailable && run.errors.contains("found a 32-bit one"))
  }

  @Test func partsHaveNamesInOrder() {
    #expect(CaptureFile.path("a.jsonl", part: 1) == "a.jsonl")
    #expect(CaptureFile.path("b/a.jsonl", part: 2) == "b/a.part0002.jsonl")
    #expect(CaptureFile.path("b.c/a", part: 12) == "b.c/a.part0012")
    #expect(CaptureFile.path(".hidden", part: 10_001) == ".hidden.part10001")
    let names: Set = ["game-1.jsonl", "game-2.jsonl"]
    #expect(CaptureOptions().path(of: "/usr/bin/game") { names.contains($0) } == "game-3.jsonl")
  }
}
