// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/graph/choice_graph.hpp>
#include <wf/formula/language/enclose.hpp>
#include <wf/formula/language/parse.hpp>
#include <wf/registry/registry.hpp>

namespace wf {

/// The function by which a transform proposes alternatives to a node. Errors end the growth.
using proposal = result<nothing> (*)(choice_graph&, node_id);

/// A rule that proposes alternatives: inspects one node and adds equal candidates to the choice
/// graph (`choice_graph::add`, then `unite` with the node's result). It must only unite values that
/// are equal for every input that satisfies the workflow's declared properties.
///
/// It runs again at a node when a class that the node reads, or that the transform watches there
/// (`choice_graph::watch`), has a new candidate or new known properties, unless it united or
/// assumed these there itself. So it can inspect all candidates of its operands (`candidates_of`),
/// including those of other transforms.
struct transform {
  /// Name of the family, such as "linalg".
  text_view domain;
  /// Name of the transform, such as "chain_order".
  text_view name;
  /// One sentence for `explain`.
  text_view summary;
  /// Proposes alternatives to a node; must not be null. Errors end the growth.
  proposal propose = nullptr;
  /// True if the transform also runs at nodes that transforms added.
  bool repeat = true;
  /// The operator at whose nodes the transform runs; empty: all operators.
  text_view op = {};
  /// A condition on these nodes, such as "min(M, N, K) >= 512": a formula over the names that costs
  /// of the operator's kernel may use. It is false where it depends on an extent that is not fixed
  /// or on an attribute without a value. Empty: always true.
  text_view guard = {};
};

/// Finds the fault of a transform, given the kernels of a registry: `invalid_problem` without a
/// proposal, or with a guard for all operators; `unknown_operator` if no kernel has its operator's
/// name; `unknown_symbol` and others for a guard (see `find_guard_fault`).
constexpr registry_fault find_fault(const transform& t, const registry& kernels) {
  if (t.propose == nullptr)
    return {make_error(errc::invalid_problem, t.name, "a transform that proposes nothing"), {}};
  if (t.op.empty() && t.guard.empty()) return {};
  if (t.op.empty())
    return {make_error(errc::invalid_problem, t.name,
                       "a guard needs the operator whose symbols it names"),
            {}};
  const kernel_spec* k = kernels.find(t.op);
  if (k == nullptr)
    return {
        make_error(errc::unknown_operator, t.name, unknown_kernel_message(kernels, t.op).view()),
        t.op};
  if (t.guard.empty()) return {};
  return find_guard_fault(t.name, t.guard, *k);
}

namespace detail {

// Operators and guards of transforms, checked and parsed once per growth.
class guard_table {
 public:
  constexpr error prepare(view<transform> transforms, const registry& kernels) {
    transforms_ = transforms;
    ops_ = table<std::uint64_t>(transforms.size());
    guard_of_ = table<std::uint32_t>(transforms.size());
    for (std::size_t i = 0; i < transforms.size(); ++i) {
      const transform& t = transforms[i];
      if (error e = check(t, kernels); e.code != errc::none) return e;
      if (t.op.empty()) continue;
      ops_[i] = hash_text(t.op);
      if (t.guard.empty()) continue;
      guards_.push_back({*parse_signature(kernels.find(t.op)->signature), *parse_formula(t.guard)});
      guard_of_[i] = static_cast<std::uint32_t>(guards_.size());
    }
    return {};
  }

  // The first transform at or after `transform` that runs at nodes of an operator, or their number.
  // `hash` is that of `name`: names are compared only where hashes agree.
  constexpr std::uint32_t next_about(std::uint32_t transform, std::uint64_t hash,
                                     text_view name) const {
    const std::uint64_t* const ops = ops_.data();
    const auto end = static_cast<std::uint32_t>(ops_.size());
    for (; transform < end; ++transform) {
      if (ops[transform] == 0) break;
      if (ops[transform] == hash && transforms_[transform].op == name) break;
    }
    return transform;
  }
  constexpr bool has_condition(std::size_t transform) const { return guard_of_[transform] != 0; }
  // True if a transform's condition holds at a node. Errors of formulas: division by zero,
  // overflow.
  constexpr result<bool> admits(std::size_t transform, const graph_view& g, node_id id) const {
    const prepared_guard& guard = guards_[guard_of_[transform] - 1];
    auto admitted = holds(guard.condition, node_symbols(g, g[id], guard.parsed));
    if (!admitted && admitted.error().code == errc::unknown_symbol) return false;
    return admitted;
  }

 private:
  // Operators of wf's own transforms need not be in the user's registry.
  static constexpr error check(const transform& t, const registry& kernels) {
    registry_fault fault = find_fault(t, kernels);
    if (fault && t.guard.empty() && t.propose != nullptr) {
      const registry own = builtin_registry();
      fault = find_fault(t, own);
    }
    return static_cast<error&&>(fault.failure);
  }

  struct prepared_guard {
    signature parsed;
    formula condition;
  };

  view<transform> transforms_;     // as prepared; the caller keeps them alive
  table<std::uint64_t> ops_;       // by transform: hash of its operator; 0: all operators
  table<std::uint32_t> guard_of_;  // by transform: number of its guard, from 1; 0: none
  table<prepared_guard> guards_;
};

}  // namespace detail
}  // namespace wf
