import Testing

@testable import Fixtures
@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace

/// The kernel's events arrive processor by processor and are sorted by time.
@Suite struct FtraceOrderTests {
  private static func mark(_ time: Int64, process: Int64 = 0) -> FtraceOrder.Event {
    .init(time: time, thread: 7, content: .mark(.begin(process: process, name: 0)))
  }

  /// Any mix of processors comes out in order, as long as no more events lie between two of them
  /// than are held. Events at the same time keep their order.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func eventsComeInOrder(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let processors = Int.random(in: 1...8, using: &random)
    var queues = (0..<processors).map { processor in
      (0..<50).map { Int64($0) * 10 + Int64.random(in: 0..<10, using: &random) }
        .map { ($0, processor) }
    }
    var order = FtraceOrder(capacity: processors * 50)
    var given: [Int64] = []
    // Bundles of up to ten events, one processor after another.
    while queues.contains(where: { !$0.isEmpty }) {
      for index in queues.indices {
        for (time, processor) in queues[index].prefix(Int.random(in: 0...10, using: &random)) {
          order.consume(Self.mark(time, process: Int64(processor))) { event, _ in
            given.append(event.time)
          }
          queues[index].removeFirst()
        }
      }
    }
    order.finish { event, _ in given.append(event.time) }
    #expect(given.count == processors * 50 && given == given.sorted() && order.lateCount == 0)
  }

  /// Thousands of events, in order or with one that comes late, given out at the end or by halves.
  @Test(arguments: [3000, 5000, 9000], [2048, 4097, 10_000])
  func manyEventsComeInOrder(_ count: Int, _ capacity: Int) {
    for late in [nil, 1, 2047, 2048, count - 1] {
      var times = (0..<count).map { Int64($0) * 10 }
      if let late { times[late] -= 15 }
      var order = FtraceOrder(capacity: capacity)
      var given: [Int64] = []
      for time in times { order.consume(Self.mark(time)) { event, _ in given.append(event.time) } }
      order.finish { event, _ in given.append(event.time) }
      #expect(given == times.sorted() && order.lateCount == 0)
    }
  }

  /// Events that come later than the buffer allows are passed on late, and counted.
  @Test func lateEventsAreCounted() {
    var order = FtraceOrder(capacity: 4)
    var given: [Int64] = []
    for time in [10, 20, 30, 40, 50, 5] as [Int64] {
      order.consume(Self.mark(time)) { event, _ in given.append(event.time) }
    }
    order.finish { event, _ in given.append(event.time) }
    #expect(given == [10, 20, 5, 30, 40, 50] && order.lateCount == 1)
  }

  /// A thread's state follows from its low bits, and from whether there are others, however large they are.
  @Test(
    arguments: [
      (0, "runnable"), (1, "blocked"), (0x100, "preempted"), (0x101, "blocked"),
      (1 << 31, "preempted"), (1 << 32, "preempted"), (1 << 32 | 2, "blocked"),
      (.min, "preempted"), (-1, "blocked"), (.max, "blocked"),
    ] as [(bits: Int64, state: String)])
  func statesFollowFromAllBits(_ given: (bits: Int64, state: String)) throws {
    let trace = try Self.switches([(processor: 0, time: 1_000_000, bits: given.bits)])
    #expect(trace.threadStates.text(0, .state) == given.state)
  }

  /// Processors are told apart by any number.
  @Test func processorsAreToldApart() throws {
    let processors: [Int64] = [0, 1 << 31, 1 << 32 - 1, 1 << 40]
    let trace = try Self.switches(
      processors.enumerated().map { ($1, Int64($0 + 1) * 1_000_000, 1) })
    let states = trace.threadStates
    #expect((0..<states.count).compactMap { states[$0, .processor] } == processors)
  }

  /// A trace in which thread 7 leaves a processor for the idle thread.
  private static func switches(
    _ given: [(processor: Int64, time: Int64, bits: Int64)]
  ) throws -> Trace {
    var file = ProtobufText()
    for (processor, time, bits) in given {
      file.add(1) { packet in
        packet.add(1) { message in
          message.add(1, processor)
          message.add(2) { event in
            event.add(1, time)
            event.add(2, 7)
            event.add(4) { change in
              change.add(2, 7)
              change.add(4, bits)
              change.add(6, 0)
            }
          }
        }
      }
    }
    return try Importers.read(InputFile(bytes: file.bytes))
  }

  /// Events refer to texts by numbers, and are given out with them, even those that came while others were given.
  @Test func eventsComeWithTheirTexts() {
    var order = FtraceOrder(capacity: 4)
    var given: [String] = []
    for time in 0..<20 as Range<Int64> {
      let ring = order.names.number("ring \(time % 7)")
      let job = FtraceOrder.Content.jobRun(
        identifier: time, ring: ring, fence: .address(UInt64(time)))
      order.consume(.init(time: time, thread: 7, content: job)) { event, names in
        guard case .jobRun(let identifier, let ring, _) = event.content else { return }
        given.append("\(identifier) \(names[ring])")
      }
    }
    order.finish { event, names in
      guard case .jobRun(let identifier, let ring, _) = event.content else { return }
      given.append("\(identifier) \(names[ring])")
    }
    #expect(given == (0..<20).map { "\($0) ring \($0 % 7)" })
  }

  /// Of several times for a refresh, the last one counts, and refreshes of the same time are in order of number.
  @Test func refreshesAreInOrder() {
    var refreshes = NumberedRefreshes()
    for (number, time) in [(3, 30), (1, 99), (9, 20), (2, 20), (1, 10), (4, 30)] as [(Int64, Int64)]
    {
      refreshes.set(number, to: time)
    }
    var table = Table<RefreshColumn>()
    refreshes.add(to: &table)
    #expect((0..<table.count).map { table[$0, .number] } == [1, 2, 9, 3, 4])
    #expect((0..<table.count).map { table[$0, .time] } == [10, 20, 20, 30, 30])
  }

  /// A bundle on one of the kernel's own clocks gives the same instant on that clock and on the
  /// boot-time clock.
  @Test func bundlesOnAnotherClockAreJoinedByTheirTwoStamps() throws {
    typealias Bundle = PerfettoSchema.FtraceEventBundle
    var file = ProtobufText()
    for (clock, distance) in [(0, 0), (2, 40_000_000)] as [(Int64, Int64)] {
      file.add(PerfettoSchema.Trace.packet) { packet in
        packet.add(PerfettoSchema.TracePacket.ftraceEvents) { bundle in
          bundle.add(Bundle.cpu, 0)
          if clock != 0 {
            bundle.add(Bundle.ftraceClock, clock)
            bundle.add(Bundle.ftraceTimestamp, 1_000_000)
            // ftrace_event_bundle.proto: optional int64 boot_timestamp = 7.
            bundle.add(7, 1_000_000 + distance)
          }
          for (time, text) in [(5_000_000, "B|7|on \(clock)"), (6_000_000, "E|7")] {
            bundle.add(Bundle.event) { event in
              event.add(PerfettoSchema.FtraceEvent.timestamp, Int64(time))
              event.add(PerfettoSchema.FtraceEvent.pid, 7)
              event.add(PerfettoSchema.FtraceEvent.print) {
                $0.add(PerfettoSchema.PrintFtraceEvent.buf, text)
              }
            }
          }
        }
      }
    }
    let trace = try Importers.read(InputFile(bytes: file.bytes))
    let starts = (0..<trace.markers.count).compactMap { trace.markers[$0, .start] }.sorted()
    #expect(starts == [5_000_000, 45_000_000])
  }

  /// A thread begins a slice on one processor and ends it on another, and the latter's bundle comes
  /// first: the slice has its right length, and so do the stretches in which the thread ran.
  @Test func threadsThatMigrateKeepTheirSlices() throws {
    var file = ProtobufText()
    let bundles:
      [(processor: Int64, marks: [(Int64, String)], switches: [(Int64, from: Int64, to: Int64)])] =
        [
          (
            1, [(5_000_000, "E|7"), (8_000_000, "B|7|second")],
            [(4_000_000, 0, 7), (9_000_000, 7, 0)]
          ),
          (0, [(1_000_000, "B|7|first")], [(500_000, 0, 7), (3_000_000, 7, 0)]),
          (2, [(9_800_000, "E|7")], [(9_500_000, 0, 7), (10_000_000, 7, 0)]),
        ]
    for bundle in bundles {
      file.add(1) { packet in
        packet.add(1) { message in
          message.add(1, bundle.processor)
          for (time, text) in bundle.marks {
            message.add(2) { event in
              event.add(1, time)
              event.add(2, 7)
              event.add(3) { $0.add(2, text) }
            }
          }
          for (time, from, to) in bundle.switches {
            message.add(2) { event in
              event.add(1, time)
              event.add(4) { change in
                change.add(2, from)
                change.add(4, 1)
                change.add(6, to)
              }
            }
          }
        }
      }
    }
    let trace = try Importers.read(InputFile(bytes: file.bytes))
    #expect(SystraceTests.markers(trace) == ["first 1000 5000 7", "second 8000 9800 7"])
    let states = trace.threadStates
    let running = (0..<states.count).filter { states.text($0, .state) == "running" }.map { row in
      (states[row, .end] ?? 0) - (states[row, .start] ?? 0)
    }
    #expect(running == [2_500_000, 5_000_000, 500_000])
  }
}
