import Foundation
import Testing

@testable import FrameKit
@testable import frametool

/// The page that `view` serves: who may read it, what it answers, and when it ends.
@Suite(.serialized) struct ServedPageTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func status(_ answer: String) -> Int {
    answer.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  }

  @Test func itIsOpenedServesAndEndsWithItsPage() throws {
    let view = try ServedView([folder.generate("triple-switch")], folder)
    #expect(view.address.contains(#/^http://127\.0\.0\.1:\d+/[0-9a-f]{32}/$/#), "\(view.address)")
    let page = try LoopbackClient.get(view.path, port: view.port)
    #expect(status(page) == 200 && page.contains("id=\"page-data\""))
    #expect(page.contains("connect-src 'self'") && page.contains("frame-ancestors 'none'"))
    let head = try LoopbackClient.get(view.path, port: view.port, method: "HEAD")
    #expect(status(head) == 200 && !head.contains("<html"))
    let end = try #require(try view.end())
    #expect(end.status == .success && end.output.isEmpty)
    #expect(end.errors.hasPrefix("note: opened \(view.address)"), "\(end.errors)")
    #expect(throws: (any Error).self) { try LoopbackClient.get("/", port: view.port) }
  }

  /// Where no browser is, as on a server, the page is there all the same, and its address is told.
  @Test func aBrowserThatFailsLeavesThePage() throws {
    let view = try ServedView([folder.generate("triple-switch")], folder, browserEndsWith: 3)
    LaunchedProcess.rest(milliseconds: 300)
    #expect(status(try LoopbackClient.get(view.path, port: view.port)) == 200)
    let end = try #require(try view.end())
    #expect(end.status == .success)
    #expect(
      end.errors.contains("cannot open the page: ") && end.errors.contains("ended with status 3"))
    #expect(
      end.errors.contains("help: open \(view.address) yourself, or set BROWSER"), "\(end.errors)")
  }

  /// Each of these is a way in which a site that the user visits may reach a port of the machine.
  @Test func onlyThePageItselfMayAsk() throws {
    let view = try ServedView([folder.generate("triple-switch")], folder)
    defer { _ = try? view.end() }
    func ask(_ path: String, method: String = "GET", _ fields: [String]) throws -> Int {
      status(try LoopbackClient.get(path, port: view.port, method: method, fields))
    }
    let own = "Host: 127.0.0.1:\(view.port)"
    for host in ["localhost", "127.0.0.1", "[::1]:9000", "LOCALHOST:9000"] {
      #expect(try ask(view.path, ["Host: \(host)"]) == 200, "\(host)")
    }
    let names = [
      "evil.example:\(view.port)", "127.0.0.1.evil.example", "0.0.0.0", "", "localhost:1:2",
    ]
    for host in names { #expect(try ask(view.path, ["Host: \(host)"]) == 403, "\(host)") }
    #expect(try ask(view.path, []) == 403)
    #expect(try ask(view.path, [own, "Host: evil.example"]) == 403)
    for origin in ["http://evil.example", "null", "https://127.0.0.1:\(view.port)"] {
      #expect(try ask(view.path, [own, "Origin: \(origin)"]) == 403, "\(origin)")
    }
    #expect(try ask(view.path, [own, "Origin: http://127.0.0.1:\(view.port)"]) == 200)
    let fetched = [own, "Sec-Fetch-Site: cross-site"]
    for kind in ["empty", "iframe", "script", "image"] {
      #expect(try ask(view.path, fetched + ["Sec-Fetch-Dest: \(kind)"]) == 403, "\(kind)")
    }
    #expect(try ask(view.path, fetched + ["Sec-Fetch-Dest: document"]) == 200)
    #expect(try ask(view.path, [own, "Sec-Fetch-Site: same-origin"]) == 200)
    // Without the token there is nothing, not even the size of what there is.
    let guesses = [
      "/", "/\(String(repeating: "0", count: 32))/", String(view.path.dropLast()), "//",
    ]
    for guess in guesses { #expect(try ask(guess, [own]) == 404, "\(guess)") }
    #expect(try ask(view.path, method: "POST", [own]) == 405)
  }

  @Test func whatIsNotHTTPIsRefusedAndKeepsNobodyWaiting() throws {
    let view = try ServedView([folder.generate("triple-switch")], folder)
    defer { _ = try? view.end() }
    // Connections that say nothing, or only half.
    let idle = try (0..<20).map { _ in try LoopbackClient(port: view.port) }
    idle[0].send("GET / HT")
    #expect(status(try LoopbackClient.get(view.path, port: view.port)) == 200)
    for text in [
      "\r\n\r\n", "GET\r\n\r\n", "GET / SPDY\r\n\r\n", "GET x HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.1\r\nbad\r\n\r\n",
    ] {
      let client = try LoopbackClient(port: view.port)
      client.send(text)
      #expect(status(client.receive()) == 400, "\(text)")
    }
    let long = try LoopbackClient(port: view.port)
    long.send("GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 20_000))
    #expect(status(long.receive()) == 400)
    let paths = [
      "stages", "stages/0/0", "stages/9/0/5", "stages/0/-1/5", "stages/0/0/0", "stages/0/x/5",
      "stages/0/9223372036854775807/9", "stages/0/1000000/5", "../etc/passwd", "messages/",
    ]
    for path in paths {
      #expect(status(try LoopbackClient.get(view.path + path, port: view.port)) == 404, "\(path)")
    }
    #expect(status(try LoopbackClient.get(view.path + "stages/0/0/5", port: view.port)) == 200)
  }

  /// Who stops reading, or stops asking, keeps nobody waiting, and what was asked for arrives whole.
  @Test func stoppedReadersAndHalfClosedConnectionsAreServed() throws {
    let view = try ServedView([folder.generate("triple-switch")], folder)
    let whole = try LoopbackClient.get(view.path, port: view.port)
    let request = "GET \(view.path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
    let half = try LoopbackClient(port: view.port)
    half.send(request)
    half.finishSending()
    #expect(half.receive() == whole)
    // More silent connections than there is room for.
    let silent = try (0..<80).map { _ in try LoopbackClient(port: view.port) }
    #expect(try LoopbackClient.get(view.path, port: view.port) == whole)
    // A page that is closed while another one is still being sent does not end it.
    let reader = try LoopbackClient(port: view.port)
    reader.send(request)
    let end = try view.end()
    #expect(end?.status == .success && silent.count == 80)
    #expect(reader.receive() == whole)
  }

  @Test func aPortThatIsTakenIsNamed() throws {
    let view = try ServedView([folder.generate("triple-switch")], folder)
    defer { _ = try? view.end() }
    let other = Run([
      "view", "--no-open", "--port", "\(view.port)", folder.generate("triple-switch"),
    ])
    #expect(other.status == .unavailable)
    #expect(other.errors.contains("cannot serve the page on port \(view.port) of 127.0.0.1: "))
    #expect(Run(["view", folder.path("no-trace")]).status != .success)
    #expect(Run(["view", "--follow", "-"]).status == .usage)
  }

  /// The stages that the server tells are those that a page with room for all of them has.
  @Test(.enabled(if: Chromium.path != nil, "\(Chromium.reason)"))
  func everyFrameHasItsStages() throws {
    let path = folder.path("long.jsonl")
    #expect(
      Run(["generate", "variable-refresh", "--frames", "21000", "-o", path]).status == .success)
    let view = try ServedView([path], folder)
    let page = try BrowserPage()
    try page.open(view.address)
    // A frame whose stages the page does not have.
    let row = try page.number(
      """
      const surface = await readSurface(JSON.parse(document.getElementById("page-data").textContent).surfaces[0]);
      for (let row = surface.count - 1; row > 0; row--) if (surface.detailOf(row) < 0) return row;
      """)
    // Each mark has its stages in the page itself.
    let unexplained = try page.number(
      """
      const surface = await readSurface(JSON.parse(document.getElementById("page-data").textContent).surfaces[0]);
      return surface.marks.length < 10 ? -1 : surface.marks.filter((mark) => surface.detailOf(mark.frame) < 0).length;
      """)
    #expect(unexplained == 0)
    try page.open(
      view.address, fragment: "#s=0&from=340.000000&to=340.200000&frame=\(Int(row))")
    var said = ""
    for _ in 0..<40 where !said.contains("GPU") {
      LaunchedProcess.rest(milliseconds: 100)
      said = try page.text("return document.querySelector('.inspector').innerText")
    }
    #expect(said.contains("Frame \(Int(row))") && said.contains("displayed"), "\(said)")
    #expect(!said.contains("not kept"), "\(said)")
    #expect(try page.console() == [])
    try page.call("Page.navigate", ["url": "about:blank"])
    // It ends once the browser has left its page.
    #expect(try view.wait()?.status == .success)
  }

  /// A page of another origin that knows the address gets nothing, however it asks.
  @Test(.enabled(if: Chromium.path != nil, "\(Chromium.reason)"))
  func aHostilePageCannotReadIt() throws {
    let view = try ServedView([folder.generate("triple-switch")], folder)
    defer { _ = try? view.end() }
    let hostile = folder.path("hostile.html")
    try Data("<!doctype html><script>document.documentElement.dataset.ready='true'</script>".utf8)
      .write(to: URL(filePath: hostile))
    let page = try BrowserPage()
    try page.open(hostile)
    let got = try page.run(
      """
      const address = "\(view.address)";
      const found = [];
      for (const mode of ["cors", "no-cors"]) {
        try { found.push((await (await fetch(address, { mode })).text()).length); } catch { found.push(-1); }
      }
      for (const [tag, name] of [["script", "src"], ["img", "src"], ["iframe", "src"]]) {
        const one = document.createElement(tag);
        const loaded = new Promise((done) => { one.onload = () => done(1); one.onerror = () => done(-1); setTimeout(() => done(0), 1500); });
        one[name] = tag === "iframe" ? address : address + "stages/0/0/5";
        document.documentElement.append(one);
        const isLoaded = await loaded;
        if (tag !== "iframe") { found.push(isLoaded); continue; }
        try { found.push(one.contentDocument ? one.contentDocument.body.innerText.length : -1); } catch { found.push(-1); }
      }
      return found;
      """)
    let numbers = try #require(got as? [Int])
    #expect(numbers.count == 5 && numbers.allSatisfy { $0 <= 0 }, "\(numbers)")
  }

  @Test(.enabled(if: Chromium.path != nil, "\(Chromium.reason)"))
  func aFileThatGrowsIsReadAgain() throws {
    let path = folder.generate("steady-60", frames: 120)
    let all = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    let lines = all.split(separator: "\n").map { $0 + "\n" }
    let growing = folder.path("growing.jsonl")
    try lines.prefix(lines.count - 40).joined().write(
      to: URL(filePath: growing), atomically: true, encoding: .utf8)
    let view = try ServedView(["--follow", growing], folder)
    let page = try BrowserPage()
    try page.open(view.address)
    let count =
      "return String(JSON.parse(document.getElementById('page-data').textContent).surfaces[0].count)"
    let before = Int(try page.text(count)) ?? 0
    _ = try page.run("document.querySelector('canvas.detail').focus()")
    try page.press("Home")
    LaunchedProcess.rest(milliseconds: 400)
    try all.write(to: URL(filePath: growing), atomically: true, encoding: .utf8)
    var after = 0
    for _ in 0..<600 where after <= before {
      LaunchedProcess.rest(milliseconds: 100)
      after = (try? page.text(count)).flatMap { Int($0) } ?? 0
    }
    #expect(before > 20 && before < 120 && after == 120, "\(before), \(after)")
    try page.call("Page.navigate", ["url": "about:blank"])
    #expect(try view.wait()?.status == .success)
  }
}
