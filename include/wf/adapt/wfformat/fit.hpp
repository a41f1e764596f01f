// SPDX-License-Identifier: BSL-1.0
#pragma once

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

/// Values of constants: 0, and 32 in each decade from 10^-3 to 10^5. On a grid, fits of similar
/// sets of samples ask for the same simulations.
class constant_grid {
 public:
  static constexpr std::uint32_t per_decade = 32, size = 8 * per_decade + 2;

  constexpr constant_grid() {
    double value = 1e-3;
    for (std::uint32_t i = 1; i < size; ++i, value *= 1.0746078283213174) values_[i] = value;
  }
  constexpr double operator[](std::uint32_t i) const { return values_[i]; }

 private:
  double values_[size]{};
};

/// A place in the grid of all constants.
struct grid_point {
  std::uint32_t at[engine_constants::count]{};
  friend constexpr bool operator==(const grid_point&, const grid_point&) = default;
};

/// Looks for the grid point with the least objective.
template <class Predict>
class constant_search {
 public:
  constexpr constant_search(view<fit_sample> samples, Predict& predict, const fit_options& options)
      : samples_(samples), predict_(predict), options_(options) {
    for (std::size_t k = 0; k < engine_constants::count; ++k) {
      table<double> effects;
      for (const fit_sample& s : samples) effects.push_back(s.load[k] / s.recorded);
      wf::detail::stable_sort(effects, [](double a, double b) { return a < b; });
      const std::size_t n = effects.size();
      if (n > 0) weight_[k] = options.shrinkage * (effects[(n - 1) / 2] + effects[n / 2]) / 2;
    }
  }

  constexpr result<fit_result> run() {
    auto best = refine(without_overlap());
    // Also from each constant alone: costs that overlap may stand in for each other.
    for (std::size_t k = 0; best && k < engine_constants::count; ++k) {
      const auto now = refine(alone(k));
      if (!now) return now.error();
      if (now->objective < best->objective) best = *now;
    }
    if (!best) return best.error();
    return fit_result{constants(best->point), best->objective};
  }

 private:
  struct found {
    grid_point point;
    double objective = 0;
  };

