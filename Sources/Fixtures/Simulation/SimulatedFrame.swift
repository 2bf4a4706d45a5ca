import FrameKit

/// A commit of a simulated app.
package struct SimulatedCommit: Sendable {
  package let time: Int64
  /// When the app interval it was made in started and ended.
  package let app: Range<Int64>
  /// The interval's place in the surface's work.
  package let unit: Int
  /// When the app waited for a buffer in it; `nil` when it did not.
  package let blocked: Range<Int64>?
  package let work: AppWork
}

/// What a simulation wrote down of a frame, in nanoseconds.
package struct SimulatedFrame: Sendable {
  /// The commits it was made of, the oldest first.
  package let commits: [SimulatedCommit]
  package let isLowLatency: Bool
  package internal(set) var compositor: Range<Int64>?
  package internal(set) var gpu: Range<Int64>?
  package internal(set) var queued: Int64?
  /// The number of the refresh at which it was shown.
  package internal(set) var displayedRefresh: Int64?
  package internal(set) var displayed: Int64?
  /// When the frame after it was shown.
  package internal(set) var replaced: Int64?
  /// When its buffer was released, where that was later.
  package internal(set) var released: Int64?
  /// The buffer it was drawn into.
  package internal(set) var buffer = 0

  package var work: AppWork { commits[commits.count - 1].work }
}
