extension ParseError {
  /// The error that an input of a format has nothing that can be read: what is in it, and what is missing.
  init(
    nothingIn builder: TraceBuilder, path: String, _ format: String, _ importer: any TraceImporter
  ) {
    let missing = "without a record of frames, inputs, launches or marks"
    if let found = builder.unread.words {
      self.init(
        path: path, problem: "a \(format) \(missing): it has \(found)", help: importer.framesAdvice)
      return
    }
    let lost = builder.log.issues.filter { $0.severity == .dataLoss }.prefix(2)
    guard !lost.isEmpty else {
      self.init(
        path: path, problem: "the start of a \(format), and not a single record",
        help: "the capture ended before anything was recorded; record again for longer")
      return
    }
    let losses = lost.map { "\($0.count) × \($0.message)" }.joined(separator: "; ")
    self.init(
      path: path, problem: "a \(format) \(missing): \(losses)", help: importer.framesAdvice)
  }
}
