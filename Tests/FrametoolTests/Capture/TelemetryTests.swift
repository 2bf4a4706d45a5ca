import Foundation
import Testing

@testable import FrameImporters
@testable import FrameTrace
@testable import frametool

/// What Linux tells of a program and the machine, read from folders that look like its own.
@Suite struct TelemetryTests {
  private static let second: Int64 = 1_000_000_000

  /// Files below the root of a system.
  private static func write(_ files: [String: String], in folder: TemporaryFolder) throws {
    for (path, text) in files {
      let file = URL(filePath: folder.path(path))
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
  }

  private static func thread(_ number: Int, _ name: String, _ user: Int, _ system: Int) -> String {
    "\(number) (\(name)) S 1 1 1 0 -1 0 0 0 0 0 \(user) \(system) 0 0 20 0 1 0 100 0 0"
  }

  private static let machine = [
    "sys/class/drm/card0/device/gpu_busy_percent": "61\n",
    "sys/class/drm/card0/device/hwmon/hwmon3/power1_average": "45250000\n",
    "sys/class/drm/card0/device/hwmon/hwmon3/temp1_input": "71000\n",
    "sys/class/drm/card0/device/hwmon/hwmon3/freq1_input": "1600000000\n",
    "sys/class/drm/card0-HDMI-A-1/status": "connected\n",
    "sys/class/hwmon/hwmon0/name": "nvme\n",
    "sys/class/hwmon/hwmon0/temp1_input": "33000\n",
    "sys/class/hwmon/hwmon1/name": "k10temp\n",
    "sys/class/hwmon/hwmon1/temp1_input": "66125\n",
    "sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq": "3400000\n",
    "sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq": "2400000\n",
    "sys/class/power_supply/AC/type": "Mains\n",
    "sys/class/power_supply/BAT1/type": "Battery\n",
    "sys/class/power_supply/BAT1/status": "Discharging\n",
    "sys/class/power_supply/BAT1/current_now": "1500000\n",
    "sys/class/power_supply/BAT1/voltage_now": "12000000\n",
    "sys/class/power_supply/BAT1/capacity": "83\n",
    "proc/7/task/7/stat": thread(7, "a (strange) name", 100, 20),
    "proc/7/task/7/children": "9 ",
    "proc/7/task/8/stat": thread(8, "render", 10, 0),
    "proc/9/task/9/stat": thread(9, "child", 0, 0),
    "proc/7/fdinfo/3": "pos:\t0\n",
    "proc/7/fdinfo/4":
      "drm-driver:\tamdgpu\ndrm-client-id:\t5\ndrm-pdev:\t0000:04:00.0\ndrm-engine-gfx:\t1000000000 ns\ndrm-memory-vram:\t2048 KiB\n",
    "proc/7/fdinfo/5":
      "drm-driver:\tamdgpu\ndrm-client-id:\t5\ndrm-pdev:\t0000:04:00.0\ndrm-engine-gfx:\t1000000000 ns\ndrm-memory-vram:\t2048 KiB\n",
  ]

  private static func values(_ readings: [SystemTelemetry.Reading]) -> [String: Double] {
    Dictionary(readings.map { ("\($0.name) \($0.unit)", $0.value) }) { first, _ in first }
  }

  @Test func everyKindIsReadWithItsUnit() throws {
    let folder = try TemporaryFolder()
    try Self.write(Self.machine, in: folder)
    var telemetry = SystemTelemetry(root: folder.url.path)
    let first = Self.values(telemetry.read(of: 7, at: 0))
    #expect(first["GPU busy %"] == 61 && first["GPU power W"] == 45.25)
    #expect(first["GPU temperature °C"] == 71 && first["GPU clock MHz"] == 1600)
    #expect(first["CPU temperature °C"] == 66.125 && first["CPU clock MHz"] == 2900)
    #expect(first["battery power W"] == 18 && first["battery %"] == 83)
    #expect(first["program's GPU memory MB"] == 2.097152)
    // A rate needs two readings.
    #expect(first["program's CPU %"] == nil && first["program's GPU gfx %"] == nil)
    try Self.write(
      [
        "proc/7/task/7/stat": Self.thread(7, "a (strange) name", 130, 40),
        "proc/9/task/9/stat": Self.thread(9, "child", 25, 0),
        "proc/7/fdinfo/4":
          "drm-driver:\tamdgpu\ndrm-client-id:\t5\ndrm-pdev:\t0000:04:00.0\ndrm-engine-gfx:\t2200000000 ns\n",
        "proc/7/fdinfo/5": "pos:\t0\n",
      ], in: folder)
    let second = Self.values(telemetry.read(of: 7, at: 2 * Self.second))
    #expect(second["program's CPU %"] == 37.5 && second["busiest thread %"] == 25)
    #expect(second["program's GPU gfx %"].map { abs($0 - 60) < 1e-9 } == true)
  }

  /// Intel's xe driver counts cycles: those of two clients add up, those that went by do not.
  @Test func cyclesBecomeAShare() throws {
    let folder = try TemporaryFolder()
    let client = { (number: Int, cycles: Int, passed: Int) in
      "drm-driver:\txe\ndrm-client-id:\t\(number)\ndrm-pdev:\t0000:03:00.0\ndrm-cycles-rcs:\t\(cycles)\ndrm-total-cycles-rcs:\t\(passed)\n"
    }
    let files = ["proc/7/task/7/stat": Self.thread(7, "x", 1, 1)]
    try Self.write(
      files.merging([
        "proc/7/fdinfo/4": client(1, 1_000, 50_000), "proc/7/fdinfo/5": client(2, 0, 50_000),
      ]) { $1 },
      in: folder)
    var telemetry = SystemTelemetry(root: folder.url.path)
    #expect(Self.values(telemetry.read(of: 7, at: 0))["program's GPU rcs %"] == nil)
    try Self.write(
      ["proc/7/fdinfo/4": client(1, 6_000, 70_000), "proc/7/fdinfo/5": client(2, 1_000, 70_000)],
      in: folder)
    let readings = telemetry.read(of: 7, at: Self.second)
    #expect(Self.values(readings)["program's GPU rcs %"].map { abs($0 - 30) < 1e-9 } == true)
    #expect(readings.contains { $0.source == "/proc/PID/fdinfo: drm-cycles-rcs" })
    // Nothing went by, so there is no share.
    #expect(Self.values(telemetry.read(of: 7, at: 2 * Self.second))["program's GPU rcs %"] == nil)
  }

  @Test func sourcesAreNamedAsTheSystemNamesThem() throws {
    let folder = try TemporaryFolder()
    try Self.write(Self.machine, in: folder)
    var telemetry = SystemTelemetry(root: folder.url.path)
    let readings = telemetry.read(of: 7, at: 0)
    let busy = try #require(readings.first { $0.name == "GPU busy" })
    #expect(busy.source == "/sys/class/drm/card0/device/gpu_busy_percent")
    #expect(readings.allSatisfy { !$0.source.contains(folder.url.path) })
  }

  @Test func severalCardsAreToldApart() throws {
    let folder = try TemporaryFolder()
    try Self.write(Self.machine, in: folder)
    try Self.write(["sys/class/drm/card1/device/gpu_busy_percent": "7"], in: folder)
    var telemetry = SystemTelemetry(root: folder.url.path)
    let values = Self.values(telemetry.read(of: 7, at: 0))
    #expect(values["GPU busy (card0) %"] == 61 && values["GPU busy (card1) %"] == 7)
  }

  /// A counter that goes back, because a client was closed, has no rate.
  @Test func aCounterThatGoesBackIsUnknown() throws {
    let folder = try TemporaryFolder()
    try Self.write(Self.machine, in: folder)
    var telemetry = SystemTelemetry(root: folder.url.path)
    _ = telemetry.read(of: 7, at: 0)
    try Self.write(["proc/7/task/7/stat": Self.thread(7, "x", 1, 1)], in: folder)
    let second = Self.values(telemetry.read(of: 7, at: Self.second))
    // The other threads are still counted.
    #expect(second["program's CPU %"] == 0)
  }

  @Test func nothingAndNonsenseGiveNothing() throws {
    let folder = try TemporaryFolder()
    var telemetry = SystemTelemetry(root: folder.url.path)
    #expect(telemetry.read(of: 7, at: 0).isEmpty)
    try Self.write(
      [
        "sys/class/drm/card0/device/gpu_busy_percent": "",
        "sys/class/drm/card0/device/hwmon/hwmon3/power1_average": "none",
        "sys/class/power_supply/BAT0/type": "Battery", "proc/7/task/7/stat": "7 (x",
        "proc/7/task/7/children": "7 7 x",
      ], in: folder)
    #expect(telemetry.read(of: 7, at: 0).isEmpty)
  }

  /// This very process, on the machine that the tests run on.
  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/task"), "there is no /proc"))
  func theProgramsLoadIsRead() throws {
    var telemetry = SystemTelemetry()
    let own = Int(LaunchedProcess.ownIdentifier)
    _ = telemetry.read(of: own, at: 0)
    var sum = 0.0
    let start = LaunchedProcess.now
    // Other tests want the processors, too: of a whole second, this thread gets a part.
    while LaunchedProcess.now - start < 1_000_000_000 { sum += sum.squareRoot() + 1 }
    let load = Self.values(telemetry.read(of: own, at: LaunchedProcess.now - start))
    #expect(load["busiest thread %"].map { $0 > 5 } == true && sum > 0, "\(load)")
  }
}

/// Readings in recordings, in results and in plots.
@Suite struct TelemetryReportTests {
  /// A native trace with readings each second.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let made = Run(["generate", "steady-60", "-o", folder.path("a.jsonl")])
    try #require(made.status == .success)
    var text = try String(contentsOfFile: folder.path("a.jsonl"), encoding: .utf8)
    for second in 0..<4 {
      text +=
        #"{"type":"telemetry","name":"GPU power","unit":"W","source":"/sys/x","time":\#(second * 1_000_000_000),"value":\#(40 + second)}"#
        + "\n"
      text +=
        #"{"type":"telemetry","name":"CPU clock","unit":"MHz","time":\#(second * 1_000_000_000),"value":3400}"#
        + "\n"
    }
    try Data(text.utf8).write(to: URL(filePath: folder.path("a.jsonl")))
    return folder
  }

