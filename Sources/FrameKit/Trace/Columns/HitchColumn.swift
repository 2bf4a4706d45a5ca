/// What a source can say itself of a hitch: a frame that came late by its own reckoning.
public enum HitchColumn: Int, TableColumn {
  case start, duration, kind, surface, frame, narrative

  /// The values of `kind`: late by the app, by compositor or GPU, or not told.
  public enum Kind: Int64, CaseIterable, Sendable { case commit, render, unknown }

  public static let schemas: [ColumnSchema] = [
    .init("start", .time, "The frame should have been on the display."),
    .init("duration", .duration, "How much later it was."),
    .init("kind", .choice(words(Kind.self)), "Whose work was late."),
    .init("surface", .surface, "The surface of the frame."),
    .init("frame", .frame, "The late frame."),
    .init("narrative", .text, "What the source says about it."),
  ]
}
