/// A value of an export.
enum XctraceValue {
  /// The export has no value for it.
  case missing
  case number(Int64)
  /// Of a value that only people can read, what Instruments shows.
  case text(String)
  /// One made of others: what Instruments shows, and the parts with their types.
  case whole(shown: String, parts: [(type: String, value: XctraceValue)])

  /// The types whose parts are looked into; of others, parts are only what others refer to.
  static let wholes: Set<String> = [
    "thread", "process", "backtrace", "tagged-backtrace", "text-backtrace", "frame",
  ]

  var number: Int64? {
    if case .number(let number) = self { return number }
    return nil
  }

  /// A text, of what has only one for people that one.
  var text: String? {
    switch self {
    case .missing: nil
    case .number(let number): "\(number)"
    case .text(let text): text
    case .whole(let shown, _): shown
    }
  }

  /// The first part of a type; `.missing` when there is none.
  func part(_ type: String) -> XctraceValue {
    guard case .whole(_, let parts) = self else { return .missing }
    return parts.first { $0.type == type }?.value ?? .missing
  }
}

/// A process, as values name it: `TestApp (1001)`.
struct XctraceProcess: Hashable {
  let name: String?
  let identifier: Int64?

  /// - Returns: `nil` when nothing is known of it.
  init?(_ value: XctraceValue) {
    identifier = value.part("pid").number
    let shown = value.text ?? ""
    let name = shown.hasSuffix(")") ? shown.beforeLast(" (") ?? shown : shown
    self.name = name.isEmpty ? nil : name
    if identifier == nil, self.name == nil { return nil }
  }

  init(name: String?, identifier: Int64?) { (self.name, self.identifier) = (name, identifier) }
}

/// A thread, as values name it: `Main Thread (0x1e9000) (TestApp, pid: 1001)`.
struct XctraceThread: Hashable {
  let identifier: Int64
  let name: String?
  let process: XctraceProcess?

  /// - Returns: `nil` when it has no number.
  init?(_ value: XctraceValue) {
    guard let identifier = value.part("tid").number else { return nil }
    self.identifier = identifier
    process = XctraceProcess(value.part("process"))
    let shown = value.text ?? ""
    // Names have brackets of their own: what is known of the process tells where it begins.
    let owner = " (\(process?.name ?? ""), pid: \(process?.identifier ?? 0))"
    var name =
      shown.hasSuffix(owner)
      ? String(shown.dropLast(owner.count))
      : shown.hasSuffix(")") && shown.contains(", pid: ") ? shown.beforeLast(" (") : shown
    // The thread's number stands before it, with brackets or without.
    if let last = name?.split(separator: " ").last, last.hasPrefix("0x") || last.hasPrefix("(0x") {
      name = name?.beforeLast(" ")
    }
    self.name = name.flatMap { $0.isEmpty ? nil : $0 }
  }

  var isMain: Bool { name == "Main Thread" }
}

/// A function on a stack.
struct XctraceFunction: Hashable {
  let name: String
  /// The program or library that it is part of.
  let library: String?
  /// Whether it is part of an app and not of the system; `nil` when that is not known.
  let isOwn: Bool?

  init?(_ frame: XctraceValue) {
    guard let name = frame.text, !name.isEmpty else { return nil }
    self.name = name
    library = frame.part("binary").text
    isOwn = frame.part("binary").part("path").text.map(Self.isOwn)
  }

  /// Whether what is at a path belongs to an app.
  static func isOwn(_ path: String) -> Bool {
    path.contains(".app/") && !path.hasPrefix("/System/")
  }

  /// The functions of a backtrace, the innermost last; `nil` when it has none with a name.
  static func stack(_ value: XctraceValue) -> [XctraceFunction]? {
    let inner = value.part("backtrace")
    if case .whole = inner { return stack(inner) }
    guard case .whole(_, let parts) = value else { return nil }
    let functions = parts.reversed().compactMap {
      $0.type == "frame" ? XctraceFunction($0.value) : nil
    }
    return functions.isEmpty ? nil : functions
  }
}

extension String {
  /// What stands before the last place of a text; `nil` when it is not there.
  func beforeLast(_ separator: String) -> String? {
    ranges(of: separator).last.map { String(self[..<$0.lowerBound]) }
  }
}
