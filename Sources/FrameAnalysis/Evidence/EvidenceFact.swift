/// A fact that judgments rest on.
package enum EvidenceFact: String, CaseIterable, Sendable {
  case expectedTime = "expected display time"
  case startRefresh = "refresh that starts the app"
  case targetRate = "target rate"
  case appStart = "start of the app's work"
  case commit = "commit or present"
  case presentReturn = "return of the present call"
  case compositor = "work of the compositor"
  case gpuTime = "working time of the GPU"
  case gpuEnd = "end of the GPU's work"
  case displayTime = "display time"
  case refresh = "refreshes"
  case input = "input"

  /// Whether a source that shows the fact states it instead of measuring it.
  var isStated: Bool { self == .expectedTime || self == .startRefresh || self == .targetRate }
}

/// How a source shows a fact.
package enum EvidenceSource: String, CaseIterable, Sendable {
  /// The source records it.
  case measured
  /// The source or the user states it.
  case stated
  /// The end of something else serves as the fact.
  case derived
  /// The fact follows from a coarser figure.
  case estimated
  case missing
}
