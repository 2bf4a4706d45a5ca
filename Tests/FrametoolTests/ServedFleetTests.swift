import Foundation
import Testing

@testable import FrameStatistics
@testable import frametool

/// From a fleet to a frame: groups, the worst run of a group, its worst frame.
@Suite(.serialized) struct ServedFleetTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A summary of runs on two devices, of which one drops more.
  private func summary() throws -> String {
    let path = folder.path("night.jsonl")
    let runs = [
      ("steady-60", "calm"), ("gpu-overrun", "calm"), ("app-overrun", "worn"),
      ("gpu-overrun-sustained", "worn"),
    ]
    var parts: [String] = []
    for (scenario, device) in runs {
      let part = folder.path("\(scenario).summary.jsonl")
      let run = Run([
        "analyze", folder.generate(scenario, frames: 300), "--summary", part, "--tag",
        "device=\(device)",
      ])
      #expect(run.status == .success, "\(run.errors)")
      parts.append(part)
    }
    #expect(Run(["merge"] + parts + ["-o", path]).status == .success)
    return path
  }

  /// The addresses of a page's links with their texts.
  private func links(_ page: String) -> [(address: String, text: String)] {
    page.matches(of: #/<li><a href="([^"#]*)(?:#worst)?"><bdi>([^<]*)<\/bdi><\/a>/#).map {
      (String($0.1), String($0.2))
    }
  }

  @Test func itLeadsFromTheWorstGroupToItsWorstRun() throws {
    let view = try ServedView([try summary(), "--by", "device"], folder)
    defer { _ = try? view.end() }
    let overview = try LoopbackClient.get(view.path, port: view.port)
    let groups = links(overview).filter { $0.address.hasPrefix("group/") }
    #expect(groups.map(\.text) == ["device worn", "device calm"])
    let group = try LoopbackClient.get(view.path + "group/0", port: view.port)
    let runs = links(group)
    #expect(runs.first?.text.contains("gpu-overrun-sustained") == true, "\(runs)")
    #expect(runs.count == 3 && runs.last?.text == "All groups")
    let run = try LoopbackClient.get(
      view.path + (runs.first?.address.dropFirst(3) ?? ""), port: view.port)
    #expect(run.contains("gpu-overrun-sustained") && run.contains("id=\"page-data\""))
    let stages = try LoopbackClient.get(view.path + "run/0/stages/0/0/5", port: view.port)
    #expect(stages.hasPrefix("HTTP/1.1 200 ") && stages.contains("detailRow"))
    for path in ["group/2", "group/-1", "group/x", "run/99/", "run/0", "group/0/x"] {
      let answer = try LoopbackClient.get(view.path + path, port: view.port)
      #expect(answer.hasPrefix("HTTP/1.1 404 "), "\(path)")
    }
  }

  @Test func aRunWhoseFileIsGoneIsNamedWithoutALink() throws {
    let path = try summary()
    try FileManager.default.removeItem(
      atPath: folder.generate("gpu-overrun-sustained", frames: 300))
    let view = try ServedView([path, "--by", "device"], folder)
    defer { _ = try? view.end() }
    let group = try LoopbackClient.get(view.path + "group/0", port: view.port)
    #expect(group.contains("gpu-overrun-sustained") && group.contains("the file is not here"))
    #expect(!links(group).contains { $0.text.contains("gpu-overrun-sustained") })
  }

  /// Files of one name in two folders are two runs, and a file of another size is another trace.
  @Test func runsOfOneNameAreToldApart() throws {
    var summaries: [String] = []
    for (position, scenario) in ["steady-60", "gpu-overrun-sustained"].enumerated() {
      let own = folder.url.appending(path: "\(position)")
      try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: folder.generate(scenario, frames: 300),
        toPath: own.appending(path: "run.jsonl").path)
      let run = Run(
        [
          "analyze", "run.jsonl", "--summary", own.appending(path: "s.jsonl").path, "--tag",
          "device=\(position)",
        ],
        in: own)
      #expect(run.status == .success, "\(run.errors)")
      summaries.append(own.appending(path: "s.jsonl").path)
    }
    let view = try ServedView(summaries + ["--by", "device"], folder)
    defer { _ = try? view.end() }
    let pages = try (0..<2).map {
      try LoopbackClient.get(view.path + "run/\($0)/", port: view.port)
    }
    #expect(pages[0].contains("0xF00D") || pages[1].contains("0xF00D"))
    #expect(
      pages[0].utf8.count != pages[1].utf8.count
        && pages.allSatisfy { $0.hasPrefix("HTTP/1.1 200") })
    try Data("other".utf8).write(to: folder.url.appending(path: "0/run.jsonl"))
    let group = try LoopbackClient.get(view.path + "group/1", port: view.port)
    #expect(group.contains("the file is not here"))
  }

  @Test func comparedSidesRankTheGroups() throws {
    let view = try ServedView([try summary(), "--compare", "device=calm..worn"], folder)
    defer { _ = try? view.end() }
    let overview = try LoopbackClient.get(view.path, port: view.port)
    #expect(overview.contains("Each group before and after"))
    #expect(links(overview).contains { $0.text == "All runs" })
  }

  @Test func whatDoesNotFitIsRefused() throws {
    let (path, trace) = (try summary(), folder.generate("steady-60", frames: 300))
    let both = Run(["view", "--no-open", path, trace])
    #expect(both.status == .usage && both.errors.contains("found both"), "\(both.errors)")
    let by = Run(["view", "--no-open", trace, "--by", "device"])
    #expect(
      by.status == .usage && by.errors.contains("--by applies only to summaries"), "\(by.errors)")
    #expect(Run(["view", "--no-open", path, "--compare", "device"]).status == .usage)
  }

  /// The written page has the worst group first, and no more points of a curve than one can tell apart.
  @Test func aWrittenPageIsSortedAndSmall() throws {
    let page = folder.path("fleet.html")
    #expect(Run(["fleet", try summary(), "--by", "device", "-o", page]).status == .success)
    let text = try String(contentsOf: URL(filePath: page), encoding: .utf8)
    let positions = ["worn", "calm"].map {
      text.firstRange(of: "<th scope=\"row\">\($0)</th>")?.lowerBound
    }
    #expect(
      positions[0] != nil && positions[1] != nil
        && positions[0] ?? text.endIndex < positions[1] ?? text.startIndex)
    // Noise: nearly as many lengths as frames.
    var (lines, random, time) = ("frame,ms\n", SplitMix64(seed: 3), 0.0)
    for frame in 0..<20_000 {
      time += 10 + 10 * Double(random.next() >> 11) / Double(1 << 53)
      lines += "\(frame),\(String(format: "%.6f", time))\n"
    }
    let noisy = folder.path("noise.csv")
    try Data(lines.utf8).write(to: URL(filePath: noisy))
    let part = folder.path("noise.jsonl")
    #expect(
      Run(["analyze", noisy, "--columns", "time=ms:ms", "--summary", part]).status == .success)
    #expect(Run(["fleet", part, "-o", page]).status == .success)
    let size = try FileManager.default.attributesOfItem(atPath: page)[.size] as? Int ?? 0
    #expect(size < 150_000, "\(size)")
  }

  /// The run opens at its worst frame, which says why it was late.
  @Test(.enabled(if: Chromium.path != nil, "\(Chromium.reason)"))
  func aClickLeadsToTheWorstFrame() throws {
    let view = try ServedView([try summary(), "--by", "device"], folder)
    let page = try BrowserPage()
    try page.open(view.address)
    let click = { (text: String) in
      "[...document.querySelectorAll('main a')].find((one) => one.textContent.includes('\(text)')).click()"
    }
    _ = try page.run(click("device worn"))
    LaunchedProcess.rest(milliseconds: 500)
    _ = try page.run(click("gpu-overrun-sustained"))
    var said = ""
    for _ in 0..<200 where !said.contains("Dropped: ") {
      LaunchedProcess.rest(milliseconds: 100)
      said = (try? page.text("return document.querySelector('.inspector')?.innerText ?? ''")) ?? ""
    }
    #expect(said.contains("Dropped: 2 refreshes") && said.contains("by the GPU"), "\(said)")
    #expect(try page.console() == [])
    try page.call("Page.navigate", ["url": "about:blank"])
    #expect(try view.wait()?.status == .success)
  }
}