  @Test func theyStandBesideTheStages() throws {
    let folder = try Self.folder()
    let run = Run(["analyze", folder.path("a.jsonl")])
    #expect(run.output.contains("  mean (range): GPU power 41.5 W (40.0 to 43.0); n 4\n"))
    #expect(run.output.contains("  mean (range): CPU clock 3400 MHz; n 4\n"), "\(run.output)")
    let part = Run(["analyze", "--from", "1.5", "--to", "2.5", folder.path("a.jsonl")])
    #expect(part.output.contains("GPU power 42.0 W; n 1"), "\(part.output)")
    let json = Run(["analyze", "--format", "json", folder.path("a.jsonl")])
    #expect(json.output.contains("\"source\": \"/sys/x\""))
  }

  @Test func plotsShowThem() throws {
    let folder = try Self.folder()
    let plot = Run([
      "plot", "frame-times", "--with", "gpu-power", folder.path("a.jsonl"), "-o",
      folder.path("a.svg"),
    ])
    #expect(plot.status == .success, "\(plot.errors)")
    let picture = try String(contentsOfFile: folder.path("a.svg"), encoding: .utf8)
    #expect(picture.contains("GPU power in W"))
    let none = Run(["plot", "frame-times", "--with", "fan", folder.path("a.jsonl"), "-o", "-"])
    #expect(none.status != .success)
    #expect(none.errors.contains("there are readings of GPU power, CPU clock"), "\(none.errors)")
    let drops = Run(["plot", "drops", "--with", "fan", folder.path("a.jsonl"), "-o", "-"])
    #expect(drops.status == .usage && drops.errors.contains("--with has no effect on plot drops"))
  }

