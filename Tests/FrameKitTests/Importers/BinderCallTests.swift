import Testing

@testable import FrameImporters

/// Calls between Android's processes, from the events of their driver.
struct BinderCallTests {
  private func sent(_ number: Int64, answerTo receiver: Int64? = nil, flags: Int64 = 16)
    -> BinderCalls.Transaction
  {
    BinderCalls.Transaction(
      number: number, isReply: receiver != nil, flags: flags, receiver: receiver ?? 0)
  }

  @Test func aCallLastsUntilItsAnswerIsReceived() {
    var binder = BinderCalls()
    binder.send(sent(1), by: 10, at: 100)
    binder.receive(1, by: 20, at: 110)
    binder.send(sent(2, answerTo: 10), by: 20, at: 190)
    binder.receive(2, by: 10, at: 200)
    #expect(binder.calls.map { [$0.thread, $0.start, $0.end] } == [[10, 100, 200]])
    #expect(binder.openCount == 0)
  }

  /// The thread that waits serves a call back, and calls itself meanwhile.
  @Test func callsBackAreInsideTheCallThatTheyServe() {
    var binder = BinderCalls()
    binder.send(sent(1), by: 10, at: 100)
    binder.send(sent(2), by: 20, at: 120)
    binder.receive(2, by: 10, at: 130)
    binder.send(sent(3), by: 10, at: 135)
    binder.send(sent(4, answerTo: 10), by: 30, at: 140)
    binder.receive(4, by: 10, at: 145)
    binder.send(sent(5, answerTo: 20), by: 10, at: 150)
    binder.receive(5, by: 20, at: 160)
    binder.send(sent(6, answerTo: 10), by: 20, at: 190)
    binder.receive(6, by: 10, at: 200)
    #expect(
      binder.calls.map { [$0.thread, $0.start, $0.end] } == [
        [10, 135, 145], [20, 120, 160], [10, 100, 200],
      ])
  }

  @Test func nobodyWaitsForAOneWayCall() {
    var binder = BinderCalls()
    binder.send(sent(1, flags: 17), by: 10, at: 100)
    binder.receive(1, by: 20, at: 110)
    #expect(binder.calls.isEmpty && binder.openCount == 0)
  }

  /// A recording may begin within a call, end within one, or lack the events of a processor.
  @Test func onlyWholeCallsCount() {
    var binder = BinderCalls()
    binder.receive(2, by: 10, at: 50)
    binder.send(sent(4, answerTo: 10), by: 20, at: 60)
    binder.receive(4, by: 11, at: 70)
    binder.send(sent(5), by: 10, at: 100)
    #expect(binder.calls.isEmpty && binder.openCount == 1)
  }
}
