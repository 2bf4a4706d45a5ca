// The arithmetic that tests compute their expectations with: that of the standard library, which stops at an overflow.
//
// Tests see the operators of the modules that they look into, whose sums end at the greatest number. A result may not
// be compared with one that was computed by the same operator. This file is linked into both test targets, because
// operators that a module declares have precedence only in that module.

extension Int64 {
  init(_ value: Double) {
    guard let exact = Int64(exactly: value.rounded(.towardZero)) else {
      preconditionFailure("a test computes \(value) as a whole number")
    }
    self = exact
  }

  static func + (left: Int64, right: Int64) -> Int64 {
    plain(left.addingReportingOverflow(right), "\(left) + \(right)")
  }

  static func - (left: Int64, right: Int64) -> Int64 {
    plain(left.subtractingReportingOverflow(right), "\(left) - \(right)")
  }

  static func * (left: Int64, right: Int64) -> Int64 {
    plain(left.multipliedReportingOverflow(by: right), "\(left) * \(right)")
  }

  static func / (left: Int64, right: Int64) -> Int64 {
    plain(left.dividedReportingOverflow(by: right), "\(left) / \(right)")
  }

  static func % (left: Int64, right: Int64) -> Int64 {
    plain(left.remainderReportingOverflow(dividingBy: right), "\(left) % \(right)")
  }

  private static func plain(
    _ result: (partialValue: Int64, overflow: Bool), _ words: String
  ) -> Int64 {
    precondition(!result.overflow, "a test computes \(words)")
    return result.partialValue
  }

  static prefix func - (value: Int64) -> Int64 { 0 - value }
  static func += (left: inout Int64, right: Int64) { left = left + right }
  static func -= (left: inout Int64, right: Int64) { left = left - right }
  static func *= (left: inout Int64, right: Int64) { left = left * right }
}

func abs(_ value: Int64) -> Int64 { value < 0 ? 0 - value : value }
