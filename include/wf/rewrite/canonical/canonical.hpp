// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/rewrite/canonical/chain.hpp>

namespace wf {

namespace detail {

/// One round: every node, operands first, by identities, laws and chains.
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
  /// True if the graph was not canonical.
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

  // An involution of several operands that is applied to all its own results gives its operands.
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

/// The same workflow in canonical form: equal computations, however they were written, become equal
/// nodes more often, and operators that do nothing are gone.
///
/// By default all of it is exact: a run that succeeded gives the same bits (of not-a-numbers sign
/// and payload do not count).
/// - Operands of commutative operators (`laws_of`) come in an order that depends on what they are
///   computed from alone, not on their numbers: numbers last, then by 128-bit digest. Values of
///   equal digest, which compute the same, keep their order.
/// - x·1, x/1, x - 0, x + -0 are x, where x has the result's type (0 and -0 are two numbers: x + 0
///   is not x for x = -0); x·-1 and x/-1 are -x; x + -y is x - y, x - -y is x + y; of two negated
///   factors neither is; |-x| = ||x|| = |x|, (-x)² = |x|² = x².
/// - Idempotence f(f(x)) = f(x) and f(x, x) = x, involution f(f(x)) = x, also of several operands,
///   and inverse pairs, as far as `laws_of` allows; -(-x) and transposed transposes are such.
/// - x ∧ 1, x ∧ 0, x ∨ 0, x ∨ 1; selection by a constant, among equals, by a negated condition.
/// - Of integers also x - x = 0, 0 - x = -x, x·0 = 0, -(x - y) = y - x.
/// - Chains of associative and commutative operators on booleans from the left, in the same order,
///   each term once if the operator is idempotent, and common factors before them.
///
/// `algebra::real` allows the last two for all numbers, also x + 0 = x, and all other laws; of a
/// chain numbers are added up, and x·y + x·z (- for +) is x·(y + z) where that costs fewer
/// floating-point operations, for any operators that distribute so, matrix products among them.
///
/// Operators are known by their laws and their `meaning`, those of the user's own as well. Shapes
/// and element types are kept, the nodes that are not free (`detail::graph_rewriter::is_free`)
/// stay, and so do classes of peers: identities hold among nodes of one class. What nothing reads
/// any more is left out. It is done in rounds, until none applies; each identity leaves fewer
/// nodes, or as many and fewer operands, or as many and fewer negated ones, or as many and fewer
/// out of order, so this ends, mostly after two rounds. Errors: those of `validate`, those of
/// extents. A round is O(n log n) in the size of the graph.
constexpr result<graph> canonicalise(const graph_view& workflow, algebra allowed = algebra::exact,
                                     const registry& kernels = builtin_registry()) {
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
