import Foundation
import Synchronization

@testable import frametool

/// A page that `view` serves while a test looks at it.
final class ServedView: Sendable {
  let address: String
  private let waiting: DispatchSemaphore
  private let finished: Finished

  /// Starts the command, with a browser that only notes the address.
  /// - Parameter status: With what the browser ends.
  init(_ arguments: [String], _ folder: TemporaryFolder, browserEndsWith status: Int = 0) throws {
    let (browser, noted) = (folder.path("browser"), folder.path("address"))
    try? FileManager.default.removeItem(atPath: noted)
    // The address appears at once and whole.
    try Data(
      "#!/bin/sh\nprintf %s \"$1\" > '\(noted).new' && mv '\(noted).new' '\(noted)'; exit \(status)\n"
        .utf8
    )
    .write(to: URL(filePath: browser))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: browser)
    let (waiting, done) = (DispatchSemaphore(value: 0), Finished())
    Thread.detachNewThread {
      let run = Run(["view"] + arguments, variables: ["BROWSER": browser])
      done.run.withLock { $0 = run }
      waiting.signal()
    }
    var address: String?
    for _ in 0..<2400 where address == nil {
      address = try? String(contentsOf: URL(filePath: noted), encoding: .utf8)
      if let run = done.run.withLock({ $0 }), address == nil { throw Failure(said: run.errors) }
      LaunchedProcess.rest(milliseconds: 50)
    }
    self.address = address ?? ""
    (self.waiting, finished) = (waiting, done)
  }

  private final class Finished: Sendable {
    let run = Mutex<Run?>(nil)
  }

  struct Failure: Error {
    let said: String
  }

  var port: Int { address.split(separator: ":").last.flatMap { Int($0.prefix { $0 != "/" }) } ?? 0 }

  /// The path of the page, with slashes around its token.
  var path: String { "/" + (address.split(separator: "/").last.map(String.init) ?? "") + "/" }

  /// Opens and closes a page, and waits until the server has ended.
  func end() throws -> Run? {
    do {
      let page = try LoopbackClient(port: port)
      page.send("GET \(path)messages HTTP/1.1\r\nHost: localhost\r\n\r\n")
      _ = page.receive(until: "\r\n\r\n")
    }
    return try wait()
  }

  /// Waits until the server has ended; `nil` if it does not.
  func wait() throws -> Run? {
    guard waiting.wait(timeout: .now() + 30) == .success else { return nil }
    return finished.run.withLock { $0 }
  }
}
