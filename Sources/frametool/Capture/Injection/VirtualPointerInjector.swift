/// Injects clicks through wlroots' `zwlr_virtual_pointer_v1`.
struct VirtualPointerInjector: InputInjector {
  private var client: WaylandClient
  private let device: UInt32
  private let point: (x: Double, y: Double)

  private enum Request {
    static let motionAbsolute = 1
    static let button = 2
    static let frame = 4
  }

  init(_ client: WaylandClient, _ target: InjectionTarget) throws(InjectionTrouble) {
    self.client = client
    device = try self.client.virtualDevice(InjectionRoad.virtualPointer.rawValue)
    point = try self.client.point(of: target)
  }

  mutating func inject(
    _ input: InjectedInput, isDown: Bool, shift: (x: Double, y: Double)
  ) throws(InjectionTrouble) {
    try client.listen()
    let time = WaylandClient.milliseconds
    if isDown, let size = client.outputSize {
      let words = [point.x + shift.x, point.y + shift.y, size.width, size.height].map {
        UInt32(clamping: Int64($0.rounded()))
      }
      try client.send(device, Request.motionAbsolute, [time] + words)
      try client.send(device, Request.frame)
    }
    try client.send(device, Request.button, [time, LinuxInput.leftButton, isDown ? 1 : 0])
    try client.send(device, Request.frame)
  }
}
