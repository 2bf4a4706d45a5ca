import FrameTrace
import FrameVerdicts

extension DocumentSchema {
  static let comparison = DocumentSchema(
    "compare", FieldRecord.comparisonSchema, "printed by 'compare --format json'",
    .either([.named("comparison"), .object(JSONMember.all(ComparisonOfSides.fields))]),
    [("comparison", .object(JSONMember.all(Comparison.fields)))])

  static let gate = DocumentSchema(
    "gate", GateReport.schema, "printed by 'gate --format json'",
    .object(JSONMember.all(GateReport.fields)))

  static let gateSuggestion = DocumentSchema(
    "gate-suggestion", GateSuggestionReport.schema, "printed by 'gate --suggest --format json'",
    .object(JSONMember.all(GateSuggestionReport.fields)))

  static let runsOfOneSide = DocumentSchema(
    "runs-of-one-side", RunsOfOneSideReport.schema,
    "printed by 'analyze --summary-of-runs --format json'",
    .object(JSONMember.all(RunsOfOneSideReport.fields)))
}
