import Foundation
import Testing

@testable import frametool

/// Formats of dashboards and CI systems, read as those read them.
@Suite struct DashboardTests {
  /// Runs of one game, and an analysis of them in a format.
  private static func analyze(
    _ format: String, runs: Int = 1, _ arguments: [String] = []
  ) throws -> String {
    let folder = try TemporaryFolder()
    let files = (1...runs).map { "run\($0).csv" }
    for (index, file) in files.enumerated() {
      _ = Run([
        "generate", "uncapped-game", "--seed", "\(index + 1)", "--frames", "500", "--encode",
        "presentmon", "-o", folder.path(file),
      ])
    }
    let run = Run(
      ["analyze", "--format", format] + arguments + files, in: URL(filePath: folder.path("")))
    #expect(run.status == .success && run.errors == "", "\(run.errors)")
    return run.output
  }

  private static func json(_ text: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(text.utf8))
  }

  @Test(.enabled(if: Checker.hasPromtool, Comment(rawValue: Checker.absence)))
  func prometheusReadsOpenMetrics() throws {
    let text = try Self.analyze("openmetrics")
    #expect(text.hasSuffix("\n# EOF\n"))
    #expect(
      text.contains("frametool_frame_time_seconds{program=\"uncapped.exe\",statistic=\"p50\"} 0.00")
    )
    let checked = try Checker.run(
      try #require(Checker.promtool), ["check", "metrics"], input: text)
    #expect(checked.status == 0 && checked.output == "", "\(checked.output)")
    // The checker notices what is wrong.
    let broken = try Checker.run(
      try #require(Checker.promtool), ["check", "metrics"], input: text + "frametool{")
    #expect(broken.status != 0)
  }

  @Test func familiesAreNotInterleaved() throws {
    let lines = try Self.analyze("openmetrics").split(separator: "\n")
    let families = lines.filter { $0.hasPrefix("# TYPE") }.map { $0.split(separator: " ")[2] }
    #expect(Set(families).count == families.count && families.count > 5)
    var current: Substring?
    for line in lines.dropLast() {
      if line.hasPrefix("# TYPE") { current = line.split(separator: " ")[2] }
      let name = try #require(current)
      #expect(line.hasPrefix("#") || line.hasPrefix("\(name){"), "\(line)")
    }
  }

  /// Of several runs, each figure is the median, with the lowest and the highest.
  @Test func bencherHasMeasuresWithBounds() throws {
    let one = try #require(
      Self.json(Self.analyze("bencher")) as? [String: [String: [String: Double]]])
    #expect(one.keys.sorted() == ["uncapped.exe"])
    let measure = try #require(one["uncapped.exe"]?["p95(frameTime) in ms"])
    #expect(measure.keys.sorted() == ["value"])
    let three = try #require(
      Self.json(Self.analyze("bencher", runs: 3)) as? [String: [String: [String: Double]]])
    for (name, measure) in try #require(three["uncapped.exe"]) {
      let value = try #require(measure["value"])
      let (low, high) = (try #require(measure["lower_value"]), try #require(measure["upper_value"]))
      #expect(low <= value && value <= high, "\(name)")
      #expect(name.count <= 64)
    }
  }

  @Test func aBenchmarkActionGetsWhatIsBetterSmaller() throws {
    let list = try #require(
      Self.json(Self.analyze("github-action-benchmark", runs: 2)) as? [[String: Any]])
    let names = list.compactMap { $0["name"] as? String }
    #expect(names.contains("uncapped.exe: p95(frameTime)") && names.count == list.count)
    #expect(!names.contains { $0.contains("averageFrameRate") })
    for item in list {
      #expect(item["unit"] is String && item["value"] is NSNumber, "\(item)")
      #expect((item["range"] as? String)?.contains(" to ") == true)
      #expect((item["extra"] as? String)?.hasSuffix("runs 2") == true)
    }
  }

  /// The frames above a threshold are those that a budget counts; frames at the display's rate are
  /// no jank.
  @Test func telemetryCountsJank() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("scroll.jsonl")
    _ = Run(["generate", "gpu-overrun", "-o", path])
    let text = Run(["analyze", path, "--format", "otlp"]).output
    #expect(text.split(separator: "\n").count == 1)
    let root = try #require(Self.json(text) as? [String: [[String: Any]]])
    let resource = try #require(root["resourceLogs"]?.first)
    let scope = try #require((resource["scopeLogs"] as? [[String: Any]])?.first)
    let records = try #require(scope["logRecords"] as? [[String: Any]])
    #expect(records.map { $0["eventName"] as? String } == ["app.jank"])
    let attributes = try #require(records[0]["attributes"] as? [[String: Any]])
    #expect(
      attributes.map { $0["key"] as? String }
        == ["app.jank.frame_count", "app.jank.period", "app.jank.threshold"])
    let values = attributes.map { $0["value"] as? [String: Any] }
    let threshold = try #require(values[2]?["doubleValue"] as? Double)
    #expect(abs(threshold - 0.025) < 1e-4)
    let budget = Run(["analyze", path, "--format", "json", "--budget", "\(threshold * 1000)"])
      .output
    let analysis = try #require(Self.json(budget) as? [String: Any])
    let surface = try #require((analysis["surfaces"] as? [[String: Any]])?.first)
    let over = try #require((surface["over_budget"] as? [String: Any])?["frames"] as? Int)
    #expect(over > 0 && values[0]?["intValue"] as? String == "\(over)")
    let steady = Run(
      line: "frametool generate steady-60 --frames 600 | frametool analyze - --format otlp")
    #expect(steady.output == "" && steady.errors.hasPrefix("note: "))
    let selected = Run(["analyze", path, "--format", "otlp", "--metrics", "gpuBusy"])
    #expect(selected.status == .usage)
  }

  /// Names cannot end a label, whatever marks follow a quotation mark.
  @Test(.enabled(if: Checker.hasPromtool, Comment(rawValue: Checker.absence)))
  func namesStayInTheirLabels() throws {
    for name in [#"p\"\u0301} 1\n"#, #"a\\\u0301b"#, #"x\ny"#, ""] {
      var lines = [
        #"{"schema": "frametool.trace/1", "unit": "ms"}"#,
        #"{"type": "surface", "id": "a", "process": "\#(name)"}"#,
      ]
      for frame in 0..<40 {
        lines.append(#"{"type": "frame", "displayed": \#(Double(frame) * 16.667)}"#)
      }
      let run = Run(
        ["analyze", "-", "--format", "openmetrics"],
        input: Array(lines.joined(separator: "\n").utf8))
      let checked = try Checker.run(
        try #require(Checker.promtool), ["check", "metrics"], input: run.output)
      #expect(checked.status == 0, "\(name): \(checked.output)")
      #expect(!run.output.contains("program=\"\""))
    }
  }

  /// A figure of some runs only is not that of the program, and unknown programs are their files.
  @Test func onlyWhatAllRunsHaveIsAFigure() throws {
    let folder = try TemporaryFolder()
    for (name, scenario) in [("a", "steady-60"), ("b", "steady-60")] {
      _ = Run(["generate", scenario, "--frames", "300", "-o", folder.path("\(name).jsonl")])
    }
    _ = Run(["generate", "steady-60", "--frames", "60", "-o", folder.path("short.jsonl")])
    let names = { (files: [String]) throws -> [String] in
      let run = Run(["analyze", "--format", "bencher"] + files.map { folder.path($0) })
      let measures = try #require(Self.json(run.output) as? [String: [String: Any]])
      return measures.values.flatMap { $0.keys }.sorted()
    }
    #expect(try names(["a.jsonl", "b.jsonl"]).contains("p99(frameTime) in ms"))
    let mixed = try names(["a.jsonl", "short.jsonl"])
    #expect(mixed.contains("p50(frameTime) in ms") && !mixed.contains("p99(frameTime) in ms"))
  }

  @Test func selectedMetricsAreWhatADashboardGets() throws {
    let measures = try #require(
      Self.json(Self.analyze("bencher", ["--metrics", "gpuBusy"])) as? [String: [String: Any]])
    let names = measures["uncapped.exe"]?.keys.sorted() ?? []
    #expect(!names.isEmpty && names.allSatisfy { $0.contains("(gpuBusy) in ms") })
    let refused = Run(["analyze", "Samples/game.csv", "--all", "--format", "bencher"])
    #expect(refused.status == .usage && refused.errors.contains("no effect with --format"))
  }

  /// OpenTelemetry's own definitions read every line, and refuse a key that they do not know.
  @Test(.enabled(if: Checker.hasTelemetry, Comment(rawValue: Checker.absence)))
  func openTelemetryReadsOTLP() throws {
    let program = """
      import sys
      from google.protobuf.json_format import Parse
      from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
      for line in sys.stdin:
          request = Parse(line, ExportLogsServiceRequest())
          for resource in request.resource_logs:
              for scope in resource.scope_logs:
                  for record in scope.log_records:
                      print(record.event_name, len(record.attributes))
      """
    let text = Run(line: "frametool generate app-overrun | frametool analyze - --format otlp")
      .output
    let read = try Checker.run(Checker.python, ["-c", program], input: text)
    #expect(read.status == 0 && read.output == "app.jank 3\n", "\(read.output)")
    let changed = text.replacing("\"eventName\"", with: "\"event\"")
    let refused = try Checker.run(Checker.python, ["-c", program], input: changed)
    #expect(refused.status != 0)
  }
}

