/// What is worse in the runs after a change. Apps can get slow in several ways, each found by a
/// different figure.
struct RunChange: Sendable {
  let name: String
  /// The share by which all work is heavier.
  var work = 0.0
  /// The factor by which bursts of slow frames start more often.
  var bursts = 1.0
  /// The additional share of frames that are a refresh late.
  var drops = 0.0

  static let none = RunChange(name: "A/A")
  /// All changes, in the order of the columns.
  static let all = [
    none, RunChange(name: "+5 %", work: 0.05), RunChange(name: "+10 %", work: 0.1),
    RunChange(name: "spikes", bursts: 3), RunChange(name: "drops", drops: 0.02),
  ]
}
