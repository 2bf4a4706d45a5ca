import FrameTrace

/// The table of contents of a recording, as `xctrace export --toc` writes it:
///
///     <trace-toc><run number="1"><info><target><device model="iPhone 15" os-version="26.1"/>…
///     <summary><duration>93.275372</duration><template-name>Animation Hitches</template-name>…
///     <data><table schema="hitches"/>…
struct XctraceContents {
  /// A description of how each run was made.
  private(set) var conditions: [String] = []
  /// The tables of all runs, each once and in order.
  private(set) var tables: [String] = []

  /// Whether an input is a table of contents, judged by its start.
  static func recognizes(_ head: FileHead) -> Bool {
    head.lines(10).joined(separator: "\n").contains("<trace-toc")
  }

  init(_ input: InputFile) throws(ParseError) {
    let reader = try XMLReader(input)
    var run = Run()
    var seen: Set<String> = []
    // A list of all processes comes after the target.
    var isInTarget = false
    while let event = try reader.next() {
      switch event {
      case .start(let element):
        let attributes = reader.attributes(element)
        let named = { (key: String) in
          attributes.first { $0.name == key && !$0.value.isEmpty }?.value
        }
        switch reader.text(element.name) {
        case "run": run = Run()
        case "target": isInTarget = true
        case "device" where isInTarget:
          let system = [named("platform"), named("os-version")].compactMap { $0 }
          run.device = named("model") ?? named("name")
          run.system = system.isEmpty ? nil : system.joined(separator: " ")
        case "process" where isInTarget: run.process = run.process ?? named("name")
        case "table":
          if let table = named("schema"), seen.insert(table).inserted { tables.append(table) }
        case "duration": run.duration = reader.text(element.text)
        case "template-name": run.template = reader.text(element.text)
        default: break
        }
      case .end(let name):
        switch reader.text(name) {
        case "target": isInTarget = false
        case "run": if let words = run.words { conditions.append(words) }
        default: break
        }
      case .text: break
      }
    }
  }

  /// A run of a recording.
  private struct Run {
    var device, system, process, template, duration: String?

    /// A description of the run; `nil` if nothing is known about it.
    var words: String? {
      let parts = [
        device.map { "on \($0)" }, system.map { "with \($0)" }, process.map { "of \($0)" },
        template.map { "with the template \($0)" }, duration.map { "for \($0) s" },
      ].compactMap { $0 }
      return parts.isEmpty ? nil : "recorded " + parts.joined(separator: ", ")
    }
  }
}
