import FrameKit

/// A commit of a simulated app.
package struct SimulatedCommit: Sendable {
  package let time: Int64
  /// The start and end of the app interval that made the commit.
  package let app: Range<Int64>
  /// The index of the interval in the surface's work.
  package let unit: Int
  /// When the app waited for a buffer in the interval; `nil` if it did not.
  package let blocked: Range<Int64>?
  package let work: AppWork
}

/// The simulation's record of a frame, in nanoseconds.
package struct SimulatedFrame: Sendable {
  /// The commits that the frame was made of, oldest first.
  package let commits: [SimulatedCommit]
  package let isLowLatency: Bool
  package internal(set) var compositor: Range<Int64>?
  package internal(set) var gpu: Range<Int64>?
  package internal(set) var queued: Int64?
  /// The number of the refresh at which the frame was shown.
  package internal(set) var displayedRefresh: Int64?
  package internal(set) var displayed: Int64?
  /// When the next frame was shown.
  package internal(set) var replaced: Int64?
  /// When the frame's buffer was released, if later than `replaced`.
  package internal(set) var released: Int64?
  /// The buffer that the frame was drawn into.
  package internal(set) var buffer = 0

  package var work: AppWork { commits[commits.count - 1].work }
}
