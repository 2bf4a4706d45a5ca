package import FrameKit

extension SimulationTrace {
  /// Records that the content of one transaction is drawn on two surfaces.
  package mutating func addLayers(
    transaction: Int, gpu: (surface: Int, frame: Int), compositor: (surface: Int, frame: Int),
    _ isSynchronized: Bool
  ) {
    let layers = [(LayerColumn.Content.gpu, gpu), (.compositor, compositor)]
    for (content, position) in layers {
      var row = Table<LayerColumn>.Row()
      row[.transaction] = Int64(transaction)
      row[.content] = content.rawValue
      row[.surface] = Int64(position.surface)
      row[.frame] = Int64(position.frame)
      row[.synchronized] = isSynchronized ? 1 : 0
      builder.trace.layers.append(row)
    }
  }

  /// Records the offscreen passes of a frame, at the start of its GPU work.
  package mutating func addPasses(
    _ count: Int, kind: PassColumn.Kind, cost: Int64, of frame: SimulatedFrame, row: Int,
    surface: Int
  ) {
    guard let start = frame.gpu?.lowerBound else { return }
    for index in 0..<count {
      var pass = Table<PassColumn>.Row()
      pass[.surface] = Int64(surface)
      pass[.frame] = Int64(row)
      pass[.kind] = kind.rawValue
      pass[.start] = start + Int64(index) * cost
      pass[.end] = start + Int64(index + 1) * cost
      builder.trace.passes.append(pass)
    }
  }
}
