// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/text/real.hpp>

namespace wf::logic {

/// A number for each iteration of a program: each step, or round of a numeric recursion, from 0.
class temperature_schedule {
 public:
  /// A step of a piecewise schedule: `value` from this iteration on.
  struct piece {
    std::uint64_t iteration = 0;  ///< the first one
    double value = 0;             ///< from then on
  };

  /// The same number always.
  constexpr temperature_schedule(double value) : start_(value), end_(value) {}
  /// From `start` to `end` in so many iterations, evenly; then `end`.
  static constexpr temperature_schedule linear(double start, double end, std::uint64_t iterations) {
    temperature_schedule s(start);
    s.end_ = end;
    s.iterations_ = iterations;
    return s;
  }
  /// The value of the last piece that has begun; before the first one, its value. Pieces ascend.
  static constexpr temperature_schedule piecewise(view<piece> pieces) {
    temperature_schedule s(pieces.empty() ? 0 : pieces[0].value);
    for (const piece& p : pieces) s.pieces_.push_back(p);
    return s;
  }

  /// The schedule as text: `0.5`, `linear 0.0 1.0 4`, `piecewise 0:1.0 5:2.0`. O(pieces).
  constexpr text to_text() const {
    text out;
    if (pieces_.empty() && iterations_ == 0) return real_text(end_);
    if (pieces_.empty())
      return out << "linear " << real_text(start_).view() << ' ' << real_text(end_).view() << ' '
                 << iterations_;
    out << "piecewise";
    for (const piece& p : pieces_) out << ' ' << p.iteration << ':' << real_text(p.value).view();
    return out;
  }

  /// The number for an iteration. O(pieces).
  constexpr double at(std::uint64_t iteration) const {
    double value = start_;
    for (const piece& p : pieces_)
      if (p.iteration <= iteration) value = p.value;
    if (!pieces_.empty() || iterations_ == 0) return pieces_.empty() ? end_ : value;
    if (iteration >= iterations_) return end_;
    return start_ +
           (end_ - start_) * (static_cast<double>(iteration) / static_cast<double>(iterations_));
  }

 private:
  double start_ = 0, end_ = 0;
  std::uint64_t iterations_ = 0;
  table<piece> pieces_;
};

/// The temperature of the operators in the equations of a head that state none themselves.
struct head_temperature {
  text head;                            ///< its name; "*": every head without one of its own
  temperature_schedule schedule = 0.0;  ///< by iteration
};

/// The temperature of a head in an iteration, in `value`; false if there is none. O(temperatures).
constexpr bool find_temperature(view<head_temperature> all, text_view head, std::uint64_t iteration,
                                double& value) {
  const head_temperature* found = nullptr;
  for (const head_temperature& t : all)
    if (t.head.view() == head || (found == nullptr && t.head.view() == "*")) found = &t;
  if (found != nullptr) value = found->schedule.at(iteration);
  return found != nullptr;
}

}  // namespace wf::logic
