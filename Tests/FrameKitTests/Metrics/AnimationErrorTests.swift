import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace

/// The steps of animation and display, against PresentMon's own figures.
@Suite struct AnimationErrorTests {
  /// A displayed frame in ms: its simulation start, `nil` for one that a driver generated, when it was shown, and its
  /// error, `nil` for none.
  struct Shown {
    let start: Int64?
    let displayed: Int64
    let error: Int64?

    init(_ start: Int64?, _ displayed: Int64, _ error: Int64?) {
      (self.start, self.displayed, self.error) = (start, displayed, error)
    }
  }

  /// What PresentMon's unit tests assert (GameTechDev/PresentMon, IntelPresentMon/UnitTests/MetricsCore.cpp, 2026).
  static let asserted: [[Shown]] = [
    [.init(1000, 100, nil), .init(nil, 108, 0), .init(1016, 116, 0)],
    [
      .init(1000, 100, nil), .init(nil, 106, 0), .init(nil, 112, 0), .init(nil, 118, 0),
      .init(1024, 124, 0),
    ],
    [
      .init(nil, 90, nil), .init(1000, 100, nil), .init(nil, 108, 0), .init(nil, 116, 0),
      .init(1024, 124, 0),
    ],
    [
      .init(100, 100, nil), .init(nil, 108, 92), .init(nil, 116, 92), .init(nil, 124, 92),
      .init(nil, 132, 92), .init(600, 140, 92),
    ],
    [
      .init(1000, 100, nil), .init(1016, 116, 0), .init(1008, 132, nil), .init(1008, 148, nil),
      .init(1024, 164, 0),
    ],
    [.init(1000, 200, nil), .init(1016, 200, nil)],
    [.init(2, 100, nil), .init(1000, 116, 982)],
  ]

  private static func frames(_ shown: [Shown]) -> Table<FrameColumn> {
    var frames = Table<FrameColumn>()
    for one in shown {
      var row = Table<FrameColumn>.Row()
      let kind: FrameColumn.Kind = one.start == nil ? .generated : .application
      row[.kind] = kind.rawValue
      row[.appStart] = one.start.map { $0 * 1_000_000 }
      row[.displayed] = one.displayed * 1_000_000
      frames.append(row)
    }
    return frames
  }

