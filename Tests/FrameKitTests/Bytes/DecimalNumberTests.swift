import Testing

@testable import FrameStatistics
@testable import FrameTrace

@Suite struct DecimalNumberTests {
  static let cases: [(text: String, scale: Int, value: Int64)] = [
    ("16.6331", 6, 16_633_100), ("0", 6, 0), ("-0.5", 6, -500_000), (".5", 6, 500_000),
    ("12.", 6, 12_000_000), ("+3", 0, 3), ("1234567", 6, 1_234_567_000_000),
    ("12345678", 0, 12_345_678), ("20577623.1234", 6, 20_577_623_123_400),
    ("-1234.5678", 6, -1_234_567_800), ("-123.456", 6, -123_456_000),
    ("16.64280000000000", 6, 16_642_800), ("567.25049999999999", 6, 567_250_500),
    ("-567.25049999999999", 6, -567_250_500), ("0.34900300000000", 9, 349_003_000),
    ("1.23457e+06", 3, 1_234_570_000), ("1e-3", 6, 1_000), ("2466961604351", 0, 2_466_961_604_351),
    (" 39 ", 0, 39), ("0.0000004", 6, 0), ("0.0000005", 6, 1),
    ("123456789.123456789", 6, 123_456_789_123_457),
    ("0.00334499999999949", 9, 3_345_000), ("99999999.9999999", 6, 100_000_000_000_000),
    ("00000000000000000000000001.5", 1, 15), ("9223372036854775807", 0, .max),
    ("0.01656700000000", 9, 16_567_000), ("567.25049999999999", 6, 567_250_500),
    ("-567.25049949999999", 6, -567_250_499),
    ("123456789.123456789500000", 9, 123_456_789_123_456_790),
    ("0.00000000049999999999999999999", 9, 0), ("0.00000000051234567890123456789", 9, 1),
    ("0.0000000000000000004999999", 18, 0), ("0.0000000000000000005", 18, 1), ("-0.5", 0, -1),
  ]

  @Test(arguments: cases)
  func readsToTheLastDigit(_ text: String, _ scale: Int, _ value: Int64) {
    #expect(DecimalNumber.read(Array(text.utf8)[...], scale: scale) == .value(value))
    #expect(decode(text, scale: scale) == value)
  }

  @Test(arguments: ["", "NA", "N/A", "nan", "null", "-", "  ", "N/A   "])
  func takesWordsForNoValueAsMissing(_ text: String) {
    #expect(DecimalNumber.read(Array(text.utf8)[...], scale: 6) == .missing)
    #expect(decode(text, scale: 6) == CSVBlock.missing)
  }

  @Test(arguments: [
    ".", "1.2.3", "12.34.5678", "1234567-123.456", "abc", "0x12", "1e", "--1", "12.345.67", "1 2",
  ])
  func refusesWhatIsNoNumber(_ text: String) {
    #expect(DecimalNumber.read(Array(text.utf8)[...], scale: 6) == .malformed)
    #expect(decode(text, scale: 6) == CSVBlock.missing)
  }

  @Test(arguments: ["18446744073709551615", "1e300", "-1844674407370945500.5"])
  func namesNumbersThatDoNotFit(_ text: String) {
    #expect(DecimalNumber.read(Array(text.utf8)[...], scale: 6) == .outOfRange)
  }

