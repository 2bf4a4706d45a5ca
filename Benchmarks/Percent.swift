import FrameKit

/// Shares as people read them.
enum Percent {
  static func text(_ share: Double, decimals: Int = 1) -> String {
    FixedNumber.text(share * 100, decimals: decimals) + " %"
  }
}
