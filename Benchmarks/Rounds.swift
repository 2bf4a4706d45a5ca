import FrameKit

/// What a workload took, round by round.
struct Rounds {
  private let workload: Workload
  private var own: [Cost] = []
  private var peer: [Cost] = []
  private var floor: [Cost] = []

  /// Runs a workload and what it is measured against in turns, after one round that does
  /// not count.
  init(of workload: Workload, count: Int) throws(ChildProcess.Failure) {
    self.workload = workload
    for _ in 0...count {
      own.append(try ChildProcess.run(workload.command))
      if let peer = workload.peer { self.peer.append(try ChildProcess.run(peer.command)) }
      floor.append(try ChildProcess.run(workload.floor.command))
    }
    own.removeFirst()
    if !peer.isEmpty { peer.removeFirst() }
    floor.removeFirst()
  }

  /// The result for people: medians, and ratios of the rounds.
  var line: String {
    var parts = ["\(workload.name): \(fixed(median(own.map(\.cpu)), 1)) ms of CPU time"]
    if let name = workload.peer?.name { parts.append("\(ratio(to: peer)) × \(name)") }
    parts.append("\(ratio(to: floor)) × \(workload.floor.name)")
    if workload.frames > 1 {
      let peak = own.map(\.peakMemory).max() ?? 0
      parts.append("at most \(peak / workload.frames) bytes a frame")
    }
    return parts.joined(separator: ", ") + " (\(own.count) rounds; \(workload.summary))"
  }

  /// The CPU time of each round as a frame of a trace in frametool's own format, for
  /// `frametool compare`.
  var samples: String {
    own.map { cost in
      "{\"type\": \"frame\", \"surface\": \"\(workload.name)\", "
        + "\"startInterval\": \(fixed(cost.cpu, 3))}\n"
    }.joined()
  }

  /// The median of what each round's own time is of another's.
  private func ratio(to other: [Cost]) -> String {
    fixed(median(zip(own, other).map { $0.cpu / max($1.cpu, 1e-3) }), 2)
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
