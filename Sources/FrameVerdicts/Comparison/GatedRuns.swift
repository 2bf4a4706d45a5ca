import FrameStatistics

/// The results of limits over several runs together: for each surface and limit, the median of the
/// runs and their noise.
///
/// A single run sometimes exceeds a limit although nothing changed. Therefore the median of several
/// runs is judged: it fails a limit only if the noise of the runs does not explain the excess.
public struct GatedRuns: Sendable {
  /// The outcome of one limit on one surface.
  public enum Outcome: String, Sendable {
    case kept
    case failed
    /// The median exceeds the limit, but by no more than the runs' noise explains.
    case withinNoise = "within_noise"
    case undecided
  }

  /// One limit on one surface, over all runs that have it.
  public struct Item: Sendable {
    /// The surface's name.
    public let surface: String
    /// The limit that was checked.
    public let limit: GateLimit
    /// One value for each run that has the figure, in the order of the runs.
    public let values: [Double]
    /// The maximum of these figures: the values, unless the sources give only bounds; `nil` if any figure has no bound.
    let most: [Double]?
    /// The unit of the values and of the limit.
    public let unit: String
    /// Why some runs have no value, or no value that decides the limit: the first reason.
    public let why: String?
    /// What the limit does not cover, although a run keeps it: the first remark.
    public let remark: String?
    package let noise: GateNoise?
    fileprivate let lacksValues: Bool

    /// The median of the known values; `nil` if there are none.
    public var median: Double? {
      values.isEmpty ? nil : RealQuantile.type7(values.sorted(), 0.5)
    }

    /// Whether the limit was kept.
    public var outcome: Outcome {
      guard let median, !lacksValues else { return .undecided }
      let holds = limit.relation.holds(median, limit.value)
      let mayHold =
        most.map { limit.relation.holds(RealQuantile.type7($0.sorted(), 0.5), limit.value) }
        ?? !limit.relation.isUpper
      guard holds == mayHold else { return .undecided }
      if holds { return .kept }
      guard let noise else { return .failed }
      let bound = noise.bound(from: limit.relation.isUpper)
      return limit.relation.holds(bound, limit.value) ? .withinNoise : .failed
    }

    /// The chance that one more unchanged run fails the limit by itself; `nil` with fewer than three runs, or if all
    /// runs are equal.
    public var chanceOfOne: Double? {
      noise?.chancePast(limit.value, isUpper: limit.relation.isUpper)
    }
  }

  /// The runs, in the order in which they were given.
  public let files: [String]
  /// The outcome of each limit on each surface.
  public let items: [Item]

  /// Whether any limit has values from several runs, so that they can be judged together.
  public var haveSeveralRuns: Bool { items.contains { $0.values.count > 1 } }

  /// Combines the results of limits for runs of the same scene.
  public init(_ traces: [GatedTrace]) {
    files = traces.map(\.file)
    var positions: [String: Int] = [:]
    var grouped: [(surface: String, results: [GateResult])] = []
    for item in traces.flatMap(\.results) {
      let key = item.surface + "\n" + item.result.limit.text
      if let position = positions[key] {
        grouped[position].results.append(item.result)
      } else {
        positions[key] = grouped.count
        grouped.append((item.surface, [item.result]))
      }
    }
    items = grouped.map { surface, results in
      let values = results.compactMap(\.value)
      let unit = results.first { $0.value != nil }?.unit ?? ""
      return Item(
        surface: surface, limit: results[0].limit, values: values, most: Self.most(results),
        unit: unit,
        why: results.lazy.compactMap(\.why).first,
        remark: results.lazy.compactMap(\.remark).first, noise: GateNoise(values, unit: unit),
        lacksValues: results.contains { $0.value == nil })
    }
  }

  /// The maximum of the runs' figures; `nil` if any figure has no bound.
  private static func most(_ results: [GateResult]) -> [Double]? {
    var most: [Double] = []
    for result in results {
      guard let value = result.value else { continue }
      guard let own = result.isLowerBound ? result.most : value else { return nil }
      most.append(own)
    }
    return most
  }
}
