extension Int {
  /// The number with the word frame or frames.
  package var frames: String { "\(self) frame\(self == 1 ? "" : "s")" }
}
