extension InputLatencyMetric {
  /// The time from any input to the display of the frame that shows it.
  static let inputToPhoton = InputLatencyMetric(
    name: "inputToPhoton",
    summary: "The time from any input to the display of the first frame that shows it.",
    formula: "displayed − the earliest input that the frame shows",
    source: "PresentMon, README-ConsoleApplication.md: AllInputToPhotonLatency",
    devices: nil)
}
