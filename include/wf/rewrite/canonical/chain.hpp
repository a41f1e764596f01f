// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cost/price.hpp>
#include <wf/rewrite/canonical/identities.hpp>

namespace wf::detail {

/// True if x·y + x·z → x·(y + z) saves floating-point operations for every number of products: a
/// product plus a sum of results costs more than a sum of factors. Always true for elementwise
/// products; otherwise shapes must be static.
constexpr bool factoring_saves(const registry& r, const term& product, const value_type* factors,
                               const value_type& rest, const term& sum) {
  const kernel_spec* f = r.find(product.op);
  if (f == nullptr) return false;
  if (f->laws.elementwise) return true;
  if (!factors[0].shape.is_static() || !factors[1].shape.is_static() || !sum.type.shape.is_static())
    return false;
  graph g("scratch");
  const value_id x = g.add_input("x", factors[0]), y = g.add_input("y", factors[1]);
  const value_id whole = g.add_input("whole", sum.type), part = g.add_input("part", rest);
  const value_id of_product[] = {x, y}, of_wholes[] = {whole, whole}, of_parts[] = {part, part};
  const node_id nodes[] = {
      g.add_node({.op = product.op, .domain = product.domain}, of_product, {&sum.type, 1}),
      g.add_node({.op = sum.op, .domain = sum.domain}, of_wholes, {&sum.type, 1}),
      g.add_node({.op = sum.op, .domain = sum.domain}, of_parts, {&rest, 1})};
  pricer<rational> prices(g.view(),
                          metric_spec{"flops", "flop", combination::sum, missing_cost::unknown}, r);
  rational cost[3];
  for (std::size_t i = 0; i < 3; ++i) {
    const auto price = prices.price(nodes[i]);
    if (!price) return false;
    cost[i] = *price;
  }
  rational before;
  return wf::add(cost[0], cost[1], before) == errc::none && cost[2] < before;
}

/// Normalises chains of an associative and commutative operator, such as a + b + c: terms in
/// canonical order, associated to the left; constants combined; products with a common factor
/// merged. A chain ends at values with several readers and where the shape changes.
class chain_builder {
 public:
  /// Works on the graph that a rewriter builds; all arguments must outlive this object.
  constexpr chain_builder(graph_rewriter& r, canonical_order& order, identities& rules,
                          const registry& kernels)
      : rewriter_(r), order_(order), rules_(rules), kernels_(kernels) {
    const graph_view& g = r.source();
    sole_user_ = table<node_id>(g.values.size(), node_id::none);
    for (std::uint32_t i = 0; i < g.nodes.size(); ++i)
      for (value_id operand : g.inputs_of(g.nodes[i]))
        if (r.uses(operand) == 1) sole_user_[index_of(operand)] = static_cast<node_id>(i);
  }

  /// True if the operator of a term forms chains.
  constexpr bool regroups(const term& t) const {
    const law_set laws = rules_.laws_of(t);
    return laws.associative && laws.commutative && laws.elementwise && t.operands.size() == 2 &&
           t.attributes.empty();
  }
  /// True if a source node is an inner link of a chain: its only reader continues the chain.
  constexpr bool is_inner(node_id id) const {
    const graph_view& g = rewriter_.source();
    const node& n = g[id];
    if (n.outputs.count != 1 || !rewriter_.is_free(id)) return false;
    const node_id user = sole_user_[n.outputs.first];
    if (user == node_id::none || !rewriter_.is_free(user)) return false;
    const node& m = g[user];
    if (m.op != n.op || m.outputs.count != 1 || g.text_of(m.peer) != g.text_of(n.peer))
      return false;
    const value_type &s = g.values[n.outputs.first].type, &t = g.values[m.outputs.first].type;
    return s.type == t.type && s.shape == t.shape;
  }
  /// Records for the image of a source node whether it is an inner link of a chain, and whether it
  /// has a single reader.
  constexpr void note(value_id made, node_id id) {
    const node_id producer = rewriter_.made()[made].producer;
    if (producer == node_id::none) return;
    const std::size_t at = index_of(producer);
    if (inner_.size() <= at) inner_.resize(rewriter_.made().nodes.size());
    if (single_.size() <= at) single_.resize(rewriter_.made().nodes.size());
    const node& n = rewriter_.source()[id];
    const bool single = n.outputs.count == 1 && sole_user_[n.outputs.first] != node_id::none;
    mark(inner_[at], is_inner(id));
    mark(single_[at], single);
  }

