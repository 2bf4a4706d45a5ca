import Fixtures
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameTrace

/// Why frames of an app were late: what their main thread had more of.
@Suite struct LateCauseTests {
  private static func outcome(_ seed: UInt64, frames: Int = 300) throws -> Scenario.Outcome {
    let scenario = try #require(Scenarios.all.first { $0.name == "scheduling-faults" })
    return scenario.play(.init(seed: seed, frames: frames))
  }

  private static func causes(_ trace: Trace) throws -> LateCauses {
    try #require(TraceAnalysis(of: trace).surfaces[0].causes)
  }

  /// Each fault is found, and frames that came in time have none.
  @Test func theTruthComesOut() throws {
    var (right, wrong) = (0, 0)
    for seed in 1...20 as ClosedRange<UInt64> {
      let outcome = try Self.outcome(seed)
      let found = try Self.causes(outcome.trace)
      #expect(found.withoutCause == 0 && found.onTime == 280)
      for (frame, cause) in found.byFrame {
        let truth = try #require(outcome.causes[frame.row], "frame \(frame.row) came in time")
        if cause.kind == truth { right += 1 } else { wrong += 1 }
      }
    }
    #expect(right == 400 && wrong == 0, "\(right) right, \(wrong) wrong")
  }

  @Test func theNativeFormatKeepsThem() throws {
    let outcome = try Self.outcome(1)
    var bytes: [UInt8] = []
    var writer = NativeWriter(outcome.trace) { bytes += $0 }
    writer.write()
    let again = try Importers.read(InputFile(bytes: bytes))
    #expect(try Self.causes(again) == Self.causes(outcome.trace))
  }

  /// As Perfetto records the kernel's events, the same causes come out, with the same words. (The encoder refuses the
  /// scenario's order of compositor and GPU for users, because that could move other charges than the app's.)
  @Test func perfettosEventsGiveTheSameCauses() throws {
    var (right, wrong) = (0, 0)
    for seed in 1...10 as ClosedRange<UInt64> {
      let outcome = try Self.outcome(seed)
      let again = try Importers.read(InputFile(bytes: PerfettoEncoder().encode(outcome.trace)))
      let (found, before) = (try Self.causes(again), try Self.causes(outcome.trace))
      #expect(found.withoutCause == 0 && found.onTime == before.onTime)
      for (frame, cause) in found.byFrame {
        if cause.kind == outcome.causes[frame.row] { right += 1 } else { wrong += 1 }
        let own = before.byFrame.first { $0.key.row == frame.row }?.value
        #expect(cause.sentence == own?.sentence, "seed \(seed), frame \(frame.row)")
      }
    }
    #expect(right == 200 && wrong == 0, "\(right) right, \(wrong) wrong")
  }

  /// The kernel's log, as text to its microsecond or as trace-cmd records it, has the same states and slices. It has no
  /// frames, so those of the scenario are analyzed with them. trace-cmd does not record which process a thread is of, so
  /// the one that draws for the main thread is not found.
  @Test(arguments: [("systrace", 0), ("trace-cmd", 1)])
  func theKernelsLogGivesTheSameCauses(_ importer: String, _ withoutCause: Int) throws {
    var (right, wrong) = (0, 0)
    for seed in 1...10 as ClosedRange<UInt64> {
      let outcome = try Self.outcome(seed)
      let bytes =
        importer == "systrace"
        ? Array(FtraceLogText(outcome.trace).text.utf8) : TraceDatWriter(outcome.trace).bytes
      let log = try Importers.read(InputFile(bytes: bytes, path: "log"))
      #expect(log.provenance.importer == importer)
      var trace = outcome.trace
      (trace.threads, trace.threadStates, trace.markers) = (
        log.threads, log.threadStates, log.markers
      )
      let found = try Self.causes(trace)
      #expect(found.withoutCause == withoutCause)
      for (frame, cause) in found.byFrame {
        if cause.kind == outcome.causes[frame.row] { right += 1 } else { wrong += 1 }
      }
    }
    #expect(right == 200 - 10 * withoutCause && wrong == 0, "\(right) right, \(wrong) wrong")
  }

