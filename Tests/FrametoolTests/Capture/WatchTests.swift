import Fixtures
import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameReport
@testable import FrameStatistics
@testable import FrameTrace
@testable import frametool

/// What is shown of a capture while it is being written.
@Suite("Watching a capture")
struct WatchTests {
  private static func bytes(_ scenario: String, frames: Int) throws -> [UInt8] {
    let run = Run(["generate", scenario, "--frames", "\(frames)"])
    try #require(run.status == .success, "\(run.errors)")
    return Array(run.output.utf8)
  }

  /// However a trace is split into pieces, the view of its end agrees with an analysis of that
  /// part.
  @Test(arguments: ["dropped-frames", "gpu-overrun", "talk-triple", "uncapped-game"])
  func theEndIsWhatAnAnalysisFinds(_ scenario: String) throws {
    let bytes = try Self.bytes(scenario, frames: 300)
    var growing: GrowingTrace?
    var random = SplitMix64(seed: 22)
    var position = 0
    while position < bytes.count {
      var end = min(bytes.count, position + 1 + Int(random.next() % 20_000))
      while end < bytes.count, bytes[end - 1] != 0x0a { end += 1 }
      let piece = Array(bytes[position..<end])
      if growing == nil {
        growing = try GrowingTrace(path: "run.jsonl", piece, at: 0)
      } else {
        growing?.add(piece, at: 0)
      }
      position = end
    }
    let whole = try Importers.read(InputFile(bytes: bytes, path: "run.jsonl"))
    let grown = try #require(growing)
    let view = LiveView(try grown.trace(), last: .milliseconds(2000))
    let end = try #require(whole.timeRange).upperBound
    var options = AnalysisOptions()
    options.region = TraceRegion(start: end - .milliseconds(2000), end: nil)
    let analysis = TraceAnalysis(of: whole, metrics: .all, options: options)
    let surface = try #require(analysis.surfaces.max { $0.outcomes.count < $1.outcomes.count })
    let headline = SurfaceHeadline(surface, of: analysis).sentence
    #expect(view.line.contains(" s: \(headline)"), "\(view.line)")
    let page = view.page("run.jsonl", width: 400, height: 60).joined(separator: "\n")
    for line in FindingLines(surface, of: analysis).lines(.answer, except: nil).dropFirst() {
      #expect(page.contains(line), "\(line)")
    }
  }

  /// Only frames are forgotten; facts stated once also apply to later frames.
  @Test(arguments: ["native", "wayland-proxy"])
  func framesAreForgottenAndTheRestStays(_ form: String) throws {
    let bytes =
      form == "native"
      ? try Self.bytes("dropped-frames", frames: 300)
      : Array(
        try Data(
          contentsOf: Run.root.appending(path: "Tests/Golden/wayland-proxy/capture/input.jsonl")))
    let lines = bytes.split(separator: 0x0a).map { Array($0) + [0x0a] }
    var growing = try GrowingTrace(path: "run.jsonl", lines[0], at: 0)
    for (position, line) in lines.enumerated().dropFirst() {
      growing.add(line, at: Int64(position))
    }
    let all = try growing.trace()
    growing.forget(before: Int64(lines.count * 2 / 3))
    let last = try growing.trace()
    #expect(last.frameCount > 0 && last.frameCount < all.frameCount)
    #expect(last.surfaces.map(\.id) == all.surfaces.map(\.id))
    #expect(last.surfaces.map(\.process) == all.surfaces.map(\.process))
    #expect(last.timeRange?.upperBound == all.timeRange?.upperBound)
    // The last view remains, however old it is.
    growing.forget(before: .max)
    #expect(throws: Never.self) { _ = try? growing.trace() }
  }

  /// Buffers are created once and reused; destroyed buffers are not counted.
  @Test func buffersStayUntilTheyAreDestroyed() throws {
    let time = { (position: Int) in 1_000_000_000 + position * 1_000_000 }
    var lines = [
      "[\(time(0)),1,\"conn\",\"\",0,\"connect\",[7,\"game\"]]",
      "[\(time(0)),1,\">\",\"wl_compositor\",3,\"create_surface\",[5]]",
    ]
    for buffer in 30..<33 {
      lines.append(
        "[\(time(0)),1,\">\",\"wl_shm_pool\",4,\"create_buffer\",[\(buffer),0,64,64,256,0]]")
    }
    lines.append("[\(time(1)),1,\">\",\"wl_buffer\",32,\"destroy\",[]]")
    var growing = try GrowingTrace(path: "run.jsonl", Array((lines[0] + "\n").utf8), at: 0)
    growing.add(Array((lines.dropFirst().joined(separator: "\n") + "\n").utf8), at: 0)
    for frame in 0..<40 {
      let commit =
        "[\(time(frame * 16)),1,\">\",\"wl_surface\",5,\"attach\",[\(30 + frame % 2)]]\n"
        + "[\(time(frame * 16)),1,\">\",\"wl_surface\",5,\"commit\",[]]\n"
      growing.add(Array(commit.utf8), at: Int64(frame + 1))
    }
    growing.forget(before: 30)
    let events = try growing.trace().bufferEvents
    let made = (0..<events.count).filter {
      events[$0, .event] == BufferColumn.Event.allocated.rawValue
    }
    #expect(made.count == 2)
  }

