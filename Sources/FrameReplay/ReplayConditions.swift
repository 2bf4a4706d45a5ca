public import FrameTrace

/// Changed conditions for a replay of recorded work.
///
/// A field that is `nil` stays as recorded.
public struct ReplayConditions: Hashable, Sendable {
  /// How finished frames reach the display.
  public enum PresentMode: String, Sendable, CaseIterable {
    /// Frames are shown in order, one at each refresh; the app waits for a buffer.
    case fifo
    /// Each refresh shows the newest finished frame; older frames are replaced unseen.
    case mailbox
    /// Each frame is shown immediately, in the middle of a refresh, which causes tearing. Nothing waits.
    case immediate
  }

  /// The refresh timing of the display.
  public enum Refresh: Hashable, Sendable {
    /// A fixed rate, given as the time between refreshes.
    case fixed(Nanoseconds)
    /// A variable rate: the display refreshes when a frame arrives, within a shortest and a longest time after the
    /// previous refresh. After the longest time, it shows the old frame again. If the shortest time is `nil`, it is the
    /// recorded interval; if the longest time is `nil`, there is no limit.
    case variable(shortest: Nanoseconds?, longest: Nanoseconds?)
  }

  /// The stages that can be scaled or delayed.
  public enum Stage: String, Hashable, Sendable, CaseIterable {
    case app, compositor, gpu
  }

  /// Whether the compositor takes commits immediately.
  public var lowLatency: Bool?
  /// The number of buffers; `nil` as recorded.
  public var buffers: Int?
  /// The present mode; `nil` as recorded.
  public var presentMode: PresentMode?
  /// The refresh timing of the display; `nil` as recorded.
  public var refresh: Refresh?
  /// The time between touch scans.
  public var scanInterval: Nanoseconds?
  /// How far ahead the positions of touches are predicted.
  public var prediction: Nanoseconds?
  /// The factors applied to the times of stages.
  public var scales: [Stage: Double] = [:]
  /// The delays added to the starts of stages.
  public var defers: [Stage: Nanoseconds] = [:]
  /// Whether GPU content is shown together with the compositor's content of the same transaction.
  public var syncsLayers: Bool?
  /// The number of frames that the app may work ahead of the GPU.
  public var renderAhead: Int?
  /// The shortest time between the starts of frames.
  public var cap: Nanoseconds?

  /// The recorded conditions.
  public init() {}

  /// Whether nothing is changed.
  public var isEmpty: Bool { self == ReplayConditions() }

  /// The changes, in words.
  public var words: [String] {
    var words: [String] = []
    if let lowLatency { words.append("low latency \(lowLatency ? "on" : "off")") }
    if let buffers { words.append("\(buffers) buffers") }
    if let presentMode { words.append("present mode \(presentMode.rawValue)") }
    switch refresh {
    case .fixed(let interval): words.append("\(Self.rate(interval)) Hz")
    case .variable(let shortest, let longest):
      let ends = [longest, shortest].map { $0.map(Self.rate) }
      let range = ends.compactMap(\.self).joined(separator: " to ")
      words.append("variable refresh" + (range.isEmpty ? "" : " of \(range) Hz"))
    case nil: break
    }
    if let scanInterval { words.append("touches at \(Self.rate(scanInterval)) Hz") }
    if let prediction { words.append("prediction \(Self.length(prediction)) ms ahead") }
    for stage in Stage.allCases {
      if let scale = scales[stage] {
        words.append("\(stage.rawValue) × \(FixedNumber.text(scale, decimals: 2))")
      }
      if let time = defers[stage] {
        words.append("\(stage.rawValue) \(Self.length(time)) ms later")
      }
    }
    if let syncsLayers { words.append("layers \(syncsLayers ? "" : "not ")in sync") }
    if let renderAhead { words.append("\(renderAhead) frame\(renderAhead == 1 ? "" : "s") ahead") }
    if let cap { words.append("at most \(Self.rate(cap)) fps") }
    return words
  }

  private static func rate(_ interval: Nanoseconds) -> String {
    FixedNumber.text(1000 / interval.milliseconds, decimals: 1)
  }

  private static func length(_ length: Nanoseconds) -> String {
    FixedNumber.text(length.milliseconds, decimals: 1)
  }
}
