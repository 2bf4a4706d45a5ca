import FrameTrace

extension FrameTable {
  /// Frame times that Unity's Profile Analyzer exports.
  ///
  /// Documentation: docs.unity3d.com, package `com.unity.performance.profile-analyzer`. Example:
  ///
  ///     Frame Offset, Frame Index, Frame Time (ms), Time from first frame (ms)
  ///     0,1501,16.67,0
  ///     1,1502,33.40,16.67
  ///
  /// The second frame took 33.4 ms and began 16.67 ms after the first.
  static let unity = FrameTable(
    name: "unity", title: "Unity Profile Analyzer frame times", versions: "frame time export",
    documentation:
      "https://docs.unity3d.com/Packages/com.unity.performance.profile-analyzer@latest",
    columns: ["frame index", "frame time (ms)", "time from first frame (ms)"],
    displayAdvice:
      "the Profile Analyzer exports none; Perfetto (Android), Instruments (iOS) and PresentMon (Windows) record them",
    clock: "first frame", timesAreStarts: true
  ) { cells in
    guard let start = cells.time("time from first frame (ms)", scale: 6),
      let length = cells.time("frame time (ms)", scale: 6), length > 0
    else { return nil }
    var frame = Frame()
    frame.row[.identifier] = cells.whole("frame index")
    frame.row[.commit] = start &+ length
    frame.row[.presentInterval] = length
    return frame
  }
}
