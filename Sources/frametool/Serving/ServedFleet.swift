import FrameKit

/// The pages of a fleet: all groups, each group, and each run whose file is on this machine.
struct ServedFleet {
  private let trail: FleetTrail
  private let overview: [UInt8]
  private let page: ReportedPage
  private let console: Console
  /// The most recently viewed run.
  private var latest: (number: Int, page: ServedPage)?

  init(
    of summaries: [String], _ options: Fleet.Options, _ page: ReportedPage, on console: Console
  ) throws(CommandError) {
    var (fleet, trail) = (Fleet.Builder(options), FleetTrail.Builder(options))
    for summary in summaries {
      let folder = Self.folder(of: summary)
      try SummaryInputs(console: console).read([summary]) { run, _ throws(RunsCountedTwice) in
        try fleet.add(run)
        trail.add(run, from: folder)
      }
    }
    let whole = fleet.fleet
    guard whole.runs > 0 else { throw CommandError(.badData, "the summaries have no runs") }
    self.trail = trail.trail(whole)
    do throws(PlotRefusal) {
      overview = Self.bytes(try self.trail.overview())
    } catch {
      throw CommandError(error)
    }
    (self.page, self.console) = (page, console)
  }

  /// The folder of a summary; for a folder of summaries, the folder itself.
  private static func folder(of path: String) -> String {
    guard FileDescriptor.isRegular(path) else { return path }
    return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  private static func bytes(_ document: Document) -> [UInt8] {
    let contents = PageContents([], comparison: nil, isServed: true)
    return Array(HTMLPageWriter(drawing: document, exploring: contents).write(document).utf8)
  }

  /// The path of a trace: next to its summary, or else as the summary names it. A file of another size is a different
  /// trace.
  private func path(of run: FleetTrail.Run) -> String? {
    let beside = run.file.hasPrefix("/") ? [] : ["\(run.folder)/\(run.file)"]
    return (beside + [run.file]).first { path in
      FileDescriptor.isRegular(path) && run.size.map { $0 == FileDescriptor.size(of: path) } ?? true
    }
  }

  mutating func answer(to path: String) -> PageAnswer? {
    let html = "text/html; charset=utf-8"
    guard !path.isEmpty else { return PageAnswer(.found, type: html, overview) }
    let words = path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count >= 2, let number = Int(words[1]) else { return nil }
    switch words[0] {
    case "group" where words.count == 2:
      return trail.page(ofGroup: number) { self.path(of: $0) != nil }
        .map { PageAnswer(.found, type: html, Self.bytes($0)) }
    case "run" where words.count == 3: return answer(to: String(words[2]), ofRun: number)
    default: return nil
    }
  }

  private mutating func answer(to path: String, ofRun number: Int) -> PageAnswer? {
    if let latest, latest.number == number { return latest.page.answer(to: path) }
    guard trail.runs.indices.contains(number), let file = self.path(of: trail.runs[number]) else {
      return nil
    }
    do throws(CommandError) {
      let served = try ServedPage(of: [file], page, on: console)
      latest = (number, served)
      return served.answer(to: path)
    } catch {
      return PageAnswer(.missing, "cannot show the run: \(error.message)")
    }
  }
}
