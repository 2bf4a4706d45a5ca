package import FrameKit

/// Writes logs like MangoHud 0.8.0 with `log_interval=0`: one row per frame, six significant digits.
package struct MangoHudEncoder: TraceEncoder {
  package let name = "mangohud"
  package let importer = "mangohud"
  package let precision = 1e-3
  package let carries: Set<Carried> = [.frames]

  package init() {}

  package func whyNot(_ trace: Trace) -> String? { trace.whyNoFrameTimes }

  package func encode(_ trace: Trace) -> [UInt8] {
    guard let frames = trace.surfaces.first?.frames else { return [] }
    var lines = [
      "os,cpu,gpu,ram,kernel,driver,cpuscheduler", "Example Linux 12,Example CPU,,32000000,6.1,,",
      "fps,frametime,cpu_load,cpu_power,gpu_load,cpu_temp,gpu_temp,gpu_core_clock,gpu_mem_clock,"
        + "gpu_vram_used,gpu_power,ram_used,swap_used,process_rss,elapsed",
    ]
    let start = (frames[0, .commit] ?? 0) - 150_000_000
    var last = start
    for row in 0..<frames.count {
      guard let commit = frames[row, .commit] else { continue }
      let length = Nanoseconds(commit - last).milliseconds
      lines.append(
        "\(Self.number(1e3 / length)),\(Self.number(length)),0,0,0,0,0,0,0,0,0,0,0,0,\(commit - start)"
      )
      last = commit
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// A number with six significant digits.
  private static func number(_ value: Double) -> String {
    var decimals = 5
    var limit = 10.0
    while value >= limit, decimals > 0 {
      decimals -= 1
      limit *= 10
    }
    return FixedNumber.text(value, decimals: decimals)
  }
}
