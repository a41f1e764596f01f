// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/bits.hpp>
#include <wf/core/container/table.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/reduce/reduce.hpp>

namespace wf::detail {

/// A partial selection of a reduced problem: the live candidates and the classes that are certainly
/// needed. A needed class with one live candidate is decided.
struct partial_selection {
  table<word> alive;   ///< by candidate
  table<word> needed;  ///< by class

  /// The initial partial selection: all candidates are live, and the roots are needed.
  constexpr explicit partial_selection(const reduced_selection& r)
      : alive(r.candidate_words), needed(r.words) {
    for (std::uint32_t n = 0; n < r.candidates; ++n) set_bit(alive.data(), n);
    for (const std::uint32_t k : r.roots) set_bit(needed.data(), k);
  }

  /// True if the candidate is live.
  constexpr bool is_alive(std::uint32_t n) const { return has_bit(alive.data(), n); }

  /// Forces a candidate: its class becomes needed and loses all others.
  constexpr void force(const reduced_selection& r, std::uint32_t n) {
    const std::uint32_t k = r.owner[n];
    set_bit(needed.data(), k);
    for (std::uint32_t i = r.first[k]; i < r.first[k + 1]; ++i)
      if (i != n) clear_bit(alive.data(), i);
  }

  /// The decided candidate of a needed class, or `no_candidate`.
  constexpr std::uint32_t decided(const reduced_selection& r, std::uint32_t k) const {
    if (!has_bit(needed.data(), k)) return no_candidate;
    std::uint32_t only = no_candidate;
    for (std::uint32_t n = r.first[k]; n < r.first[k + 1]; ++n) {
      if (!is_alive(n)) continue;
      if (only != no_candidate) return no_candidate;
      only = n;
    }
    return only;
  }
};

}  // namespace wf::detail
