import FrameStatistics

/// Bins of equal width for counting values.
struct ValueBins {
  let start, width: Double
  let count: Int
  /// The end of the last bin; values beyond it are not drawn.
  var end: Double { start + width * Double(count) }

  /// The narrowest bin, in the samples' unit: a hundredth of a millisecond.
  private static let finest = 0.01
  /// The maximum number of bins that are easy to distinguish.
  private static let most = 120

  /// Bins for samples, in their unit. The width follows the rule of Freedman and Diaconis (twice
  /// the interquartile range over the cube root of n), rounded to an easily read number. The bins
  /// span the lowest to the highest value, but not beyond three times the 99th percentile.
  init(for samples: [Sample], _ summaries: [Summary]) {
    let low = summaries.map(\.minimum).min() ?? 0
    let high = summaries.map(\.maximum).max() ?? 0
    let p99 = summaries.map(\.p99).max() ?? 0
    let top = high > 3 * p99 && p99 > 0 ? 3 * p99 : high
    var widths: [Double] = []
    for sample in samples {
      guard let quartiles = Quantile.type7(sample.values, [0.25, 0.75]) else { continue }
      let n = Double(sample.values.count)
      let range = Millionths.value(2 * (quartiles[1] - quartiles[0]))
      widths.append(range / Elementary.exp(Elementary.log(n) / 3))
    }
    // Nearly equal values need a visible bin; no bin is finer than the resolution of stored times.
    let fewest = max((top - low) / Double(Self.most), abs(low) / 1000, Self.finest)
    width = Self.round(max(widths.min() ?? 0, fewest))
    start = (low / width).rounded(.down) * width
    // The highest value needs a bin as well.
    count = max(1, Int(((top - start) / width).rounded(.down)) + 1)
  }

  /// The smallest number of the form 1, 2 or 5 times a power of ten that is not below the value.
  static func round(_ value: Double) -> Double {
    var power = 1e-9
    while power * 10 <= value { power *= 10 }
    return [1, 2, 5, 10].map { $0 * power }.first { $0 >= value * 0.999_999 } ?? power * 10
  }

  /// The number of values in each bin, and beyond the last one.
  func counts(_ sample: Sample) -> (bins: [Int], beyond: Int) {
    var bins = [Int](repeating: 0, count: count)
    var beyond = 0
    for value in sample.values {
      let position = Int(((Millionths.value(value) - start) / width).rounded(.down))
      if bins.indices.contains(position) { bins[position] += 1 } else { beyond += 1 }
    }
    return (bins, beyond)
  }
}
