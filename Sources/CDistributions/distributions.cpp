#include "distributions.h"

#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <limits>

namespace {

// Errors become NaN or infinity and never exceptions.
using Quiet = boost::math::policies::policy<
    boost::math::policies::domain_error<boost::math::policies::ignore_error>,
    boost::math::policies::pole_error<boost::math::policies::ignore_error>,
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::evaluation_error<boost::math::policies::ignore_error>,
    boost::math::policies::rounding_error<boost::math::policies::ignore_error>,
    boost::math::policies::promote_double<false>>;
using StudentsT = boost::math::students_t_distribution<double, Quiet>;
using NoncentralT = boost::math::non_central_t_distribution<double, Quiet>;
using FisherF = boost::math::fisher_f_distribution<double, Quiet>;
using Normal = boost::math::normal_distribution<double, Quiet>;

template <typename Function>
double guarded(Function function) {
  try {
    return function();
  } catch (...) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace

double distributions_t_above(double t, double degrees) {
  return guarded([=] { return cdf(complement(StudentsT(degrees), t)); });
}

double distributions_t_quantile(double p, double degrees) {
  return guarded([=] { return quantile(StudentsT(degrees), p); });
}

double distributions_noncentral_t_above(double t, double degrees, double noncentrality) {
  return guarded([=] { return cdf(complement(NoncentralT(degrees, noncentrality), t)); });
}

double distributions_f_above(double f, double degrees, double below) {
  return guarded([=] { return cdf(complement(FisherF(degrees, below), f)); });
}

double distributions_normal_above(double z) {
  return guarded([=] { return cdf(complement(Normal(), z)); });
}

double distributions_normal_quantile(double p) {
  return guarded([=] { return quantile(Normal(), p); });
}
