public import FrameTrace

/// A selection of a trace's surfaces, by names that users know.
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

  /// Whether nothing was chosen, and so everything.
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

  /// Orders surfaces so that the primary one comes first: those with the most frames first and, in
  /// a tie, in the order of the trace. Surfaces that a compositor presents for others, and a browser's own, come after
  /// those of programs and pages, except for programs that hardly drew anything.
  package static func ranked<Surfaces: Collection>(
    _ surfaces: Surfaces, frames: (Surfaces.Element) -> Int,
    process: (Surfaces.Element) -> String?
  ) -> [Surfaces.Element] {
    surfaces.enumerated().map { place, surface in
      let count = frames(surface)
      let isOther = process(surface).map { isCompositor($0) || isHost($0) } ?? false
      let rank = count < fewestFrames ? 2 : isOther ? 1 : 0
      return (surface: surface, place: place, rank: rank, count: count)
    }
    .sorted { ($0.rank, $1.count, $0.place) < ($1.rank, $0.count, $1.place) }
    .map(\.surface)
  }

  /// A surface of fewer frames hardly drew anything.
  package static let fewestFrames = 10

  /// Whether a process presents what other programs draw, judging by its name.
  static func isCompositor(_ process: String) -> Bool {
    let name = process.split(separator: "/").last.map { $0.lowercased() } ?? ""
    return compositors.contains(name)
  }

  /// Whether a process draws the window around a page and not the page itself, by its name in Chromium's traces.
  private static func isHost(_ process: String) -> Bool {
    ["browser", "gpu process"].contains(process.lowercased())
  }

  /// The compositors of Windows, macOS, iOS and Android, by the process names in traces.
  private static let compositors: Set<String> = [
    "dwm.exe", "windowserver", "backboardd", "surfaceflinger",
  ]
}
