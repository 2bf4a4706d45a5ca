import FrameTrace

extension DocumentSchema {
  static let fleet = DocumentSchema(
    "fleet", FleetReport.schema, "printed by 'fleet --format json'",
    .object(JSONMember.all(FleetReport.fields)))
}
