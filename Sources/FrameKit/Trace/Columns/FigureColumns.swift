/// What a source can state itself of a run: one figure.
public enum FigureColumn: Int, TableColumn {
  case scene, run, metric, value, unit, count, label

  public static let schemas: [ColumnSchema] = [
    .init("scene", .text, "What was done: a test, a gesture."),
    .init("run", .identifier, "The run that it is of; figures of one run have the same."),
    .init("metric", .text, "The metric: one of frametool's where it is the same thing."),
    .init("value", .real, "The figure."),
    .init("unit", .text, "Its unit."),
    .init("count", .count, "How many values it is made of."),
    .init("label", .text, "What the source calls it."),
  ]
}

/// What a source can state of how often values fell between bounds.
public enum BinColumn: Int, TableColumn {
  case metric, unit, low, high, count, label

  public static let schemas: [ColumnSchema] = [
    .init("metric", .text, "The metric: one of frametool's where it is the same thing."),
    .init("unit", .text, "The unit of the bounds."),
    .init("low", .real, "The lower bound."),
    .init("high", .real, "The upper bound."),
    .init("count", .count, "How many values fell between them."),
    .init("label", .text, "What the source calls it."),
  ]
}
