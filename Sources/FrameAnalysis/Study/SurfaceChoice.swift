public import FrameTrace

/// A selection of a trace's surfaces, by names known to users.
public struct SurfaceChoice: Hashable, Sendable {
  /// Names or numbers of processes; empty for all.
  public var processes: [String]
  /// Names or ids of surfaces; empty for all.
  public var surfaces: [String]

  /// Every surface.
  public static let all = SurfaceChoice()

  /// Selects the surfaces with one of the process names and one of the surface names; an empty list
  /// allows any.
  public init(processes: [String] = [], surfaces: [String] = []) {
    self.processes = processes
    self.surfaces = surfaces
  }

  /// Whether nothing was chosen, so that everything is selected.
  public var isEmpty: Bool { processes.isEmpty && surfaces.isEmpty }

  /// Whether a surface is selected.
  public func matches(_ surface: Surface) -> Bool {
    matches(
      process: [surface.process, surface.processID.map { "\($0)" }],
      surface: [surface.id, surface.name])
  }

  /// Whether a surface with these names is selected.
  package func matches(process: [String?], surface: [String?]) -> Bool {
    matches(process: process) && (surfaces.isEmpty || surfaces.contains { surface.contains($0) })
  }

  /// Whether a process with these names is selected.
  func matches(process: [String?]) -> Bool {
    processes.isEmpty || processes.contains { process.contains($0) }
  }
}
