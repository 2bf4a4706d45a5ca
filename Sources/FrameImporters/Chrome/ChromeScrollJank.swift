import FrameTrace

/// Chromium's own verdicts on the frames of scrolls, since Chrome 145: `ScrollJankV4`.
///
/// Chromium, `cc/metrics/scroll_jank_v4_decider.h`: a frame is janky if input was available for an earlier refresh,
/// judging by the previous frames, or if refreshes without a frame interrupt a fast scroll or a fling.
struct ChromeScrollJank {
  /// Why a frame is janky, as Chromium numbers it.
  enum Reason: Int64, CaseIterable {
    case slowerDelivery = 1
    case fastScroll, flingStart, fling

    /// Chromium's name for the reason.
    var name: String {
      switch self {
      case .slowerDelivery: "MISSED_VSYNC_DUE_TO_DECELERATING_INPUT_FRAME_DELIVERY"
      case .fastScroll: "MISSED_VSYNC_DURING_FAST_SCROLL"
      case .flingStart: "MISSED_VSYNC_AT_START_OF_FLING"
      case .fling: "MISSED_VSYNC_DURING_FLING"
      }
    }
  }

  /// The facts that a frame's events state.
  struct Facts {
    /// The number that all events of one frame share.
    var identifier: Int64?
    var isJanky = false
    /// The number of refreshes missed for each reason.
    var missed: [Reason: Int64] = [:]
  }

  /// A frame of a process, identified by its display time.
  struct Frame: Hashable {
    let process: Int64?
    let presented: Int64
  }

  private var verdicts: [(facts: Facts, process: Int64?)] = []
  private var presented: [Int64: Int64] = [:]

  /// The name of events with a verdict, and the suffix of the names of events with a display time.
  static let verdictName = "ScrollJankV4"
  private static let presentation = "resentation"

  /// Consumes an event with facts about a frame of a scroll.
  mutating func consume(_ facts: Facts, name: String, process: Int64?, at time: Int64) {
    if name == Self.verdictName {
      verdicts.append((facts, process))
    } else if name.hasSuffix(Self.presentation), let identifier = facts.identifier {
      presented[identifier] = time
    }
  }

  /// Consumes an event if it is a verdict or a display time.
  /// - Returns: Whether nothing else reads the event.
  mutating func consume(_ event: ChromeTraceEvent, _ bytes: Span<UInt8>) -> Bool {
    let isVerdict = bytes.holds(ChromeName.scrollJank, in: event.name)
    let isPresentation =
      bytes.holds(ChromeName.presentation, in: event.name)
      || bytes.holds(ChromeName.extrapolatedPresentation, in: event.name)
    guard isVerdict || isPresentation, event.phase != UInt8(ascii: "e"), let time = event.time,
      let own = event.arguments(bytes)?["scroll_jank_v4"]
    else { return isVerdict }
    var facts = Facts(
      identifier: own["result_id"]?.integer, isJanky: own["is_janky"]?.isTrue ?? false)
    for entry in own["missed_vsyncs_per_jank_reason"]?.array ?? [] {
      guard let name = entry["jank_reason"]?.text,
        let reason = Reason.allCases.first(where: { $0.name == name })
      else { continue }
      facts.missed[reason, default: 0] += max(0, entry["missed_vsyncs"]?.integer ?? 0)
    }
    consume(facts, name: bytes.text(event.name), process: event.process, at: time)
    return isVerdict
  }

  /// Whether each judged frame is janky.
  var judged: [Frame: Bool] {
    var judged: [Frame: Bool] = [:]
    for (facts, process) in verdicts {
      guard let time = facts.identifier.flatMap({ presented[$0] }) else { continue }
      judged[Frame(process: process, presented: time)] = facts.isJanky
    }
    return judged
  }

  /// Adds Chromium's counts.
  func addCounts(to builder: inout TraceBuilder) {
    guard !verdicts.isEmpty else { return }
    let janky = verdicts.filter(\.facts.isJanky)
    let share = Double(janky.count) / Double(verdicts.count) * 100
    add(.frames, Double(verdicts.count), to: &builder)
    add(.jankShare, share, to: &builder)
    add(.jankCount, Double(janky.count), to: &builder)
    for reason in Reason.allCases {
      let count = janky.count { $0.facts.missed[reason] ?? 0 > 0 }
      guard count > 0 else { continue }
      add(.jankCount, of: reason.name, Double(count), to: &builder)
      let missed = janky.reduce(0.0) { $0 + Double($1.facts.missed[reason] ?? 0) }
      add(.missedRefreshes, of: reason.name, missed, to: &builder)
    }
  }

  private func add(
    _ metric: StatedMetric, of what: String? = nil, _ value: Double, to builder: inout TraceBuilder
  ) {
    builder.add(
      StatedFigure(
        scene: "scrolls", run: 0, metric: metric.rawValue + (what.map { ".\($0)" } ?? ""),
        value: value, unit: metric.unit, label: Self.verdictName))
  }
}