  @Test func theNativeFormatKeepsTheSource() throws {
    let folder = try Self.folder()
    let trace = try Importers.read(InputFile(path: folder.path("a.jsonl")))
    #expect(trace.telemetry.map(\.source) == ["/sys/x", nil])
    let again = Run(["convert", folder.path("a.jsonl"), "-"])
    #expect(again.output.contains(#""unit":"W","source":"/sys/x""#))
  }

  /// Sensors of one name and different sources are two; readings beyond any sensor are left out.
  @Test func sensorsAreNotMixed() throws {
    let reading = { (source: String, time: Int, value: String) in
      #"{"type":"telemetry","name":"GPU","unit":"%","source":"\#(source)","time":\#(time),"value":\#(value)}"#
    }
    let text = [
      #"{"schema":"frametool.trace/1"}"#, reading("a", 1, "5"), reading("b", 1, "95"),
      reading("a", 2, "1e400"), reading("b", 2, "-1e16"), reading("a", 3, "7"),
      #"{"type":"frame","commit":1}"#,
    ].joined(separator: "\n")
    let trace = try Importers.read(InputFile(bytes: Array(text.utf8), path: "a.jsonl"))
    #expect(trace.telemetry.map(\.values) == [[5, 7], [95]])
    #expect(trace.issues.contains { $0.message.contains("beyond 10^15") && $0.count == 2 })
  }

  @Test func messagesHaveThem() throws {
    let lines = [
      #"[50000000000,0,"!","x11",0,"part",[1]]"#,
      #"[50000000001,7,">","x11",5,"present",[1,1,0,0,50000]]"#,
      #"[50000000002,0,"!","telemetry",0,"reading",["GPU power","W",45.25,"/sys/x"]]"#,
      #"[51000000002,0,"!","telemetry",0,"reading",["GPU power","W",46,"/sys/x"]]"#,
      #"[51000000003,0,"!","telemetry",0,"reading",["GPU power","W",null,"/sys/x"]]"#,
    ]
    let trace = try Importers.read(
      InputFile(bytes: Array(lines.joined(separator: "\n").utf8), path: "a.jsonl"))
    #expect(trace.telemetry.count == 1 && trace.telemetry[0].values == [45.25, 46])
  }
}