  /// Functions that a profiler saw name what ran for longer, as slices do; those of the system do not.
  @Test func functionsOfTheAppNameWhatRanLonger() throws {
    let outcome = try Self.outcome(3)
    var trace = outcome.trace
    trace.markers = Table()
    for row in 0..<outcome.trace.markers.count {
      let markers = outcome.trace.markers
      guard let name = markers.text(row, .name) else { continue }
      for (function, own) in [("main", 1), (name, 1), ("memcpy", 0)] as [(String, Int64)] {
        var call = Table<CallColumn>.Row()
        call[.thread] = markers[row, .thread]
        call[.start] = markers[row, .start]
        call[.end] = markers[row, .end]
        call[.own] = own
        call[.function] = trace.calls.texts.number(of: function)
        trace.calls.append(call)
      }
    }
    let (found, before) = (try Self.causes(trace), try Self.causes(outcome.trace))
    #expect(found == before)
    #expect(found.byFrame.values.contains { $0.sentence.contains("ms of it in inflate") })
  }

  /// A recorder that has two numbers of the thread that hands frames over tells running from no processor and from
  /// waiting, and no more.
  @Test func twoNumbersOfAThreadTellThreeCauses() throws {
    let outcome = try Self.outcome(4)
    var trace = outcome.trace
    let states = trace.threadStates
    let frames = trace.surfaces[0].frames
    var numbers: [(ran: Int64, starved: Int64)] = []
    for row in 0..<frames.count {
      let (start, end) = (frames[row, .appStart] ?? 0, frames[row, .commit] ?? 0)
      var (ran, starved) = (Int64(0), Int64(0))
      for state in 0..<states.count where states[state, .thread] == 501 {
        let length =
          min(end, states[state, .end] ?? end) - max(start, states[state, .start] ?? start)
        guard length > 0 else { continue }
        switch states[state, .state].flatMap(ThreadStateColumn.State.init) {
        case .running: ran += length
        case .runnable, .preempted: starved += length
        default: break
        }
      }
      numbers.append((ran, starved))
    }
    for (column, values) in [
      (FrameColumn.threadRan, numbers.map(\.ran)), (.threadStarved, numbers.map(\.starved)),
    ] {
      var stored = IntegerColumn()
      for value in values { stored.append(value) }
      trace.surfaces[0].frames.setStored(column, stored)
    }
    (trace.threads, trace.threadStates, trace.markers) = (Table(), Table(), Table())
    let found = try Self.causes(trace)
    // The start of a frame is not the end of the one before, so what else the thread did between is not known.
    #expect(found.byFrame.count == 6)
    #expect(found.withoutCause == found.charged - found.refreshes.values.reduce(0, +))
    for (frame, cause) in found.byFrame {
      let truth = try #require(outcome.causes[frame.row])
      #expect(cause.kind == truth && [.running, .processor].contains(truth))
    }
    let contention = try #require(found.byFrame.first { $0.key.row == 40 }?.value)
    #expect(contention.sentence.hasPrefix("presenting thread waited "))
    #expect(contention.sentence.hasSuffix(" for a CPU"))
    // States say more, where there are any.
    var both = outcome.trace
    both.surfaces[0].frames = trace.surfaces[0].frames
    #expect(try Self.causes(both).byFrame.values.contains { $0.kind == .lock })
  }

  /// A slow clock is the reason where at least half of the excess is gone at the usual rate; a slower one never less so.
  @Test func aSlowClockHasAThreshold() {
    let isOfSlowClock = { (clock: Double) in
      var cause = LateCause(
        thread: ThreadName(identifier: 1, name: "main"), isMain: true, kind: .running,
        time: .milliseconds(20), usual: .milliseconds(10), n: 10, what: nil, whatTime: nil,
        whatUsual: nil, holders: [], instead: nil, insteadTime: nil)
      (cause.clock, cause.usualClock) = (clock, 2000)
      return cause.isOfSlowClock
    }
    #expect(isOfSlowClock(1500) && !isOfSlowClock(1501) && !isOfSlowClock(2000))
    let all = stride(from: 100.0, through: 2400, by: 50).map(isOfSlowClock)
    #expect(all == all.sorted { $0 && !$1 })
  }

