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
  public var date: JobDate
  /// What was built, as version control names it; `nil` when not known.
  public var commit: String?
  /// The app's version.
  public var version: String?
  public var device: String?
  /// The device's system and its version.
  public var system: String?
  /// What was done: a level, a page, a gesture.
  public var scene: String
  public var source = Source.measured
  /// Whatever else the user wants to find it by.
  public var tags: [String: String] = [:]

  public init(date: JobDate, scene: String) {
    self.date = date
    self.scene = scene
  }

  /// What it is called in a sentence: its commit, else its version, else its number.
  public var name: String { commit ?? version ?? "job \(number)" }
}

/// A figure of one run.
public struct HistoryValue: Hashable, Sendable {
  /// As `p95(frameTime)` or `droppedShare`.
  public let metric: String
  public let unit: String
  public let value: Double
  /// How many values it is made of.
  public let n: Int

  public init(metric: String, unit: String, value: Double, n: Int) {
    self.metric = metric
    self.unit = unit
    self.value = value
    self.n = n
  }
}

/// How often values fell between bounds, as devices in the field count them.
public struct FieldHistogram: Hashable, Sendable {
  public struct Bin: Hashable, Sendable {
    public let low, high: Double
    public let count: Int64
  }

  /// As `launchTime`.
  public let metric: String
  public let unit: String
  /// By their lower bounds. They may have gaps.
  public let bins: [Bin]

  /// - Returns: `nil` without a bin that has a count, or with bounds out of order.
  public init?(metric: String, unit: String, bins: [Bin]) {
    // The same bins of several files are one.
    var counts: [[Double]: Int64] = [:]
    for bin in bins where bin.count > 0 { counts[[bin.low, bin.high], default: 0] &+= bin.count }
    let used = counts.map { Bin(low: $0.key[0], high: $0.key[1], count: $0.value) }
    guard !used.isEmpty,
      used.allSatisfy({ $0.low <= $0.high && abs($0.low) < 1e15 && abs($0.high) < 1e15 })
    else { return nil }
    self.metric = metric
    self.unit = unit
    self.bins = used.sorted { ($0.low, $0.high) < ($1.low, $1.high) }
  }

  public var count: Int64 { bins.reduce(0) { $0 + $1.count } }

  /// A quantile, its place within a bin taken as if its values were spread evenly.
  public func quantile(_ share: Double) -> Double {
    let wanted = share * Double(count)
    var before: Int64 = 0
    for bin in bins {
      if Double(before + bin.count) >= wanted {
        return bin.low + (bin.high - bin.low) * (wanted - Double(before)) / Double(bin.count)
      }
      before += bin.count
    }
    return bins.last?.high ?? 0
  }

  /// The figures that a history keeps of it.
  public var values: [HistoryValue] {
    [("p50", 0.5), ("p95", 0.95)].map { name, share in
      HistoryValue(metric: "\(name)(\(metric))", unit: unit, value: quantile(share), n: Int(count))
    }
  }
}
