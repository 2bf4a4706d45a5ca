import Foundation
import Testing

@testable import FrameImporters
@testable import FrameTrace

/// The Vulkan layer records what a stand-in for a real driver did.
@Suite(.enabled(if: hasVulkanHeaders, "Vulkan's headers are not installed: scripts/install"))
struct LayerTests {
  /// What the driver and the game know about a frame, as the stand-in prints it.
  private struct Truth {
    let simulated, acquireBegin, acquireEnd, presentBegin, presentEnd: Int64
    let gpuBegin, gpuEnd, displayed: Int64
    let isKnown: Bool

    init(_ line: Substring) throws {
      let numbers = line.split(separator: " ").compactMap { Int64($0) }
      try #require(numbers.count == 9)
      (simulated, acquireBegin, acquireEnd) = (numbers[0], numbers[1], numbers[2])
      (presentBegin, presentEnd) = (numbers[3], numbers[4])
      (gpuBegin, gpuEnd, displayed) = (numbers[5], numbers[6], numbers[7])
      isKnown = numbers[8] == 1
    }
  }

  /// Builds the stand-in with the layer, and runs it.
  private static func run(_ mode: String) throws -> (truth: [Truth], trace: Trace) {
    let played = try play(mode)
    return (played.truth, played.trace)
  }

