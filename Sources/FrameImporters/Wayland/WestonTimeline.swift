import FrameTrace

/// The output of `weston-debug timeline` for a compositor that runs with `--debug`: its repaints.
///
/// Documentation: Weston, "weston-debug" and `libweston/timeline.c`; version 10 was examined. The lines
///
///     { "T":[3178, 859619445], "N":"core_repaint_begin", "wo":1 }
///     { "T":[3178, 859625674], "N":"core_flush_damage", "ws":2, "wo":1 }
///     { "T":[3178, 859739444], "N":"core_repaint_posted", "wo":1 }
///     { "T":[3178, 875766545], "N":"core_repaint_finished", "wo":1, "vblank_monotonic":[3178, 875766194] }
///
/// show that a commit of surface 2 was taken at 3178.8596 s and displayed 16 ms later.
struct WestonTimeline: WaylandImporter {
  let name = "weston-timeline"
  let title = "weston-debug timeline"
  let versions = "Weston 2 to 14"
  let documentation = "https://wayland.pages.freedesktop.org/weston/toc/running-weston.html"
  let framesAdvice: String? = "for frames, record while a program draws"

  func recognize(_ head: FileHead) -> Recognition? {
    guard Self.isTimeline(head) else { return nil }
    return Recognition(
      format: "weston-debug timeline", reason: "objects of weston and points of its timeline")
  }

  static func isTimeline(_ head: FileHead) -> Bool {
    head.lines(20).contains { line in
      line.hasPrefix("{")
        && (line.contains("\"type\":\"weston_")
          || (line.contains("\"N\":\"") && line.contains("\"T\":[")))
    }
  }

  /// Reads a timeline and adds it to the facts known so far.
  static func read(
    _ input: InputFile, into facts: consuming WestonTimelineFacts, _ log: inout IssueLog
  ) throws(ParseError) -> WestonTimelineFacts {
    var facts = facts
    let broken = try TextLines.read(input) { line in
      if line.isBlank { return }
      if let node = try? JSONNode(Array(line.bytes)), consume(node, into: &facts) { return }
      log.note(malformed: line, "lines that are not timeline points")
    }
    log.note(break: broken)
    return facts
  }

  /// - Returns: Whether the object belongs to a timeline.
  private static func consume(_ node: JSONNode, into facts: inout WestonTimelineFacts) -> Bool {
    if let id = node["id"]?.integer, let type = node["type"]?.text {
      switch type {
      case "weston_surface": facts.name(surface: id, node["desc"]?.text)
      case "weston_output": facts.name(output: id, node["name"]?.text)
      default: break
      }
      return true
    }
    guard let name = node["N"]?.text, let time = node["T"].flatMap(time) else { return false }
    let (surface, output) = (node["ws"]?.integer, node["wo"]?.integer)
    switch (name, surface, output) {
    case ("core_commit_damage", let surface?, _): facts.committed(surface, at: time)
    case ("core_flush_damage", let surface?, let output?):
      facts.took(surface, for: output, at: time)
    case ("core_repaint_begin", _, let output?): facts.began(output, at: time)
    case ("core_repaint_posted", _, let output?): facts.ended(output, at: time)
    case ("renderer_gpu_end", _, let output?):
      facts.ended(output, at: node["gpu"].flatMap(self.time) ?? time)
    case ("core_repaint_finished", _, let output?):
      // If the time of the refresh itself is missing, the time when the compositor was notified of the refresh is used.
      facts.finished(
        output,
        refresh: (node["vblank_monotonic"] ?? node["vblank"]).flatMap(self.time) ?? time, at: time)
    default: break
    }
    return true
  }

  /// `[3178, 859619445]`: seconds and nanoseconds.
  private static func time(_ node: JSONNode) -> Int64? {
    guard let parts = node.array, parts.count == 2, let seconds = parts[0].integer,
      let part = parts[1].integer, 0..<1 << 31 ~= seconds, 0..<1_000_000_000 ~= part
    else { return nil }
    return seconds * 1_000_000_000 + part
  }
}
