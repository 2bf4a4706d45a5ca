import FrameAnalysis
import FrameTrace

extension FrameLimits {
  /// What limits the frames, as a sentence: the limit of most frames, with the times that show it, and each other limit
  /// of at least one frame in twenty.
  /// - Parameter trace: The trace of the frames, whose tool names the threads that work on a frame.
  func sentence(in trace: Trace) -> String {
    let isFlutter = trace.provenance.importer == "flutter"
    let words = { (limit: Limit) in isFlutter ? limit.flutterWords : limit.words }
    let others = Limit.allCases
      .filter { $0 != counts.main && counts.share($0) >= Self.leastShown }
      .sorted { counts.share($1) < counts.share($0) }
      .map { ", \(words($0)) in \(Self.percent(counts.share($0)))" }
    let main = "\(words(counts.main)) in \(Self.percent(counts.share(counts.main)))"
    return "\(main) of \(counts.n.frames)\(evidence)\(others.joined())"
  }

  private static func percent(_ share: Double) -> String {
    "\(FixedNumber.text(share * 100, decimals: 1)) %"
  }

  /// A limit of fewer frames is not mentioned.
  private static let leastShown = 0.05

  /// The times that show the limit of most frames.
  private var evidence: String {
    switch counts.main {
    case .gpu: gpuBusy == nil ? " (\(part("gpuTime", gpuTime)))" : " (\(part("gpuBusy", gpuBusy)))"
    case .cpu:
      " (\(part("cpuBusy", cpuBusy))"
        + (isInferred ? ", with any wait outside the present call)" : ")")
    case .limited where isPaced:
      " (\(rate) fps, as regular as a clock: inferred\(gpuPart))"
    case .limited: " (a cap or a wait at \(rate) fps, \(part("cpuBusy", cpuBusy))\(gpuPart))"
    case .display: " (each shown as soon as the display allows\(gpuPart))"
    case .unknown: " (the source lacks the busy times of the GPU or the CPU)"
    }
  }

  /// Whether a limiter is inferred from the pace of frames that look CPU-bound.
  private var isPaced: Bool { cpuBusy.map { $0 * 10 >= frameTime * 9 } ?? false }

  /// The GPU's busy time next to another cause; empty if it is not recorded.
  private var gpuPart: String { gpuBusy == nil ? "" : ", \(part("gpuBusy", gpuBusy))" }

  private func part(_ name: String, _ busy: Nanoseconds?) -> String {
    guard let busy else { return "\(name) not recorded" }
    let basis = isEstimated && name == "gpuBusy" ? ", estimated from the GPU's utilization" : ""
    return
      "median \(name) \(Self.milliseconds(busy)) of \(Self.milliseconds(frameTime)) ms\(basis)"
  }

  private var rate: String { FixedNumber.text(1000 / frameTime.milliseconds, decimals: 1) }

  private static func milliseconds(_ length: Nanoseconds) -> String {
    FixedNumber.text(length.milliseconds, decimals: 1)
  }
}

extension FrameLimits.Limit {
  /// The limit according to the threads of Flutter, whose raster thread records how long the thread worked, not how
  /// long the GPU worked.
  fileprivate var flutterWords: String {
    switch self {
    case .gpu: "bound by the raster thread"
    case .cpu: "bound by the UI thread"
    default: words
    }
  }
}
