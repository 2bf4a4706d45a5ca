import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameTrace

/// Logs of overlays and capture tools of games.
@Suite struct GamesTests {
  private static let folder = TestData.folder.appending(path: "captured/mangohud").path

  /// Rows according to `wc -l`, minus three for the header and one for the first frame time, which
  /// is missing.
  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: [
      ("es2gears_wayland.x86_64-linux-gnu_2026-11-20_16-42-52", 193),
      ("glmark2-es2-wayland_2026-11-20_16-43-02", 22),
      ("glxgears.x86_64-linux-gnu_2026-11-20_16-43-12", 233),
      ("vkcube-wayland_2026-11-20_16-42-34", 222),
    ])
  func everyRowIsAFrame(_ name: String, _ rows: Int) throws {
    let trace = try TestData.read("\(Self.folder)/\(name).csv")
    #expect(trace.frameCount == rows)
    // A frame time is the time between two rows.
    let frames = trace.surfaces[0].frames
    let differences = (1..<frames.count).compactMap { row -> Int64? in
      guard let time = frames[row, .commit], let before = frames[row - 1, .commit],
        let length = frames[row, .presentInterval]
      else { return nil }
      return abs(time - before - length)
    }.sorted()
    #expect(differences.count == rows - 1)
    #expect(differences[differences.count / 2] < 100_000)
  }

  /// The overlay's own summary: average over all rows, those of the first included.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func theAverageIsTheOverlays() throws {
    let trace = try TestData.read(
      "\(Self.folder)/glxgears.x86_64-linux-gnu_2026-11-20_16-43-12.csv")
    let rate = try #require(TraceAnalysis(of: trace).surfaces.first?["averageFrameRate"])
    guard case .figure(let value, _) = rate.figures else {
      Issue.record("there is no rate")
      return
    }
    // 60.5 is the mean of rates; frametool divides frames by time.
    #expect(abs(value - 60.0) < 0.05)
  }

  /// A log written at intervals contains readings, whatever its rows say.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func aSampledLogHasNoFrames() throws {
    let trace = try TestData.read(
      "\(Self.folder)/glxgears.x86_64-linux-gnu_2026-11-20_16-43-20.csv")
    #expect(trace.frameCount == 0)
    #expect(StatedFigures.all(trace).map(\.metric) == ["sampledFrameTime"])
    #expect(trace.issues.contains { $0.kind == .framesWithheld && $0.severity == .dataLoss })
  }

  private static let machine = "os,cpu,gpu,ram,kernel,driver\nLinux,CPU,,1,6,Mesa\n"

  /// The product of frame time and rate shows the unit of a frame time, in every version.
  @Test(arguments: [
    ("", "fps,frametime,cpu_load,gpu_load,elapsed", "60,16667,1,1", Int64(1)),
    ("v1\n", "fps,frametime,cpu_load,gpu_load,elapsed", "60,16.667,1,1", 1),
    ("", "fps,cpu_load,gpu_load,cpu_temp,elapsed", "60,1,1,1", 1000), ("", "", "60,1,1", 1000),
  ])
  func unitsAreTold(_ version: String, _ header: String, _ cells: String, _ unit: Int64) throws {
    let rows = (0..<10).map { "\(cells),\((150_000_000 + Int64($0) * 16_666_667) / unit)" }
    let lines = header.isEmpty ? rows : [header] + rows
    let trace = try TestData.read(
      text: version + Self.machine + lines.joined(separator: "\n") + "\n")
    let frames = try #require(trace.surfaces.first?.frames)
    #expect(frames.count == 10)
    #expect((1..<10).allSatisfy { abs((frames[$0, .presentInterval] ?? 0) - 16_667_000) < 1000 })
    #expect(abs((frames[9, .commit] ?? 0) - (frames[0, .commit] ?? 0) - 150_000_000) < 2000)
    #expect(trace.setting.device == "CPU")
  }

  /// Values only in the first row describe the recording, and no row is lost because of them.
  @Test(.enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)))
  func theMachineIsKept() throws {
    let ocat = try TestData.read(
      TestData.folder.appending(
        path: "ocat/CXWorld_CapFrameX__OCAT-MetroExodus.exe-2019-02-20T101522.csv"
      ).path)
    #expect(
      ocat.setting.device
        == "GeForce RTX 2080 Ti, Intel(R) Core(TM) i9-9900K CPU @ 3.60GHz")
    #expect(ocat.issues.isEmpty)
    let capFrameX = try TestData.read(
      TestData.folder.appending(
        path: "capframex/CXWorld_CapFrameX__CapFrameXFileWithHeader.csv"
      ).path)
    #expect(capFrameX.setting.date == "2019-03-30 12:01:36")
    #expect(capFrameX.frameCount == 7285)
  }
}
