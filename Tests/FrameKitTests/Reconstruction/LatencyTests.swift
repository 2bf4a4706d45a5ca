import Fixtures
import Testing

@testable import FrameAnalysis
@testable import FrameStatistics
@testable import FrameTrace

@Suite("Touch latency")
struct LatencyTests {
  @Test("the parts of every latency sum to the whole, whatever the trace lacks")
  func breakdown() throws {
    var random = SplitMix64(seed: 7)
    for _ in 0..<5000 {
      let time = { (random: inout SplitMix64) -> Timestamp? in
        Bool.random(using: &random)
          ? Timestamp(nanoseconds: .random(in: -50_000_000...150_000_000, using: &random)) : nil
      }
      var times = StageTimes(
        appStart: time(&random), appEnd: time(&random), commit: time(&random),
        compositorStart: time(&random), compositorEnd: time(&random), gpuStart: time(&random),
        gpuEnd: time(&random), queued: time(&random))
      times.isFilledByApp = Bool.random(using: &random)
      let start = Timestamp(nanoseconds: .random(in: 0...50_000_000, using: &random))
      let displayed = start + Nanoseconds(.random(in: 0...150_000_000, using: &random))
      let photon = displayed + Nanoseconds(.random(in: 0...16_000_000, using: &random))
      let sample = TouchSample(
        row: 0, kind: .main, phase: nil, finger: nil, scanStart: start, scanEnd: time(&random),
        delivered: nil, main: nil, frame: 0, isInferred: false, app: nil, outcome: .shown(by: 0),
        isCopy: false, location: nil)
      let cuts = try #require(
        LatencyBreakdown(sample, times, displayed: displayed, photon: photon))
      var ends = cuts.knownEnds
      for end in ends where Int.random(in: 0..<4, using: &random) == 0 { ends.remove(end) }
      let parts = cuts.lengths(cutAt: ends)
      #expect(parts.reduce(0) { $0 + $1.length } == photon - start)
      #expect(parts.allSatisfy { $0.length >= .zero })
      #expect(parts.flatMap(\.parts).count == LatencyBreakdown.Part.allCases.count - 1)
      #expect(Set(parts.flatMap(\.parts)).count == LatencyBreakdown.Part.allCases.count - 1)
    }
  }

  @Test(
    "a frame is found for a touch that names none, as the recorded one",
    arguments: [
      "talk-triple", "talk-double", "talk-low-latency", "talk-coalesced", "coalesced-pile-up",
      "predicted-touches", "animation-turns-off-low-latency",
    ])
  func inferred(_ name: String) throws {
    let scenario = try #require(Scenarios.all.first { $0.name == name })
    let trace = scenario.play(.init(frames: scenario.frames)).trace
    var unlinked = trace
    unlinked.touches.setStored(.frame, IntegerColumn(missing: trace.touches.count))
    let recorded = try #require(TraceAnalysis(of: trace).surfaces[0].touches.value)
    let found = try #require(TraceAnalysis(of: unlinked).surfaces[0].touches.value)
    #expect(found.touchToPhoton == recorded.touchToPhoton)
    #expect(found.inputAge == recorded.inputAge)
    #expect(found.effective == recorded.effective)
    #expect(found.isInferred && !recorded.isInferred)
  }

  /// Frames at 60 Hz, times in ms: the app works from 0 to 6 after each refresh, and a frame is
  /// shown two refreshes after its start.
  private static func trace(_ touches: String) throws -> SurfaceAnalysis {
    var text = "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n"
    text += "{\"type\": \"display\", \"id\": \"d\"}\n"
    for number in 0..<20 {
      text +=
        "{\"type\": \"refresh\", \"display\": \"d\", \"number\": \(number), \"time\": \(number * 16)}\n"
    }
    text +=
      "{\"type\": \"surface\", \"id\": \"s\", \"display\": \"d\", \"bufferOwner\": \"compositor\"}\n"
    for frame in 0..<10 {
      let start = frame * 16
      text +=
        "{\"type\": \"frame\", \"surface\": \"s\", \"appStart\": \(start), \"commit\": \(start + 6), \"appEnd\": \(start + 6), \"compositorStart\": \(start + 16), \"compositorEnd\": \(start + 18), \"gpuStart\": \(start + 18), \"gpuEnd\": \(start + 22), \"displayed\": \(start + 32)}\n"
    }
    let trace = try TestData.read(text: text + touches)
    return try #require(TraceAnalysis(of: trace).surfaces.first)
  }

  @Test("a handler's time belongs to the frame that was being made")
  func handlerTimes() throws {
    let lines = (1..<9).map {
      "{\"type\": \"touch\", \"surface\": \"s\", \"kind\": \"main\", \"scanStart\": \($0 * 16 - 8), \"delivered\": \($0 * 16 + 5)}\n"
    }
    // Frame f starts at 16 f and is shown at 16 f + 32; it is fully lit 16 later.
    let touches = try #require(Self.trace(lines.joined()).touches.value)
    #expect(touches.touchToPhoton?.minimum == 56)
    #expect(touches.touchToPhoton?.maximum == 56)
    #expect(touches.touchToPhotonFrames?.maximum == 3.5)
  }

  @Test("a time between two intervals of the app's work waits for the next")
  func betweenIntervals() throws {
    let lines = (1..<9).map {
      "{\"type\": \"touch\", \"surface\": \"s\", \"kind\": \"main\", \"scanStart\": \($0 * 16 - 8), \"delivered\": \($0 * 16 - 4)}\n"
    }
    let touches = try #require(Self.trace(lines.joined()).touches.value)
    #expect(touches.touchToPhoton?.minimum == 56)
    #expect(touches.touchToPhoton?.maximum == 56)
  }

  @Test("touches that no frame consumed are counted by what became of them")
  func outcomes() throws {
    let touches = try #require(
      Self.trace(
        """
        {"type": "touch", "surface": "s", "kind": "main", "scanStart": 0, "delivered": 16, "frame": 1}
        {"type": "touch", "surface": "s", "kind": "main", "phase": "cancelled", "scanStart": 20}
        {"type": "touch", "surface": "s", "kind": "main", "scanStart": 40, "scanEnd": 44}
        {"type": "touch", "surface": "s", "kind": "main", "scanStart": 300, "scanEnd": 304}

        """
      ).touches.value)
    #expect(touches.main == 4)
    #expect(touches.cancelled == 1)
    #expect(touches.undelivered == 1)
    #expect(touches.unresolved == 1)
    #expect(touches.touchToPhoton?.n == 1)
  }

  @Test("what nothing tells of is not called lost")
  func unknown() throws {
    let text = """
      {"schema": "frametool.trace/1", "unit": "ms"}
      {"type": "frame", "commit": 4, "displayed": 32}
      {"type": "touch", "scanStart": 0, "delivered": 1}

      """
    let touches = try #require(
      TraceAnalysis(of: TestData.read(text: text)).surfaces[0].touches.value)
    #expect(touches.unknown == 1 && touches.undelivered == 0 && touches.main == 1)
    #expect(touches.whyNoLatency?.contains("nor when the app worked") == true)
  }

  @Test("a prediction beyond the lift of a finger has no error")
  func lifted() throws {
    var text = ""
    for scan in 0..<8 {
      let phase = scan == 3 ? "ended" : scan == 4 ? "began" : "moved"
      text +=
        "{\"type\": \"touch\", \"surface\": \"s\", \"id\": \(scan), \"kind\": \"main\", \"finger\": 1, \"phase\": \"\(phase)\", \"scanStart\": \(scan * 16), \"delivered\": \((scan + 1) * 16), \"x\": \(scan < 4 ? scan : 500), \"y\": 0}\n"
    }
    for main in [2, 3] {
      text +=
        "{\"type\": \"touch\", \"surface\": \"s\", \"kind\": \"predicted\", \"finger\": 1, \"main\": \(main), \"scanStart\": \((main + 1) * 16), \"x\": \(main + 1), \"y\": 3}\n"
    }
    let touches = try #require(Self.trace(text).touches.value)
    #expect(touches.predictionErrors.map(\.error.n) == [1])
    #expect(touches.predictionErrors.first?.error.p50 == 3)
  }

  @Test("absurd places do not stop the analysis")
  func absurd() throws {
    let lines = [
      "{\"type\": \"touch\", \"id\": 1, \"surface\": \"s\", \"kind\": \"main\", \"scanStart\": 0, \"delivered\": 16, \"x\": 1, \"y\": 1}",
      "{\"type\": \"touch\", \"id\": 2, \"surface\": \"s\", \"kind\": \"main\", \"scanStart\": 16, \"delivered\": 32, \"x\": 1, \"y\": 1}",
      "{\"type\": \"touch\", \"main\": 1, \"surface\": \"s\", \"kind\": \"predicted\", \"scanStart\": 16, \"x\": 1e300, \"y\": 1}",
    ]
    let touches = try #require(Self.trace(lines.joined(separator: "\n") + "\n").touches.value)
    #expect(touches.predictionErrors.count == 1)
  }

  @Test("the scan-out share and the device's offset move every latency")
  func options() throws {
    let scenario = try #require(Scenarios.all.first { $0.name == "talk-double" })
    let trace = scenario.play(.init(frames: 60)).trace
    var options = AnalysisOptions()
    options.scanOutShare = 0.5
    options.deviceOffset = .milliseconds(2)
    let touches = try #require(
      TraceAnalysis(of: trace, metrics: .all, options: options).surfaces[0].touches.value)
    #expect(touches.touchToPhoton?.p50 == 3.5 * 16.6668 + 2)
    #expect(abs((touches.touchToPhotonFrames?.p50 ?? 0) - (3.5 + 2 / 16.6668)) < 1e-6)
  }
}
