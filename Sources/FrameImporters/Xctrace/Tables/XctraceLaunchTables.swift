/// The contents of the launch tables.
struct XctraceLaunchFacts {
  /// A period of a process's life.
  struct Period {
    let start, end: Int64
    let process: XctraceProcess
    /// As the table spells it.
    let name: String
  }

  /// A library being loaded.
  struct Load {
    let start, end, thread: Int64
    let path: String
  }

  var periods: [Period] = []
  var loads: [Load] = []
}

extension XctraceRecording {
  static let launchReaders: [String: Reader] = [
    "life-cycle-period": { $1.takePeriod($0) },
    "dyld-library-load": { $1.takeLoad($0) },
  ]

  private mutating func takePeriod(_ row: XctraceRow) -> Bool {
    guard let (start, end) = row.span, let process = XctraceProcess(row.value(.process)),
      let name = row.text(.period)
    else { return false }
    launches.periods.append(.init(start: start, end: end, process: process, name: name))
    return true
  }

  private mutating func takeLoad(_ row: XctraceRow) -> Bool {
    guard let (start, end) = row.span, let thread = threads.note(row.value(.thread)),
      let path = row.text(.path)
    else { return false }
    launches.loads.append(
      .init(start: start, end: end, thread: thread.identifier, path: path))
    return true
  }
}
