/// The result of a gate in a sentence that begins with the verdict.
struct GateSentence {
  let text: String
  /// The verdict in one word: kept, failed or undecided.
  let state: String

  /// - Parameters:
  ///   - withinNoise: How many limits are exceeded only within the noise of the runs. A limit that is not counted here,
  ///     as failed or as kept has no figure.
  init(failed: Int, kept: Int, withinNoise: Int = 0, of all: Int) {
    let undecided = all - failed - kept - withinNoise
    let parts = [
      (failed, "failed", "failed"),
      (withinNoise, "undecided", "exceeded within the noise of the runs"),
      (undecided, "undecided", "cannot be decided"), (kept, "kept", "kept"),
    ].filter { $0.0 > 0 }
    let limits = "of \(all) limit\(all == 1 ? "" : "s")"
    let counts = parts.enumerated().map { number, part in
      number == 0 ? "\(part.0) \(limits) \(part.2)" : "\(part.0) \(part.2)"
    }
    state = parts.first?.1 ?? "kept"
    text = "\(state): \(counts.joined(separator: ", "))"
  }
}
