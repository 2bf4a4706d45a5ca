import Testing

@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace

/// Events that are appended together make the same table as row by row, times that are too large
/// included.
@Suite struct BufferEventBlockTests {
  @Test(arguments: [0, 1, 100, 40_000], [false, true])
  func aTableIsAsRowByRow(_ count: Int, _ hasAbsurdTime: Bool) {
    var random = SplitMix64(seed: UInt64(count))
    var (together, alone) = (Table<BufferColumn>(), Table<BufferColumn>())
    var block = BufferEventBlock()
    for position in 0..<count {
      let isAbsurd = hasAbsurdTime && position == count / 2
      let time = isAbsurd ? Timestamp.bound + 1 : Int64.random(in: 0..<1 << 50, using: &random)
      let row = Bool.random(using: &random) ? Int64(position) : nil
      let event = WaylandConnection.BufferEvent(
        time: time, surface: 3, buffer: UInt32.random(in: 0 ... .max, using: &random), frame: nil,
        event: Bool.random(using: &random) ? .attached : .released)
      block.append(event, at: time, of: 2, row: row)
      if block.isFull { block.move(to: &together) }
      var own = Table<BufferColumn>.Row()
      own[.time] = time
      own[.event] = event.event.rawValue
      own[.surface] = 2
      own[.buffer] = Int64(event.buffer)
      own[.frame] = row
      alone.append(own)
    }
    block.move(to: &together)
    #expect(together.count == count && together.absurdCount == alone.absurdCount)
    #expect(alone.absurdCount == (hasAbsurdTime && count > 0 ? 1 : 0))
    for column in BufferColumn.allCases {
      #expect(together.has(column) == alone.has(column))
      #expect((0..<count).allSatisfy { together[$0, column] == alone[$0, column] }, "\(column)")
    }
  }
}
