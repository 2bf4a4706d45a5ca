import FrameAnalysis
import FrameTrace
import FrameVerdicts

extension DocumentSchema {
  static let launch = DocumentSchema(
    "launch", FieldRecord.launchSchema, "printed by 'launch --format json' and 'launch run'",
    .object(JSONMember.all(LaunchAnalysis.fields)),
    [
      ("measured", MeasuredField.shape),
      ("launch", .object(JSONMember.all(RebuiltLaunch.fields))),
      ("comparison", .object(JSONMember.all(Comparison.fields))),
    ])
}
