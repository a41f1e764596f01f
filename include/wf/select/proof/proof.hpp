// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>

namespace wf {

/// The rule of a proof step. Steps refer to the *literals* of a selection problem: candidate n is
/// literal n; "class k is not needed" (`off`) is literal `candidates + k`; literals made by `join`
/// are numbered from `candidates + classes` on. Every class takes exactly one of its literals. See
/// docs/explanation/selection.md for the justification of each rule.
enum class proof_rule : std::uint8_t {
  cyclic,    ///< candidate `first` is dropped: every derivation of it needs its own class
  subsumed,  ///< candidate `first` is dropped: `second` of its class can replace it at no more cost
  fold,      ///< class `first` is paid with candidate `second`, the only one that needs it
  merge,     ///< class `first` is paid with class `second`: each candidate that needs one needs
             ///< both
  support,   ///< the listed literals are dropped: each excludes all remaining literals of class
             ///< `first`
  lemma,     ///< the steps that follow prove that the listed classes together cost at least `value`
  row,       ///< at most one of the listed literals is taken; rows are numbered from 0
  join,      ///< the pairs of literals of classes `first` and `second` form a further class with
             ///< the costs of pairs of candidates; the next rows are "a, and the pairs without a"
             ///< for each literal a of `first`, then of `second`
  cut,       ///< the sum of the listed rows (2 i + 1: row i) and classes (2 i: class i) with their
             ///< multiplicities, divided by `value` and rounded down, is a further row, whose
             ///< literals may have coefficients above 1 and whose bound may exceed 1
  ring,      ///< at least one of the listed classes takes no candidate that leads to the next class
             ///< (from the last class to the first): a further row
  prices,    ///< the listed prices (all others 0) and `value`, the reciprocal of the price unit,
             ///< take effect
  bound,     ///< by the prices the listed literals are dropped; if none is listed, the case is
             ///< closed
  branch,    ///< two cases follow: literal `first` is taken, and it is dropped (this one first if
             ///< `second` is 1)
  cycle,     ///< the case is closed: class `first` is needed and needs itself
  tree,      ///< the case is closed: each listed class, users first, costs at least its amount
             ///< together with all that it alone needs; classes needed in any case have no amount
};

/// True if the run of a step lies in `proof_level::prices`.
constexpr bool has_prices(proof_rule rule) {
  return rule == proof_rule::cut || rule == proof_rule::prices || rule == proof_rule::tree;
}

/// The price of a row or of a unit of a limited metric; for rule `tree` the cost of a class, for
/// rule `cut` a multiplicity.
struct proof_price {
  /// A metric; numbers from the number of metrics on are rows in their order. For `tree` and `cut`
  /// as the rule says.
  std::uint32_t of = 0;
  /// At least 0, in units of 1 / `value` of the cost, for metrics further divided by
  /// `proof_price_fraction`; for `tree` and `cut` as the rule says.
  std::int64_t amount = 0;
  friend constexpr bool operator==(const proof_price&, const proof_price&) = default;
};

/// The ratio of the price unit of a row to that of a metric.
inline constexpr std::int64_t proof_price_fraction = std::int64_t{1} << 24;

/// One step of a proof; the rule defines the meaning of `first`, `second`, `value` and the run.
struct proof_step {
  /// The rule of this step.
  proof_rule rule = proof_rule::cyclic;
  /// A literal or a class, depending on the rule.
  std::uint32_t first = 0;
  /// A second literal or class, or a flag (`branch`).
  std::uint32_t second = 0;
  /// A cost, a divisor or the reciprocal of a price unit.
  std::int64_t value = 0;
  /// A run of `proof_level::prices` (rules with `has_prices`) or `proof_level::literals`.
  range run;
  friend constexpr bool operator==(const proof_step&, const proof_step&) = default;
};

/// A proof that no selection within the limits costs less than `value`; for a level of a
/// lexicographic objective, among the selections that keep the values of the earlier levels.
///
/// A case is a sequence of steps that ends with the step that closes it. The whole proof is a case,
/// a lemma opens one, and a branch opens two. A step that drops the last literal of a class also
/// closes its case. Rows, joined classes and prices hold from their step to the end of the lemma's
/// case, or until another lemma.
struct proof_level {
  /// The proven lower bound of the objective of this level.
  std::int64_t value = 0;
  /// The steps in depth-first order of cases.
  table<proof_step> steps;
  /// The pool of literals and classes, into which runs refer.
  table<std::uint32_t> literals;
  /// The pool of prices, into which runs refer.
  table<proof_price> prices;
  friend constexpr bool operator==(const proof_level&, const proof_level&) = default;
};

/// The status of a proof: complete, or the reason why there is none.
enum class proof_status : std::uint8_t {
  complete,      ///< there is a proof of every level
  not_proven,    ///< the search was stopped before it had proven its result
  not_additive,  ///< the objective or a limit is not a sum (limits on maxima are allowed)
  too_large,     ///< the proof would exceed the allowed size
  not_recorded,  ///< the search used an inference that no rule expresses
};

/// A proof of the optimality of a selection, in terms of the problem alone: a checker needs no part
/// of the engine that found it.
struct selection_proof {
  /// `complete`, or the reason why there is no proof.
  proof_status status = proof_status::not_recorded;
  /// One part for each level of a lexicographic objective, otherwise one; empty without a proof.
  table<proof_level> levels;
  friend constexpr bool operator==(const selection_proof&, const selection_proof&) = default;

  /// The size of the proof in numbers: four per step, one per literal, two per price.
  constexpr std::size_t size() const {
    std::size_t out = 0;
    for (const proof_level& level : levels)
      out += 4 * level.steps.size() + level.literals.size() + 2 * level.prices.size();
    return out;
  }
};

/// The English name of a status, such as "complete".
constexpr const char* to_text(proof_status status) {
  switch (status) {
    case proof_status::complete:
      return "complete";
    case proof_status::not_proven:
      return "not proven";
    case proof_status::not_additive:
      return "not additive";
    case proof_status::too_large:
      return "too large";
    case proof_status::not_recorded:
      return "not recorded";
  }
  return "unknown";
}

}  // namespace wf
