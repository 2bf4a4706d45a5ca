/// What an input holds that nothing is read of: told where it holds nothing else.
struct UnreadRecords {
  private var counts: [String: Int] = [:]

  /// Takes note of records.
  /// - Parameter kind: What they are, in the plural.
  mutating func note(_ kind: String, count: Int = 1) {
    if count > 0 { counts[kind, default: 0] += count }
  }

  /// How many kinds are named.
  private static let mostKinds = 4

  /// The kinds with their counts, the most frequent first; `nil` when there are none.
  var words: String? {
    guard !counts.isEmpty else { return nil }
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let named = sorted.prefix(Self.mostKinds).map { "\($0.value) × \($0.key)" }
    let rest = sorted.dropFirst(Self.mostKinds)
    let others = rest.reduce(0) { $0 + $1.value }
    return (named + (others > 0 ? ["\(others) × other kinds"] : []))
      .joined(separator: ", ")
  }
}
