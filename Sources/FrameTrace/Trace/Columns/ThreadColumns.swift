/// The facts that a source can record about a thread.
public enum ThreadColumn: Int, TableColumn {
  case identifier, name, process, main

  /// The schemas of all columns, in the order of the cases.
  public static let schemas = allCases.map(\.definition)

  var definition: ColumnSchema {
    switch self {
    case .identifier: .init("id", .identifier, "The thread's number.")
    case .name: .init("name", .text, "Its name.")
    case .process: .init("process", .text, "The process it belongs to.")
    case .main: .init("main", .flag, "Whether it is the process's main thread.")
    }
  }
}

/// The facts that a source can record about a stretch of time that a thread spends in one state.
public enum ThreadStateColumn: Int, TableColumn {
  case thread, start, end, state, priority, unblockedBy, reason, processor, clock

  /// The prefix of the reason of a wait that signals cannot interrupt.
  package static let uninterruptible = "uninterruptible"

  /// The values of `state`.
  public enum State: Int64, CaseIterable, Sendable { case running, runnable, preempted, blocked }

  /// The schemas of all columns, in the order of the cases.
  public static let schemas = allCases.map(\.definition)

  var definition: ColumnSchema {
    switch self {
    case .thread: .init("thread", .identifier, "The thread.")
    case .start: .init("start", .time, "It entered the state.")
    case .end: .init("end", .time, "It left the state.")
    case .state: .init("state", .choice(words(State.self)), "Its state.")
    case .priority: .init("priority", .count, "Its priority; higher is more urgent.")
    case .unblockedBy: .init("unblockedBy", .identifier, "The thread that ended the wait.")
    case .reason: .init("reason", .text, "What it waited for.")
    case .processor: .init("processor", .identifier, "The processor that it ran on, or left.")
    case .clock:
      .init("clock", .count, "The mean clock rate of its processor while it ran, in kHz.")
    }
  }
}

/// The facts that a source can record about a stretch of time that a thread spends in a function or in a *slice* of the
/// source.
public enum CallColumn: Int, TableColumn {
  case thread, start, end, cpu, function, library, own

  /// The schemas of all columns, in the order of the cases.
  public static let schemas = allCases.map(\.definition)

  var definition: ColumnSchema {
    switch self {
    case .thread: .init("thread", .identifier, "The thread.")
    case .start: .init("start", .time, "It entered the function.")
    case .end: .init("end", .time, "It left the function.")
    case .cpu: .init("cpu", .duration, "How long the thread ran in it, including what it called.")
    case .function: .init("function", .text, "The function, or the slice's name.")
    case .library: .init("library", .text, "The library or the file that the function is part of.")
    case .own: .init("own", .flag, "Whether the function belongs to the app and not to the system.")
    }
  }
}
