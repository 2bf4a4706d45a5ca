/// The connections whose messages stand in one log, each message given to its own.
///
/// A log does not name connections. A message belongs to the one in which its object has its interface; a
/// new object shows it where the number is free. What could belong to several is given to none.
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

    /// The highest number that the program gave out.
    var highest: UInt32 = 1

    func isNext(_ object: UInt32) -> Bool {
      freed.contains(object) || object == highest &+ 1 || object > Self.highestOfPrograms
    }

    /// Numbers above are the compositor's.
    static let highestOfPrograms: UInt32 = 0xfeff_ffff

    func isFree(_ object: UInt32) -> Bool { objects[object] == nil || freed.contains(object) }
  }

  private var members: [Member] = []
  /// The most connections that one log is believed to be of.
  private static let mostConnections = 256
  /// Commits that could be of several connections.
  private var unowned = 0
  /// Where a message did not fit to any connection as it was known: several were interleaved.
  private var inconsistent: Set<Dialect> = []

  /// The connections, each with the surfaces that are its own for sure.
  var connections: [WaylandConnection] {
    members.map { member in
      var connection = member.connection
      let areInterleaved = areInterleaved(member.dialect)
      connection.finish { !areInterleaved && !member.contested.contains($0) }
      return connection
    }
  }

  /// Frames whose connection is in doubt.
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

  /// How many messages there were.
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
      // Of several that it can be of, each may give the number out again.
      for place in candidates { members[place].freed.insert(number) }
      return
    }
    if candidates.count > 1 {
      contest(message, among: candidates)
      return
    }
    members[first].connection.take(message.object, fact, at: time)
  }

  /// Whether a message is of the only connection there is, and neither makes nor frees an object: what most are.
  private func isPlain(_ line: WaylandLogLine) -> Bool {
    guard members.count == 1, line.newObject == nil,
      members[0].objects[line.message.object] == line.message.interface,
      members[0].dialect == Dialect(stamp: line.stamp, hasNumberSign: line.hasNumberSign)
    else { return false }
    if case .gone = line.fact { return false }
    return true
  }

  /// The connections that a message can belong to, newest first; a new one is made where none is.
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
      // A number is one that was freed, or the one after the highest.
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
