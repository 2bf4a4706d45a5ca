import Foundation
import FrameKit

/// The measurements of a workload, round by round.
struct Rounds {
  let workload: Workload
  /// The costs of frametool on each input, and of the peer on the large one.
  private var own: [[Cost]]
  private var peer: [Cost] = []

  /// Runs a workload and its peer in alternation, after one round that does not count.
  init(of workload: Workload, count: Int) throws(ChildProcess.Failure) {
    self.workload = workload
    for input in workload.inputs where !input.making.isEmpty && !ByteSink.exists(input.path) {
      _ = try ChildProcess.run(input.making)
    }
    own = workload.inputs.map { _ in [] }
    let large = workload.inputs.last?.path ?? ""
    for round in 0...count {
      let costs = try workload.inputs.map { input throws(ChildProcess.Failure) in
        try ChildProcess.run(workload.command(input.path))
      }
      let other = try ChildProcess.run(workload.peer.command(large))
      guard round > 0 else { continue }
      for position in costs.indices { own[position].append(costs[position]) }
      peer.append(other)
    }
  }

  private var large: [Cost] { own.last ?? [] }
  private var frames: Int { workload.inputs.last?.frames ?? 1 }

  /// The CPU time for the large input divided by the peer's: the median of the rounds.
  var ratio: Double { median(zip(large, peer).map { $0.cpu / max($1.cpu, 1e-3) }) }

  /// How far a round typically is from the ratio, as a share of it: three times the median
  /// deviation.
  var noise: Double {
    3 * median(zip(large, peer).map { abs($0.cpu / max($1.cpu, 1e-3) / ratio - 1) })
  }

  /// The headings of ``row``.
  static let headings = [
    "workload", "CPU, ms", "peer", "CPU, of the peer's", "noise", "time, of the peer's",
    "peak memory, MB",
    "bytes for each further frame", "growth",
  ]

  /// The result as a table row.
  var row: [String] {
    let isGrowing = own.count > 1
    return [
      workload.name, fixed(median(large.map(\.cpu)), 1), workload.peer.name, fixed(ratio, 2),
      "\(fixed(100 * noise, 0)) %",
      fixed(median(zip(large, peer).map { $0.wall / max($1.wall, 1e-3) }), 2),
      fixed(median(large.map { Double($0.peakMemory) }) / 1e6, 0),
      isGrowing ? fixed(bytesForEachFrame, 0) : "", isGrowing ? fixed(growth, 2) : "",
    ]
  }

  /// How CPU time grows with the number of frames, as an exponent: 1 is proportional.
  private var growth: Double {
    let times = zip(own, workload.inputs).map { (Double($1.frames), median($0.map(\.cpu))) }
    guard let small = times.first, let large = times.last, small.1 > 0, large.0 > small.0 else {
      return 1
    }
    return log(large.1 / small.1) / log(large.0 / small.0)
  }

  private var bytesForEachFrame: Double {
    guard let small = own.first, let first = workload.inputs.first, frames > first.frames else {
      return 0
    }
    let more =
      median(large.map { Double($0.peakMemory) }) - median(small.map { Double($0.peakMemory) })
    return more / Double(frames - first.frames)
  }

  /// The CPU time of each round, as frames of a trace in frametool's native format, for
  /// `frametool compare`.
  var samples: String {
    large.map { cost in
      "{\"type\": \"frame\", \"surface\": \"\(workload.name)\", "
        + "\"startInterval\": \(fixed(cost.cpu, 3))}\n"
    }.joined()
  }

  private func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  private func fixed(_ value: Double, _ decimals: Int) -> String {
    FixedNumber.text(value, decimals: decimals)
  }
}
