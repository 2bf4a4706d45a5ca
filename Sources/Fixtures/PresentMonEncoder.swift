package import FrameKit

/// Writes CSV files as PresentMon does, in each of the three sets of columns it has had.
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

  package var cannotCarry: Set<String> { Self.pipeline.union(ofColumns) }

  /// What takes touches, or stages that the tool does not know.
  private static let pipeline: Set<String> = [
    "touchToPhoton", "touchToPhotonFrames", "inputAge", "effectiveLatencyFrames",
    "predictionError", "layerSkew", "gpuTimePerPass",
  ]

  private var ofColumns: Set<String> {
    switch columns {
    // Neither what made an input, nor how long a frame was shown, nor when the first frame
    // started.
    case .presents:
      ["clickToPhoton", "displayedTime", "displayLatency", "cpuBusy", "startInterval", "appTime"]
    case .frames: []
    // How long a frame was shown stands in the next one's row.
    case .both: ["displayedTime"]
    }
  }

  package func whyNot(_ trace: Trace) -> String? {
    let hasRows = trace.surfaces.contains { $0.frames.has(.appStart) && $0.frames.has(.commit) }
    return hasRows ? nil : "a row needs the app's start on a frame and its present"
  }

  package func encode(_ trace: Trace) -> [UInt8] {
    var text = header.joined(separator: ",") + "\r\n"
    for index in trace.surfaces.indices {
      let rows = PresentMonRow.rows(of: trace, surface: index)
      let owner = PresentMonOwner(trace.surfaces[index], isPadded: columns == .presents)
      for row in rows { text += cells(row, owner).joined(separator: ",") + "\r\n" }
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
        "GPUWait", "DisplayLatency", "DisplayedTime", "ClickToPhotonLatency",
      ]
    case .both:
      PresentMonEncoder.owner + [
        "TimeInSeconds", "MsBetweenPresents", "MsBetweenDisplayChange", "MsInPresentAPI",
        "MsRenderPresentLatency", "MsUntilDisplayed", "CPUStartTimeInSeconds",
        "MsBetweenAppStart", "MsCPUBusy", "MsCPUWait", "MsGPULatency", "MsGPUTime", "MsGPUBusy",
        "MsGPUWait", "MsClickToPhotonLatency",
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
    // 1.x writes 0 for what is not there.
    let number = { (value: Int64?) in PresentMonText.milliseconds(value, decimals: 6) ?? "0.000000"
    }
    return [
      owner.application, owner.processID, owner.address, "DXGI", "1", "0",
      row.displayed == nil ? "1" : "0", PresentMonText.seconds(row.present),
      number(row.inPresent), number(row.betweenPresents), "0", owner.presentMode,
      number(row.untilRenderComplete), number(row.untilDisplayed), number(row.betweenDisplayChange),
      number(row.untilRenderStart), number(row.gpuBusy), number(row.sinceInput),
    ]
  }

  private func frameCells(_ row: PresentMonRow) -> [String] {
    let number = { (value: Int64?) in PresentMonText.milliseconds(value, decimals: 4) ?? "NA" }
    return [
      number(row.start), number(row.frameTime), number(row.cpuBusy), number(row.inPresent),
      number(row.gpuLatency), number(row.gpuTime), number(row.gpuBusy), number(row.gpuWait),
      number(row.displayLatency), number(row.displayedTime), number(row.clickToPhoton),
    ]
  }

  private func bothCells(_ row: PresentMonRow) -> [String] {
    let number = { (value: Int64?) in PresentMonText.milliseconds(value, decimals: 4) ?? "NA" }
    return [
      PresentMonText.seconds(row.present), number(row.betweenPresents),
      number(row.betweenDisplayChange), number(row.inPresent), number(row.untilRenderComplete),
      number(row.untilDisplayed), PresentMonText.seconds(row.start), number(row.frameTime),
      number(row.cpuBusy), number(row.inPresent), number(row.gpuLatency), number(row.gpuTime),
      number(row.gpuBusy), number(row.gpuWait), number(row.clickToPhoton),
    ]
  }
}

/// The cells that say whose frame a row is.
struct PresentMonOwner {
  let application, processID, address: String
  let presentMode = "Hardware: Independent Flip"

  init(_ surface: Surface, isPadded: Bool) {
    application = PresentMonText.cell(surface.process ?? "<unknown>")
    processID = "\(surface.processID ?? 0)"
    // A surface that is no swap chain has no address; its id's bytes stand for one.
    let name = surface.name ?? surface.id
    let isAddress = name.hasPrefix("0x") && name.dropFirst(2).allSatisfy(\.isHexDigit)
    let digits =
      isAddress
      ? String(name.dropFirst(2)) : String(PresentMonText.digest(name), radix: 16).uppercased()
    let zeros = isPadded ? String(repeating: "0", count: max(0, 16 - digits.count)) : ""
    address = "0x\(zeros)\(digits)"
  }

  var cells: [String] {
    [application, processID, address, "DXGI", "1", "0", "0", presentMode, "Application"]
  }
}
