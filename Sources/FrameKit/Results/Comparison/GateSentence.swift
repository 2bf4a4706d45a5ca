/// What becomes of the limits of a gate, in a sentence that begins with the verdict.
struct GateSentence {
  let text: String

  /// - Parameters:
  ///   - withinNoise: How many are past their limit by no more than the noise of the runs; of the others that are neither
  ///     failed nor kept, there is no figure.
  init(failed: Int, kept: Int, withinNoise: Int = 0, of all: Int) {
    let untold = all - failed - kept - withinNoise
    let parts = [
      (failed, "failed", "failed"),
      (withinNoise, "undecided", "past it within the noise of the runs"),
      (untold, "undecided", "cannot be decided"), (kept, "kept", "kept"),
    ].filter { $0.0 > 0 }
    let counts = parts.map { count, _, words in "\(count) \(words)" }
    text =
      "\(parts.first?.1 ?? "kept"): of \(all) limit\(all == 1 ? "" : "s") \(counts.joined(separator: ", "))"
  }
}
