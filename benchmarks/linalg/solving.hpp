// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include <linalg/formula.hpp>

namespace linalg_benchmark {

/// The right side when inv(A)*B*C is computed by solving.
enum class right_side : std::uint8_t {
  next,  ///< B: products keep the order of the formula, as in the programs of Linnea's authors
  rest,  ///< B*C
};

/// Replaces the inverses in a product: returns the remaining parts from the left, still to be
/// multiplied. inv(A)*B becomes the solution of A·X = B, and inv(A)*inv(B)*C is solved from the
/// right; X*inv(A) at the end becomes the solution of X' = X·A; in a product of inverses alone the
/// last one is computed.
///
/// `Library::part` is a factor or a temporary of the library, which these members make:
/// `view(factor)`, `inverse(factor)`, `solve(factor, part, whether it is the whole product)`,
/// `solve_right(part, factor)` and `product(parts)`.
template <class Library>
std::deque<typename Library::part> without_inverses(const term& t, right_side solved,
                                                    Library& library) {
  std::deque<typename Library::part> parts;
  std::size_t end = t.factors.size();
  while (end > 0 && t.factors[end - 1].inverted) --end;
  const std::size_t trailing = end == 0 ? t.factors.size() : end;
  std::size_t next = trailing;
  if (end == 0) parts.push_front(library.inverse(t.factors[--next]));
  while (next > 0) {
    const factor& f = t.factors[--next];
    if (!f.inverted) {
      parts.push_front(library.view(f));
      continue;
    }
    if (solved == right_side::rest && parts.size() > 1) parts = {library.product(parts)};
    const bool is_result = next == 0 && parts.size() == 1 && trailing == t.factors.size();
    parts.front() = library.solve(f, parts.front(), is_result);
  }
  for (std::size_t k = trailing; k < t.factors.size(); ++k) {
    if (parts.size() > 1) parts = {library.product(parts)};
    parts.front() = library.solve_right(parts.front(), t.factors[k]);
  }
  return parts;
}

}  // namespace linalg_benchmark
