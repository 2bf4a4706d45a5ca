import FrameTrace

extension FrameTable {
  /// Latencies that pyrofling's layer measures: an input, and the frame after it.
  ///
  /// Documentation: github.com/Themaister/pyrofling. Times are in seconds. The last column is the latest moment that could
  /// be measured. Example:
  ///
  ///     id,stimulus,queuepresent,queuedone,FirstPixelVisible
  ///     1,10.001000,10.012000,10.015000,10.033000
  ///
  /// The frame after the input was visible 32 ms after it. With `Dequeued`, the display times are not known.
  static let pyrofling = FrameTable(
    name: "pyrofling", title: "pyrofling latency CSV",
    versions: "latency measurements of the layer",
    documentation: "https://github.com/Themaister/pyrofling",
    columns: ["id", "stimulus", "queuepresent", "queuedone"], platform: .linux,
    clock: "pyrofling's", skippedPrefix: "DEBUG:"
  ) { cells in
    guard let present = cells.time("queuepresent", scale: 9) else { return nil }
    var frame = Frame()
    frame.row[.identifier] = cells.whole("id")
    frame.row[.commit] = present
    frame.row[.gpuEnd] = cells.time("queuedone", scale: 9)
    frame.row[.displayed] =
      cells.time("firstpixelvisible", scale: 9) ?? cells.time("firstpixelout", scale: 9)
    frame.click = cells.time("stimulus", scale: 9)
    return frame
  }
}
