/// The images of a swap chain in which each refresh shows the newest image. One image is on the display, one may be
/// finished and wait for its refresh, and the app draws into the others. An image becomes free when a newer frame
/// replaces it, either before it is shown or on the display.
struct ReplayImages {
  let count: Int
  /// The times at which the images of recent frames became free; the times of the newest two frames are not known yet.
  private var freed: [Int64] = []
  /// Whether a frame is on the display; the newest finished frame with its refresh.
  private var hasShown = false
  private var ready: (finished: Int64, refresh: Int64)?

  init(count: Int) { self.count = count }

  /// When an image becomes free for the next frame.
  func free(_ refreshes: ReplayRefreshes) -> Int64 {
    guard let ready else { return .min }
    // Until the next frame comes, the newest frame keeps its image, and the displayed frame keeps its image until the
    // refresh of the newest frame.
    let held = [Int64.max] + (hasShown ? [refreshes.time(ready.refresh)] : [])
    let all = (held + freed).sorted(by: >)
    return all.count >= count ? all[count - 1] : .min
  }

  /// Records that a frame was finished.
  mutating func consume(finished: Int64, at refresh: Int64, _ refreshes: ReplayRefreshes) {
    if let ready {
      if refresh <= ready.refresh {
        // The previous frame was never shown.
        freed.append(finished)
      } else {
        if hasShown { freed.append(refreshes.time(ready.refresh)) }
        hasShown = true
      }
      if freed.count > 2 * count { freed.removeFirst(freed.count - 2 * count) }
    }
    ready = (finished, refresh)
  }
}