  /// Chromium's traces have no scheduling, but what the page's main thread worked on, and which script it was.
  @Test func chromiumsTasksAreNamed() throws {
    let scenario = try #require(Scenarios.all.first { $0.name == "app-overrun" })
    let encoded = ChromeTraceEncoder().encode(scenario.play(.init(frames: 200)).trace)
    let text = String(decoding: encoded, as: UTF8.self)
    let frames = try TestData.read(text: text).surfaces[0].frames
    let task = { (name: String, start: Int64, end: Int64, thread: Int, arguments: String) in
      let (time, length) = (Double(start) / 1000, Double(end - start) / 1000)
      return
        "{\"name\":\"\(name)\",\"cat\":\"devtools.timeline\",\"ph\":\"X\",\"pid\":7,\"tid\":\(thread),\"ts\":\(time),\"dur\":\(length),\"args\":{\(arguments)}}"
    }
    var events = [
      "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":7,\"tid\":7,\"ts\":0,\"args\":{\"name\":\"CrRendererMain\"}}"
    ]
    let script =
      "\"data\":{\"functionName\":\"spin\",\"url\":\"https://a.b/x/app.js?v=1\",\"lineNumber\":12}"
    for row in 0..<frames.count {
      guard let start = frames[row, .appStart], let end = frames[row, .commit] else { continue }
      events.append(task("RunTask", start, end, 7, ""))
      events.append(task("FunctionCall", start + 500_000, end - 500_000, 7, script))
      // On another thread, and too short to matter.
      events.append(task("Decode", start, end, 9, ""))
      events.append(task("Layout", start + 600_000, start + 650_000, 7, ""))
    }
    let open = try #require(text.firstIndex(of: "["))
    let joined =
      String(text[...open]) + events.joined(separator: ",") + "," + text[text.index(after: open)...]
    let trace = try TestData.read(text: joined)
    #expect(trace.markers.count == 2 * frames.count && trace.threads.count == 1)
    let causes = try Self.causes(trace)
    #expect(causes.withoutCause == 0 && causes.refreshes[.slice] == causes.charged)
    let sentence = try #require(causes.byFrame.values.first?.sentence)
    #expect(sentence.hasPrefix("main thread was in slices for "))
    #expect(sentence.contains("FunctionCall spin (app.js:12), usually "), "\(sentence)")
    // Parts of long animation frames begin and end apart.
    let parts = [
      ("b", "", 1000), ("b", "::Script::Execute", 2000), ("e", "::Script::Execute", 60_000),
      ("e", "", 61_000),
    ]
    .map { phase, name, time in
      "{\"name\":\"AnimationFrame\(name)\",\"cat\":\"devtools.timeline\",\"ph\":\"\(phase)\",\"id2\":{\"local\":\"0x5\"},\"pid\":7,\"tid\":7,\"ts\":\(time),\"args\":{\"animation_frame_script_timing_info\":{\"source_location_function_name\":\"go\",\"source_location_url\":\"file:///t.js\"}}}"
    }
    let long = try TestData.read(
      text: String(text[...open]) + (events.prefix(1) + parts).joined(separator: ",") + ","
        + text[text.index(after: open)...])
    let names = (0..<long.markers.count).compactMap { long.markers.text($0, .name) }
    #expect(names == ["AnimationFrame", "AnimationFrame::Script::Execute go (t.js)"])
    #expect(long.markers[1, .end] == 60_000_000)
  }

