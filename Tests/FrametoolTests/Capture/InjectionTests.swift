import Testing

@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace
@testable import frametool

/// The answer to an injected input is found only from what a program shows.
@Suite struct InjectionTests {
  /// A picture of 320 by 160 pixels in memory.
  private struct Screen {
    static let width = 320
    static let height = 160
    var pixels = [UInt8](repeating: 0, count: width * height * 4)

    mutating func paint(_ x: Int, _ y: Int, _ value: UInt8) {
      pixels[(y * Self.width + x) * 4] = value
    }

    func picture(format: Int64 = 0) throws -> SharedPicture {
      let file = try #require(SharedFile(holding: pixels))
      let words = [0, Int64(Self.width), Int64(Self.height), Int64(Self.width * 4), format]
      return try #require(SharedPicture(file, words))
    }

    func tiles(format: Int64 = 0) throws -> SharedPicture.Tiles {
      let picture = try picture(format: format)
      return try #require(picture.tiles())
    }
  }

  @Test(arguments: [(0, 0), (319, 159), (17, 40), (160, 80)])
  func onePixelIsOneTile(_ x: Int, _ y: Int) throws {
    var screen = Screen()
    let before = try screen.tiles()
    screen.paint(x, y, 1)
    let after = try screen.tiles()
    let changed = before.digests.indices.filter { before.digests[$0] != after.digests[$0] }
    #expect(changed == [y / 16 * 20 + x / 16])
    #expect(
      after.region(around: changed)
        == PictureRegion(x: Int64(x / 16 * 16), y: Int64(y / 16 * 16), width: 16, height: 16))
  }

  @Test func aByteThatIsNotSeenChangesNothing() throws {
    var screen = Screen()
    let (before, seen) = (try screen.tiles(format: 1), try screen.tiles())
    screen.pixels[3] = 255
    let (after, seenAfter) = (try screen.tiles(format: 1), try screen.tiles())
    #expect(after.digests == before.digests && seenAfter.digests != seen.digests)
  }

  /// No memory is allocated for more than the file can hold.
  @Test func aSizeThatItsFileDoesNotJustifyIsNoPicture() throws {
    let file = try #require(SharedFile(holding: [1, 2, 3]))
    let side: Int64 = 1 << 15
    let picture = try #require(SharedPicture(file, [0, side, side, side, 0]))
    #expect(picture.tiles() == nil)
  }

  @Test func aFileThatIsTooShortIsNoPicture() throws {
    let file = try #require(SharedFile(holding: [UInt8](repeating: 0, count: 4095)))
    let picture = try #require(SharedPicture(file, [0, 32, 32, 128, 0]))
    #expect(picture.tiles() == nil)
    #expect(SharedPicture(file, [-1, 32, 32, 128, 0]) == nil)
    #expect(SharedPicture(file, [0, 0, 32, 128, 0]) == nil)
    #expect(SharedPicture(file, [0, 1 << 40, 1 << 40, 1 << 42, 0]) == nil)
  }

  /// Not all rows of a large picture are read, but enough to miss no letter.
  @Test func aLargePictureIsReadInPart() throws {
    let (width, height) = (3840, 2160)
    var pixels = [UInt8](repeating: 0, count: width * height * 4)
    func digests() throws -> [UInt64] {
      let file = try #require(SharedFile(holding: pixels))
      let picture = SharedPicture(file, [0, Int64(width), Int64(height), Int64(width * 4), 0])
      return try #require(picture?.tiles()).digests
    }
    let before = try digests()
    for y in 1000..<1010 { pixels[(y * width + 2000) * 4] = 9 }
    let after = try digests()
    #expect(before != after)
  }

  /// A program that moves something on its own, and answers an input in another part of the picture
  /// some time later.
  @Test(arguments: 0..<200) func theAnswerIsTheFirstFrameThatShowsIt(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var screen = Screen()
    let answerTime: Int64 = 600_000_000
    var search = ResponseSearch(answerTime: answerTime)
    let period = Int64.random(in: 4_000_000...40_000_000, using: &random)
    let isMoving = Bool.random(using: &random)
    let movingRows = Int.random(in: 1...5, using: &random)
    var time: Int64 = 1_000_000_000
    var value: UInt8 = 0
    func frame() throws -> ResponseSearch.Finding? {
      time += period
      if isMoving {
        value &+= 1
        for x in 0..<Screen.width { screen.paint(x, movingRows * 16 - 1, value) }
      }
      return search.consume(try screen.tiles(), of: 5, at: time)
    }
    // Independent movement is learned first.
    func rests() throws { #expect(try frame()?.number == nil) }
    for _ in 0..<40 { try rests() }
    for number in 1...3 {
      let isAnswered = Int.random(in: 0..<4, using: &random) > 0
      let isDelivered = isAnswered || Bool.random(using: &random)
      search.begin(number, isBlank: false, at: time + 1)
      // Frames that were already in progress are not answers.
      try rests()
      if isDelivered { search.note(deliveryAt: time + 1) }
      for _ in 0..<Int.random(in: 0..<4, using: &random) { try rests() }
      let x = Int.random(in: 0..<320, using: &random)
      let y = Int.random(in: 96..<160, using: &random)
      if isAnswered {
        screen.paint(x, y, screen.pixels[(y * Screen.width + x) * 4] &+ 1)
        let next = try frame()
        let found = try #require(next)
        let region = PictureRegion(
          x: Int64(x / 16 * 16), y: Int64(y / 16 * 16), width: 16, height: 16)
        #expect(found.number == number && !found.isBlank)
        #expect(found.outcome == .changed(surface: 5, at: time, region))
      }
      // Only the first frame that shows the change is the answer.
      while time < 1_000_000_000 + Int64(number) * 1_500_000_000 { try rests() }
      let end = search.end()
      #expect(end?.outcome == (isAnswered ? nil : isDelivered ? .unchanged : .undelivered))
    }
  }

  /// Changes in a round without an input show how often the others are wrong, and are learned.
  @Test func aRoundWithoutAnInputFindsWhatMovesByItself() throws {
    var screen = Screen()
    var search = ResponseSearch(answerTime: 600_000_000)
    var time: Int64 = 1_000_000_000
    func frame(_ value: UInt8) throws -> ResponseSearch.Finding? {
      time += 10_000_000
      screen.paint(100, 100, value)
      return search.consume(try screen.tiles(), of: 5, at: time)
    }
    _ = try frame(0)
    search.begin(1, isBlank: true, at: time)
    let next = try frame(1)
    let found = try #require(next)
    #expect(found.isBlank && found.number == 1)
    _ = search.end()
    search.begin(2, isBlank: false, at: time + 1_000_000_000)
    search.note(deliveryAt: time)
    #expect(try frame(2)?.number == nil)
    #expect(search.end()?.outcome == .unchanged)
  }

  @Test func aPictureThatCannotBeReadIsNoAnswer() {
    var search = ResponseSearch(answerTime: 600_000_000)
    search.begin(1, isBlank: false, at: 0)
    search.note(deliveryAt: 1)
    #expect(search.consume(nil, of: 5, at: 2)?.number == nil)
    #expect(search.end()?.outcome == .unreadable)
  }

  @Test func momentsFollowFromTheSeed() {
    func steps(_ seed: UInt64) -> [InjectionPlan.Step] {
      var plan = InjectionPlan(every: 1_000_000_000, count: 200, seed: seed, start: 0)
      var steps: [InjectionPlan.Step] = []
      while let due = plan.due {
        #expect(plan.next(at: due - 1) == nil)
        if let step = plan.next(at: due) { steps.append(step) }
      }
      return steps
    }
    let first = steps(1)
    #expect(first == steps(1) && first != steps(2))
    let presses = first.count { if case .press = $0 { true } else { false } }
    let releases = first.count { if case .release = $0 { true } else { false } }
    let blanks = first.count { if case .blank = $0 { true } else { false } }
    #expect(presses == 200 && releases == 200)
    // One round in five.
    #expect((30...75).contains(blanks))
    #expect(first.count { if case .end = $0 { true } else { false } } == presses + blanks)
  }
}

