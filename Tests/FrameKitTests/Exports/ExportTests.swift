import CSQLite
import Fixtures
import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameReport
@testable import FrameStatistics
@testable import FrameTrace

/// Exports for other tools agree with the analysis.
@Suite struct ExportTests {
  private func export(_ trace: Trace, _ name: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    #expect(try Exports.write(Study(of: trace), as: name) { bytes += $0 } == nil)
    return bytes
  }

  /// The cells of a CSV without quotes in it.
  private func table(_ bytes: [UInt8]) -> [[String]] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test(arguments: ["triple-switch", "uncapped-game", "app-overrun", "two-surfaces", "video-24"])
  func theFrameTableSumsToTheAnalysis(_ name: String) throws {
    let trace = try DrawnPlot.trace(name)
    let rows = table(try export(trace, "frames-csv"))
    let header = try #require(rows.first)
    #expect(header == FrameRow.csv.flatMap(\.csvKeys))
    #expect(rows.allSatisfy { $0.count == header.count })
    let column = { (name: String) in header.firstIndex(of: name) ?? 0 }
    for surface in TraceAnalysis(of: trace).surfaces {
      let own = rows.dropFirst().filter { $0[column("surface")] == surface.id }
      #expect(own.count == surface.outcomes.count)
      let outcomes = own.map { $0[column("outcome")] }
      #expect(outcomes.count { $0 == "displayed" } == surface.outcomes.displayed)
      #expect(outcomes.count { $0 == "replaced" } == surface.outcomes.replaced)
      let dropped = own.compactMap { Int($0[column("dropped")]) }.reduce(0, +)
      #expect(dropped == surface.drops.value?.refreshes ?? 0)
      let hitches = own.compactMap { Double($0[column("hitch_ms")]) }.reduce(0, +)
      let total = surface.hitches.value?.total.milliseconds ?? 0
      #expect(abs(hitches - total) < 1e-6)
      for stage in surface.drops.value?.byStage.keys.map(\.rawValue) ?? [] {
        #expect(own.contains { $0[column("charged_to")].contains(stage) }, "\(stage)")
      }
    }
  }

  private static func milliseconds(_ nanoseconds: Int64) -> String {
    var bytes: [UInt8] = []
    DecimalText.append(nanoseconds, digits: 6, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func timesInTheFrameTableAreExact() throws {
    let trace = try DrawnPlot.trace("triple-switch")
    let rows = table(try export(trace, "frames-csv"))
    let row = try #require(rows.first { $0[2] == "60" })
    let frames = trace.surfaces[0].frames
    let start = try #require(frames[60, .gpuStart])
    #expect(
      row[11] == Self.milliseconds(start - (trace.timeRange?.lowerBound.nanoseconds ?? 0)))
    #expect(Self.milliseconds(-1_234_500) == "-1.2345")
    #expect(Self.milliseconds(7) == "0.000007")
    var json = JSONWriter(indented: false)
    json.array { json in
      for number in [Int64.max, .min, 0, -7, 1_000_000] { json.value(number, decimals: 3) }
      for number in [Int64.max, .min, 0] { json.value(number) }
    }
    #expect(
      String(decoding: json.bytes, as: UTF8.self)
        == "[9223372036854775.807,-9223372036854775.808,0,-0.007,1000,9223372036854775807,-9223372036854775808,0]"
    )
  }

