import Foundation
import Testing

@testable import frametool

/// Hostile clients of the page's server: it still answers others, its memory stays bounded, and it ends when it is asked to.
@Suite(.serialized) struct HostileClientTests {
  private let folder: TemporaryFolder
  private let server: LaunchedProcess
  private let port: Int
  private let path: String

  /// Starts the server in a separate process, whose memory can be measured.
  init() throws {
    folder = try TemporaryFolder()
    let trace = folder.generate("triple-switch")
    server = try LaunchedProcess(
      [ShellSession.tool.path, "view", "--no-open", trace], output: .everything)
    var printed: [UInt8] = []
    while !printed.contains(UInt8(ascii: "\n")),
      case .printed(let bytes, _) = server.next(until: LaunchedProcess.now + 30_000_000_000)
    {
      printed += bytes
    }
    let words = String(decoding: printed, as: UTF8.self).split(separator: "\n")
    let address = try #require(words.first.flatMap { URL(string: String($0)) })
    (port, path) = (address.port ?? 0, address.path + "/")
  }

  /// Asks the server to end, and whether it did so by itself.
  private func end() -> Bool { server.stop().signal != SIGKILL }

  /// The most memory that the server has had, in megabytes.
  private var megabytes: Int {
    let status =
      (try? String(contentsOfFile: "/proc/\(server.identifier)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return (line.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0) / 1024
  }

  private func isServed() throws -> Bool {
    try LoopbackClient.get(path, port: port).hasPrefix("HTTP/1.1 200")
  }

  @Test func fiveHundredConnectionsLeaveRoom() throws {
    defer { #expect(end()) }
    #expect(try isServed())
    let before = megabytes
    #expect(before > 1)
    let clients = try (0..<500).map { _ in try LoopbackClient(port: port) }
    #expect(try isServed())
    // Each sends more than a request may have.
    let long = "GET \(path) HTTP/1.1\r\nX: " + String(repeating: "x", count: 65_536)
    for client in clients { client.send(long) }
    #expect(try isServed())
    // The last ones were not pushed out by others, so that they hear why.
    #expect(clients.suffix(20).allSatisfy { $0.receive().hasPrefix("HTTP/1.1 400") })
    #expect(try isServed())
    #expect(megabytes - before < 64, "\(before) and \(megabytes) MB")
  }

  /// Even those who know the token are too many at some number.
  @Test func whoNeverReadsIsLeft() throws {
    defer { #expect(end()) }
    let size = try LoopbackClient.get(path, port: port).utf8.count
    let before = megabytes
    let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
    let clients = try (0..<200).map { _ in try LoopbackClient(port: port) }
    for client in clients { client.send(request) }
    let most = before + 64 * (size >> 20 + 1) + 64
    #expect(megabytes < most, "\(before) and \(megabytes) MB, a page of \(size) bytes")
    // They are left after ten seconds, and the page is there again.
    var isThere = false
    for _ in 0..<15 where !isThere {
      isThere = try isServed()
      if !isThere { LaunchedProcess.rest(milliseconds: 1000) }
    }
    #expect(isThere && clients.count == 200)
    #expect(megabytes < most, "\(before) and \(megabytes) MB")
  }

  @Test func aByteASecondIsTooSlow() throws {
    defer { #expect(end()) }
    let client = try LoopbackClient(port: port)
    for byte in "GET \(path) HT".prefix(12) {
      client.send(String(byte))
      #expect(try isServed())
      LaunchedProcess.rest(milliseconds: 1000)
    }
    #expect(client.receive() == "")
  }

  @Test func onlyPathsOfThePageAreAnswered() throws {
    defer { #expect(end()) }
    for method in [
      "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "get", "PRI", "",
    ] {
      let answer = try LoopbackClient.get(path, port: port, method: method)
      #expect(answer.hasPrefix("HTTP/1.1 405") || answer.hasPrefix("HTTP/1.1 400"), "\(method)")
      #expect(!answer.contains("page-data"))
    }
    let ways = [
      "../../etc/passwd", "..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd", "....//etc/passwd",
      "/etc/passwd", "\\..\\etc\\passwd", "file:///etc/passwd", "a.jsonl", "stages/../a.jsonl",
      "stages/0/0/5/../../../../a.jsonl", "stages/0/0/5%00", "stages/%30/0/5",
    ]
    for way in ways {
      let answer = try LoopbackClient.get(path + way, port: port)
      #expect(answer.hasPrefix("HTTP/1.1 404"), "\(way): \(answer.prefix(60))")
    }
    #expect(try LoopbackClient.get("//a.jsonl", port: port).hasPrefix("HTTP/1.1 404"))
    #expect(try LoopbackClient.get("*", port: port).hasPrefix("HTTP/1.1 400"))
    #expect(
      try LoopbackClient.get("http://localhost\(path)", port: port).hasPrefix("HTTP/1.1 400"))
    // A second request on a connection, and a body, are not read.
    let client = try LoopbackClient(port: port)
    let request = "GET \(path)none HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90\r\n\r\n"
    client.send(request + request)
    let answers = client.receive()
    #expect(answers.hasPrefix("HTTP/1.1 404"))
    #expect(answers.components(separatedBy: "HTTP/1.1").count == 2)
  }
}
