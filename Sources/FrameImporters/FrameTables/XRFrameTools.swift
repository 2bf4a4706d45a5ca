import FrameTrace

extension FrameTable {
  /// Frames of OpenXR programs on Windows, as XRFrameTools exports them.
  ///
  /// Documentation: github.com/fredemmott/XRFrameTools, `src/lib/CSVWriter.cpp`. Example:
  ///
  ///     Time (µs),Time (UTC),Time (Local),Frame Interval (µs),FPS,Count,App CPU (µs),Render CPU (µs),Render GPU (µs),…
  ///     11111,"2025-01-02T03:04:05.006","…",11111,90,1,4200,2100,7900,…
  ///
  /// The frame was submitted after 11.1 ms; the program's own work took 4.2 ms of CPU, its rendering 2.1 ms, and the GPU
  /// 7.9 ms. A row can stand for several frames, with means.
  static let xrFrameTools = FrameTable(
    name: "xrframetools", title: "XRFrameTools CSV", versions: "0.0.2 and later",
    documentation: "https://github.com/fredemmott/XRFrameTools",
    columns: ["time (µs)", "frame interval (µs)", "count", "app cpu (µs)", "render cpu (µs)"],
    platform: .windows, clock: "end of the first frame",
    surface: Surface(id: "headset", bufferOwner: .app)
  ) { cells in
    guard let time = cells.time("time (µs)", scale: 3) else { return nil }
    let length = { (time: Int64?) in time.flatMap { $0 > 0 ? $0 : nil } }
    var frame = Frame()
    frame.count = cells.whole("count") ?? 1
    frame.row[.commit] = time
    frame.row[.presentInterval] = length(cells.time("frame interval (µs)", scale: 3))
    frame.row[.gameThread] = length(cells.time("app cpu (µs)", scale: 3))
    frame.row[.renderThread] = length(cells.time("render cpu (µs)", scale: 3))
    frame.row[.gpuBusy] = length(cells.time("render gpu (µs)", scale: 3))
    return frame
  }
}
