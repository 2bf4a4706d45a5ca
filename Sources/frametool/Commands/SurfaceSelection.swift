import FrameKit

/// Which surfaces of a trace the user wants to see.
struct SurfaceSelection: Sendable {
  /// Names or numbers of processes; empty for all.
  let processes: [String]
  /// Names or ids of surfaces; empty for all.
  let surfaces: [String]

  /// Checks that there is one of them in a trace.
  /// - Throws: A usage error that lists what there is, when there is none.
  func check(_ trace: Trace) throws(CommandError) {
    guard !trace.surfaces.contains(where: matches), !isEmpty else { return }
    let known = trace.surfaces.map { "\($0.process ?? "") (\($0.id))" }
    throw CommandError(
      .usage, "\(trace.provenance.file): no surface of \(wanted)",
      help: "there are: \(known.joined(separator: ", "))")
  }

  /// Whether nothing was selected, and so everything.
  var isEmpty: Bool { processes.isEmpty && surfaces.isEmpty }

  private var wanted: String {
    [processes.joined(separator: ", "), surfaces.joined(separator: ", ")]
      .filter { !$0.isEmpty }.joined(separator: " and ")
  }

  /// Whether a surface is one of them.
  func matches(_ surface: Surface) -> Bool {
    let process =
      processes.isEmpty
      || processes.contains { name in
        surface.process == name || surface.processID.map { "\($0)" } == name
      }
    let id = surfaces.isEmpty || surfaces.contains { $0 == surface.id || $0 == surface.name }
    return process && id
  }
}
