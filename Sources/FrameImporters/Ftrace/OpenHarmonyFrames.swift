import FrameStatistics
import FrameTrace

/// Frames from the trace marks of OpenHarmony.
///
/// The names are those in OpenHarmony's developtools_smartperf_host. An app wakes in
/// `ReceiveVsync … now:NS expectedEnd:NS vsyncId:N` and hands over in
/// `MarshRSTransactionData … transactionFlag:[PID,FLAG] …`. The render service takes the frame in
/// `RSMainThread::ProcessCommandUni[PID,FLAG]` and then draws until the end of `RSMainThread::DoComposition`.
struct OpenHarmonyFrames {
  struct Frame {
    let process: Int64
    let token: Int64?
    let work, handOver: AtraceMarks.Slice
    /// When the app had to be done; `nil` if the mark does not state it.
    let deadline: Int64?
    fileprivate(set) var compositorStart: Int64?
    fileprivate(set) var compositorEnd: Int64?
  }

  private(set) var frames: [Frame] = []
  /// The number of hand-overs outside a wake-up, or after another hand-over in the same wake-up.
  private(set) var otherCount = 0

  private struct Transaction: Hashable {
    let process, flag: Int64
  }

  /// The longest plausible time from a wake-up to its deadline, in ns.
  private static let longestBudget: Int64 = 1_000_000_000

  private static let wake = "ReceiveVsync "
  private static let handOver = "MarshRSTransactionData "
  private static let taking = "RSMainThread::ProcessCommandUni["
  private static let composition = "RSMainThread::DoComposition"

  init(_ marks: AtraceMarks) {
    var wakes: [Int64: AtraceMarks.Slice] = [:]
    var open: [Transaction: Int] = [:]
    /// The frames that each thread of the render service has taken since it last composed.
    var taken: [Int64: [Int]] = [:]
    let slices = marks.slices(
      beginning: "ReceiveVsync ", "MarshRSTransactionData ", "RSMainThread::ProcessCommandUni[",
      "RSMainThread::DoComposition")
    for slice in slices {
      guard let thread = slice.thread else { continue }
      let name = marks.name(of: slice)
      if name.hasPrefix(Self.wake) {
        wakes[thread] = slice
      } else if name.hasPrefix(Self.handOver) {
        // The first hand-over in a wake-up is the frame's; a hand-over outside a wake-up answers no refresh.
        guard let work = wakes.removeValue(forKey: thread),
          work.end.map({ $0 >= slice.start }) ?? true
        else {
          otherCount += 1
          continue
        }
        if let transaction = Self.transaction(name, after: "transactionFlag:[") {
          open[transaction] = frames.count
        }
        let woken = marks.name(of: work)
        frames.append(
          Frame(
            process: slice.process, token: Self.number(woken, after: "vsyncId:"), work: work,
            handOver: slice, deadline: Self.deadline(work, named: woken)))
      } else if name.hasPrefix(Self.taking) {
        guard let transaction = Self.transaction(name, after: "ProcessCommandUni["),
          let frame = open.removeValue(forKey: transaction)
        else { continue }
        frames[frame].compositorStart = slice.start
        taken[thread, default: []].append(frame)
      } else if name.hasPrefix(Self.composition) {
        for frame in taken.removeValue(forKey: thread) ?? [] {
          frames[frame].compositorEnd = slice.end
        }
      }
    }
  }

  /// The deadline on the log's clock. The mark states it on another clock, next to the time of the wake-up.
  private static func deadline(_ work: AtraceMarks.Slice, named name: String) -> Int64? {
    guard let now = number(name, after: "now:"),
      let end = number(name, after: "expectedEnd:"), 1..<longestBudget ~= end &- now
    else { return nil }
    return work.start &+ (end &- now)
  }

  private static func number(_ name: String, after key: String) -> Int64? {
    guard let range = name.firstRange(of: key) else { return nil }
    return Int64(name[range.upperBound...].prefix { $0.isASCII && $0.isNumber })
      .flatMap { $0 < Timestamp.bound ? $0 : nil }
  }

  private static func transaction(_ name: String, after key: String) -> Transaction? {
    guard let range = name.firstRange(of: key) else { return nil }
    let cells = name[range.upperBound...].prefix { $0 != "]" }.split(separator: ",")
    guard cells.count >= 2, let process = Int64(cells[0]), let flag = Int64(cells[1]) else {
      return nil
    }
    return Transaction(process: process, flag: flag)
  }
}

extension TraceBuilder {
  /// Adds the frames of OpenHarmony's apps, on one surface per process.
  mutating func addFrames(
    _ found: OpenHarmonyFrames, display: Int?, name: (Int64) -> String?
  ) {
    for frame in found.frames {
      let id = "vsync of \(frame.process)"
      let position = surface(id) {
        Surface(
          id: id, process: name(frame.process), processID: Int(exactly: frame.process),
          display: display, bufferOwner: .compositor, numbersCountFrames: false)
      }
      var row = Table<FrameColumn>.Row()
      row[.identifier] = frame.token
      row[.appStart] = frame.work.start
      row[.appEnd] = frame.work.end
      row[.commit] = frame.handOver.start
      row[.deadline] = frame.deadline
      row[.compositorStart] = frame.compositorStart
      row[.compositorEnd] = frame.compositorEnd
      trace.surfaces[position].frames.append(row)
    }
    log.note(
      .unknownRecord, .info, "hand-overs that are not the first of a wake-up, left out",
      count: found.otherCount)
  }
}
