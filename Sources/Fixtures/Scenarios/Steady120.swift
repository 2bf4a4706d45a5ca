extension Scenario {
  /// An app that keeps up with a 120 Hz display.
  static let steady120 = Scenario(
    name: "steady-120", summary: "An app that keeps up with a 120 Hz display, three buffers.",
    frames: 600, play: { steady($0, name: "steady-120", interval: 8_333_300) })
}
