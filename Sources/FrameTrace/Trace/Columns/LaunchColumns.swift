/// The facts that a source can record about a launch.
public enum LaunchColumn: Int, TableColumn {
  case identifier, process, kind, tapped, started, firstFrame, frameCallback, responsive, marked
  case exited, until, scene, finished, cpu, bytesRead, throwaway, profiled

  /// The values of `kind`.
  public enum Kind: Int64, CaseIterable, Sendable { case cold, warm, resume }

  /// The values of `until`.
  public enum End: Int64, CaseIterable, Sendable {
    case firstFrame, frameCallback, marked, exited, responsive
  }

  /// The schemas of all columns, in the order of the cases.
  public static let schemas = allCases.map(\.definition)

  var definition: ColumnSchema {
    switch self {
    case .identifier: .init("id", .identifier, "The launch's number.")
    case .process: .init("process", .text, "What was launched.")
    case .kind:
      .init(
        "kind", .choice(words(Kind.self)),
        "Not in memory, recently terminated, or only brought to the foreground."
      )
    case .tapped: .init("tapped", .time, "The user asked for it.")
    case .started: .init("started", .time, "The process started.")
    case .firstFrame: .init("firstFrame", .time, "Its first frame was displayed.")
    case .frameCallback:
      .init(
        "frameCallback", .time,
        "The compositor asked for its second frame, having taken the first one.")
    case .responsive: .init("responsive", .time, "It showed its first frame and reacted to input.")
    case .marked: .init("marked", .time, "It printed the awaited text.")
    case .exited: .init("exited", .time, "Its process ended.")
    case .until:
      .init(
        "until", .choice(words(End.self)),
        "Which of these ends the launch; the first frame if not stated.")
    case .scene:
      .init(
        "scene", .text, "The action, such as a test, if the source groups launches by it.")
    case .finished: .init("finished", .time, "The extended phase ended: all content was loaded.")
    case .cpu:
      .init("cpu", .duration, "How long all its threads ran, including children it waited for.")
    case .bytesRead: .init("bytesRead", .count, "How many bytes had to be read from disk for it.")
    case .throwaway:
      .init("throwaway", .flag, "Whether it was only a warm-up and is not a measurement.")
    case .profiled: .init("profiled", .flag, "Whether a profiler was attached.")
    }
  }
}

/// The facts that a source can record about a phase of a launch.
public enum PhaseColumn: Int, TableColumn {
  case launch, name, start, end, cpu, label

  /// The values of `name`, in the order of a launch.
  public enum Name: Int64, CaseIterable, Sendable {
    case systemInterface, staticInitialization, frameworkInitialization
    case applicationInitialization, firstFrame, extended
  }

  /// The schemas of all columns, in the order of the cases.
  public static let schemas = allCases.map(\.definition)

  var definition: ColumnSchema {
    switch self {
    case .launch: .init("launch", .identifier, "The launch it is part of.")
    case .name: .init("name", .choice(words(Name.self)), "The phase.")
    case .start: .init("start", .time, "It started.")
    case .end: .init("end", .time, "It ended.")
    case .cpu: .init("cpu", .duration, "How long the main thread ran in it.")
    case .label: .init("label", .text, "What the source calls it.")
    }
  }
}
