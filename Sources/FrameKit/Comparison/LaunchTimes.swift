/// The launches of a trace that are measurements: from the tap, or the start of the process, to
/// the first frame.
///
/// Launches that only warm things up are left out, and so are resumes, which are none.
struct LaunchTimes: Sendable {
  /// In nanoseconds and in order.
  let times: [Int64]
  /// Whether any was taken under a profiler.
  let areProfiled: Bool

  init(times: [Int64], areProfiled: Bool = false) {
    self.times = times
    self.areProfiled = areProfiled
  }

  init(_ trace: Trace) {
    let launches = trace.launches
    let rows = (0..<launches.count).filter { row in
      launches[row, .throwaway] != 1
        && launches[row, .kind] != LaunchColumn.Kind.resume.rawValue
    }
    times = rows.compactMap { row in
      guard let start = launches[row, .tapped] ?? launches[row, .started],
        let end = launches[row, .firstFrame], end > start
      else { return nil }
      return end - start
    }
    areProfiled = rows.contains { launches[$0, .profiled] == 1 }
  }
}