/// A GitHub workflow: its annotations, its summary, and the file in the documentation.
@Suite struct WorkflowTests {
  private static func games(_ folder: TemporaryFolder, _ names: [String], app: String) {
    for (index, name) in names.enumerated() {
      _ = Run([
        "generate", app, "--seed", "\(index + 1 + (name.hasPrefix("branch") ? 10 : 0))", "--frames",
        "60\(index)", "--encode", "presentmon", "-o", folder.path("\(name).csv"),
      ])
    }
  }

  @Test func anAnnotationAndASummaryHaveTheVerdict() throws {
    let folder = try TemporaryFolder()
    let summary = folder.path("summary.md")
    let variables = ["GITHUB_STEP_SUMMARY": summary]
    Self.games(folder, ["base-1", "base-2", "base-3"], app: "uncapped-game")
    Self.games(folder, ["branch-1", "branch-2", "branch-3"], app: "uncapped-game")
    let files = { (side: String) in (1...3).map { folder.path("\(side)-\($0).csv") } }
    let compare =
      ["compare", "--before"] + files("base") + ["--after"] + files("branch")
    let run = Run(compare + ["--format", "github"], variables: variables)
    let verdict = Run(compare + ["--format", "text"]).output
    let first = try #require(verdict.split(separator: "\n").first)
    let level = first.hasPrefix("fine") ? "notice" : "warning"
    #expect(run.output.hasPrefix("::\(level) title=frametool compare::"), "\(run.output)")
    #expect(run.output.contains("%25") && run.output.hasSuffix(verdict))
    let gate = Run(
      ["gate", folder.path("base-1.csv"), "--limit", "p50(frameTime)<=1ms", "--format", "github"],
      variables: variables)
    #expect(gate.status == .regression)
    #expect(gate.output.hasPrefix("::error title=frametool gate%3A "), "\(gate.output)")
    let written = try String(contentsOfFile: summary, encoding: .utf8)
    #expect(written.hasPrefix("<!-- frametool compare -->\n"))
    #expect(written.contains("p50(frameTime)"), "the gate is appended")
  }

