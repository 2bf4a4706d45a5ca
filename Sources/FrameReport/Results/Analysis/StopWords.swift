import FrameAnalysis
import FrameTrace

/// The sentences about the stops of a surface.
struct StopWords {
  private let stops: StopFindings
  private let origin: Timestamp

  init(_ stops: StopFindings, from origin: Timestamp) {
    self.stops = stops
    self.origin = origin
  }

  /// The number of stops, their total time, and the longest stop; `nil` without a stop.
  var summary: String? {
    guard let longest = stops.longest else { return nil }
    let at = "\(EventTimes.text(longest.length)) at \(EventTimes.text(longest.time, from: origin))"
    let line =
      stops.stops.count == 1
      ? "1 stop of \(at)" : "\(count), \(EventTimes.text(stops.total)) in all, the longest \(at)"
    return stops.dropWords.map { "\(line) (\($0))" } ?? line
  }

  private var count: String { "\(stops.stops.count) stop\(stops.stops.count == 1 ? "" : "s")" }

  /// A rate, and the rate without stops if the two differ by more than 1 %.
  /// - Parameter rate: In frames per second.
  func rate(_ rate: Double) -> String {
    let text = FixedNumber.text(rate, decimals: 1)
    guard let without = stops.rateWithout, without > rate * 1.01 else { return "\(text) fps" }
    let other = FixedNumber.text(without, decimals: 1)
    return "\(text) fps (\(other) without \(count), \(EventTimes.text(stops.total)))"
  }

  /// The causes of stops; `nil` without stops and without times in which the window was hidden.
  var causes: String? {
    var parts: [String] = []
    let unknown = stops.unknown.count
    if unknown > 0 {
      parts.append(
        "\(unknown == stops.stops.count ? "" : "\(unknown) of ")unknown cause (a pause, a hidden window, or a freeze)"
      )
    }
    for stage in PipelineStage.allCases {
      let count = stops.stops.count { $0.cause == .freeze(stage) }
      if count > 0 { parts.append("\(count) by \(stage.words)") }
    }
    var line = parts.isEmpty ? nil : "\(count): \(parts.joined(separator: "; "))"
    if !stops.hidden.isEmpty {
      let time = stops.hidden.reduce(Nanoseconds.zero) { $0 + $1.length }
      let hidden =
        "the window was hidden for \(EventTimes.text(time)): the source reports its frames as discarded"
      line = line.map { "\($0); \(hidden)" } ?? hidden
    }
    return line
  }

}

extension StopFindings {
  /// How many refreshes stops dropped, if the drops elsewhere do not contain them; `nil` for none.
  var dropWords: String? {
    let parts = [
      frozenOffGrid.flatMap { $0 > 0 ? "\($0) ± \(stops.count - unknown.count)" : nil },
      atMost.flatMap { $0 > 0 ? "at most \($0)" : nil },
    ].compactMap(\.self)
    return parts.isEmpty ? nil : "\(parts.joined(separator: " and ")) refreshes dropped"
  }
}
