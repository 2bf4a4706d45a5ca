/// A small random number generator whose sequence depends only on its seed, on every machine.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
/// Not suitable for cryptography.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, not including, 1.
  package mutating func nextUnit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A whole number from 0 up to, not including, `count`, all equally likely: the upper half of a product, drawn again
  /// if some numbers would be more likely.
  ///
  /// D. Lemire, "Fast random integer generation in an interval", ACM Transactions on Modeling
  /// and Computer Simulation 29 (2019).
  mutating func below(_ count: Int) -> Int {
    let count = UInt64(count)
    let threshold = (0 &- count) % count
    while true {
      let product = next().multipliedFullWidth(by: count)
      if product.low >= threshold { return Int(product.high) }
    }
  }

  /// The elements in a uniformly random order; the order for a seed is the same with every version
  /// of the standard library.
  mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var elements = elements
    for last in stride(from: elements.count - 1, to: 0, by: -1) {
      elements.swapAt(last, below(last + 1))
    }
    return elements
  }
}
