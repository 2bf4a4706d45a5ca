import Foundation
import Testing

@testable import FrameImporters
@testable import FrameTrace
@testable import frametool

/// Third-party recorders, replaced by a stand-in that answers as they do and replays their
/// recordings.
@Suite("Captures by other recorders", .serialized)
struct RecorderTests {
  /// A trace of a scenario, as a format's recorder would have written it.
  private static func recorded(
    _ format: String, of scenario: String = "layer-app-overrun", in folder: TemporaryFolder,
    _ name: String
  ) throws -> String {
    let made = Run(["generate", scenario, "--encode", format, "-o", folder.path(name)])
    try #require(made.status == .success, "\(made.errors)")
    return folder.path(name)
  }

  @Test(arguments: [
    (["android", "--adb", "/no/such", "com.example"], "platform tools"),
    (["ios", "--xcrun", "/no/such", "Sketch"], "a Mac with Xcode"),
    (["chrome", "--browser", "/no/such", "https://example.org"], "apt install chromium"),
  ])
  func aToolThatIsNotThereIsOneSentence(_ arguments: [String], _ source: String) throws {
    let folder = try TemporaryFolder()
    let run = Run(["capture", arguments[0], "-o", folder.path("out")] + arguments.dropFirst())
    #expect(run.status == .unavailable && run.output == "")
    #expect(run.errors.hasPrefix("error: /no/such: not found\nhelp: "))
    #expect(run.errors.contains(source) && folder.files.isEmpty)
  }

  // MARK: Android

  /// Answers as adb does for a device with a running app; the recording is a trace made earlier.
  private static let adb = """
    echo "$*" >> LOG
    if [ "$1" = -s ]; then
      if [ "$2" != emulator-5554 ]; then echo "error: device '$2' not found" >&2; exit 1; fi
      shift 2
    fi
    case "$*" in
    *getprop*) echo LEVEL;;
    *pidof*) echo 4242;;
    *perfetto\\ --txt*) echo pid 77; WAIT;;
    *kill\\ -INT\\ 77*) : > STOPPED;;
    pull*) cp TRACE "$3"; echo "1 file pulled";;
    *framestats*) cat TRACE;;
    *) :;;
    esac
    """

  /// - Parameter changes: Texts to replace in the stand-in.
  private static func android(
    _ folder: TemporaryFolder, level: Int, trace: String, wait: String = ":",
    _ changes: [(String, String)] = []
  ) throws -> String {
    var text = Self.adb.replacing("LOG", with: folder.path("log")).replacing(
      "LEVEL", with: "\(level)"
    ).replacing("TRACE", with: trace).replacing("WAIT", with: wait)
      .replacing("STOPPED", with: folder.path("stopped"))
    for (found, other) in changes { text = text.replacing(found, with: other) }
    return try folder.script("adb", text)
  }

  @Test func aNewDeviceIsTracedWithPerfetto() throws {
    let folder = try TemporaryFolder()
    let trace = try Self.recorded("perfetto", of: "layer-app-overrun", in: folder, "trace")
    let adb = try Self.android(folder, level: 34, trace: trace)
    let run = Run([
      "capture", "android", "--adb", adb, "--serial", "emulator-5554", "--duration", "2.5", "-o",
      folder.path("run.perfetto-trace"), "--then", "analyze", "com.example.app",
    ])
    #expect(run.status == .success, "\(run.errors)")
    #expect(run.output.contains("Perfetto trace") && run.output.contains("dropped"))
    let said = try String(contentsOfFile: folder.path("log"), encoding: .utf8)
    #expect(said.contains("android.surfaceflinger.frametimeline"))
    #expect(said.contains("atrace_apps: \"com.example.app\"") && said.contains("duration_ms: 2500"))
    #expect(said.contains("rm -f /data/misc/perfetto-traces/frametool.perfetto-trace"))
    #expect(said.split(separator: "\n").allSatisfy { $0.hasPrefix("-s emulator-5554 ") })
  }

  @Test func anOldDeviceIsAskedForItsFrames() throws {
    let folder = try TemporaryFolder()
    let trace = try Self.recorded("gfxinfo", in: folder, "trace")
    let adb = try Self.android(folder, level: 28, trace: trace)
    let run = Run([
      "capture", "android", "--adb", adb, "--duration", "0.3", "-o", folder.path("run.gfxinfo.txt"),
      "--then", "analyze", "com.example.app",
    ])
    #expect(run.status == .success, "\(run.errors)")
    #expect(run.errors.contains("API level 28") && run.errors.contains("gfxinfo dump"))
    #expect(run.output.contains("dumpsys gfxinfo"))
    let said = try String(contentsOfFile: folder.path("log"), encoding: .utf8)
    #expect(said.contains("dumpsys gfxinfo com.example.app reset") && !said.contains("perfetto"))
  }

