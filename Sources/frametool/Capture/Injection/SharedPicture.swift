import CRelay

/// A picture in a file that a program shares with its compositor (`wl_shm_pool.create_buffer`).
struct SharedPicture {
  private let file: SharedFile
  private let offset, width, height, stride: Int64
  /// Whether one byte in four is invisible.
  private let hasUnseenByte: Bool

  /// The side of the square tiles that are compared, in pixels; at this size, no letter is missed.
  static let tile: Int64 = 16
  /// The maximum number of bytes read per picture; for a larger picture, only every second or third row is read.
  private static let mostBytes: Int64 = 8 << 20
  /// In the list of formats, XRGB8888 is 1, and XBGR8888 is "XB24".
  private static let formatsWithUnseenByte: Set<Int64> = [1, 0x3432_4258]
  /// The longest plausible side of a picture.
  private static let longestSide: Int64 = 1 << 15

  /// - Parameter words: The arguments of `create_buffer` after the object: offset, width, height,
  ///   stride and format.
  init?(_ file: SharedFile, _ words: [Int64]) {
    guard words.count == 5, words[0] >= 0, 1...Self.longestSide ~= words[1],
      1...Self.longestSide ~= words[2], words[3] >= words[1], words[3] <= Self.longestSide * 16
    else { return nil }
    self.file = file
    (offset, width, height, stride) = (words[0], words[1], words[2], words[3])
    hasUnseenByte = Self.formatsWithUnseenByte.contains(words[4])
  }

  /// A hash of each tile; different content gives different hashes.
  struct Tiles {
    let columns: Int
    let rows: Int
    let digests: [UInt64]
    /// The size of the picture in pixels.
    let width, height: Int64

    /// The bounding rectangle of some tiles, in pixels.
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

  /// The current content; `nil` if the file is too short.
  func tiles() -> Tiles? {
    // The bytes of a pixel are computed from the row length; rows may be padded by less than one
    // tile.
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
