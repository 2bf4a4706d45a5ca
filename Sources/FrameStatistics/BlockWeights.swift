/// All ways to draw six of six blocks with replacement, each with its probability: the complete
/// bootstrap of contiguous blocks, without random numbers.
///
/// P. Hall, J. Horowitz and B.-Y. Jing, "On blocking rules for the bootstrap with dependent
/// data", Biometrika 82 (1995), for blocks; the enumeration of multisets as in N. Fisher and
/// P. Hall, "Bootstrap algorithms for small samples", Journal of Statistical Planning and
/// Inference 27 (1991).
package enum BlockWeights {
  /// The number of blocks that a run is divided into.
  package static let blockCount = 6

  /// All 462 draws: how often each block is drawn, and the probability of the draw.
  package static let all: [(weights: [Int64], probability: Double)] = {
    var found: [([Int64], Double)] = []
    var weights = [Int64](repeating: 0, count: blockCount)
    fill(&weights, from: 0, left: blockCount, into: &found)
    return found
  }()

  private static func fill(
    _ weights: inout [Int64], from block: Int, left: Int, into found: inout [([Int64], Double)]
  ) {
    if block == blockCount - 1 {
      weights[block] = Int64(left)
      found.append((weights, probability(weights)))
      return
    }
    for count in (0...left).reversed() {
      weights[block] = Int64(count)
      fill(&weights, from: block + 1, left: left - count, into: &found)
    }
    weights[block] = 0
  }

  private static func probability(_ weights: [Int64]) -> Double {
    let factorial = { (n: Int64) in (1...max(1, n)).reduce(1, *) }
    let ways = weights.reduce(factorial(Int64(blockCount))) { $0 / factorial($1) }
    let all = (0..<blockCount).reduce(1) { product, _ in product * blockCount }
    return Double(ways) / Double(all)
  }

  /// The block of a frame, by its index in a run of `count` frames.
  static func block(of position: Int, count: Int) -> Int { position * blockCount / count }

  /// The variance of a run's figure, estimated from the figures of all draws of the same length.
  package static func variance(_ figures: [Double]) -> Double {
    let mean = zip(all, figures).reduce(0) { $0 + $1.0.probability * $1.1 }
    let spread = zip(all, figures).reduce(0) { sum, pair in
      sum + pair.0.probability * (pair.1 - mean) * (pair.1 - mean)
    }
    return spread * Double(blockCount) / Double(blockCount - 1)
  }
}
