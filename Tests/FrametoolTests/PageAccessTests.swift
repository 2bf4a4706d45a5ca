import Foundation
import Testing

@testable import frametool

/// Whether everybody can use the page, by the rules of axe-core (WCAG 2.2 and good practice).
@Suite(
  .serialized, .enabled(if: Chromium.path != nil, "\(Chromium.reason)"),
  .enabled(if: Checker.axe != nil, "\(Checker.absence)"))
struct PageAccessTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func check(_ arguments: [String], _ page: BrowserPage) throws -> [String] {
    let path = folder.path("page.html")
    let run = Run(["report"] + arguments + ["-o", path])
    #expect(run.status == .success, "\(run.errors)")
    try page.open(path)
    let script = try String(contentsOf: URL(filePath: Checker.axe ?? ""), encoding: .utf8)
    try page.call("Runtime.evaluate", ["expression": script])
    let found = try page.run(
      """
      document.querySelectorAll("details").forEach((one) => { one.open = true; });
      await new Promise((done) => setTimeout(done, 300));
      const result = await axe.run(document, { resultTypes: ["violations"] });
      return result.violations.map((one) => one.id + ": " + one.nodes.slice(0, 3).map((node) => node.target.join(" ")).join("; "));
      """)
    return found as? [String] ?? ["no result"]
  }

  @Test func everyKindOfPageIsClean() throws {
    let page = try BrowserPage()
    let pages = [
      [folder.generate("triple-switch")],
      [
        folder.generate("scheduling-faults", frames: 60),
        folder.generate("two-surfaces", frames: 60),
      ],
      [
        "--before", folder.generate("gpu-overrun", frames: 400), "--after",
        folder.generate("gpu-overrun-sustained", frames: 400),
      ],
      [folder.generate("launches")],
    ]
    for arguments in pages {
      for scheme in ["light", "dark"] {
        try page.call(
          "Emulation.setEmulatedMedia",
          ["features": [["name": "prefers-color-scheme", "value": scheme]]])
        let found = try check(arguments, page)
        #expect(found == [], "\(found), \(arguments), \(scheme)")
      }
    }
  }
}
