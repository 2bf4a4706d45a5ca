import FrameKit

/// The data that a system reports without root access about a running program and the machine: counters of `/proc` and
/// `/sys`, as Linux documents them.
struct SystemTelemetry {
  /// A reading of a sensor or counter.
  struct Reading: Sendable {
    let name, unit: String
    let value: Double
    /// The file from which the value was read.
    let source: String
  }

  /// A value to be compared with the next reading.
  private struct Counted {
    let value: Double
    let time: Int64
  }

  private let root: String
  private var before: [String: Counted] = [:]

  /// The clock ticks in which `/proc/PID/stat` counts; since 2.6, the kernel's interface has used 100 per second on
  /// every platform.
  private static let ticks = 100.0
  /// The kernel's counters are in thousandths, millionths and billionths of the units used here; a megabyte is a
  /// million bytes.
  private static let (milli, micro, nano) = (1e-3, 1e-6, 1e-9)
  private static let percent = 100.0
  private static let (cycles, passedCycles) = ("drm-cycles-", "drm-total-cycles-")
  private static let longestFile = 1 << 16
  /// The maximum number of processes and threads to examine, so that a reading is short.
  private static let mostProcesses = 64
  private static let mostThreads = 512

  /// - Parameter root: The folder that contains `proc` and `sys`; tests use another folder.
  init(root: String = "") { self.root = root }

  /// Reads all available data.
  /// - Parameters:
  ///   - process: The program, whose child processes are included.
  ///   - time: The current time, on a clock in ns.
  mutating func read(of process: Int, at time: Int64) -> [Reading] {
    let processes = family(of: process)
    let readings =
      graphics() + engines(of: processes, at: time) + processors()
      + load(of: processes, at: time) + battery()
    // Threads start and end throughout a capture.
    before = before.filter { $0.value.time == time }
    return readings
  }

  private func text(_ path: String) -> String? {
    let file = try? InputFile(path: path)
    guard let bytes = try? file?.readAll(atMost: Self.longestFile, of: "telemetry") else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func number(_ path: String) -> Double? {
    text(path).flatMap { Double($0.prefix { !$0.isWhitespace }) }
  }

  /// The paths in a folder, sorted.
  private func entries(_ path: String) -> [String] {
    ((try? FileFolder.files(in: root + path)) ?? nil) ?? []
  }

  private func reading(
    _ name: String, _ unit: String, _ path: String, _ scale: Double
  ) -> Reading? {
    number(path).map {
      Reading(name: name, unit: unit, value: $0 * scale, source: String(path.dropFirst(root.count)))
    }
  }

  /// The change of a counter per second; `nil` at the first reading, or if the counter decreased.
  private mutating func rate(_ key: String, _ value: Double, at time: Int64) -> Double? {
    let last = before.updateValue(Counted(value: value, time: time), forKey: key)
    guard let last, time > last.time, value >= last.value else { return nil }
    return (value - last.value) / Nanoseconds(time - last.time).seconds
  }
}

extension SystemTelemetry {
  /// Graphics cards: their use, power, temperature and clock rate.
  private func graphics() -> [Reading] {
    let cards = entries("/sys/class/drm").filter { path in
      let name = path.split(separator: "/").last ?? ""
      return name.hasPrefix("card") && name.dropFirst(4).allSatisfy(\.isNumber)
    }
    return cards.flatMap { card in
      let device = "\(card)/device"
      let suffix = cards.count > 1 ? " (\(card.split(separator: "/").last ?? ""))" : ""
      let sensors = entries("\(device.dropFirst(root.count))/hwmon").first ?? ""
      return [
        reading("GPU busy\(suffix)", "%", "\(device)/gpu_busy_percent", 1),
        reading("GPU power\(suffix)", "W", "\(sensors)/power1_average", Self.micro)
          ?? reading("GPU power\(suffix)", "W", "\(sensors)/power1_input", Self.micro),
        reading("GPU temperature\(suffix)", "°C", "\(sensors)/temp1_input", Self.milli),
        reading("GPU clock\(suffix)", "MHz", "\(sensors)/freq1_input", Self.micro),
        reading("GPU memory\(suffix)", "MB", "\(device)/mem_info_vram_used", Self.micro),
      ].compactMap { $0 }
    }
  }

