// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/transform/linalg/chain_splits.hpp>
#include <wf/choice/transform/transform.hpp>

namespace wf::transforms {

namespace detail {

// A factor of a product: a value, or its transpose.
struct factor {
  value_id value = value_id::none;
  bool flipped = false;
};

// True if a factor, as oriented in its product, has full column rank.
constexpr bool has_full_column_rank(const choice_graph& c, const factor& f) {
  const value_type& t = c.type_of(c.representative(f.value));
  return t.known.has(nonsingular) || (t.known.has(full_rank) && is_tall(t, f.flipped));
}

// A product that equals its own transposed reading is symmetric. With nothing or a positive
// semidefinite factor in the middle it is positive semidefinite; it is definite if the middle is
// and the factors to its right have full column rank.
constexpr properties palindrome(const choice_graph& c, const table<factor>& factors) {
  for (std::size_t i = 0, j = factors.size() - 1; i < j; ++i, --j) {
    const bool self = c.known_of(factors[i].value).has(symmetric);
    if (c.class_of(factors[i].value) != c.class_of(factors[j].value) ||
        (!self && factors[i].flipped == factors[j].flipped))
      return {};
  }
  const bool even = factors.size() % 2 == 0;
  if (even && is_complex(c.type_of(factors[0].value).type)) return symmetric;  // no sum of squares
  const properties middle = even ? properties(spd) : c.known_of(factors[factors.size() / 2].value);
  bool definite = middle.has(spd);
  for (std::size_t i = (factors.size() + 1) / 2; i < factors.size(); ++i)
    definite = definite && has_full_column_rank(c, factors[i]);
  return definite                ? properties(spd)
         : middle.has(psd)       ? properties(psd)
         : middle.has(symmetric) ? properties(symmetric)
                                 : properties{};
}

// The factors of a product as spans between positions. A span whose class has products among its
// candidates is expanded to their factors, through transposes; several products of one class, found
// by other transforms, give several ways between the same two positions. Multiplying the factors
// along all ways takes O(positions³) products; if these are too many, only the products of the
// cheapest orders for dense matrices are added.
class chain_lattice {
 public:
  // Expands the class of a product of matrices, or of matrices and a vector.
  constexpr chain_lattice(choice_graph& c, value_id root) : choices_(c) {
    order_.push_back(0);
    order_.push_back(1);
    add_span(0, 1, {root, false});
    expand();
  }
  // The factors along the first way.
  constexpr table<factor> factors() const {
    table<factor> found;
    for (std::uint32_t at = 0; at != 1;) {
      std::uint32_t i = 0;
      while (spans_[i].from != at || spans_[i].is_product) ++i;
      found.push_back(factor_of(spans_[i]));
      at = spans_[i].to;
    }
    return found;
  }
  // Adds all products; repeats if other transforms' products were found for runs.
  constexpr result<nothing> fill() {
    do {
      if (auto r = fill_once(); !r) return r;
    } while (expand_runs());
    return nothing{};
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  struct span {
    std::uint32_t from = 0, to = 0;
    range readings;               // its value, the value of which it is the transpose, and so on
    std::uint32_t inside = none;  // the span whose expansion contains it
    std::uint32_t next = none;    // another span between the same positions
    bool is_product = false;      // true if it is expanded into factors
  };
  // The product of the factors between two positions, and a candidate that is an explicit inverse.
  struct run {
    value_id value = value_id::none;
    node_id inverse = node_id::none;
    std::uint32_t span = none;  // a span between these positions
  };
  // A product that another transform found for a run.
  struct run_product {
    std::uint32_t from = 0, to = 0;
    node_id product = node_id::none;
  };

  constexpr std::uint32_t positions() const { return static_cast<std::uint32_t>(order_.size()); }
  constexpr std::uint32_t number_of_factors() const { return positions() - 1; }
  constexpr std::uint32_t place_of(std::uint32_t position) const {
    std::uint32_t i = 0;
    while (order_[i] != position) ++i;
    return i;
  }
  constexpr run& at(std::uint32_t i, std::uint32_t j) { return runs_[i * positions() + j]; }
  constexpr view<factor> readings_of(const span& s) const {
    return view<factor>(readings_).part(s.readings.first, s.readings.count);
  }
  // The earlier of a value and its transpose.
  constexpr factor factor_of(const span& s) const {
    factor best = readings_of(s)[0];
    for (const factor& f : readings_of(s))
      if (choices_.class_of(f.value) < choices_.class_of(best.value)) best = f;
    return best;
  }
  constexpr bool reads(const span& s, const factor& f) const {
    for (const factor& known : readings_of(s))
      if (known.flipped == f.flipped &&
          choices_.class_of(known.value) == choices_.class_of(f.value))
        return true;
    return false;
  }
  constexpr bool is_product(node_id id) const {
    return choices_.applies(id, kernels::matmul) || choices_.applies(id, kernels::matvec);
  }
  // True if another transform's product is among those filled in.
  constexpr bool is_covered(node_id id) const {
    for (node_id known : covered_)
      if (known == id) return true;
    return false;
  }

  // --- spans -----------------------------------------------------------------------------------

  constexpr void add_span(std::uint32_t from, std::uint32_t to, factor f,
                          std::uint32_t inside = none) {
    for (const span& known : spans_)
      if (known.from == from && known.to == to && reads(known, f)) return;
    span s{from, to, {static_cast<std::uint32_t>(readings_.size()), 1}, inside};
    readings_.push_back(f);
    for (std::uint32_t k = 0; k < s.readings.count; ++k) {
      const factor read = readings_[s.readings.first + k];
      choices_.watch(read.value);
      for (node_id id : choices_.candidates_of(read.value)) {
        if (!choices_.applies(id, kernels::transpose)) continue;
        const factor turned{choices_.inputs_of(id)[0], !read.flipped};
        if (choices_.type_of(turned.value).shape.rank != 2 || reads(s, turned)) continue;
        readings_.push_back(turned);
        ++s.readings.count;
      }
    }
    spans_.push_back(s);
  }
  constexpr void expand() {
    for (; looked_at_ < spans_.size(); ++looked_at_) expand(looked_at_);
  }
  // Products of this transform follow from those of others; they are used only if there are no
  // others.
  constexpr void expand(std::uint32_t i) {
    node_id own = node_id::none;
    bool own_flipped = false, any = false;
    const range readings = spans_[i].readings;
    for (std::uint32_t k = readings.first; k < readings.first + readings.count; ++k) {
      const factor f = readings_[k];
      for (node_id id : choices_.candidates_of(f.value)) {
        if (!is_product(id) || !may_expand(spans_[i])) continue;
        if (!choices_.made_by_asked(id)) {
          expand(i, id, f.flipped);
          any = true;
        } else if (own == node_id::none) {
          own = id;
          own_flipped = f.flipped;
        }
      }
    }
    if (!any && own != node_id::none) expand(i, own, own_flipped);
  }
  constexpr bool may_expand(const span& s) const {
    const factor f = readings_of(s)[0];
    if (choices_.type_of(f.value).shape.rank > 2) return false;
    for (std::uint32_t i = s.inside; i != none; i = spans_[i].inside)
      if (reads(spans_[i], f)) return false;
    std::uint32_t times = 0;
    for (const span& known : spans_)
      if (known.is_product && reads(known, f)) ++times;
    if (s.is_product) --times;  // another product of the same span
    return times == 0 ||
           (choices_.admits(&proposal_limits::chain_expansions, times + 1) &&
            choices_.admits(&proposal_limits::repetitive_chain, number_of_factors() + 1));
  }
  constexpr void expand(std::uint32_t i, node_id product, bool flipped) {
    spans_[i].is_product = true;
    if (!flipped && !is_covered(product)) covered_.push_back(product);
    insert_factors(spans_[i].from, spans_[i].to, product, flipped, i);
  }
  // Inserts a position between two, with the factors of a product on its sides.
  constexpr void insert_factors(std::uint32_t from, std::uint32_t to, node_id product, bool flipped,
                                std::uint32_t inside) {
    const std::uint32_t middle = positions(), place = place_of(from) + 1;
    order_.push_back(middle);
    for (std::uint32_t k = middle; k > place; --k) order_[k] = order_[k - 1];
    order_[place] = middle;
    const value_id left = choices_.inputs_of(product)[flipped ? 1 : 0];
    const value_id right = choices_.inputs_of(product)[flipped ? 0 : 1];
    add_span(from, middle, {left, flipped}, inside);
    add_span(middle, to, {right, flipped}, inside);
  }
  // Inserts the factors of other transforms' products for runs. True if there are any.
  constexpr bool expand_runs() {
    bool any = false;
    const table<run_product> found = static_cast<table<run_product>&&>(found_);
    found_ = {};
    for (const run_product& p : found) {
      if (is_covered(p.product)) continue;
      covered_.push_back(p.product);
      insert_factors(p.from, p.to, p.product, false, none);
      any = true;
    }
    expand();
    return any;
  }

  // --- products --------------------------------------------------------------------------------

  constexpr result<nothing> fill_once() {
    runs_ = table<run>(std::size_t{positions()} * positions());
    for (std::uint32_t s = 0; s < spans_.size(); ++s) {
      run& r = at(place_of(spans_[s].from), place_of(spans_[s].to));
      spans_[s].next = r.span;
      r.span = s;
    }
    for (std::uint32_t i = 0; i < positions(); ++i)
      for (std::uint32_t j = i + 1; j < positions(); ++j)
        for (std::uint32_t s = at(i, j).span; s != none; s = spans_[s].next)
          if (!spans_[s].is_product)
            if (auto r = place_factor(at(i, j), spans_[s]); !r) return r;
    const bool all = choices_.admits(&proposal_limits::complete_chain, number_of_factors());
    const table<chain_split> splits = all ? table<chain_split>() : cheapest_splits();
    std::size_t next = 0;
    for (std::uint32_t length = 1; length < positions(); ++length) {
      for (std::uint32_t i = 0; i + length < positions() && all; ++i)
        for (std::uint32_t k = i + 1; k < i + length; ++k)
          if (auto r = split(at(i, i + length), at(i, k), at(k, i + length)); !r) return r;
      for (; next < splits.size() && splits[next].to - splits[next].from == length; ++next) {
        const auto [i, k, j] = splits[next];
        if (auto r = split(at(i, j), at(i, k), at(k, j)); !r) return r;
      }
      for (std::uint32_t i = 0; i + length < positions(); ++i) settle(i, i + length);
    }
    return nothing{};
  }
  // The splits of the cheapest orders of a long chain; extents that are not fixed count as 1.
  constexpr table<chain_split> cheapest_splits() {
    table<double> extents(positions(), 1.0);
    for (std::uint32_t i = 0; i < positions(); ++i)
      for (std::uint32_t j = i + 1; j < positions(); ++j) {
        if (at(i, j).value == value_id::none) continue;
        const shape& s = choices_.type_of(at(i, j).value).shape;
        if (s[0].is_fixed()) extents[i] = static_cast<double>(s[0].size());
        if (s.rank == 2 && s[1].is_fixed()) extents[j] = static_cast<double>(s[1].size());
      }
    chain_splits chain(extents);
    for (std::uint32_t i = 0; i < positions(); ++i)
      for (std::uint32_t j = i + 1; j < positions(); ++j)
        if (at(i, j).value != value_id::none) chain.add_factor(i, j);
    chain.solve();
    return chain.cheapest(choices_.limits().chain_splits);
  }
  constexpr result<nothing> place_factor(run& place, const span& s) {
    factor f = factor_of(s);
    if (f.flipped && !choices_.known_of(f.value).has(symmetric)) {
      const auto turned = choices_.add(kernels::transpose, {&f.value, 1});
      if (!turned) return turned.error();
      f.value = *turned;
    }
    if (place.value != value_id::none) choices_.unite(place.value, f.value);
    place.value = f.value;
    return nothing{};
  }
  // left · right; if one of them is the explicit inverse of a matrix, also a solve.
  constexpr result<nothing> split(run& product, const run& left, const run& right) {
    if (left.value == value_id::none || right.value == value_id::none) return nothing{};
    const bool vector = choices_.type_of(right.value).shape.rank == 1;
    const auto made =
        offer(product, vector ? kernels::matvec : kernels::matmul, left.value, right.value);
    if (!made) return made.error();
    const node_id node = choices_.producer_of(*made);
    if (!choices_.made_by_asked(node)) covered_.push_back(node);
    if (left.inverse != node_id::none) {
      const value_id matrix = choices_.inputs_of(left.inverse)[0];
      if (auto r = offer_solve(product, kernels::solve, kernels::solve_cholesky, matrix,
                               right.value, matrix);
          !r)
        return r.error();
    }
    if (right.inverse != node_id::none) {
      const value_id matrix = choices_.inputs_of(right.inverse)[0];
      if (auto r = offer_solve(product, kernels::solve_right, kernels::solve_right_cholesky,
                               left.value, matrix, matrix);
          !r)
        return r.error();
    }
    return nothing{};
  }
  // A solve, and for a definite matrix also the definite solve.
  constexpr result<value_id> offer_solve(run& product, const kernel_spec& general,
                                         const kernel_spec& definite, value_id left, value_id right,
                                         value_id matrix) {
    auto made = offer(product, general, left, right);
    if (!made || !choices_.known_of(matrix).has(spd)) return made;
    return offer(product, definite, left, right);
  }
  // Adds one way to compute a product and unites it with the others; returns this one.
  constexpr result<value_id> offer(run& product, const kernel_spec& k, value_id left,
                                   value_id right) {
    const value_id operands[] = {left, right};
    const auto made = choices_.add(k, {operands, 2});
    if (!made) return made;
    if (product.value == value_id::none)
      product.value = *made;
    else
      choices_.unite(product.value, *made);
    return made;
  }
  // The factors of a run of matrices if they are unique, else none.
  constexpr table<factor> factors_between(std::uint32_t i, std::uint32_t j) {
    table<factor> out;
    if (choices_.type_of(at(i, j).value).shape.rank != 2) return out;
    for (std::uint32_t k = i; k < j; ++k) {
      std::uint32_t s = at(k, k + 1).span;
      while (s != none && spans_[s].is_product) s = spans_[s].next;
      if (s == none) return {};
      out.push_back(factor_of(spans_[s]));
    }
    return out;
  }
  // Records what is known of a run before longer runs use it.
  constexpr void settle(std::uint32_t i, std::uint32_t j) {
    run& r = at(i, j);
    if (r.value == value_id::none) return;
    for (std::uint32_t s = r.span; s != none; s = spans_[s].next)
      for (const factor& f : readings_of(spans_[s]))
        if (!f.flipped) choices_.unite(f.value, r.value);
    r.value = choices_.representative(r.value);
    if (r.span == none) choices_.watch(r.value);
    if (const table<factor> all = factors_between(i, j); all.size() > 1)
      choices_.assume(r.value, palindrome(choices_, all));
    for (node_id id : choices_.candidates_of(r.value)) {
      if (choices_.made_by_asked(id)) continue;
      if (choices_.applies(id, kernels::inverse)) r.inverse = id;
      if (j - i > 1 && is_product(id) && !is_covered(id))
        found_.push_back({order_[i], order_[j], id});
    }
  }

  choice_graph& choices_;
  table<span> spans_;
  table<factor> readings_;  // of all spans, concatenated
  std::uint32_t looked_at_ = 0;
  table<std::uint32_t> order_;  // positions from left to right; 0 and 1 are the ends
  table<run> runs_;             // by the places of two positions
  table<node_id> covered_;      // other transforms' products that are among the runs
  table<run_product> found_;    // other transforms' products that are not
};

// True if only matrix products read a value, so that their chains cover it.
constexpr bool is_inner(const choice_graph& c, value_id id) {
  bool read = false;
  for (node_id reader : c.readers_of(id)) {
    if (c.class_of(c.result_of(reader)) == c.class_of(id)) continue;
    if (!c.applies(reader, kernels::matmul) && !c.applies(reader, kernels::matvec)) return false;
    if (c.type_of(c.result_of(reader)).shape.rank > 2) return false;
    read = true;
  }
  return read && !c.is_output(id);
}

constexpr result<nothing> chain_order(choice_graph& c, node_id id) {
  if (c.made_by_asked(id)) return nothing{};
  const bool vector = c.applies(id, kernels::matvec);
  if (!vector && !c.applies(id, kernels::matmul)) return nothing{};
  const value_id root = c.result_of(id);
  if (c.type_of(root).shape.rank > 2 || is_inner(c, root)) return nothing{};
  chain_lattice chain(c, root);
  if (!vector) c.assume(root, palindrome(c, chain.factors()));
  return chain.fill();
}

}  // namespace detail

/// Every parenthesisation of a product of matrices (and a vector), through transposes and through
/// the products that other transforms find for its factors; an explicit inverse as a factor may be
/// replaced by a solve. For more than 31 factors only the cheapest orders, with about 2,500
/// products: the least work for dense matrices is among them, proven by dynamic programming, and so
/// are orders of slightly more work that other kernels improve. Source: Cormen et al., Introduction
/// to Algorithms, 15.2 (matrix-chain multiplication).
inline constexpr transform chain_order{"linalg", "chain_order",
                                       "another order of the product, or a solve instead of an "
                                       "inverse",
                                       &detail::chain_order};

}  // namespace wf::transforms
