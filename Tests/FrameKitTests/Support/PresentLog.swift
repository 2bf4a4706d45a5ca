@testable import FrameAnalysis
@testable import FrameTrace

/// A PresentMon log of a game on a display of 60 Hz, with some of its columns.
struct PresentLog {
  /// A group of columns that a log may lack.
  enum Part: CaseIterable {
    case gpu, renderComplete, inPresent
  }

  /// The time from present to present before each frame, in refreshes.
  let starts: [Double]
  /// How long each present call waits, in refreshes.
  let wait: Double
  /// How long the GPU works on each frame, in refreshes; `nil` for a log without.
  let gpu: [Double]?
  /// How long after a refresh the frame before the first one is presented, in refreshes.
  let first: Double
  private var missing: Set<Part> = []
  private var extra: (name: String, cell: String)?

  init(starts: [Double], wait: Double, gpu: [Double]?, first: Double = 0) {
    (self.starts, self.wait, self.gpu, self.first) = (starts, wait, gpu, first)
  }

  func without(_ part: Part) -> PresentLog {
    var log = self
    log.missing.insert(part)
    return log
  }

  func with(_ name: String, _ cell: String) -> PresentLog {
    var log = self
    log.extra = (name, cell)
    return log
  }

  private static let refresh = 16.6667

  var text: String {
    let hasGPU = gpu != nil && !missing.contains(.gpu)
    var names = [
      "Application", "ProcessID", "SwapChainAddress", "Runtime", "SyncInterval", "PresentFlags",
      "Dropped", "TimeInSeconds", "msBetweenPresents", "AllowsTearing", "PresentMode",
      "msUntilDisplayed", "msBetweenDisplayChange",
    ]
    if !missing.contains(.inPresent) { names.append("msInPresentAPI") }
    if !missing.contains(.renderComplete) { names.append("msUntilRenderComplete") }
    if hasGPU { names += ["msUntilRenderStart", "msGPUActive"] }
    if let extra { names.append(extra.name) }
    var lines = [names.joined(separator: ",")]
    var (time, shown) = (100 + first, 0.0)
    for (row, step) in starts.enumerated() {
      time += step
      let busy = gpu?[row] ?? 0.2
      let done = time + max(0.1, busy * 0.9)
      let next = max(done.rounded(.up), shown + 1)
      var cells = [
        "game.exe", "77", "0x1", "DXGI", "1", "0", "0", "\(time * Self.refresh / 1000)",
        "\(step * Self.refresh)", "0", "Hardware: Independent Flip",
        "\((next - time) * Self.refresh)", "\((next - shown) * Self.refresh)",
      ]
      if !missing.contains(.inPresent) { cells.append("\(wait * Self.refresh)") }
      if !missing.contains(.renderComplete) { cells.append("\((done - time) * Self.refresh)") }
      if hasGPU {
        cells += ["\((done - time - busy) * Self.refresh)", "\(busy * Self.refresh)"]
      }
      if let extra { cells.append(extra.cell) }
      lines.append(cells.joined(separator: ","))
      shown = next
    }
    return lines.joined(separator: "\n") + "\n"
  }

  func analysis() throws -> SurfaceAnalysis {
    let surfaces = TraceAnalysis(of: try TestData.read(text: text, path: "log.csv")).surfaces
    return surfaces[0]
  }
}
