/// What a source can know of what happens to a buffer.
public enum BufferColumn: Int, TableColumn {
  case time, event, surface, buffer, frame

  /// The values of `event`.
  public enum Event: Int64, CaseIterable, Sendable {
    case allocated, attached, queued, latched, displayed, released, destroyed
  }

  public static let schemas: [ColumnSchema] = [
    .init("time", .time, "When it happened."),
    .init("event", .choice(words(Event.self)), "What happened."),
    .init("surface", .surface, "The surface the buffer belongs to."),
    .init("buffer", .identifier, "The buffer, as long as it is allocated."),
    .init("frame", .frame, "The frame in the buffer."),
  ]
}
