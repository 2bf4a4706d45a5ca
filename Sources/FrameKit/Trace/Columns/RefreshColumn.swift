/// What a source can know of a refresh of a display.
public enum RefreshColumn: Int, TableColumn {
  case number, time, repeated

  public static let schemas: [ColumnSchema] = [
    .init(
      "number", .identifier, "The refresh's number; numbers that are left out were not recorded."),
    .init("time", .time, "The instant at which the frame on the display may be swapped."),
    .init("repeated", .flag, "Whether the display showed the frame before once more."),
  ]
}
