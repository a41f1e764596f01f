// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/transform/expression_builder.hpp>
#include <wf/choice/transform/linalg/chain_order.hpp>
#include <wf/choice/transform/linalg/structure.hpp>

// Products among the terms of sums: accumulated onto the sum, and merged where they share a factor.
namespace wf::transforms {

namespace detail {

// A term of a sum; `minus` if it is subtracted.
struct term {
  value_id value = value_id::none;
  bool minus = false;
};

// The terms of a sum or difference of two matrices of the same shape; false if the node is none.
constexpr bool terms_of(const choice_graph& c, node_id sum, term (&out)[2]) {
  const bool minus = c.applies(sum, kernels::subtract);
  if (!minus && !c.applies(sum, kernels::add)) return false;
  out[0] = {c.inputs_of(sum)[0], false};
  out[1] = {c.inputs_of(sum)[1], minus};
  return c.type_of(out[0].value).shape == c.type_of(out[1].value).shape;
}

// A product of two matrices.
struct two_factors {
  factor left;
  factor right;

  constexpr extent inner(const choice_graph& c) const {
    return c.type_of(left.value).shape[left.flipped ? 0 : 1];
  }
  constexpr extent rows(const choice_graph& c) const {
    return c.type_of(left.value).shape[left.flipped ? 1 : 0];
  }
  constexpr extent columns(const choice_graph& c) const {
    return c.type_of(right.value).shape[right.flipped ? 0 : 1];
  }
  // True if the inner extent is at most half of both extents of the product.
  constexpr bool is_outer(const choice_graph& c) const {
    const extent r = rows(c), i = inner(c), n = columns(c);
    if (!r.is_fixed() || !i.is_fixed() || !n.is_fixed()) return false;
    return 2 * i.size() <= r.size() && 2 * i.size() <= n.size();
  }
};

// The products among the candidates of a class, and the transposed products of its transposes.
constexpr table<two_factors> products_of(const choice_graph& c, value_id id) {
  table<two_factors> found;
  for (node_id n : c.candidates_of(id)) {
    const value_id first = c.inputs_of(n)[0];
    if (c.applies(n, kernels::matmul))
      found.push_back({{first, false}, {c.inputs_of(n)[1], false}});
    else if (c.applies(n, kernels::transpose))
      for (node_id turned : c.candidates_of(first))
        if (c.applies(turned, kernels::matmul))
          found.push_back({{c.inputs_of(turned)[1], true}, {c.inputs_of(turned)[0], true}});
  }
  return found;
}
// The products of a class that may be accumulated onto a sum. Of outer products those of the least
// inner extent, where it saves most; otherwise the first product, since little is saved.
constexpr table<two_factors> addable_products(const choice_graph& c, value_id id) {
  const table<two_factors> all = products_of(c, id);
  table<two_factors> found;
  for (const two_factors& p : all) {
    if (!p.is_outer(c)) continue;
    if (!found.empty() && p.inner(c).size() > found[0].inner(c).size()) continue;
    if (!found.empty() && p.inner(c).size() < found[0].inner(c).size()) found.clear();
    found.push_back(p);
  }
  if (found.empty() && !all.empty()) found.push_back(all[0]);
  return found;
}

// True if a class is a product, or a sum of products only.
constexpr bool is_all_products(const choice_graph& c, value_id id, int depth = 3) {
  if (!products_of(c, id).empty()) return true;
  term inner[2];
  for (node_id n : c.candidates_of(id))
    if (depth > 0 && terms_of(c, n, inner) && is_all_products(c, inner[0].value, depth - 1) &&
        is_all_products(c, inner[1].value, depth - 1))
      return true;
  return false;
}

constexpr value_id value_of(expression_builder& b, const factor& f) {
  return f.flipped ? b.add(kernels::transpose, f.value) : f.value;
}

// The sum of terms, at least one of which is not subtracted; the first such term leads.
constexpr value_id sum_of(expression_builder& b, const table<term>& terms) {
  std::size_t start = 0;
  while (terms[start].minus) ++start;
  value_id all = terms[start].value;
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (i != start)
      all = b.add(terms[i].minus ? kernels::subtract : kernels::add, all, terms[i].value);
  return all;
}

// C + A·B or C - A·B for a term A·B, as one kernel.
constexpr result<nothing> add_onto(choice_graph& c, value_id made,
                                   const table<two_factors>& products, bool minus, value_id onto) {
  expression_builder b(c);
  for (const two_factors& p : products)
    b.unite(made, b.add(minus ? kernels::matmul_subtract : kernels::matmul_add, value_of(b, p.left),
                        value_of(b, p.right), onto));
  return b.done();
}

// A term added to a sum of products moves inside: (A·B + X·Y) + Z = (X·Y + Z) + A·B.
constexpr result<nothing> add_inside(choice_graph& c, value_id made, const term& sum,
                                     const term& added) {
  for (node_id n : c.candidates_of(sum.value)) {
    term inner[2];
    if (!terms_of(c, n, inner)) continue;
    for (std::size_t k = 0; k < 2; ++k) {
      const table<two_factors> products = addable_products(c, inner[k].value);
      const term kept{inner[1 - k].value, inner[1 - k].minus != sum.minus};
      if (products.empty() || (added.minus && kept.minus)) continue;
      if (!admits_size(c, made)) return nothing{};
      expression_builder b(c);
      const value_id rest = sum_of(b, {added, kept});
      if (auto done = b.done(); !done) return done;
      return add_onto(c, made, products, inner[k].minus != sum.minus, rest);
    }
  }
  return nothing{};
}

// A sum with a product as one kernel. A term added to a sum of products only moves inside that sum.
constexpr result<nothing> add_product(choice_graph& c, node_id id) {
  const value_id made = c.result_of(id);
  term outer[2];
  if (!is_worth_a_look(c, made) || !terms_of(c, id, outer)) return nothing{};
  bool has_product = false;
  for (std::size_t k = 0; k < 2; ++k) {
    c.watch(outer[k].value);
    const table<two_factors> products = addable_products(c, outer[k].value);
    if (products.empty()) continue;
    has_product = true;
    const term& rest = outer[1 - k];
    if (rest.minus) continue;
    if (!admits_size(c, made)) return nothing{};
    if (auto done = add_onto(c, made, products, outer[k].minus, rest.value); !done) return done;
  }
  if (has_product) return nothing{};
  const bool is_sum[] = {is_all_products(c, outer[0].value), is_all_products(c, outer[1].value)};
  if (is_sum[0] == is_sum[1]) return nothing{};
  if (!c.admits(&proposal_limits::term_moves, c.times_derived(id) + 1)) return nothing{};
  return is_sum[0] ? add_inside(c, made, outer[0], outer[1])
                   : add_inside(c, made, outer[1], outer[0]);
}

// The earliest of a value and its transposes.
constexpr factor first_of(const choice_graph& c, factor f) {
  for (node_id n : c.candidates_of(f.value)) {
    if (!c.applies(n, kernels::transpose)) continue;
    const value_id turned = c.inputs_of(n)[0];
    if (c.class_of(turned) < c.class_of(f.value)) f = {turned, !f.flipped};
  }
  return {c.representative(f.value), f.flipped && !c.known_of(f.value).has(symmetric)};
}

// The outer products of a class; empty if there are none.
constexpr table<two_factors> outer_products_of(const choice_graph& c, value_id id) {
  table<two_factors> found;
  for (const two_factors& p : products_of(c, id))
    if (p.is_outer(c)) found.push_back(p);
  return found;
}

// Which factors products of a sum may share.
enum class factor_sizes : std::uint8_t { large, all };

// A sum as terms, with the outer products of each.
class sum_of_products {
 public:
  constexpr sum_of_products(const choice_graph& c, const table<term>& terms,
                            factor_sizes sizes = factor_sizes::large)
      : c_(c), sizes_(sizes) {
    for (const term& t : terms) terms_.push_back({t, outer_products_of(c, t.value), {}, false});
  }
  // The sum of the least inner extents of its products: the work per element.
  constexpr std::int64_t width() const {
    std::int64_t all = 0;
    for (const addend& a : terms_) {
      std::int64_t least = 0;
      for (const two_factors& p : a.products)
        if (least == 0 || p.inner(c_).size() < least) least = p.inner(c_).size();
      all += least;
    }
    return all;
  }
  // X·V ± Y·V = (X ± Y)·V and V·X ± V·Y = V·(X ± Y), until no two products share a factor.
  constexpr void collect() {
    for (std::size_t i = 0; i < terms_.size(); ++i)
      for (std::size_t j = i + 1; j < terms_.size();)
        if (const shared_factor best = best_shared(terms_[i], terms_[j]); best.found)
          join(i, j, best);
        else
          ++j;
  }
  // True if products share a factor that is too small to be collected.
  constexpr bool shares_small() const { return shares_small_; }
  // Builds the sum. Terms without products come first, so that products accumulate onto them.
  constexpr value_id make(expression_builder& b) const {
    table<term> terms;
    for (const bool products : {false, true})
      for (const addend& a : terms_)
        if (a.products.empty() != products) terms.push_back(a.others.empty() ? a.of : joined(b, a));
    return sum_of(b, terms);
  }

