import CDistributions

/// Student's t distribution.
package enum StudentsT {
  /// The probability that a value with the given degrees of freedom is greater than `t`.
  package static func above(_ t: Double, degrees: Double) -> Double {
    distributions_t_above(t, degrees)
  }

  /// The value below which a value lies with probability `p`.
  package static func quantile(_ p: Double, degrees: Double) -> Double {
    distributions_t_quantile(p, degrees)
  }

  /// The probability that a value of the noncentral distribution is greater than `t`.
  static func above(_ t: Double, degrees: Double, noncentrality: Double) -> Double {
    distributions_noncentral_t_above(t, degrees, noncentrality)
  }
}

/// The distribution of the ratio of two variances.
package enum FisherF {
  /// The probability that the ratio of two estimates of one variance is greater than `ratio`.
  package static func above(_ ratio: Double, degrees: Double, below: Double) -> Double {
    distributions_f_above(ratio, degrees, below)
  }
}

/// The standard normal distribution.
package enum StandardNormal {
  /// The probability that a value is greater than `z`.
  package static func above(_ z: Double) -> Double { distributions_normal_above(z) }
  /// The value below which a value lies with probability `p`.
  static func quantile(_ p: Double) -> Double { distributions_normal_quantile(p) }
}
