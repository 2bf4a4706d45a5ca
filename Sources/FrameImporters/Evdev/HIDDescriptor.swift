/// The positions of the fields in a touch device's reports, from its report descriptor.
///
/// USB, "Device Class Definition for Human Interface Devices", 6.2.2, and "HID Usage Tables", page 0x0d.
struct HIDDescriptor {
  /// The meaning of a field.
  enum Usage: UInt32 {
    case tipSwitch = 0x000d_0042
    case contactIdentifier = 0x000d_0051
    case contactCount = 0x000d_0054
    case scanTime = 0x000d_0056
    case x = 0x0001_0030
    case y = 0x0001_0031
  }

  /// The purpose of a device that reports contacts.
  enum Application: UInt32 {
    case digitizer = 0x000d_0001
    case pen = 0x000d_0002
    case touchScreen = 0x000d_0004
    case touchPad = 0x000d_0005
  }

  struct Field {
    let usage: Usage
    /// The first bit, after the report's number if there is one.
    let bit: Int
    let size: Int
    let application: Application
    /// The collection within the application, one per finger; 0 for none.
    let group: Int
  }

  /// Fields by the report's number; 0 if reports have no number.
  private(set) var reports: [UInt8: [Field]] = [:]
  private(set) var hasNumbers = false

  /// The state that applies to the fields that follow.
  private struct Global {
    var page: UInt32 = 0
    var size = 0
    var count = 0
    var report: UInt8 = 0
  }

  private var global = Global()
  private var stack: [Global] = []
  private var usages: [UInt32] = []
  private var range: (low: UInt32?, high: UInt32?) = (nil, nil)
  private var bits: [UInt8: Int] = [:]
  private var application: Application?
  private var depth = 0
  private var group = 0
  private var groupCount = 0
  private var fieldCount = 0

  private static let longestReport = 1 << 16
  /// The maximum length of a descriptor and number of fields accepted.
  private static let longest = 1 << 16
  private static let mostFields = 1024

  /// - Parameter bytes: The descriptor.
  init(_ bytes: [UInt8]) {
    let end = min(bytes.count, Self.longest)
    var position = 0
    while position < end {
      let prefix = bytes[position]
      // Long items do not describe fields.
      if prefix == 0xfe {
        position += 3 + (position + 1 < end ? Int(bytes[position + 1]) : 0)
        continue
      }
      let length = [0, 1, 2, 4][Int(prefix & 3)]
      guard position + length < end else { break }
      let data = (0..<length).reduce(UInt32(0)) {
        $0 | UInt32(bytes[position + 1 + $1]) << (8 * $1)
      }
      position += 1 + length
      consume(prefix & 0xfc, data, length: length)
    }
  }

  private mutating func consume(_ item: UInt8, _ data: UInt32, length: Int) {
    let usage = length == 4 ? data : global.page | data
    switch item {
    case 0x04: global.page = data << 16
    case 0x74: global.size = min(Int(data), 64)
    case 0x94: global.count = min(Int(data), 4096)
    case 0x84:
      global.report = UInt8(truncatingIfNeeded: data)
      hasNumbers = true
    case 0xa4: if stack.count < 64 { stack.append(global) }
    case 0xb4: global = stack.popLast() ?? global
    case 0x08: if usages.count < Self.mostFields { usages.append(usage) }
    case 0x18: range.low = usage
    case 0x28: range.high = usage
    case 0xa0: open()
    case 0xc0: close()
    case 0x80: addFields(isConstant: data & 1 == 1)
    case 0x90, 0xb0: (usages, range) = ([], (nil, nil))
    default: break
    }
  }

  /// Opens a collection. The outermost collection is the device's purpose; a collection within it, with everything
  /// inside, belongs to a finger.
  private mutating func open() {
    if depth == 0 { application = usages.last.flatMap(Application.init) }
    if depth == 1 {
      groupCount += 1
      group = groupCount
    }
    depth += 1
    (usages, range) = ([], (nil, nil))
  }

  private mutating func close() {
    depth = max(0, depth - 1)
    if depth == 1 { group = 0 }
    if depth == 0 { application = nil }
  }

  private mutating func addFields(isConstant: Bool) {
    let start = bits[global.report] ?? 0
    bits[global.report] = min(start + global.size * global.count, Self.longestReport)
    defer { (usages, range) = ([], (nil, nil)) }
    guard !isConstant, global.size > 0, let application else { return }
    for index in 0..<global.count where fieldCount < Self.mostFields {
      // The last usage applies to all remaining fields; a range counts up.
      var usage = index < usages.count ? usages[index] : usages.last
      if usages.isEmpty, let low = range.low { usage = low &+ UInt32(index) }
      guard let known = usage.flatMap({ Usage(rawValue: $0) }) else { continue }
      fieldCount += 1
      reports[global.report, default: []].append(
        Field(
          usage: known, bit: start + index * global.size, size: global.size,
          application: application, group: group))
    }
  }

  /// Whether the device reports contacts.
  var hasContacts: Bool { reports.values.joined().contains { $0.usage == .tipSwitch } }

  /// The fields of a report and their values, in order.
  func values(_ report: [UInt8]) -> [(field: Field, value: Int64)] {
    guard let first = report.first else { return [] }
    let fields = reports[hasNumbers ? first : 0] ?? []
    let data = hasNumbers ? report.dropFirst() : report[...]
    return fields.compactMap { field in
      guard (field.bit + field.size + 7) / 8 <= data.count else { return nil }
      var value: Int64 = 0
      for offset in 0..<min(field.size, 62) {
        let bit = field.bit + offset
        let byte = data[data.startIndex + bit / 8]
        value |= Int64(byte >> (bit % 8) & 1) << offset
      }
      return (field, value)
    }
  }
}
