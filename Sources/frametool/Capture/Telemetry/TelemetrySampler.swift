import Dispatch
import FrameKit
import Synchronization

/// Reads a system's telemetry once a second, on a queue of its own: some of the files take the kernel milliseconds,
/// for which a capture must not wait.
final class TelemetrySampler: Sendable {
  /// Readings, with the time at which they were taken.
  struct Sample: Sendable {
    let time: Int64
    let readings: [SystemTelemetry.Reading]
  }

  private struct State {
    var telemetry: SystemTelemetry
    var samples: [Sample] = []
  }

  /// Not in the state, which is locked while files are read.
  private let isOver = Mutex(false)

  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "telemetry", qos: .utility)
  private let process: Int

  private static let interval = DispatchTimeInterval.seconds(1)

  /// - Parameter process: The program.
  init(_ process: Int, _ telemetry: SystemTelemetry = SystemTelemetry()) {
    self.process = process
    state = Mutex(State(telemetry: telemetry))
  }

  func start() { queue.async { [self] in look() } }

  private func look() {
    let time = LaunchedProcess.now
    let goesOn = state.withLock { state in
      guard !isOver.withLock({ $0 }) else { return false }
      let readings = state.telemetry.read(of: process, at: time)
      if !readings.isEmpty { state.samples.append(Sample(time: time, readings: readings)) }
      return true
    }
    if goesOn { queue.asyncAfter(deadline: .now() + Self.interval) { [self] in look() } }
  }

  /// Takes what was read since the last call.
  func take() -> [Sample] {
    // A capture does not wait for the kernel; the samples are there next time.
    state.withLockIfAvailable { state in
      defer { state.samples = [] }
      return state.samples
    } ?? []
  }

  func stop() { isOver.withLock { $0 = true } }
}
