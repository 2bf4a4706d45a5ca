import Testing

@testable import FrameImporters
@testable import FrameStatistics
@testable import frametool

/// The answer to an injected input is found from the pictures that the Vulkan layer compares.
@Suite struct LayerPictureTests {
  private static func picture(
    _ presented: Int64, _ changed: [Int] = [], of surface: UInt32 = 5, width: Int64 = 640
  ) -> PresentedPicture {
    PresentedPicture(
      process: 7, surface: surface, presented: presented, width: width, height: 480,
      changed: changed)
  }

  @Test func theNumbersOfAPictureAreItsSizeAndItsCells() {
    let numbers: [Int64] = [640 << 32 | 480, 1, 0, .min, 1 << 5]
    let picture = PresentedPicture(process: 7, surface: 5, presented: 9, numbers: numbers)
    #expect(picture == Self.picture(9, [0, 191, 197]))
  }

  // Pictures and presents.

  /// A picture may be compared before its present returns, and not every present has one.
  @Test(arguments: 0..<300) func picturesComeWithTheirPresentsInOrder(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var events: [(time: Double, isPresent: Bool, frame: UInt64)] = []
    var expected: [Int64] = []
    for frame in 0..<40 as Range<UInt64> {
      let isPresented = Int.random(in: 0..<8, using: &random) > 0
      if isPresented { events.append((Double(frame), true, frame)) }
      guard Int.random(in: 0..<4, using: &random) > 0 else { continue }
      if isPresented { expected.append(Int64(frame) * 100) }
      events.append((Double(frame) + .random(in: -0.9...3, using: &random), false, frame))
    }
    // The worker compares in the order of frames.
    let compared = events.filter { !$0.isPresent }.map(\.time).sorted()
    for (position, index) in events.indices.filter({ !events[$0].isPresent }).enumerated() {
      events[index].time = compared[position]
    }
    events.append((100, true, 40))
    var assembly = PictureAssembly()
    var found: [Int64] = []
    for event in events.sorted(by: { $0.time < $1.time }) {
      if event.isPresent {
        assembly.consume(presentOf: event.frame, at: Int64(event.frame) * 100)
      } else {
        for number in 0..<5 as Range<Int64> { assembly.consume(number: number, of: event.frame) }
      }
      found += assembly.takeComplete().map(\.presented)
    }
    #expect(found == expected)
  }

  // Pictures and commits.

  /// Each picture belongs to the commit of its present, whichever of them is known first, and commits without one are
  /// told.
  @Test(arguments: 0..<300) func picturesBelongToTheCommitsOfTheirPresents(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var events: [(time: Int64, commit: Int64?, picture: PresentedPicture?)] = []
    var expected: [LayerPictures.Step] = []
    for frame in 0..<30 as Range<Int64> {
      let presented = frame * 1000
      let commit = presented + .random(in: 0...900, using: &random)
      events.append((commit, commit, nil))
      if frame > 0, Int.random(in: 0..<4, using: &random) == 0 {
        if expected.last != .missed(surface: 5) { expected.append(.missed(surface: 5)) }
        continue
      }
      let picture = Self.picture(presented, [Int(frame)])
      events.append((presented + .random(in: 0...2500, using: &random), nil, picture))
      expected.append(.seen(picture, at: commit))
    }
    if expected.last == .missed(surface: 5) { expected.removeLast() }
    let late = events.compactMap { $0.picture == nil ? nil : $0.time }.sorted()
    for (position, index) in events.indices.filter({ events[$0].picture != nil }).enumerated() {
      events[index].time = late[position]
    }
    var pictures = LayerPictures()
    var found: [LayerPictures.Step] = []
    for event in events.sorted(by: { $0.time < $1.time }) {
      if let commit = event.commit { pictures.consume(commitOf: 5, at: commit) }
      if let picture = event.picture { pictures.consume(picture) }
      found += pictures.takeSteps()
    }
    #expect(found == expected)
    #expect(pictures.sees(5) && !pictures.sees(6))
  }

  /// What was committed before the layer was there is not missed.
  @Test func commitsBeforeTheFirstPictureAreNone() {
    var pictures = LayerPictures()
    pictures.consume(commitOf: 5, at: 100)
    let before = pictures.takeSteps()
    #expect(before.isEmpty && !pictures.sees(5))
    pictures.consume(Self.picture(150))
    pictures.consume(commitOf: 5, at: 160)
    let steps = pictures.takeSteps()
    #expect(steps == [.seen(Self.picture(150), at: 160)])
  }

  /// A program that never gets pictures keeps no list that grows.
  @Test func whatNobodyAsksForIsForgotten() {
    var pictures = LayerPictures()
    for time in 0..<1000 as Range<Int64> { pictures.consume(commitOf: 5, at: time) }
    pictures.consume(Self.picture(0))
    let steps = pictures.takeSteps()
    #expect(steps == [.seen(Self.picture(0), at: 744)])
  }