  private static func play(
    _ mode: String
  ) throws -> (truth: [Truth], trace: Trace, events: [RecordedEvent]) {
    let folder = try TemporaryFolder()
    let layer = Run.root.appending(path: "Sources/CVulkanLayer").path
    let recorder = Run.root.appending(path: "Sources/FrameRecorder").path
    let sources = try FileManager.default.contentsOfDirectory(atPath: layer)
      .filter { $0.hasSuffix(".c") }.map { "\(layer)/\($0)" }
    let build = try Self.start(
      "/usr/bin/cc",
      // The layer finds libwayland's functions in the program.
      ["-std=gnu11", "-O1", "-pthread", "-rdynamic", "-I", "\(recorder)/include"]
        + ["stand_in.c", "stand_in_wayland.c"].map { "\(Run.root.path)/Tests/Layer/\($0)" }
        + sources
        + ["\(recorder)/frame_recorder.c", "-o", folder.path("stand-in"), "-ldl"])
    try #require(build.status == 0, "\(build.output)")
    let played = try Self.start(
      folder.path("stand-in"), [mode], ["FRAMETOOL_CAPTURE": folder.url.path])
    #expect(played.status == 0, "\(played.output)")
    let ring = try #require(folder.files.first { $0.hasSuffix(".ring") })
    let trace = try Importers.read(InputFile(path: folder.path(ring)))
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder.path(ring))))
    let events = try #require(RecordingHeader(bytes)).events(in: bytes).inOrder
    return (try played.output.split(separator: "\n").map(Truth.init), trace, events)
  }

  private static func start(
    _ program: String, _ arguments: [String], _ variables: [String: String] = [:]
  ) throws -> (status: Int32, output: String) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  @Test(arguments: [
    "plain", "clocks", "timing", "present-timing", "refusing", "markers", "anti-lag", "waits",
    "own-waits",
  ])
  func itRecordsWhatTheDriverDid(_ mode: String) throws {
    let (truth, trace) = try Self.run(mode)
    let frames = trace.surfaces[0].frames
    #expect(frames.count == 40 && truth.count == 40)
    #expect(trace.surfaces[0].id == "surface 5" && trace.surfaces[0].allocatedBuffers == 3)
    let tellers = [
      "timing": "VK_GOOGLE_display_timing", "present-timing": "VK_EXT_present_timing",
      "waits": "VK_KHR_present_wait, a little late",
      "own-waits": "VK_KHR_present_wait, a little late",
    ]
    let reported = tellers[mode]
    let words =
      reported.map { "display times from \($0)" } ?? "nothing tells when frames are displayed"
    #expect(trace.issues.map(\.message).contains(words))
    #expect(trace.issues.map(\.message).contains("present mode FIFO"))
    for (row, fact) in truth.enumerated() {
      let time = { (column: FrameColumn) in frames[row, column] ?? 0 }
      // The driver's own times are between the layer's, which are taken before and after the calls.
      #expect(
        Self.isAround(
          time(.bufferWaitStart), fact.acquireBegin, fact.acquireEnd, time(.bufferWaitEnd)))
      #expect(Self.isAround(time(.commit), fact.presentBegin, fact.presentEnd, time(.appEnd)))
      #expect(time(.buffer) == Int64(row % 3))
      if mode == "markers" || mode == "anti-lag" {
        #expect(Self.isAround(time(.appStart), fact.simulated, fact.simulated, time(.commit)))
        #expect(fact.simulated - time(.appStart) < 1_000_000)
      } else if row > 0 {
        #expect(time(.appStart) == frames[row - 1, .appEnd])
      }
      let waits = mode.hasSuffix("waits")
      let hasGPU = mode == "clocks" || (reported != nil && !waits)
      // The layer does not wait for GPU work after the last present.
      #expect((frames[row, .gpuEnd] != nil) == hasGPU || row >= 38)
      if hasGPU, frames[row, .gpuEnd] != nil {
        #expect(abs(time(.gpuStart) - fact.gpuBegin) < 10_000)
        #expect(abs(time(.gpuEnd) - fact.gpuEnd) < 10_000)
      }
      if waits {
        // A wait ends when the frame is on the display, or later; for the last ones it does not
        // end.
        #expect(frames[row, .displayed].map { $0 >= fact.displayed } ?? true)
        continue
      }
      // A stage's clock is joined by two readings, taken one after the other.
      let distance = frames[row, .displayed].map { abs($0 - fact.displayed) }
      #expect(fact.isKnown ? distance.map { $0 < 10_000 } ?? false : distance == nil)
      // If the driver has no room for the request, the frame is presented without it.
      if mode == "present-timing", row % 10 == 5 { #expect(!fact.isKnown) }
    }
    #expect(truth.contains(where: \.isKnown) == (reported != nil))
    #expect((0..<frames.count).contains { frames[$0, .displayed] != nil } == (reported != nil))
  }

  /// A game may close its connection to the compositor at any time after it destroyed its swap chains, and some do
  /// before: the layer must not touch it then.
  @Test(arguments: ["wayland", "wayland-early", "wayland-closed"])
  func aConnectionBelongsToTheGame(_ mode: String) throws {
    let (truth, trace) = try Self.run(mode)
    let frames = trace.surfaces[0].frames
    #expect(truth.count == 40 && frames.count == 40 && trace.surfaces[0].id == "wl_surface 7")
    #expect(trace.issues.map(\.message).contains("display times from wp_presentation"))
    #expect(trace.displays.map(\.interval) == [Nanoseconds(16_666_667)])
    // The last ones are displayed after the last call.
    for row in 0..<38 {
      let displayed = try #require(frames[row, .displayed])
      #expect(abs(displayed - truth[row].presentBegin - 5_000_000) < 2_000_000)
    }
  }

  /// The pictures of a run, by frame.
  private static func pictures(_ events: [RecordedEvent]) -> [UInt64: PresentedPicture] {
    let numbers = Dictionary(grouping: events.filter { $0.kind == .picture }, by: \.frame)
    return numbers.mapValues { events in
      PresentedPicture(process: 1, surface: 5, presented: 0, numbers: events.map(\.time))
    }
  }

  /// The cells of the bar that changes in each frame, and that of the mark that changes once.
  private static let bar = Array(15 * 16..<16 * 16)
  private static let mark = 5 * 16 + 8

  @Test func whatChangesInPicturesIsFound() throws {
    let (_, trace, events) = try Self.play("pictures")
    let pictures = Self.pictures(events)
    #expect(trace.surfaces[0].frames.count == 40 && pictures.count == 40)
    #expect(
      trace.issues.map(\.message).contains("64 lines of each picture read before its present"))
    for (frame, picture) in pictures {
      #expect(picture.width == 64 && picture.height == 128)
      // Nothing came before the first one, and nobody sees the alpha that changes at frame 25.
      let changed =
        frame == 0 ? Array(0..<256) : frame == 20 ? [Self.mark] + Self.bar : Self.bar
      #expect(picture.changed == changed, "frame \(frame)")
    }
  }

  /// The game never waits for a copy: the pictures that there is no room for are left out.
  @Test func aSlowCopyIsNotWaitedFor() throws {
    let (_, trace, events) = try Self.play("pictures-late")
    let pictures = Self.pictures(events)
    #expect(trace.surfaces[0].frames.count == 40)
    #expect(
      (0...12).allSatisfy { pictures[$0] != nil } && (13...19).allSatisfy { pictures[$0] == nil })
    // The mark changed where it was not looked at, and is part of the next picture.
    let marked = pictures.filter { $0.key > 0 && $0.value.changed.contains(Self.mark) }.keys.min()
    #expect(marked == pictures.keys.filter { $0 >= 20 }.min())
  }

  @Test func imagesThatCannotBeCopiedAreNotCopied() throws {
    let (_, trace, events) = try Self.play("pictures-none")
    #expect(Self.pictures(events).isEmpty && trace.surfaces[0].frames.count == 40)
    #expect(
      trace.issues.map(\.message).contains("pictures not read: the images cannot be copied"))
  }

  /// Earlier frames stay in the recording, and the game learns of the loss as it would without the
  /// layer.
  @Test func aLostDeviceEndsNothingButItself() throws {
    let (_, trace) = try Self.run("lost")
    let frames = trace.surfaces[0].frames
    #expect(frames.count == 40)
    for row in 0..<frames.count {
      #expect((frames[row, .fate] == FrameColumn.Fate.discarded.rawValue) == (row >= 20))
      #expect(frames[row, .gpuEnd] != nil || row >= 18)
    }
  }

  /// Whether the inner two times are between the outer two.
  private static func isAround(_ begin: Int64, _ first: Int64, _ last: Int64, _ end: Int64) -> Bool
  {
    begin > 0 && begin <= first && first <= last && last <= end
  }
}

private let hasVulkanHeaders = ["vulkan/vk_layer.h", "wayland-util.h"].allSatisfy {
  FileManager.default.fileExists(atPath: "/usr/include/\($0)")
}
