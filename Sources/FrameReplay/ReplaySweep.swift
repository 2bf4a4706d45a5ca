public import FrameTrace

/// The replays of a recording with one condition at several values.
public struct ReplaySweep: Sendable {
  /// The condition that is changed.
  public enum Variable: Hashable, Sendable {
    case scale(ReplayConditions.Stage)
    case buffers, renderAhead, refresh, cap

    /// The condition's name on the command line.
    public var name: String {
      switch self {
      case .scale(let stage): stage.rawValue
      case .buffers: "buffers"
      case .renderAhead: "render-ahead"
      case .refresh: "refresh"
      case .cap: "cap"
      }
    }

    /// All conditions that can be swept.
    public static let all: [Variable] =
      ReplayConditions.Stage.allCases.map(Variable.scale) + [
        .buffers, .renderAhead, .refresh, .cap,
      ]

    /// The smallest allowed value.
    public var least: Double { self == .buffers ? 2 : isWhole ? 1 : 0.01 }
    /// The largest allowed value.
    public var most: Double {
      switch self {
      case .scale: 100
      case .buffers: 8
      case .renderAhead: 16
      case .refresh, .cap: 10_000
      }
    }

    var isWhole: Bool { self == .buffers || self == .renderAhead }

    /// Sets the condition to a value.
    public func set(_ value: Double, in conditions: inout ReplayConditions) {
      switch self {
      case .scale(let stage): conditions.scales[stage] = value
      case .buffers: conditions.buffers = Int(value)
      case .renderAhead: conditions.renderAhead = Int(value)
      case .refresh: conditions.refresh = .fixed(.milliseconds(1000 / value))
      case .cap: conditions.cap = .milliseconds(1000 / value)
      }
    }
  }

  /// The changed condition.
  public let variable: Variable
  /// A replay at one value of the condition.
  public struct Step: Sendable {
    /// The value.
    public let value: Double
    /// The replay.
    public let replay: Replay
  }

  /// A replay for each value, in ascending order.
  public let replays: [Step]

  /// Replays a recording over a range of values, in steps of a tenth of the range, or of one for
  /// counts.
  public init(
    _ replayer: Replayer, of variable: Variable, over range: ClosedRange<Double>,
    under conditions: ReplayConditions = ReplayConditions(), _ parallelism: Parallelism = .none
  ) throws(ReplayRefusal) {
    self.variable = variable
    let steps = variable.isWhole ? Int(range.upperBound - range.lowerBound) : 10
    let results = parallelism.map(max(0, steps) + 1) { step in
      let share = steps > 0 ? Double(step) / Double(steps) : 0
      let value = range.lowerBound + share * (range.upperBound - range.lowerBound)
      var changed = conditions
      variable.set(value, in: &changed)
      return Result { () throws(ReplayRefusal) in
        Step(value: value, replay: try replayer.replay(changed))
      }
    }
    replays = try results.map { result throws(ReplayRefusal) in try result.get() }
  }

  /// The names of the most important figures.
  private static let mainNames = [
    "droppedRefreshes", "hitchTimeRatio", "p50(touchToPhoton)", "p50(displayLatency)",
    "mean(frameTime)",
  ]

  /// The most important figures that have a prediction, each at the first such value.
  package var mainFigures: [Replay.Figure] {
    Self.mainNames.compactMap { name in
      replays.lazy.compactMap { $0.replay.figure(name) }.first { $0.gain != nil }
    }
  }
}
