extension Document {
  /// What is said of launches, and of a comparison of two groups of them where one was made.
  init(_ analysis: LaunchAnalysis, _ comparison: Comparison?) {
    let tables = LaunchTables(analysis)
    add(.title("Launches", .nothing))
    add(Block.points, tables.titles)
    add(Block.points, tables.headlines)
    add(Block.notes, tables.notes)
    if !tables.isEmpty { add(tables.launches(), "Launches") }
    add(tables.phases(), "Phases, medians")
    if let comparison { add(Document(comparison)) }
    for launch in analysis.told { add(launch) }
    for trace in analysis.traces where !trace.issueLines.isEmpty {
      let file = trace.provenance.file
      let heading =
        analysis.traces.count == 1 ? "About the input" : "About the input \(file)"
      add(.heading(heading, .words("about the input \(file)")))
      add(.list(trace.issueLines))
    }
  }

  private mutating func add(_ launch: RebuiltLaunch) {
    let owner = [launch.process, "launch \(launch.name)"].compactMap { $0 }.joined(separator: ", ")
    for (name, table) in LaunchTables.all(of: launch) {
      add(.table(table, .titled("\(owner): \(name)")))
    }
  }
}
