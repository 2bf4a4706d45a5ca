import Testing

@testable import FrameTrace

@Suite struct RoundedNumberTests {
  @Test(arguments: [
    (4.068060434056761, 4.06806), (16.666667, 16.666667), (0, 0), (-22.1434567891, -22.143457),
    (123456.7891239, 123456.789124), (0.013334, 0.013334), (0.00825785605648, 0.00825786),
    (8.2578560564e-15, 8.25786e-15), (1, 1), (0.9999999, 1), (123456789012.5, 123456789012.5),
  ])
  func sixDecimalsOrDigitsAreKept(_ value: Double, _ expected: Double) {
    #expect(RoundedNumber.of(value) == expected)
    // Rounding again changes nothing.
    #expect(RoundedNumber.of(RoundedNumber.of(value)) == expected)
  }

  @Test func whatIsNoNumberStaysSo() {
    #expect(RoundedNumber.of(.nan).isNaN)
    #expect(RoundedNumber.of(.infinity) == .infinity)
  }
}
