/// Android's calls between processes, from the events of the binder driver.
///
/// Linux, `drivers/android/binder_trace.h`: the sending thread writes `binder_transaction`, and the receiving thread
/// writes `binder_transaction_received`. A caller that expects an answer waits until it receives one.
struct BinderCalls {
  /// A call whose sender waits for the answer.
  struct Call {
    let thread, start, end: Int64
  }

  /// What a thread sends.
  struct Transaction {
    let number: Int64
    /// Whether it answers another transaction.
    let isReply: Bool
    /// Whether no thread waits for an answer.
    let isOneWay: Bool
    /// The thread that an answer goes to.
    let receiver: Int64

    /// - Parameter flags: The flags of the driver's protocol, in which `TF_ONE_WAY` is 1.
    init(number: Int64, isReply: Bool, flags: Int64, receiver: Int64) {
      (self.number, self.isReply, self.receiver) = (number, isReply, receiver)
      isOneWay = flags & 1 != 0
    }
  }

  private(set) var calls: [Call] = []
  /// The times at which each thread sent the calls that it waits for, the innermost last. A thread may serve other
  /// calls while it waits.
  private var open: [Int64: [Int64]] = [:]
  /// The receiving threads of answers in transit, by the numbers of the answers.
  private var answers: [Int64: Int64] = [:]

  /// The number of calls that were not answered before the end.
  var openCount: Int { open.values.reduce(0) { $0 + $1.count } }

  mutating func send(_ transaction: Transaction, by thread: Int64, at time: Int64) {
    if transaction.isReply {
      answers[transaction.number] = transaction.receiver
    } else if !transaction.isOneWay {
      open[thread, default: []].append(time)
    }
  }

  mutating func receive(_ number: Int64, by thread: Int64, at time: Int64) {
    guard let receiver = answers.removeValue(forKey: number), receiver == thread,
      let start = open[thread]?.popLast()
    else { return }
    calls.append(Call(thread: thread, start: start, end: max(start, time)))
  }
}
