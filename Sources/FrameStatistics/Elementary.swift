#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Elementary functions of the C library.
package enum Elementary {
  package static func log(_ value: Double) -> Double { systemLog(value) }

  package static func log10(_ value: Double) -> Double { systemLog10(value) }

  package static func exp(_ value: Double) -> Double { systemExp(value) }

  package static func sine(_ angle: Double) -> Double { sin(angle) }

  package static func cosine(_ angle: Double) -> Double { cos(angle) }

  package static func arctangent(_ value: Double) -> Double { atan(value) }

  /// A value raised to a power, for values above 0.
  package static func power(_ value: Double, _ exponent: Double) -> Double {
    value > 0 ? exp(exponent * log(value)) : 0
  }
}

// Inside the type, its members hide the system functions with the same names.
private func systemLog(_ value: Double) -> Double { log(value) }
private func systemLog10(_ value: Double) -> Double { log10(value) }
private func systemExp(_ value: Double) -> Double { exp(value) }
