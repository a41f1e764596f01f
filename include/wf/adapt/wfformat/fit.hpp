// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>

#include <wf/adapt/wfformat/recorded_model.hpp>

namespace wf::wfformat {

/// An execution from which constants are fitted.
struct fit_sample {
  double recorded = 0;  ///< its makespan in seconds, positive
  double ideal = 0;     ///< its makespan with all constants 0, in seconds
  engine_load load;     ///< its work of each kind
};

/// How constants are fitted.
struct fit_options {
  /// Weight of the distance from `prior` against the errors; 0: errors alone.
  double shrinkage = 0;
  engine_constants prior;  ///< what is assumed of a system of which little is known
};

/// Constants, and what they leave.
struct fit_result {
  engine_constants constants;  ///< the best ones
  double objective = 0;        ///< see `fit_constants`
};

namespace detail {

/// Minimises a sum of weighted absolute values of linear functions of the constants, none of which
/// is negative, by walking from vertex to vertex of the arrangement of their zeros. A convex
/// piecewise linear function that has a lower value anywhere falls along one of the lines in which
/// the planes through a vertex meet, so a vertex at which none of them falls is the optimum, also
/// where more planes meet than there are constants.
class absolute_deviations {
 public:
  static constexpr std::size_t count = engine_constants::count;
  using point = std::array<double, count>;

  /// weight * |factor . x - target|; with weight 0, a plane to walk on.
  struct term {
    point factor{};
    double target = 0, weight = 0;
  };
  table<term> terms;

  static constexpr double absolute(double x) { return x < 0 ? -x : x; }

  constexpr double objective(const point& x) const {
    double sum = 0;
    for (const term& t : terms) sum += t.weight * absolute(distance(t, x));
    return sum;
  }
  /// Moves a vertex to the optimum.
  constexpr void minimise(point& x) const {
    for (double now = objective(x);;) {
      point next = x;
      if (!descend(next)) return;
      const double then = objective(next);
      if (!(then < now - tolerance * now)) return;
      now = then;
      x = next;
    }
  }

 private:
  static constexpr double tolerance = 1e-11;

  static constexpr double along(const point& a, const point& b) {
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k) sum += a[k] * b[k];
    return sum;
  }
  static constexpr double distance(const term& t, const point& x) {
    return along(t.factor, x) - t.target;
  }
  static constexpr bool meets(const term& t, const point& x) {
    double size = absolute(t.target);
    for (std::size_t k = 0; k < count; ++k) size += absolute(t.factor[k] * x[k]);
    return absolute(distance(t, x)) <= tolerance * size;
  }
  /// The direction orthogonal to three others (cofactors), of largest component 1; 0 if they
  /// depend on each other.
  static constexpr point orthogonal(const point& a, const point& b, const point& c) {
    point out{};
    double largest = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = k == 0, j = k <= 1 ? 2 : 1, l = k <= 2 ? 3 : 2;
      const double minor = a[i] * (b[j] * c[l] - b[l] * c[j]) - a[j] * (b[i] * c[l] - b[l] * c[i]) +
                           a[l] * (b[i] * c[j] - b[j] * c[i]);
      out[k] = k % 2 == 0 ? minor : -minor;
      if (absolute(minor) > largest) largest = absolute(minor);
    }
    for (double& v : out) {
      v = largest > 1e-14 ? v / largest : 0;
      if (absolute(v) < 1e-12) v = 0;
    }
    return out;
  }
  /// How fast the objective grows in a direction; infinitely where a constant would be negative.
  constexpr double slope(const point& x, const point& direction) const {
    for (std::size_t k = 0; k < count; ++k)
      if (x[k] <= 0 && direction[k] < 0) return 1e300;
    double sum = 0;
    for (const term& t : terms) {
      const double rate = along(t.factor, direction);
      const bool falls = !meets(t, x) && (distance(t, x) < 0) == (rate > 0);
      sum += falls ? -t.weight * absolute(rate) : t.weight * absolute(rate);
    }
    return sum;
  }
  /// Moves a vertex along the steepest line to the least value on it; false if none falls.
  constexpr bool descend(point& x) const {
    table<point> planes;
    for (const term& t : terms)
      if (meets(t, x)) planes.push_back(t.factor);
    for (std::size_t k = 0; k < count; ++k) {
      if (x[k] > 0) continue;
      planes.push_back({});
      planes[planes.size() - 1][k] = 1;
    }
    point steepest{};
    double least = -tolerance;
    for (std::uint32_t a = 0; a < planes.size(); ++a)
      for (std::uint32_t b = a + 1; b < planes.size(); ++b)
        for (std::uint32_t c = b + 1; c < planes.size(); ++c) {
          point line = orthogonal(planes[a], planes[b], planes[c]);
          for (int sign = 0; sign < 2; ++sign) {
            const double now = slope(x, line);
            if (now < least) {
              least = now;
              steepest = line;
            }
            for (double& v : line) v = -v;
          }
        }
    if (!(least < -tolerance)) return false;
    walk(x, steepest, least);
    return true;
  }
  /// Follows a direction in which the objective falls until it no longer does.
  constexpr void walk(point& x, const point& direction, double now) const {
    struct bend {
      double at, by;
    };
    table<bend> bends;
    for (const term& t : terms) {
      const double rate = along(t.factor, direction);
      if (meets(t, x) || rate == 0) continue;
      const double at = -distance(t, x) / rate;
      if (at > 0) bends.push_back({at, 2 * t.weight * absolute(rate)});
    }
    for (std::size_t k = 0; k < count; ++k)
      if (direction[k] < 0) bends.push_back({-x[k] / direction[k], 1e300});
    wf::detail::stable_sort(bends, [](const bend& a, const bend& b) { return a.at < b.at; });
    double at = 0;
    for (std::uint32_t i = 0; i < bends.size() && now < -tolerance; ++i) {
      at = bends[i].at;
      now += bends[i].by;
    }
    for (std::size_t k = 0; k < count; ++k) {
      const double to = x[k] + at * direction[k];
      x[k] = to <= tolerance * x[k] || to < 1e-14 ? 0 : to;
    }
  }
};

}  // namespace detail

