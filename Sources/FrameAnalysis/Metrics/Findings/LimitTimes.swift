import FrameTrace

/// The times of a frame that decide what limits it.
struct LimitTimes {
  /// The row of the frame.
  let row: Int
  /// When the app started work on the frame, otherwise when it handed the frame over.
  let start: Timestamp
  /// The time from the frame's start to the start of the next frame, otherwise from the previous present call to the
  /// frame's own.
  let length: Nanoseconds
  /// How long the app worked on the frame, minus its wait for a buffer; `nil` where the source does not say.
  let cpuBusy: Nanoseconds?
  /// How long the GPU worked on the frame, as stated or estimated from the utilization; `nil` if the source does not
  /// say.
  let gpuBusy: Nanoseconds?
  /// The time from the first to the last of the frame's GPU work, which is at least as long as the GPU was busy; `nil`
  /// if the source does not say.
  let gpuTime: Nanoseconds?
  /// How many refreshes the previous frame should be shown for: as many as the app asked for, and one for each
  /// generated frame in between.
  let refreshes: Int64
  /// The time from the previous frame to the last refresh that this frame missed: longer work missed that refresh.
  /// `nil` for a frame that missed none, if the refreshes are unknown, or if the app does not wait for refreshes.
  let missed: Nanoseconds?
  /// Whether the frame was shown as soon after the previous frame as the display allows.
  let isNextShown: Bool
}

/// Reads the times that decide the limits of frames from the columns of a surface, frame by frame.
struct LimitColumns {
  private let frames: Table<FrameColumn>
  private let stages: FrameStages
  private let schedule: FrameSchedule
  private let rests: AppRests
  /// The row of the first frame within its surface.
  private let first: Int
  private let references: ArraySlice<Int64>
  private let appStart, appEnd, commit, startInterval, presentInterval: IntegerColumn
  private let gpuStart, gpuEnd, gpuTime, gpuBusy, syncInterval: IntegerColumn
  /// The stated interval between refreshes, where no frame has a display time.
  private let statedInterval: Nanoseconds?
  /// Whether the app's work is known only from waits for buffers or single commits.
  private let hasWaits: Bool

  init(_ measured: MeasuredSurface, _ rebuilt: RebuiltSurface) {
    frames = measured.frames
    (stages, schedule) = (rebuilt.timeline.stages, rebuilt.timeline.schedule)
    (rests, first) = (measured.rests, measured.rows.lowerBound)
    references = frames.references(0..<frames.count)
    let column = { [frames] (column: FrameColumn) in
      frames.stored(column) ?? IntegerColumn(repeating: nil, count: frames.count)
    }
    (appStart, appEnd, commit) = (column(.appStart), column(.appEnd), column(.commit))
    (startInterval, presentInterval) = (column(.startInterval), column(.presentInterval))
    (gpuStart, gpuEnd) = (column(.gpuStart), column(.gpuEnd))
    (gpuTime, gpuBusy) = (column(.gpuTime), column(.gpuBusy))
    syncInterval = column(.syncInterval)
    statedInterval =
      !schedule.hasDisplayed && !schedule.isVariable && rebuilt.refreshes.source == .stated
      ? rebuilt.refreshes.interval : nil
    hasWaits = frames.has(.bufferWaitEnd) || !rebuilt.timeline.commitRows.isEmpty
  }

  /// Calls a closure with the times of each frame that the application made and that has a frame time, in order. A
  /// frame time that includes a rest or a pause does not count.
  /// - Returns: How many other frames the application made.
  func read(_ body: (LimitTimes) -> Void) -> Int {
    var missing = 0
    var (before, current): (Int?, Int?) = (nil, nil)
    func consume(_ position: Int, _ before: Int?, _ next: Int?) {
      if let times = times(position, after: before, until: next) {
        body(times)
      } else {
        missing += 1
      }
    }
    for position in 0..<frames.count where !stages.isGenerated(first + position) {
      if let current {
        consume(current, before, position)
        before = current
      }
      current = position
    }
    if let current { consume(current, before, nil) }
    return missing
  }

