extension PipelineMetric {
  /// How far GPU content and compositor content of a transaction are apart.
  static let layerSkew = PipelineMetric(
    name: "layerSkew", unit: .refreshes, direction: .neither,
    summary:
      "How many refreshes the GPU content of a transaction is shown after its compositor content; negative when before.",
    formula: "refresh of the GPU content − refresh of the compositor content",
    source: "Apple, Advanced Touch Input on iOS, WWDC 2015: presentsWithTransaction"
  ) { rebuilt, surface in
    let skews = LayerSkews(surface.pipeline.trace, surface.index, rebuilt, surface.options.region)
    guard !skews.values.isEmpty else {
      return .unavailable("no transaction has GPU content beside compositor content")
    }
    return Measurement(
      content: .sample(Sample(skews.values.map { $0 * 1_000_000 })), missing: skews.missing)
  }
}

/// The distances between the contents of transactions whose GPU content is on a surface.
private struct LayerSkews {
  private(set) var values: [Int64] = []
  /// Transactions one of whose contents was never displayed.
  private(set) var missing = 0

  init(_ trace: Trace, _ surface: Int, _ rebuilt: RebuiltSurface, _ region: TraceRegion?) {
    let layers = trace.layers
    let schedule = rebuilt.timeline.schedule
    var compositor: [Int64: Int] = [:]
    for row in 0..<layers.count
    where layers[row, .content] == LayerColumn.Content.compositor.rawValue {
      if let transaction = layers[row, .transaction] { compositor[transaction] = row }
    }
    for row in 0..<layers.count
    where layers[row, .content] == LayerColumn.Content.gpu.rawValue
      && layers[row, .surface] == Int64(surface)
    {
      guard let transaction = layers[row, .transaction], let other = compositor[transaction]
      else { continue }
      guard let shown = Self.displayed(row, trace), let otherShown = Self.displayed(other, trace)
      else {
        missing += 1
        continue
      }
      guard region?.range.contains(shown) ?? true else { continue }
      values.append(
        schedule.refresh(displayedAt: shown) - schedule.refresh(displayedAt: otherShown))
    }
  }

  /// When a layer's content was displayed: as it is recorded, else with its frame.
  private static func displayed(_ row: Int, _ trace: Trace) -> Int64? {
    let layers = trace.layers
    if let shown = layers[row, .displayed] { return shown }
    guard let surface = layers[row, .surface], let frame = layers[row, .frame] else { return nil }
    return trace.surfaces[Int(surface)].frames[Int(frame), .displayed]
  }
}
