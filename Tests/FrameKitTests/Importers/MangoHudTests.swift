import Testing

@testable import FrameImporters
@testable import FrameTrace

@Suite struct MangoHudTests {
  /// If the columns continue beyond the text that an importer is chosen by, the others are unknown,
  /// and no row fits.
  @Test func columnsWithoutEndCostTheirRowsAndNoMore() throws {
    let sensors = (0..<20_000).map { "sensor\($0)" }.joined(separator: ",")
    let rows = (1...3).map {
      "60,16667,\($0 * 16_667_000)," + String(repeating: "1,", count: 20_000)
    }
    let text = ["os,cpu,gpu,ram,kernel,driver", "a,b,c,1,6,1", "fps,frametime,elapsed,\(sensors)"]
    let error = #expect(throws: ParseError.self) {
      _ = try TestData.read(text: (text + rows).joined(separator: "\n") + "\n")
    }
    #expect(error?.problem.contains("3 × rows that do not have the header's") == true)
  }

  /// Reading only frame times gives the same result, and leaves sensors unread.
  @Test func sensorsAreReadWhereSomebodyAsks() throws {
    let text = """
      os,cpu,gpu,ram,kernel,driver
      a,b,c,1,6,1
      fps,frametime,cpu_load,elapsed
      60,16667,77,16667000
      59.9,16694,76.5,33361000
      60,16667,,50028000

      """
    let input = { try InputFile(bytes: Array(text.utf8), path: "game.csv") }
    let all = try Importers.read(input())
    let some = try Importers.read(
      input(), demand: TraceDemand(frameColumns: [.presentInterval]))
    for trace in [all, some] {
      let frames = trace.surfaces[0].frames
      #expect(
        (0..<3).map { frames[$0, .presentInterval] } == [nil, 16_694_000, 16_667_000])
    }
    #expect(all.surfaces[0].frames.extras.map { $0.text(1) } == ["76.5"])
    #expect(all.surfaces[0].frames.extras.map { $0.text(2) } == [nil])
    #expect(some.surfaces[0].frames.extras.isEmpty && some.isPartial)
    #expect(some.issues.first { $0.kind == .columnUnused }?.count == 1)
  }
}
