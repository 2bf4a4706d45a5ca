/// What a source can know of a thread.
public enum ThreadColumn: Int, TableColumn {
  case identifier, name, process, main

  public static let schemas: [ColumnSchema] = [
    .init("id", .identifier, "The thread's number."),
    .init("name", .text, "Its name."),
    .init("process", .text, "The process it belongs to."),
    .init("main", .flag, "Whether it is the process's main thread."),
  ]
}

/// What a source can know of a stretch of time that a thread spends in one state.
public enum ThreadStateColumn: Int, TableColumn {
  case thread, start, end, state, priority, unblockedBy, reason

  /// The values of `state`.
  public enum State: Int64, CaseIterable, Sendable { case running, runnable, preempted, blocked }

  public static let schemas: [ColumnSchema] = [
    .init("thread", .identifier, "The thread."),
    .init("start", .time, "It entered the state."),
    .init("end", .time, "It left the state."),
    .init("state", .choice(words(State.self)), "What it did."),
    .init("priority", .count, "The priority it had, higher being more urgent."),
    .init("unblockedBy", .identifier, "The thread that ended the wait."),
    .init("reason", .text, "What it waited for."),
  ]
}
