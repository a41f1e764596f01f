// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/rewrite/canonical/chain.hpp>

namespace wf {

namespace detail {

/// One round: rewrites every node, operands first, by identities, laws and chains.
class canonicaliser {
 public:
  constexpr canonicaliser(const graph_view& g, algebra allowed, const registry& r)
      : rewriter_(g, r),
        order_(rewriter_),
        rules_(rewriter_, order_, allowed),
        chains_(rewriter_, order_, rules_, r),
        allowed_(allowed) {}

  constexpr result<graph> run() {
    if (error e = rewriter_.start(); e.code != errc::none) return e;
    for (node_id id : rewriter_.order()) {
      if (!rewrite(id))
        if (error e = rewriter_.copy(id); e.code != errc::none) return e;
      const node& n = rewriter_.source()[id];
      if (n.outputs.count == 1) chains_.note(rewriter_.place(graph_view::output_of(n)), id);
    }
    return rewriter_.finish();
  }
  /// True if the graph was not in canonical form.
  constexpr bool has_changed() const { return rewriter_.has_changed(); }

 private:
  constexpr bool rewrite(node_id id) {
    const graph_view& g = rewriter_.source();
    const node& n = g[id];
    if (rewriter_.kernel_of(n) == nullptr || n.inputs.count == 0 || n.outputs.count == 0 ||
        !rewriter_.is_free(id))
      return false;
    if (n.outputs.count != 1) return undo(id);
    const value_id result = graph_view::output_of(n);
    const auto type = rewriter_.translated_type(result);
    if (!type) return false;
    const table<value_id> operands = rewriter_.operands_of(id);
    term t{g.op_name(n), g.text_of(g.operations[n.op].domain),
           operands,     rewriter_.attributes_of(id),
           *type,        id};
    value_id by = value_id::none;
    if (rules_.apply(t, by) || regroup(id, t, by)) return rewriter_.replace(result, by);
    if (t.op == g.op_name(n) && t.operands == operands) return false;
    rewriter_.put(result, rewriter_.add(id, t.op, t.domain, t.attributes, t.operands, t.type));
    return true;
  }
  constexpr bool regroup(node_id id, const term& t, value_id& by) {
    if (chains_.regroups(t)) return !chains_.is_inner(id) && chains_.regroup(t, by);
    return meaning_of(rewriter_.kernel_named(t.op)) == meaning::subtraction &&
           allowed_ == algebra::real && t.attributes.empty() && chains_.factor_difference(t, by);
  }

  // Cancels f(f(x)) = x for an involution with several operands and results.
  constexpr bool undo(node_id id) {
    const graph_view& g = rewriter_.source();
    const node& n = g[id];
    if (n.inputs.count != n.outputs.count || n.attributes.count != 0 ||
        !laws_of(g, n, rewriter_.kernel_of(n), allowed_).involution)
      return false;
    const node_id inner =
        rewriter_.bypassable(rewriter_.place(g.inputs_of(n)[0]), id, g.operations[n.op].hash);
    if (inner == node_id::none) return false;
    const graph_view made = rewriter_.made();
    const node before = made[inner];
    if (before.outputs.count != n.outputs.count || before.inputs.count != n.inputs.count ||
        before.attributes.count != 0)
      return false;
    for (std::uint32_t k = 0; k < n.inputs.count; ++k) {
      const auto type = rewriter_.translated_type(graph_view::output_of(n, k));
      if (rewriter_.place(g.inputs_of(n)[k]) != graph_view::output_of(before, k) || !type ||
          !rewriter_.stands_for(made.inputs_of(before)[k], *type))
        return false;
    }
    for (std::uint32_t k = 0; k < n.inputs.count; ++k)
      (void)rewriter_.replace(graph_view::output_of(n, k), rewriter_.made_operand(inner, k));
    return true;
  }

  graph_rewriter rewriter_;
  canonical_order order_;
  identities rules_;
  chain_builder chains_;
  algebra allowed_;
};

}  // namespace detail

/// Brings a workflow into canonical form: equal computations become equal nodes more often, however
/// they were written, and operators without effect are removed.
///
/// By default all rewrites are exact: a successful run gives the same bits (except for sign and
/// payload of NaNs).
/// - Operands of commutative operators (`laws_of`) are sorted by a key that depends only on their
///   computation, not on node numbers: constants last, then by 128-bit digest. Values of equal
///   digest, which have the same computation, keep their order.
/// - x·1, x/1, x - 0, x + -0 become x, where x has the result's type (0 and -0 differ: x + 0 is not
///   x for x = -0); x·-1 and x/-1 become -x; x + -y becomes x - y, x - -y becomes x + y; two
///   negated factors lose their negations; |-x| = ||x|| = |x|, (-x)² = |x|² = x².
/// - Idempotence f(f(x)) = f(x) and f(x, x) = x, involution f(f(x)) = x, also with several
///   operands, and inverse pairs, as far as `laws_of` allows; for example -(-x) and transposed
///   transposes.
/// - x ∧ 1, x ∧ 0, x ∨ 0, x ∨ 1; selection by a constant, between equal values, by a negated
///   condition.
/// - For integers also x - x = 0, 0 - x = -x, x·0 = 0, -(x - y) = y - x.
/// - Chains of associative and commutative operators on booleans are associated to the left, with
///   terms in the order above, each term once if the operator is idempotent, and common factors
///   extracted.
///
/// `algebra::real` applies the last two to all numbers, and adds x + 0 = x and all other laws.
/// Constants of a chain are combined, and x·y + x·z (or - for +) becomes x·(y + z) where that costs
/// fewer floating-point operations, for any distributive operators, including matrix products.
///
/// Operators are recognised by their laws and their `meaning`, including user-defined ones. Shapes
/// and element types are preserved. Nodes that are not free (`detail::graph_rewriter::is_free`)
/// stay; so do classes of peers: identities apply only among nodes of one class. Nodes that become
/// unread are removed. Rounds repeat until no rewrite applies. Termination: each identity reduces
/// the lexicographic measure (nodes, operands, negated operands, operands out of order); two rounds
/// are typical. Errors: those of `validate`, those of extents. A round is O(n log n) in the size of
/// the graph.
constexpr result<graph> canonicalise(const graph_view& workflow,
                                     const registry& kernels = builtin_registry(),
                                     algebra allowed = algebra::exact) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  detail::canonicaliser first(g, allowed, kernels);
  result<graph> made = first.run();
  for (bool changed = first.has_changed(); made && changed;) {
    detail::canonicaliser next(made->view(), allowed, kernels);
    result<graph> better = next.run();
    changed = next.has_changed();
    made = static_cast<result<graph>&&>(better);
  }
  return made;
}

}  // namespace wf
