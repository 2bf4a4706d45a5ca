import Testing

@testable import Fixtures
@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameTrace

/// Launches of apps, as Android marks them in the kernel's log, read as text and through Perfetto.
@Suite struct AndroidLaunchTests {
  /// A mark: the process and thread that wrote it, its time in ms, and its text.
  private typealias Mark = (process: Int64, thread: Int64, time: Int64, text: String)

  private static let system: Int64 = 1000
  private static let app: Int64 = 2000
  private static let render: Int64 = 2010

  private static func slice(
    _ thread: Int64, _ name: String, _ start: Int64, _ end: Int64
  ) -> [Mark] {
    [(app, thread, start, "B|\(app)|\(name)"), (app, thread, end, "E|\(app)")]
  }

  /// The system's slice of 300 ms, the app's work in it, and its first frame 280 ms after the
  /// intent.
  private static func launch(
    _ number: Int, at start: Int64, steps: [String], outcome: String?, frame: Int64 = 7
  ) -> [Mark] {
    let name = "launchingActivity#\(number)"
    var marks: [Mark] = [
      (system, system, start, "S|\(system)|\(name)|0"),
      (system, system, start + 300, "F|\(system)|\(name)|0"),
    ]
    if let outcome {
      marks.append((system, system, start + 301, "I|\(system)|\(name):\(outcome)"))
    }
    for (position, step) in steps.enumerated() {
      let begin = start + 50 + Int64(position) * 50
      marks += slice(app, step, begin, begin + 40)
    }
    marks += slice(app, "Choreographer#doFrame \(frame)", start + 240, start + 260)
    marks += slice(render, "DrawFrames \(frame)", start + 262, start + 280)
    return marks
  }

  private static let cold = ["bindApplication", "activityStart", "activityResume"]

  private static func text(_ marks: [Mark]) -> [UInt8] {
    let names = [system: "system_server", app: "com.example.app", render: "RenderThread"]
    let lines = marks.sorted { $0.time < $1.time }.map { mark in
      let time = "\(mark.time / 1000).\(String(1000 + mark.time % 1000).dropFirst())000"
      return
        "\(names[mark.thread] ?? "x")-\(mark.thread) (\(mark.process)) [000] ...1 \(time): tracing_mark_write: \(mark.text)"
    }
    return Array(("# tracer: nop\n" + lines.joined(separator: "\n") + "\n").utf8)
  }

  /// The marks as Perfetto stores them: each thread on a separate processor, one bundle each, the
  /// last one first.
  private static func perfetto(_ marks: [Mark]) -> [UInt8] {
    var file = ProtobufText()
    file.add(1) { packet in
      packet.add(2) { tree in
        for (identifier, name) in [(system, "system_server"), (app, "com.example.app")] {
          tree.add(1) { process in
            process.add(1, identifier)
            process.add(3, name)
          }
        }
      }
    }
    for (processor, thread) in [render, app, system].enumerated() {
      file.add(1) { packet in
        packet.add(1) { bundle in
          bundle.add(1, Int64(processor))
          for mark in marks.sorted(by: { $0.time < $1.time }) where mark.thread == thread {
            bundle.add(2) { event in
              event.add(1, mark.time * 1_000_000)
              event.add(2, thread)
              event.add(3) { $0.add(2, mark.text) }
            }
          }
        }
      }
    }
    return file.bytes
  }

  private static func launches(_ marks: [Mark]) throws -> [[RebuiltLaunch]] {
    try [text(marks), perfetto(marks)].map { bytes in
      LaunchAnalysis([try Importers.read(InputFile(bytes: bytes))]).all
    }
  }

  @Test(arguments: [
    ("completed-cold:com.example.app", cold, LaunchColumn.Kind.cold),
    ("completed:com.example.app", cold, .cold),
    ("completed:com.example.app", Array(cold.dropFirst()), .warm),
    ("completed-warm:com.example.app", cold, .warm),
    ("completed-hot:com.example.app", Array(cold.suffix(1)), .resume),
    ("completed:com.example.app", Array(cold.suffix(1)), .resume),
  ])
  func launchesGoFromTheIntentToTheFirstDrawnFrame(
    _ outcome: String, _ steps: [String], _ kind: LaunchColumn.Kind
  ) throws {
    let marks = Self.launch(3, at: 10_000, steps: steps, outcome: outcome)
    for launches in try Self.launches(marks) {
      #expect(launches.count == 1 && launches.first?.process == "com.example.app")
      #expect(launches.first?.kind == kind)
      #expect(launches.first?.total == Nanoseconds(280_000_000))
    }
  }

  /// An app's report that it is fully drawn counts from the end of the frame in which, or before
  /// which, it is made.
  @Test func theExtendedPhaseEndsWithTheFrameThatIsFullyDrawn() throws {
    var marks = Self.launch(
      3, at: 10_000, steps: Self.cold, outcome: "completed-cold:com.example.app")
    marks += Self.slice(Self.app, "reportFullyDrawn() for ComponentInfo{a/b}", 10_500, 10_501)
    marks += Self.slice(Self.app, "Choreographer#doFrame 8", 10_510, 10_530)
    marks += Self.slice(Self.render, "DrawFrames 8", 10_532, 10_550)
    for launches in try Self.launches(marks) {
      let extended = try #require(launches.first?.phases.first { $0.name == .extended })
      #expect(extended.end - extended.start == Nanoseconds(270_000_000))
    }
  }

  /// Failed starts are counted, and are not launches.
  @Test func startsThatFailedAreNone() throws {
    let marks =
      Self.launch(3, at: 10_000, steps: [], outcome: "failed")
      + Self.launch(4, at: 20_000, steps: Self.cold, outcome: "completed:com.example.app", frame: 9)
    for bytes in [Self.text(marks), Self.perfetto(marks)] {
      let trace = try Importers.read(InputFile(bytes: bytes))
      #expect(trace.launches.count == 1)
      #expect(trace.issues.contains { $0.message.hasPrefix("activity starts") })
    }
  }

  /// Before Android 13, the slice has the package's name, and the intent is a separate mark.
  @Test func olderLaunchesBeginWithTheIntent() throws {
    var marks = Self.launch(3, at: 10_000, steps: Self.cold, outcome: nil)
      .filter { !$0.text.contains("launchingActivity") }
    marks.append(
      (Self.system, Self.system, 10_000, "B|1000|MetricsLogger:launchObserverNotifyIntentStarted"))
    marks.append((Self.system, Self.system, 10_001, "E|1000"))
    marks.append((Self.system, Self.system, 10_020, "S|1000|launching: com.example.app|0"))
    marks.append((Self.system, Self.system, 10_300, "F|1000|launching: com.example.app|0"))
    for launches in try Self.launches(marks) {
      #expect(launches.map(\.total) == [Nanoseconds(280_000_000)])
      #expect(launches.first?.kind == .cold)
    }
  }
}
