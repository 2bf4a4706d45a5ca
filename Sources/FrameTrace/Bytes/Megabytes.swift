/// File sizes in megabytes.
package enum Megabytes {
  /// A number of bytes in megabytes.
  package static func count(_ bytes: some BinaryInteger) -> Double { Double(bytes) / 1e6 }

  /// A number of bytes with one decimal, without its unit.
  package static func text(_ bytes: some BinaryInteger) -> String {
    FixedNumber.text(count(bytes), decimals: 1)
  }
}
