/// The numbers by which records of the native format refer to the frames of a surface.
///
/// The numbers are the frames' ids if every frame has one and all are different. Otherwise, they are the frames'
/// indices among the surface's frames in the file, from 0.
struct FrameNumbering {
  private let frames: Table<FrameColumn>
  /// The row of each id; `nil` when frames are referred to by index.
  private let rows: [Int64: Int]?

  init(_ frames: Table<FrameColumn>) {
    self.frames = frames
    var rows: [Int64: Int] = [:]
    if frames.valueCount(.identifier) == frames.count {
      for row in 0..<frames.count {
        if let id = frames[row, .identifier] { rows[id] = row }
      }
    }
    self.rows = rows.count == frames.count && frames.count > 0 ? rows : nil
  }

  /// The number by which records refer to the frame in a row.
  func number(of row: Int) -> Int64 {
    (rows == nil ? nil : frames[row, .identifier]) ?? Int64(row)
  }

  /// The row of the frame with a number in a record; `nil` if there is none.
  func row(of number: Int64) -> Int? {
    if let rows { return rows[number] }
    return number >= 0 && number < frames.count ? Int(number) : nil
  }
}
