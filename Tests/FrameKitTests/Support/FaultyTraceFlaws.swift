import Fixtures

@testable import FrameAnalysis
@testable import FrameTrace

extension FaultyTrace {
  /// The error in the drops that are found; `nil` if every drop is charged to the slow stage, and
  /// the twin has none.
  func flaw(_ rules: ChargeRules = .all) -> String? {
    if let drop = Self.drops(twin, rules).first { return "\(description): the twin drops \(drop)" }
    let wrong = Self.drops(trace, rules).first { $0.stage != stage }
    return wrong.map { drop in
      "\(description): refresh \(drop.refresh) of frame \(drop.frame) charged to \(drop.stage.rawValue) of \(drop.cause)"
    }
  }

  static func drops(_ trace: Trace, _ rules: ChargeRules = .all) -> [DroppedRefreshes] {
    Pipeline(reconstructing: trace, .whole, rules).surfaces.flatMap(\.drops)
  }
}