  /// Normalises the chain that ends at a term. Returns true if another value replaces the term, and
  /// stores it in `by`; leaves the term alone if its chain is canonical.
  constexpr bool regroup(const term& t, value_id& by) {
    table<value_id> leaves = leaves_of(t);
    const std::size_t size = leaves.size();
    if (!has_whole(t, leaves)) return false;
    if (rules_.laws_of(t).idempotent) drop_repeated(leaves);
    bool changed = combine_numbers(t, leaves);
    changed = factor(t, leaves) || changed || leaves.size() != size;
    arrange(t, leaves);
    if (leaves.size() == 1) return rules_.give(t, leaves[0], by);
    if (!changed && is_arranged(t, leaves)) return false;
    by = build(t, leaves, t.type, true);
    return true;
  }
  /// Factors x·y - x·z, which is no chain. Returns true on success and stores the result in `by`.
  constexpr bool factor_difference(const term& t, value_id& by) {
    table<value_id> leaves = t.operands;
    if (!factor(t, leaves)) return false;
    by = leaves[0];
    return true;
  }

 private:
  // 1 for true, -1 for false; false is sticky, since a value may represent several source nodes.
  static constexpr void mark(signed char& m, bool holds) {
    if (m >= 0) m = holds ? 1 : -1;
  }
  constexpr bool is_marked(const table<signed char>& marks, node_id id) const {
    return index_of(id) < marks.size() && marks[index_of(id)] == 1;
  }