  /// A file that is already long takes no more memory than its end.
  @Test func ofALongFileTheEndIsHeld() throws {
    let lines = try Self.bytes("steady-60", frames: 600).split(separator: 0x0a)
      .map { Array($0) + [0x0a] }
    let isFrame = { (line: [UInt8]) in line.contains(Array("\"frame\"".utf8)) }
    let head = Array(lines.filter { !isFrame($0) }.joined())
    let piece = Array(lines.filter(isFrame).joined())
    var growing = try GrowingTrace(path: "run.jsonl", head, at: 0, most: 1 << 20)
    let repeats = (2 << 20) / piece.count
    for _ in 0..<repeats { growing.add(piece, at: 0) }
    let held = try growing.trace().frameCount
    #expect(held >= 600 && held < repeats * 600 * 3 / 4)
  }

  @Test(arguments: [(80, 24), (200, 60), (20, 5), (1, 1), (11, 3)])
  func aPageFitsTheWindow(_ width: Int, _ height: Int) throws {
    let trace = try Importers.read(
      InputFile(bytes: Self.bytes("dropped-frames", frames: 200), path: "run.jsonl"))
    let page = LiveView(trace, last: .milliseconds(5000)).page("run", width: width, height: height)
    #expect(page.count <= height && page.allSatisfy { $0.count <= width })
    #expect(width < 80 || page.contains { $0.contains("refreshes dropped") })
    #expect(width < 80 || page.contains { $0.contains("█") })
  }

  @Test func aFileIsFollowedFromPartToPart() throws {
    let folder = try TemporaryFolder()
    let lines = try Self.bytes("steady-60", frames: 90).split(separator: 0x0a).map {
      Array($0) + [0x0a]
    }
    let first = try #require(lines.firstIndex { $0.contains(Array("\"frame\"".utf8)) })
    let head = lines[..<first].flatMap { $0 }
    func write(_ name: String, _ bytes: [UInt8]) throws {
      try Data(bytes).write(to: URL(filePath: folder.path(name)))
    }
    // An incomplete line waits for its end.
    try write(
      "run.jsonl",
      head + lines[first..<first + 30].flatMap { $0 }
        + lines[first + 30].prefix(20))
    var capture = WatchedCapture(path: folder.path("run.jsonl"))
    try capture.look(at: 0)
    let frames = try #require(try capture.trace()).frameCount
    try write("run.jsonl", head + lines[first...first + 50].flatMap { $0 })
    try capture.look(at: 1)
    #expect(try capture.trace()?.frameCount == frames + 21)
    try write("run.part0002.jsonl", head + lines[first + 51..<first + 70].flatMap { $0 })
    try capture.look(at: 2)
    #expect(try capture.trace()?.frameCount == 19)
    #expect(capture.name.hasSuffix("run.part0002.jsonl"))
  }

  @Test func withoutATerminalThereAreLines() throws {
    let folder = try TemporaryFolder()
    try Data(Self.bytes("dropped-frames", frames: 200)).write(
      to: URL(filePath: folder.path("run.jsonl")))
    let run = Run(["watch", "--duration", "0.5", "--every", "0.2", folder.path("run.jsonl")])
    #expect(run.status == .success && run.errors == "")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count >= 2 && lines.allSatisfy { $0.contains("refreshes dropped") })
  }

  @Test func whatCannotBeWatchedIsTold() throws {
    let folder = try TemporaryFolder()
    let missing = Run(["watch", folder.path("none.jsonl")])
    #expect(missing.status == .inputOutput && missing.errors.contains("cannot open"))
    let made = Run([
      "generate", "layer-app-overrun", "--encode", "gfxinfo", "-o", folder.path("a.txt"),
    ])
    #expect(made.status == .success)
    let other = Run(["watch", folder.path("a.txt")])
    #expect(other.status == .badData)
    #expect(other.errors.contains("found dumpsys gfxinfo") && other.errors.contains("help: "))
  }
}

extension [UInt8] {
  fileprivate func contains(_ part: [UInt8]) -> Bool {
    String(decoding: self, as: UTF8.self).contains(String(decoding: part, as: UTF8.self))
  }
}
