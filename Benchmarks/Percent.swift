import FrameKit

/// Shares as people read them.
enum Percent {
  static func text(_ share: Double) -> String {
    FixedNumber.text(share * 100, decimals: 1) + " %"
  }
}
