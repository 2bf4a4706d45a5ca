import FrameKit

/// A page of traces, with the answers to its requests.
struct ServedPage {
  private let bytes: [UInt8]
  /// The surfaces of the page in page order, each with its trace and its index in the trace.
  private let surfaces: [(trace: Int, surface: Int)]
  private let stages: [ServedStages]

  /// Reads and analyzes the traces.
  init(of files: [String], _ page: ReportedPage, on console: Console) throws(CommandError) {
    let parts = try page.read(
      files, try page.comparison(of: files, on: console), isExplored: true, on: console)
    bytes = Array(
      HTMLPageWriter(drawing: parts.document, exploring: parts.contents).write(parts.document).utf8)
    surfaces = parts.traces.enumerated().flatMap { position, trace in
      trace.explored.map { (position, $0.surface) }
    }
    var stages: [ServedStages] = []
    for trace in parts.traces {
      stages.append(
        ServedStages(try page.study(of: trace.analysis.trace), from: trace.analysis.origin))
    }
    self.stages = stages
  }

  /// The answer for a path below the page's path; `nil` if there is none.
  func answer(to path: String) -> PageAnswer? {
    guard !path.isEmpty else {
      return PageAnswer(.found, type: "text/html; charset=utf-8", bytes)
    }
    let words = path.split(separator: "/", omittingEmptySubsequences: false)
    let numbers = words.dropFirst().compactMap { Int($0) }
    guard words.first == "stages", words.count == 4, numbers.count == 3,
      surfaces.indices.contains(numbers[0]), numbers[1] >= 0, numbers[2] > 0
    else { return nil }
    let owner = surfaces[numbers[0]]
    let (end, isTooMuch) = numbers[1].addingReportingOverflow(numbers[2])
    guard !isTooMuch,
      let json = stages[owner.trace].json(numbers[1]..<end, of: owner.surface)
    else { return nil }
    return PageAnswer(.found, type: "application/json", json)
  }
}
