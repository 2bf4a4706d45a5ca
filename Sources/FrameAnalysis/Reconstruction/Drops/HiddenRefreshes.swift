/// Subtracts from a frame's lateness the refreshes that do not count as dropped because earlier
/// frames covered them.
struct HiddenRefreshes {
  private let rules: ChargeRules

  init(_ rules: ChargeRules) { self.rules = rules }

  /// The frame's steps after `count` hidden refreshes are subtracted: first from the steps in which the previous
  /// displayed frame was late too, then from all steps, starting with the first.
  /// - Parameter before: How the previous displayed frame was late; `nil` if it was not late.
  func remove(_ count: Int64, from late: LateSteps, before: LateSteps?) -> [LateSteps.Part] {
    var parts = late.parts
    var left = count
    if let before, rules.contains(.hiddenBySharedStep) {
      for group in groups(late, before) {
        var share = min(left, group.limit)
        left -= share
        for step in group.steps { share -= Self.consume(share, of: step, from: &parts) }
        left += share
      }
    }
    for index in parts.indices {
      let taken = min(left, parts[index].count)
      parts[index].count -= taken
      left -= taken
    }
    return parts.filter { $0.count > 0 }
  }

  /// The steps that are treated as one, and how late the previous frame was in these steps.
  private func groups(
    _ late: LateSteps, _ before: LateSteps
  ) -> [(steps: [LateSteps.Step.Kind], limit: Int64)] {
    let behind: [LateSteps.Step.Kind] =
      rules.contains(.hiddenRenderingFirst)
      ? [.rendering, .waiting, .unknown] : [.waiting, .rendering, .unknown]
    let before = { (kinds: [LateSteps.Step.Kind]) in kinds.reduce(Int64(0)) { $0 + before[$1] } }
    let one: [LateSteps.Step.Kind] = [.app] + behind
    // If one step stands for three in only one of the two frames, the three are compared as one.
    if late[.all] > 0 || before([.all]) > 0 {
      return [([.display], before([.display])), ([.all] + one, before([.all] + one))]
    }
    // The last step first: whatever kept the previous frame from being shown hides the end of this frame.
    return [([.display], before([.display])), (behind, before(behind)), ([.app], before([.app]))]
  }

  private static func consume(
    _ count: Int64, of kind: LateSteps.Step.Kind, from parts: inout [LateSteps.Part]
  ) -> Int64 {
    var left = count
    for index in parts.indices where parts[index].step.kind == kind {
      let taken = min(left, parts[index].count)
      parts[index].count -= taken
      left -= taken
    }
    return count - left
  }
}
