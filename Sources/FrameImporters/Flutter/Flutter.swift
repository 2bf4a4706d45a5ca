import FrameTrace

/// Flutter's frame data: DevTools snapshots, and summaries of driver tests.
///
/// Documentation: Flutter, "Use the Performance view" and `TimelineSummary`. Snapshots of DevTools
/// 2.20 and 2.34 were examined. Example:
///
///     {"devToolsSnapshot": true, "performance": {"displayRefreshRate": 60, "flutterFrames": [
///       {"number": 93, "startTime": 497236710523, "elapsed": 17070, "build": 15018, "raster": 1376,
///        "vsyncOverhead": 578}]}}
///
/// The refresh of this frame was 0.578 ms before its start. The app built it for 15.018 ms, and it
/// was drawn 17.07 ms after the refresh. The file does not state when the frame was displayed.
struct Flutter: TraceImporter {
  let name = "flutter"
  let title = "Flutter DevTools snapshot, timeline summary"
  let versions = "DevTools 2.12 to 2.40"
  let documentation = "https://docs.flutter.dev/tools/devtools/performance"

  private static let mostBytes = 1 << 29
  static let summaryKeys = ["\"frame_build_times\"", "\"average_frame_build_time_millis\""]

  func recognize(_ head: FileHead) -> Recognition? {
    guard head.firstByte == UInt8(ascii: "{") else { return nil }
    if head.contains("\"devToolsSnapshot\"") {
      return Recognition(
        format: "Flutter DevTools snapshot", reason: "an object with devToolsSnapshot")
    }
    guard Self.summaryKeys.contains(where: head.contains) else { return nil }
    return Recognition(
      format: "Flutter timeline summary", reason: "an object with frame build times")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    let root = try JSONNode(
      input, atMost: Self.mostBytes, of: "a snapshot",
      help: "the file was cut off or edited; export it again")
    var builder = TraceBuilder(provenance)
    builder.trace.clocks = [
      ClockDomain(
        name: root["devToolsSnapshot"] == nil ? "first frame" : "monotonic", join: .traceClock,
        offset: nil, resolution: Nanoseconds(1000))
    ]
    if root["devToolsSnapshot"] != nil {
      FlutterSnapshot.add(root, to: &builder)
    } else {
      FlutterSummary.add(root, to: &builder)
    }
    guard !builder.trace.isEmpty else {
      throw ParseError(
        path: input.path,
        problem: "expected frames from the Performance view in the DevTools snapshot, found none",
        help: "open the Performance view before the app draws, then export")
    }
    return builder
  }
}

/// The frames of a snapshot.
enum FlutterSnapshot {
  static func add(_ root: JSONNode, to builder: inout TraceBuilder) {
    let performance = root["performance"]
    builder.trace.setting.version = root["flutterVersion"]?.text.map { "Flutter \($0)" }
    let display = builder.display("display")
    if let rate = performance?["displayRefreshRate"]?.number, 1...1000 ~= rate {
      builder.trace.displays[display].interval = Nanoseconds(rounding: 1e9 / rate)
    }
    let position = builder.surface("flutter") {
      Surface(id: "flutter", display: display, bufferOwner: .app)
    }
    var broken = 0
    for node in performance?["flutterFrames"]?.array ?? [] {
      guard let row = row(node) else {
        broken += 1
        continue
      }
      builder.trace.surfaces[position].frames.append(row)
    }
    builder.log.note(
      .malformedValue, .dataLoss, "frames without a number, a start or a duration, left out",
      count: broken)
    builder.log.note(
      .joinAssumed, .info, "frames whose raster thread work counts as GPU work",
      count: builder.trace.surfaces[position].frames.count)
    if performance?["traceBinary"] != nil {
      builder.log.note(
        .unknownRecord, .info,
        "a Perfetto trace within the snapshot, not read: save the bytes of performance.traceBinary to a separate file"
      )
    }
  }

