/// Who may read a page that this machine serves: whoever has its address, from a page of its own.
///
/// Any site that a browser shows can ask 127.0.0.1 for something. It does not know the token in the path; a name of its
/// own that it points to 127.0.0.1 later (DNS rebinding) is in the Host field; and browsers say where a request comes
/// from (Fetch Metadata, Origin).
struct PageAccess {
  /// A random word in the path, which only those know who were told the address.
  let token: String

  init() {
    var random = SystemRandomNumberGenerator()
    token = (0..<4).map { _ in
      let word = String(UInt32.random(in: 0...(.max), using: &random), radix: 16)
      return String(repeating: "0", count: 8 - word.count) + word
    }.joined()
  }

  /// The names that mean this machine; the port differs where it is forwarded, as by SSH.
  private static let hosts: Set = ["127.0.0.1", "localhost", "[::1]"]

  /// The path below the token, without its first slash; or why there is none.
  func path(of request: PageRequest) -> Result<String, Refusal> {
    guard let host = request["host"], Self.hosts.contains(Self.name(of: host)) else {
      return .failure(
        Refusal(.refused, "expected the host 127.0.0.1 or localhost; open the printed address"))
    }
    if let origin = request["origin"], origin != "http://\(host)" {
      return .failure(Refusal(.refused, "only the page itself may ask"))
    }
    let isOwn = ["same-origin", "none"].contains(request["sec-fetch-site"] ?? "none")
    // A link in a chat or a terminal of a browser may be followed.
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

  /// Compares in a time that does not depend on where the words differ.
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
