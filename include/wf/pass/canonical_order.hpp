// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/digest.hpp>
#include <wf/pass/rewrite.hpp>
#include <wf/pass/sort.hpp>

namespace wf::detail {

/// An order of the values of a graph that is being made, which does not depend on their numbers:
/// first what is not known to be filled with one number, then by digests of what values are
/// computed from. Values of equal digests, which compute the same, have none.
class canonical_order {
 public:
  /// Of what a rewriter makes; it must outlive this object.
  constexpr explicit canonical_order(const graph_rewriter& made) : rewriter_(made) {}

  /// True if `a` comes before `b`. O(1) but for the nodes that are new since the last call.
  constexpr bool before(value_id a, value_id b) {
    const bool fill_a = rewriter_.fill_of(a).known, fill_b = rewriter_.fill_of(b).known;
    if (fill_a != fill_b) return fill_b;
    update();
    return digests_[index_of(a)] < digests_[index_of(b)];
  }
  /// The digest of a value: of operators, attributes, costs, peers, element types and shapes and of
  /// the names of inputs; not of what else is known, which the pass learns later.
  constexpr digest128 digest_of(value_id id) {
    update();
    return digests_[index_of(id)];
  }

 private:
  constexpr void update() {
    const graph_view g = rewriter_.made();
    while (digests_.size() < g.values.size()) {
      const value& v = g.values[digests_.size()];
      hasher128 d('v');
      if (v.producer == node_id::none) {
        d.characters(g.text_of(v.name));
        fold(d, g, v.type);
        digests_.push_back(d.value());
        continue;
      }
      const node& n = g[v.producer];
      fold(d, g, n);
      const digest128 whole = d.value();
      for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
        hasher128 result('r');
        result.fold(whole).word(k);
        fold(result, g, g.values[n.outputs.first + k].type);
        digests_.push_back(result.value());
      }
    }
  }
  constexpr void fold(hasher128& d, const graph_view& g, const node& n) const {
    const operation& o = g.operations[n.op];
    d.word(o.hash).characters(g.text_of(o.domain)).word(static_cast<std::uint64_t>(n.effects));
    if (n.peer.count != 0) d.characters(g.text_of(n.peer));
    digest128 set;
    for (const attribute& a : g.attributes_of(n)) add_member(set, digest_of(g, a));
    d.fold(set);
    set = {};
    for (const declared_cost& c : g.costs_of(n))
      add_member(
          set,
          hasher128('c').characters(g.text_of(c.metric)).characters(g.text_of(c.formula)).value());
    d.fold(set).word(n.inputs.count);
    for (value_id operand : g.inputs_of(n)) d.fold(digests_[index_of(operand)]);
  }
  static constexpr void fold(hasher128& d, const graph_view& g, const value_type& t) {
    d.word(static_cast<std::uint64_t>(t.type) | std::uint64_t{t.shape.rank} << 32);
    for (std::uint32_t i = 0; t.shape.has_rank() && i < t.shape.rank; ++i) fold(d, g, t.shape[i]);
  }
  static constexpr void fold(hasher128& d, const graph_view& g, extent e) {
    if (e.is_derived())
      d.characters(g.text_of(g.derived[e.index()]));
    else
      d.word(static_cast<std::uint64_t>(e.code));
  }
  static constexpr void add_member(digest128& set, const digest128& member) {
    set.high += member.high;
    set.low += member.low;
  }
  static constexpr digest128 digest_of(const graph_view& g, const attribute& a) {
    hasher128 d('a');
    d.characters(g.text_of(a.name)).word(static_cast<std::uint64_t>(a.kind));
    if (a.kind == attribute_kind::real) {
      d.word(std::bit_cast<std::uint64_t>(a.real));
    } else if (a.kind == attribute_kind::string) {
      d.characters(g.text_of(a.characters));
    } else if (a.kind == attribute_kind::extent) {
      extent e;
      e.code = a.number;
      fold(d, g, e);
    } else {
      d.word(static_cast<std::uint64_t>(a.number)).word(static_cast<std::uint64_t>(a.denominator));
    }
    return d.value();
  }

  const graph_rewriter& rewriter_;
  table<digest128> digests_;  // by value
};

}  // namespace wf::detail
