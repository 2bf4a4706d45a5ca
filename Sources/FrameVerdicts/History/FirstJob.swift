import FrameStatistics

/// The first job of a worse level: the probability of each candidate, given that the level rose at
/// one of them.
///
/// Both levels, the size of the noise and the weight of its tails are integrated out. Therefore a
/// stray job adds uncertainty but hardly shifts the result. With estimated levels, the
/// probabilities would be overconfident.
struct FirstJob {
  /// A job's index in the series, and its probability.
  struct Candidate: Hashable, Sendable {
    let position: Int
    let probability: Double
  }

  /// The candidates, most probable first; empty if the jobs cannot be distinguished.
  let candidates: [Candidate]

  /// The number of jobs before the candidates, and after the candidates, that are used to find the two levels.
  private static let reach = 50
  /// Degrees of freedom of Student's t, each with the logarithm of its density at 0.
  private static let tails: [(degrees: Double, log: Double)] = [
    (3, -1.0008888496235098), (30, -0.9272703253788479),
  ]
  /// The candidate sizes of the noise, relative to its estimate.
  private static let scales = [0.5, 0.63, 0.8, 1, 1.25, 1.6, 2]
  private static let fewestLevels = 240
  private static let mostLevels = 4000

  /// - Parameters:
  ///   - values: The scaled values of the old level and the new one; larger is worse.
  ///   - positions: The indices of the jobs that may be the first of the new level; at least one job
  ///     precedes each.
  ///   - rise: The smallest rise of the level, scaled.
  /// - Complexity: Bounded: at most `reach` jobs on either side of the candidates are used.
  init(_ values: [Double], among positions: Range<Int>, rise: Double) {
    let start = max(0, positions.lowerBound - Self.reach)
    let values = Array(
      values[start..<max(start, min(values.count, positions.upperBound + Self.reach))])
    let positions = positions.lowerBound - start..<positions.upperBound - start
    guard positions.lowerBound > 0, !positions.isEmpty, positions.upperBound <= values.count,
      values.count > 2
    else {
      candidates = []
      return
    }
    let steps = zip(values.dropFirst(), values).map { abs($0 - $1) }
    // A level change hardly affects the median difference of neighbors; for normal values it is
    // 0.954 standard deviations.
    let noise = max(RealQuantile.type7(steps, 0.5) / 0.954, 1e-9)
    let logs = Self.tails.flatMap { tail in
      Self.scales.map { scale in
        LevelGrid(values, noise: noise * scale, tail: tail).logs(of: positions, rise: rise)
      }
    }
    let most = logs.joined().max() ?? 0
    let weights = positions.indices.map { position in
      logs.reduce(0) { $0 + Elementary.exp($1[position - positions.lowerBound] - most) }
    }
    let all = weights.reduce(0, +)
    candidates = zip(positions, weights).map {
      Candidate(position: $0 + start, probability: $1 / all)
    }.sorted { ($1.probability, $0.position) < ($0.probability, $1.position) }
  }

  /// The likelihood of the values at each of many levels, for one size of the noise.
  private struct LevelGrid {
    /// For each value, the logarithms of its density at each level.
    private let logs: [[Double]]
    private let step: Double

    init(_ values: [Double], noise: Double, tail: (degrees: Double, log: Double)) {
      let low = (values.min() ?? 0) - 2 * noise
      let reach = (values.max() ?? 0) + 2 * noise - low
      let count = min(mostLevels, max(fewestLevels, Int(min(1e6, 4 * reach / noise))))
      let step = reach / Double(count - 1)
      self.step = step
      let density = tail.log - Elementary.log(noise)
      logs = values.map { value in
        (0..<count).map { level in
          let z = (value - low - step * Double(level)) / noise
          return density - (tail.degrees + 1) / 2 * Elementary.log(1 + z * z / tail.degrees)
        }
      }
    }

    /// The log-likelihood of each index, over all pairs of levels at least `rise` apart.
    func logs(of positions: Range<Int>, rise: Double) -> [Double] {
      let count = logs[0].count
      let apart = Int(min(Double(count), (rise / step).rounded(.up)))
      var after = [Double](repeating: 0, count: count)
      var afters: [[Double]] = []
      for position in (positions.lowerBound..<logs.count).reversed() {
        for level in 0..<count { after[level] += logs[position][level] }
        if position < positions.upperBound { afters.append(after) }
      }
      var before = [Double](repeating: 0, count: count)
      for position in 0..<positions.lowerBound {
        for level in 0..<count { before[level] += logs[position][level] }
      }
      return positions.map { position in
        defer { for level in 0..<count { before[level] += logs[position][level] } }
        let later = afters[positions.upperBound - 1 - position]
        return Self.logOfSum(before, later, apart: apart) + 2 * Elementary.log(step)
      }
    }

    private static func logOfSum(_ before: [Double], _ after: [Double], apart: Int) -> Double {
      let (most, mostAfter) = (before.max() ?? 0, after.max() ?? 0)
      var tail = 0.0
      var sum = 0.0
      for level in before.indices.reversed() {
        if level + apart < after.count {
          tail += Elementary.exp(after[level + apart] - mostAfter)
        }
        sum += Elementary.exp(before[level] - most) * tail
      }
      return most + mostAfter + Elementary.log(max(sum, 1e-300))
    }
  }
}