  // The leaves of the chain. The operand that continues the chain is visited first, which restores
  // the order of the terms of `build`, including terms with equal digests.
  constexpr table<value_id> leaves_of(const term& t) const {
    table<value_id> leaves, waiting;
    const auto wait = [&](value_id a, value_id b) {
      const bool swapped = inner_of(t, a) == node_id::none && inner_of(t, b) != node_id::none;
      waiting.push_back(swapped ? a : b);
      waiting.push_back(swapped ? b : a);
    };
    wait(t.a(), t.b());
    while (!waiting.empty()) {
      const value_id id = waiting.back();
      waiting.pop_back();
      const node_id inner = inner_of(t, id);
      if (inner == node_id::none)
        leaves.push_back(id);
      else
        wait(rewriter_.made_operand(inner, 0), rewriter_.made_operand(inner, 1));
    }
    return leaves;
  }
  // The producer of a value if it is an inner link of the chain that ends at a term; else none.
  constexpr node_id inner_of(const term& t, value_id id) const {
    const node_id inner = rewriter_.bypassable(id, t.like, hash_text(t.op));
    return inner != node_id::none && is_marked(inner_, inner) && rewriter_.has_type(id, t.type)
               ? inner
               : node_id::none;
  }
  // Keeps the first occurrence of each term.
  constexpr void drop_repeated(table<value_id>& leaves) const {
    table<std::uint32_t> order;
    for (std::uint32_t i = 0; i < leaves.size(); ++i) order.push_back(i);
    stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return leaves[a] < leaves[b]; });
    table<char> repeated(leaves.size());
    for (std::size_t i = 1; i < order.size(); ++i)
      if (leaves[order[i - 1]] == leaves[order[i]]) repeated[order[i]] = 1;
    table<value_id> kept;
    for (std::size_t i = 0; i < leaves.size(); ++i)
      if (repeated[i] == 0) kept.push_back(leaves[i]);
    leaves.swap(kept);
  }
  // Combines all constants into one, in ascending order, so that rounding does not depend on their
  // original order.
  constexpr bool combine_numbers(const term& t, table<value_id>& leaves) {
    table<value_id> others;
    table<double> numbers;
    for (value_id id : leaves) {
      const fill f = rewriter_.fill_of(id);
      if (f.known)
        numbers.push_back(f.value);
      else
        others.push_back(id);
    }
    if (numbers.size() < 2 || others.empty()) return false;
    stable_sort(numbers, [](double a, double b) { return a < b; });
    const kernel_spec* const k = rewriter_.kernel_named(t.op);
    if (k == nullptr || k->constant == nullptr) return false;
    const value_type types[2] = {{t.type.type, {}, {}}, {t.type.type, {}, {}}};
    const rule_input node{{types, 2}, {}};
    double all = numbers[0];
    for (std::size_t i = 1; i < numbers.size(); ++i) {
      const double pair[] = {all, numbers[i]};
      if (!k->constant({pair, node, t.type.type}, all) || !settle_element(t.type.type, all))
        return false;
    }
    others.push_back(rewriter_.add_fill(t.like, all, {t.type.type, {}, {}}, false));
    leaves.swap(others);
    return true;
  }

  // True if a non-constant term has the shape of the result.
  constexpr bool has_whole(const term& t, const table<value_id>& leaves) const {
    for (value_id id : leaves)
      if (rewriter_.has_type(id, t.type) && !rewriter_.fill_of(id).known) return true;
    return false;
  }
  // Moves terms of the full shape to the front, so that all partial results keep that shape.
  constexpr void arrange(const term& t, table<value_id>& leaves) {
    stable_sort(leaves, [&](value_id a, value_id b) {
      const bool small_a = !rewriter_.has_type(a, t.type), small_b = !rewriter_.has_type(b, t.type);
      const bool number_a = rewriter_.fill_of(a).known, number_b = rewriter_.fill_of(b).known;
      if (number_a != number_b) return number_b;
      return small_a != small_b ? small_b : order_.before(a, b);
    });
  }
  constexpr bool is_arranged(const term& t, const table<value_id>& leaves) const {
    value_id a = t.a(), b = t.b();
    for (std::size_t i = leaves.size(); i-- > 1;) {
      if (a == leaves[i]) a = b, b = leaves[i];
      if (b != leaves[i]) return false;
      if (i == 1) return a == leaves[0];
      const node_id inner = inner_of(t, a);
      if (inner == node_id::none) return false;
      a = rewriter_.made_operand(inner, 0);
      b = rewriter_.made_operand(inner, 1);
    }
    return true;
  }
  // ((l0 + l1) + l2) + ...; the last node represents the source node.
  constexpr value_id build(const term& t, const table<value_id>& leaves, const value_type& type,
                           bool is_whole) {
    value_id all = leaves[0];
    for (std::size_t i = 1; i < leaves.size(); ++i) {
      const bool last = i + 1 == leaves.size();
      all = combined(t, all, leaves[i], last ? type : value_type{type.type, {}, type.shape},
                     last && is_whole);
    }
    return all;
  }
  constexpr value_id combined(const term& t, value_id a, value_id b, const value_type& type,
                              bool is_whole) {
    const bool swapped = rules_.laws_of(t).commutative && order_.before(b, a);
    const value_id operands[] = {swapped ? b : a, swapped ? a : b};
    return rewriter_.add(t.like, t.op, t.domain, {}, operands, type, is_whole);
  }

  // --- common factors ---------------------------------------------------------------------------

  // A product among the leaves, with one of its factors as the common one.
  struct factor_of {
    std::uint64_t op = 0;
    std::uint32_t position = 0;  // operand index of the common factor; 0 for commutative products
    std::uint32_t leaf = 0;
    value_id common = value_id::none;
    value_id rest = value_id::none;
    std::uint32_t first = 0;  // the first leaf with this factor
  };
  struct run {
    std::uint32_t first = 0, count = 0;
  };

  constexpr bool same_factor(const factor_of& a, const factor_of& b) const {
    return a.op == b.op && a.position == b.position && a.common == b.common;
  }
  constexpr table<factor_of> factors(const term& t, const table<value_id>& leaves) const {
    table<factor_of> out;
    for (std::uint32_t i = 0; i < leaves.size(); ++i) {
      const node_id product = rewriter_.bypassable(leaves[i], t.like);
      if (product == node_id::none || !is_marked(single_, product) ||
          !rewriter_.has_type(leaves[i], t.type))
        continue;
      const graph_view made = rewriter_.made();
      const node& n = made[product];
      if (n.inputs.count != 2 || n.outputs.count != 1 || n.attributes.count != 0) continue;
      const kernel_spec* k = kernels_.find(made.op_name(n));
      const law_set laws = rules_.laws_of(product_term(t, product));
      if (k == nullptr || !laws.distributes(t.op)) continue;
      const value_id x = made.inputs_of(n)[0], y = made.inputs_of(n)[1];
      const std::uint64_t op = made.operations[n.op].hash;
      out.push_back({op, 0, i, x, y, i});
      if (x != y || !laws.commutative) out.push_back({op, laws.commutative ? 0u : 1u, i, y, x, i});
    }
    stable_sort(out, [](const factor_of& a, const factor_of& b) { return a.common < b.common; });
    for (std::size_t i = 1; i < out.size(); ++i)
      if (out[i].common == out[i - 1].common) out[i].first = out[i - 1].first;
    return out;
  }
  constexpr term product_term(const term& t, node_id product) const {
    const graph_view made = rewriter_.made();
    term p;
    p.op = made.op_name(made[product]);
    p.domain = made.text_of(made.operations[made[product].op].domain);
    p.operands.push_back(made.inputs_of(made[product])[0]);
    p.operands.push_back(made.inputs_of(made[product])[1]);
    p.type = t.type;
    p.like = t.like;
    return p;
  }
  // Merges products with a common factor, most frequent factors first.
  constexpr bool factor(const term& t, table<value_id>& leaves) {
    table<factor_of> all = factors(t, leaves);
    if (all.size() < 2) return false;
    stable_sort(all, [&](const factor_of& a, const factor_of& b) {
      if (a.op != b.op) return a.op < b.op;
      if (a.position != b.position) return a.position < b.position;
      const digest128 x = order_.digest_of(a.common), y = order_.digest_of(b.common);
      if (x != y) return x < y;
      return a.first != b.first ? a.first < b.first : a.leaf < b.leaf;
    });
    table<run> runs;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      if (i == 0 || !same_factor(all[i - 1], all[i])) runs.push_back({i, 0});
      ++runs.back().count;
    }
    stable_sort(runs, [](const run& a, const run& b) { return a.count > b.count; });
    table<char> gone(leaves.size());
    table<value_id> made;
    for (const run& r : runs)
      if (r.count > 1) factor_out(t, {all.data() + r.first, r.count}, leaves, gone, made);
    if (made.empty()) return false;
    for (std::size_t i = 0; i < leaves.size(); ++i)
      if (gone[i] == 0) made.push_back(leaves[i]);
    leaves.swap(made);
    return true;
  }
  constexpr void factor_out(const term& t, view<factor_of> products, const table<value_id>& leaves,
                            table<char>& gone, table<value_id>& made) {
    const factor_of* first = nullptr;
    table<value_id> rests;
    table<std::uint32_t> taken;
    for (const factor_of& p : products) {
      if (gone[p.leaf] != 0) continue;
      if (first == nullptr) first = &p;
      if (!rewriter_.has_type(p.rest, rewriter_.type_of(first->rest))) continue;
      rests.push_back(p.rest);
      taken.push_back(p.leaf);
    }
    if (rests.size() < 2) return;
    const graph_view g = rewriter_.made();
    const term product = product_term(t, g[leaves[taken[0]]].producer);
    const value_type types[] = {g[product.a()].type, g[product.b()].type};
    const value_type rest{types[0].type, {}, g[first->rest].type.shape};
    if (!factoring_saves(kernels_, product, types, rest, t)) return;
    const text op(product.op), domain(product.domain);  // copies: adding nodes may move the text
                                                        // pool
    if (rules_.laws_of(t).commutative)
      stable_sort(rests, [&](value_id a, value_id b) { return order_.before(a, b); });
    const value_id sum = build(t, rests, rest, false);
    term whole = product;
    whole.op = op.view(), whole.domain = domain.view();
    const bool left = first->position == 0;
    made.push_back(combined(whole, left ? first->common : sum, left ? sum : first->common,
                            {t.type.type, {}, t.type.shape}, false));
    for (std::uint32_t leaf : taken) gone[leaf] = 1;
  }

  graph_rewriter& rewriter_;
  canonical_order& order_;
  identities& rules_;
  const registry& kernels_;
  table<node_id> sole_user_;  // by source value; none for an output or several readers
  table<signed char> inner_;  // by node of the new graph: see `mark`
  table<signed char> single_;
};

}  // namespace wf::detail
