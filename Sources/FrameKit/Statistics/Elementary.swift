#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Elementary functions of the C library.
enum Elementary {
  static func log(_ value: Double) -> Double {
    #if canImport(Darwin)
      Darwin.log(value)
    #else
      Glibc.log(value)
    #endif
  }

  static func log10(_ value: Double) -> Double {
    #if canImport(Darwin)
      Darwin.log10(value)
    #else
      Glibc.log10(value)
    #endif
  }

  static func exp(_ value: Double) -> Double {
    #if canImport(Darwin)
      Darwin.exp(value)
    #else
      Glibc.exp(value)
    #endif
  }

  /// The value to a power, for values above 0.
  static func power(_ value: Double, _ exponent: Double) -> Double {
    value > 0 ? exp(exponent * log(value)) : 0
  }
}
