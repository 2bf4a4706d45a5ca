import FrameKit

/// The options of a command for injecting inputs.
struct InjectionOptions: Sendable {
  var input: InjectedInput?
  private var point: String?
  private var spread: Double?
  private var key: Int?
  private var every: Double?
  private var count: Int?
  private var seed: Int?
  private var display: String?

  private static let usualEvery = 1000.0
  private static let usualCount = 100

  static func options<Root>(
    _ path: any WritableKeyPath<Root, InjectionOptions> & Sendable
  ) -> [CommandOption<Root>] { options.map { $0.within(path) } }

  private static var options: [CommandOption<InjectionOptions>] {
    [
      .choice(
        "--inject", to: \.input,
        help: "inject inputs, find the frame that visibly responds to each, then end the program"),
      .text(
        "--inject-at", to: \.point, metavar: "X,Y",
        help: "where on the output to touch or click (default: its center)"),
      .real(
        "--inject-spread", to: \.spread, metavar: "N", in: 0...10_000,
        help:
          "vary the point randomly by up to N, for programs that respond only to new positions"
      ),
      .number(
        "--inject-key", to: \.key, metavar: "N", in: 1...767,
        help: "the key code from linux/input-event-codes.h (default: 30, the letter A)"),
      .real(
        "--inject-every", to: \.every, metavar: "ms", in: 100...60_000,
        help: "time between inputs, plus a random amount of up to a quarter (default: 1000)"
      ),
      .number(
        "--inject-count", to: \.count, metavar: "N", in: 1...100_000,
        help: "number of inputs (default: \(usualCount))"),
      .number(
        "--inject-seed", to: \.seed, metavar: "N", in: 0...Int(Int32.max),
        help: "seed for the random times and points (default: 1)"),
      .text(
        "--inject-into", to: \.display, metavar: "SOCKET",
        help: "inject into this compositor, if the program's compositor runs in a window of it"),
    ]
  }

  /// Creates the injection; `nil` if none is requested.
  func injection(_ session: WaylandSession) throws(CommandError) -> Injection? {
    guard let input else { return nil }
    let target = InjectionTarget(point: try position(), key: UInt32(key ?? 30))
    do throws(InjectionTrouble) {
      let client = try WaylandClient(compositor: session.compositor(display))
      let road = try InjectionRoad(of: input, in: client)
      return Injection(
        input, through: try road.injector(client, target), of: road,
        Injection.Settings(
          every: Nanoseconds.milliseconds(every ?? Self.usualEvery).count,
          count: count ?? Self.usualCount, seed: UInt64(seed ?? 1), spread: spread ?? 0))
    } catch {
      throw CommandError(.unavailable, error.problem, help: error.help)
    }
  }

  /// Rejects conflicting options.
  func check() throws(CommandError) {
    guard input != nil else {
      guard point == nil, spread == nil, key == nil, every == nil, count == nil, seed == nil,
        display == nil
      else {
        throw CommandError(
          .usage, "there is nothing to inject", help: "add --inject touch, pointer or key")
      }
      return
    }
    _ = try position()
  }

  /// A description of the injection, for a dry run; `nil` for none.
  func words(_ session: WaylandSession) throws(CommandError) -> String? {
    guard let input else { return nil }
    do throws(InjectionTrouble) {
      let client = try WaylandClient(compositor: session.compositor(display))
      let road = try InjectionRoad(of: input, in: client)
      let every = FixedNumber.text(every ?? Self.usualEvery, decimals: 0)
      return
        "inject \(count ?? Self.usualCount) × \(input.words), one every \(every) ms plus up to a quarter, through \(road.rawValue)"
    } catch {
      throw CommandError(.unavailable, error.problem, help: error.help)
    }
  }

  private func position() throws(CommandError) -> (x: Double, y: Double)? {
    guard let point else { return nil }
    let numbers = point.split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0).flatMap { 0...1e6 ~= $0 ? $0 : nil }
    }
    guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else {
      throw CommandError(
        .usage, "--inject-at: expected two numbers separated by a comma, found \(point)")
    }
    return (x, y)
  }
}
