/// The refreshes of a display, and how they are known.
public struct DisplayRefreshes: Sendable {
  /// How an interval is known.
  public enum Source: String, Sendable {
    /// By the refreshes that the trace recorded, or the times at which frames were displayed.
    case measured
    /// By the source's word, and nothing contradicts it.
    case stated
    /// By nothing: 60 Hz.
    case assumed
  }

  /// The refreshes by number; `nil` when the display kept no interval.
  let grid: RefreshGrid?
  public let source: Source
  /// Whether the trace recorded the refreshes themselves.
  public let isRecorded: Bool
  /// Whether the numbers of the refreshes are the source's own.
  let isNumbered: Bool
  /// Whether the display waits for frames, so that a refresh is whenever one comes.
  public let isVariable: Bool
  /// The interval that the trace states and its own times contradict.
  public let contradicted: Nanoseconds?
  /// The numbers of refreshes that the trace says repeated the frame before, in order.
  let repeated: [Int64]
  /// Whether the trace tells of any refresh whether it repeated a frame.
  let knowsRepeats: Bool
  /// The shortest time between refreshes at a variable rate; `nil` where not known.
  let shortestInterval: Int64?

  /// The usual time between refreshes; `nil` when the display kept none.
  public var interval: Nanoseconds? { grid.map { Nanoseconds($0.interval) } }

  /// Finds the refreshes of a display.
  /// - Parameters:
  ///   - display: What the trace says of it; `nil` when it says nothing.
  ///   - shown: When frames came onto it, in nanoseconds, in order and each once.
  init(_ display: Display?, shown: [Int64]) {
    let stated = display?.interval?.count
    isVariable = display?.isVariable ?? false
    shortestInterval = display?.shortestInterval?.count
    if let display, let recorded = RecordedRefreshes(display) {
      grid = recorded.grid
      isNumbered = recorded.isNumbered
      repeated = recorded.repeated
      knowsRepeats = recorded.knowsRepeats
      source = .measured
      isRecorded = true
      contradicted = nil
      return
    }
    isRecorded = false
    isNumbered = false
    repeated = []
    knowsRepeats = false
    if display?.isVariable == true {
      (grid, source, contradicted) = (
        Self.waiting(shown, shortest: shortestInterval), .measured, nil
      )
    } else if let recovery = RefreshRecovery(shown, stated: stated) {
      grid = recovery.grid
      source = recovery.isStated ? .stated : .measured
      contradicted = recovery.isStated ? nil : stated.map(Nanoseconds.init)
    } else if shown.count > 3 {
      (grid, source, contradicted) = (nil, .measured, nil)
    } else {
      source = stated == nil ? .assumed : .stated
      contradicted = nil
      grid = shown.first.map {
        RefreshGrid(numbers: [0], times: [$0], interval: stated ?? Self.sixtyHertz)
      }
    }
  }

  private static let sixtyHertz: Int64 = 16_666_667

  /// A display that waits for frames refreshes when they come.
  private static func waiting(_ times: [Int64], shortest: Int64?) -> RefreshGrid? {
    guard times.count > 1 else { return nil }
    let steps = zip(times.dropFirst(), times).map { $0 &- $1 }.sorted()
    return RefreshGrid(
      numbers: Array(0..<Int64(times.count)), times: times,
      interval: max(1, shortest ?? steps[steps.count / 2]))
  }
}
