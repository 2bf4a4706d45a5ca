/// What the rebuilt pipeline tells of a surface, as rows of a table for data frames: a name
/// with a value each.
struct FindingRows {
  private let surface: SurfaceAnalysis

  init(_ surface: SurfaceAnalysis) { self.surface = surface }

  /// The rows, without the columns that say whose they are.
  func rows() -> [[String]] { drops + hitches + buffers + touches }

  private func row(_ name: String, _ unit: String, n: Int, _ value: String?, _ why: String?)
    -> [String]
  {
    let empty = Array(repeating: "", count: 7)
    return [name, unit, "", "\(n)", "0"] + empty + [value ?? "", value == nil ? why ?? "" : ""]
  }

  private var drops: [[String]] {
    let drops = surface.drops.value
    let n = drops?.activeRefreshes ?? 0
    let why = surface.drops.whyMissing
    let stages: [PipelineStage] = [.app, .compositor, .gpu, .display, .unknown]
    var rows = [row("dropped.refreshes", "refreshes", n: n, drops.map { "\($0.refreshes)" }, why)]
    for stage in stages {
      let count = drops.map { "\($0.byStage[stage] ?? 0)" }
      rows.append(row("dropped.by_stage.\(stage.rawValue)", "refreshes", n: n, count, why))
    }
    rows.append(
      row("dropped.longest_run", "refreshes", n: n, drops.map { "\($0.longestRun)" }, why))
    return rows
  }

  private var hitches: [[String]] {
    let hitches = surface.hitches.value
    let n = hitches?.times.count ?? 0
    let why = surface.hitches.whyMissing
    return [
      row("hitches.count", "hitches", n: n, hitches.map { "\($0.times.count)" }, why),
      row("hitches.total_ms", "ms", n: n, hitches.map { "\($0.total.milliseconds)" }, why),
    ]
  }

  private var buffers: [[String]] {
    let buffers = surface.buffers.value
    let shares = buffers?.depthShares
    let why = surface.buffers.whyMissing ?? "no frame has a display time"
    let n = surface.outcomes.displayed
    var rows = ["1", "2", "3", "4+"].enumerated().map { index, depth in
      row("buffers.depth_share.\(depth)", "", n: n, shares.map { "\($0[index])" }, why)
    }
    rows.append(row("buffers.colors", "buffers", n: n, buffers.map { "\($0.count)" }, why))
    return rows
  }

  private var touches: [[String]] {
    let touches = surface.touches.value
    let counts = [
      ("main", touches?.main), ("coalesced", touches?.coalesced),
      ("predicted", touches?.predicted), ("undelivered", touches?.undelivered),
      ("cancelled", touches?.cancelled), ("unresolved", touches?.unresolved),
    ]
    return counts.map { name, count in
      row(
        "touches.\(name)", "samples", n: touches?.main ?? 0, count.map { "\($0)" },
        surface.touches.whyMissing)
    }
  }
}
