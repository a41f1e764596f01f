// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/equations/calls.hpp>

namespace wf::detail {

/// Reads sums of products, where factors may stand side by side. `Reader` is the derived class: its
/// `factor(out)` reads a factor, `starts_factor()` tells whether one begins here without a sign.
template <class Reader>
class sum_reader : public call_builder {
 public:
  constexpr explicit sum_reader(text_view source) : call_builder(source) {}

 protected:
  constexpr bool sum(std::uint32_t& out) {
    if (++depth_ > max_depth) return fail("the expression is nested too deeply");
    if (!term(out)) return false;
    for (skip(); peek() == '+' || peek() == '-'; skip()) {
      const std::size_t at = at_;
      const auto kind = peek() == '+' ? equation_kind::sum : equation_kind::difference;
      ++at_;
      std::uint32_t right = 0;
      if (!term(right)) return false;
      out = add(kind, at, out, right);
    }
    --depth_;
    return true;
  }

  constexpr bool term(std::uint32_t& out) {
    if (!signed_factor(out)) return false;
    for (skip();; skip()) {
      const std::size_t at = at_;
      const char c = peek();
      const bool has_sign = c == '*' || c == '/';
      if (!has_sign && !reader().starts_factor()) return true;
      if (has_sign) ++at_;
      std::uint32_t right = 0;
      if (!(has_sign ? signed_factor(right) : reader().factor(right))) return false;
      const auto kind = c == '/' ? equation_kind::quotient : equation_kind::product;
      out = add(kind, at, out, right);
    }
  }

 private:
  constexpr bool signed_factor(std::uint32_t& out) {
    skip();
    const std::size_t first = at_;
    const bool negative = take('-');
    if (!reader().factor(out)) return false;
    if (negative) out = add(equation_kind::negation, first, out);
    return true;
  }
  constexpr Reader& reader() { return static_cast<Reader&>(*this); }
};

}  // namespace wf::detail
