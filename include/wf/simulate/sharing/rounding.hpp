// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/integer.hpp>
#include <wf/simulate/engine/engine.hpp>

namespace wf::sim {

// The rule of all shared resources. Between two ticks rates are constant; the tick at which work
// ends is the nearest one to its exact end, the later of two at equal distance, and from then on
// rates are shared anew. So an activity ends at most half a tick early or late, and gives or takes
// that much of its rate to or from the others.
//
// Work and rates are binary64 numbers. A compiler may replace a * b + c by one operation with one
// rounding (-ffp-contract), which would change times from one build to another; it has no such
// operation for a quotient. So nothing here adds to a product: work done is a quotient by the time
// that a unit takes, and each result is the same on every compiler, optimised or not, and in
// constant evaluation.

/// The ticks that work takes at a rate (work per tick): the nearest integer, at least 0; `never` if
/// it does not fit 62 bits.
constexpr std::int64_t ticks_of(double work, double rate) {
  const double exact = work / rate;
  if (!(exact < 0x1p62)) return never;
  return exact <= 0 ? 0 : static_cast<std::int64_t>(exact + 0.5);
}

/// The work done in a number of ticks at a rate.
constexpr double work_of(std::int64_t ticks, double rate) {
  return static_cast<double>(ticks) / (1 / rate);
}

}  // namespace wf::sim
