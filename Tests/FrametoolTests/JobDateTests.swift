import Fixtures
import Foundation
import Testing

@testable import FrameTrace
@testable import frametool

@Suite struct JobDateTests {
  @Test(arguments: [
    ("2026-11-21", "2026-11-21T00:00:00Z"), ("2026-11-21T08:30", "2026-11-21T08:30:00Z"),
    ("2026-11-21 08:30:05.25Z", "2026-11-21T08:30:05Z"),
    ("2026-01-01T00:30:00+01:00", "2025-12-31T23:30:00Z"),
    ("2020-10-23 23:00:00 +0000", "2020-10-23T23:00:00Z"),
    ("2024-02-29T12:00:00-0830", "2024-02-29T20:30:00Z"), ("1969-12-31", "1969-12-31T00:00:00Z"),
    ("1600-03-01", "1600-03-01T00:00:00Z"),
  ])
  func datesAreReadAndWritten(_ text: String, _ wanted: String) {
    #expect(JobDate(text)?.text == wanted)
  }

  @Test(arguments: [
    "", "2026", "2026-13-01", "2026-02-29", "2026-11-31", "2026-11-21T", "2026-11-21T25:00",
    "2026-11-21T08", "0000-01-01", "2026-11-21T08:30:00+1:0:0:0", "9999-12-31T23:59:00-01:00",
    "2026-11-21T08:30:00+", "2026-11-21T08:30:00.x", "2026-11-21x08:30",
  ])
  func whatIsNoDateIsNone(_ text: String) { #expect(JobDate(text) == nil) }

  @Test func secondsAreThoseOfTheCalendar() {
    #expect(JobDate("1970-01-01")?.seconds == 0)
    #expect(JobDate("2001-09-09T01:46:40Z")?.seconds == 1_000_000_000)
    #expect(JobDate(seconds: -1).text == "1969-12-31T23:59:59Z")
  }
}
