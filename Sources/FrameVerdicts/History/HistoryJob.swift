public import FrameAnalysis
public import FrameTrace

/// What was measured together: the runs of a scene on a device for one commit, or what devices in
/// the field sent in.
public struct HistoryJob: Hashable, Sendable {
  /// Where figures come from, which are never mixed.
  public enum Source: String, Sendable, CaseIterable {
    /// Runs that somebody made.
    case measured
    /// Histograms that devices of users sent.
    case field
  }

  /// Its number in the store; 0 before it is there.
  public internal(set) var number: Int64 = 0
  /// When the job ran.
  public var date: JobDate
  /// What was built, as version control names it; `nil` when not known.
  public var commit: String?
  /// The app's version.
  public var version: String?
  /// The device that it ran on; `nil` when not known.
  public var device: String?
  /// The device's system and its version.
  public var system: String?
  /// What was done: a level, a page, a gesture.
  public var scene: String
  /// Whether somebody measured, or it is data from the field.
  public var source = Source.measured
  /// Whatever else the user wants to find it by.
  public var tags: [String: String] = [:]

  /// A job of a scene, of which nothing else is known.
  public init(date: JobDate, scene: String) {
    self.date = date
    self.scene = scene
  }

  /// What it is called in a sentence: its commit, else its version, else its number.
  public var name: String { shortCommit ?? version ?? "job \(number)" }

  /// The commit as people read it: of a hash its first ten digits.
  package var shortCommit: String? {
    guard let commit else { return nil }
    let isHash = commit.utf8.count > 12 && commit.allSatisfy { $0.isASCII && $0.isHexDigit }
    return isHash ? String(commit.prefix(10)) : commit
  }
}

/// A figure of one run.
public struct HistoryValue: Hashable, Sendable {
  /// As `p95(frameTime)` or `droppedShare`.
  public let metric: String
  /// The unit of the value.
  public let unit: String
  /// The value.
  public let value: Double
  /// How many values it is made of.
  public let n: Int

  /// A value of a metric, made of `n` values.
  public init(metric: String, unit: String, value: Double, n: Int) {
    self.metric = metric
    self.unit = unit
    self.value = value
    self.n = n
  }

  /// Whether a statistic of a metric is kept: of a hundred values one is the tail.
  package static func keeps(_ statistic: String, n: Int) -> Bool {
    ["mean", "p50", "p95"].contains(statistic) || (statistic == "p99" && n >= 100)
  }
}

extension FieldHistogram {
  /// The figures that a history keeps of it.
  public var values: [HistoryValue] {
    [("p50", 0.5), ("p95", 0.95)].map { name, share in
      HistoryValue(metric: "\(name)(\(metric))", unit: unit, value: quantile(share), n: Int(count))
    }
  }
}