  /// The program's use of each engine of the graphics card and of its memory, as described in the kernel's
  /// drm-usage-stats.rst.
  private mutating func engines(of processes: [Int], at time: Int64) -> [Reading] {
    var (busy, memory): ([String: Double], Double?) = ([:], nil)
    // Intel's xe driver counts cycles of each engine instead of time, and next to them the total elapsed cycles.
    var (cycles, passed): ([String: Double], [String: Double]) = ([:], [:])
    // A program may have the same card open several times; each client is counted once.
    var seen: Set<String> = []
    for process in processes {
      for file in entries("/proc/\(process)/fdinfo") {
        guard let text = text(file), text.contains("drm-driver:") else { continue }
        let lines = text.split(separator: "\n").map { line in
          let parts = line.split(separator: ":", maxSplits: 1)
          return (
            key: String(parts.first ?? ""),
            words: (parts.dropFirst().first ?? "").split(whereSeparator: \.isWhitespace)
          )
        }
        let client = lines.first { $0.key == "drm-client-id" }?.words.first.map(String.init) ?? file
        let card = lines.first { $0.key == "drm-pdev" }?.words.first.map(String.init) ?? ""
        guard seen.insert("\(card) \(client)").inserted else { continue }
        for line in lines {
          guard let value = line.words.first.flatMap({ Double($0) }) else { continue }
          if line.key.hasPrefix("drm-engine-"), !line.key.hasPrefix("drm-engine-capacity-") {
            busy[String(line.key.dropFirst("drm-engine-".count)), default: 0] += value
          } else if line.key.hasPrefix(Self.cycles) {
            cycles[String(line.key.dropFirst(Self.cycles.count)), default: 0] += value
          } else if line.key.hasPrefix(Self.passedCycles) {
            let engine = String(line.key.dropFirst(Self.passedCycles.count))
            passed[engine] = max(passed[engine] ?? 0, value)
          } else if line.key == "drm-memory-vram" || line.key == "drm-resident-vram0" {
            memory = (memory ?? 0) + value * Self.scale(line.words.dropFirst().first) * Self.micro
          }
        }
      }
    }
    var found = busy.sorted { $0.key < $1.key }.compactMap { engine, time0 in
      rate("engine \(engine)", time0, at: time).map {
        Reading(
          name: "program's GPU \(engine)", unit: "%", value: $0 * Self.nano * Self.percent,
          source: "/proc/PID/fdinfo: drm-engine-\(engine)")
      }
    }
    for (engine, worked) in cycles.sorted(by: { $0.key < $1.key }) {
      let share = rate("cycles \(engine)", worked, at: time)
      let whole = passed[engine].flatMap { rate("passed cycles \(engine)", $0, at: time) }
      guard let share, let whole, whole > 0 else { continue }
      found.append(
        Reading(
          name: "program's GPU \(engine)", unit: "%", value: share / whole * Self.percent,
          source: "/proc/PID/fdinfo: drm-cycles-\(engine)"))
    }
    if let memory {
      found.append(
        Reading(
          name: "program's GPU memory", unit: "MB", value: memory, source: "/proc/PID/fdinfo"))
    }
    return found
  }

  private static func scale(_ unit: Substring?) -> Double {
    switch unit {
    case "KiB": 1024
    case "MiB": 1024 * 1024
    default: 1
    }
  }

  /// The processors' mean clock rate and their temperature.
  private func processors() -> [Reading] {
    let folder = "/sys/devices/system/cpu"
    let rates = entries(folder).compactMap { number("\($0)/cpufreq/scaling_cur_freq") }
    var found: [Reading] = []
    if !rates.isEmpty {
      found.append(
        Reading(
          name: "CPU clock", unit: "MHz",
          value: rates.reduce(0, +) / Double(rates.count) * Self.milli,
          source: "\(folder)/cpu*/cpufreq/scaling_cur_freq"))
    }
    let drivers: Set = ["coretemp", "k10temp", "zenpower", "cpu_thermal"]
    let sensors = entries("/sys/class/hwmon").first { path in
      let name = text("\(path)/name")?.prefix { !$0.isWhitespace }
      return name.map { drivers.contains(String($0)) } ?? false
    }
    let temperature = sensors.flatMap {
      reading("CPU temperature", "°C", "\($0)/temp1_input", Self.milli)
    }
    return found + [temperature].compactMap { $0 }
  }

  /// The processor time of the program, and of the thread with the highest use, in percent of one processor.
  private mutating func load(of processes: [Int], at time: Int64) -> [Reading] {
    var (whole, busiest, isKnown) = (0.0, 0.0, false)
    var left = Self.mostThreads
    for process in processes {
      for thread in entries("/proc/\(process)/task").prefix(left) {
        left -= 1
        guard let used = used("\(thread)/stat"),
          let share = rate(thread, used / Self.ticks, at: time)
        else { continue }
        isKnown = true
        whole += share
        busiest = max(busiest, share)
      }
    }
    guard isKnown else { return [] }
    let source = "/proc/PID/task/*/stat"
    return [
      Reading(name: "program's CPU", unit: "%", value: whole * Self.percent, source: source),
      Reading(name: "busiest thread", unit: "%", value: busiest * Self.percent, source: source),
    ]
  }

  /// The processor time of a thread, in ticks.
  private func used(_ path: String) -> Double? {
    // The name of a thread may contain spaces and parentheses.
    guard let text = text(path), let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[end...].split(separator: " ").dropFirst()
    let times = fields.dropFirst(11).prefix(2).compactMap { Double($0) }
    return times.count == 2 ? times[0] + times[1] : nil
  }

  /// A process and its descendants.
  private func family(of process: Int) -> [Int] {
    var found = [process]
    var position = 0
    while position < found.count, found.count < Self.mostProcesses {
      for thread in entries("/proc/\(found[position])/task") {
        let children = text("\(thread)/children")?.split(separator: " ").compactMap { Int($0) }
        found += (children ?? []).filter { !found.contains($0) }
      }
      position += 1
    }
    return Array(found.prefix(Self.mostProcesses))
  }

  /// The first battery: its power and its charge.
  private func battery() -> [Reading] {
    let supplies = entries("/sys/class/power_supply")
    let first = supplies.first { text("\($0)/type")?.hasPrefix("Battery") ?? false }
    guard let first else { return [] }
    // While the battery is charging, the same file contains the charging power.
    let isCharging = text("\(first)/status")?.hasPrefix("Charging") ?? false
    let name = isCharging ? "battery charging power" : "battery power"
    let power =
      reading(name, "W", "\(first)/power_now", Self.micro)
      ?? reading(name, "W", "\(first)/current_now", Self.micro).flatMap { current in
        number("\(first)/voltage_now").map { volts in
          Reading(
            name: current.name, unit: current.unit, value: current.value * volts * Self.micro,
            source: current.source)
        }
      }
    return [power, reading("battery", "%", "\(first)/capacity", 1)].compactMap { $0 }
  }
}