  private func times(_ position: Int, after before: Int?, until next: Int?) -> LimitTimes? {
    guard let length = length(position, until: next), length > .zero,
      let start = time(appStart, position) ?? time(commit, position),
      rests.isEmpty || !rests.isBetween(start, start + length)
    else { return nil }
    let refreshes = refreshes(position, after: before)
    // With a sync interval of 0, the app asks not to wait for a refresh.
    let waits = syncInterval[position] != 0
    return LimitTimes(
      row: first + position, start: start, length: length, cpuBusy: cpuBusy(position),
      gpuBusy: stated(gpuBusy, position) ?? stages.estimatedBusy(first + position),
      gpuTime: stated(gpuTime, position) ?? distance(gpuStart, gpuEnd, position),
      refreshes: refreshes,
      missed: waits
        ? before.flatMap { missed(position, after: $0, start, length, refreshes) } : nil,
      isNextShown: waits
        && before.map {
          schedule.isNext(first + position, after: first + $0, refreshes: refreshes)
        } ?? false)
  }

  private func time(_ column: IntegerColumn, _ position: Int) -> Timestamp? {
    column[position].map {
      Timestamp(nanoseconds: $0 &+ references[references.startIndex + position])
    }
  }

  /// A stated length; `nil` for a negative one, which is impossible.
  private func stated(_ column: IntegerColumn, _ position: Int) -> Nanoseconds? {
    column[position].flatMap { $0 >= 0 ? Nanoseconds($0) : nil }
  }

  private func missed(
    _ position: Int, after before: Int, _ start: Timestamp, _ length: Nanoseconds,
    _ refreshes: Int64
  ) -> Nanoseconds? {
    let step: Int64
    let refresh: Nanoseconds
    if let statedInterval {
      // No frame has a display time.
      refresh = statedInterval
      step = (length + refresh / 4) / refresh
    } else {
      guard schedule.hasInterval, !schedule.isVariable,
        let shown = schedule.displayed[first + position],
        let last = schedule.displayed[first + before]
      else { return nil }
      refresh = schedule.grid.interval(at: start)
      step = shown - last
    }
    guard step > refreshes, length * 16 <= refresh * step * 17 else { return nil }
    return refresh * (step - 1)
  }

  private func distance(
    _ start: IntegerColumn, _ end: IntegerColumn, _ position: Int
  ) -> Nanoseconds? {
    guard let start = start[position], let end = end[position], end >= start else { return nil }
    return Nanoseconds(end &- start)
  }

  private func length(_ position: Int, until next: Int?) -> Nanoseconds? {
    if let stated = startInterval[position] { return Nanoseconds(stated) }
    if let start = time(appStart, position), let next, let end = time(appStart, next) {
      return end - start
    }
    return presentInterval[position].map(Nanoseconds.init)
  }

  private func cpuBusy(_ position: Int) -> Nanoseconds? {
    if hasWaits { return stages[first + position].appTime }
    return distance(appStart, commit, position) ?? distance(appStart, appEnd, position)
  }

  private func refreshes(_ position: Int, after before: Int?) -> Int64 {
    let asked = max(1, syncInterval[position] ?? 1)
    guard let before, position > before + 1 else { return asked }
    return asked
      + Int64((before + 1..<position).count { schedule.displayed[first + $0] != nil })
  }
}

extension FrameSchedule {
  /// Whether a frame was shown that many refreshes after an earlier frame; on a display that waits for frames, as soon
  /// after the earlier frame as that display can.
  fileprivate func isNext(_ row: Int, after before: Int, refreshes: Int64) -> Bool {
    guard hasInterval, let shown = displayed[row], let last = displayed[before], shown > last else {
      return false
    }
    return isVariable
      ? grid.time(shown) - grid.time(last) <= shortestInterval * refreshes * 17 / 16
      : shown - last == refreshes
  }
}
