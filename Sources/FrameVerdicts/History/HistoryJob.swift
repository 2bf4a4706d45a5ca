public import FrameAnalysis
public import FrameTrace

/// A set of measurements: the runs of a scene on a device for one commit, or data sent by devices
/// in the field.
public struct HistoryJob: Hashable, Sendable {
  /// The source of the figures; figures of different sources are never mixed.
  public enum Source: String, Sendable, CaseIterable {
    /// Runs that were deliberately measured.
    case measured
    /// Histograms that users' devices sent.
    case field
  }

  /// The job's number in the store; 0 until the job is stored.
  public internal(set) var number: Int64 = 0
  /// When the job ran.
  public var date: JobDate
  /// The commit that was built, as version control names it; `nil` when not known.
  public var commit: String?
  /// The app's version.
  public var version: String?
  /// The device that the job ran on; `nil` when not known.
  public var device: String?
  /// The device's operating system with its version.
  public var system: String?
  /// The scenario that was measured: a level, a page, a gesture.
  public var scene: String
  /// Whether the job was measured or comes from the field.
  public var source = Source.measured
  /// Other properties that the user wants to use to find the job.
  public var tags: [String: String] = [:]

  /// Creates a job of a scene, with nothing else known.
  public init(date: JobDate, scene: String) {
    self.date = date
    self.scene = scene
  }

  /// The job's name in a sentence: the commit, otherwise the version, otherwise the number.
  public var name: String { shortCommit ?? version ?? "job \(number)" }

  /// The commit for display: the first ten digits of a hash.
  package var shortCommit: String? {
    guard let commit else { return nil }
    let isHash = commit.utf8.count > 12 && commit.allSatisfy { $0.isASCII && $0.isHexDigit }
    return isHash ? String(commit.prefix(10)) : commit
  }
}

/// A figure of one run.
public struct HistoryValue: Hashable, Sendable {
  /// The figure's name, such as `p95(frameTime)` or `droppedShare`.
  public let metric: String
  /// The unit of the value.
  public let unit: String
  /// The value.
  public let value: Double
  /// The number of values that the figure is computed from.
  public let n: Int

  /// A value of a metric, computed from `n` values.
  public init(metric: String, unit: String, value: Double, n: Int) {
    self.metric = metric
    self.unit = unit
    self.value = value
    self.n = n
  }

  /// Whether a statistic of a metric is kept; p99 needs at least a hundred values.
  package static func keeps(_ statistic: String, n: Int) -> Bool {
    ["mean", "p50", "p95"].contains(statistic) || (statistic == "p99" && n >= 100)
  }
}

extension FieldHistogram {
  /// The figures of the histogram that a history keeps.
  public var values: [HistoryValue] {
    [("p50", 0.5), ("p95", 0.95)].map { name, share in
      HistoryValue(metric: "\(name)(\(metric))", unit: unit, value: quantile(share), n: Int(count))
    }
  }
}
