// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/demand/query.hpp>
#include <wf/logic/evaluate/evaluate.hpp>

namespace wf::logic::detail {

/// What the positions of an entry must be to match a query.
class query_pattern {
 public:
  /// The symbols of the query are those of `domains`, of which `columns` has one for each position;
  /// one that is not there matches nothing.
  constexpr query_pattern(const query& q, view<std::uint32_t> columns, view<symbol_domain> domains)
      : query_(q), wanted_(q.terms.size(), 0) {
    for (std::size_t c = 0; c < q.terms.size(); ++c) {
      const term& t = q.terms[c];
      std::int64_t p = t.shift;
      if (t.kind == term_kind::symbol) {
        p = columns[c] == none ? -1 : domains[columns[c]].find(t.symbol.view());
        possible_ = possible_ && p >= 0;
      }
      wanted_[c] = static_cast<position>(p);
      possible_ = possible_ && wanted_[c] == p;
    }
  }

  constexpr bool is_possible() const { return possible_; }
  constexpr bool is_bound(std::size_t c) const {
    return query_.terms[c].kind != term_kind::variable;
  }
  constexpr position wanted(std::size_t c) const { return wanted_[c]; }
  /// True if an entry at these positions matches. O(rank²).
  constexpr bool matches(const position* at) const {
    for (std::size_t c = 0; c < wanted_.size(); ++c) {
      if (is_bound(c) && at[c] != wanted_[c]) return false;
      for (std::size_t d = 0; d < c && !is_bound(c); ++d)
        if (!is_bound(d) && query_.terms[d].variable == query_.terms[c].variable && at[d] != at[c])
          return false;
    }
    return true;
  }

 private:
  const query& query_;
  table<position> wanted_;
  bool possible_ = true;
};

/// Appends the entries of a store of bits that match. O(rows of bits + entries in those that
/// match).
constexpr void append_bits(const tensor_store& from, const query_pattern& pattern, relation& to) {
  const std::uint32_t last = from.rank() - 1;
  const bit_rows& bits = from.bits();
  position at[max_rank] = {};
  for (std::size_t r = 0; r < bits.rows(); ++r) {
    bool wanted = true;
    std::uint64_t rest = r;
    for (std::uint32_t c = last; c-- > 0; rest /= from.bounds()[c].size) {
      at[c] = from.bounds()[c].at(rest % from.bounds()[c].size);
      wanted = wanted && (!pattern.is_bound(c) || at[c] == pattern.wanted(c));
    }
    if (!wanted) continue;
    const auto add = [&](std::uint64_t bit) {
      at[last] = from.bounds()[last].at(bit);
      if (pattern.matches(at)) to.append(at);
    };
    if (!pattern.is_bound(last)) {
      wf::detail::each_bit(bits.row(r), bits.width(), add);
    } else if (const std::uint64_t bit = from.bounds()[last].offset(pattern.wanted(last));
               bit < from.bounds()[last].size && bits.test(r, static_cast<std::size_t>(bit))) {
      add(bit);
    }
  }
}

/// The entries of a tensor that match a query, sorted. O(entries), or what `append_bits` takes.
constexpr relation matching_entries(const tensor_store& store, const query_pattern& pattern) {
  relation out(store.rank(), store.valued());
  if (!pattern.is_possible()) return out;
  if (!store.listed() && store.kind() == lookup_kind::dense) {
    tensor_store listed = store;
    listed.list();
    return matching_entries(listed, pattern);
  }
  if (!store.listed()) {
    append_bits(store, pattern, out);
    return out;
  }
  const relation& all = store.entries();
  position at[max_rank] = {};
  for (std::size_t row = 0; row < all.rows; ++row) {
    all.positions(row, at);
    if (pattern.matches(at)) out.append(at, all.valued ? all.values[row] : 1);
  }
  if (!is_sorted(out)) return sorted(out);
  return out;
}

}  // namespace wf::logic::detail
