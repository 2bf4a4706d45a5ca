package import FrameKit

/// Writes CSV files like PresentMon, in each of its three sets of columns.
package struct PresentMonEncoder: TraceEncoder {
  /// The sets of columns.
  package enum Columns: Sendable { case presents, frames, both }

  private let columns: Columns

  package init(_ columns: Columns) { self.columns = columns }

  package var name: String {
    switch columns {
    case .presents: "presentmon-v1"
    case .frames: "presentmon-v2"
    case .both: "presentmon"
    }
  }

  package let importer = "presentmon"

  package func whyNot(_ trace: Trace) -> String? {
    let hasRows = trace.surfaces.contains { $0.frames.has(.appStart) && $0.frames.has(.commit) }
    guard hasRows else { return "a row needs the app's start on a frame and the present time" }
    let hasGenerated = trace.surfaces.contains { surface in
      (0..<surface.frames.count).contains {
        surface.frames[$0, .kind] == FrameColumn.Kind.generated.rawValue
      }
    }
    return hasGenerated ? "it has driver-generated frames, which get no rows" : nil
  }

  package func encode(_ trace: Trace) -> [UInt8] {
    // 1.x writes both columns of the GPU's work or neither.
    let hasBusy = trace.surfaces.contains { surface in
      surface.frames.has(.gpuBusy) || (surface.frames.has(.gpuStart) && surface.frames.has(.gpuEnd))
    }
    let kept = header.indices.filter {
      hasBusy || !["msUntilRenderStart", "msGPUActive"].contains(header[$0])
    }
    var text = kept.map { header[$0] }.joined(separator: ",") + "\r\n"
    for index in trace.surfaces.indices {
      let rows = PresentMonRow.rows(of: trace, surface: index)
      var owner = PresentMonOwner(trace, index, isPadded: columns == .presents)
      for row in rows {
        owner.consume(row.index)
        let cells = cells(row, owner)
        text += kept.map { cells[$0] }.joined(separator: ",") + "\r\n"
      }
    }
    // Versions with the columns of 2.1 and later begin with a byte-order mark.
    return (columns == .presents ? [] : [0xef, 0xbb, 0xbf]) + Array(text.utf8)
  }

  private var header: [String] {
    switch columns {
    case .presents:
      [
        "Application", "ProcessID", "SwapChainAddress", "Runtime", "SyncInterval", "PresentFlags",
        "Dropped", "TimeInSeconds", "msInPresentAPI", "msBetweenPresents", "AllowsTearing",
        "PresentMode", "msUntilRenderComplete", "msUntilDisplayed", "msBetweenDisplayChange",
        "msUntilRenderStart", "msGPUActive", "msSinceInput",
      ]
    case .frames:
      PresentMonEncoder.owner + [
        "CPUStartTime", "FrameTime", "CPUBusy", "CPUWait", "GPULatency", "GPUTime", "GPUBusy",
        "GPUWait", "DisplayLatency", "DisplayedTime", "AnimationError", "AnimationTime",
        "ClickToPhotonLatency",
      ]
    case .both:
      PresentMonEncoder.owner + [
        "TimeInSeconds", "MsBetweenPresents", "MsBetweenDisplayChange", "MsInPresentAPI",
        "MsRenderPresentLatency", "MsUntilDisplayed", "CPUStartTimeInSeconds",
        "MsBetweenAppStart", "MsCPUBusy", "MsCPUWait", "MsGPULatency", "MsGPUTime", "MsGPUBusy",
        "MsGPUWait", "MsAnimationError", "AnimationTime", "MsClickToPhotonLatency",
      ]
    }
  }

  private static let owner = [
    "Application", "ProcessID", "SwapChainAddress", "PresentRuntime", "SyncInterval",
    "PresentFlags", "AllowsTearing", "PresentMode", "FrameType",
  ]

  private func cells(_ row: PresentMonRow, _ owner: PresentMonOwner) -> [String] {
    switch columns {
    case .presents: presentCells(row, owner)
    case .frames: owner.cells + frameCells(row)
    case .both: owner.cells + bothCells(row)
    }
  }

  private func presentCells(_ row: PresentMonRow, _ owner: PresentMonOwner) -> [String] {
    // 1.x writes 0 for a missing value.
    let number = { (value: Int64?) in PresentMonText.milliseconds(value, decimals: 6) ?? "0.000000"
    }
    return [
      owner.application, owner.processID, owner.address, owner.runtime, owner.syncInterval,
      owner.flags,
      row.displayed == nil ? "1" : "0", PresentMonText.seconds(row.present),
      number(row.inPresent), number(row.betweenPresents), owner.tearing, owner.presentMode,
      number(row.untilRenderComplete), number(row.untilDisplayed), number(row.betweenDisplayChange),
      number(row.untilRenderStart), number(row.gpuBusy), number(row.sinceInput),
    ]
  }

  private func frameCells(_ row: PresentMonRow) -> [String] {
    let number = { (value: Int64?) in PresentMonText.milliseconds(value, decimals: 4) ?? "NA" }
    return [
      number(row.start), number(row.frameTime), number(row.cpuBusy), number(row.inPresent),
      number(row.gpuLatency), number(row.gpuTime), number(row.gpuBusy), number(row.gpuWait),
      number(row.displayLatency), number(row.displayedTime), number(row.animationError),
      number(row.animationTime), number(row.clickToPhoton),
    ]
  }

  private func bothCells(_ row: PresentMonRow) -> [String] {
    let number = { (value: Int64?) in PresentMonText.milliseconds(value, decimals: 4) ?? "NA" }
    return [
      PresentMonText.seconds(row.present), number(row.betweenPresents),
      number(row.betweenDisplayChange), number(row.inPresent), number(row.untilRenderComplete),
      number(row.untilDisplayed), PresentMonText.seconds(row.start), number(row.frameTime),
      number(row.cpuBusy), number(row.inPresent), number(row.gpuLatency), number(row.gpuTime),
      number(row.gpuBusy), number(row.gpuWait), number(row.animationError),
      number(row.animationTime), number(row.clickToPhoton),
    ]
  }
}

