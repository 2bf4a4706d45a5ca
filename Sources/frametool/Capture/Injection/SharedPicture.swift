import CRelay

/// A picture in a file that a program shares with its compositor (`wl_shm_pool.create_buffer`).
struct SharedPicture {
  private let file: SharedFile
  private let offset, width, height, stride: Int64
  /// Whether one byte in four is not seen.
  private let hasUnseenByte: Bool

  /// Sides of the squares that are told apart, in pixels: no letter is lost between them.
  static let tile: Int64 = 16
  /// What is read of one picture at most; of a larger one, every second or third row is.
  private static let mostBytes: Int64 = 8 << 20
  /// XRGB8888 is 1 on this list, and XBGR8888 is "XB24".
  private static let formatsWithUnseenByte: Set<Int64> = [1, 0x3432_4258]
  /// Larger sides are no picture's.
  private static let longestSide: Int64 = 1 << 15

  /// - Parameter words: What `create_buffer` says after the object: offset, width, height, stride and format.
  init?(_ file: SharedFile, _ words: [Int64]) {
    guard words.count == 5, words[0] >= 0, 1...Self.longestSide ~= words[1],
      1...Self.longestSide ~= words[2], words[3] >= words[1], words[3] <= Self.longestSide * 16
    else { return nil }
    self.file = file
    (offset, width, height, stride) = (words[0], words[1], words[2], words[3])
    hasUnseenByte = Self.formatsWithUnseenByte.contains(words[4])
  }

  /// A number for each tile, which differs where the picture does.
  struct Tiles {
    let columns: Int
    let rows: Int
    let digests: [UInt64]
    /// In pixels.
    let width, height: Int64

    /// The smallest rectangle, in pixels, around tiles.
    func region(around tiles: [Int]) -> PictureRegion {
      let columns = tiles.map { $0 % self.columns }
      let rows = tiles.map { $0 / self.columns }
      let left = Int64(columns.min() ?? 0) * SharedPicture.tile
      let top = Int64(rows.min() ?? 0) * SharedPicture.tile
      let right = min(width, (Int64(columns.max() ?? 0) + 1) * SharedPicture.tile)
      let bottom = min(height, (Int64(rows.max() ?? 0) + 1) * SharedPicture.tile)
      return PictureRegion(x: left, y: top, width: right - left, height: bottom - top)
    }
  }

  /// What it shows now; `nil` where its file is too short.
  func tiles() -> Tiles? {
    // The bytes of a pixel follow from the rows, which may be padded by less than one tile.
    let bytes = max(stride / width, 1)
    guard let size = file.size, size >= offset + stride * (height - 1) + width * bytes else {
      return nil
    }
    let columns = Int((width + Self.tile - 1) / Self.tile)
    let rows = Int((height + Self.tile - 1) / Self.tile)
    let image = content_image(
      offset: offset, row_bytes: width * bytes, rows: height, stride: stride,
      step: (width * bytes * height + Self.mostBytes - 1) / Self.mostBytes,
      tile_bytes: Self.tile * bytes, tile_rows: Self.tile,
      mask: hasUnseenByte ? 0x00ff_ffff_00ff_ffff : .max)
    guard let digests = file.digests(image, count: columns * rows) else { return nil }
    return Tiles(columns: columns, rows: rows, digests: digests, width: width, height: height)
  }
}

/// A rectangle of a picture, in pixels from its top left corner.
struct PictureRegion: Hashable {
  let x, y, width, height: Int64

  var arguments: [WaylandArgument] {
    [x, y, width, height].map { .number($0) }
  }
}