  /// Names in a trace are no commands of the workflow.
  @Test func namesAreNoCommands() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("::error::pwn.jsonl")
    let name = #"G\n::add-mask::x\n ::stop-commands::y\n##[error]z"#
    var lines = [
      #"{"schema": "frametool.trace/1", "unit": "ms"}"#,
      #"{"type": "surface", "id": "a", "process": "\#(name)"}"#,
    ]
    for frame in 0..<40 {
      lines.append(#"{"type": "frame", "displayed": \#(Double(frame) * 16.667)}"#)
    }
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    let run = Run(["gate", path, "--limit", "p50(frameTime)<=1ms", "--format", "github"])
    #expect(run.status == .regression)
    let commands = run.output.split(whereSeparator: \.isNewline).filter {
      $0.trimmingCharacters(in: .whitespaces).hasPrefix("::") || $0.contains("##[")
    }
    #expect(commands.count == 1 && commands[0].hasPrefix("::error title=frametool gate"))
  }

  /// The verdict's status stays, whatever becomes of the summary.
  @Test func aSummaryThatCannotBeWrittenIsNoted() throws {
    let folder = try TemporaryFolder()
    for path in [folder.path(""), folder.path("missing/summary.md")] {
      let run = Run(
        ["gate", "Samples/game.csv", "--limit", "p50(frameTime)<=1ms", "--format", "github"],
        variables: ["GITHUB_STEP_SUMMARY": path])
      #expect(run.status == .regression, "\(path)")
      #expect(run.errors.hasPrefix("note: the step's summary is not written"), "\(run.errors)")
    }
  }

