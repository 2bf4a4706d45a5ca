import FrameKit

/// Which surfaces of a trace the user wants to see.
struct SurfaceSelection: Sendable {
  /// Names or numbers of processes; empty for all.
  let processes: [String]
  /// Names or ids of surfaces; empty for all.
  let surfaces: [String]

  /// The trace with only those surfaces.
  /// - Throws: A usage error that lists what there is, when nothing is left.
  func apply(to trace: Trace) throws(CommandError) -> Trace {
    if processes.isEmpty && surfaces.isEmpty { return trace }
    let selected = trace.selectingSurfaces(matches)
    guard !selected.surfaces.isEmpty else {
      let known = trace.surfaces.map { "\($0.process ?? "") (\($0.id))" }
      throw CommandError(
        .usage, "\(trace.provenance.file): no surface of \(wanted)",
        help: "there are: \(known.joined(separator: ", "))")
    }
    return selected
  }

  private var wanted: String {
    [processes.joined(separator: ", "), surfaces.joined(separator: ", ")]
      .filter { !$0.isEmpty }.joined(separator: " and ")
  }

  private func matches(_ surface: Surface) -> Bool {
    let process =
      processes.isEmpty
      || processes.contains { name in
        surface.process == name || surface.processID.map { "\($0)" } == name
      }
    let id = surfaces.isEmpty || surfaces.contains { $0 == surface.id || $0 == surface.name }
    return process && id
  }
}
