import FrameTrace

/// The part of a summary's line that only frametool reads, as one string: the counts of values, and the data that
/// `compare` needs.
///
/// The string is base64 (RFC 4648) of a zstd frame (RFC 8878), with `SummaryDictionary`, of a JSON object, a line feed
/// and the histograms that the object refers to by index. Other versions of libzstd may produce other strings for the
/// same content.
struct PackedCounts {
  /// The members of the object.
  let members: JSONFields
  let histograms: UnpackedHistograms

  /// The output is 2 to 3 % larger than at level 19, in a seventh of its time, as measured with the summaries of 195
  /// traces.
  private static let level: Int32 = 9
  /// The largest content that is read: enough for a run with millions of latencies.
  private static let most = 64 << 20
  /// The maximum number of members of the object.
  private static let mostMembers = 16
  /// The maximum content of a block of a zstd frame, and the minimum size of a block, in bytes.
  private static let blockContent = 128 << 10
  private static let blockSize = 4

  /// The string for an object and its histograms.
  static func text(_ record: FieldRecord, _ histograms: PackedHistograms) -> String {
    let content = Array(JSONText.line(record).utf8) + histograms.bytes
    return Base64.text(
      Deflated.zstd(content, level: level, dictionary: SummaryDictionary.bytes, isChecked: true))
  }

  /// Reads such a string.
  init(reading node: JSONNode) throws(JSONScanner.Problem) {
    let damage = JSONScanner.Problem(
      offset: node.offset, expected: "packed counts, found text that was changed or cut")
    guard let packed = node.text.flatMap(Base64.bytes),
      let size = Inflated.zstdSize(packed, packed.indices),
      size <= UInt64(min(Self.most, (packed.count / Self.blockSize + 1) * Self.blockContent)),
      let content = Inflated.zstd(
        packed, packed.indices, to: Int(size), dictionary: SummaryDictionary.bytes),
      let end = content.firstIndex(of: UInt8(ascii: "\n")),
      let histograms = UnpackedHistograms(Array(content[(end + 1)...]))
    else { throw damage }
    do throws(JSONScanner.Problem) {
      members = try JSONFields(Array(content[..<end]), atMost: Self.mostMembers)
    } catch {
      throw damage
    }
    self.histograms = histograms
  }
}