 private:
  struct factor_term {
    factor of;
    bool minus = false;
  };
  // A term, or several terms that share a factor (left or right) of the only product here.
  struct addend {
    term of;
    table<two_factors> products;
    table<factor_term> others;
    bool left = false;
  };
  // Two products with a factor in common.
  struct shared_factor {
    two_factors first, second;
    bool left = false;
    bool found = false;
  };
  static constexpr const factor& side(const two_factors& p, bool left) {
    return left ? p.left : p.right;
  }

  // The shared factor of least inner extent; ties go to the earliest other factor, since shorter
  // chains are shared more.
  constexpr shared_factor best_shared(const addend& x, const addend& y) {
    shared_factor best;
    for (const two_factors& p : x.products)
      for (const two_factors& q : y.products)
        for (const bool left : {false, true}) {
          if ((!x.others.empty() && x.left != left) || (!y.others.empty() && y.left != left))
            continue;
          if (is_shared(side(p, left), side(q, left)) && (!best.found || is_better(p, left, best)))
            best = {p, q, left, true};
        }
    return best;
  }
  constexpr bool is_shared(const factor& a, const factor& b) {
    const factor mine = first_of(c_, a), theirs = first_of(c_, b);
    if (mine.value != theirs.value || mine.flipped != theirs.flipped) return false;
    if (sizes_ == factor_sizes::all || is_large(c_, a.value)) return true;
    shares_small_ = true;
    return false;
  }
  constexpr bool is_better(const two_factors& p, bool left, const shared_factor& than) const {
    const extent mine = p.inner(c_), theirs = than.first.inner(c_);
    if (!(mine == theirs)) return mine.size() < theirs.size();
    return c_.class_of(side(p, !left).value) < c_.class_of(side(than.first, !than.left).value);
  }
  constexpr void join(std::size_t i, std::size_t j, const shared_factor& s) {
    addend whole{{}, {}, {}, s.left};
    whole.products.push_back(s.first);
    for (const addend* a : {&terms_[i], &terms_[j]})
      if (a->others.empty())
        whole.others.push_back({side(a == &terms_[i] ? s.first : s.second, !s.left), a->of.minus});
      else
        whole.others.append(a->others);
    terms_[i] = static_cast<addend&&>(whole);
    terms_[j] = static_cast<addend&&>(terms_.back());
    terms_.pop_back();
  }
  // The product with a shared factor; if all its terms are subtracted, it is subtracted.
  constexpr term joined(expression_builder& b, const addend& a) const {
    bool minus = true;
    for (const factor_term& f : a.others) minus = minus && f.minus;
    table<term> others;
    for (const factor_term& f : a.others) others.push_back({value_of(b, f.of), f.minus != minus});
    const value_id sum = sum_of(b, others);
    const value_id shared = value_of(b, side(a.products[0], a.left));
    return {a.left ? b.add(kernels::matmul, shared, sum) : b.add(kernels::matmul, sum, shared),
            minus};
  }

