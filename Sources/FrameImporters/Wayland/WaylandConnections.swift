import FrameTrace

/// The connections in one log, each with its messages.
///
/// A log does not name connections. A message belongs to the connection in which its object has its interface; the
/// number of a new object must be free there. A message that could belong to several connections is assigned to none.
struct WaylandConnections {
  /// The differences between connections of one log that use different copies of libwayland.
  fileprivate struct Dialect: Hashable {
    let stamp: WaylandLogLine.Stamp
    let hasNumberSign: Bool
  }

  fileprivate struct Member {
    let dialect: Dialect
    var connection = WaylandConnection()

    init(dialect: Dialect) {
      self.dialect = dialect
      set(1, to: WaylandKinds.display)
    }

    func interface(of object: UInt32) -> Int32? { objects[0, Int64(object)] }

    mutating func set(_ object: UInt32, to interface: Int32) {
      objects[0, Int64(object)] = interface
    }

    /// The numbers of its objects' interfaces.
    private var objects = PairTable()
    /// Numbers that may be reused; messages sent to them earlier can still arrive.
    private var freed = PairTable()
    /// Surfaces whose messages could be another connection's.
    var contested: Set<UInt32> = []

    /// The highest number that the program assigned.
    var highest: UInt32 = 1

    func isNext(_ object: UInt32) -> Bool {
      object == highest &+ 1 || object > Self.highestOfPrograms || isFreed(object)
    }

    /// Numbers above this belong to the compositor.
    static let highestOfPrograms: UInt32 = 0xfeff_ffff

    func isFree(_ object: UInt32) -> Bool { interface(of: object) == nil || isFreed(object) }

    mutating func free(_ object: UInt32) { freed[0, Int64(object)] = 0 }

    mutating func use(_ object: UInt32) { freed.remove(0, Int64(object)) }

    private func isFreed(_ object: UInt32) -> Bool { freed[0, Int64(object)] != nil }
  }

  private var members: [Member] = []
  /// The maximum number of connections accepted in one log.
  private static let mostConnections = 256
  /// The number of commits that could belong to several connections.
  private var unowned = 0
  /// The dialects in which a message did not fit any known connection, because several connections were interleaved.
  private var inconsistent: Set<Dialect> = []

  /// The connections, with surfaces of uncertain connection marked as doubtful.
  var connections: [WaylandConnection] {
    members.map { member in
      var connection = member.connection
      let areInterleaved = areInterleaved(member.dialect)
      connection.finish { !areInterleaved && !member.contested.contains($0) }
      return connection
    }
  }

  /// The number of frames whose connection is uncertain.
  var doubtful: Int {
    members.reduce(unowned) { sum, member in
      let areInterleaved = areInterleaved(member.dialect)
      return sum
        + member.connection.surfaces.reduce(0) { sum, surface in
          areInterleaved || member.contested.contains(surface.object)
            ? sum + surface.frameCount : sum
        }
    }
  }

  private func areInterleaved(_ dialect: Dialect) -> Bool {
    inconsistent.contains(dialect) && members.count { $0.dialect == dialect } > 1
  }

  /// The number of messages.
  private(set) var messageCount = 0

  mutating func consume(_ line: WaylandLogLine, at time: Int64) {
    messageCount += 1
    if members.count == 1 {
      // A member is large, so it is changed in place; most logs have only one.
      switch members[0].takeAlone(line, at: time) {
      case .no: break
      case .inOrder: return
      case .outOfOrder:
        inconsistent.insert(members[0].dialect)
        return
      }
    }
    let candidates = candidates(for: line)
    guard let first = candidates.first else { return }
    members[first].register(line)
    guard let fact = line.fact else { return }
    if case .gone(let number) = fact {
      // If the message can belong to several connections, each of these connections may reuse the number.
      for position in candidates { members[position].free(number) }
      return
    }
    if candidates.count > 1 {
      contest(line, among: candidates)
      return
    }
    members[first].connection.consume(line.object, fact, at: time)
  }

  /// The connections that a message can belong to, newest first; adds a connection if there is
  /// none.
  private mutating func candidates(for line: WaylandLogLine) -> [Int] {
    let dialect = Dialect(stamp: line.stamp, hasNumberSign: line.hasNumberSign)
    let same = members.indices.reversed().filter { members[$0].dialect == dialect }
    var found = same.filter { members[$0].interface(of: line.object) == line.kind.interface }
    if let object = line.new?.object {
      let free = found.filter { members[$0].isFree(object) }
      if free.isEmpty, line.kind.isRegistry, members.count < Self.mostConnections {
        return [add(dialect)]
      }
      // A new number is either a freed number or the one after the highest number.
      let next = free.filter { members[$0].isNext(object) }
      if next.isEmpty { inconsistent.insert(dialect) }
      if !next.isEmpty { found = next } else if !free.isEmpty { found = free }
    }
    if case .feedback(let surface, _) = line.fact {
      let owners = found.filter { members[$0].interface(of: surface) == WaylandKinds.surface }
      if !owners.isEmpty { found = owners }
    }
    if case .gone(let number) = line.fact {
      let owners = found.filter { !members[$0].isFree(number) }
      return owners.isEmpty ? found : owners
    }
    if !found.isEmpty { return found }
    // The log began in the middle.
    inconsistent.insert(dialect)
    let position = same.first ?? add(dialect)
    members[position].set(line.object, to: line.kind.interface)
    return [position]
  }

  private mutating func add(_ dialect: Dialect) -> Int {
    members.append(Member(dialect: dialect))
    return members.count - 1
  }

  private mutating func contest(_ line: WaylandLogLine, among candidates: [Int]) {
    if line.kind.interface == WaylandKinds.surface {
      if line.kind.isCommit { unowned += 1 }
      for position in candidates { members[position].contested.insert(line.object) }
    }
  }
}

extension WaylandConnections.Member {
  /// Whether the only connection consumed a message.
  enum Taken {
    /// The message could belong to another connection, or begins a new one.
    case no
    case inOrder
    /// The message creates an object whose number is not the next.
    case outOfOrder
  }

  /// Consumes a message if this is the only connection and the message fits it.
  mutating func takeAlone(_ line: WaylandLogLine, at time: Int64) -> Taken {
    guard interface(of: line.object) == line.kind.interface, dialect.stamp == line.stamp,
      dialect.hasNumberSign == line.hasNumberSign
    else { return .no }
    var taken = Taken.inOrder
    if let object = line.new?.object {
      let isFree = isFree(object)
      if !isFree, line.kind.isRegistry { return .no }
      if !isFree || !isNext(object) { taken = .outOfOrder }
    }
    register(line)
    if case .gone(let number) = line.fact {
      free(number)
    } else if let fact = line.fact {
      connection.consume(line.object, fact, at: time)
    }
    return taken
  }

  mutating func register(_ line: WaylandLogLine) {
    guard let (object, interface) = line.new else { return }
    connection.renew(object)
    set(object, to: interface)
    use(object)
    if object <= Self.highestOfPrograms { highest = max(highest, object) }
  }
}
