extension InputLatencyMetric {
  /// The time from any input to the display of the frame that shows it.
  static let inputToPhoton = InputLatencyMetric(
    name: "inputToPhoton",
    summary: "The time from any input to the refresh that first shows it; without a scan-out.",
    formula: "displayed − the earliest input that the frame shows",
    source: "PresentMon, README-ConsoleApplication.md: AllInputToPhotonLatency",
    devices: nil)
}
