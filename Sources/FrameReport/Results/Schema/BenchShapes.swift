import FrameTrace
import FrameVerdicts

extension DocumentSchema {
  static let bench = DocumentSchema(
    "bench", BenchReport.schema, "printed by 'bench --format json'",
    .object(JSONMember.all(BenchReport.fields)),
    [("comparison", .object(JSONMember.all(Comparison.fields)))])

  static let bisect = DocumentSchema(
    "bisect", BisectReport.schema, "printed by 'bisect --format json'",
    .object(JSONMember.all(BisectReport.fields)))
}
