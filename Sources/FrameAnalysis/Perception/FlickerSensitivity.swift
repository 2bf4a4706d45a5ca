import FrameStatistics

/// How sensitive viewers are to light that flickers over a part of their field of view, according to the elaTCSF model.
///
/// Source: Cai, Bozorgian, Ashraf, Wanat, Mantiuk, "elaTCSF: A Temporal Contrast Sensitivity Function for Flicker
/// Detection and Modeling Variable Refresh Rate Flicker", SIGGRAPH Asia 2024; constants of the authors' implementation,
/// gfxdisp/elaTCSF.
enum FlickerSensitivity {
  /// The frequencies in Hz for which the model is valid.
  static let frequencies = 1.0...20.0

  /// A screen as its viewer sees it, in degrees.
  struct Field: Hashable, Sendable {
    let width, height: Double

    /// A large desktop display, as assumed by the authors.
    static let desktop = Field(width: 62.7, height: 37.8)
  }

  /// The share by which the light of a panel may differ between two rates before half of the viewers see flicker.
  ///
  /// The model's contrast is half of the difference divided by the mean.
  /// - Parameters:
  ///   - frequency: How often the rates alternate, in Hz.
  ///   - luminance: The luminance in cd/m².
  static func visibleDifference(
    at frequency: Double, luminance: Double, field: Field = .desktop
  ) -> Double {
    2 / sensitivity(frequency, luminance: luminance, field: field)
  }

  /// The reciprocal of the contrast that half of the viewers see, for a field that flickers uniformly.
  static func sensitivity(_ frequency: Double, luminance: Double, field: Field) -> Double {
    // The field size raises the sensitivity through probability summation, over a grid of 200 × 200 points.
    let count = 200
    let position = { (index: Int, size: Double) in
      size * ((Double(index) + 0.5) / Double(count) - 0.5)
    }
    // The left and right halves are alike, and so are the upper and lower halves.
    let (xs, ys) = (
      (count / 2..<count).map { position($0, field.width) },
      (count / 2..<count).map { position($0, field.height) }
    )
    var sum = 0.0
    for x in xs {
      for y in ys {
        let eccentricity = (x * x + y * y).squareRoot()
        sum += Elementary.power(sensitivity(frequency, luminance, at: eccentricity), summation)
      }
    }
    let mean = sum / Double(xs.count * ys.count)
    return Elementary.power(mean * field.width * field.height / summationArea, 1 / summation)
  }

  private static let summation = 3.80022
  private static let summationArea = 6.52801

  /// The sensitivity at a distance from where the eye looks, in degrees.
  private static func sensitivity(
    _ frequency: Double, _ luminance: Double, at eccentricity: Double
  ) -> Double {
    let stretched = (frequency + 2) / (1 + 0.0341811 * eccentricity) - 2
    let adapted = stretched / (0.6678 + 0.222269 * Elementary.log10(luminance))
    let angle = 2 * Double.pi * adapted * 0.00292069
    // Two cascaded multistage filters; each is a power of 1 + iωτ.
    let first = filter(angle, stages: 15)
    let second = filter(angle * 2.12547, stages: 16)
    let real = first.real - 0.721095 * second.real
    let imaginary = first.imaginary - 0.721095 * second.imaginary
    let temporal = 154.133 * (real * real + imaginary * imaginary).squareRoot()
    let peak = 1.76801 * Elementary.power(1 + 1.62402 / luminance, -0.533781)
    return Elementary.exp((-0.0330933 * eccentricity) * Elementary.log(10)) * peak * temporal
  }

  /// (1 + i·angle) to the power of −stages.
  private static func filter(
    _ angle: Double, stages: Double
  ) -> (real: Double, imaginary: Double) {
    let size = Elementary.power(1 + angle * angle, -stages / 2)
    let turn = -stages * Elementary.arctangent(angle)
    return (size * Elementary.cosine(turn), size * Elementary.sine(turn))
  }
}
