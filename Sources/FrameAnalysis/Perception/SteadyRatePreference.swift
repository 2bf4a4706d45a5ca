import FrameStatistics

/// Which of two steady frame rates people prefer when they compare them directly, according to the model of Denes et
/// al.
///
/// The difference is in just-objectionable differences (JOD): for two versions one JOD apart, 75 % of viewers choose
/// the better one. The difference depends on how fast the content moves, which no trace shows.
///
/// Source: Denes, Jindal, Mikhailiuk, Mantiuk, "A perceptual model of motion quality for rendering with adaptive
/// refresh-rate and resolution", ACM Transactions on Graphics 39(4), 2020, equations 8 to 15; constants of the authors'
/// implementation, gfxdisp/motion_quality_20. The contrast sensitivities are Barten's and Kelly's.
enum SteadyRatePreference {
  /// The rates, and the speeds in degrees per second, at which the authors measured.
  static let rates = 50.0...165.0
  static let speeds = 15.0...45.0
  /// The model's uncertainty in JOD: twice the model's deviation from the measurements at up to 30°/s.
  static let uncertainty = 1.0

  /// How many JOD the first rate is better than the second, in Hz, for motion that the eye can follow.
  /// - Parameter speed: The speed in degrees per second.
  static func difference(_ first: Double, _ second: Double, speed: Double) -> Double {
    blurWeight * (sharpness(first, speed) - sharpness(second, speed))
      + judderWeight * (judder(second, speed) - judder(first, speed))
  }

  /// The share of viewers who choose a version that is better by this many JOD.
  static func share(_ difference: Double) -> Double { StandardNormal.above(-0.6745 * difference) }

  /// The share of viewers who choose the first rate, over the measured speeds.
  static func share(_ first: Double, over second: Double) -> ClosedRange<Double> {
    let steps = 30
    let shares = (0...steps).map { step in
      let speed =
        speeds.lowerBound
        + (speeds.upperBound - speeds.lowerBound) * Double(step) / Double(steps)
      return share(difference(first, second, speed: speed))
    }
    let low = shares.min() ?? 0.5
    return low...max(low, shares.max() ?? 0.5)
  }

  // MARK: - Blur

  private static let blurWeight = 1.47281929556791
  private static let blurPower = 1.83564239998305
  private static let highestSensitivity = 383.5854418393431
  /// The width of the screen in degrees, and in pixels, of the authors' display.
  private static let field = (degrees: 30.0, pixels: 2560.0)
  /// How the eye's own blur grows with the speed.
  private static let eye = (slope: 0.001528, constant: 0.072419)
  /// The spatial frequencies in cycles per degree.
  private static let frequencies = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64]

  private static func sharpness(_ rate: Double, _ speed: Double) -> Double {
    let display = speed / rate / .pi
    let eye = (eye.slope * speed + eye.constant) / .pi
    let resolution = 2.0.squareRoot() * field.degrees / field.pixels / .pi
    let width = (display * display + eye * eye + resolution * resolution).squareRoot()
    return frequencies.reduce(0) { sum, frequency in
      let angle = 2 * Double.pi * width * frequency
      let kept = Elementary.exp(-angle * angle / 2)
      return sum + Elementary.power(kept * sensitivity(frequency) / highestSensitivity, blurPower)
    }
  }

  /// The contrast sensitivity at 100 cd/m² and a field of 10°: Barten, 2003.
  private static func sensitivity(_ frequency: Double) -> Double {
    let (luminance, size, square) = (100.0, 10.0, frequency * frequency)
    let loss = Elementary.exp(-0.0016 * square * Elementary.power(1 + 100 / luminance, 0.08))
    let spatial = 1 + 144 / (size * size) + 0.64 * square
    let noise = 63 / Elementary.power(luminance, 0.83) + 1 / (1 - Elementary.exp(-0.02 * square))
    return 5200 * loss / (spatial * noise).squareRoot()
  }

  // MARK: - Judder

  private static let judderWeight = 2.21867722216986
  private static let judderPower = 2.574657335762098
  private static let judderThreshold = 218.7120058255750

  private static func judder(_ rate: Double, _ speed: Double) -> Double {
    let peak = (1...50).map(Double.init).max {
      movingSensitivity($0, rate) < movingSensitivity($1, rate)
    }
    let density = max(peak ?? 1, rate / max(speed, 0.001))
    return Elementary.power(movingSensitivity(density, rate) / judderThreshold, judderPower)
  }

  /// The sensitivity to a pattern with this many cycles per degree that changes this many times a second: Kelly, 1979.
  private static func movingSensitivity(_ density: Double, _ rate: Double) -> Double {
    let speed = max(rate / density, 0.01)
    let scale = 6.1 + 7.3 * Elementary.power(abs(Elementary.log10(speed / 3)), 3)
    return scale * speed * density * density * Elementary.exp(-2 * density * (speed + 2) / 45.9)
  }
}
