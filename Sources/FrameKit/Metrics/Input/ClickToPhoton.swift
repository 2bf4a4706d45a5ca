extension InputLatencyMetric {
  /// The time from a click to the display of the frame that shows it.
  static let clickToPhoton = InputLatencyMetric(
    name: "clickToPhoton",
    summary: "The time from a click to the refresh that first shows it; without a scan-out.",
    formula: "displayed − the earliest click that the frame shows",
    source: "PresentMon, README-ConsoleApplication.md: ClickToPhotonLatency",
    devices: [.click])
}
