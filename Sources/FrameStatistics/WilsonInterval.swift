/// The 95 % confidence interval of a share observed in several cases.
///
/// E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927). It stays
/// within 0 and 1, and remains useful if no case or every case shows the property. Cases count as independent of each
/// other.
package enum WilsonInterval {
  /// - Returns: `nil` if there are no cases.
  package static func of(_ seen: Int, among cases: Int) -> ClosedRange<Double>? {
    guard cases > 0 else { return nil }
    let z = 1.959963984540054
    let n = Double(cases)
    let share = Double(seen) / n
    let middle = share + z * z / (2 * n)
    let half = z * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
    let scale = 1 + z * z / n
    // If no case or every case shows the property, the bound is exact, and rounding must not move it.
    let low = seen == 0 ? 0 : max(0, (middle - half) / scale)
    let high = seen == cases ? 1 : min(1, (middle + half) / scale)
    return low...max(low, high)
  }
}
