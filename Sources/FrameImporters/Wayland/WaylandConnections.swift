/// The connections in one log, each with its messages.
///
/// A log does not name connections. A message belongs to the connection in which its object has its
/// interface; the number of a new object must be free there. A message that could belong to several
/// connections is given to none.
struct WaylandConnections {
  /// The differences between connections of one log that use different copies of libwayland.
  private struct Dialect: Hashable {
    let stamp: WaylandLogLine.Stamp
    let hasNumberSign: Bool
  }

  private struct Member {
    let dialect: Dialect
    var connection = WaylandConnection()
    /// The interfaces of its objects.
    var objects: [UInt32: String] = [1: "wl_display"]
    /// Numbers that may be reused; messages sent to them earlier can still arrive.
    var freed: Set<UInt32> = []
    /// Surfaces whose messages could be another connection's.
    var contested: Set<UInt32> = []

    /// The highest number that the program assigned.
    var highest: UInt32 = 1

    func isNext(_ object: UInt32) -> Bool {
      freed.contains(object) || object == highest &+ 1 || object > Self.highestOfPrograms
    }

    /// Numbers above this belong to the compositor.
    static let highestOfPrograms: UInt32 = 0xfeff_ffff

    func isFree(_ object: UInt32) -> Bool { objects[object] == nil || freed.contains(object) }
  }

  private var members: [Member] = []
  /// The most connections accepted in one log.
  private static let mostConnections = 256
  /// The number of commits that could belong to several connections.
  private var unowned = 0
  /// The dialects in which a message did not fit any known connection: several were interleaved.
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

  mutating func take(_ line: WaylandLogLine, at time: Int64) {
    messageCount += 1
    let message = line.message
    let fact = line.fact
    if isPlain(line) {
      if let fact { members[0].connection.take(message.object, fact, at: time) }
      return
    }
    let candidates = candidates(for: line, fact)
    guard let first = candidates.first else { return }
    register(message, in: first)
    guard let fact else { return }
    if case .gone(let number) = fact {
      // If it can belong to several connections, each of them may reuse the number.
      for place in candidates { members[place].freed.insert(number) }
      return
    }
    if candidates.count > 1 {
      contest(message, among: candidates)
      return
    }
    members[first].connection.take(message.object, fact, at: time)
  }

  /// Whether a message belongs to the only connection and neither makes nor frees an object, as
  /// most do.
  private func isPlain(_ line: WaylandLogLine) -> Bool {
    guard members.count == 1, line.newObject == nil,
      members[0].objects[line.message.object] == line.message.interface,
      members[0].dialect == Dialect(stamp: line.stamp, hasNumberSign: line.hasNumberSign)
    else { return false }
    if case .gone = line.fact { return false }
    return true
  }

  /// The connections that a message can belong to, newest first; adds a connection if there is
  /// none.
  private mutating func candidates(for line: WaylandLogLine, _ fact: WaylandFact?) -> [Int] {
    let message = line.message
    let dialect = Dialect(stamp: line.stamp, hasNumberSign: line.hasNumberSign)
    let same = members.indices.reversed().filter { members[$0].dialect == dialect }
    var found = same.filter { members[$0].objects[message.object] == message.interface }
    if let object = message.newObject {
      let free = found.filter { members[$0].isFree(object) }
      if free.isEmpty, message.name == "get_registry", members.count < Self.mostConnections {
        return [add(dialect)]
      }
      // A new number is one that was freed, or the one after the highest.
      let next = free.filter { members[$0].isNext(object) }
      if next.isEmpty { inconsistent.insert(dialect) }
      if !next.isEmpty { found = next } else if !free.isEmpty { found = free }
    }
    if case .feedback(let surface, _) = fact {
      let owners = found.filter { members[$0].objects[surface] == "wl_surface" }
      if !owners.isEmpty { found = owners }
    }
    if case .gone(let number) = fact {
      let owners = found.filter { !members[$0].isFree(number) }
      return owners.isEmpty ? found : owners
    }
    if !found.isEmpty { return found }
    // The log began in the middle.
    inconsistent.insert(dialect)
    let place = same.first ?? add(dialect)
    members[place].objects[message.object] = message.interface
    return [place]
  }

  private mutating func add(_ dialect: Dialect) -> Int {
    members.append(Member(dialect: dialect))
    return members.count - 1
  }

  private mutating func register(_ message: WaylandMessage, in place: Int) {
    if let object = message.newObject {
      members[place].connection.renew(object)
      members[place].objects[object] = message.newInterface ?? "[unknown]"
      members[place].freed.remove(object)
      if object <= Member.highestOfPrograms {
        members[place].highest = max(members[place].highest, object)
      }
    }
  }

  private mutating func contest(_ message: WaylandMessage, among candidates: [Int]) {
    if message.interface == "wl_surface" {
      if message.name == "commit" { unowned += 1 }
      for place in candidates { members[place].contested.insert(message.object) }
    }
  }
}