  @Test func aFullSummaryIsLeftAsItIs() throws {
    let folder = try TemporaryFolder()
    let summary = folder.path("summary.md")
    let full = String(repeating: "x", count: StepSummary.mostBytes - 10)
    try full.write(toFile: summary, atomically: true, encoding: .utf8)
    let run = Run(
      ["gate", "Samples/game.csv", "--limit", "p50(frameTime)<=9ms", "--format", "github"],
      variables: ["GITHUB_STEP_SUMMARY": summary])
    #expect(run.status == .success && run.errors.contains("the step's summary is full"))
    #expect(try String(contentsOfFile: summary, encoding: .utf8).count == full.count)
  }

  /// The workflow in the documentation is YAML, and its steps run in a shell.
  @Test(.enabled(if: Checker.hasYAML, Comment(rawValue: Checker.absence)))
  func theDocumentedWorkflowRuns() throws {
    let page = try MarkdownPage("Sources/FrameKit/FrameKit.docc/Comparing.md")
    let blocks = page.blocks("yaml")
    #expect(blocks.count == 1)
    for block in blocks {
      let parsed = try Checker.run(
        Checker.python,
        ["-c", "import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)"],
        input: block)
      let workflow = try #require(
        JSONSerialization.jsonObject(with: Data(parsed.output.utf8)) as? [String: Any])
      let jobs = try #require(workflow["jobs"] as? [String: [String: Any]])
      let session = try ShellSession()
      for side in ["base", "branch"] {
        for run in 1...3 {
          let seed = side == "base" ? run : run + 10
          _ = try session.run(
            "frametool generate uncapped-game --seed \(seed) --frames 60\(run) --encode presentmon -o \(side)-\(run).csv"
          )
        }
      }
      for job in jobs.values {
        let steps = try #require(job["steps"] as? [[String: Any]])
        #expect(!steps.isEmpty)
        for step in steps {
          let line = try #require(step["run"] as? String)
          let output = try session.run("\(line); echo \"exit status $?\"")
          #expect(output.hasSuffix("exit status 0\n"), "\(line): \(output)")
        }
      }
    }
  }
}

/// JSON of several traces, and its numbers.
@Suite struct ResultNumberTests {
  @Test func aTraceThatCannotBeReadDoesNotChangeTheForm() throws {
    let run = Run(["analyze", "Samples/game.csv", "missing.csv", "--format", "json"])
    #expect(run.status == .inputOutput)
    let root = try #require(
      JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect((root["analyses"] as? [Any])?.count == 1)
    let failed = try #require(root["failed"] as? [String])
    #expect(failed.count == 1 && failed[0].hasPrefix("missing.csv: "))
  }

  @Test func numbersHaveNoMoreDigitsThanTheyMean() throws {
    let json = Run(["analyze", "Samples/game.csv", "--format", "json"]).output
    for number in json.matches(of: #/: (-?\d+\.\d+)/#) {
      let decimals = number.1.split(separator: ".")[1]
      let isSmall = number.1.hasPrefix("0.") || number.1.hasPrefix("-0.")
      #expect(decimals.count <= 6 || isSmall, "\(number.1)")
      #expect(decimals.drop { $0 == "0" }.count <= 6, "\(number.1)")
    }
  }

  /// A trace with hundreds of drops has a line for each.
  @Test func eventsHaveALineEach() throws {
    let trace = Array(Run(["generate", "app-overrun-sustained", "--frames", "400"]).output.utf8)
    let json = Run(["analyze", "-", "--format", "json"], input: trace).output
    let drops = json.split(separator: "\n").filter { $0.contains("\"refresh\":") }
    #expect(drops.count > 100)
    #expect(drops.allSatisfy { $0.contains("\"cause_frame\":") })
  }
}
