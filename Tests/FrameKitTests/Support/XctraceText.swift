/// Exports of tables as `xctrace export` writes them, made from short text.
enum XctraceText {
  /// A table with its rows, each the cells of its columns in order.
  static func export(
    _ table: String, _ columns: [String], _ rows: String, run: Int = 1
  ) -> String {
    let list = columns.map { "<col><mnemonic>\($0)</mnemonic><name>x</name></col>" }.joined()
    return
      "<?xml version=\"1.0\"?>\n<trace-query-result>\n<node xpath='//trace-toc[1]/run[\(run)]/data[1]/table[1]'><schema name=\"\(table)\">\(list)</schema>\(rows)</node></trace-query-result>\n"
  }

  /// A row of plain values; `nil` is a value that the export lacks.
  static func row(_ cells: [Any?]) -> String {
    "<row>" + cells.map { $0.map { "<v>\($0)</v>" } ?? "<sentinel/>" }.joined() + "</row>"
  }
}
