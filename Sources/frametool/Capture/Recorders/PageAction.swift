import FrameKit

/// An action on a recorded page after it has loaded: a click, typed text, or a scroll.
enum PageAction: Sendable, Equatable {
  /// A click in the middle of the first element that a CSS selector finds.
  case click(String)
  /// Keys, one after another, to the focused element.
  case type(String)
  /// A scroll by the given number of CSS pixels, as with a wheel; positive values scroll down.
  case scroll(Double)

  /// The pause from the end of an action to the next action, so that each action has separate frames.
  static let pause: Int64 = 500_000_000

  /// The options of a command for actions, in the order in which they are given.
  static func options<Root>(
    _ path: any WritableKeyPath<Root, [PageAction]> & Sendable
  ) -> [CommandOption<Root>] {
    [
      CommandOption(
        names: ["--click"], metavar: "SELECTOR",
        help: "click this element of the page once it is loaded; repeatable, as the next two",
        choices: []
      ) { root, text in
        root[keyPath: path].append(.click(text))
        return nil
      },
      CommandOption(
        names: ["--type"], metavar: "TEXT", help: "type into the element with the focus",
        choices: []
      ) { root, text in
        root[keyPath: path].append(.type(text))
        return nil
      },
      CommandOption(
        names: ["--scroll"], metavar: "PX",
        help: "scroll down by so many CSS pixels; up if negative",
        choices: []
      ) { root, text in
        guard let pixels = Double(text), pixels.isFinite, abs(pixels) <= 1e6, pixels != 0 else {
          return "a number of CSS pixels other than 0"
        }
        root[keyPath: path].append(.scroll(pixels))
        return nil
      },
    ]
  }
}

extension DevTools {
  /// Performs an action as a user would.
  mutating func perform(_ action: PageAction, in session: String) throws(CommandError) {
    switch action {
    case .click(let selector):
      let (x, y) = try middle(of: selector, in: session)
      for type in ["mouseMoved", "mousePressed", "mouseReleased"] {
        _ = try call("Input.dispatchMouseEvent", in: session) { json in
          json.member("type", type)
          json.member("x", x)
          json.member("y", y)
          if type != "mouseMoved" {
            json.member("button", "left")
            json.member("clickCount", 1)
          }
        }
      }
    case .type(let text):
      for character in text {
        for type in ["keyDown", "keyUp"] {
          _ = try call("Input.dispatchKeyEvent", in: session) { json in
            json.member("type", type)
            json.member("key", String(character))
            if type == "keyDown" { json.member("text", String(character)) }
          }
        }
      }
    case .scroll(let pixels):
      _ = try call("Input.synthesizeScrollGesture", in: session) { json in
        json.member("x", 100.0)
        json.member("y", 100.0)
        // Content moves up when the page is scrolled down.
        json.member("yDistance", -pixels)
        json.member("gestureSourceType", "mouse")
        // In CSS pixels per second; long distances are scrolled faster, so that no scroll exceeds the wait for a reply.
        json.member("speed", max(800, abs(pixels) / 10))
      }
    }
  }

  /// The middle of an element, which is scrolled into view.
  private mutating func middle(
    of selector: String, in session: String
  ) throws(CommandError) -> (x: Double, y: Double) {
    var quoted = JSONWriter(indented: false)
    quoted.value(selector)
    let text = String(decoding: quoted.takeBytes(), as: UTF8.self)
    let answer = try call("Runtime.evaluate", in: session) { json in
      json.member(
        "expression",
        "(() => { const element = document.querySelector(\(text)); if (!element) return null; element.scrollIntoView({ block: 'center', behavior: 'instant' }); const box = element.getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]; })()"
      )
      json.key("returnByValue")
      json.value(true)
    }
    guard let position = answer["result"]?["value"]?.array, position.count == 2,
      let x = position[0].number, let y = position[1].number
    else {
      throw CommandError(
        .badData,
        "--click: expected an element \(PrintableText.line(selector)) in the page, found none",
        help: "a selector as in CSS: '#buy', 'button.next', 'a[href]'")
    }
    return (x, y)
  }
}