  @Test func theFastWaysAgreeWithTheCarefulOne() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<20_000 {
      let whole = String(
        UInt64.random(in: 0...(.max >> 20), using: &random).description.prefix(
          Int.random(in: 0...9, using: &random)))
      let part = String(
        UInt64.random(in: 0...(.max >> 20), using: &random).description.prefix(
          Int.random(in: 0...6, using: &random)))
      let sign = Bool.random(using: &random) ? "-" : ""
      let text = sign + whole + (Bool.random(using: &random) ? "." + part : "")
      let careful = DecimalNumber.read(Array(text.utf8)[...], scale: 6)
      let expected: Int64 = if case .value(let value) = careful { value } else { CSVBlock.missing }
      #expect(decode(text, scale: 6) == expected, "\(text)")
    }
  }

  /// Numbers with more decimals than the unit has, with as many digits in all as fit and more.
  @Test func longNumbersAreReadAsTheCarefulWayReadsThem() {
    var random = SplitMix64(seed: 2)
    let digits = { (count: Int) in
      String((0..<count).map { _ in Character("\(Int.random(in: 0...9, using: &random))") })
    }
    for scale in [0, 3, 6, 9] {
      for _ in 0..<5_000 {
        let sign = Bool.random(using: &random) ? "-" : ""
        let whole = digits(Int.random(in: 0...12, using: &random))
        let zeros = String(repeating: "0", count: Int.random(in: 0...10, using: &random))
        let text = "\(sign)\(whole).\(zeros)\(digits(Int.random(in: 0...16, using: &random)))"
        let careful = DecimalNumber.read(Array(text.utf8)[...], scale: scale)
        let expected: Int64 = if case .value(let value) = careful { value } else { .min }
        #expect(decode(text, scale: scale) == expected, "\(text) in units of 10^-\(scale)")
      }
    }
  }

  /// What a column's numbers were like before must not change how the next one is read, nor whether it is too large.
  @Test func numbersOfAColumnAreReadAsTheCarefulWayReadsThem() throws {
    var random = SplitMix64(seed: 3)
    let limit: Int64 = 1_000_000_000_000_000
    for round in 0..<60 {
      let decimals = Int.random(in: 0...6, using: &random)
      let texts = (0..<200).map { _ in
        let whole = (0..<Int.random(in: 0...13, using: &random)).map { _ in
          Character("\(Int.random(in: 0...9, using: &random))")
        }
        let part = UInt64.random(in: 0...999_999, using: &random).description.prefix(decimals)
        let odd = ["", "-", "x", " ", "+", "."].randomElement(using: &random) ?? ""
        let sign = Int.random(in: 0...9, using: &random) == 0 ? odd : ""
        return sign + String(whole) + (part.isEmpty ? "" : "." + part)
      }
      let bytes = Array(texts.map { "7,\($0),8\n" }.joined().utf8)
      var reader = CSVReader(try InputFile(bytes: bytes))
      #expect(try reader.nextBlock())
      var values = [Int64](repeating: 0, count: texts.count)
      let odd = reader.block.decode(
        column: 1, of: (0..<Int32(texts.count)).map { $0 }, scale: 6, limit: limit, into: &values)
      for (row, text) in texts.enumerated() {
        let careful = DecimalNumber.read(Array(text.utf8)[...], scale: 6)
        var expected = CSVBlock.missing
        if case .value(let value) = careful, value.magnitude <= limit { expected = value }
        #expect(values[row] == expected, "\(text) in round \(round)")
        let isOdd = expected == CSVBlock.missing && careful != .missing
        #expect(odd.contains { $0.row == row } == isOdd, "\(text) in round \(round)")
      }
    }
  }

  /// Numbers with fractions are the nearest ones, however many decimals they have.
  @Test func realNumbersKeepAllDecimals() throws {
    let texts = [
      "0.0000004", "4.4949106e-08", "0.847433736937", "4459.420348740377", "8.25655550",
      "-0.0000001",
      "16.633100000000001", "0.5", "7", "0.000001", "123456.123456", "12345678901234.5678",
    ]
    let bytes = Array(texts.map { "7,\($0),8\n" }.joined().utf8)
    var reader = CSVReader(try InputFile(bytes: bytes))
    #expect(try reader.nextBlock())
    var values = [Double](repeating: 0, count: texts.count)
    reader.block.decodeReals(
      column: 1, of: (0..<Int32(texts.count)).map { $0 }, limit: .infinity, into: &values)
    for (text, value) in zip(texts, values) { #expect(value == Double(text), "\(text)") }
  }

  /// The value as the CSV reader decodes it from a cell in the middle of a row.
  private func decode(_ text: String, scale: Int) -> Int64 {
    let bytes = Array("7,\(text),8\n".utf8)
    guard let input = try? InputFile(bytes: bytes) else { return 0 }
    var reader = CSVReader(input)
    guard let more = try? reader.nextBlock(), more else { return 0 }
    var values: [Int64] = [0]
    _ = reader.block.decode(column: 1, of: [0], scale: scale, into: &values)
    return values[0]
  }
}
