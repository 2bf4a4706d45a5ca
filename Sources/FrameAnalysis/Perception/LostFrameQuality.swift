import FrameStatistics

/// How viewers rate cloud-gaming video of which frames are lost, by the temporal part of ITU-T G.1072.
///
/// Source: ITU-T G.1072 (01/2020) with Corrigendum 1, "video discontinuity"; coefficients and the map to opinion scores
/// of the reference implementation, stootaghaj/ITU-G1072.
enum LostFrameQuality {
  /// The frame rates of the video for which it is defined.
  static let rates = 10.0...60.0

  /// How complex the video is; a trace does not tell.
  enum Complexity: CaseIterable, Sendable {
    case low, mediumOrHigh

    fileprivate var coefficients: (constant: Double, square: Double, linear: Double, loss: Double) {
      switch self {
      case .low: (29.13, 0.01344, -1.283, 6.724)
      case .mediumOrHigh: (47.03, 0.01747, -1.823, 10.7)
      }
    }
  }

  private static let mostImpaired = 61.29
  private static let scores = 1.3...4.64

  /// The mean opinion score, from 1.3 to 4.64.
  /// - Parameters:
  ///   - rate: The frame rate of the content, in Hz.
  ///   - lost: The share of its frames that were not shown in time.
  static func score(rate: Double, lost: Double, _ complexity: Complexity) -> Double {
    let own = complexity.coefficients
    let raw =
      own.constant + own.square * rate * rate + own.linear * rate + own.loss
      * Elementary.log(100 * lost + 1)
    let quality = 100 - min(max(raw, 0), mostImpaired)
    let score =
      scores.lowerBound + (scores.upperBound - scores.lowerBound) / 100 * quality
      + 7e-6 * quality * (quality - 60) * (100 - quality)
    return min(max(score, scores.lowerBound), scores.upperBound)
  }
}
