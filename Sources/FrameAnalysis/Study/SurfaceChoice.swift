public import FrameTrace

/// Which surfaces of a trace are meant, by the names that users know them by.
public struct SurfaceChoice: Hashable, Sendable {
  /// Names or numbers of processes; empty for all.
  public var processes: [String]
  /// Names or ids of surfaces; empty for all.
  public var surfaces: [String]

  /// Every surface.
  public static let all = SurfaceChoice()

  /// Surfaces of one of the processes that have one of the names; an empty list allows any.
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
  package func matches(process: [String?], surface: [String?]) -> Bool {
    matches(process: process) && (surfaces.isEmpty || surfaces.contains { surface.contains($0) })
  }

  /// Whether a process that goes by these names is one of them.
  func matches(process: [String?]) -> Bool {
    processes.isEmpty || processes.contains { process.contains($0) }
  }

  /// Puts surfaces in the order in which they are meant where only one can be: those with the
  /// most frames first, and of equals those that the trace lists first. What a compositor presents for
  /// others comes after the programs, but for those that hardly drew anything.
  package static func ranked<Surfaces: Collection>(
    _ surfaces: Surfaces, frames: (Surfaces.Element) -> Int,
    process: (Surfaces.Element) -> String?
  ) -> [Surfaces.Element] {
    surfaces.enumerated().map { place, surface in
      let count = frames(surface)
      let isOther = process(surface).map(isCompositor) ?? false
      let rank = count < fewestFrames ? 2 : isOther ? 1 : 0
      return (surface: surface, place: place, rank: rank, count: count)
    }
    .sorted { ($0.rank, $1.count, $0.place) < ($1.rank, $0.count, $1.place) }
    .map(\.surface)
  }

  /// A surface of fewer frames hardly drew anything.
  package static let fewestFrames = 10

  /// Whether a process presents what other programs draw, by its name.
  static func isCompositor(_ process: String) -> Bool {
    let name = process.split(separator: "/").last.map { $0.lowercased() } ?? ""
    return compositors.contains(name)
  }

  /// The compositors of Windows, macOS, iOS and Android, as traces name their processes.
  private static let compositors: Set<String> = [
    "dwm.exe", "windowserver", "backboardd", "surfaceflinger",
  ]
}