  /// What trace-cmd recorded beside the frames gives the causes of their lateness, moved by the offset of its clock.
  @Test func threadsRecordedBesideTheFramesAreJoined() throws {
    let outcome = try Self.outcome(2)
    var frames = outcome.trace
    (frames.threads, frames.threadStates, frames.markers) = (Table(), Table(), Table())
    frames.surfaces[0].processID = 501
    #expect(TraceAnalysis(of: frames).surfaces[0].causes == nil)
    let threads = try Importers.read(InputFile(bytes: TraceDatWriter(outcome.trace).bytes))
    let joined = try JoinedThreads(threads, offset: .zero).joined(to: frames)
    let found = try Self.causes(joined)
    #expect(found.byFrame.count == 19 && found.withoutCause == 1)
    for (frame, cause) in found.byFrame { #expect(cause.kind == outcome.causes[frame.row]) }
    #expect(joined.provenance.companions.count == 1)
    #expect(
      joined.issues.contains { $0.message.contains("taken to be on the clock of the frames") })
    // Of another time, of a trace that has its own, and of nothing.
    let late = try JoinedThreads(threads, offset: .milliseconds(3_600_000))
    #expect(throws: ParseError.self) { try late.joined(to: frames) }
    #expect(throws: ParseError.self) {
      try JoinedThreads(threads, offset: .zero).joined(to: joined)
    }
    #expect(throws: ParseError.self) { try JoinedThreads(frames, offset: .zero) }
    let moved = try JoinedThreads(threads, offset: .milliseconds(5)).joined(to: frames)
    let starts = [moved, joined].map { $0.threadStates[7, .start] ?? 0 }
    #expect(starts[0] - starts[1] == 5_000_000)
    let marks = [moved, joined].map { $0.markers[7, .end] ?? 0 }
    #expect(marks[0] - marks[1] == 5_000_000)
  }

  @Test func holdersAreFollowed() throws {
    let causes = try Self.causes(Self.outcome(1).trace)
    let cause = { (row: Int) in try #require(causes.byFrame.first { $0.key.row == row }?.value) }
    let sleeping = try cause(100)
    #expect(sleeping.kind == .lock && sleeping.what == "worker")
    #expect(sleeping.holders.map(\.thread.words) == ["worker", "loader"])
    #expect(sleeping.holders[1].ran == sleeping.time)
    let binder = try cause(115)
    #expect(binder.holders.map(\.words) == ["system_server"])
    #expect(binder.holders[0].starved > binder.holders[0].ran)
    let contention = try cause(40)
    #expect(contention.instead?.words == "hog" && contention.usual > .zero)
    let work = try cause(10)
    #expect(work.what == "inflate" && work.whatUsual == .zero && !work.isOfSlowClock)
    #expect(work.clock == 2000 && work.usualClock == 2000)
    let slow = try cause(25)
    #expect(slow.isOfSlowClock && slow.named == "a slower clock" && slow.usualClock == 2000)
  }

  @Test func theSentencesAreThose() throws {
    let causes = try Self.causes(Self.outcome(1).trace)
    let words = { (row: Int) in causes.byFrame.first { $0.key.row == row }?.value.sentence }
    #expect(
      words(10)
        == "main thread ran 29.8 ms (usually 8.2), 21.6 ms of it in inflate, usually 0.0")
    let slow = try #require(words(25))
    #expect(slow.contains(" GHz (usually 2.00), "), "\(slow)")
    #expect(
      words(40)
        == "main thread waited 26.5 ms (usually 0.2) for a CPU, while hog ran 26.3 ms there")
    #expect(
      words(55)
        == "main thread waited 20.2 ms (usually 0.0), uninterruptible in folio_wait_bit_common, for a disk"
    )
    #expect(
      words(100)
        == "main thread waited 25.2 ms (usually 0.0) for a lock that worker held, which waited 25.2 ms itself for loader, which ran 25.2 ms"
    )
    #expect(
      words(115)
        == "main thread waited 21.1 ms (usually 0.0) for a binder call to system_server, which ran 4.2 ms and waited 16.9 ms for a CPU"
    )
    #expect(
      causes.sentence.hasPrefix(
        "why, of 23 by the app: 7 waited for a lock (7 held by worker), "))
  }

  /// The main thread is done, and the one that draws for it is not: what it waits for next is no cause.
  @Test func theThreadThatDrawsIsSeen() throws {
    let outcome = try Self.outcome(1)
    let causes = try Self.causes(outcome.trace)
    let cause = try #require(causes.byFrame.first { $0.key.row == 160 }?.value)
    #expect(cause.thread.words == "RenderThread" && !cause.isMain && cause.kind == .running)
    #expect(cause.sentence.hasPrefix("RenderThread ran ") && cause.usual > .zero)
  }

  /// A slice that lasts for the whole trace does not hide those in it, and does not make the search longer.
  @Test func aSliceAroundEverythingHidesNothing() throws {
    let outcome = try Self.outcome(1)
    var around = outcome.trace
    var row = Table<MarkerColumn>.Row()
    row[.name] = around.markers.texts.number(of: "session")
    (row[.start], row[.end], row[.thread]) = (0, 10_000_000_000, 501)
    around.markers.append(row)
    let (found, before) = (try Self.causes(around), try Self.causes(outcome.trace))
    #expect(found.byFrame.mapValues(\.kind) == before.byFrame.mapValues(\.kind))
    #expect(found.byFrame.mapValues(\.what) == before.byFrame.mapValues(\.what))
  }

  /// A longer fault never has less of its cause.
  @Test func moreOfAFaultIsNeverLess() throws {
    var last: [Int: Nanoseconds] = [:]
    for factor in [1.0, 1.2, 1.6, 2.4] {
      var trace = try Self.outcome(3).trace
      // The waits of the main thread are made longer within their frames: the rest of the work is shorter.
      trace.stretchWaits(of: 501, by: factor)
      let found = try Self.causes(trace)
      for (frame, cause) in found.byFrame where cause.kind != .running {
        #expect(cause.time >= last[frame.row] ?? .zero, "frame \(frame.row) at \(factor)")
        last[frame.row] = cause.time
      }
    }
    #expect(!last.isEmpty)
  }

  /// Without scheduling, slices are named; without either, nothing is said.
  @Test func whatIsNotRecordedIsNotSaid() throws {
    var trace = try Self.outcome(1).trace
    trace.keepOnly(states: false)
    let slices = try Self.causes(trace)
    let kinds = Set(slices.byFrame.values.map(\.kind))
    #expect(kinds.isSubset(of: [.slice, .lock, .binder, .garbage]) && kinds.contains(.lock))
    let work = try #require(slices.byFrame.first { $0.key.row == 10 }?.value)
    #expect(work.kind == .slice && work.what == "inflate")
    #expect(work.sentence.hasPrefix("main thread was in slices for "))
    trace.removeMarkers()
    #expect(TraceAnalysis(of: trace).surfaces[0].causes == nil)
  }

  /// Threads that wait for each other end the search, and a thread that waits for itself, too.
  @Test func cyclesEnd() throws {
    for wakers in [[502, 503, 502], [502, 502, 502], [501, 501, 501]] as [[Int64]] {
      var trace = try Self.outcome(1).trace
      trace.wakeInTurn([501: wakers[0], 502: wakers[1], 503: wakers[2]])
      let found = try Self.causes(trace)
      #expect(found.byFrame.count > 10)
      #expect(found.byFrame.values.allSatisfy { $0.holders.count <= 3 })
    }
  }

  /// Two frames in time are too few to compare with, three are enough.
  @Test(arguments: [(2, false), (3, true)]) func fewFramesAreNotCompared(
    _ count: Int, _ isKnown: Bool
  ) throws {
    var trace = try Self.outcome(1, frames: 12).trace
    // The late frame is the eleventh; of the others, only some have states.
    let spans = (0..<12).map { trace.surfaces[0].frames[$0, .appStart] ?? 0 }
    trace.keepStates { $0 >= spans[10 - count] && $0 < spans[11] }
    let causes = TraceAnalysis(of: trace).surfaces[0].causes
    #expect((causes?.byFrame.isEmpty == false) == isKnown)
  }

  /// The thread that ended a wait is not taken for the owner that a slice names, nor for a disk.
  @Test func wakersAreNotOwners() throws {
    var trace = try Self.outcome(1).trace
    trace.wakeInTurn([501: 503])
    let causes = try Self.causes(trace)
    let words = { (row: Int) in causes.byFrame.first { $0.key.row == row }?.value.sentence ?? "" }
    #expect(words(70).contains("for a lock that worker held, ended by loader"), "\(words(70))")
    #expect(words(55).hasSuffix("uninterruptible in folio_wait_bit_common, for a disk"))
  }

  /// The kernel's log as text has the processors, the wakers, and where a thread waited.
  @Test func theKernelsLogHasThem() throws {
    let text = """
      # tracer: nop
      app-501   (  501) [000] d..2 10.000000: sched_switch: prev_comm=app prev_pid=501 prev_prio=120 prev_state=D ==> next_comm=hog next_pid=701 next_prio=120
      w-502     (  501) [001] d..2 10.010000: sched_waking: comm=app pid=501 prio=120 target_cpu=000
      w-502     (  501) [001] d..2 10.010001: sched_blocked_reason: pid=501 iowait=1 caller=wait_on_page_bit+0x64/0x80
      hog-701   (  701) [000] d..2 10.020000: sched_switch: prev_comm=hog prev_pid=701 prev_prio=120 prev_state=R ==> next_comm=app next_pid=501 next_prio=120
      app-501   (  501) [000] d..2 10.030000: sched_switch: prev_comm=app prev_pid=501 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
      """
    let trace = try Importers.read(InputFile(bytes: Array((text + "\n").utf8), path: "a.txt"))
    let states = trace.threadStates
    let own = (0..<states.count).filter { states[$0, .thread] == 501 }
    #expect(own.map { states[$0, .processor] } == [0, nil, 0, 0])
    #expect(states.text(own[0], .reason) == "uninterruptible in wait_on_page_bit, for a disk")
    #expect(states[own[0], .unblockedBy] == 502)
    #expect(states.text(own[3], .reason) == nil)
  }
}

