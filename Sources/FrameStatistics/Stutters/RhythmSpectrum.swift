/// The probability that times without a rhythm agree with a period as well as the given times do.
enum RhythmSpectrum {
  /// A period that times agree with.
  struct Peak: Comparable {
    /// The logarithm of the probability without a rhythm.
    let logarithm: Double
    /// The period, in seconds.
    let period: Double

    static func < (one: Peak, other: Peak) -> Bool {
      (one.logarithm, one.period) < (other.logarithm, other.period)
    }
  }

  /// The numbers of equal parts into which the span is divided. Beats that drift agree with each other within a part.
  private static let parts = [1, 2, 4]
  /// The number of frequencies tried for each independent one, so that no peak is missed.
  private static let oversampling = 6.0
  /// The largest probability of a peak, corrected for the number of independent periods.
  static let level = 0.05

  /// The peaks at periods in a range, in seconds.
  static func peaks(of times: [Double], span: Double, periods: ClosedRange<Double>) -> [Peak] {
    // The search goes octave by octave, because times much closer than a period count as one.
    let lows = (0..<12).map { periods.lowerBound * Double(1 << $0) }
    let octaves = lows.filter { $0 < periods.upperBound }.map { low in
      low...min(2 * low, periods.upperBound)
    }
    return octaves.flatMap { octave in
      parts.filter { $0 == 1 || span / Double($0) >= 4 * octave.upperBound }.flatMap { count in
        peaks(of: times, parts: count, span / Double(count), octave, octaves: octaves.count)
      }
    }
  }

  private static func peaks(
    of times: [Double], parts count: Int, _ length: Double, _ periods: ClosedRange<Double>,
    octaves: Int
  ) -> [Peak] {
    let (lowest, highest) = (1 / periods.upperBound, 1 / periods.lowerBound)
    let step = 1 / (oversampling * length)
    let frequencies = max(0, Int(((highest - lowest) / step).rounded(.up)))
    var directions = (0..<count).map { part in
      let end = part + 1 == count ? .infinity : Double(part + 1) * length
      return RhythmDirections(
        times, from: Double(part) * length, to: end,
        apart: periods.lowerBound * 2.0.squareRoot() / 4, frequency: lowest, step: step)
    }.filter { $0.count >= 2 }
    let tries = max(1, length * (highest - lowest)) * Double(parts.count * octaves)
    let (correction, least) = (Elementary.log(tries), Elementary.log(level))
    guard !directions.isEmpty else { return [] }
    let logarithms = (0..<frequencies).map { _ in
      var evidence = 0.0
      for part in directions.indices { evidence += directions[part].nextEvidence() }
      return correction + tail(evidence, shape: directions.count)
    }
    return logarithms.indices.compactMap { number in
      let logarithm = logarithms[number]
      let around = logarithms[max(0, number - 1)...min(number + 1, frequencies - 1)]
      guard logarithm <= least, around.allSatisfy({ logarithm <= $0 }) else { return nil }
      return Peak(logarithm: logarithm, period: 1 / (lowest + Double(number) * step))
    }
  }

  /// The logarithm of the probability that a gamma number of whole shape exceeds a value: R. A.
  /// Fisher's combination of the probabilities of several parts.
  private static func tail(_ value: Double, shape: Int) -> Double {
    var term = 1.0
    var sum = 1.0
    for number in 1..<max(2, shape) where number < shape {
      term *= value / Double(number)
      sum += term
    }
    return Elementary.log(sum) - value
  }
}

/// Times of one part as directions on a circle with the circumference of a period, for successive frequencies.
private struct RhythmDirections {
  /// The cosine and the sine of each direction, and those of its turn to the next frequency.
  private var directions: [SIMD4<Double>]
  /// The end of each cluster among the directions.
  private let ends: [Int]

  /// The number of clusters.
  var count: Int { ends.count }

  /// - Parameters:
  ///   - apart: The distance, in seconds, below which times belong to one cluster.
  ///   - frequency: The first frequency, per second.
  ///   - step: The difference between successive frequencies.
  init(
    _ times: [Double], from start: Double, to end: Double, apart: Double, frequency: Double,
    step: Double
  ) {
    let starts = times.indices.filter { $0 == 0 || times[$0] - times[$0 - 1] >= apart }
    let ends = starts.dropFirst() + [times.count]
    let clusters = zip(starts, ends).filter { times[$0.0] >= start && times[$0.0] < end }
    let members = clusters.flatMap { times[$0.0..<$0.1] }
    var sum = 0
    self.ends = clusters.map { cluster in
      sum += cluster.1 - cluster.0
      return sum
    }
    directions = members.map { time in
      let (angle, turn) = (2 * Double.pi * time * frequency, 2 * Double.pi * time * step)
      return SIMD4(
        Elementary.cosine(angle), Elementary.sine(angle), Elementary.cosine(turn),
        Elementary.sine(turn))
    }
  }

  /// How clearly the clusters agree at a frequency, as the negative logarithm of the probability that random directions
  /// agree as clearly; then rotates the directions to the next frequency.
  ///
  /// D. Wilkie, "Rayleigh test for randomness of circular data", Applied Statistics 32 (1983). The number of clusters
  /// used is the number of equal clusters that vary as much.
  mutating func nextEvidence() -> Double {
    var (x, y, sizes, squares) = (0.0, 0.0, 0.0, 1e-12)
    var start = 0
    let ends = ends
    var directions = directions.mutableSpan
    for end in ends {
      var (clusterX, clusterY) = (0.0, 0.0)
      for index in start..<end {
        let one = directions[index]
        clusterX += one.x
        clusterY += one.y
        directions[index].x = one.x * one.z - one.y * one.w
        directions[index].y = one.x * one.w + one.y * one.z
      }
      let square = end - start == 1 ? 1 : clusterX * clusterX + clusterY * clusterY
      x += clusterX
      y += clusterY
      sizes += end - start == 1 ? 1 : square.squareRoot()
      squares += square
      start = end
    }
    let n = sizes * sizes / squares
    let z = min(n, (x * x + y * y) / squares)
    return max(0, 1 + 2 * n - (1 + 4 * n + 4 * n * (n - z)).squareRoot())
  }
}