  static constexpr double absolute(double x) { return x < 0 ? -x : x; }
  constexpr engine_constants constants(const grid_point& p) const {
    engine_constants out;
    for (std::size_t k = 0; k < engine_constants::count; ++k) out[k] = grid_[p.at[k]];
    return out;
  }
  constexpr double distance(const engine_constants& c) const {
    double sum = 0;
    for (std::size_t k = 0; k < engine_constants::count; ++k)
      sum += weight_[k] * absolute(c[k] - options_.prior[k]);
    return sum;
  }
  /// The objective if the costs of a sample add up to its makespan, which needs no simulation.
  constexpr double sum_objective(const engine_constants& c) const {
    double sum = distance(c);
    for (const fit_sample& s : samples_) {
      double time = s.ideal;
      for (std::size_t k = 0; k < engine_constants::count; ++k) time += c[k] * s.load[k];
      sum += absolute(time - s.recorded) / s.recorded;
    }
    return sum;
  }
  /// The best point of that, two constants at a time over the whole grid.
  constexpr grid_point without_overlap() const {
    grid_point best;
    double least = sum_objective(constants(best));
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t a = 0; a < engine_constants::count; ++a)
        for (std::size_t b = a + 1; b < engine_constants::count; ++b) {
          engine_constants c = constants(best);
          for (std::uint32_t i = 0; i < constant_grid::size; ++i)
            for (std::uint32_t j = 0; j < constant_grid::size; ++j) {
              c[a] = grid_[i];
              c[b] = grid_[j];
              const double now = sum_objective(c);
              if (now >= least) continue;
              least = now;
              best.at[a] = i;
              best.at[b] = j;
              changed = true;
            }
        }
    }
    return best;
  }
  /// The best point of that at which one constant alone is not 0.
  constexpr grid_point alone(std::size_t k) const {
    grid_point best;
    double least = 1e300;
    for (std::uint32_t i = 0; i < constant_grid::size; ++i) {
      engine_constants c;
      c[k] = grid_[i];
      const double now = sum_objective(c);
      if (now >= least) continue;
      least = now;
      best.at[k] = i;
    }
    return best;
  }
  constexpr result<double> objective(const grid_point& p, double bound) {
    const engine_constants c = constants(p);
    double sum = distance(c);
    for (std::uint32_t i = 0; i < samples_.size() && sum < bound; ++i) {
      const result<double> time = predict_(i, c);
      if (!time) return time.error();
      sum += absolute(*time - samples_[i].recorded) / samples_[i].recorded;
    }
    return sum;
  }
  /// Moves a point by steps that halve, in one or two constants, as long as that helps.
  constexpr result<found> refine(const grid_point& from) {
    const auto first = objective(from, 1e300);
    if (!first) return first.error();
    found best{from, *first};
    for (std::int64_t step = 16; step > 0; step /= 2) {
      for (bool moved = true; moved;) {
        const auto next = around(best, step);
        if (!next) return next.error();
        moved = next->objective < best.objective;
        best = *next;
      }
    }
    return best;
  }
  static constexpr bool shift(grid_point& p, std::size_t k, std::int64_t by) {
    // The first value that is not 0 is far below any effect: a step from 0 leads into the middle.
    if (by == 0) return true;
    std::int64_t to = p.at[k] + by;
    if (p.at[k] == 0) to = by > 0 ? 64 + by : -1;
    if (p.at[k] != 0 && to < 32) to = 0;
    if (to < 0 || to >= constant_grid::size) return false;
    p.at[k] = static_cast<std::uint32_t>(to);
    return true;
  }
  constexpr result<found> around(found best, std::int64_t step) {
    const grid_point centre = best.point;
    const auto attempt = [&](const grid_point& p) -> result<nothing> {
      const auto now = objective(p, best.objective);
      if (!now) return now.error();
      if (*now < best.objective) best = {p, *now};
      return nothing{};
    };
    for (std::size_t a = 0; a < engine_constants::count; ++a)
      for (std::size_t b = a; b < engine_constants::count; ++b)
        for (const std::int64_t i : {-step, step})
          for (const std::int64_t j : {-step, step}) {
            grid_point p = centre;
            if (a == b && i != j) {
              if (i > 0 || p.at[a] == 0) continue;
              p.at[a] = 0;
            } else if (!shift(p, a, i) || (a != b && !shift(p, b, j))) {
              continue;
            }
            if (const auto done = attempt(p); !done) return done.error();
          }
    return best;
  }

  view<fit_sample> samples_;
  Predict& predict_;
  const fit_options& options_;
  constant_grid grid_;
  double weight_[engine_constants::count]{};
};

}  // namespace detail

/// Fits the constants of a workflow system: the least sum of the relative errors of the makespans,
/// |predicted - recorded| / recorded, plus for each constant `shrinkage` times its distance from
/// the prior, in shares of the median sample's makespan. Absolute values instead of squares: one
/// odd run does not move the constants, and costs that explain nothing become 0.
///
/// `predict(i, constants)` gives the makespan of sample `i` in seconds, a `result<double>`; for
/// recorded workflows `recorded_model::makespan`. Constants are 0 or on a grid of 32 values a
/// decade, so a caller that fits similar sets may keep results. The search starts where the costs
/// would add up best without overlap, all of them and each alone; it is local and deterministic.
/// Errors: those of `predict`; `invalid_problem` for a sample that is not positive, or options that
/// are negative.
template <class Predict>
constexpr result<fit_result> fit_constants(view<fit_sample> samples, Predict&& predict,
                                           const fit_options& options = {}) {
  for (const fit_sample& s : samples)
    if (!(s.recorded > 0))
      return make_error(errc::invalid_problem, "", "a recorded makespan is not positive");
  if (!(options.shrinkage >= 0))
    return make_error(errc::invalid_problem, "", "the shrinkage is negative");
  return detail::constant_search<std::remove_reference_t<Predict>>(samples, predict, options).run();
}

}  // namespace wf::wfformat
