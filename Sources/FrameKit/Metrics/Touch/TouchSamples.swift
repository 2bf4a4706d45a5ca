/// Touch samples by themselves.
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

  /// How long a scan takes to be given out.
  static let scanDelivery = PipelineMetric.touch(
    "scanDelivery", "How long after its scan a touch sample was given out.",
    "delivered − scan start, of main samples", dependsOnFrames: false
  ) { $0.scanDeliveries }

  /// How uneven scans come.
  static let scanJitter = PipelineMetric.touch(
    "scanJitter", "How far the step between two scans of a finger is from the usual one.",
    "|step − median step| while the finger is down", dependsOnFrames: false
  ) { $0.scanJitter }

  /// How many samples rode along with a delivery.
  static let coalescedSamples = PipelineMetric.touch(
    "coalescedSamples", unit: .samples,
    "How many coalesced samples came with a main one, where any did.",
    "coalesced samples of a delivery, the copy of the main one left out", dependsOnFrames: false
  ) { $0.coalescedPerDelivery }
}
