import FrameTrace
import FrameVerdicts

extension DocumentSchema {
  static let historyList = DocumentSchema(
    "history-list", HistoryReport.schema, "printed by 'history list --format json'",
    .either([
      .object(
        JSONMember.all(HistoryReport.storeFields) + JSONMember.all(HistoryReport.jobFields)),
      .object(
        JSONMember.all(HistoryReport.storeFields) + JSONMember.all(HistoryReport.seriesFields)),
    ]), [job])

  static let historyCheck = DocumentSchema(
    "history-check", HistoryReport.schema, "printed by 'history check --format json'",
    .object(JSONMember.all(HistoryReport.storeFields) + JSONMember.all(HistoryReport.checkFields)),
    [job])

  private static let job = ("job", JSONShape.object(JSONMember.all(HistoryJob.fields)))
}
