import CDistributions

/// Student's t distribution.
enum StudentsT {
  /// The probability that a value with so many degrees of freedom is greater than `t`.
  static func above(_ t: Double, degrees: Double) -> Double {
    distributions_t_above(t, degrees)
  }

  /// The value that others are below with probability `p`.
  static func quantile(_ p: Double, degrees: Double) -> Double {
    distributions_t_quantile(p, degrees)
  }

  /// The probability that a value of the noncentral distribution is greater than `t`.
  static func above(_ t: Double, degrees: Double, noncentrality: Double) -> Double {
    distributions_noncentral_t_above(t, degrees, noncentrality)
  }
}

/// The standard normal distribution.
enum StandardNormal {
  /// The probability that a value is greater than `z`.
  static func above(_ z: Double) -> Double { distributions_normal_above(z) }
  /// The value that others are below with probability `p`.
  static func quantile(_ p: Double) -> Double { distributions_normal_quantile(p) }
}
