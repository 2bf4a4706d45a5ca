import FrameTrace
import FrameVerdicts

/// A limit and the value of a trace, as a row of results.
struct GatedLimitRow: Sendable {
  private let surface: String
  private let result: GateResult
  /// Whether a slower trace fails the limit; `nil` if that was not tested.
  private let failsWhenSlower: Bool?

  static func rows(of trace: GatedTrace) -> [GatedLimitRow] {
    trace.results.enumerated().map { index, item in
      GatedLimitRow(
        surface: item.surface, result: item.result,
        failsWhenSlower: trace.slower == nil ? nil : trace.noticed[index])
    }
  }

  /// The columns; people also see the result of a self-test if one was made.
  static func columns(of trace: GatedTrace) -> [ResultColumn<GatedLimitRow>] {
    guard trace.slower != nil else { return data }
    return data.dropLast() + [
      slower.shown("slower") { $0.failsWhenSlower == true ? "fails" : "does not fail" }
    ]
  }

  private static let slower = ResultColumn<GatedLimitRow>.flag(
    "fails_when_slower", "whether the trace fails it when it is made slower", \.failsWhenSlower
  ).ifAny

  /// The columns for scripts.
  static let data: [ResultColumn<GatedLimitRow>] = [
    .text("limit", "the limit", \.result.limit.text).shown("limit"),
    .text("surface", "the surface", \.surface).shown("surface"),
    .real("value", "the figure that is limited", \.result.value)
      .otherwise(\.result.why).shown("found", .right, \.found),
    .flag(
      "at_least", "whether the figure may be larger than the value",
      { $0.result.isLowerBound ? true : nil }
    ).ifAny,
    .real("at_most", "the largest value that the figure may have", \.result.most).ifAny,
    .text("unit", "the unit of the figure", \.result.unit).shown(""),
    .real("margin", "how far the figure is inside the limit, as a share of it", \.result.margin)
      .ifAny,
    .flag("kept", "whether the limit is kept", \.result.isKept)
      .otherwise(\.result.why).shown("result", .left, \.words),
    .text("remark", "what else is to be known of it", \.result.remark).ifAny,
    slower,
  ]

  private var found: String {
    let text = result.value.map { FixedNumber.text($0, decimals: 3) }
    return (result.isLowerBound ? "≥ " : "") + (text ?? "")
  }

  private var words: String {
    switch result.isKept {
    case true?:
      "kept\(result.marginText.map { ", \($0)" } ?? "")\(result.remark.map { "; \($0)" } ?? "")"
    case false?:
      "FAILED\(result.excess.map { ", \($0)\(result.isLowerBound ? " or more" : "")" } ?? "")"
    case nil: "cannot be decided: \(result.why ?? "")"
    }
  }
}
