/// Whole numbers of millionths of a unit, in which samples and counts keep values exactly: millionths of a millisecond
/// are nanoseconds.
///
/// A value is scaled once, when a figure is computed from it.
package enum Millionths {
  package static let perUnit = 1e6

  /// A number of millionths, in the unit.
  package static func value(_ millionths: Double) -> Double { millionths / perUnit }

  /// A whole number of millionths, in the unit.
  package static func value(_ millionths: Int64) -> Double { Double(millionths) / perUnit }

  /// A value in the unit, in millionths.
  package static func of(_ value: Double) -> Double { value * perUnit }
}
