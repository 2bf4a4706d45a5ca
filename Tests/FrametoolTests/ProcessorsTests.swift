import Foundation
import FrameKit
import Synchronization
import Testing

@testable import FrameTrace
@testable import frametool

/// The threads that share a command's work.
@Suite struct ProcessorsTests {
  /// What is carried out at once, and how often each piece was.
  private final class Watch: Sendable {
    private let state = Mutex((active: 0, highest: 0, calls: [Int: Int]()))

    /// Takes so long that other threads begin meanwhile.
    func work(on number: Int) {
      state.withLock { state in
        state.active += 1
        state.highest = max(state.highest, state.active)
        state.calls[number, default: 0] += 1
      }
      usleep(2000)
      state.withLock { $0.active -= 1 }
    }

    var highest: Int { state.withLock { $0.highest } }
    var calls: [Int: Int] { state.withLock { $0.calls } }
  }

  @Test(arguments: [1, 2, 3, 16], [0, 1, 2, 100])
  func everyPieceIsCarriedOutOnce(_ most: Int, _ count: Int) {
    let watch = Watch()
    let values = Parallelism.processors(atOnce: most).map(count) { number in
      watch.work(on: number)
      return number * number
    }
    #expect(values == (0..<count).map { $0 * $0 })
    #expect(watch.calls == Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, 1) }))
    #expect(watch.highest <= most)
  }

  /// However deeply work is divided, no more threads than wanted work on it.
  @Test(arguments: [1, 2, 3, 7])
  func dividedWorkKeepsTheLimit(_ most: Int) {
    let parallelism = Processors(most).parallelism
    let watch = Watch()
    let sums = parallelism.map(7) { outer in
      parallelism.map(5) { middle in
        parallelism.map(3) { inner in
          let number = outer * 100 + middle * 10 + inner
          watch.work(on: number)
          return number
        }.reduce(0, +)
      }.reduce(0, +)
    }
    #expect(sums == (0..<7).map { outer in 15 * outer * 100 + 3 * 100 + 5 * 3 })
    #expect(watch.calls.count == 105 && watch.calls.values.allSatisfy { $0 == 1 })
    #expect(watch.highest <= most)
  }

  /// Two pieces that wait for each other both end: they are carried out at the same time.
  @Test(.timeLimit(.minutes(5)))
  func piecesAreCarriedOutAtTheSameTime() {
    let begun = Atomic(0)
    let met = Processors(2).parallelism.map(2) { _ in
      begun.wrappingAdd(1, ordering: .relaxed)
      for _ in 0..<60_000 where begun.load(ordering: .relaxed) < 2 { usleep(1000) }
      return begun.load(ordering: .relaxed) == 2
    }
    #expect(met == [true, true])
  }

  /// A trace is analyzed in parallel from one number of frames up to another, on as many threads as `--jobs` allows.
  @Test(arguments: [
    (0, 1), (1, 1), (9_999, 1), (10_000, 3), (4_000_000, 3), (4_000_001, 1), (Int.max, 1),
  ])
  func someTracesAreAnalyzedInParallel(_ frames: Int, _ threads: Int) {
    var choice = TraceChoice()
    choice.jobs = 3
    #expect(choice.parallelism(forFrames: frames).most == threads)
    choice.jobs = 1
    #expect(choice.parallelism(forFrames: frames).most == 1)
  }

  /// Items that fail do not affect the results of the others.
  @Test func errorsKeepTheirPositions() {
    let results = Concurrently.map(40, atOnce: 3) { number throws(CommandError) in
      guard number % 7 != 3 else { throw CommandError(.usage, "\(number)") }
      return number
    }
    for (number, result) in results.enumerated() {
      switch result {
      case .success(let value): #expect(value == number && number % 7 != 3)
      case .failure(let error): #expect(error.message == "\(number)" && number % 7 == 3)
      }
    }
  }

  /// All threads know the file that is read.
  @Test func allThreadsKnowTheFile() {
    let files = ProgramBuild.reading("long.csv") {
      Parallelism.processors(atOnce: 4).map(64) { _ in ProgramBuild.file }
    }
    #expect(files == Array(repeating: "long.csv", count: 64))
    #expect(ProgramBuild.file.isEmpty)
  }

  /// A long trace is read and analyzed the same by one thread and by several.
  @Test(arguments: ["analyze", "info"])
  func oneThreadPrintsTheSame(_ command: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("long.csv")
    let made = Run([
      "generate", "dropped-frames", "--frames", "21000", "--encode", "presentmon", "-o", path,
    ])
    #expect(made.status == .success)
    #expect(try Data(contentsOf: folder.url.appending(path: "long.csv")).count > 3 << 20)
    let outputs = ["1", "7"].map { jobs in
      let result = Run([command, path, "--jobs", jobs, "--format", "json"])
      #expect(result.status == .success, "\(result.errors)")
      return result.output
    }
    #expect(!outputs[0].isEmpty)
    #expect(Set(outputs).count == 1)
  }
}
