// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/graph/choice_graph.hpp>
#include <wf/formula/language/enclose.hpp>
#include <wf/registry/registry.hpp>

namespace wf {

/// What a transform does at one node. Errors end the growth.
using proposal = result<nothing> (*)(choice_graph&, node_id);

/// A rule that proposes alternatives: looks at one node and adds equal candidates to the choice
/// graph (`choice_graph::add`, then `unite` with the node's result). It must only unite values that
/// are equal for every input that the workflow's declared properties admit.
///
/// It is asked again at a node when a class that the node reads, or that it watches there
/// (`choice_graph::watch`), has another candidate or is known better; not because of what it united
/// or assumed there itself. So it can look at all candidates of its operands (`candidates_of`), and
/// finds what other transforms put there.
struct transform {
  /// The family it belongs to.
  text_view domain;
  /// Its name: "chain_order".
  text_view name;
  /// One sentence for `explain`.
  text_view summary;
  /// Proposes alternatives to a node. Errors end the growth.
  proposal propose = nullptr;
  /// True if it also looks at nodes that transforms added.
  bool repeat = true;
  /// The operator at whose nodes it looks; empty: at all.
  text_view op = {};
  /// A condition on these nodes, such as "min(M, N, K) >= 512": a formula over what the costs of
  /// the operator's kernel may name. It does not hold where it depends on an extent that is not
  /// fixed, or on an attribute that has no value. Empty: always.
  text_view guard = {};
};

/// What is wrong with a transform, if anything, given the kernels of a registry: `invalid_problem`
/// for one that proposes nothing, or has a guard for all operators; `unknown_operator` if no kernel
/// has its operator's name; `unknown_symbol` and others for a guard (see `find_guard_fault`).
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

// The operators and guards of transforms, checked and parsed once for a growth.
class guard_table {
 public:
  constexpr error prepare(view<transform> transforms, const registry& kernels) {
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

  // The first transform from one on that looks at nodes of an operator; their number if none does.
  constexpr std::uint32_t next_about(std::uint32_t transform, std::uint64_t op) const {
    const std::uint64_t* const ops = ops_.data();
    const auto end = static_cast<std::uint32_t>(ops_.size());
    while (transform < end && ops[transform] != 0 && ops[transform] != op) ++transform;
    return transform;
  }
  constexpr bool has_condition(std::size_t transform) const { return guard_of_[transform] != 0; }
  // Whether a transform's condition holds of a node. Errors of formulas: a division by zero, an
  // overflow.
  constexpr result<bool> admits(std::size_t transform, const graph_view& g, node_id id) const {
    const prepared_guard& guard = guards_[guard_of_[transform] - 1];
    auto admitted = holds(guard.condition, node_symbols(g, g[id], guard.parsed));
    if (!admitted && admitted.error().code == errc::unknown_symbol) return false;
    return admitted;
  }

 private:
  // What wf's own transforms look at need not be in a registry of others.
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

  table<std::uint64_t> ops_;       // by transform: the hash of its operator; 0: all
  table<std::uint32_t> guard_of_;  // by transform: the number of its guard from 1 on; 0: none
  table<prepared_guard> guards_;
};

}  // namespace detail
}  // namespace wf
