/// One possible explanation of a recording: how its frames reached the display, and which part of
/// their times is work.
struct ReplayExplanation {
  let simulator: ReplaySimulator
  /// The maximum duration of calls that hand frames over; `nil` to use the recorded durations.
  let call: Int64?
  /// The work under this explanation, for the sample on which explanations are tried.
  let work: [ReplayedWork]
  /// The number of frames that were late for no known reason.
  let heldBack: Int
  let fit: ReplayFit

  /// Whether this explanation fits a recording as well as another one: the number of frames at their recorded refresh
  /// is within 2 %, and the starts are about as close.
  func isAsGood(as best: ReplayExplanation, of shown: Int, by length: Double) -> Bool {
    (best.fit.hits - fit.hits) * 50 <= shown && fit.distance <= best.fit.distance + length
  }
}

extension ReplayRecording {
  /// The part of the recording on which explanations are tried.
  var sample: ReplayRecording {
    var recording = self
    if work.count > Self.mostTried { recording.work = Array(work.prefix(Self.mostTried)) }
    return recording
  }

  /// The same recording under another explanation.
  func explained(by explanation: ReplayExplanation) -> ReplayRecording {
    var recording = self
    recording.simulator = explanation.simulator
    recording.work = explanation.work
    recording.heldBack = explanation.heldBack
    recording.alternatives = []
    return recording
  }
}