  private static func row(_ node: JSONNode) -> Table<FrameColumn>.Row? {
    let time = { (key: String) in
      node[key]?.integer.flatMap { Timestamp.believed($0, unit: 1000) }
    }
    guard let start = time("startTime"), let build = time("build"), build >= 0 else { return nil }
    var row = Table<FrameColumn>.Row()
    row[.identifier] = node["number"]?.integer
    row[.appStart] = start
    row[.commit] = start + build
    row[.appEnd] = start + build
    // `elapsed` counts from the refresh.
    guard let elapsed = time("elapsed"), let overhead = time("vsyncOverhead"),
      let raster = time("raster"), raster >= 0
    else { return row }
    let end = start - overhead + elapsed
    row[.gpuStart] = end - raster
    row[.gpuEnd] = end
    row[.queued] = end
    return row
  }
}

/// The figures and frames of a summary.
enum FlutterSummary {
  /// The statistics of all frames in a summary, each with its metric.
  private static let figures: [(key: String, statistic: String, metric: StatedMetric)] =
    [
      ("frame_build_time", StatedMetric.frameBuildTime),
      ("frame_rasterizer_time", .frameRasterTime),
    ]
    .flatMap { name, metric in
      [
        ("average_\(name)_millis", "mean", metric), ("worst_\(name)_millis", "max", metric),
        ("90th_percentile_\(name)_millis", "p90", metric),
        ("99th_percentile_\(name)_millis", "p99", metric),
      ]
    }

  /// The counts of a summary, each with its figure.
  private static let counts: [(key: String, metric: StatedMetric, part: String)] = [
    ("frame_count", .frames, "build"), ("frame_rasterizer_count", .frames, "raster"),
    ("missed_frame_build_budget_count", .missedBudgets, "build"),
    ("missed_frame_rasterizer_budget_count", .missedBudgets, "raster"),
    ("new_gen_gc_count", .garbageCollections, "new"),
    ("old_gen_gc_count", .garbageCollections, "old"),
  ]

  static func add(_ root: JSONNode, to builder: inout TraceBuilder) {
    for (key, metric, part) in counts {
      guard let count = root[key]?.integer, (0...Int64(Int32.max)).contains(count) else { continue }
      builder.add(
        StatedFigure(
          scene: nil, run: 0, metric: "\(metric.rawValue).\(part)", value: Double(count),
          unit: metric.unit, label: key))
    }
    for (key, statistic, metric) in figures {
      guard let value = root[key]?.number else { continue }
      builder.add(
        StatedFigure(
          scene: nil, run: 0, metric: "\(statistic)(\(metric.rawValue))", value: value,
          unit: metric.unit, label: key))
    }
    let starts = times(root["frame_begin_times"])
    let builds = times(root["frame_build_times"])
    let rasterStarts = times(root["frame_rasterizer_begin_times"])
    let rasters = times(root["frame_rasterizer_times"])
    for (lengths, metric, label) in [
      (builds, StatedMetric.frameBuildTime, "frame_build_times"),
      (rasters, .frameRasterTime, "frame_rasterizer_times"),
    ] {
      for length in lengths {
        guard let length else { continue }
        builder.add(
          StatedFigure(
            scene: nil, run: 0, metric: metric.rawValue, value: Nanoseconds(length).milliseconds,
            unit: metric.unit, label: label))
      }
    }
    guard !starts.isEmpty, starts.count == builds.count else { return }
    addFrames(starts, builds, rasterStarts, rasters, to: &builder)
  }

  private static func addFrames(
    _ starts: [Int64?], _ builds: [Int64?], _ rasterStarts: [Int64?], _ rasters: [Int64?],
    to builder: inout TraceBuilder
  ) {
    let position = builder.surface("flutter") { Surface(id: "flutter", bufferOwner: .app) }
    for (start, build) in zip(starts, builds) {
      guard let start, let build else { continue }
      var row = Table<FrameColumn>.Row()
      row[.appStart] = start
      row[.commit] = start + build
      row[.appEnd] = start + build
      builder.trace.surfaces[position].frames.append(row)
    }
    // Each list begins with its own first frame, and the lists' lengths can differ.
    builder.log.note(
      .columnUnused, .info,
      "raster thread times, which cannot be matched to built frames: used for figures only",
      count: max(rasterStarts.count, rasters.count))
  }

  /// Times in µs, converted to nanoseconds.
  private static func times(_ node: JSONNode?) -> [Int64?] {
    (node?.array ?? []).map {
      $0.integer.flatMap { $0 < 0 ? nil : Timestamp.believed($0, unit: 1000) }
    }
  }
}
