/// What a source can know of an offscreen pass: content drawn aside before it can be drawn
/// into its frame.
public enum PassColumn: Int, TableColumn {
  case surface, frame, kind, start, end

  /// The values of `kind`.
  public enum Kind: Int64, CaseIterable, Sendable {
    case blur, vibrancy, groupAlpha, mask, snapshot, other
  }

  public static let schemas: [ColumnSchema] = [
    .init("surface", .surface, "The surface of its frame."),
    .init("frame", .frame, "The frame that needed it."),
    .init("kind", .choice(words(Kind.self)), "What it was needed for."),
    .init("start", .time, "The GPU started it."),
    .init("end", .time, "The GPU was done with it."),
  ]
}
