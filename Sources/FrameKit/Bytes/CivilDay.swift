/// A day of the Gregorian calendar.
///
/// H. Hinnant, "chrono-compatible low-level date algorithms": years begin in March, so that the
/// leap day is the last one of its year.
struct CivilDay: Hashable {
  let year, month, day: Int64

  init(year: Int64, month: Int64, day: Int64) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The day that is so many days after 1970-01-01.
  init(daysSince1970 count: Int64) {
    let shifted = count + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let ofEra = shifted - era * 146_097
    let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * year + year / 4 - year / 100)
    let month = (5 * ofYear + 2) / 153
    day = ofYear - (153 * month + 2) / 5 + 1
    self.month = month < 10 ? month + 3 : month - 9
    self.year = year + era * 400 + (self.month <= 2 ? 1 : 0)
  }

  /// The days from 1970-01-01 to it.
  var daysSince1970: Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let ofEra = shifted - era * 400
    let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
  }
}