  const choice_graph& c_;
  factor_sizes sizes_;
  bool shares_small_ = false;
  table<addend> terms_;
};

// Decompositions of a sum into terms that are outer products or no sums. Limits on them leave
// nothing out of a small sum, from which nothing is proposed.
class sum_readings {
 public:
  constexpr sum_readings(choice_graph& c, const term (&terms)[2])
      : c_(c), large_(is_large(c, terms[0].value)) {
    open_.push_back(terms[1]);
    open_.push_back(terms[0]);
    read();
  }
  constexpr const table<table<term>>& all() const { return found_; }

 private:
  // Decomposes the open terms, given the completed ones.
  constexpr void read() {
    if (!admits(&proposal_limits::sum_readings, found_.size() + 1)) return;
    if (open_.empty()) {
      found_.push_back(done_);
      return;
    }
    const table<term> open = open_, done = done_;
    const term next = open_.back();
    c_.watch(next.value);
    open_.pop_back();
    bool is_sum = false;
    if (outer_products_of(c_, next.value).empty())
      for (node_id n : c_.candidates_of(next.value)) {
        term inner[2];
        if (!terms_of(c_, n, inner)) continue;
        if (!admits(&proposal_limits::sum_terms, open.size() + done.size() + 1)) break;
        is_sum = true;
        open_.push_back({inner[1].value, inner[1].minus != next.minus});
        open_.push_back({inner[0].value, inner[0].minus != next.minus});
        read();
        open_ = open;
        open_.pop_back();
        done_ = done;
      }
    if (is_sum) return;
    done_.push_back(next);
    read();
  }
  constexpr bool admits(std::uint32_t proposal_limits::* limit, std::uint64_t amount) {
    return large_ ? c_.admits(limit, amount) : amount <= c_.limits().*limit;
  }

