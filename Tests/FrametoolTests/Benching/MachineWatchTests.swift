import Foundation
import Testing

@testable import frametool

/// What of the machine may change figures, read from folders like those of a Linux kernel.
@Suite struct MachineWatchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ path: String, _ text: String) throws {
    let url = folder.url.appending(path: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("\(text)\n".utf8).write(to: url)
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: folder.path(path), encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test func aQuietMachineHasNoFindings() throws {
    try write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance")
    try write("sys/devices/system/cpu/intel_pstate/no_turbo", "1")
    try write("sys/class/power_supply/BAT0/type", "Battery")
    try write("sys/class/power_supply/BAT0/status", "Charging")
    #expect(MachineWatch(root: folder.path("")).findings.isEmpty)
    #expect(MachineWatch(root: folder.path("empty")).findings.isEmpty)
  }

  @Test func whatChangesClocksIsSaid() throws {
    try write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave")
    try write("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance")
    try write("sys/devices/system/cpu/cpufreq/boost", "1")
    try write("sys/class/power_supply/BAT0/type", "Battery")
    try write("sys/class/power_supply/BAT0/status", "Discharging")
    let findings = MachineWatch(root: folder.path("")).findings
    #expect(findings.count == 3)
    #expect(findings[0].hasPrefix("1 of 2 processors have the governor powersave"))
  }

  /// Both sides of five degrees between the first and the last third of the runs.
  @Test(arguments: [(44_900, false), (45_100, true)])
  func aWarmerMachineIsSaid(_ last: Int, _ isSaid: Bool) throws {
    var watch = MachineWatch(root: folder.path(""))
    for temperature in [40_000, 40_000, last] {
      try write("sys/class/thermal/thermal_zone0/temp", "\(temperature)")
      watch.begin()
    }
    #expect(watch.findings.contains { $0.contains("warmer") } == isSaid)
  }

  /// The time that others took, as the kernel counts it.
  @Test func otherProgramsAreSaid() throws {
    var watch = MachineWatch(root: folder.path(""))
    try write("proc/stat", "cpu  100 0 100 5000 0 0 0 0 0 0")
    watch.begin()
    Thread.sleep(forTimeInterval: 0.1)
    // 100 more ticks are a second of processor time in a tenth of a second.
    try write("proc/stat", "cpu  200 0 100 5000 0 0 0 0 0 0")
    watch.end(cpu: 0)
    #expect(watch.findings.contains { $0.contains("other programs took") })
    var own = MachineWatch(root: folder.path(""))
    own.begin()
    own.end(cpu: 1_000_000_000)
    #expect(own.findings.isEmpty)
  }

  @Test func governorsAreSetAndSetBack() throws {
    let path = "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
    try write(path, "powersave")
    let setting = try GovernorSetting(root: folder.path(""))
    #expect(try text(path) == "performance")
    setting.restore()
    #expect(try text(path) == "powersave")
    #expect(throws: CommandError.self) { try GovernorSetting(root: folder.path("empty")) }
  }
}
