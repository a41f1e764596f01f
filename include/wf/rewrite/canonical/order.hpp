// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/sort.hpp>
#include <wf/ir/compare/digest.hpp>
#include <wf/rewrite/rewrite.hpp>

namespace wf::detail {

/// A partial order on the values of the graph under construction that is independent of their
/// numbers: constants last, then by digest of the computation. Values of equal digest, which have
/// the same computation, are unordered.
class canonical_order {
 public:
  /// Orders the graph that a rewriter builds; the rewriter must outlive this object.
  constexpr explicit canonical_order(const graph_rewriter& made) : rewriter_(made) {}

  /// True if `a` precedes `b`. O(1) amortised: each new node is digested once.
  constexpr bool before(value_id a, value_id b) {
    const bool fill_a = rewriter_.fill_of(a).known, fill_b = rewriter_.fill_of(b).known;
    if (fill_a != fill_b) return fill_b;
    update();
    return digests_[index_of(a)] < digests_[index_of(b)];
  }
  /// The digest of a value's computation: operators, attributes, costs, peers, element types,
  /// shapes and names of inputs; excludes known properties, which the pass may add later.
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
        fold(d, g, element_and_shape(v.type));
        digests_.push_back(d.value());
        continue;
      }
      const node& n = g[v.producer];
      const operation& o = g.operations[n.op];
      d.word(o.hash).characters(g.text_of(o.domain));
      fold(d, g, n);
      d.word(n.inputs.count);
      for (value_id operand : g.inputs_of(n)) d.fold(digests_[index_of(operand)]);
      const digest128 whole = d.value();
      for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
        hasher128 result('r');
        result.fold(whole).word(k);
        fold(result, g, element_and_shape(g.values[n.outputs.first + k].type));
        digests_.push_back(result.value());
      }
    }
  }

  static constexpr value_type element_and_shape(const value_type& t) {
    return {t.type, {}, t.shape};
  }

  const graph_rewriter& rewriter_;
  table<digest128> digests_;  // by value
};

}  // namespace wf::detail
