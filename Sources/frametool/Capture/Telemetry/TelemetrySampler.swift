import Dispatch
import FrameKit
import Synchronization

/// Reads a system's telemetry once a second, on a separate queue: the kernel needs milliseconds for some of the files,
/// and a capture must not wait that long.
final class TelemetrySampler: Sendable {
  /// Readings, with the time at which they were made.
  struct Sample: Sendable {
    let time: Int64
    let readings: [SystemTelemetry.Reading]
  }

  private struct State {
    var telemetry: SystemTelemetry
    var samples: [Sample] = []
  }

  /// This flag is not in the state, which is locked while files are read.
  private let isOver = Mutex(false)

  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "telemetry", qos: .utility)
  private let process: Int

  private static let interval = DispatchTimeInterval.seconds(1)

  /// - Parameter process: The process ID of the program.
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

  /// Returns the readings since the last call.
  func take() -> [Sample] {
    // A capture does not wait for the kernel; the samples are returned by the next call.
    state.withLockIfAvailable { state in
      defer { state.samples = [] }
      return state.samples
    } ?? []
  }

  func stop() { isOver.withLock { $0 = true } }
}
