@testable import FrameStatistics
@testable import FrameTrace

/// Randomly filled traces, for tests of properties that must hold for all traces.
enum AnyTrace {
  /// A trace with rows in every table and values in every column, including gaps.
  static func make(seed: UInt64, rows: Int = 20) -> Trace {
    var random = SplitMix64(seed: seed)
    var builder = TraceBuilder(
      Provenance(
        file: "any", importer: "test", format: "made by chance", reason: "it was asked for"))
    builder.trace.clocks = [
      ClockDomain(name: "QPC", join: .traceClock, offset: nil, resolution: Nanoseconds(100)),
      ClockDomain(name: "wall", join: .measured, offset: Nanoseconds(-5), resolution: nil),
    ]
    builder.trace.displays = [
      Display(id: "inside", interval: Nanoseconds(16_666_667), isVariable: false),
      Display(id: "outside \"4K\"", shortestInterval: Nanoseconds(6_944_444), isVariable: true),
    ]
    for index in builder.trace.displays.indices {
      fill(&builder.trace.displays[index].refreshes, rows, &random)
    }
    for (index, id) in ["a", "ü/b"].enumerated() {
      _ = builder.surface(id) {
        Surface(
          id: id, name: index == 0 ? nil : "window", process: "app", processID: 7, display: index,
          bufferOwner: index == 0 ? .compositor : .app, allocatedBuffers: 3,
          targetInterval: index == 0 ? nil : Nanoseconds(33_333_333),
          numbersCountFrames: index == 0 ? nil : false)
      }
      fill(&builder.trace.surfaces[index].frames, rows, &random)
      if index == 0 { builder.trace.surfaces[0].frames.numberRows() }
      builder.trace.surfaces[index].frames.extras = extras(rows)
    }
    fill(&builder.trace.commits, rows, &random)
    fill(&builder.trace.touches, rows, &random)
    fill(&builder.trace.bufferEvents, rows, &random)
    fill(&builder.trace.layers, rows, &random)
    fill(&builder.trace.launches, rows, &random)
    fill(&builder.trace.phases, rows, &random)
    fill(&builder.trace.threads, rows, &random)
    fill(&builder.trace.threadStates, rows, &random)
    fill(&builder.trace.calls, rows, &random)
    fill(&builder.trace.passes, rows, &random)
    fill(&builder.trace.markers, rows, &random)
    fill(&builder.trace.statedHitches, rows, &random)
    fill(&builder.trace.hangs, rows, &random)
    fill(&builder.trace.figures, rows, &random)
    fill(&builder.trace.bins, rows, &random)
    fill(&builder.trace.pageEvents, rows, &random)
    builder.trace.setting = Setting(
      origin: .field, device: "phone", system: nil, version: "1 \"b\"", date: "2026-11-21")
    var series = TelemetrySeries(name: "GPU power", unit: "W")
    series.times = [Timestamp(nanoseconds: 1), Timestamp(nanoseconds: 2)]
    series.values = [12.25, -0.1]
    builder.trace.telemetry = [series]
    builder.log.note(.rowWidth, .dataLoss, "rows", count: 2, at: .line(3))
    builder.log.note(.disorder, .info, "frames of \"x\"", count: 1, at: .byte(9))
    return builder.finish()
  }

  private static func fill<Column: TableColumn>(
    _ table: inout Table<Column>, _ rows: Int, _ random: inout SplitMix64
  ) {
    var row = Table<Column>.Row()
    for number in 0..<rows {
      row.clear()
      for column in Column.allCases where Int.random(in: 0...4, using: &random) > 0 {
        row[column] = value(column.schema.kind, rows, &table.texts, &random)
      }
      // A reference to a frame is meaningful only together with its surface, and rows are sorted by
      // their times.
      for column in Column.allCases where column.schema.kind == .surface { row[column] = 1 }
      for column in Column.allCases where column.schema.kind == .time && row[column] != nil {
        row[column] = Int64(number) * 1_000_000 + Int64.random(in: 0...999, using: &random)
      }
      table.append(row)
    }
  }

  private static func value(
    _ kind: ColumnSchema.Kind, _ rows: Int, _ texts: inout StringTable, _ random: inout SplitMix64
  ) -> Int64 {
    switch kind {
    case .time, .duration, .count, .identifier:
      Int64.random(in: -5_000_000_000...5_000_000_000, using: &random)
    case .flag: Int64.random(in: 0...1, using: &random)
    case .choice(let words): Int64.random(in: 0..<Int64(words.count), using: &random)
    case .text: texts.number(of: ["", "x", "say \"hi\"\n"][Int.random(in: 0...2, using: &random)])
    case .real: Int64(bitPattern: Double.random(in: 0...1000, using: &random).bitPattern)
    case .surface: Int64.random(in: 0...1, using: &random)
    case .frame: Int64.random(in: 0..<Int64(rows), using: &random)
    }
  }

  private static func extras(_ rows: Int) -> [ExtraColumn] {
    var numbers = ExtraColumnBuilder(name: "SyncInterval", unit: nil)
    var reals = ExtraColumnBuilder(name: "GPU clock", unit: "MHz")
    var texts = ExtraColumnBuilder(name: "PresentMode", unit: nil)
    for row in 0..<rows {
      numbers.append(row % 3 == 0 ? nil : Int64(row))
      reals.append(real: row % 4 == 0 ? .nan : Double(row) + 0.5)
      texts.append(text: row % 5 == 0 ? nil : "mode \(row % 2)")
    }
    return [numbers.finish(), reals.finish(), texts.finish()]
  }
}

extension Table<FrameColumn> {
  /// Gives every frame a distinct number.
  fileprivate mutating func numberRows() {
    var numbers = IntegerColumn()
    for row in 0..<count { numbers.append(Int64(1000 + row)) }
    setStored(.identifier, numbers)
  }
}
