/// What a source can know of a layer of a transaction: GPU content beside compositor content.
public enum LayerColumn: Int, TableColumn {
  case transaction, content, surface, frame, displayed, synchronized

  /// The values of `content`.
  public enum Content: Int64, CaseIterable, Sendable { case compositor, gpu }

  public static let schemas: [ColumnSchema] = [
    .init("transaction", .identifier, "The transaction the layer is part of."),
    .init(
      "content", .choice(words(Content.self)),
      "Whether the compositor or the app's own GPU code draws it."),
    .init("surface", .surface, "The surface it is drawn on."),
    .init("frame", .frame, "The frame it is part of."),
    .init("displayed", .time, "The refresh at which its content was swapped in."),
    .init("synchronized", .flag, "Whether its display is tied to the transaction's."),
  ]
}
