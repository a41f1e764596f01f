// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>

namespace wf {

/// Result of a test whether a set of requirements can be met together.
enum class conflict_answer : std::uint8_t {
  conflict,  ///< proven: they cannot be met together
  none,      ///< they can
  unknown,   ///< the test stopped at a limit
};

/// Shrinks a conflicting set to an irreducible one: removes one element after the other and puts it
/// back if the rest no longer conflicts for certain (deletion filter: Chinneck and Dravnieks 1991).
/// `in` flags the elements of the set; `test(i)` answers for the flagged ones, where `i` is the
/// first of those just removed. With `run` > 1, aligned runs of so many elements are removed at a
/// time, which makes a large set smaller fast, but not irreducible. Elements are tried in ascending
/// order, so the result is the same on every machine. True if no answer was `unknown`: with `run`
/// 1, and if subsets of sets without a conflict have none, the set is then irreducible.
/// O(elements / run) tests.
template <class Flag, class Test>
constexpr bool deletion_filter(table<Flag>& in, Test&& test, std::size_t run = 1) {
  bool is_certain = true;
  for (std::size_t first = 0; first < in.size(); first += run) {
    const std::size_t end = run < in.size() - first ? first + run : in.size();
    const table<Flag> before = in;
    bool any = false;
    for (std::size_t i = first; i < end; ++i) {
      any = any || in[i] != Flag{};
      in[i] = Flag{};
    }
    if (!any) continue;
    const conflict_answer answer = test(first);
    if (answer == conflict_answer::conflict) continue;
    in = before;
    is_certain = is_certain && answer == conflict_answer::none;
  }
  return is_certain;
}

}  // namespace wf
