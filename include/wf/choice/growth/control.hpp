// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>

#include <wf/cost/metric.hpp>

namespace wf {

/// Limit on the candidates of each class during growth: those with the cheapest trees are kept,
/// where a tree pays for a shared part at each use. The optimum among kept candidates may be worse
/// than the optimum among all.
struct beam_width {
  /// Maximum number of candidates per class; 0: no limit. Nodes ordered by edges are kept in
  /// addition.
  std::uint32_t width = 0;
  /// The metric that compares trees; without a name: the objective of `optimise`.
  metric_spec metric = {};
};

/// Limits on what the transforms propose at one node. Each leaves out alternatives before any
/// search, so the proof of a plan does not cover them: `growth_outcome::cuts` tells which limits
/// did so, and `explain` prints them. `tools/bench linalg --set limits` prices plans under other
/// values.
struct proposal_limits {
  /// Factors of a product up to which every order of every run of them is proposed; for longer
  /// products those splits that the cheapest orders need.
  std::uint32_t complete_chain = 31;
  /// Approximate number of splits proposed for a longer product; `complete_chain` is noted as the
  /// limit that left the others out.
  std::uint32_t chain_splits = 2500;
  /// How often one value is expanded into its factors within one product, beyond the first time
  /// only in products of at most `repetitive_chain` factors: all orders of the 2^k factors that k
  /// squarings make are not worthwhile.
  std::uint32_t chain_expansions = 4;
  /// Factors of a product up to which values are expanded repeatedly.
  std::uint32_t repetitive_chain = 22;
  /// Tensors of a contraction up to which all orders are proposed.
  std::uint32_t complete_contraction = 4;
  /// Tensors of a contraction up to which the order with the fewest flops is found; at most
  /// `max_exact_operands`, and at most 8 at compile time.
  std::uint32_t exact_contraction = 16;
  /// Expansions of products of sums in one derivation: the inverse of a sum may be a sum that
  /// contains this inverse, and so on without end.
  std::uint32_t sum_expansions = 2;
  /// Steps in one derivation that move a term into a sum.
  std::uint32_t term_moves = 3;
  /// Terms of a sum that is taken apart.
  std::uint32_t sum_terms = 12;
  /// Ways to take one sum apart.
  std::uint32_t sum_readings = 8;
  /// Rows and columns from which a matrix is large. A matrix with fewer of either gets no
  /// alternatives by its structure, by shared factors, by Woodbury's formula or by products added
  /// where the sum is: below 16 they save less than a call, and code of fixed size is unrolled.
  /// Symbolic extents count as large; their costs decide.
  std::uint32_t large_matrix = 16;
  friend constexpr bool operator==(const proposal_limits&, const proposal_limits&) = default;
};

/// A field of `proposal_limits` and its name.
struct proposal_limit_row {
  std::uint32_t proposal_limits::* limit;  ///< the field
  text_view name;                          ///< the name of the field
};

/// All fields of `proposal_limits` in their order, which `growth_outcome::cuts` follows.
inline constexpr proposal_limit_row proposal_limit_rows[] = {
    {&proposal_limits::complete_chain, "complete_chain"},
    {&proposal_limits::chain_splits, "chain_splits"},
    {&proposal_limits::chain_expansions, "chain_expansions"},
    {&proposal_limits::repetitive_chain, "repetitive_chain"},
    {&proposal_limits::complete_contraction, "complete_contraction"},
    {&proposal_limits::exact_contraction, "exact_contraction"},
    {&proposal_limits::sum_expansions, "sum_expansions"},
    {&proposal_limits::term_moves, "term_moves"},
    {&proposal_limits::sum_terms, "sum_terms"},
    {&proposal_limits::sum_readings, "sum_readings"},
    {&proposal_limits::large_matrix, "large_matrix"}};

/// Limits on the growth of a choice graph. Time limits are up to the callback, as in a search.
struct growth_limits {
  /// Maximum number of nodes; growth stops before the next transform once it is reached.
  std::uint32_t max_nodes = 20000;
  /// Maximum number of transform applications; 0: no limit.
  std::uint64_t max_steps = 0;
  /// Number of transform applications between two callbacks; 0: 16.
  std::uint64_t progress_interval = 0;
  /// Limit on the candidates per class.
  beam_width beam = {};
  /// Limits on what the transforms propose at one node.
  proposal_limits proposals = {};
};

/// Progress of a growth, as passed to the callback.
struct growth_progress {
  /// Number of transform applications so far.
  std::uint64_t steps = 0;
  /// Number of nodes so far.
  std::uint64_t nodes = 0;
  /// Number of nodes currently queued for transforms.
  std::uint64_t waiting = 0;
};

/// A callable that receives the progress and returns true to continue the growth.
template <class F>
concept growth_callback = requires(F& f, const growth_progress& progress) {
  { f(progress) } -> std::convertible_to<bool>;
};

/// The callback that never stops a growth.
struct keep_growing {
  /// Always true.
  constexpr bool operator()(const growth_progress&) const { return true; }
};

/// Termination status of the growth of a choice graph.
enum class growth_status : std::uint8_t {
  saturated,         ///< the transforms propose nothing new
  stopped_by_nodes,  ///< `growth_limits::max_nodes` was reached
  stopped_by_steps,  ///< `growth_limits::max_steps` was reached
  stopped_by_caller  ///< the callback returned false
};

/// The status in words, such as "saturated" or "stopped by the caller".
constexpr const char* to_text(growth_status s) {
  switch (s) {
    case growth_status::saturated:
      return "saturated";
    case growth_status::stopped_by_nodes:
      return "stopped by the limit on nodes";
    case growth_status::stopped_by_steps:
      return "stopped by the limit on steps";
    case growth_status::stopped_by_caller:
      return "stopped by the caller";
  }
  return "unknown";
}

/// Statistics of a growth. All candidates are correct, whatever the status.
struct growth_outcome {
  /// Reason for termination.
  growth_status status = growth_status::saturated;
  /// Number of transform applications.
  std::uint64_t steps = 0;
  /// Number of candidates removed because they became equal to others.
  std::uint32_t merged = 0;
  /// Maximum number of candidates kept per class; 0: all.
  std::uint32_t beam_width = 0;
  /// Number of candidates that the beam dropped.
  std::uint32_t dropped = 0;
  /// The limits on proposals, and which of them left something out: bit i for row i of
  /// `proposal_limit_rows`.
  proposal_limits proposals = {};
  std::uint32_t cuts = 0;  ///< see `proposals`
  friend constexpr bool operator==(const growth_outcome&, const growth_outcome&) = default;
};

}  // namespace wf
