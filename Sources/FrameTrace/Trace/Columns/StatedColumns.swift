/// The facts that a source can state about a figure of a run.
public enum FigureColumn: Int, TableColumn {
  case scene, run, metric, value, unit, count, label, atLeast

  /// The schemas of all columns, in the order of the cases.
  public static let schemas = allCases.map(\.definition)

  var definition: ColumnSchema {
    switch self {
    case .scene: .init("scene", .text, "What was done: a test, a gesture.")
    case .run: .init("run", .identifier, "The run it belongs to; all figures of a run share it.")
    case .metric:
      .init("metric", .text, "The metric, by frametool's name if frametool has the same metric.")
    case .value: .init("value", .real, "The figure.")
    case .atLeast:
      .init(
        "atLeast", .flag, "Whether the figure may be larger: it is in a bin without an upper bound."
      )
    case .unit: .init("unit", .text, "Its unit.")
    case .count: .init("count", .count, "How many values it summarizes.")
    case .label: .init("label", .text, "What the source calls it.")
    }
  }
}

/// The facts that a source can state about a histogram bin: how many values fell between two bounds.
public enum BinColumn: Int, TableColumn {
  case metric, unit, low, high, count, label

  /// The schemas of all columns, in the order of the cases.
  public static let schemas = allCases.map(\.definition)

  var definition: ColumnSchema {
    switch self {
    case .metric:
      .init("metric", .text, "The metric, by frametool's name if frametool has the same metric.")
    case .unit: .init("unit", .text, "The unit of the bounds.")
    case .low: .init("low", .real, "The lower bound.")
    case .high: .init("high", .real, "The upper bound.")
    case .count: .init("count", .count, "How many values fell between them.")
    case .label: .init("label", .text, "What the source calls it.")
    }
  }
}

/// The facts that a source can state about a hang: an app that did not respond for a while.
public enum HangColumn: Int, TableColumn {
  case start, duration, kind, process, thread

  /// The schemas of all columns, in the order of the cases.
  public static let schemas = allCases.map(\.definition)

  var definition: ColumnSchema {
    switch self {
    case .start:
      .init("start", .time, "The app stopped responding; a hang in a day's report has no time.")
    case .duration: .init("duration", .duration, "How long the app did not respond.")
    case .kind: .init("kind", .text, "The severity that the source reports.")
    case .process: .init("process", .text, "The process that hung.")
    case .thread: .init("thread", .identifier, "The thread that was busy or blocked.")
    }
  }
}

/// The facts that a browser states about an event that a page handled.
///
/// W3C, "Event Timing API": an interaction has several events with the same number, such as `pointerdown`, `pointerup`
/// and `click`.
public enum PageEventColumn: Int, TableColumn {
  case interaction, kind, target, start, processingStart, processingEnd, end, process, thread

  /// The schemas of all columns, in the order of the cases.
  public static let schemas = allCases.map(\.definition)

  var definition: ColumnSchema {
    switch self {
    case .interaction:
      .init("interaction", .identifier, "The interaction's number; 0 for an event of none.")
    case .kind: .init("kind", .text, "The event's type, such as \"pointerup\" or \"keydown\".")
    case .target: .init("target", .text, "The element that it went to.")
    case .start: .init("start", .time, "The user did it: the event's own time stamp.")
    case .processingStart: .init("processingStart", .time, "The first of its handlers began.")
    case .processingEnd: .init("processingEnd", .time, "The last of its handlers had ended.")
    case .end: .init("end", .time, "The next picture was shown after its handlers.")
    case .process: .init("process", .text, "The page's process.")
    case .thread: .init("thread", .identifier, "The thread of the page's handlers.")
    }
  }
}

/// The facts that a source can state about a hitch: a frame that was late by the source's rules.
public enum HitchColumn: Int, TableColumn {
  case start, duration, kind, surface, frame, narrative, process

  /// The values of `kind`: late because of the app, late because of the compositor or GPU, or not stated.
  public enum Kind: Int64, CaseIterable, Sendable { case commit, render, unknown }

  /// The schemas of all columns, in the order of the cases.
  public static let schemas = allCases.map(\.definition)

  var definition: ColumnSchema {
    switch self {
    case .start: .init("start", .time, "The frame should have been on the display.")
    case .duration: .init("duration", .duration, "How much later it was displayed.")
    case .kind: .init("kind", .choice(words(Kind.self)), "Which work was late.")
    case .surface: .init("surface", .surface, "The surface of the frame.")
    case .frame: .init("frame", .frame, "The late frame.")
    case .narrative: .init("narrative", .text, "What the source says about it.")
    case .process: .init("process", .text, "The process whose frame it is.")
    }
  }
}

/// The facts that a source can record about a marker set by the app or the tester, such as a
/// signpost or a scene.
public enum MarkerColumn: Int, TableColumn {
  case name, start, end, process, thread

  /// The schemas of all columns, in the order of the cases.
  public static let schemas = allCases.map(\.definition)

  var definition: ColumnSchema {
    switch self {
    case .name: .init("name", .text, "What the mark is called.")
    case .start: .init("start", .time, "It was set, or its interval started.")
    case .end: .init("end", .time, "Its interval ended; missing for an instant.")
    case .process: .init("process", .text, "The process that set it.")
    case .thread: .init("thread", .identifier, "The thread that set it.")
    }
  }
}
