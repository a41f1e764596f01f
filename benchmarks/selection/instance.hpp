// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>

#include <wf/core/diagnosis/result.hpp>
#include <wf/select/problem.hpp>

namespace selection_benchmark {

/// A public instance as a wf problem, with the conversion of its totals to the publisher's units.
struct instance {
  std::string name;
  wf::selection_problem problem;
  std::uint32_t objective = 0;      ///< the metric that is minimised
  std::int64_t scale = 1;           ///< the publisher's unit as a total, a power of ten
  std::int64_t offset = 0;          ///< if maximised, the scaled value at a total of 0
  bool maximised = false;           ///< the publisher's value is (offset - total) / scale
  std::uint32_t ignored_roots = 0;  ///< number of roots without a node, which are left out
};

/// A published value as a total of the problem's objective.
struct reference_value {
  bool known = false;
  std::int64_t total = 0;
  bool proven = false;
};

/// The largest number that readers accept, in the unit of an instance. Whether totals fit is
/// checked by `wf::validate`.
inline constexpr std::int64_t largest_number = 100'000'000'000'000'000;

/// An error for a text that cannot be parsed.
inline wf::error syntax_error(wf::text_view message, wf::text_position where = {}) {
  return wf::make_error(wf::errc::graph_syntax, "", message, where);
}

}  // namespace selection_benchmark
