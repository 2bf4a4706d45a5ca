// Probabilities and quantiles of distributions, from Boost.Math.
//
// Why this exists: the noncentral t and the incomplete beta function are long series whose errors in the tails are easy
// to get wrong, and Boost's implementations are tested to the last digits. Each function is one call; NaN results from
// arguments outside the domain, so that nothing throws across the language border.
//
// Debian: libboost-math-dev; macOS: brew install boost.
#ifndef FRAMETOOL_DISTRIBUTIONS_H
#define FRAMETOOL_DISTRIBUTIONS_H

#ifdef __cplusplus
extern "C" {
#endif

/// The probability that Student's t with the given degrees of freedom is greater than `t`.
double distributions_t_above(double t, double degrees);
/// The value below which Student's t lies with probability `p`.
double distributions_t_quantile(double p, double degrees);
/// The probability that the noncentral t is greater than `t`.
double distributions_noncentral_t_above(double t, double degrees, double noncentrality);
/// The probability that Fisher's F is greater than `f`.
double distributions_f_above(double f, double degrees, double below);

/// The probability that a standard normal value is greater than `z`.
double distributions_normal_above(double z);
/// The value below which a standard normal value lies with probability `p`.
double distributions_normal_quantile(double p);

#ifdef __cplusplus
}
#endif

#endif
