/// Injects through KWin's `org_kde_kwin_fake_input`: touches, clicks and keys.
struct FakeInputInjector: InputInjector {
  let name = "org_kde_kwin_fake_input"
  private var client: WaylandClient
  private let object: UInt32
  private let point: (x: Double, y: Double)
  private let key: UInt32

  private enum Request {
    static let authenticate = 0
    static let button = 2
    static let touchDown = 4
    static let touchUp = 6
    static let touchFrame = 8
    static let motionAbsolute = 9
    static let key = 10
  }

  /// - Returns: `nil` where the compositor does not offer it to everybody.
  init?(_ client: WaylandClient, _ target: InjectionTarget) throws(InjectionTrouble) {
    var client = client
    guard let object = try client.bind("org_kde_kwin_fake_input", atMost: 4) else { return nil }
    try client.send(
      object, Request.authenticate,
      WaylandClient.words("frametool") + WaylandClient.words("measures latency"))
    try client.findOutput()
    let middle = client.outputSize.map { (x: Double($0.width) / 2, y: Double($0.height) / 2) }
    guard let point = target.point ?? middle else {
      throw InjectionTrouble(problem: "the compositor does not say how large its output is")
    }
    (self.client, self.object, self.point, key) = (client, object, point, target.key)
  }

  mutating func inject(
    _ input: InjectedInput, isDown: Bool, shift: (x: Double, y: Double)
  ) throws(InjectionTrouble) {
    try client.listen()
    let words = [
      WaylandClient.fixed(point.x + shift.x), WaylandClient.fixed(point.y + shift.y),
    ]
    switch input {
    case .touch:
      if isDown {
        try client.send(object, Request.touchDown, [1] + words)
      } else {
        try client.send(object, Request.touchUp, [1])
      }
      try client.send(object, Request.touchFrame)
    case .pointer:
      if isDown { try client.send(object, Request.motionAbsolute, words) }
      try client.send(object, Request.button, [LinuxInput.leftButton, isDown ? 1 : 0])
    case .key: try client.send(object, Request.key, [key, isDown ? 1 : 0])
    }
  }
}

/// Numbers of `linux/input-event-codes.h`.
enum LinuxInput {
  static let leftButton: UInt32 = 0x110
}
