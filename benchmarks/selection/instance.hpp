// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>

#include <wf/core/diagnosis/result.hpp>
#include <wf/select/problem.hpp>

namespace selection_benchmark {

/// A public instance as wf's problem, and how its totals read in the publisher's units.
struct instance {
  std::string name;
  wf::selection_problem problem;
  std::uint32_t objective = 0;      ///< the metric that is minimised
  std::int64_t scale = 1;           ///< one of the publisher's units, a power of ten
  std::int64_t offset = 0;          ///< maximised: what the value would be at a total of 0, scaled
  bool maximised = false;           ///< the publisher's value is (offset - total) / scale
  std::uint32_t ignored_roots = 0;  ///< roots that have no node: left out
};

/// A value found by others, as a total of the problem's objective.
struct reference_value {
  bool known = false;
  std::int64_t total = 0;
  bool proven = false;
};

/// The largest number that readers accept, in the unit of an instance. That totals fit is what
/// `wf::validate` says.
inline constexpr std::int64_t largest_number = 100'000'000'000'000'000;

/// An error about a text that cannot be read.
inline wf::error syntax_error(wf::text_view message, wf::text_position where = {}) {
  return wf::make_error(wf::errc::graph_syntax, "", message, where);
}

}  // namespace selection_benchmark
