import FrameKit

/// A discrete-event simulation of an app, a compositor, a GPU and a display.
///
/// The simulation is independent of the analysis of traces: it plays work through the stages by the rules of the
/// pipeline and records what happens. Everything starts at refresh 0, at time 0.
package struct PipelineSimulation {
  let display: SimulatedDisplay
  let isLowLatency: Bool
  private(set) var chains: [SimulatedChain]
  private var events = EventQueue()
  /// When the compositor and the GPU are free again.
  private var compositorFree: Int64 = 0
  private var gpuFree: Int64 = 0
  /// The number of the last refresh.
  private var refreshNumber: Int64 = 0

  private init(_ chains: [SurfaceWork], _ display: SimulatedDisplay, isLowLatency: Bool) {
    self.display = display
    self.isLowLatency = isLowLatency
    self.chains = chains.map(SimulatedChain.init)
  }

  /// Plays the work of surfaces that share a compositor, a GPU and a display.
  /// - Parameter isLowLatency: Whether commits are taken immediately, except those that animate.
  /// - Returns: The frames of each surface, in the order in which the compositor took them.
  package static func play(
    _ chains: [SurfaceWork], on display: SimulatedDisplay, isLowLatency: Bool = false
  ) -> [[SimulatedFrame]] {
    var simulation = PipelineSimulation(chains, display, isLowLatency: isLowLatency)
    simulation.run()
    return simulation.chains.map(\.frames)
  }

  private mutating func run() {
    events.add(.refresh(0), at: 0)
    while let (time, event) = events.next() {
      switch event {
      case .commit(let chain, let commit): chains[chain].consume(commit)
      case .gpuStart(let chain, let frame): startGPU(chain, frame, at: time)
      case .compositorFree: break
      case .ready(let chain, let frame): chains[chain].isReady(frame)
      case .bufferFree(let chain, let frame): release(chain, frame, at: time)
      case .appFree(let chain):
        if chains[chain].startsNow(after: refreshNumber) { startApp(chain, at: time) }
      case .refresh(let number): refresh(number, at: time)
      case .appStart(let chain): startApp(chain, at: time)
      case .wake: compose(at: time, isWake: true)
      }
      if isLowLatency { compose(at: time, isWake: false) }
    }
  }

  private mutating func refresh(_ number: Int64, at time: Int64) {
    refreshNumber = number
    swap(number, at: time)
    for index in chains.indices {
      if let offset = chains[index].startOffset(at: number) {
        events.add(.appStart(index), at: max(0, time + offset))
      }
    }
    events.add(.wake, at: display.wake(number))
    if chains.contains(where: \.isBusy) {
      events.add(.refresh(number + 1), at: display.time(number + 1))
    }
  }

  /// Puts the oldest finished frame of each surface on the display.
  private mutating func swap(_ number: Int64, at time: Int64) {
    for index in chains.indices {
      // Content that is tied to another surface is shown together with that surface.
      if let other = chains[index].work.shownWith, let unit = chains[index].nextShown,
        !chains[other].canSwap(unit)
      {
        continue
      }
      if let frame = chains[index].swap(number, at: time) {
        let delay = chains[index].frames[frame].work.releaseDelay
        events.add(.bufferFree(index, frame), at: time + delay)
      }
      goOn(index, at: time)
    }
  }

  private mutating func release(_ chain: Int, _ frame: Int, at time: Int64) {
    chains[chain].release(frame, at: time)
    goOn(chain, at: time)
  }

  /// Lets an app that waits for a buffer continue.
  private mutating func goOn(_ chain: Int, at time: Int64) {
    if let app = chains[chain].takeWaitingApp(at: time) { schedule(app, chain: chain) }
  }

  private mutating func startApp(_ chain: Int, at time: Int64) {
    if let app = chains[chain].startApp(at: time) { schedule(app, chain: chain) }
  }

  /// Schedules the app's commits. If the app draws into the buffers, its GPU work follows the last commit.
  private mutating func schedule(_ commits: [SimulatedCommit], chain: Int) {
    guard let last = commits.last else { return }
    events.add(.appFree(chain), at: last.app.upperBound)
    if chains[chain].work.isFilledByApp {
      let frame = chains[chain].addFrame([last], isLowLatency: false)
      events.add(.gpuStart(chain, frame), at: last.time)
    } else {
      for commit in commits { events.add(.commit(chain, commit), at: commit.time) }
    }
  }

  /// Lets the compositor take the pending work of all surfaces in one batch.
  /// - Parameter isWake: Whether a refresh woke the compositor; if not, the compositor takes only work that need not
  ///   wait.
  private mutating func compose(at time: Int64, isWake: Bool) {
    guard compositorFree <= time else { return }
    var taken: [(chain: Int, frame: Int)] = []
    for index in chains.indices {
      if let frame = chains[index].takeFrame(isLowLatency: isLowLatency, isWake: isWake) {
        taken.append((index, frame))
      }
    }
    guard !taken.isEmpty else { return }
    let length = taken.reduce(Int64(0)) { $0 + chains[$1.chain].frames[$1.frame].work.compositor }
    let end = time + length
    compositorFree = end
    events.add(.compositorFree, at: end)
    for (chain, frame) in taken {
      chains[chain].compose(frame, time..<end)
      if chains[chain].work.isFilledByApp {
        events.add(.ready(chain, frame), at: end)
      } else {
        let overlap = chains[chain].frames[frame].work.gpuOverlap
        events.add(.gpuStart(chain, frame), at: max(time, end - overlap))
      }
    }
  }

  private mutating func startGPU(_ chain: Int, _ frame: Int, at time: Int64) {
    let start = max(time, gpuFree)
    let end = start + chains[chain].frames[frame].work.gpu
    gpuFree = end
    let queued = chains[chain].draw(frame, start..<end)
    events.add(.ready(chain, frame), at: queued)
  }
}
