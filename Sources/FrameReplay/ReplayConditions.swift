public import FrameTrace

/// What would have been different: the conditions under which recorded work is played again.
///
/// What is `nil` stays as it was recorded.
public struct ReplayConditions: Hashable, Sendable {
  /// How finished frames come onto the display.
  public enum PresentMode: String, Sendable, CaseIterable {
    /// Each frame in order, one a refresh; the app waits for a buffer.
    case fifo
    /// Each refresh shows the newest finished frame; older ones are replaced unseen.
    case mailbox
    /// Each frame comes onto the display at once, in the middle of a refresh: it tears. Nothing waits.
    case immediate
  }

  /// When the display refreshes.
  public enum Refresh: Hashable, Sendable {
    /// At a fixed rate: the time between refreshes.
    case fixed(Nanoseconds)
    /// Whenever a frame comes, between a shortest and a longest time after the one before: a display that has waited for the
    /// longest shows the old frame again. `nil` for the time between refreshes that was recorded, and for no longest.
    case variable(shortest: Nanoseconds?, longest: Nanoseconds?)
  }

  /// The stages whose time can be scaled or put off.
  public enum Stage: String, Hashable, Sendable, CaseIterable {
    case app, compositor, gpu
  }

  /// Whether the compositor takes commits at once.
  public var lowLatency: Bool?
  /// How many buffers there are; `nil` for as many as in the recording.
  public var buffers: Int?
  /// How the display takes frames; `nil` for as in the recording.
  public var presentMode: PresentMode?
  /// How the display refreshes; `nil` for as in the recording.
  public var refresh: Refresh?
  /// The time from touch scan to touch scan.
  public var scanInterval: Nanoseconds?
  /// How far ahead touches are predicted.
  public var prediction: Nanoseconds?
  /// The factors by which the times of stages change.
  public var scales: [Stage: Double] = [:]
  /// By how much later stages start.
  public var defers: [Stage: Nanoseconds] = [:]
  /// Whether content of the GPU is shown together with the compositor's content of its transaction.
  public var syncsLayers: Bool?
  /// On how many frames the app may work before the GPU has finished them.
  public var renderAhead: Int?
  /// The shortest time from the start of a frame to the start of the next one.
  public var cap: Nanoseconds?

  /// As it was recorded.
  public init() {}

  /// Whether nothing would be different.
  public var isEmpty: Bool { self == ReplayConditions() }

  /// What is different, in words.
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
