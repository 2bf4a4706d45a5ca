import FrameAnalysis
import FrameStatistics
import FrameTrace

/// The sentences about the stutters of a surface.
struct StutterWords {
  private let found: StutterFindings
  private let origin: Timestamp

  init(_ found: StutterFindings, from origin: Timestamp) {
    self.found = found
    self.origin = origin
  }

  /// The number of stutters, their frequency, the longest stutter, and their cost; `nil` without a stutter.
  var summary: String? {
    guard let worst = found.worst else { return nil }
    let count = found.stutters.count
    let rate = FixedNumber.text(found.perMinute, decimals: 1)
    let size = "\(EventTimes.text(worst.longest)) at \(seconds(worst.time))"
    let share = FixedNumber.text(found.share * 100, decimals: 1)
    return count == 1
      ? "1 stutter, \(size); \(share) % of the time"
      : "\(count) stutters, \(rate) per minute, longest \(size); \(share) % of the time"
  }

  /// The distribution of stutters over the run: bursts, the run-in, and slow stretches, which are not stutters; `nil`
  /// if stutters are spread evenly.
  var distribution: String? {
    var parts: [String] = []
    if found.stutters.count > 3, found.bursts * 2 <= found.stutters.count {
      let s = found.bursts == 1 ? "" : "s"
      parts.append("the \(found.stutters.count) stutters come in \(found.bursts) burst\(s)")
    }
    if let runIn = found.runIn {
      let later = FixedNumber.text(runIn.laterPerMinute, decimals: 1)
      parts.append(
        "\(runIn.early) of \(found.stutters.count) stutters in the first 30 s, \(later) per minute later"
      )
    }
    if let longest = found.slowStretches.max(by: { $0.length < $1.length }) {
      let count = found.slowStretches.count
      parts.append(
        "\(count) slow stretch\(count == 1 ? "" : "es"), where all frames are slow: the longest \(FixedNumber.text(longest.length.seconds, decimals: 1)) s at \(seconds(longest.time)), \(EventTimes.text(longest.median)) per frame, usually \(EventTimes.text(found.usual))"
      )
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// The rhythms in which stutters recur; `nil` without a rhythm.
  var rhythm: String? {
    found.rhythms.isEmpty ? nil : found.rhythms.map(words).joined(separator: "; ")
  }

  /// The number of series to name.
  private static let mostNamed = 4

  /// The series that differ around stutters; `nil` if no series differs.
  static func differences(_ found: StutterDifferences) -> String? {
    guard !found.findings.isEmpty else { return nil }
    let named = found.findings.prefix(mostNamed).map { finding in
      let values = [finding.difference.near, finding.difference.usual].map {
        FixedNumber.text($0, decimals: abs($0) < 1000 ? 1 : 0)
      }
      let unit = finding.unit.map { " \($0)" } ?? ""
      let difference = finding.difference
      return
        "\(finding.name) \(values[0])\(unit) \(words(difference.side)) them (\(difference.distinct) of \(difference.count) stand out), usually \(values[1])\(unit)"
    }
    let more = found.findings.count - named.count
    return
      "around the stutters: \(named.joined(separator: "; "))\(more > 0 ? "; \(more) more series differ" : ""); a coincidence in time, not a proven cause (\(found.series) series compared)"
  }

  private static func words(_ side: MomentDifference.Side) -> String {
    switch side {
    case .before: "just before"
    case .during: "during"
    case .after: "just after"
    }
  }

  private func words(_ rhythm: Rhythm) -> String {
    let period = FixedNumber.text(rhythm.period, decimals: 2)
    let every = rhythm.uncertainty.map {
      "\(period) ± \(FixedNumber.text(max($0, 0.01), decimals: 2)) s"
    }
    let chance = FixedNumber.text(max(rhythm.probability, 0.0001), decimals: 4)
    return
      "a stutter every \(every ?? "\(period) s, drifting"): \(rhythm.onBeat) of \(rhythm.count) on the beat (p \(rhythm.probability < 0.0001 ? "<" : "=") \(chance))"
  }

  private func seconds(_ time: Timestamp) -> String { EventTimes.text(time, from: origin) }
}