  // Answers.

  /// A search that knows cell 3 to change by itself, with an input that was delivered at 2,000.
  private static func searching(isBlank: Bool = false) -> ResponseSearch {
    var search = ResponseSearch(answerTime: 600)
    for time in [100, 200, 300] as [Int64] {
      let finding = search.consume(picture(time, [3]), at: time)
      #expect(finding == nil)
    }
    search.begin(1, isBlank: isBlank, at: 1990)
    search.note(deliveryAt: 2000)
    return search
  }

  private static func isChange(_ finding: ResponseSearch.Finding?, at time: Int64) -> Bool {
    if case .changed(5, time, _)? = finding?.outcome { true } else { false }
  }

  @Test func theAnswerIsTheFirstChangeOfAQuietCell() {
    var search = Self.searching()
    let nothing = search.consume(Self.picture(2010, [3]), at: 2010)
    #expect(nothing == nil)
    let finding = search.consume(Self.picture(2020, [3, 17, 34]), at: 2025)
    guard case .changed(let surface, let time, let region)? = finding?.outcome else {
      Issue.record("no change")
      return
    }
    // Cells of 40 by 30 pixels: the second of the second row, and the third of the third.
    #expect(surface == 5 && time == 2025)
    #expect(region == PictureRegion(x: 40, y: 30, width: 80, height: 60))
  }

  /// Both sides of the delivery, and of the time for answers.
  @Test(arguments: [(2000, false), (2001, true), (2600, true), (2601, false)] as [(Int64, Bool)])
  func onlyWhatComesInTimeIsAnAnswer(_ time: Int64, _ isAnswer: Bool) {
    var search = Self.searching()
    let finding = search.consume(Self.picture(time, [17]), at: time)
    #expect(Self.isChange(finding, at: time) == isAnswer)
  }

  /// What changed in a frame that was not looked at shows in the next one, which is no certain answer, whether the frame
  /// came before the input or after it.
  @Test(arguments: [1995, 2010] as [Int64]) func aMissedFrameMakesNoAnswer(_ time: Int64) {
    var search = Self.searching()
    search.miss(of: 5)
    let found = search.consume(Self.picture(2020, [17]), at: 2020)
    let outcome = search.end()?.outcome
    #expect(found == nil && outcome == .unreadable)
    // Where the next picture has nothing new, neither had the missed one, and a later one is the answer.
    search = Self.searching()
    search.miss(of: 5)
    _ = search.consume(Self.picture(2020, [3]), at: 2020)
    let answer = search.consume(Self.picture(2030, [17]), at: 2030)
    #expect(Self.isChange(answer, at: 2030))
  }

  @Test func aMissInOneWindowIsNoneOfAnother() {
    var search = Self.searching()
    _ = search.consume(Self.picture(2005, of: 6), at: 2005)
    search = Self.searching()
    search.miss(of: 6)
    let answer = search.consume(Self.picture(2020, [17]), at: 2020)
    #expect(Self.isChange(answer, at: 2020))
  }

  /// Both sides of the delivery, and of the time for answers.
  @Test(arguments: [(2000, false), (2001, true), (2600, true), (2601, false)] as [(Int64, Bool)])
  func aCommitThatNobodyReadsMayBeTheAnswer(_ time: Int64, _ isUncertain: Bool) {
    var search = Self.searching()
    _ = search.consume(Self.picture(2010, [3]), at: 2010)
    search.noteUnread(at: time)
    let outcome = search.end()?.outcome
    #expect(outcome == (isUncertain ? .unreadable : .unchanged))
  }

  /// A swap chain may become one that cannot be read.
  @Test func theLayerMayStopReading() {
    var pictures = LayerPictures()
    pictures.consume(commitOf: 5, at: 100)
    pictures.consume(Self.picture(90))
    _ = pictures.takeSteps()
    let second: Int64 = 1_000_000_000
    pictures.consume(commitOf: 5, at: 200)
    pictures.consume(commitOf: 5, at: 200 + second)
    #expect(pictures.sees(5) && pictures.unread == [200, 200 + second])
    pictures.consume(commitOf: 5, at: 201 + second)
    #expect(!pictures.sees(5) && pictures.unread.isEmpty)
  }

  /// A window of another size has nothing to be compared with, and its cells are not restless for it.
  @Test func anotherSizeIsAnAnswerAndTeachesNothing() {
    var search = Self.searching()
    let resized = search.consume(Self.picture(2010, width: 800), at: 2010)
    #expect(Self.isChange(resized, at: 2010))
    search = Self.searching(isBlank: true)
    _ = search.consume(Self.picture(2010, width: 800), at: 2010)
    search.begin(2, isBlank: false, at: 3000)
    search.note(deliveryAt: 3000)
    let answer = search.consume(Self.picture(3010, [17], width: 800), at: 3010)
    #expect(Self.isChange(answer, at: 3010))
  }
}
