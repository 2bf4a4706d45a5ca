import FrameAnalysis
import FrameTrace

/// What is said of the stops of a surface.
struct StopWords {
  private let stops: StopFindings
  private let origin: Timestamp

  init(_ stops: StopFindings, from origin: Timestamp) {
    self.stops = stops
    self.origin = origin
  }

  /// How many there are, how long they took, and the longest; `nil` where there is none.
  var summary: String? {
    guard let longest = stops.longest else { return nil }
    let at = "\(Self.text(longest.length)) at \(seconds(longest.time))"
    return stops.stops.count == 1
      ? "1 stop of \(at)" : "\(count), \(Self.text(stops.total)) in all, the longest \(at)"
  }

  private var count: String { "\(stops.stops.count) stop\(stops.stops.count == 1 ? "" : "s")" }

  /// A rate, and what it is without stops where the two differ by more than 1 %.
  /// - Parameter rate: In frames per second.
  func rate(_ rate: Double) -> String {
    let text = FixedNumber.text(rate, decimals: 1)
    guard let without = stops.rateWithout, without > rate * 1.01 else { return "\(text) fps" }
    let other = FixedNumber.text(without, decimals: 1)
    return "\(text) fps (\(other) without \(count), \(Self.text(stops.total)))"
  }

  /// What caused them, and how many refreshes they may have dropped; `nil` where there are none and the window was never
  /// hidden.
  var causes: String? {
    var parts: [String] = []
    let unknown = stops.stops.count { $0.cause == .unknown }
    if unknown > 0 {
      let bound = stops.atMost.map { ", at most \($0) refreshes dropped" } ?? ""
      parts.append(
        "\(unknown == stops.stops.count ? "" : "\(unknown) of unknown cause: ")a pause, a hidden window, or a freeze; the source cannot tell\(bound)"
      )
    }
    for stage in PipelineStage.allCases {
      let count = stops.stops.count { $0.cause == .freeze(stage) }
      if count > 0 { parts.append("\(count) by \(stage.words)") }
    }
    var line = parts.isEmpty ? nil : "\(count): \(parts.joined(separator: "; "))"
    if !stops.hidden.isEmpty {
      let time = stops.hidden.reduce(Nanoseconds.zero) { $0 + $1.length }
      let hidden = "window hidden for \(Self.text(time)): the source states its frames as discarded"
      line = line.map { "\($0); \(hidden)" } ?? hidden
    }
    return line
  }

  /// A time from the start of the trace.
  private func seconds(_ time: Timestamp) -> String {
    FixedNumber.text((time - origin).seconds, decimals: 3) + " s"
  }

  /// A length in milliseconds, from 1 s on in seconds.
  static func text(_ length: Nanoseconds) -> String {
    length < .milliseconds(1000)
      ? FixedNumber.text(length.milliseconds, decimals: 0) + " ms"
      : FixedNumber.text(length.seconds, decimals: length < .milliseconds(10_000) ? 2 : 1) + " s"
  }
}
