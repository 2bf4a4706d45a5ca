import Testing

@testable import FrameStatistics
@testable import FrameTrace

@Suite struct IntegerColumnTests {
  /// Columns of values that need every width, with missing ones among them.
  static let samples: [[Int64?]] = [
    [], [nil], [5], [5, 5, 5], [nil, nil, 7], [7, nil, nil], [1, 2, nil, -127], [0, -128],
    [127, 128, 40_000], [1, Int64(Int32.max)], [1, Int64(Int32.min)], [nil, 1 << 40, 3],
    [Int64.max, Int64.min + 1, 0], [0, 0, 0, nil, 0], [1, 127, -127, nil, -128, 3],
    [300, Int64(Int32.max), Int64(Int32.min) + 1, nil, Int64(Int32.min), 3],
  ]

  @Test(arguments: samples)
  func givesBackWhatWasAppended(_ values: [Int64?]) {
    var column = IntegerColumn()
    for value in values { column.append(value ?? IntegerColumn.missing) }
    check(column, values)
  }

  @Test(arguments: samples)
  func appendsBlocksAsItAppendsValues(_ values: [Int64?]) {
    let block = values.map { $0 ?? IntegerColumn.missing }
    var column = IntegerColumn()
    column.append(block, at: values.indices.map { Int32($0) })
    column.append(block, at: values.indices.reversed().map { Int32($0) })
    check(column, values + values.reversed())
  }

  @Test func anyMixOfAppendsAgreesWithAnArray() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<200 {
      var column = IntegerColumn()
      var values: [Int64?] = []
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let bits = Int64.random(in: 0...40, using: &random)
        let value =
          Int.random(in: 0...3, using: &random) == 0
          ? nil : Int64.random(in: -(1 << bits)...(1 << bits), using: &random)
        switch Int.random(in: 0...4, using: &random) {
        case 0:
          column.append(value ?? IntegerColumn.missing)
          values.append(value)
        case 1:
          column.append([value ?? IntegerColumn.missing, 3], at: [0, 1, 0])
          values += [value, 3, value]
        case 2:
          let count = Int.random(in: 0...3, using: &random)
          let block = [value ?? IntegerColumn.missing, 3, 500]
          column.append(block, first: count)
          values += [value, 3, 500].prefix(count)
        case 3:
          let count = Int.random(in: 0...3, using: &random)
          column.append(repeating: value ?? IntegerColumn.missing, count: count)
          values += [Int64?](repeating: value, count: count)
        default:
          column.appendMissing(2)
          values += [nil, nil]
        }
      }
      check(column, values)
    }
  }

  @Test func anyMixOfReplacementsAgreesWithAnArray() {
    var random = SplitMix64(seed: 12)
    for _ in 0..<200 {
      let count = Int.random(in: 1...9, using: &random)
      let first = Bool.random(using: &random) ? nil : Int64.random(in: -200...200, using: &random)
      var column = IntegerColumn(repeating: first, count: count)
      var values = [Int64?](repeating: first, count: count)
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let row = Int.random(in: 0..<count, using: &random)
        let bits = Int64.random(in: 0...40, using: &random)
        values[row] =
          Int.random(in: 0...3, using: &random) == 0
          ? nil : Int64.random(in: -(1 << bits)...(1 << bits), using: &random)
        column.replace(row, with: values[row] ?? IntegerColumn.missing)
      }
      column.append(7)
      check(column, values + [7])
    }
  }

  @Test func takesNoRoomWhileAllRowsAreTheSame() {
    var column = IntegerColumn()
    for _ in 0..<1000 { column.append(42) }
    #expect(column.width == .none)
    #expect(column.constantValue == 42)
    column.append(43)
    #expect(column.width == .one)
    #expect(column.constantValue == nil)
  }

  private func check(_ column: IntegerColumn, _ values: [Int64?]) {
    #expect(column.count == values.count)
    #expect((0..<column.count).map { column[$0] } == values)
    #expect(column.valueCount == values.count { $0 != nil })
    #expect(column.isEmpty == values.allSatisfy { $0 == nil })
    var decoded = [Int64](repeating: 0, count: values.count)
    column.decode(0..<values.count, into: &decoded)
    #expect(decoded == values.map { $0 ?? IntegerColumn.missing })
    let order = values.indices.reversed().map { Int32($0) }
    let reversed = column.reordered(by: order)
    #expect((0..<column.count).map { reversed[$0] } == values.reversed())
    let doubled = column.mapped { $0 == IntegerColumn.missing ? $0 : $0 / 2 }
    #expect((0..<column.count).map { doubled[$0] } == values.map { $0.map { $0 / 2 } })
  }
}
