import FrameTrace

extension FrameTable {
  /// Frame timing of SteamVR's compositor, with OpenVR's own verdicts.
  ///
  /// Documentation: github.com/ValveSoftware/openvr, `Compositor_FrameTiming`; the table is in its issue 1188. Example:
  ///
  ///     FrameIndex,NumFramePresents,NumMisPresented,NumDroppedFrames,ReprojectionFlags,SystemTimeInSeconds,PreSubmitGpuMs,…
  ///     38904,1,1,0,92,418.004173,16.392256,0.016320,…
  ///
  /// The frame was due at the refresh at 418.004 s; the GPU worked on it for 16.409 ms. A frame is late if the picture
  /// before it was shown again (NumDroppedFrames), or reprojected because the CPU (1) or the GPU (2) was late. How often
  /// a frame itself was shown is what the next one says.
  static let steamVR = FrameTable(
    name: "steamvr", title: "SteamVR frame timing", versions: "22 columns of 2019 and later",
    documentation: "https://github.com/ValveSoftware/openvr",
    columns: [
      "frameindex", "numframepresents", "nummispresented", "numdroppedframes",
      "reprojectionflags", "systemtimeinseconds", "presubmitgpums", "postsubmitgpums",
    ], clock: "SteamVR's",
    surface: Surface(
      id: "headset", process: "vrcompositor", display: nil, bufferOwner: .app,
      isComposited: true, numbersCountFrames: false)
  ) { cells in
    guard let time = cells.time("systemtimeinseconds", scale: 9) else { return nil }
    var frame = Frame()
    frame.count = time == 0 ? 0 : 1
    frame.row[.identifier] = cells.whole("frameindex")
    frame.row[.commit] = time
    frame.row[.startInterval] = cells.time("clientframeintervalms", scale: 6).flatMap {
      $0 > 0 ? $0 : nil
    }
    let parts = [cells.time("presubmitgpums", scale: 6), cells.time("postsubmitgpums", scale: 6)]
      .compactMap { $0 }
    if parts.count == 2, parts[0] &+ parts[1] >= 0 {
      frame.row[.gpuBusy] = parts[0] &+ parts[1]
    }
    frame.row[.verdict] =
      verdict(
        flags: cells.whole("reprojectionflags") ?? 0,
        isPresented: cells.whole("numframepresents") != 0,
        dropped: cells.whole("numdroppedframes") ?? 0)?.rawValue
    return frame
  }

  /// The bits of why a picture was reprojected.
  private static let (forCPU, forGPU): (Int64, Int64) = (1, 2)

  /// What OpenVR says of a frame; `nil` for one that it did not present.
  private static func verdict(
    flags: Int64, isPresented: Bool, dropped: Int64
  ) -> FrameColumn.StatedVerdict? {
    if flags & forCPU != 0 { return .app }
    if flags & forGPU != 0 { return .gpu }
    if dropped > 0 { return .late }
    return isPresented ? .onTime : nil
  }
}