extension Trace {
  /// Makes waits of a thread longer by taking from the running stretch after each.
  fileprivate mutating func stretchWaits(of thread: Int64, by factor: Double) {
    var wanted: [Int: Int64] = [:]
    var starts: [Int: Int64] = [:]
    let rows = (0..<threadStates.count).filter { threadStates[$0, .thread] == thread }
    for (position, row) in rows.enumerated() where position + 1 < rows.count {
      guard threadStates[row, .state] != ThreadStateColumn.State.running.rawValue,
        let start = threadStates[row, .start], let end = threadStates[row, .end],
        end - start > 1_000_000, end - start < 30_000_000,
        threadStates[rows[position + 1], .state] == ThreadStateColumn.State.running.rawValue,
        let limit = threadStates[rows[position + 1], .end]
      else { continue }
      let longer = min(limit - 1, start + Int64(Double(end - start) * factor))
      (wanted[row], starts[rows[position + 1]]) = (longer, longer)
    }
    rewriteStates { row, states in
      if let end = wanted[row] { states[.end] = end }
      if let start = starts[row] { states[.start] = start }
    }
  }

  fileprivate mutating func wakeInTurn(_ wakers: [Int64: Int64]) {
    rewriteStates { _, states in
      if states[.state] == ThreadStateColumn.State.blocked.rawValue,
        let waker = states[.thread].flatMap({ wakers[$0] })
      {
        states[.unblockedBy] = waker
      }
    }
  }