  @Test(arguments: asserted)
  func presentMonsAssertionsHold(_ shown: [Shown]) {
    let steps = AnimationSteps(of: Self.frames(shown))
    #expect(
      steps.errors.indices.map { steps.errors[$0]?.count }
        == shown.map { $0.error.map { $0 * 1_000_000 } })
  }

  /// The time of the animation goes on from the last frame for which it is known.
  @Test func timesAreThoseOfPresentMon() {
    let milliseconds = { (steps: AnimationSteps) in
      steps.times.indices.map { steps.times[$0].map { $0.count / 1_000_000 } }
    }
    #expect(
      milliseconds(AnimationSteps(of: Self.frames(Self.asserted[4]))) == [0, 16, nil, nil, 32])
    #expect(milliseconds(AnimationSteps(of: Self.frames(Self.asserted[2]))) == [nil, 0, 8, 16, 24])
    #expect(milliseconds(AnimationSteps(of: Self.frames(Self.asserted[6]))) == [0, 998])
  }

  /// Frames in another order of rows have the same errors.
  @Test(arguments: asserted)
  func theOrderOfRowsDoesNotMatter(_ shown: [Shown]) {
    guard Set(shown.map(\.displayed)).count == shown.count else { return }
    let forward = AnimationSteps(of: Self.frames(shown)).errors
    let backward = AnimationSteps(of: Self.frames(shown.reversed())).errors
    #expect(
      forward.indices.map { forward[$0]?.count }
        == backward.indices.reversed().map { backward[$0]?.count })
  }

  /// A frame of the app without a start hides how far the animation moved, up to it and from it.
  @Test func anUnknownStartIsNotBridged() {
    var frames = Table<FrameColumn>()
    for (start, displayed) in [(0, 100), (nil, 116), (32, 132), (48, 148)] as [(Int64?, Int64)] {
      var row = Table<FrameColumn>.Row()
      row[.appStart] = start.map { $0 * 1_000_000 }
      row[.displayed] = displayed * 1_000_000
      frames.append(row)
    }
    let errors = AnimationSteps(of: frames).errors
    #expect(errors.indices.map { errors[$0]?.count } == [nil, nil, nil, 0])
    // The starts around it still say when the animation is.
    let times = AnimationSteps(of: frames).times
    #expect(times.indices.map { times[$0].map { $0.count / 1_000_000 } } == [0, nil, 32, 48])
  }

  /// The column that PresentMon writes follows from the rest of its rows: the frame before may be one that the file
  /// does not list.
  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: TestData.files(in: "presentmon").filter { $0.contains("HEAD_test_case") })
  func presentMonsColumnIsReproduced(_ path: String) throws {
    let trace = try TestData.read(path)
    var compared = 0
    for surface in trace.surfaces where surface.frames.has(.animationError) {
      let errors = AnimationSteps(of: surface.frames).errors
      for row in 0..<surface.frames.count {
        guard let stated = surface.frames[row, .animationError], let own = errors[row] else {
          continue
        }
        #expect(abs(own.count - stated) <= 10_000, "\(path), \(surface.id), row \(row)")
        compared += 1
      }
    }
    print("\(path): \(compared) rows compared")
    #expect(path.contains("_v1") ? compared == 0 : compared > 40)
  }

  /// Made logs of frame generation by the definition of 2026, where generated frames are rows of their own or ride in the
  /// app's present call, evenly and unevenly: their column follows from their times, generated rows included.
  @Test(
    .enabled(if: TestData.hasCases, Comment(rawValue: TestData.absenceOfCases)),
    arguments: [("sep_even", 0.0), ("sep_uneven", 6.667), ("same_uneven", 6.667)])
  func generatedFramesAreJudged(_ name: String, _ pacing: Double) throws {
    let path = TestData.cases.appending(path: "formats/presentmon-fg/\(name).csv.gz").path
    let trace = try TestData.read(path)
    let frames = trace.surfaces[0].frames
    let errors = AnimationSteps(of: frames).errors
    var compared = 0
    for row in 0..<frames.count {
      guard let stated = frames[row, .animationError], let own = errors[row] else { continue }
      #expect(abs(own.count - stated) <= 10_000, "row \(row)")
      compared += 1
    }
    #expect(compared > 1190)
    let surface = TraceAnalysis(of: trace).surfaces[0]
    #expect(surface["generatedShare"]?.figure?.value == 50)
    #expect(surface["renderedFrameRate"]?.figure.map { abs($0.value - 60) < 0.1 } == true)
    #expect(surface["displayedFrameRate"]?.figure.map { abs($0.value - 120) < 0.2 } == true)
    guard case .summary(let paces) = surface["generatedPacing"]?.figures else {
      Issue.record("no pacing")
      return
    }
    #expect(paces.n >= 598 && abs(paces.p50 - pacing) < 0.001, "\(paces.p50)")
  }

  /// A log that names no frame as generated has no share, and one that names all as the app's has 0 %.
  @Test func aShareNeedsASourceThatTells() {
    let measure = { (frames: Table<FrameColumn>, metric: GeneratedFrameMetric) in
      var builder = TraceBuilder(
        Provenance(file: "-", importer: "native", format: "a test", reason: "a test"))
      let surface = builder.surface("game") { Surface(id: "game", bufferOwner: .app) }
      builder.trace.surfaces[surface].frames = frames
      return metric.measure(MeasuredSurface(Pipeline(reconstructing: builder.finish()), index: 0))
    }
    var unknown = Table<FrameColumn>()
    for displayed in [10, 20, 30] as [Int64] {
      var row = Table<FrameColumn>.Row()
      row[.displayed] = displayed * 1_000_000
      unknown.append(row)
    }
    guard case .unavailable = measure(unknown, .generatedShare).content else {
      Issue.record("a share of what is not told")
      return
    }
    let own = Self.frames([.init(1, 10, nil), .init(2, 20, nil), .init(3, 30, nil)])
    guard case .figure(let share, let n) = measure(own, .generatedShare).content,
      case .unavailable = measure(own, .generatedPacing).content
    else {
      Issue.record("no share of 0")
      return
    }
    #expect(share == 0 && n == 3)
  }
}
