/// One way in which a recording may have come about: how its frames came onto the display, and what of their times is work.
struct ReplayExplanation {
  let simulator: ReplaySimulator
  /// How long calls that hand frames over may take by themselves; `nil` where they are what they are.
  let call: Int64?
  /// The work by it, of as much of the recording as explanations are tried on.
  let work: [ReplayedWork]
  /// How many frames came later than it knows a reason for.
  let heldBack: Int
  let fit: ReplayFit

  /// Whether it explains a recording as well as another one does: as many frames at their refresh, but for 2 %, with starts
  /// that are as near.
  func isAsGood(as best: ReplayExplanation, of shown: Int, by length: Double) -> Bool {
    (best.fit.hits - fit.hits) * 50 <= shown && fit.distance <= best.fit.distance + length
  }
}

extension ReplayRecording {
  /// As much of the recording as explanations are tried on.
  var sample: ReplayRecording {
    var recording = self
    if work.count > Self.mostTried { recording.work = Array(work.prefix(Self.mostTried)) }
    return recording
  }

  /// The same of it as another explanation has it.
  func explained(by explanation: ReplayExplanation) -> ReplayRecording {
    var recording = self
    recording.simulator = explanation.simulator
    recording.work = explanation.work
    recording.heldBack = explanation.heldBack
    recording.alternatives = []
    return recording
  }
}
