import FrameTrace

extension FrameTable {
  /// Frames of KWin, KDE's compositor, by its own log of an output (`KWIN_LOG_PERFORMANCE_DATA=1`).
  ///
  /// Documentation: invent.kde.org/plasma/kwin, `src/core/renderloop.cpp`. Times are of the monotonic clock. Example:
  ///
  ///     target pageflip timestamp,pageflip timestamp,render start,render end,safety margin,refresh duration,vrr,tearing,predicted render time
  ///     5016666667,5033333334,5001000000,5018000000,1000000,16666667,0,0,2500000
  ///
  /// The frame was to be shown at 5.017 s and came a refresh later, because its rendering ended after that.
  static let kwin = FrameTable(
    name: "kwin", title: "KWin frame log", versions: "Plasma 6",
    documentation: "https://invent.kde.org/plasma/kwin",
    columns: [
      "target pageflip timestamp", "pageflip timestamp", "render start", "render end",
      "refresh duration",
    ], platform: .linux, clock: "the system's monotonic clock",
    surface: Surface(id: "output", process: "kwin", bufferOwner: .app, isComposited: false)
  ) { cells in
    guard let shown = cells.whole("pageflip timestamp"), shown > 0 else { return nil }
    // 0 stands for a time that is not known.
    let known = { (time: Int64?) in time == 0 ? nil : time }
    var frame = Frame()
    frame.row[.displayed] = shown
    frame.row[.expectedDisplay] = known(cells.whole("target pageflip timestamp"))
    let (start, end) = (known(cells.whole("render start")), known(cells.whole("render end")))
    if let start, let end, end >= start {
      (frame.row[.appStart], frame.row[.commit]) = (start, end)
    }
    frame.interval = known(cells.whole("refresh duration"))
    frame.isVariable = cells.whole("vrr").map { $0 != 0 }
    if let isTearing = cells.whole("tearing") { frame.row[.syncInterval] = isTearing != 0 ? 0 : 1 }
    return frame
  }
}
