import FrameKit

/// The rule of Apache Otava, formerly Hunter. It finds change points by energy distance in windows
/// of fifty jobs, tests them with Student's t, and merges those that are not significant.
///
/// github.com/apache/otava; M. Fleming, P. Kołaczkowski and others, "Hunter: using change point
/// detection to hunt for performance regressions", ICPE 2023. The settings are its defaults: p ≤
/// 0.001, ten times that in the first pass, and no smallest size.
enum OtavaRule {
  static let level = 0.001
  private static let firstLevel = 0.01
  private static let window = 50

  /// The smallest level at which a change for the worse remains among the newest jobs, up to the
  /// level of the first pass; 1 if there is none.
  static func probability(_ values: [Double], recent: Int) -> Double {
    var positions = candidates(values)
    var least = 1.0
    var result = 1.0
    // The change points that remain at a level are the first set in which all probabilities are
    // below it.
    while !positions.isEmpty {
      let bounds = [0] + positions + [values.count]
      let tests = positions.indices.map { number in
        test(values, bounds[number], bounds[number + 1], bounds[number + 2])
      }
      guard let weakest = tests.indices.max(by: { tests[$0].pTwoSided < tests[$1].pTwoSided })
      else { break }
      if tests[weakest].pTwoSided < least {
        least = tests[weakest].pTwoSided
        let isRed = positions.indices.contains { number in
          positions[number] >= values.count - recent && tests[number].difference > 0
        }
        if isRed { result = least }
      }
      positions.remove(at: weakest)
    }
    return result
  }

  private static func test(_ values: [Double], _ start: Int, _ position: Int, _ end: Int)
    -> TwoSampleT
  {
    .pooled(Array(values[start..<position]), Array(values[position..<end]))
  }

  /// The change points of the first pass, in order.
  private static func candidates(_ values: [Double]) -> [Int] {
    var found: [Int] = []
    var start = 0
    while start < values.count {
      let end = min(start + window, values.count)
      let positions = split(Array(values[start..<end])).map { $0 + start }
      found += positions.filter { !found.contains($0) }
      start = max(positions.last ?? 0, start + window / 2)
    }
    return found.sorted()
  }

  /// Splits a window where its parts differ most, as long as the difference is significant.
  private static func split(_ values: [Double]) -> [Int] {
    var positions: [Int] = []
    while true {
      let bounds = [0] + positions + [values.count]
      let best = zip(bounds, bounds.dropFirst()).compactMap { start, end in
        bestSplit(Array(values[start..<end])).map {
          (start: start, position: start + $0.position, end: end, distance: $0.distance)
        }
      }.max { $0.distance < $1.distance }
      guard let best,
        test(values, best.start, best.position, best.end).pTwoSided <= firstLevel
      else { return positions }
      positions = (positions + [best.position]).sorted()
    }
  }

  /// The split with the greatest energy distance, with at least two values on each side.
  private static func bestSplit(_ values: [Double]) -> (position: Int, distance: Double)? {
    let n = values.count
    guard n >= 4 else { return nil }
    // The sums of differences between the parts and within each, updated value by value.
    var between = 0.0
    var left = 0.0
    var right = 0.0
    for first in 0..<n {
      for second in first + 1..<n { right += abs(values[first] - values[second]) }
    }
    var best: (position: Int, distance: Double)?
    for position in 1...n - 2 {
      var toLeft = 0.0
      var toRight = 0.0
      for other in 0..<position - 1 { toLeft += abs(values[position - 1] - values[other]) }
      for other in position..<n { toRight += abs(values[position - 1] - values[other]) }
      left += toLeft
      right -= toRight
      between += toRight - toLeft
      guard position >= 2 else { continue }
      let (l, r) = (Double(position), Double(n - position))
      let distance =
        l * r / (l + r)
        * (2 * between / (l * r) - 2 * left / (l * (l - 1)) - 2 * right / (r * (r - 1)))
      if distance > best?.distance ?? -.infinity { best = (position, distance) }
    }
    return best
  }
}
