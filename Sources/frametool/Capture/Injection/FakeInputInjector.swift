/// Injects through KWin's `org_kde_kwin_fake_input`: touches, clicks and keys.
struct FakeInputInjector: InputInjector {
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

  init(_ client: WaylandClient, _ target: InjectionTarget) throws(InjectionTrouble) {
    self.client = client
    object = try self.client.bind(InjectionRoad.fakeInput.rawValue, atMost: 4)
    try self.client.send(
      object, Request.authenticate,
      WaylandWireMessage.words(of: "frametool") + WaylandWireMessage.words(of: "measures latency"))
    point = try self.client.point(of: target)
    key = target.key
  }

  mutating func inject(
    _ input: InjectedInput, isDown: Bool, shift: (x: Double, y: Double)
  ) throws(InjectionTrouble) {
    try client.listen()
    let words = [
      WaylandWireMessage.fixed(point.x + shift.x), WaylandWireMessage.fixed(point.y + shift.y),
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
