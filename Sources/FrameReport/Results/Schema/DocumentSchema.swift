/// A JSON document that frametool prints: its name and version, and the shape of its contents.
package struct DocumentSchema: Sendable {
  /// The word that names the document on the command line.
  package let name: String
  /// The name and version in the document itself, such as `frametool.analysis/3`.
  package let schema: String
  /// The commands that print the document, as a clause.
  package let summary: String
  let shape: JSONShape
  /// The shapes that the document refers to by name.
  let definitions: [(name: String, shape: JSONShape)]

  package init(
    _ name: String, _ schema: String, _ summary: String, _ shape: JSONShape,
    _ definitions: [(name: String, shape: JSONShape)] = []
  ) {
    (self.name, self.schema, self.summary) = (name, schema, summary)
    (self.shape, self.definitions) = (shape, definitions)
  }

  /// The identifier of the schema, including the version: several documents share the name in their identifiers.
  var identifier: String {
    "urn:frametool:\(name):\(schema.split(separator: "/").last ?? "")"
  }

  /// The JSON Schema of the document, including its final line feed.
  package var text: String { JSONSchemaText.write(self) }
}

extension DocumentSchema {
  /// The results that a report can print, in the order of the commands.
  package static let results: [DocumentSchema] = [
    analysis, runsOfOneSide, comparison, bench, bisect, gate, gateSuggestion, replay, launch,
    historyList,
    historyCheck, runs,
    fleet, info, plot, brief, score, jankTruth,
  ]

  /// A list of the tool's capabilities: rows of strings without a separate schema.
  package static func list(_ name: String, keys: [String]) -> DocumentSchema {
    DocumentSchema(
      name, "frametool.\(name)/1", "printed by 'list \(name) --format json'",
      .list(.object(keys.map { .text($0, "the column of that name") })))
  }
}
