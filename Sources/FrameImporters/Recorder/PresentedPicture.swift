/// The changes in the picture of a presented frame, which the Vulkan layer compared with the previous frame's picture.
package struct PresentedPicture: Hashable, Sendable {
  /// The ID of the process that presented the frame.
  package let process: Int
  /// The number of the frame's Wayland surface on the process's connection.
  package let surface: UInt32
  /// When the program began to present the frame, in ns on the clock of recordings.
  package let presented: Int64
  /// The size of the picture in pixels.
  package let width, height: Int64
  /// The cells that changed, counted by rows from the top left.
  package let changed: [Int]

  /// The number of cells in a row, and the number of rows.
  package static let side = 16
  package static var cellCount: Int { side * side }
  /// The numbers that the layer records for a picture: the size, and a bit for each cell.
  static let numberCount = 1 + cellCount / 64

  package init(
    process: Int, surface: UInt32, presented: Int64, width: Int64, height: Int64, changed: [Int]
  ) {
    (self.process, self.surface, self.presented) = (process, surface, presented)
    (self.width, self.height, self.changed) = (width, height, changed)
  }

  /// - Parameter numbers: The numbers that the layer recorded.
  init(process: Int, surface: UInt32, presented: Int64, numbers: [Int64]) {
    let size = UInt64(bitPattern: numbers[0])
    self.init(
      process: process, surface: surface, presented: presented, width: Int64(size >> 32),
      height: Int64(size & 0xffff_ffff),
      changed: (0..<Self.cellCount).filter { cell in
        UInt64(bitPattern: numbers[1 + cell / 64]) >> UInt64(cell % 64) & 1 == 1
      })
  }
}

/// Assembles the pictures of a window, in the order of its frames.
///
/// A picture may be compared before its present returns, which is when the frame's times are recorded.
struct PictureAssembly {
  private var numbers: [Int64] = []
  private var frame: UInt64?
  private var pictures: [(frame: UInt64, numbers: [Int64])] = []
  private var presents: [(frame: UInt64, time: Int64)] = []

  /// A limit above the number of frames that are presented at the same time.
  private static let most = 256

  mutating func consume(number: Int64, of frame: UInt64) {
    if self.frame != frame { numbers = [] }
    self.frame = frame
    numbers.append(number)
    guard numbers.count == PresentedPicture.numberCount else { return }
    pictures.append((frame, numbers))
    (self.frame, numbers) = (nil, [])
    if pictures.count > Self.most { pictures.removeFirst() }
  }

  mutating func consume(presentOf frame: UInt64, at time: Int64) {
    presents.append((frame, time))
    if presents.count > Self.most { presents.removeFirst() }
  }

  /// Returns the pictures whose present is known.
  mutating func takeComplete() -> [(presented: Int64, numbers: [Int64])] {
    var complete: [(presented: Int64, numbers: [Int64])] = []
    while let first = pictures.first {
      guard let last = presents.last, last.frame >= first.frame else { break }
      pictures.removeFirst()
      presents.removeAll { $0.frame < first.frame }
      if let present = presents.first, present.frame == first.frame {
        complete.append((present.time, first.numbers))
      }
    }
    return complete
  }
}
