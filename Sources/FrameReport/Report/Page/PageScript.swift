/// The style sheet and the script that every page contains, and the hashes that allow them.
///
/// The script is small and handwritten: charting libraries draw lines and bars, but not the pipeline or the details
/// under the pointer, and the smallest library is as large as this complete script.
package enum PageScript {
  /// The modules, each after the modules that it uses.
  private static let modules = [
    PackageResources.words_js, PackageResources.server_js, PackageResources.columns_js,
    PackageResources.figures_js,
    PackageResources.surface_js, PackageResources.tracks_js, PackageResources.overview_js,
    PackageResources.picture_js, PackageResources.inspector_js, PackageResources.finder_js,
    PackageResources.notes_js, PackageResources.pair_js, PackageResources.explorer_js,
    PackageResources.comparison_js,
    PackageResources.launches_js, PackageResources.main_js,
  ]

  /// The number of modules.
  static let count = modules.count

  /// The modules as one script, without comments and indentation.
  package static let text = "\"use strict\";\n" + modules.map(compact).joined()

  /// The style sheet.
  package static let style = String(decoding: PackageResources.page_css, as: UTF8.self)

  /// The SHA-256 hashes of script and style sheet in base64; the page allows only code with these hashes. Both hashes
  /// are constant: a test computes them and prints the values to write here.
  static let textHash = "sha256-bvh+1HYM4U9f4U3S49+S0z51Je/tg8xc2cJfQU5YLU8="
  static let styleHash = "sha256-+AMEL2sgv8u+oL4umTaAK3M2YEYxXGPNh1eFv7eOIvc="

  /// Removes comments, which contain the script's types, and indentation. In the modules, no string spans several lines
  /// or contains the start of a comment.
  private static func compact(_ module: [UInt8]) -> String {
    var kept: [UInt8] = []
    kept.reserveCapacity(module.count)
    for line in module.split(separator: UInt8(ascii: "\n")) {
      let line = line.drop { $0 == UInt8(ascii: " ") }
      if line.isEmpty || comments.contains(where: line.starts) { continue }
      appendWithoutTypes(line, to: &kept)
      kept.append(UInt8(ascii: "\n"))
    }
    return String(decoding: kept, as: UTF8.self)
  }

  /// The beginnings of lines that are comments.
  private static let comments = ["//", "/**", "* ", "*/"].map { Array($0.utf8) }

  /// Appends a line without the types stated in comments before expressions.
  private static func appendWithoutTypes(_ line: ArraySlice<UInt8>, to kept: inout [UInt8]) {
    var rest = line
    while rest.contains(UInt8(ascii: "@")), let start = rest.firstRange(of: "/** @".utf8),
      let end = rest[start.upperBound...].firstRange(of: "*/ ".utf8)
    {
      kept += rest[..<start.lowerBound]
      rest = rest[end.upperBound...]
    }
    kept += rest
  }
}
