extension Document {
  /// What is said of a comparison, the verdict first.
  init(_ comparison: Comparison) {
    let tables = ComparisonTables(comparison)
    add(.title("\(tables.subject): \(tables.headline)", .words(tables.headline)))
    add(.points(tables.sides()))
    add(figuresOf: comparison)
  }

  /// Adds the table of a comparison, how it was made, and what is wrong with it.
  mutating func add(figuresOf comparison: Comparison) {
    add(ComparisonTables(comparison).table(), "Each figure before and after")
    add(.remarks(["method: \(comparison.method)", "figures in brackets do not decide"]))
    add(Block.warnings, comparison.warnings)
  }
}
