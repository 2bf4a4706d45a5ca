/// The style and the script that every page contains, and the hashes that allow them.
///
/// The script is small and written by hand: charting libraries draw lines and bars, but not the
/// pipeline or the details under the pointer, and the smallest of them is as large as this whole
/// script.
package enum PageScript {
  /// The modules, each after those that it uses.
  private static let modules = [
    PackageResources.words_js, PackageResources.server_js, PackageResources.columns_js,
    PackageResources.figures_js,
    PackageResources.surface_js, PackageResources.tracks_js, PackageResources.overview_js,
    PackageResources.picture_js, PackageResources.inspector_js, PackageResources.finder_js,
    PackageResources.notes_js, PackageResources.pair_js, PackageResources.explorer_js,
    PackageResources.comparison_js,
    PackageResources.launches_js, PackageResources.main_js,
  ]

  /// How many modules there are.
  static let count = modules.count

  /// The modules as one script, without comments and indentation.
  package static let text = "\"use strict\";\n" + modules.map(compact).joined()

  /// The style sheet.
  package static let style = String(decoding: PackageResources.page_css, as: UTF8.self)

  /// The SHA-256 hashes of script and style in base64; the page allows only code with these hashes.
  /// All are constant: a test computes the hashes and prints what to write here.
  static let textHash = "sha256-Seuj/oFvCdBEyzpIc71QldYNtRgQHB3mGVzsQoleeFg="
  static let styleHash = "sha256-+AMEL2sgv8u+oL4umTaAK3M2YEYxXGPNh1eFv7eOIvc="

  /// Removes comments, which hold the script's types, and indentation. In the modules, no string
  /// spans several lines or contains the start of a comment.
  private static func compact(_ module: [UInt8]) -> String {
    String(decoding: module, as: UTF8.self).split(separator: "\n").map { line in
      line.drop { $0 == " " }
    }.filter { line in
      !line.isEmpty && !["//", "/**", "* ", "*/"].contains { line.hasPrefix($0) }
    }.map { line in
      line.replacing(#/\/\*\* @.*?\*\/ /#, with: "") + "\n"
    }.joined()
  }
}
