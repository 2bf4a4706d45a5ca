/// What a source can say itself of a hang: an app that did not react for a while.
public enum HangColumn: Int, TableColumn {
  case start, duration, kind, process, thread

  public static let schemas: [ColumnSchema] = [
    .init("start", .time, "The app stopped reacting; what a day's report tells has no time."),
    .init("duration", .duration, "For how long."),
    .init("kind", .text, "How bad the source calls it."),
    .init("process", .text, "The process that hung."),
    .init("thread", .identifier, "The thread that was busy or blocked."),
  ]
}
