import CRemoteDesktop

/// Injects touches, clicks and keys through GNOME's remote desktop, `org.gnome.Mutter.RemoteDesktop` on the session
/// bus. This is the only code that calls CRemoteDesktop.
@safe final class RemoteDesktopInjector: InputInjector {
  private let session: OpaquePointer
  private let point: (x: Double, y: Double)
  private let key: UInt32

  private static let problemRoom = 256

  /// - Parameter client: A connection to the compositor, used to find the size of its output.
  init(_ client: WaylandClient, _ target: InjectionTarget) throws(InjectionTrouble) {
    var client = client
    let point = try client.point(of: target)
    var problem = [CChar](repeating: 0, count: Self.problemRoom)
    let session = unsafe problem.withUnsafeMutableBufferPointer { problem in
      unsafe remote_desktop_open(problem.baseAddress, problem.count)
    }
    guard let session = unsafe session else {
      let reason = problem.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw InjectionTrouble(
        problem: "GNOME's remote desktop cannot be used: \(String(decoding: reason, as: UTF8.self))"
      )
    }
    unsafe self.session = session
    (self.point, key) = (point, target.key)
  }

  deinit { unsafe remote_desktop_close(session) }

  func inject(
    _ input: InjectedInput, isDown: Bool, shift: (x: Double, y: Double)
  ) throws(InjectionTrouble) {
    let state: Int32 = isDown ? 1 : 0
    let (x, y) = (point.x + shift.x, point.y + shift.y)
    let failure: Int32
    switch input {
    case .touch: failure = unsafe remote_desktop_touch(session, state, x, y)
    case .pointer:
      if isDown { _ = unsafe remote_desktop_move(session, x, y) }
      failure = unsafe remote_desktop_button(session, Int32(LinuxInput.leftButton), state)
    case .key: failure = unsafe remote_desktop_key(session, key, state)
    }
    guard failure == 0 else {
      throw InjectionTrouble(problem: "GNOME's remote desktop ended the session")
    }
  }
}
