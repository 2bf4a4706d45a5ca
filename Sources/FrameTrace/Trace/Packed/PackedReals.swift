/// Numbers with fractions, represented by their bits: written as whole numbers of a decimal unit if that is lossless.
enum PackedReals {
  /// The maximum number of digits after the decimal point.
  private static let mostDigits = 6
  private static let powers = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6]
  /// The mark of numbers that are written as their bits.
  private static let asBits: UInt8 = 0xff

  /// The bits of a number, and those of `missing` for `nan`. Adding zero turns -0.0, which also has the bits of
  /// `missing`, into 0.
  static func bits(_ number: Double) -> Int64 {
    number.isNaN ? IntegerColumn.missing : Int64(bitPattern: (number + 0).bitPattern)
  }

  static func write(_ bits: [Int64], to output: inout PackedBytes) {
    for digits in 0...mostDigits {
      guard let whole = wholes(bits, digits) else { continue }
      output.add(UInt8(digits))
      return PackedColumn.write(whole, to: &output)
    }
    output.add(asBits)
    PackedColumn.write(bits, to: &output)
  }

  /// The numbers in units of the last of `digits` decimal digits; `nil` if a number is between two units.
  private static func wholes(_ bits: [Int64], _ digits: Int) -> [Int64]? {
    var wholes: [Int64] = []
    wholes.reserveCapacity(bits.count)
    for bits in bits {
      guard bits != IntegerColumn.missing else {
        wholes.append(bits)
        continue
      }
      let number = Double(bitPattern: UInt64(bitPattern: bits))
      let scaled = (number * powers[digits]).rounded()
      guard abs(scaled) < 0x1p53, (scaled / powers[digits]).bitPattern == number.bitPattern
      else { return nil }
      wholes.append(Int64(scaled))
    }
    return wholes
  }

  /// Reads the bits of as many numbers as there are rows, all finite.
  static func read(
    _ rows: Int, from input: inout PackedCursor
  ) throws(PackedCursor.Damage) -> [Int64] {
    let digits = try input.byte()
    var values = try PackedColumn.read(rows, from: &input)
    guard digits == asBits || digits <= mostDigits else { throw .content }
    for index in values.indices where values[index] != IntegerColumn.missing {
      let number =
        digits == asBits
        ? Double(bitPattern: UInt64(bitPattern: values[index]))
        : Double(values[index]) / powers[Int(digits)]
      guard number.isFinite else { throw .content }
      values[index] = bits(number)
    }
    return values
  }
}
