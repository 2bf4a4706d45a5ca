import FrameTrace

/// Completes the frames of a PresentMon CSV once they are in order of time: adds what a dialect
/// omits, and corrects its known errors.
struct PresentMonFrames {
  private let header: PresentMonHeader

  init(_ header: PresentMonHeader) { self.header = header }

  /// Removes meaningless values of generated frames: zeros for the work of the app and the GPU, and
  /// their share of the intervals between the app's frames.
  func clearGenerated(_ builder: inout TraceBuilder) {
    for surface in builder.trace.surfaces.indices {
      let kinds = builder.trace.surfaces[surface].frames.stored(.kind)
      guard let kinds, kinds.constantValue != FrameColumn.Kind.application.rawValue else {
        continue
      }
      joinPresents(&builder.trace.surfaces[surface].frames, kinds)
      clearGenerated(&builder.trace.surfaces[surface].frames, kinds)
    }
  }

  /// Adds values derived from other columns, once the frames are in order of time.
  func complete(_ builder: inout TraceBuilder) {
    for surface in builder.trace.surfaces.indices {
      if header.dialect == .presents { addStarts(&builder.trace.surfaces[surface].frames) }
      if header.position(.dropped) == nil { addFates(&builder.trace.surfaces[surface].frames) }
    }
    checkDisplayIntervals(&builder)
    checkRenderTimes(&builder)
    noteWithheld(&builder)
  }

  /// Joins present intervals across generated frames. In the file, the interval of an app's frame
  /// counts from the last present call, which can be that of a generated frame. Frames generated in
  /// the app's call repeat its time.
  private func joinPresents(_ frames: inout Table<FrameColumn>, _ kinds: IntegerColumn) {
    guard let intervals = frames.stored(.presentInterval) else { return }
    let isOwn = { (row: Int) in kinds[row] != FrameColumn.Kind.generated.rawValue }
    // Rows are in the order in which frames were finished.
    let order = (0..<frames.count).sorted {
      (frames.references[$0], isOwn($0) ? 0 : 1, $0)
        < (frames.references[$1], isOwn($1) ? 0 : 1, $1)
    }
    var joined = [Int64](repeating: IntegerColumn.missing, count: frames.count)
    // The time of the last present call, and the sum of generated frames' intervals since the
    // app's.
    var last: Int64?
    var generated: Int64? = 0
    for row in order {
      let (time, interval) = (frames.references[row], intervals[row])
      if isOwn(row) {
        if let sum = generated, let interval { joined[row] = sum &+ interval }
        (last, generated) = (time, 0)
      } else if let before = last, time > before {
        last = time
        generated = generated.flatMap { sum in interval.map { sum &+ $0 } }
      }
    }
    var column = IntegerColumn()
    column.append(joined, at: Array(0..<Int32(frames.count)))
    frames.setStored(.presentInterval, column)
  }

  private func clearGenerated(_ frames: inout Table<FrameColumn>, _ kinds: IntegerColumn) {
    // In the frames dialect the present call is known only by the app's work.
    let commit: [FrameColumn] = header.dialect == .frames ? [.commit] : []
    let work: [FrameColumn] =
      commit + [
        .appStart, .appEnd, .gpuStart, .gpuEnd, .gpuTime, .gpuBusy, .gpuWait, .videoBusy,
        .startInterval,
      ]
    for column in work {
      guard let stored = frames.stored(column) else { continue }
      let generated = FrameColumn.Kind.generated.rawValue
      frames.setStored(
        column, stored.combined(with: kinds) { $1 == generated ? IntegerColumn.missing : $0 })
    }
  }

  /// A frame starts where the app's present call before it ends: PresentMon's own definition of
  /// the start, which the presents dialect leaves out.
  private func addStarts(_ frames: inout Table<FrameColumn>) {
    guard let ends = frames.stored(.appEnd) else { return }
    let kinds = frames.stored(.kind)
    var starts = IntegerColumn()
    starts.reserve(frames.count)
    var before: Int64?
    for row in 0..<frames.count {
      guard kinds?[row] != FrameColumn.Kind.generated.rawValue else {
        starts.append(IntegerColumn.missing)
        continue
      }
      starts.append(before.map { $0 &- frames.references[row] } ?? IntegerColumn.missing)
      before = ends[row].map { frames.references[row] &+ $0 }
    }
    frames.setStored(.appStart, starts)
  }

  /// Adds fates for dialects without a `Dropped` column. By their documentation, these write NA for
  /// the display of a frame that was not displayed.
  private func addFates(_ frames: inout Table<FrameColumn>) {
    guard header.position(.untilDisplayed) != nil || header.position(.displayLatency) != nil else {
      return
    }
    let displayed = frames.stored(.displayed) ?? IntegerColumn(missing: frames.count)
    let shown = FrameColumn.Fate.displayed.rawValue
    let lost = FrameColumn.Fate.discarded.rawValue
    frames.setStored(.fate, displayed.mapped { $0 == IntegerColumn.missing ? lost : shown })
  }

  /// Removes display intervals if the file states any for frames that were not displayed. A tool
  /// that does so has them on the wrong rows.
  private func checkDisplayIntervals(_ builder: inout TraceBuilder) {
    let wrong = builder.trace.surfaces.reduce(0) { sum, surface in
      guard let intervals = surface.frames.stored(.displayInterval) else { return sum }
      let displayed = surface.frames.stored(.displayed) ?? IntegerColumn(missing: intervals.count)
      return sum
        + intervals.count(with: displayed) {
          $0 != IntegerColumn.missing && $1 == IntegerColumn.missing
        }
    }
    guard wrong > 0 else { return }
    for surface in builder.trace.surfaces.indices {
      let count = builder.trace.surfaces[surface].frames.count
      builder.trace.surfaces[surface].frames.setStored(
        .displayInterval, IntegerColumn(missing: count))
    }
    builder.log.note(
      .columnRecomputed, .repaired,
      "display changes stated for frames that were never displayed; all changes are computed from the display times",
      count: wrong)
  }

  /// Removes render times that are zero on every row, as they were not measured.
  private func checkRenderTimes(_ builder: inout TraceBuilder) {
    guard let position = header.position(.untilRenderComplete) else { return }
    let isMeasured = builder.trace.surfaces.contains { surface in
      surface.frames.stored(.gpuEnd).map { $0.constantValue != 0 } ?? true
    }
    guard !isMeasured, builder.trace.frameCount > 1 else { return }
    for surface in builder.trace.surfaces.indices {
      let count = builder.trace.surfaces[surface].frames.count
      builder.trace.surfaces[surface].frames.setStored(.gpuEnd, IntegerColumn(missing: count))
    }
    builder.log.note(
      .columnUnused, .repaired,
      "\(header.names[position]) is 0 on every row, treated as not measured")
  }

  /// Notes what a dialect does not list.
  private func noteWithheld(_ builder: inout TraceBuilder) {
    guard header.dialect != .presents else { return }
    builder.log.note(
      .framesWithheld, .info,
      "swap chains whose last present is not in the file: these columns list a frame only once the next one is known",
      count: builder.trace.surfaces.count)
    guard header.dialect == .frames else { return }
    let clamped = builder.trace.surfaces.reduce(0) { sum, surface in
      guard let times = surface.frames.stored(.gpuTime) else { return sum }
      let starts = surface.frames.stored(.gpuStart) ?? IntegerColumn(missing: times.count)
      return sum + times.count(with: starts) { $0 > 0 && $1 == IntegerColumn.missing }
    }
    builder.log.note(
      .timeWithheld, .info,
      "frames whose GPU work began before them; these columns give its start as 0",
      count: clamped)
  }
}
