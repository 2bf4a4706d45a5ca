import FrameAnalysis
import FrameStatistics
import FrameTrace

/// A log as MangoHud 0.8.0 writes it, one row per frame, for tools that read such logs.
///
/// https://github.com/flightlessmango/MangoHud: `logging.cpp`. Numbers have six significant digits, as the standard
/// library prints them; a missing sensor value is written as 0.
struct MangoHudExport: TraceExport {
  let name = "mangohud"
  let summary = "MangoHud log of one surface, without sensor values"
  let suffixes: [String] = []

  func whyNot(_ study: Study) -> String? {
    guard study.surfaces.count == 1, let surface = study.surfaces.first else {
      return
        "expected one surface, found \(study.surfaces.count): choose one with --process or --surface"
    }
    return series(study, surface) == nil ? "there are no frame times" : nil
  }

  func write(_ study: Study, to sink: @escaping ([UInt8]) -> Void) {
    guard let surface = study.surfaces.first, let series = series(study, surface) else { return }
    var text =
      "os,cpu,gpu,ram,kernel,driver,cpuscheduler\n,,,,,,\n"
      + "fps,frametime,cpu_load,cpu_power,gpu_load,cpu_temp,gpu_temp,gpu_core_clock,gpu_mem_clock,"
      + "gpu_vram_used,gpu_power,ram_used,swap_used,process_rss,elapsed\n"
    var elapsed = Nanoseconds.zero
    series.visit { time, value in
      guard value > 0 else { return }
      // The log's time never decreases.
      elapsed = max(elapsed, time - study.range.lowerBound)
      let fps = Self.number(1e9 / Double(value))
      let length = Self.number(Millionths.value(value))
      text += "\(fps),\(length),0,0,0,0,0,0,0,0,0,0,0,0,\(elapsed.count)\n"
      if text.utf8.count > 1 << 16 {
        sink(Array(text.utf8))
        text = ""
      }
    }
    sink(Array(text.utf8))
  }

  private func series(_ study: Study, _ surface: Int) -> FrameSeries? {
    FrameSeries("frameTime", of: study.surface(surface))
  }

  /// A number with six significant digits; below 1, with six decimals.
  static func number(_ value: Double) -> String {
    var whole = 1
    var limit = 10.0
    while value >= limit, whole < 6 {
      whole += 1
      limit *= 10
    }
    var text = FixedNumber.text(value, decimals: value < 1 ? 6 : 6 - whole)
    guard text.contains(".") else { return text }
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }
}
