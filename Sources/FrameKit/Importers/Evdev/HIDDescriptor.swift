/// Where the fields of a touch device's reports stand, by its report descriptor.
///
/// USB, "Device Class Definition for Human Interface Devices", 6.2.2, and "HID Usage Tables", page 0x0d.
struct HIDDescriptor {
  /// What a field tells.
  enum Usage: UInt32 {
    case tipSwitch = 0x000d_0042
    case contactIdentifier = 0x000d_0051
    case contactCount = 0x000d_0054
    case scanTime = 0x000d_0056
    case x = 0x0001_0030
    case y = 0x0001_0031
  }

  struct Field {
    let usage: Usage
    /// The first bit, behind the report's number where there is one.
    let bit: Int
    let size: Int
    /// The collection it is in: a finger has one of its own.
    let collection: Int
  }

  /// Fields by the report's number; 0 where reports have none.
  private(set) var reports: [UInt8: [Field]] = [:]
  private(set) var hasNumbers = false

  /// What holds for the fields that follow.
  private struct Global {
    var page: UInt32 = 0
    var size = 0
    var count = 0
    var report: UInt8 = 0
  }

  private static let longestReport = 1 << 16

  /// - Parameter bytes: The descriptor.
  init(_ bytes: [UInt8]) {
    var global = Global()
    var stack: [Global] = []
    var usages: [UInt32] = []
    var range: (low: UInt32?, high: UInt32?) = (nil, nil)
    var bits: [UInt8: Int] = [:]
    var collection = 0
    var depth = 0
    var place = 0
    while place < bytes.count {
      let prefix = bytes[place]
      // Long items say nothing of fields.
      if prefix == 0xfe {
        place += 3 + (place + 1 < bytes.count ? Int(bytes[place + 1]) : 0)
        continue
      }
      let length = [0, 1, 2, 4][Int(prefix & 3)]
      guard place + length < bytes.count else { break }
      let data = (0..<length).reduce(UInt32(0)) { $0 | UInt32(bytes[place + 1 + $1]) << (8 * $1) }
      place += 1 + length
      switch prefix & 0xfc {
      case 0x04: global.page = data << 16
      case 0x74: global.size = min(Int(data), 64)
      case 0x94: global.count = min(Int(data), 4096)
      case 0x84:
        global.report = UInt8(truncatingIfNeeded: data)
        hasNumbers = true
      case 0xa4: if stack.count < 64 { stack.append(global) }
      case 0xb4: global = stack.popLast() ?? global
      case 0x08: usages.append(length == 4 ? data : global.page | data)
      case 0x18: range.low = length == 4 ? data : global.page | data
      case 0x28: range.high = length == 4 ? data : global.page | data
      case 0xa0:
        depth += 1
        collection += 1
        (usages, range) = ([], (nil, nil))
      case 0xc0: depth -= 1
      case 0x80:
        let start = bits[global.report] ?? 0
        add(usages, range, global, from: start, isConstant: data & 1 == 1, collection)
        bits[global.report] = min(start + global.size * global.count, Self.longestReport)
        (usages, range) = ([], (nil, nil))
      case 0x90, 0xb0: (usages, range) = ([], (nil, nil))
      default: break
      }
    }
  }

  private mutating func add(
    _ usages: [UInt32], _ range: (low: UInt32?, high: UInt32?), _ global: Global, from start: Int,
    isConstant: Bool, _ collection: Int
  ) {
    guard !isConstant, global.size > 0 else { return }
    for index in 0..<global.count {
      // The last usage holds for all that follow; a range counts on.
      var usage = index < usages.count ? usages[index] : usages.last
      if usages.isEmpty, let low = range.low { usage = low &+ UInt32(index) }
      guard let known = usage.flatMap({ Usage(rawValue: $0) }) else { continue }
      reports[global.report, default: []].append(
        Field(
          usage: known, bit: start + index * global.size, size: global.size,
          collection: collection))
    }
  }

  /// Whether it is of a device that tells of fingers.
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