/// Fits the constants of a workflow system: the least sum of the relative errors of the makespans,
/// |predicted - recorded| / recorded, plus for each constant `shrinkage` times its distance from
/// the prior, in shares of the median sample's makespan. Absolute values instead of squares: one
/// odd run does not move the constants, and costs that explain nothing stay those of the prior.
///
/// The makespan of a sample is predicted as its ideal one and each constant times its load. The
/// result is an optimum, up to rounding, and deterministic; a constant of which no sample has any
/// load is that of the prior. Errors: `invalid_problem` for a sample that is not positive, or
/// options that are negative or not finite. Each step takes O(n) for each three of the terms that
/// are 0 at the same time, which are 4 if nothing coincides.
constexpr result<fit_result> fit_constants(view<fit_sample> samples,
                                           const fit_options& options = {}) {
  constexpr std::size_t count = engine_constants::count;
  for (const fit_sample& s : samples)
    if (!(s.recorded > 0) || !(s.recorded - s.recorded == 0))
      return make_error(errc::invalid_problem, "", "a recorded makespan is not positive");
  if (!(options.shrinkage >= 0) || !(options.shrinkage - options.shrinkage == 0))
    return make_error(errc::invalid_problem, "", "the shrinkage is negative or not finite");
  detail::absolute_deviations problem;
  detail::absolute_deviations::point at{}, scale{};
  for (std::size_t k = 0; k < count; ++k) {
    const double prior = options.prior[k];
    if (!(prior >= 0) || !(prior - prior == 0))
      return make_error(errc::invalid_problem, "", "a prior is negative or not finite");
    table<double> effects;
    for (const fit_sample& s : samples) effects.push_back(s.load[k] / s.recorded);
    wf::detail::stable_sort(effects, [](double a, double b) { return a < b; });
    const std::uint32_t n = static_cast<std::uint32_t>(effects.size());
    // In units of the largest effect all constants are of one size.
    scale[k] = n > 0 && effects[n - 1] > 0 ? effects[n - 1] : 1;
    at[k] = prior * scale[k];
    detail::absolute_deviations::term pull;
    pull.factor[k] = 1;
    pull.target = at[k];
    if (n > 0)
      pull.weight = options.shrinkage * (effects[(n - 1) / 2] + effects[n / 2]) / 2 / scale[k];
    problem.terms.push_back(pull);
  }
  for (const fit_sample& s : samples) {
    detail::absolute_deviations::term error;
    for (std::size_t k = 0; k < count; ++k) error.factor[k] = s.load[k] / s.recorded / scale[k];
    error.target = (s.recorded - s.ideal) / s.recorded;
    error.weight = 1;
    problem.terms.push_back(error);
  }
  problem.minimise(at);
  fit_result out;
  for (std::size_t k = 0; k < count; ++k) out.constants[k] = at[k] / scale[k];
  out.objective = problem.objective(at);
  return out;
}

}  // namespace wf::wfformat