/// The cells that identify a row's application and swap chain, and how its frame was presented.
struct PresentMonOwner {
  let application, processID, address: String
  private(set) var runtime = "Other"
  private(set) var syncInterval = "0"
  private(set) var flags = "0"
  private(set) var tearing = "0"
  private(set) var presentMode = "Other"

  /// The cells that the source kept for these columns, by column name.
  private let kept: [String: ExtraColumn]
  private static let names = ["Runtime", "PresentRuntime", "PresentFlags", "AllowsTearing"]
  private let frames: Table<FrameColumn>

  init(_ trace: Trace, _ index: Int, isPadded: Bool) {
    let surface = trace.surfaces[index]
    application = PresentMonText.cell(surface.process ?? "<unknown>")
    processID = "\(surface.processID ?? 0)"
    // A surface that is not a swap chain has no address; a hash of its name is used instead.
    let name = surface.name ?? surface.id
    let isAddress = name.hasPrefix("0x") && name.dropFirst(2).allSatisfy(\.isHexDigit)
    let digits =
      isAddress
      ? String(name.dropFirst(2))
      : String(PresentMonText.digest(name), radix: 16).uppercased()
    let zeros = isPadded ? String(repeating: "0", count: max(0, 16 - digits.count)) : ""
    address = "0x\(zeros)\(digits)"
    frames = surface.frames
    let extras = surface.frames.extras.filter { Self.names.contains($0.name) }
    kept = Dictionary(extras.map { ($0.name, $0) }) { first, _ in first }
    // In a scenario, the game uses the settings that PresentMon would have observed.
    if trace.provenance.importer == "scenario" {
      (runtime, syncInterval, presentMode) = ("DXGI", "1", "Hardware: Independent Flip")
    }
  }

  /// Advances to the frame in a row.
  mutating func consume(_ row: Int) {
    let kept = kept
    let cell = { (name: String) in
      kept[name].flatMap { $0.text(row) }.map(PresentMonText.cell)
    }
    runtime = cell("Runtime") ?? cell("PresentRuntime") ?? runtime
    syncInterval = frames[row, .syncInterval].map { "\($0)" } ?? syncInterval
    flags = cell("PresentFlags") ?? flags
    tearing = cell("AllowsTearing") ?? tearing
    presentMode = frames.text(row, .presentMode).map(PresentMonText.cell) ?? presentMode
  }

  var cells: [String] {
    [
      application, processID, address, runtime, syncInterval, flags, tearing, presentMode,
      "Application",
    ]
  }
}
