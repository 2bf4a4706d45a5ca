/// A value of an export.
enum XctraceValue {
  /// The export has no value.
  case missing
  case number(Int64)
  /// The text that Instruments shows, for a value without another form.
  case text(String)
  /// A value made of other values.
  case whole(XctraceWhole)

  /// The types whose parts are read; the parts of other types matter only as targets of references.
  static let wholes: Set<String> = [
    "thread", "process", "backtrace", "tagged-backtrace", "text-backtrace", "frame", "narrative",
  ]

  var number: Int64? {
    if case .number(let number) = self { return number }
    return nil
  }

  /// The text of a value; the displayed text if the value has no other.
  var text: String? {
    switch self {
    case .missing: nil
    case .number(let number): "\(number)"
    case .text(let text): text
    case .whole(let whole): whole.shown
    }
  }

  /// The first part of a type; `.missing` when there is none.
  func part(_ type: String) -> XctraceValue {
    guard case .whole(let whole) = self else { return .missing }
    return whole.parts.first { $0.type == type }?.value ?? .missing
  }

  /// The last part that is a number; `nil` when there is none.
  var lastNumber: Int64? {
    guard case .whole(let whole) = self else { return nil }
    return whole.parts.last { $0.value.number != nil }?.value.number
  }
}

/// A value made of other values: the text that Instruments shows, and the parts with their types.
///
/// A class, because rows refer to the same value repeatedly and derived values are computed once.
final class XctraceWhole {
  let shown: String
  let parts: [(type: String, value: XctraceValue)]
  /// The function of a `frame`.
  private(set) lazy var function = XctraceFunction(self)
  /// The functions of a backtrace.
  private(set) lazy var stack = XctraceFunction.stack(of: self)

  init(shown: String, parts: [(type: String, value: XctraceValue)]) {
    (self.shown, self.parts) = (shown, parts)
  }
}

/// A process, as values name it: `TestApp (1001)`.
struct XctraceProcess: Hashable {
  let name: String?
  let identifier: Int64?

  /// - Returns: `nil` if nothing is known about the process.
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

  /// - Returns: `nil` if the thread has no number.
  init?(_ value: XctraceValue) {
    guard let identifier = value.part("tid").number else { return nil }
    self.identifier = identifier
    process = XctraceProcess(value.part("process"))
    let shown = value.text ?? ""
    // Names can contain brackets, so the process's name and number show where the process begins.
    let owner = " (\(process?.name ?? ""), pid: \(process?.identifier ?? 0))"
    var name =
      shown.hasSuffix(owner)
      ? String(shown.dropLast(owner.count))
      : shown.hasSuffix(")") && shown.contains(", pid: ") ? shown.beforeLast(" (") : shown
    // The thread's number comes before the process, with or without brackets.
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
  /// The program or library that contains it.
  let library: String?
  /// Whether the function is part of an app and not of the system; `nil` if unknown.
  let isOwn: Bool?

  fileprivate init?(_ frame: XctraceWhole) {
    guard !frame.shown.isEmpty else { return nil }
    name = frame.shown
    let binary = XctraceValue.whole(frame).part("binary")
    library = binary.text
    isOwn = binary.part("path").text.map(Self.isOwn)
  }

  /// Whether the file at a path belongs to an app.
  static func isOwn(_ path: String) -> Bool {
    path.contains(".app/") && !path.hasPrefix("/System/")
  }

  /// The functions of a backtrace, the innermost last; `nil` if it has no functions with a name.
  static func stack(_ value: XctraceValue) -> [XctraceFunction]? {
    guard case .whole(let whole) = value else { return nil }
    return whole.stack
  }

  fileprivate static func stack(of whole: XctraceWhole) -> [XctraceFunction]? {
    // A tagged backtrace contains the actual one.
    if case .whole(let inner) = XctraceValue.whole(whole).part("backtrace") { return inner.stack }
    let functions = whole.parts.reversed().compactMap { part -> XctraceFunction? in
      guard part.type == "frame", case .whole(let frame) = part.value else { return nil }
      return frame.function
    }
    return functions.isEmpty ? nil : functions
  }
}

extension String {
  /// The text before the last occurrence of a separator; `nil` if there is none.
  func beforeLast(_ separator: String) -> String? {
    ranges(of: separator).last.map { String(self[..<$0.lowerBound]) }
  }
}