  @Test func mangoHudLogsHaveTheFrameTimes() throws {
    let trace = try DrawnPlot.trace("uncapped-game", frames: 200)
    let rows = table(try export(trace, "mangohud"))
    #expect(rows[0].first == "os" && rows[0].count == rows[1].count)
    #expect(rows[2].prefix(2) == ["fps", "frametime"] && rows[2].last == "elapsed")
    let times = rows.dropFirst(3).compactMap { Double($0[1]) }
    guard case .summary(let summary) = TraceAnalysis(of: trace).surfaces[0]["frameTime"]?.figures
    else { return #expect(Bool(false)) }
    #expect(times.count == summary.n)
    #expect(abs(times.reduce(0, +) / Double(times.count) - summary.mean) < 1e-5)
    // The product shows the units, as logs of older versions use others.
    for row in rows.dropFirst(3) {
      let product = (Double(row[0]) ?? 0) * (Double(row[1]) ?? 0)
      #expect(abs(product - 1000) < 0.01)
    }
    #expect(MangoHudExport.number(2300.0234) == "2300.02")
    #expect(MangoHudExport.number(59.99952) == "59.9995")
    #expect(MangoHudExport.number(1_234_567) == "1234567")
    #expect(MangoHudExport.number(4) == "4")
    let two = try DrawnPlot.trace("two-surfaces")
    #expect(try Exports.write(Study(of: two), as: "mangohud") { _ in }?.contains("found 2") == true)
  }

  @Test func presentMonLogsOfOtherTracesSayTheSame() throws {
    for name in ["app-overrun", "gpu-overrun", "blur-passes"] {
      let trace = try DrawnPlot.trace(name)
      let encoder = try #require(Encoders.all.first { $0.name == "presentmon" })
      let again = try Importers.read(InputFile(bytes: encoder.encode(trace)))
      let (before, after) = (TraceAnalysis(of: trace), TraceAnalysis(of: again))
      for metric in ["displayChange", "presentLatency"] {
        #expect(
          before.surfaces[0][metric]?.figures == after.surfaces[0][metric]?.figures,
          "\(metric) of \(name)")
      }
      guard case .summary(let old) = before.surfaces[0]["frameTime"]?.figures,
        case .summary(let new) = after.surfaces[0]["frameTime"]?.figures
      else { return #expect(Bool(false)) }
      #expect(old.n == new.n && old.minimum == new.minimum && old.maximum == new.maximum)
    }
  }

  @Test func whatAPresentMonLogDoesNotKnowIsMissingInIt() throws {
    for name in ["presentmon", "presentmon-v1", "presentmon-v2"] {
      let trace = try DrawnPlot.trace("triple-switch")
      let encoder = try #require(Encoders.all.first { $0.name == name })
      let analysis = TraceAnalysis(
        of: try Importers.read(InputFile(bytes: encoder.encode(trace))))
      let before = TraceAnalysis(of: trace).surfaces[0]
      guard case .summary(let old) = before["frameTime"]?.figures,
        case .summary(let new) = analysis.surfaces[0]["frameTime"]?.figures
      else { return #expect(Bool(false)) }
      // Version 2 counts from the end of one present call to the next.
      if name != "presentmon-v2" {
        #expect(old.n == new.n && old.minimum == new.minimum && old.p50 == new.p50, "\(name)")
      }
      // PresentMon writes the time and the busy time of the GPU together, and a simulated GPU is busy all the time.
      #expect(analysis.surfaces[0]["gpuBusy"]?["p50"] == before["gpuTime"]?["p50"], "\(name)")
    }
  }

  /// PresentMon knows no time between the return of a present call and the start of the next frame.
  @Test(arguments: ["uncapped-game", "app-overrun", "dynamics-at-rest", "blur-passes"])
  func aPresentMonLogHasNoGapBetweenFrames(_ name: String) throws {
    let trace = try DrawnPlot.trace(name)
    let encoder = try #require(Encoders.all.first { $0.name == "presentmon" })
    let lines = String(decoding: encoder.encode(trace).dropFirst(3), as: UTF8.self)
      .split(separator: "\r\n").map { $0.split(separator: ",") }
    let columns = [
      "CPUStartTimeInSeconds", "MsBetweenAppStart", "MsCPUBusy", "MsCPUWait",
    ].compactMap { name in lines[0].firstIndex { $0 == name } }
    let rows = lines.dropFirst().map { row in columns.map { Double(row[$0]) ?? .nan } }
    #expect(columns.count == 4 && rows.count > 3)
    for (row, next) in zip(rows, rows.dropFirst()) {
      #expect(abs(row[1] - row[2] - row[3]) < 0.0003)
      #expect(abs(row[0] * 1000 + row[1] - next[0] * 1000) < 0.0003)
    }
  }

  @Test func aPresentMonLogKeepsWhatItWasReadWith() throws {
    let header =
      "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,PresentMode,TimeInSeconds,msInPresentAPI,msBetweenPresents,msUntilDisplayed"
    let rows = (0..<6).map {
      "a.exe,7,0xAB,DXGI,\($0),0,Composed: Flip,\(Double($0) * 0.016),0.1,16,30"
    }
    let text = ([header] + rows).joined(separator: "\r\n") + "\r\n"
    let trace = try Importers.read(InputFile(bytes: Array(text.utf8)))
    let encoder = try #require(Encoders.all.first { $0.name == "presentmon" })
    let written = String(decoding: encoder.encode(trace), as: UTF8.self)
    #expect(written.contains("a.exe,7,0xAB,DXGI,3,0,0,Composed: Flip"))
    #expect(!written.contains("Independent"))
    #expect(try Importers.read(InputFile(bytes: Array(written.utf8))).frameCount == 5)
  }

  @Test func theTimeOfAMangoHudLogNeverGoesBack() throws {
    // Lengths stated by the source may belong to times that are out of order.
    let lines = (0..<40).map { frame in
      #"{"type": "frame", "appStart": \#(frame * 16 + (frame % 3 == 0 ? 20 : 0)), "commit": \#(frame * 16 + 30), "presentInterval": 16}"#
    }
    let text = ([#"{"schema": "frametool.trace/1", "unit": "ms"}"#] + lines).joined(separator: "\n")
    let trace = try Importers.read(InputFile(bytes: Array((text + "\n").utf8)))
    let rows = table(try export(trace, "mangohud")).dropFirst(3)
    let times = rows.compactMap { Int64($0.last ?? "") }
    #expect(times.count == rows.count && zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test func theDatabaseAnswersAsTheAnalysisDoes() throws {
    let trace = try DrawnPlot.trace("triple-switch")
    let database = try Database(try export(trace, "sqlite"))
    #expect(database.query("PRAGMA integrity_check") == [["ok"]])
    #expect(database.query("SELECT count(*) FROM frames") == [["180"]])
    #expect(
      database.query("SELECT stage, sum(count) FROM drops GROUP BY stage") == [["gpu", "1"]])
    #expect(
      database.query("SELECT frame, time_ns FROM drops") == [["60", "1050008400"]])
    #expect(database.query("SELECT sum(dropped) FROM rebuilt_frames") == [["1"]])
    #expect(database.query("SELECT count(*) FROM refreshes") != [["0"]])
    let touches = try Database(export(DrawnPlot.trace("talk-triple"), "sqlite"))
    #expect(
      touches.query("SELECT DISTINCT latency_ns FROM rebuilt_touches WHERE kind = 'main'")
        == [["83334000"]])
  }

  @Test func everyColumnOfTheDatabaseIsExplained() throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      let database = try Database(try export(AnyTrace.make(seed: seed), "sqlite"))
      let tables = database.query("SELECT name FROM sqlite_schema WHERE type = 'table'").map {
        $0[0]
      }
      #expect(tables.count == 26)
      for table in tables where table != "columns" {
        let columns = database.query("SELECT name FROM pragma_table_info('\(table)')")
        let explained = database.query(
          "SELECT column_name FROM columns WHERE table_name = '\(table)'")
        #expect(columns == explained, "\(table)")
      }
      #expect(database.query("SELECT count(*) FROM columns WHERE meaning = ''") == [["0"]])
    }
  }

  @Test func theSameTraceGivesTheSameBytes() throws {
    for name in Exports.entries.map(\.name) where name != "mangohud" {
      let first = try export(AnyTrace.make(seed: 7), name)
      #expect(try export(AnyTrace.make(seed: 7), name) == first, "\(name)")
    }
  }

  @Test func theListingsAgreeWithTheMetrics() throws {
    let trace = try DrawnPlot.trace("predicted-touches")
    let pipeline = Pipeline(reconstructing: trace)
    let surface = MeasuredSurface(pipeline, index: 0)
    let touches = ListedTouch.all(surface)
    let latencies = touches.filter { $0.kind == .main }.compactMap { $0.latency?.count }
    #expect(latencies.sorted() == surface.touches?.touchToPhoton.sorted())
    let listing = FrameListing(pipeline.surfaces[0])
    let changes = surface.buffers?.changes ?? []
    for change in changes { #expect(listing[change.frame].depth == change.to) }
    let shown = (0..<listing.count).compactMap { listing[$0].displayed }
    #expect(shown.count == surface.outcomes.displayed)
  }
}

/// An in-memory database, queried in SQL.
@safe private final class Database {
  private var database: OpaquePointer?

  init(_ bytes: [UInt8]) throws {
    let size = sqlite3_int64(bytes.count)
    unsafe sqlite3_open(":memory:", &database)
    guard let memory = unsafe sqlite3_malloc64(UInt64(bytes.count)) else { return }
    unsafe memory.copyMemory(from: bytes, byteCount: bytes.count)
    let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE)
    let status = unsafe sqlite3_deserialize(
      database, "main", memory.assumingMemoryBound(to: UInt8.self), size, size, flags)
    #expect(status == SQLITE_OK)
  }

  deinit { unsafe sqlite3_close(database) }

  func query(_ text: String) -> [[String]] {
    var statement: OpaquePointer?
    unsafe sqlite3_prepare_v2(database, text, -1, &statement, nil)
    defer { unsafe sqlite3_finalize(statement) }
    var rows: [[String]] = []
    while unsafe sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<(unsafe sqlite3_column_count(statement))).map { column in
          unsafe sqlite3_column_text(statement, column).map { unsafe String(cString: $0) } ?? "NULL"
        })
    }
    return rows
  }
}
