import Fixtures
import FrameStatistics
import Testing

@testable import FrameAnalysis
@testable import FrameTrace

@Suite("Buffers")
struct BufferTests {
  @Test("rebuilt buffers are the true ones under other names, and as few as can be")
  func rebuilt() throws {
    for seed in 0..<UInt64(240) {
      let trace = try FaultyTrace(seed: seed).trace
      for surface in Pipeline(reconstructing: trace).surfaces {
        let uses = surface.buffers.uses
        let rebuilt = BufferColoring(rebuilding: uses)
        #expect(Self.areRenamed(rebuilt.colors, surface.buffers.coloring.colors), "seed \(seed)")
        #expect(rebuilt.count == Self.deepestOverlap(uses))
        #expect(rebuilt.isInferred && !surface.buffers.coloring.isInferred)
      }
    }
  }

  @Test("the same holds for every scenario that names its buffers")
  func scenarios() {
    var checked = 0
    for scenario in Scenarios.all {
      let trace = scenario.play(.init(frames: scenario.frames)).trace
      for (surface, rebuilt) in zip(trace.surfaces, Pipeline(reconstructing: trace).surfaces)
      where surface.frames.has(.buffer) {
        checked += 1
        let coloring = BufferColoring(rebuilding: rebuilt.buffers.uses)
        #expect(
          Self.areRenamed(coloring.colors, rebuilt.buffers.coloring.colors), "\(scenario.name)")
        #expect(coloring.count == Self.deepestOverlap(rebuilt.buffers.uses))
      }
    }
    #expect(checked > 20)
  }

  /// Whether two lists are equal except for the names that they use.
  static func areRenamed(_ one: CompactOptionals<Int>, _ other: CompactOptionals<Int>) -> Bool {
    guard one.count == other.count else { return false }
    let pairs = Set(one.indices.map { [one[$0], other[$0]] })
    return pairs.count == Set(pairs.map { $0[0] }).count
      && pairs.count == Set(pairs.map { $0[1] }).count
  }

  /// The largest number of simultaneous uses, counted one by one.
  static func deepestOverlap(_ uses: BufferUses) -> Int {
    uses.map { use in
      uses.count { $0.firstWrite <= use.firstWrite && $0.free ?? .latest > use.firstWrite }
    }.max() ?? 0
  }

  @Test("the depth of a frame is the most buffers in use until it is shown")
  func depth() throws {
    for seed in 0..<UInt64(60) {
      let trace = try FaultyTrace(seed: seed).trace
      for surface in Pipeline(reconstructing: trace).surfaces {
        let uses = surface.buffers.uses
        for use in uses {
          let end = surface.timeline.schedule.shownTime(use.row) ?? .latest
          let counts = uses.filter { $0.firstWrite >= use.firstWrite && $0.firstWrite < end }
            .map { other in
              uses.count {
                $0.firstWrite <= other.firstWrite && $0.free ?? .latest > other.firstWrite
              }
            }
          #expect(surface.buffers.depth[use.row] == counts.max())
        }
      }
    }
  }

  /// A frame whose first known time is its queueing uses its buffer once; it is not counted again
  /// for being in progress when the recording began.
  @Test func aQueuedFrameIsCountedOnce() throws {
    let frames = (1...6).map {
      "{\"type\":\"frame\",\"queued\":\($0 * 16_666_667 - 1_000_000),\"displayed\":\($0 * 16_666_667)}"
    }
    let trace = try TestData.read(
      text:
        "{\"schema\":\"frametool.trace/1\",\"unit\":\"ns\"}\n{\"type\":\"surface\",\"id\":\"a\",\"bufferOwner\":\"app\"}\n"
        + frames.joined(separator: "\n") + "\n")
    let buffers = try #require(TraceAnalysis(of: trace).surfaces.first?.buffers.value)
    #expect(buffers.count == 2 && buffers.changes == [])
  }

  /// However many frames wait at once, the depth is that of all of them.
  @Test(arguments: [1, 2, 31, 32, 33, 34, 63, 64, 200])
  func aFrameThatWaitsIsAsDeepAsTheQueue(_ count: Int) throws {
    let lines = (0..<count).map { frame in
      "{\"type\": \"frame\", \"appStart\": \(frame), \"commit\": \(Double(frame) + 0.5), "
        + "\"displayed\": \(1000 + 16.666_667 * Double(frame))}\n"
    }
    let trace = try TestData.read(
      text: "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n" + lines.joined())
    let occupancy = try #require(Study(of: trace).surface(0, .whole).occupancy)
    #expect(occupancy.depth.indices.allSatisfy { occupancy.depth[$0] == count })
    #expect(occupancy.depth.count == count)
  }
}