  fileprivate mutating func rewriteStates(
    _ change: (Int, inout Table<ThreadStateColumn>.Row) -> Void
  ) {
    var table = Table<ThreadStateColumn>()
    for row in 0..<threadStates.count {
      var states = Table<ThreadStateColumn>.Row()
      for column in ThreadStateColumn.allCases where column != .reason {
        states[column] = threadStates[row, column]
      }
      states[.reason] = threadStates.text(row, .reason).map { table.texts.number(of: $0) }
      change(row, &states)
      table.append(states)
    }
    threadStates = table
  }

  fileprivate mutating func keepOnly(states: Bool) {
    if !states { threadStates = Table<ThreadStateColumn>() }
  }

  /// Keeps the states that begin at some times, and no markers.
  fileprivate mutating func keepStates(_ isKept: (Int64) -> Bool) {
    var table = Table<ThreadStateColumn>()
    for row in 0..<threadStates.count {
      guard let start = threadStates[row, .start], isKept(start) else { continue }
      var states = Table<ThreadStateColumn>.Row()
      for column in ThreadStateColumn.allCases where column != .reason {
        states[column] = threadStates[row, column]
      }
      table.append(states)
    }
    threadStates = table
    removeMarkers()
  }

  fileprivate mutating func removeMarkers() { markers = Table<MarkerColumn>() }
}
