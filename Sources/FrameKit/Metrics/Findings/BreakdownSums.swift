/// The parts of many latencies, cut the same way in each, so that the means of the parts sum to
/// the mean of the whole.
struct BreakdownSums {
  /// The lengths of each part in order, with the names of the stages that it covers: more than
  /// one where most traces do not tell them apart.
  private(set) var parts: [(names: [LatencyBreakdown.Part], lengths: [Int64])] = []
  /// How many latencies take part, and how many do not, as they lack a cut that most have.
  private(set) var count = 0
  private(set) var missing = 0
  /// The whole latencies that take part.
  private(set) var whole: [Int64] = []

  init() {}

  /// - Parameter offset: A constant that is added to each.
  init(_ breakdowns: [LatencyBreakdown], offset: Int64) {
    var votes: [Set<LatencyBreakdown.Part>: Int] = [:]
    for breakdown in breakdowns { votes[breakdown.knownEnds, default: 0] += 1 }
    let order = { (ends: Set<LatencyBreakdown.Part>) in ends.map(\.rawValue).sorted().joined() }
    let most = votes.max { ($0.value, order($1.key)) < ($1.value, order($0.key)) }
    guard let ends = most?.key else { return }
    for breakdown in breakdowns {
      guard breakdown.knownEnds.isSuperset(of: ends) else {
        missing += 1
        continue
      }
      add(breakdown.lengths(cutAt: ends), offset: offset)
    }
  }

  private mutating func add(_ lengths: [LatencyBreakdown.Length], offset: Int64) {
    let own =
      offset == 0 ? [] : [LatencyBreakdown.Length(parts: [.deviceOffset], nanoseconds: offset)]
    for (place, length) in (lengths + own).enumerated() {
      if place == parts.count { parts.append((length.parts, [])) }
      parts[place].lengths.append(length.nanoseconds)
    }
    whole.append(lengths.reduce(offset) { $0 + $1.nanoseconds })
    count += 1
  }
}