/// Buffers that are free at the instant at which they are first written to.
@Suite struct EmptyUseTests {
  /// Such a buffer hides no other that is first written to at the same instant, in whatever order.
  @Test(arguments: [false, true])
  func anEmptyUseHidesNoOther(_ isEmptyFirst: Bool) throws {
    var builder = TraceBuilder(
      Provenance(file: "test", importer: "test", format: "test", reason: "made by a test"))
    builder.trace.displays = [Display(id: "display", interval: Nanoseconds(16_000_000))]
    let surface = builder.surface("window") {
      Surface(id: "window", display: 0, bufferOwner: .app)
    }
    let used: (write: Int64, free: Int64, shown: Int64) = (50_000_000, 120_000_000, 32_000_000)
    let empty = (write: Int64(50_000_000), free: Int64(50_000_000), shown: Int64(80_000_000))
    let first = (write: Int64(0), free: Int64(100_000_000), shown: Int64(16_000_000))
    for use in [first] + (isEmptyFirst ? [empty, used] : [used, empty]) {
      var row = Table<FrameColumn>.Row()
      row[.firstWrite] = use.write
      row[.queued] = use.write
      row[.released] = use.free
      row[.displayed] = use.shown
      builder.trace.surfaces[surface].frames.append(row)
    }
    let pipeline = Pipeline(reconstructing: builder.finish())
    let depth = pipeline.surfaces[surface].buffers.depth
    #expect(depth.indices.map { depth[$0] } == [1, 2, 2])
  }
}

/// Uses of buffers that are in another order than their frames.
@Suite struct ScatteredUseTests {
  /// Whatever the order of first writes, releases and display times, uses are in order of their first writes,
  /// and a frame is as deep as the most buffers in use from its first write until it is shown.
  @Test(arguments: 0..<60 as Range<UInt64>)
  func depthsAreThoseCountedOneByOne(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var builder = TraceBuilder(
      Provenance(file: "test", importer: "test", format: "test", reason: "made by a test"))
    builder.trace.displays = [Display(id: "display", interval: Nanoseconds(16_000_000))]
    let surface = builder.surface("window") {
      Surface(id: "window", display: 0, bufferOwner: .app)
    }
    // Distances of up to this many refreshes, some too long for four bytes.
    let farthest = seed % 4 == 0 ? 400 : 6 as Int64
    for frame in 0..<Int64.random(in: 1...40, using: &random) {
      let write = 16_000_000 * (frame + Int64.random(in: -farthest...farthest, using: &random))
      var row = Table<FrameColumn>.Row()
      row[.firstWrite] = write
      row[.queued] = 16_000_000 * frame
      row[.displayed] = 16_000_000 * (frame + 1)
      if Bool.random(using: &random) {
        row[.released] = write + 16_000_000 * Int64.random(in: 0...farthest, using: &random)
      }
      builder.trace.surfaces[surface].frames.append(row)
    }
    let rebuilt = Pipeline(reconstructing: builder.finish()).surfaces[surface]
    let uses = Array(rebuilt.buffers.uses)
    let order = uses.map { [$0.firstWrite.nanoseconds, Int64($0.row)] }
    #expect(zip(order, order.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
    for (position, use) in uses.enumerated() {
      let end = rebuilt.timeline.schedule.shownTime(use.row) ?? .latest
      let inUse = uses.indices.filter {
        $0 == position || $0 > position && uses[$0].firstWrite < end
      }.map { later in
        max(1, uses[...later].count { $0.free ?? .latest > uses[later].firstWrite })
      }
      #expect(rebuilt.buffers.depth[use.row] == inUse.max())
    }
  }
}

/// The least of many elements.
@Suite struct HeapTests {
  /// After any sequence of changes, the least element is at hand.
  @Test(arguments: [1, 2, 3, 10, 1000])
  func theLeastElementIsFirst(_ count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    var heap = Heap<Int>()
    var known: [Int] = []
    for _ in 0..<20 * count {
      let element = Int.random(in: 0..<count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where !known.isEmpty:
        heap.removeFirst()
        known.removeFirst()
      case 1 where !known.isEmpty:
        heap.replaceFirst(with: element)
        known[0] = element
      default:
        heap.insert(element)
        known.append(element)
      }
      known.sort()
      #expect(heap.first == known.first && heap.count == known.count)
    }
  }
}
