/// Access to a page that this machine serves: anyone who has the page's address, from the page itself.
///
/// Any site that a browser shows can send requests to 127.0.0.1. Such a site does not know the token in the path. If
/// the site later points its host name to 127.0.0.1 (DNS rebinding), that name is in the Host field. Browsers also
/// state where a request comes from (Fetch Metadata, Origin).
struct PageAccess {
  /// A random word in the path, known only to those who have the address.
  let token: String

  init() {
    var random = SystemRandomNumberGenerator()
    token = (0..<4).map { _ in
      let word = String(UInt32.random(in: 0...(.max), using: &random), radix: 16)
      return String(repeating: "0", count: 8 - word.count) + word
    }.joined()
  }

  /// The names of this machine; the port differs if it is forwarded, for example by SSH.
  private static let hosts: Set = ["127.0.0.1", "localhost", "[::1]"]

  /// The path below the token, without its first slash, or why there is none.
  func path(of request: PageRequest) -> Result<String, Refusal> {
    guard let host = request["host"], Self.hosts.contains(Self.name(of: host)) else {
      return .failure(
        Refusal(.refused, "expected the host 127.0.0.1 or localhost; open the printed address"))
    }
    if let origin = request["origin"], origin != "http://\(host)" {
      return .failure(Refusal(.refused, "only the page itself may ask"))
    }
    let isOwn = ["same-origin", "none"].contains(request["sec-fetch-site"] ?? "none")
    // A link in a chat or a browser's terminal may be followed.
    let isFollowed = request["sec-fetch-dest"] == "document"
    guard isOwn || isFollowed, request.fields["origin"]?.count ?? 1 == 1 else {
      return .failure(Refusal(.refused, "only the page itself may ask"))
    }
    guard ["GET", "HEAD"].contains(request.method) else {
      return .failure(Refusal(.unknownMethod, "only GET and HEAD are known"))
    }
    let path = request.path.prefix { $0 != "?" && $0 != "#" }.dropFirst()
    let word = path.prefix { $0 != "/" }
    guard isToken(word), word.endIndex < path.endIndex else {
      return .failure(Refusal(.missing, "nothing is here; open the printed address"))
    }
    return .success(String(path[word.endIndex...].dropFirst()))
  }

  struct Refusal: Error {
    let answer: PageAnswer

    init(_ status: PageAnswer.Status, _ words: String) { answer = PageAnswer(status, words) }
  }

  /// Compares in a time that does not depend on the position of the first difference.
  private func isToken(_ word: Substring) -> Bool {
    let (own, other) = (Array(token.utf8), Array(word.utf8))
    guard own.count == other.count else { return false }
    return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// A host without its port.
  private static func name(of host: String) -> String {
    guard let colon = host.lastIndex(of: ":"), host.last != "]" else { return host.lowercased() }
    return host[..<colon].lowercased()
  }
}
