/// What is worse about the runs after a change: the ways in which apps get slow are found by
/// different figures.
struct RunChange: Sendable {
  let name: String
  /// By what share all work is heavier.
  var work = 0.0
  /// How many times as often bursts of slow frames start.
  var bursts = 1.0
  /// What share of frames more comes a refresh late.
  var drops = 0.0

  static let none = RunChange(name: "A/A")
  /// In the order of the columns.
  static let all = [
    none, RunChange(name: "+5 %", work: 0.05), RunChange(name: "+10 %", work: 0.1),
    RunChange(name: "spikes", bursts: 3), RunChange(name: "drops", drops: 0.02),
  ]
}
