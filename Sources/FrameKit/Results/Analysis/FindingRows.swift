/// A row of the table that is written as CSV, without whose it is.
struct AnalysisRow {
  let name: String
  var unit = ""
  var definition = ""
  var n = 0
  var missing = 0
  /// `nil` for one figure alone.
  var summary: Summary?
  var value: String?
  var why: String?
  var isInferred = false

  /// The columns of a row.
  static let columns =
    ["metric", "unit", "definition", "n", "missing"] + Summary.names
    + ["value", "why_missing", "inferred"]

  /// The cells of the columns. Values of a summary are millionths of the unit.
  var cells: [String] {
    let figures = summary?.figures.map { "\($0 / 1e6)" }
    let isMissing = summary == nil && value == nil
    return [name, unit, definition, "\(n)", "\(missing)"]
      + (figures ?? Summary.names.map { _ in "" })
      + [value ?? "", isMissing ? why ?? "" : "", isInferred ? "true" : "false"]
  }
}

/// What the rebuilt pipeline tells of a surface, as rows of a table for data frames: a name
/// with a value or a summary each.
struct FindingRows {
  private let surface: SurfaceAnalysis
  private let options: AnalysisOptions

  init(_ surface: SurfaceAnalysis, _ options: AnalysisOptions) {
    self.surface = surface
    self.options = options
  }

  func rows() -> [AnalysisRow] {
    guard surface.refreshes != nil else { return budget }
    return display + drops + hitches + buffers + touches + latency + passes + budget
  }

  private var display: [AnalysisRow] {
    let refreshes = surface.refreshes
    return [
      AnalysisRow(
        name: "display.refresh_ms", unit: "ms", definition: refreshes?.source?.rawValue ?? "",
        value: refreshes?.interval.map { "\($0.milliseconds)" },
        why: "the display times keep no interval")
    ]
  }

  private var drops: [AnalysisRow] {
    let drops = surface.drops.value
    let row = { (name: String, value: Int?) in
      AnalysisRow(
        name: "dropped.\(name)", unit: "refreshes", n: drops?.activeRefreshes ?? 0,
        value: value.map { "\($0)" }, why: surface.drops.whyMissing,
        isInferred: drops.map { $0.isAssumed || $0.drops.contains(where: \.refreshes.isInferred) }
          ?? false)
    }
    let stages: [PipelineStage] = [.app, .compositor, .gpu, .display, .unknown]
    return [row("refreshes", drops?.refreshes)]
      + stages.map { stage in
        row("by_stage.\(stage.rawValue)", drops.map { $0.byStage[stage] ?? 0 })
      } + [row("longest_run", drops?.longestRun)]
  }

  private var hitches: [AnalysisRow] {
    let hitches = surface.hitches.value
    let row = { (name: String, unit: String, value: String?) in
      AnalysisRow(
        name: "hitches.\(name)", unit: unit, definition: hitches?.source.rawValue ?? "",
        n: hitches?.times.count ?? 0, value: value, why: surface.hitches.whyMissing)
    }
    return [
      row("count", "hitches", hitches.map { "\($0.times.count)" }),
      row("total_ms", "ms", hitches.map { "\($0.total.milliseconds)" }),
    ]
  }

  private var buffers: [AnalysisRow] {
    let buffers = surface.buffers.value
    let row = { (name: String, unit: String, value: String?) in
      AnalysisRow(
        name: "buffers.\(name)", unit: unit, n: surface.outcomes.displayed, value: value,
        why: surface.buffers.whyMissing ?? "no frame has a display time",
        isInferred: buffers.map { $0.isInferred || $0.hasInferredUse } ?? false)
    }
    let shares = ["1", "2", "3", "4+"].enumerated().map { index, depth in
      row("depth_share.\(depth)", "", buffers?.depthShares.map { "\($0[index])" })
    }
    return shares + [row("colors", "buffers", buffers.map { "\($0.count)" })]
  }

  private var touches: [AnalysisRow] {
    let touches = surface.touches.value
    let isUnknown = (touches?.unknown ?? 0) > 0
    let counts: [(String, Int?)] = [
      ("main", touches?.main), ("coalesced", touches?.coalesced),
      ("predicted", touches?.predicted),
      ("undelivered", isUnknown ? nil : touches?.undelivered),
      ("cancelled", touches?.cancelled), ("unresolved", isUnknown ? nil : touches?.unresolved),
      ("unknown", touches?.unknown), ("impossible", touches?.impossible),
    ]
    return counts.map { name, count in
      AnalysisRow(
        name: "touches.\(name)", unit: "samples", n: touches?.main ?? 0,
        value: count.map { "\($0)" }, why: surface.touches.whyMissing ?? touches?.whyNoLatency)
    }
  }

  /// The parts of the latency, and the prediction errors by how far ahead they look.
  private var latency: [AnalysisRow] {
    guard let touches = surface.touches.value else { return [] }
    let parts = touches.breakdown.map { part in
      AnalysisRow(
        name: "latency.breakdown.\(part.parts.joined(separator: "+"))", unit: "ms",
        n: part.lengths.n, missing: (touches.touchToPhoton?.n ?? 0) - part.lengths.n,
        summary: part.lengths, isInferred: touches.isInferred)
    }
    let errors = touches.predictionErrors.map { horizon, error in
      AnalysisRow(
        name: "latency.prediction_error", unit: "pt",
        definition: "\(horizon.milliseconds) ms ahead", n: error.n, summary: error)
    }
    let settings = [
      ("scan_out_share", "", options.scanOutShare),
      ("device_offset_ms", "ms", options.deviceOffset.milliseconds),
    ]
    return parts + errors
      + settings.map { AnalysisRow(name: "latency.\($0)", unit: $1, value: "\($2)") }
  }

  private var passes: [AnalysisRow] {
    guard let passes = surface.passes else { return [] }
    return [("slope", passes.slope), ("ci95_low", passes.low), ("ci95_high", passes.high)].map {
      AnalysisRow(
        name: "offscreen_passes.gpu_ms_per_pass.\($0)", unit: "ms", definition: "Theil-Sen",
        n: passes.n, value: "\($1 / 1e6)")
    }
  }

  private var budget: [AnalysisRow] {
    guard let over = surface.overBudget, let budget = options.budget else { return [] }
    return [
      AnalysisRow(
        name: "over_budget.frames", unit: "frames",
        definition: "over \(budget.milliseconds) ms", n: over.value?.n ?? 0,
        value: over.value.map { "\($0.over)" }, why: over.whyMissing)
    ]
  }
}
