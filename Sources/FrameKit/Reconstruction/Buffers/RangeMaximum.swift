/// Numbers of which the greatest in any range is found in time logarithmic in their count.
struct RangeMaximum {
  private let count: Int
  /// A complete binary tree: the numbers are the leaves, each node has the greater of its two.
  private var tree: [Int32]

  init(_ values: [Int32]) {
    count = values.count
    tree = [Int32](repeating: .min, count: values.count) + values
    for node in stride(from: count - 1, to: 0, by: -1) {
      tree[node] = max(tree[2 * node], tree[2 * node + 1])
    }
  }

  /// The greatest number in a range of places; `nil` when it is empty.
  func maximum(_ range: Range<Int>) -> Int32? {
    var low = range.lowerBound + count
    var high = range.upperBound + count
    guard low < high else { return nil }
    var greatest = Int32.min
    while low < high {
      if low % 2 == 1 {
        greatest = max(greatest, tree[low])
        low += 1
      }
      if high % 2 == 1 {
        high -= 1
        greatest = max(greatest, tree[high])
      }
      low /= 2
      high /= 2
    }
    return greatest
  }
}
