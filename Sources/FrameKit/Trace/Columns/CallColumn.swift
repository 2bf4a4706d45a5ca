/// What a source can know of a stretch of time that a thread spends in a function, or in what
/// the source calls a slice.
public enum CallColumn: Int, TableColumn {
  case thread, start, end, cpu, function, library, own

  public static let schemas: [ColumnSchema] = [
    .init("thread", .identifier, "The thread."),
    .init("start", .time, "It entered the function."),
    .init("end", .time, "It left the function."),
    .init("cpu", .duration, "How long the thread ran in it, with what it called."),
    .init("function", .text, "The function, or the slice's name."),
    .init("library", .text, "The library or the file that the function is part of."),
    .init("own", .flag, "Whether the function is the app's own and not the system's."),
  ]
}
