import Foundation
import Testing

@testable import FrameAnalysis

/// The published models against their authors' own data.
struct PerceptionModelTests {
  /// Frame rates from 50 to 165 Hz, and what viewers said at 15, 30 and 45°/s of motion that they could follow, in JOD
  /// above 50 Hz: Denes et al. 2020, gfxdisp/motion_quality_20, `data/exp1_scaled_results.csv`, rounded to thousandths.
  private static let measured: [(rate: Double, jod: [Double])] = [
    (55, [0.808, 0.930, 0.903]), (60, [1.649, 1.694, 0.989]), (65, [1.684, 1.919, 1.762]),
    (70, [2.102, 1.966, 1.744]), (75, [2.099, 1.990, 2.254]), (80, [3.031, 1.537, 3.027]),
    (85, [2.512, 1.713, 2.498]), (90, [3.416, 1.857, 2.817]), (95, [3.253, 1.931, 3.150]),
    (100, [3.450, 2.430, 3.394]), (105, [3.879, 2.674, 3.311]), (110, [3.882, 2.964, 3.211]),
    (115, [3.794, 3.145, 3.038]), (120, [3.825, 3.007, 3.065]), (125, [4.379, 3.194, 2.879]),
    (130, [3.947, 3.715, 3.099]), (135, [4.205, 3.526, 2.632]), (140, [3.709, 3.693, 2.832]),
    (145, [4.411, 3.874, 2.982]), (150, [4.413, 3.961, 3.338]), (155, [4.355, 4.115, 4.027]),
    (160, [4.678, 4.316, 3.873]), (165, [5.051, 4.298, 4.311]),
  ]

  @Test(arguments: [(0, 15.0, 0.5), (1, 30.0, 0.5), (2, 45.0, 1.05)])
  func preferencesAreWithinTheModelsErrorOfWhatWasMeasured(
    _ position: Int, _ speed: Double, _ most: Double
  ) {
    let squares = Self.measured.map { row in
      let predicted = SteadyRatePreference.difference(row.rate, 50, speed: speed)
      return (predicted - row.jod[position]) * (predicted - row.jod[position])
    }
    let error = (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    #expect(error <= most && error > 0.2, "\(error)")
  }

  /// Numbers of the authors' program.
  @Test(
    arguments: [
      (60, 120, -2.68), (60, 59, 0.08), (60, 57, 0.25), (60, 54, 0.53), (120, 110, 0.27),
      (60, 30, 3.44),
    ] as [(Double, Double, Double)])
  func preferencesAreThoseOfTheAuthorsProgram(_ one: Double, _ other: Double, _ stated: Double) {
    let found = SteadyRatePreference.difference(one, other, speed: 15)
    #expect(abs(found - stated) <= 0.005, "\(found)")
    // The other way round it is the opposite, and a rate against itself is nothing.
    #expect(SteadyRatePreference.difference(other, one, speed: 15) == -found)
    #expect(SteadyRatePreference.difference(one, one, speed: 30) == 0)
  }

  @Test func aHigherRateIsNeverWorse() {
    for speed in stride(from: 15.0, through: 45, by: 3) {
      for rate in stride(from: 50.0, to: 165, by: 1) {
        #expect(
          SteadyRatePreference.difference(rate + 1, rate, speed: speed) > 0, "\(rate), \(speed)")
      }
    }
    let share = SteadyRatePreference.share(144, over: 120)
    #expect(share.lowerBound > 0.62 && share.upperBound < 0.66)
  }

  /// The highest sensitivities at 20 luminances from 1 to 1000 cd/m²: Cai et al. 2024, gfxdisp/elaTCSF,
  /// `application_vrr_range_peak_sensitivity_list.csv`.
  private static let peaks = [
    364.608161274376, 407.75044678992, 448.250121824175, 484.507119721711, 514.989092470092,
    539.764774421008, 559.490628387557, 574.266645042638, 585.146849790852, 593.464042528622,
    599.290073768494, 603.28635306017, 606.52014567833, 608.67735993605, 610.045188723392,
    611.31354594955, 612.146420815651, 612.609012340216, 613.136230111032, 613.510888131227,
  ]

  @Test func flickerIsSeenAsTheAuthorsProgramHasIt() {
    // Every fourth is enough to be exact: a grid of 200 × 200 at 50 frequencies takes a while.
    for position in stride(from: 0, to: Self.peaks.count, by: 4) {
      let luminance = pow(10, 3 * Double(position) / 19)
      let found =
        (0..<50).map { step in
          FlickerSensitivity.sensitivity(
            20 * Double(step) / 49, luminance: luminance, field: .desktop)
        }.max() ?? 0
      #expect(abs(found / Self.peaks[position] - 1) < 1e-6, "\(luminance): \(found)")
    }
  }

  @Test(
    arguments: [
      (1, 10, 1.23), (2.5, 100, 0.71), (5, 100, 0.42), (5, 300, 0.44), (10, 100, 0.33),
      (20, 300, 0.50),
    ] as [(Double, Double, Double)])
  func visibleDifferencesAreInPercent(_ frequency: Double, _ luminance: Double, _ percent: Double) {
    let found = FlickerSensitivity.visibleDifference(at: frequency, luminance: luminance)
    #expect(abs(found * 100 - percent) <= 0.005, "\(found)")
  }
}