  /// A failure on the way to a device is one sentence, and the next line says what to do.
  @Test(arguments: [
    (
      "*getprop*) echo LEVEL", "*getprop*) echo 'error: no devices/emulators found' >&2; exit 1",
      "no device is connected", "developer options"
    ),
    (
      "*getprop*) echo LEVEL", "*getprop*) echo 'error: device unauthorized.' >&2; exit 1",
      "does not trust this computer", "USB debugging"
    ),
    (
      "*getprop*) echo LEVEL", "*getprop*) echo 'error: more than one device/emulator' >&2; exit 1",
      "several devices", "--serial"
    ),
    (
      "*getprop*) echo LEVEL", "*getprop*) echo 'error: device offline' >&2; exit 1", "offline",
      "reconnect"
    ),
    ("*getprop*) echo LEVEL", "*getprop*) echo 19", "API level 19", "newer device"),
    ("*pidof*) echo 4242", "*pidof*) exit 1", "com.example.app is not running", "monkey"),
    (
      "echo pid 77; WAIT", "echo pid 77; echo 'write failed: No space left on device'; exit 1",
      "the device's disk is full", "--duration"
    ),
    (
      "echo pid 77; WAIT", "echo 'Failed to connect to the service'; exit 1",
      "Perfetto failed with status 1 on the device: Failed to connect", "--gfxinfo"
    ),
    (
      "pull*) cp TRACE \"$3\"",
      "pull*) echo 'adb: error: failed to copy: No space left on device' >&2; exit 1",
      "a disk is full", "--duration"
    ),
  ])
  func eachFailureIsOneSentence(
    _ found: String, _ other: String, _ problem: String, _ help: String
  ) throws {
    let folder = try TemporaryFolder()
    let filled = { (text: String) in
      text.replacing("LEVEL", with: "34").replacing("WAIT", with: ":").replacing("TRACE", with: "t")
    }
    let adb = try Self.android(
      folder, level: 34, trace: "t", [(filled(found), filled(other))])
    let run = Run([
      "capture", "android", "--adb", adb, "--duration", "1", "-o", folder.path("run"),
      "com.example.app",
    ])
    #expect(run.status != .success && run.output == "")
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == 2, "\(run.errors)")
    #expect(lines.first?.contains(problem) ?? false, "\(run.errors)")
    #expect(lines.last?.contains(help) ?? false, "\(run.errors)")
    #expect(!folder.files.contains("run"))
  }

  @Test func whatIsPrintedAloneIsWhatIsRun() throws {
    let run = Run(["capture", "android", "--dry-run", "--duration", "3", "com.example.app"])
    #expect(run.status == .success && run.errors == "")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 5 && lines.allSatisfy { $0.hasPrefix("adb ") })
    #expect(lines.contains { $0.contains("perfetto --txt") && $0.contains("duration_ms: 3000") })
    #expect(Run(["capture", "android", "com.example; rm -rf /"]).status == .usage)
    #expect(ShellWords.split(String(lines[2]))?.count == 3)
  }

  @Test(.enabled(if: RealTraces.arePresent, "\(RealTraces.absence)"))
  func aRealDeviceSaysItsOwn() throws {
    let folder = try TemporaryFolder()
    let trace = RealTraces.path(
      "gfxinfo/bamlab_flashlight__packages__commands__test__src__utils__test__sample-gfxinfo-output.txt"
    )
    let adb = try Self.android(folder, level: 29, trace: trace)
    let run = Run([
      "capture", "android", "--adb", adb, "--duration", "0.3", "-o", folder.path("run.gfxinfo.txt"),
      "--then", "analyze", "com.example.app",
    ])
    #expect(run.status == .success, "\(run.errors)")
    #expect(run.output.contains("dumpsys gfxinfo"))
    let taken = try Data(contentsOf: URL(filePath: folder.path("run.gfxinfo.txt")))
    #expect(try taken == Data(contentsOf: URL(filePath: trace)))
  }

  // MARK: iOS

  /// Answers as xctrace does; its tables are in a folder.
  private static let xcrun = """
    echo "$*" >> LOG
    FAIL
    while [ $# -gt 0 ]; do
      case "$1" in
      --output) output=$2;;
      --xpath) table=${2#*@schema=\\"}; table=${table%%\\"*};;
      --toc) toc=1;;
      record) mkdir="yes";;
      esac
      shift
    done
    if [ -n "$mkdir" ]; then mkdir -p "$output"; echo "Output file saved"
    elif [ -n "$toc" ]; then echo '<trace-toc><run number="1"><data>'; for t in $(ls TABLES); do echo "<table schema=\\"${t%.xml}\\"/>"; done; echo '</data></run></trace-toc>'
    else cp "TABLES/$table.xml" "$output"; fi
    """

  @Test func aRecordingOfInstrumentsIsExportedTableByTable() throws {
    let folder = try TemporaryFolder()
    let tables = folder.url.appending(path: "tables")
    try FileManager.default.createDirectory(at: tables, withIntermediateDirectories: true)
    // The tables of one export refer to each other's values, so they stay in one file.
    _ = try Self.recorded("xctrace", of: "app-overrun", in: folder, "tables/hitches-updates.xml")
    try Data().write(to: tables.appending(path: "nobody-reads.xml"))
    let tool = try folder.script(
      "xcrun",
      Self.xcrun.replacing("LOG", with: folder.path("log")).replacing("TABLES", with: tables.path)
        .replacing("FAIL", with: ":"))
    let run = Run([
      "capture", "ios", "--xcrun", tool, "--device", "My iPhone", "--duration", "3", "-o",
      folder.path("run.trace"), "--then", "analyze", "Sketch",
    ])
    #expect(run.status == .success, "\(run.errors)")
    #expect(run.output.contains("xctrace export") && run.output.contains("dropped"))
    #expect(folder.files == ["log", "run.hitches-updates.xml", "run.trace", "tables", "xcrun"])
    let said = try String(contentsOfFile: folder.path("log"), encoding: .utf8)
    #expect(
      said.hasPrefix(
        "xctrace record --template Animation Hitches --device My iPhone --attach Sketch --time-limit 3s"
      ))
  }

  @Test(.enabled(if: RealTraces.arePresent, "\(RealTraces.absence)"))
  func aRealRecordingHasItsTables() throws {
    let folder = try TemporaryFolder()
    let tables = folder.url.appending(path: "tables")
    try FileManager.default.createDirectory(at: tables, withIntermediateDirectories: true)
    let names = [
      "display-surface-swap", "display-vsyncs-interval", "displayed-surfaces-interval", "hitches",
      "hitches-renders", "time-sample",
    ]
    for name in names {
      try FileManager.default.copyItem(
        atPath: RealTraces.path(
          "xctrace/sforteln_xctrace-query-mcp-server__schema-table__\(name).xml"),
        toPath: tables.appending(path: "\(name).xml").path)
    }
    let tool = try folder.script(
      "xcrun",
      Self.xcrun.replacing("LOG", with: folder.path("log")).replacing("TABLES", with: tables.path)
        .replacing("FAIL", with: ":"))
    let run = Run([
      "capture", "ios", "--xcrun", tool, "--duration", "3", "-o", folder.path("run.trace"),
      "--then",
      "analyze", "Sketch",
    ])
    #expect(run.status == .success, "\(run.errors)")
    #expect(run.output.contains("11 hitches, 616.7 ms in all"))
  }

  @Test(arguments: [
    (
      "xcrun: error: unable to find utility \"xctrace\", not a developer tool or in PATH",
      "Xcode is not installed", "xcode-select"
    ),
    ("Cannot find process matching name: Sketch", "the app is not running", "open it"),
    ("Unable to find device matching 'My iPhone'", "the device was not found", "list devices"),
    ("The device is locked.", "the device is locked", "unlock"),
    ("Device is not paired", "does not trust this Mac", "accept"),
    ("Developer Mode is disabled", "developer mode", "Settings"),
    ("No space left on device", "a disk is full", "free some space"),
    ("Something else", "xctrace failed with status 2: Something else", "--dry-run"),
  ])
  func eachFailureOfInstrumentsIsOneSentence(
    _ said: String, _ problem: String, _ help: String
  ) throws {
    let folder = try TemporaryFolder()
    let words = said.replacing("'", with: "'\\''")
    let tool = try folder.script("xcrun", "echo '\(words)' >&2; exit 2")
    let run = Run([
      "capture", "ios", "--xcrun", tool, "--duration", "1", "-o", folder.path("run.trace"),
      "Sketch",
    ])
    #expect(run.status == .unavailable)
    let lines = run.errors.split(separator: "\n")
    #expect(
      lines.count == 2 && lines[0].contains(problem) && lines[1].contains(help), "\(run.errors)")
  }

  // MARK: Chromium

  /// Speaks the DevTools protocol as far as needed, and logs the requests.
  private static let browser = """
    exec python3 - "$@" <<'END'
    import json, os, sys
    log, trace, mode = open("LOG", "w"), open("TRACE").read(), "MODE"
    print(*sys.argv[1:], file=log, flush=True)
    def say(message): os.write(4, json.dumps(message).encode() + b"\\0")
    rest, place = b"", 0
    while True:
        piece = os.read(3, 65536)
        if not piece: break
        *whole, rest = (rest + piece).split(b"\\0")
        for each in whole:
            call = json.loads(each)
            method, values = call["method"], call["params"]
            print(method, json.dumps(values), call.get("sessionId"), file=log, flush=True)
            result = {}
            if method == "Target.getTargets":
                result = {"targetInfos": [{"type": "iframe"}, {"type": "page", "targetId": "T"}]}
            elif method == "Target.attachToTarget": result = {"sessionId": "S"}
            elif method == "Page.navigate" and mode == "unknown":
                result = {"errorText": "net::ERR_NAME_NOT_RESOLVED"}
            elif method == "IO.read":
                part = trace[place:place + 100000]
                place += len(part)
                result = {"data": part, "eof": place >= len(trace)}
            if method == "Tracing.start" and mode == "crashing": os._exit(9)
            if method == "Tracing.start" and mode == "refusing":
                say({"id": call["id"], "error": {"message": "no tracing"}}); continue
            say({"id": call["id"], "result": result})
            if method == "Page.navigate": say({"method": "Page.loadEventFired", "params": {}})
            if method == "Tracing.end": say({"method": "Tracing.tracingComplete", "params": {"stream": "1"}})
            if method == "Browser.close": sys.exit()
    END
    """

  private static func browser(
    _ folder: TemporaryFolder, _ mode: String = "plain"
  ) throws -> String {
    let trace = try recorded("chrome", of: "app-overrun", in: folder, "trace")
    return try folder.script(
      "browser",
      browser.replacing("LOG", with: folder.path("log")).replacing("TRACE", with: trace)
        .replacing("MODE", with: mode))
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
  func aPageIsTracedAndTouched() throws {
    let folder = try TemporaryFolder()
    try Data("# a tap\n0 down 10 20.5\n16 move 11 21\n\n33 up\n".utf8).write(
      to: URL(filePath: folder.path("tap")))
    let run = Run([
      "capture", "chrome", "--browser", try Self.browser(folder), "--duration", "0.2", "--touch",
      folder.path("tap"), "-o", folder.path("run.trace.json"), "--then", "analyze",
      "https://example.org/a", "--", "--window-size=400,300",
    ])
    #expect(run.status == .success, "\(run.errors)")
    #expect(run.output.contains("Chromium trace") && run.output.contains("dropped"))
    let said = try String(contentsOfFile: folder.path("log"), encoding: .utf8)
    #expect(said.contains("--headless=new") && said.contains("--window-size=400,300 about:blank"))
    #expect(said.contains("Page.navigate {\"url\": \"https://example.org/a\"} S"))
    let touches = said.split(separator: "\n").filter { $0.contains("dispatchTouchEvent") }
    #expect(touches.count == 3 && touches[0].contains("\"x\": 10, \"y\": 20.5"))
    #expect(touches[2].contains("\"touchEnd\", \"touchPoints\": []"))
    #expect(said.contains("Browser.close"))
    // The profile is deleted with all its contents.
    #expect(folder.files == ["browser", "log", "run.trace.json", "tap", "trace"])
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")),
    arguments: [
      ("unknown", "https://nobody.example: net::ERR_NAME_NOT_RESOLVED"),
      ("crashing", "the browser ended with status 9"),
      ("refusing", "Tracing.start: no tracing"),
    ])
  func eachFailureOfABrowserIsOneSentence(_ mode: String, _ problem: String) throws {
    let folder = try TemporaryFolder()
    let run = Run([
      "capture", "chrome", "--browser", try Self.browser(folder, mode), "--duration", "0.2", "-o",
      folder.path("run.trace.json"), "https://nobody.example",
    ])
    #expect(
      run.status != .success && run.errors.hasPrefix("error: \(problem)\nhelp: "), "\(run.errors)")
    #expect(folder.files == ["browser", "log", "trace"])
  }

  @Test(arguments: [
    "0 down 1", "x down 1 2", "5 down 1 2\n4 move 1 2", "0 tap 1 2", "0 up 1 2", "1e300 down 1 2",
    "nan up",
  ])
  func aTouchScriptThatIsNoneIsTold(_ text: String) throws {
    let folder = try TemporaryFolder()
    try Data(text.utf8).write(to: URL(filePath: folder.path("tap")))
    let run = Run([
      "capture", "chrome", "--touch", folder.path("tap"), "-o", folder.path("run"), "https://a.b",
    ])
    #expect(run.status == .badData && run.errors.contains("tap:"), "\(run.errors)")
    #expect(folder.files == ["tap"])
  }
}
