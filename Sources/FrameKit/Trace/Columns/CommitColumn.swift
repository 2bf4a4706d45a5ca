/// What a source can know of a commit: the app handing the state of its content over.
public enum CommitColumn: Int, TableColumn {
  case time, surface, frame, appStart, appEnd, transaction, animates

  public static let schemas: [ColumnSchema] = [
    .init("time", .time, "The app committed."),
    .init("surface", .surface, "The surface it changes."),
    .init("frame", .frame, "The frame that took it."),
    .init("appStart", .time, "The app interval it was made in started."),
    .init("appEnd", .time, "The app interval it was made in ended."),
    .init("transaction", .identifier, "The transaction it is part of."),
    .init("animates", .flag, "Whether it starts an animation."),
  ]
}