/// Records the requests that it receives.
private final class ListeningInjector: InputInjector {
  var presses: [Bool] = []
  var isGone = false

  func inject(
    _ input: InjectedInput, isDown: Bool, shift: (x: Double, y: Double)
  ) throws(InjectionTrouble) {
    if isGone { throw InjectionTrouble(problem: "gone") }
    presses.append(isDown)
  }
}

@Suite struct InjectionEndTests {
  private static func injection(_ injector: ListeningInjector) -> Injection {
    let long: Int64 = 1_000_000_000
    var injection = Injection(
      .key, through: injector, of: .virtualKeyboard,
      .init(every: 1_000_000, count: 1000, seed: 1, spread: 0))
    // Started long ago, so that everything is due.
    injection.start(at: LaunchedProcess.now - 100 * long)
    return injection
  }

  /// No key stays pressed in the user's session when a capture ends.
  @Test func whatIsPressedIsLetGo() {
    let injector = ListeningInjector()
    var injection = Self.injection(injector)
    while injector.presses.last != true { #expect(injection.work() != nil) }
    injection.stop()
    #expect(injector.presses.last == false && injection.isDone && injection.work() == nil)
    let count = injector.presses.count
    injection.letGo()
    #expect(injector.presses.count == count && injection.failure == nil)
  }

  @Test func aCompositorThatIsGoneIsAFailure() {
    let injector = ListeningInjector()
    var injection = Self.injection(injector)
    while injector.presses.count < 4 { #expect(injection.work() != nil) }
    injector.isGone = true
    while injection.work() != nil {}
    #expect(injection.isDone && injection.failure?.problem.contains("gone") == true)
  }

  @Test func inputsThatReachNobodyAreAFailure() {
    var injection = Self.injection(ListeningInjector())
    while let (step, _) = injection.work() {
      if case .end(let number) = step { injection.end(number) }
    }
    #expect(injection.counts.injected == 1000 && injection.counts.delivered == 0)
    #expect(injection.failure?.problem == "none of 1000 inputs reached the program")
  }
}

/// Injected inputs, from the socket to the trace.
@Suite struct InjectedTouchTests {
  private static let message = WaylandWireMessage.bytes

  /// A program with one surface and two buffers of 32 by 32 pixels; the second has a different
  /// picture.
  private static var opening: [UInt8] {
    let bind = { (name: UInt32, interface: String, number: UInt32) in
      message(2, 0, [name] + ProgramMessages.text(interface) + [1, number])
    }
    return message(1, 1, [2]) + bind(1, "wl_compositor", 3) + bind(2, "wl_shm", 4)
      + bind(3, "wl_seat", 5) + message(5, 2, [6]) + message(3, 0, [7])
      + message(4, 0, [8, 8192]) + message(8, 0, [9, 0, 32, 32, 128, 0])
      + message(8, 0, [10, 4096, 32, 32, 128, 0])
  }

  private static func frame(_ buffer: UInt32) -> [UInt8] {
    message(7, 1, [buffer, 0, 0]) + message(7, 6, [])
  }

  private static let down: [UInt8] = message(6, 0, [1, 77, 7, 0, 256, 256])

  private static func trace(
    _ body: (inout WaylandTap, inout MessageLines) -> Void
  ) throws -> Trace {
    var tap = WaylandTap(
      connection: 1, process: .init(number: 42, name: "program"), asks: false,
      watch: InjectionWatch(.touch, answerTime: 600_000_000), at: 1_000_000_000)
    let pool = try #require(
      SharedFile(
        holding: [UInt8](repeating: 0, count: 4096) + [UInt8](repeating: 7, count: 4096)))
    // A message on an object that is not tracked came with another file.
    let other = try #require(SharedFile(holding: [1, 2, 3]))
    let (first, second) = (try #require(other.copy()), try #require(pool.copy()))
    tap.consume(files: [first, second])
    tap.consume(opening + frame(9), from: .request, at: 1_001_000_000)
    _ = tap.look()
    var lines = MessageLines(connection: 0)
    body(&tap, &lines)
    // Lines from different writers follow each other, whatever their times.
    return try Importers.read(
      InputFile(bytes: lines.take() + tap.takeLines(), path: "capture.jsonl"))
  }

  private static func press(_ tap: inout WaylandTap, _ lines: inout MessageLines) {
    lines.add(2_000_000_000, "!", "inject", 1, "touch", [])
    _ = tap.consume(.press(1), at: 2_000_000_000)
    tap.consume(down, from: .event, at: 2_003_000_000)
  }

  @Test func aTouchIsShownByTheFrameThatAnswersIt() throws {
    let trace = try Self.trace { tap, lines in
      Self.press(&tap, &lines)
      // The same picture again answers nothing.
      tap.consume(Self.frame(9), from: .request, at: 2_010_000_000)
      #expect(tap.look().isEmpty)
      tap.consume(Self.frame(10), from: .request, at: 2_026_000_000)
      #expect(tap.look().count == 1)
      tap.consume(Self.message(6, 1, [2, 130, 0]), from: .event, at: 2_060_000_000)
    }
    #expect(trace.touches.count == 1)
    #expect(trace.touches[0, .scanStart] == 2_000_000_000)
    #expect(trace.touches[0, .delivered] == 2_003_000_000)
    #expect(trace.touches[0, .frame] == 2)
    let words = trace.issues.map(\.message)
    #expect(words.contains { $0.contains("the first frame whose picture changed") })
  }

  /// The time of the answer's hand-over is then unknown, but its frame is known.
  @Test func anAnswerThatPassedInAGapIsOneAllTheSame() throws {
    let trace = try Self.trace { tap, lines in
      Self.press(&tap, &lines)
      tap.consume(Self.frame(10), from: .request, at: 2_026_000_000)
      #expect(tap.look().count == 1)
      let gap = [2_020_000_000, 2_027_000_000].map { WaylandArgument.number($0) }
      lines.add(2_027_000_000, "!", "proxy", 0, "gap", gap)
    }
    let frame = try #require(trace.touches[0, .frame])
    #expect(trace.surfaces[0].frames[Int(frame), .commit] == nil)
    #expect(trace.surfaces[0].frames[Int(frame), .buffer] == 10)
  }

  @Test func aTouchThatNothingAnswersIsLeftOutAndCounted() throws {
    let trace = try Self.trace { tap, lines in
      Self.press(&tap, &lines)
      tap.consume(Self.frame(9), from: .request, at: 2_010_000_000)
      #expect(tap.look().isEmpty)
      #expect(tap.consume(.end(1), at: 3_000_000_000).map(\.outcome) == [.unchanged])
    }
    #expect(trace.touches.count == 0)
    let issue = trace.issues.first { $0.message.contains("without a response in the picture") }
    #expect(issue?.count == 1)
  }

  /// If no picture can be read, the touch is like any other, from the time of its injection.
  @Test func aTouchWhoseAnswerNobodyCanSeeStays() throws {
    let trace = try Self.trace { tap, lines in
      Self.press(&tap, &lines)
      let gpuBuffer: UInt32 = 11
      tap.consume(Self.frame(gpuBuffer), from: .request, at: 2_010_000_000)
      #expect(tap.look().isEmpty)
      #expect(tap.consume(.end(1), at: 3_000_000_000).map(\.outcome) == [.unreadable])
    }
    #expect(trace.touches.count == 1 && trace.touches[0, .frame] == nil)
    #expect(trace.touches[0, .scanStart] == 2_000_000_000)
  }

  @Test func aRoundWithoutAnInputIsCounted() throws {
    let trace = try Self.trace { tap, lines in
      lines.add(2_000_000_000, "!", "inject", 1, "blank", [])
      _ = tap.consume(.blank(1), at: 2_000_000_000)
      tap.consume(Self.frame(10), from: .request, at: 2_010_000_000)
      #expect(tap.look().map(\.isBlank) == [true])
    }
    let issue = trace.issues.first { $0.message.contains("rounds without an input") }
    #expect(issue?.count == 1 && issue?.message.contains("of which 1 showed") == true)
  }

  /// An input injected on a socket does not belong to a log without that connection.
  @Test func aLogKeepsItsInputs() throws {
    let log = """
      [1000.000]  -> wl_compositor@3.create_surface(new id wl_surface@5)
      [1000.100] wl_keyboard@9.enter(1, wl_surface@5, array[0])
      [1001.000]  -> wl_surface@5.attach(wl_buffer@20, 0, 0)
      [1001.100]  -> wl_surface@5.commit()
      [1010.000] wl_keyboard@9.key(2, 1010, 30, 1)
      [1020.000]  -> wl_surface@5.attach(wl_buffer@21, 0, 0)
      [1020.100]  -> wl_surface@5.commit()

      """
    let socket = #"[1,0,"!","inject",1,"key",[]]"# + "\n"
    let trace = try Importers.read(
      recording: [
        try InputFile(bytes: Array(log.utf8), path: "a.wayland.log"),
        try InputFile(bytes: Array(socket.utf8), path: "a.proxy.jsonl"),
      ])
    #expect(trace.touches.count == 1 && trace.touches[0, .frame] == 1)
  }
}