  choice_graph& c_;
  bool large_;
  table<term> open_, done_;
  table<table<term>> found_;
};

// True if only sums read a value, so that these cover it.
constexpr bool is_inner_sum(const choice_graph& c, value_id id) {
  bool read = false;
  term terms[2];
  for (node_id reader : c.readers_of(id)) {
    if (c.class_of(c.result_of(reader)) == c.class_of(id)) continue;
    if (!terms_of(c, reader, terms)) return false;
    read = true;
  }
  return read && !c.is_output(id);
}

// Notes if a sum narrower than `width` would result from collecting small factors too.
constexpr void note_small_factors(choice_graph& c, const table<term>& reading, std::int64_t width) {
  if (c.has_cut(&proposal_limits::large_matrix)) return;
  sum_of_products any(c, reading, factor_sizes::all);
  any.collect();
  if (any.width() < width) c.note_cut(&proposal_limits::large_matrix);
}

// Offers a sum with fewer or narrower products than every existing one.
constexpr result<nothing> collect_factor(choice_graph& c, node_id id) {
  const value_id made = c.result_of(id);
  term terms[2];
  if (!is_worth_a_look(c, made) || c.made_by_asked(id) || !terms_of(c, id, terms) ||
      is_inner_sum(c, made))
    return nothing{};
  std::int64_t least = INT64_MAX;
  for (node_id n : c.candidates_of(made)) {
    term others[2];
    if (!terms_of(c, n, others)) continue;
    const sum_readings readings(c, others);
    for (const table<term>& reading : readings.all()) {
      const std::int64_t width = sum_of_products(c, reading).width();
      if (width < least) least = width;
    }
  }
  const sum_readings readings(c, terms);
  for (const table<term>& reading : readings.all()) {
    sum_of_products sum(c, reading);
    sum.collect();
    const std::int64_t width = sum.width();
    if (sum.shares_small()) note_small_factors(c, reading, width < least ? width : least);
    if (width >= least) continue;
    least = width;
    expression_builder b(c);
    b.unite(made, sum.make(b));
    if (auto done = b.done(); !done) return done;
  }
  return nothing{};
}

}  // namespace detail

/// A sum with a product of matrices as one kernel.
inline constexpr transform add_product{
    "linalg", "add_product", "a product added where the sum is", &detail::add_product, true, "add"};
/// `add_product` for a difference.
inline constexpr transform subtract_product{"linalg",
                                            "subtract_product",
                                            "a product subtracted where the difference is",
                                            &detail::add_product,
                                            true,
                                            "subtract"};
/// Products among the terms of a sum that share a factor, as one product.
inline constexpr transform collect_factor{
    "linalg", "collect_factor", "a shared factor, collected", &detail::collect_factor, true, "add"};
/// `collect_factor` for a difference.
inline constexpr transform collect_subtracted_factor{"linalg",
                                                     "collect_subtracted_factor",
                                                     "a shared factor, collected",
                                                     &detail::collect_factor,
                                                     true,
                                                     "subtract"};

}  // namespace wf::transforms
