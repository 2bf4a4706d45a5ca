/// Which surfaces of a trace are meant, by the names that users know them by.
public struct SurfaceChoice: Hashable, Sendable {
  /// Names or numbers of processes; empty for all.
  public var processes: [String]
  /// Names or ids of surfaces; empty for all.
  public var surfaces: [String]

  /// Every surface.
  public static let all = SurfaceChoice()

  public init(processes: [String] = [], surfaces: [String] = []) {
    self.processes = processes
    self.surfaces = surfaces
  }

  /// Whether nothing was chosen, and so everything.
  public var isEmpty: Bool { processes.isEmpty && surfaces.isEmpty }

  /// Whether a surface is one of them.
  public func matches(_ surface: Surface) -> Bool {
    matches(
      process: [surface.process, surface.processID.map { "\($0)" }],
      surface: [surface.id, surface.name])
  }

  /// Whether a surface is one of them that goes by these names.
  func matches(process: [String?], surface: [String?]) -> Bool {
    matches(process: process) && (surfaces.isEmpty || surfaces.contains { surface.contains($0) })
  }

  /// Whether a process that goes by these names is one of them.
  func matches(process: [String?]) -> Bool {
    processes.isEmpty || processes.contains { process.contains($0) }
  }

  /// Puts surfaces in the order in which they are meant where only one can be: those with the
  /// most frames first, and of equals those that the trace lists first.
  static func ranked<Surfaces: Collection>(
    _ surfaces: Surfaces, frames: (Surfaces.Element) -> Int
  ) -> [Surfaces.Element] {
    surfaces.enumerated()
      .sorted { first, second in
        let counts = (frames(first.element), frames(second.element))
        return counts.0 == counts.1 ? first.offset < second.offset : counts.0 > counts.1
      }
      .map(\.element)
  }
}
