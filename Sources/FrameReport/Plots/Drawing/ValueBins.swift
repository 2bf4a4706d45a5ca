import FrameStatistics

/// Bins of one width that values are counted in.
struct ValueBins {
  let start, width: Double
  let count: Int
  /// The end of the last bin: values beyond it are not drawn.
  var end: Double { start + width * Double(count) }

  /// The narrowest bin, in the samples' unit: a hundredth of a millisecond.
  private static let finest = 0.01
  /// How many bins are easy to tell apart.
  private static let most = 120

  /// Bins for samples, in their unit: of a width by the rule of Freedman and Diaconis (twice the
  /// distance of the quartiles over the cube root of n), rounded to a number that people read
  /// easily, from the lowest value to the highest, but not beyond thrice the 99th percentile.
  init(for samples: [Sample], _ summaries: [Summary]) {
    let low = (summaries.map(\.minimum).min() ?? 0) / 1e6
    let high = (summaries.map(\.maximum).max() ?? 0) / 1e6
    let p99 = (summaries.map(\.p99).max() ?? 0) / 1e6
    let top = high > 3 * p99 && p99 > 0 ? 3 * p99 : high
    var widths: [Double] = []
    for sample in samples {
      guard let quartiles = Quantile.type7(sample.values, [0.25, 0.75]) else { continue }
      let n = Double(sample.values.count)
      widths.append(2 * (quartiles[1] - quartiles[0]) / 1e6 / Elementary.exp(Elementary.log(n) / 3))
    }
    // Values that are as good as the same need a bin that can be seen, and no finer than times are kept.
    let fewest = max((top - low) / Double(Self.most), abs(low) / 1000, Self.finest)
    width = Self.round(max(widths.min() ?? 0, fewest))
    start = (low / width).rounded(.down) * width
    // Values at the very end need a bin too.
    count = max(1, Int(((top - start) / width).rounded(.down)) + 1)
  }

  /// The next number up that is 1, 2 or 5 with zeros.
  static func round(_ value: Double) -> Double {
    var power = 1e-9
    while power * 10 <= value { power *= 10 }
    return [1, 2, 5, 10].map { $0 * power }.first { $0 >= value * 0.999_999 } ?? power * 10
  }

  /// How many values fall into each bin, and how many beyond the last.
  func counts(_ sample: Sample) -> (bins: [Int], beyond: Int) {
    var bins = [Int](repeating: 0, count: count)
    var beyond = 0
    for value in sample.values {
      let place = Int(((Double(value) / 1e6 - start) / width).rounded(.down))
      if bins.indices.contains(place) { bins[place] += 1 } else { beyond += 1 }
    }
    return (bins, beyond)
  }
}
