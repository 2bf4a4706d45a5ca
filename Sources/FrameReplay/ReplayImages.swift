/// The images of a swap chain of which each refresh shows the newest: one is on the display, one may be finished and wait
/// for its refresh, and the app draws into the others. An image is free again when a newer frame takes its place before it
/// was shown, or on the display after it was.
struct ReplayImages {
  let count: Int
  /// When the images of the latest frames were free; the newest two are not known yet.
  private var freed: [Int64] = []
  /// Whether a frame is on the display, and the newest finished one with the refresh that it is for.
  private var hasShown = false
  private var ready: (finished: Int64, refresh: Int64)?

  init(count: Int) { self.count = count }

  /// When an image is free for the next frame.
  func free(_ refreshes: ReplayRefreshes) -> Int64 {
    guard let ready else { return .min }
    // Until the next frame comes the newest one keeps its image, and the one on the display its own until then.
    let held = [Int64.max] + (hasShown ? [refreshes.time(ready.refresh)] : [])
    let all = (held + freed).sorted(by: >)
    return all.count >= count ? all[count - 1] : .min
  }

  /// Notes that a frame was finished.
  mutating func take(finished: Int64, at refresh: Int64, _ refreshes: ReplayRefreshes) {
    if let ready {
      if refresh <= ready.refresh {
        // The frame before was never shown.
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
