import FrameKit

extension SurfaceChoice {
  /// Checks that there is one of them in a trace.
  /// - Throws: A usage error that lists what there is, when there is none.
  func check(_ trace: Trace) throws(CommandError) {
    guard !trace.surfaces.contains(where: matches), !isEmpty else { return }
    let known = trace.surfaces.map { "\($0.process ?? "") (\($0.id))" }
    throw CommandError(
      .usage, "\(trace.provenance.file): no surface of \(wanted)",
      help: "there are: \(known.joined(separator: ", "))")
  }

  private var wanted: String {
    [processes.joined(separator: ", "), surfaces.joined(separator: ", ")]
      .filter { !$0.isEmpty }.joined(separator: " and ")
  }
}
