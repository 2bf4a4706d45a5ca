/// The connections whose messages stand in one log, each message given to its own.
///
/// A log does not name connections. A message is of the one in which its object has its interface; a
/// new object tells it where the number is free. What can be of several is nobody's.
struct WaylandConnections {
  /// What two connections of one log differ in at least, where they use two copies of libwayland.
  private struct Dialect: Hashable {
    let stamp: WaylandLogLine.Stamp
    let hasNumberSign: Bool
  }

  private struct Member {
    let dialect: Dialect
    var connection = WaylandConnection()
    /// The interfaces of its objects.
    var objects: [UInt32: String] = [1: "wl_display"]
    /// Numbers that may be given out again; what was sent to them before can still come.
    var freed: Set<UInt32> = []
    /// Surfaces whose messages could be another connection's.
    var contested: Set<UInt32> = []

    func isFree(_ object: UInt32) -> Bool { objects[object] == nil || freed.contains(object) }
  }

  private var members: [Member] = []
  /// Messages of frames and buffers that could be of several connections.
  private(set) var ambiguous = 0

  /// The connections, and for each the numbers of surfaces that could be another one's.
  var connections: [(connection: WaylandConnection, contested: Set<UInt32>)] {
    members.map { member in
      var connection = member.connection
      connection.finish()
      return (connection, member.contested)
    }
  }

  mutating func take(_ line: WaylandLogLine, at time: Int64) {
    let message = line.message
    let fact = WaylandFact(message)
    let candidates = candidates(for: line, fact)
    guard let first = candidates.first else { return }
    register(message, in: first)
    guard let fact else { return }
    if candidates.count > 1 {
      if case .gone = fact {
        // Which one it was does not matter to any frame.
      } else {
        contest(message, among: candidates)
        return
      }
    }
    if case .gone(let number) = fact { members[first].freed.insert(number) }
    members[first].connection.take(message.object, fact, at: time)
  }

  /// The connections that a message can be of, the newest first; a new one is made where none is.
  private mutating func candidates(for line: WaylandLogLine, _ fact: WaylandFact?) -> [Int] {
    let message = line.message
    let dialect = Dialect(stamp: line.stamp, hasNumberSign: line.hasNumberSign)
    let same = members.indices.reversed().filter { members[$0].dialect == dialect }
    var found = same.filter { members[$0].objects[message.object] == message.interface }
    if let object = message.newObject {
      let free = found.filter { members[$0].isFree(object) }
      if free.isEmpty, message.name == "get_registry" { return [add(dialect)] }
      if !free.isEmpty { found = free }
    }
    if case .feedback(let surface, _) = fact {
      let owners = found.filter { members[$0].objects[surface] == "wl_surface" }
      if !owners.isEmpty { found = owners }
    }
    if case .gone(let number) = fact {
      return found.first { !members[$0].isFree(number) }.map { [$0] } ?? found
    }
    if !found.isEmpty { return found }
    // The log began in the middle.
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
      members[place].objects[object] = message.newInterface ?? "[unknown]"
      members[place].freed.remove(object)
    }
  }

  private mutating func contest(_ message: WaylandMessage, among candidates: [Int]) {
    guard ["wl_surface", "wp_presentation_feedback", "wl_buffer"].contains(message.interface)
    else { return }
    ambiguous += 1
    if message.interface == "wl_surface" {
      for place in candidates { members[place].contested.insert(message.object) }
    }
  }
}
