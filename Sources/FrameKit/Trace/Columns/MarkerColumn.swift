/// What a source can know of a mark that the app or the tester set: a signpost, a scene.
public enum MarkerColumn: Int, TableColumn {
  case name, start, end, process, thread

  public static let schemas: [ColumnSchema] = [
    .init("name", .text, "What the mark is called."),
    .init("start", .time, "It was set, or its stretch started."),
    .init("end", .time, "Its stretch ended; a mark of an instant has none."),
    .init("process", .text, "The process that set it."),
    .init("thread", .identifier, "The thread that set it."),
  ]
}
