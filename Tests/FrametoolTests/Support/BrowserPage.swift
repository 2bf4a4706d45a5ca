import Foundation

@testable import FrameTrace
@testable import frametool

/// A page in a browser without a window, with simulated keys and mouse.
final class BrowserPage {
  private var tools: DevTools
  private var session = ""
  private let folder: TemporaryFolder

  init(width: Int = 1400, height: Int = 1000) throws {
    folder = try TemporaryFolder()
    let process = try LaunchedProcess(
      [
        Chromium.path ?? "", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
        "--remote-debugging-pipe", "--user-data-dir=\(folder.path("profile"))",
        "--window-size=\(width),\(height)", "--disable-background-networking", "about:blank",
      ], output: .conversation)
    tools = DevTools(process, nil)
    var page: String?
    for _ in 0..<200 where page == nil {
      let targets = try tools.call("Target.getTargets")["targetInfos"]?.array ?? []
      page = targets.first { $0["type"]?.text == "page" }?["targetId"]?.text
      LaunchedProcess.rest(milliseconds: 50)
    }
    let attached = try tools.call("Target.attachToTarget") { json in
      json.member("targetId", page)
      json.member("flatten", true)
    }
    session = attached["sessionId"]?.text ?? ""
    for domain in ["Page", "Runtime", "Log"] {
      _ = try tools.call("\(domain).enable", in: session)
    }
  }

  deinit { tools.close() }

  /// Calls a method of the browser's protocol for the page.
  @discardableResult
  func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> JSONNode {
    let members = try parameters.sorted { $0.key < $1.key }.map { key, value in
      (
        key,
        String(
          decoding: try JSONSerialization.data(
            withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys]), as: UTF8.self)
      )
    }
    return try tools.call(method, in: session) { json in
      for (key, value) in members {
        json.key(key)
        json.item(value)
      }
    }
  }

  /// Opens a page by its path or address and waits until it works.
  func open(_ path: String, fragment: String = "") throws {
    try call("Page.navigate", ["url": "about:blank"])
    let isFile = path.hasPrefix("/")
    try call("Page.navigate", ["url": "\(isFile ? "file://" : "")\(path)\(fragment)"])
    for _ in 0..<400 {
      if try text("return document.documentElement?.dataset.ready ?? ''") == "true" { return }
      LaunchedProcess.rest(milliseconds: 50)
    }
    throw CommandError(.unavailable, "the page did not get ready: \(try console())")
  }

  /// The result of the body of an asynchronous function, run in the page.
  func run(_ body: String) throws -> Any {
    let result = try call(
      "Runtime.evaluate",
      [
        "expression":
          "(async () => { \(body) })().then((value) => JSON.stringify([value ?? null]))",
        "awaitPromise": true, "returnByValue": true,
      ])
    guard let text = result["result"]?["value"]?.text else {
      throw CommandError(
        .unavailable, result["exceptionDetails"]?["exception"]?["description"]?.text ?? body)
    }
    let values = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Any]
    return values?.first ?? NSNull()
  }

  func text(_ body: String) throws -> String { try run(body) as? String ?? "" }

  func number(_ body: String) throws -> Double { (try run(body) as? NSNumber)?.doubleValue ?? .nan }

  /// The page's error messages and console output.
  func console() throws -> [String] {
    var lines: [String] = []
    while let entry = try tools.event("Log.entryAdded", until: 0) {
      lines.append(entry["entry"]?["text"]?.text ?? "an entry of the log")
    }
    while let thrown = try tools.event("Runtime.exceptionThrown", until: 0) {
      lines.append(thrown["exceptionDetails"]?["exception"]?["description"]?.text ?? "an exception")
    }
    while try tools.event("Runtime.consoleAPICalled", until: 0) != nil { lines.append("a line") }
    return lines
  }

  /// Presses keys, one after the other.
  func press(_ keys: String...) throws {
    for key in keys {
      for type in ["keyDown", "keyUp"] {
        try call("Input.dispatchKeyEvent", ["type": type, "key": key])
      }
    }
  }

  private func mouse(
    _ type: String, _ position: (x: Int, y: Int), isHeld: Bool, withShift: Bool = false
  ) throws {
    try call(
      "Input.dispatchMouseEvent",
      [
        "type": type, "x": position.x, "y": position.y, "button": isHeld ? "left" : "none",
        "buttons": isHeld && type != "mouseReleased" ? 1 : 0, "clickCount": isHeld ? 1 : 0,
        "modifiers": withShift ? 8 : 0,
      ])
  }

  /// Moves the mouse, with its button held from the first point on.
  func drag(_ positions: [(x: Int, y: Int)], withShift: Bool = false) throws {
    guard let first = positions.first, let last = positions.last else { return }
    try mouse("mouseMoved", first, isHeld: false)
    try mouse("mousePressed", first, isHeld: true, withShift: withShift)
    for position in positions.dropFirst() {
      try mouse("mouseMoved", position, isHeld: true, withShift: withShift)
    }
    try mouse("mouseReleased", last, isHeld: true, withShift: withShift)
  }

  /// Moves the mouse to a point without a button pressed.
  func point(_ x: Int, _ y: Int) throws { try mouse("mouseMoved", (x, y), isHeld: false) }

  /// Turns the wheel.
  func wheel(_ x: Int, _ y: Int, by delta: Int) throws {
    try call(
      "Input.dispatchMouseEvent",
      ["type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": delta])
  }

  /// The page as it prints: a PDF in base64.
  func printed() throws -> String { try call("Page.printToPDF")["data"]?.text ?? "" }
}
