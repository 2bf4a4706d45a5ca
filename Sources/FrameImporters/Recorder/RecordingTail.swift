package import FrameTrace

/// Follows a recording while a program still writes it: each read returns the events since the last read.
///
/// The program never waits for a reader. Events that were overwritten before they were read are
/// counted as lost. An event that is still being written is left for the next read.
package final class RecordingTail {
  private let file: FileDescriptor
  private let path: String
  private let header: RecordingHeader
  /// The number of events that were read or lost.
  private var position = 0
  /// The event that is being written, and since when.
  private var stuck: (position: Int, since: Int64)?
  private static let patience: Int64 = 1_000_000_000
  package private(set) var lost = 0
  /// The number and the name of the process that writes the recording.
  package var process: (number: Int, name: String?) { (header.processID, header.process) }
  private(set) var names: [String] = []
  /// The number of times that there was no room for another name.
  package private(set) var missedNames = 0

  /// Opens a recording.
  /// - Returns: `nil` if the header has not been written yet.
  package init?(path: String) throws(ParseError) {
    file = try FileDescriptor(reading: path, for: path)
    self.path = path
    let bytes = try file.read(0..<RecordingHeader.size, path: path)
    guard bytes.starts(with: Array("FRAMEREC".utf8)), let header = RecordingHeader(bytes) else {
      return nil
    }
    self.header = header
  }

  /// The events since the last read, in order of recording.
  /// - Parameters:
  ///   - now: The time in nanoseconds.
  ///   - all: Whether to stop waiting for events that are being written.
  func next(at now: Int64, all: Bool) throws(ParseError) -> [RecordedEvent] {
    let count = try file.read(
      RecordingHeader.countPosition..<RecordingHeader.countPosition + 8, path: path)
    guard count.count == 8, count.span.word(at: 0) > UInt64(position) else { return [] }
    let found = try file.read(0..<RecordingHeader.size, path: path)
    guard let latest = RecordingHeader(found), latest.count > position else { return [] }
    if !latest.countsNames { names = [] }
    if latest.nameCount > names.count {
      names += RecordingHeader.names(
        inPart: try file.read(latest.namesPosition(from: names.count), path: path))
    }
    missedNames = latest.missedNames
    if latest.count - position > header.capacity {
      lost += latest.count - header.capacity - position
      position = latest.count - header.capacity
    }
    var events: [RecordedEvent] = []
    while position < latest.count {
      let index = position % header.capacity
      let count = min(latest.count - position, header.capacity - index)
      let start = header.start + index * RecordingHeader.eventSize
      let bytes = try file.read(
        start..<start + count * RecordingHeader.eventSize, path: path)
      let before = position
      if consume(bytes, count, into: &events), position > before {
        stuck = nil
        continue
      }
      // A thread that ended in the middle of an event never finishes it.
      let since = stuck?.position == position ? stuck?.since ?? now : now
      stuck = (position, since)
      guard all || now - since > Self.patience else { break }
      lost += 1
      position += 1
    }
    return events
  }

  /// - Returns: Whether all events were finished.
  private func consume(_ bytes: [UInt8], _ count: Int, into events: inout [RecordedEvent]) -> Bool {
    let span = bytes.span
    for index in 0..<min(count, bytes.count / RecordingHeader.eventSize) {
      let event = RecordedEvent(span, at: index * RecordingHeader.eventSize)
      if event.number == position + 1 {
        events.append(event)
      } else if event.number > position + 1 {
        // A newer event overwrote this event while it was being read.
        lost += 1
      } else {
        return false
      }
      position += 1
    }
    return true
  }
}
