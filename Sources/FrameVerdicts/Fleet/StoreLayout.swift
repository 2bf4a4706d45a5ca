/// The folders of a summary store. There is one folder for each combination of values of some tags, named in the style
/// of Hive partitions, so that Spark, DuckDB, BigQuery and Athena read the tags from the path:
///
///     date=2026-11-20/device=Pixel%209/version=1.2
package struct StoreLayout: Hashable, Sendable {
  /// The tags, starting with the outermost folder.
  package let tags: [String]

  /// The name for a tag that a run does not have.
  private static let none = "__HIVE_DEFAULT_PARTITION__"

  package init(by tags: [String]) { self.tags = tags }

  /// The folder for a run with these tags.
  package func folder(of run: [String: String]) -> String {
    tags.map { "\(Self.escaped($0))=\(run[$0].map(Self.escaped) ?? Self.none)" }
      .joined(separator: "/")
  }

  /// A string as part of a path, with everything except letters, digits and `-_.` replaced by the hexadecimal codes of
  /// its bytes.
  private static func escaped(_ text: String) -> String {
    text.utf8.reduce(into: "") { name, byte in
      let scalar = Unicode.Scalar(byte)
      if ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
        || ("0"..."9").contains(scalar) || "-_.".unicodeScalars.contains(scalar)
      {
        name.unicodeScalars.append(scalar)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        name += "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }
  }
}
