/// The metrics from a touch to its light.
extension PipelineMetric {
  private static let talk = "Apple, Advanced Touch Input on iOS, WWDC 2015: latency"

  /// The time from a touch to the light that shows it.
  package static let touchToPhoton = PipelineMetric.touch(
    "touchToPhoton",
    "The time from the scan of a main touch sample to the light of the frame that shows it.",
    "photon time − scan start", source: talk,
    missing: \TouchFindings.missingLatencies
  ) { $0.touchToPhoton }

  /// The time from a touch to the light that shows it, in display intervals.
  static let touchToPhotonFrames = PipelineMetric.touch(
    "touchToPhotonFrames", unit: .frames,
    "The time from the scan of a main touch sample to the light that shows it, in refreshes.",
    "refresh number of the photon time − that of the scan start, both with fraction",
    source: talk, missing: \TouchFindings.missingFrames
  ) { $0.touchToPhotonFrames }

  /// The time from a touch to its light, for samples delivered along with a main one.
  static let touchToPhotonCoalesced = PipelineMetric.touch(
    "touchToPhotonCoalesced",
    "The time from the scan of a coalesced touch sample to the light of the frame that shows it.",
    "photon time − scan start", source: talk,
    missing: \TouchFindings.missingCoalesced
  ) { $0.touchToPhotonCoalesced }

  /// The age of the newest touch that a frame shows.
  static let inputAge = PipelineMetric.touch(
    "inputAge", "The age of the newest touch sample in a frame when the frame is seen.",
    "photon time − scan start of the newest sample", source: talk
  ) { $0.inputAge }

  /// The age of the newest touch that a frame shows, in display intervals.
  static let inputAgeFrames = PipelineMetric.touch(
    "inputAgeFrames", unit: .frames,
    "The age of the newest touch sample in a frame when the frame is seen, in refreshes.",
    "refresh number of the photon time − that of the newest sample's scan start", source: talk
  ) { $0.inputAgeFrames }

  /// The latency that remains after predictions are taken into account.
  static let effectiveLatency = PipelineMetric.touch(
    "effectiveLatency",
    "The time from the moment predicted by the newest touch sample in a frame until the frame is seen.",
    "photon time − time stamp of the newest predicted sample in use", source: talk,
    isSigned: true
  ) { $0.effective }

  /// The latency that remains after predictions are taken into account, in display intervals.
  static let effectiveLatencyFrames = PipelineMetric.touch(
    "effectiveLatencyFrames", unit: .frames,
    "The time from the moment predicted by the newest touch sample in a frame until the frame is seen, in refreshes.",
    "refresh number of the photon time − that of the newest predicted sample in use",
    source: talk, isSigned: true
  ) { $0.effectiveFrames }
}

/// The metrics of touch samples without their frames.
extension PipelineMetric {
  /// How far predicted touches are from where the finger went.
  static let predictionError = PipelineMetric.touch(
    "predictionError", unit: .points,
    "How far a predicted touch sample is from where the finger was at that time.",
    "distance to the path between the scans around the predicted time", dependsOnFrames: false,
    missing: \TouchFindings.missingErrors
  ) { $0.predictionErrors.flatMap(\.errors) }

  /// How often a finger is scanned.
  static let scanInterval = PipelineMetric.touch(
    "scanInterval", "The time between two scans of a finger that is down.",
    "scan start(i) − scan start(i−1)", dependsOnFrames: false
  ) { $0.scanIntervals }

  /// How long a scan takes to be delivered.
  static let scanDelivery = PipelineMetric.touch(
    "scanDelivery", "How long after its scan a touch sample was delivered.",
    "delivered − scan start, of main samples", dependsOnFrames: false
  ) { $0.scanDeliveries }

  /// How unevenly scans arrive.
  static let scanJitter = PipelineMetric.touch(
    "scanJitter", "How far the step between two scans of a finger is from the median step.",
    "|step − median step| while the finger is down", dependsOnFrames: false
  ) { $0.scanJitter }

  /// How many additional samples arrived with a delivery.
  static let coalescedSamples = PipelineMetric.touch(
    "coalescedSamples", unit: .samples,
    "How many coalesced samples came with a main one, where any did.",
    "coalesced samples of a delivery, without the copy of the main one", dependsOnFrames: false
  ) { $0.coalescedPerDelivery }
}
