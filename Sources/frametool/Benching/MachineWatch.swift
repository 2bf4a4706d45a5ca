import FrameKit

/// The properties of the machine that may affect the figures of runs, and their changes during the runs, from files of
/// `/proc` and `/sys` as Linux documents them. On other systems, nothing is known.
struct MachineWatch: Sendable {
  private let root: String
  /// The governors of the processors before the runs.
  private let governors: [String]
  private var began: (time: Int64, busy: Int64?) = (0, nil)
  /// The time of runs, and the processor time of other programs during the runs, in nanoseconds.
  private var (ran, others): (Int64, Int64) = (0, 0)
  /// The highest temperature before each run, in °C.
  private var temperatures: [Double] = []

  /// Since 2.6, the kernel counts processor time in ticks of 10 ms, and temperatures in thousandths of a degree.
  private static let tick: Int64 = 10_000_000
  private static let degree = 1000.0
  /// The share of processor time of other programs, and the rise in temperature, that warrant a warning.
  private static let (muchLoad, muchWarmer) = (0.1, 5.0)

  /// - Parameter root: The folder that contains `proc` and `sys`; tests use another folder.
  init(root: String = "") {
    self.root = root
    governors = Self.files(root, "/sys/devices/system/cpu", "cpu").compactMap {
      Self.text("\($0)/cpufreq/scaling_governor")
    }
  }

  /// Records the start of a run.
  mutating func begin() {
    began = (LaunchedProcess.now, busy)
    let hot = Self.files(root, "/sys/class/thermal", "thermal_zone").compactMap {
      Self.text("\($0)/temp").flatMap { Double($0) }
    }.max()
    if let hot { temperatures.append(hot / Self.degree) }
  }

  /// Records the end of a run.
  /// - Parameter cpu: The run's processor time, in nanoseconds.
  mutating func end(cpu: Int64) {
    guard let before = began.busy, let busy else { return }
    ran += LaunchedProcess.now - began.time
    others += max(0, (busy - before) - cpu)
  }

  /// The processor time of all programs since the machine was started, in nanoseconds; `nil` if unknown.
  private var busy: Int64? {
    guard let line = Self.text("\(root)/proc/stat")?.split(separator: "\n").first else {
      return nil
    }
    let ticks = line.split(separator: " ").dropFirst().compactMap { Int64($0) }
    // user nice system idle iowait irq softirq steal
    guard ticks.count >= 8 else { return nil }
    return (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6] + ticks[7]) * Self.tick
  }

  /// Notes on the machine, in sentences.
  var findings: [String] {
    var found: [String] = []
    let slow = governors.filter { $0 != "performance" }
    if let governor = slow.first {
      found.append(
        "\(slow.count) of \(governors.count) processors have the governor \(governor), which changes their clock with the load; --set takes 'performance' while it measures"
      )
    }
    let noTurbo = Self.text("\(root)/sys/devices/system/cpu/intel_pstate/no_turbo")
    let boost = Self.text("\(root)/sys/devices/system/cpu/cpufreq/boost")
    if noTurbo == "0" || boost == "1" {
      found.append("turbo is on: the clock depends on the temperature and on what else runs")
    }
    let onBattery = Self.files(root, "/sys/class/power_supply", "").contains {
      Self.text("\($0)/type") == "Battery" && Self.text("\($0)/status") == "Discharging"
    }
    if onBattery { found.append("the machine runs on its battery, and may save power") }
    if ran > 0 {
      let share = Double(others) / Double(ran) / Double(LaunchedProcess.processorCount)
      if share >= Self.muchLoad {
        found.append(
          "other programs took \(FixedNumber.text(100 * share, decimals: 0)) % of the processors during the runs, which changes the time of a run more than its processor time (--metric cpuTime)"
        )
      }
    }
    let third = temperatures.count / 3
    if third > 0 {
      let (first, last) = (temperatures.prefix(third), temperatures.suffix(third))
      let rise = last.reduce(0, +) / Double(third) - first.reduce(0, +) / Double(third)
      if rise >= Self.muchWarmer {
        found.append(
          "the machine became \(FixedNumber.text(rise, decimals: 0)) °C warmer during the runs: rest before them, or warm up longer"
        )
      }
    }
    return found
  }

  private static func text(_ path: String) -> String? {
    guard let bytes = try? InputFile(path: path).readAll(atMost: 1 << 16, of: "a state") else {
      return nil
    }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: true).joined(separator: "\n")
  }

  /// The folders whose names begin with a given word, in a folder.
  private static func files(_ root: String, _ folder: String, _ start: String) -> [String] {
    let all = ((try? FileFolder.files(in: root + folder)) ?? nil) ?? []
    return all.filter { $0.dropFirst(root.count + folder.count + 1).hasPrefix(start) }
  }
}
