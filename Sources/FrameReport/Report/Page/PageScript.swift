/// The style and the script of a page, which are in every page, and what allows them.
///
/// The script is written by hand and small: a charting library draws lines and bars, but neither the pipeline nor what
/// can be pointed at in it, and the smallest of them is as large as all of this.
package enum PageScript {
  /// The modules, each after those it uses.
  private static let modules = [
    PackageResources.words_js, PackageResources.columns_js, PackageResources.figures_js,
    PackageResources.surface_js, PackageResources.picture_js, PackageResources.inspector_js,
    PackageResources.explorer_js, PackageResources.comparison_js, PackageResources.main_js,
  ]

  /// How many modules there are.
  static let count = modules.count

  /// The modules in one, without comments and indentation.
  package static let text = "\"use strict\";\n" + modules.map(compact).joined()

  /// The style sheet.
  package static let style = String(decoding: PackageResources.page_css, as: UTF8.self)

  /// The SHA-256 of script and style in base64, by which a page allows these and nothing else. Both are constant, and
  /// so are these: a test computes them, and says what to write here.
  static let textHash = "sha256-o5ehglyhSKkucDlpIDy+j5Az/agQzU0+k8dJWOvXPGc="
  static let styleHash = "sha256-4lWHlCBaoWPz0vAOyY1KfE/iQwc84UxB39Src/FtBFE="

  /// Leaves out comments, which for the script are types, and indentation. No text in the modules goes over several
  /// lines or has what begins a comment in it.
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
