// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>

namespace wf {

/// What a step of a proof says. Steps speak of the *literals* of a selection problem: candidate n
/// is literal n; "class k is not needed" (`off`) is literal `candidates + k`, and what `join` makes
/// is numbered from `candidates + classes` on. Every class takes exactly one of its literals. See
/// docs/explanation/selection.md for why each rule holds.
enum class proof_rule : std::uint8_t {
  cyclic,    ///< candidate `first` goes: finishing it needs its own class
  subsumed,  ///< candidate `first` goes: `second` of its class can replace it at no more cost
  fold,      ///< class `first` is paid with candidate `second`, the only one that needs it
  merge,     ///< class `first` is paid with class `second`: whoever needs one needs the other
  support,   ///< the listed literals go: each excludes all that is left of class `first`
  lemma,     ///< what follows proves that the listed classes cost at least `value` together
  row,       ///< of the listed literals at most one is taken: rows are numbered from 0
  join,      ///< classes `first` and `second` become one class more, of pairs of their literals,
             ///< which costs what pairs of candidates cost: the next rows are "a, and the pairs
             ///< without a" for each literal a of `first`, then of `second`
  cut,       ///< the listed rows (2 i + 1: row i) and classes (2 i: class i), each so many times,
             ///< summed up, divided by `value` and rounded down, are a row more: one that may have
             ///< a literal several times, and of which so many may be taken
  ring,      ///< of the listed classes one at least takes no candidate that leads to the next one,
             ///< or in the last one's case to the first: a row more
  prices,    ///< the listed prices, others being 0, and `value`, the price unit's reciprocal, hold
  bound,     ///< by the prices, the listed literals go, or if there are none, the case is closed
  branch,    ///< two cases follow: literal `first` is taken, and it goes (if `second`, this first)
  cycle,     ///< the case is closed: class `first` is needed and needs itself
  tree,      ///< the case is closed: the classes listed as prices, users first, cost at least so
             ///< much with all that they alone need; those needed in any case have no amount
};

/// True if the run of a step is one of prices.
constexpr bool has_prices(proof_rule rule) {
  return rule == proof_rule::cut || rule == proof_rule::prices || rule == proof_rule::tree;
}

/// The price of a row, or of a unit of a limited metric; or (rule `tree`) what a class costs, or
/// (rule `cut`) how often something counts.
struct proof_price {
  /// A metric; from the number of metrics on, rows in their order. Or as the rule says.
  std::uint32_t of = 0;
  /// In units of 1 / `value` of the cost, for metrics divided by `proof_price_fraction` too, or as
  /// the rule says; at least 0.
  std::int64_t amount = 0;
  friend constexpr bool operator==(const proof_price&, const proof_price&) = default;
};

/// The unit of a metric's price is this much finer than that of a row.
inline constexpr std::int64_t proof_price_fraction = std::int64_t{1} << 24;

/// One step of a proof; what `first`, `second`, `value` and the run mean depends on the rule.
struct proof_step {
  /// What the step says.
  proof_rule rule = proof_rule::cyclic;
  /// A literal or a class.
  std::uint32_t first = 0;
  /// Another one.
  std::uint32_t second = 0;
  /// A cost, or a divisor.
  std::int64_t value = 0;
  /// A run of `proof_level::prices` (rules with `has_prices`) or `proof_level::literals`.
  range run;
  friend constexpr bool operator==(const proof_step&, const proof_step&) = default;
};

/// A proof that no selection within the limits costs less than `value`: of a lexicographic
/// objective at one level, among the selections that keep the earlier levels' values.
///
/// A case is a sequence of steps; the last one closes it. The whole is a case, and a lemma opens
/// one, and a branch two. A step that takes a class its last literal closes its case too. Rows,
/// joined classes and prices hold from their step to the end of the case of a lemma, or until
/// another lemma.
struct proof_level {
  /// No selection costs less.
  std::int64_t value = 0;
  /// The steps, depth first.
  table<proof_step> steps;
  /// The pool of literals and classes.
  table<std::uint32_t> literals;
  /// The pool of prices.
  table<proof_price> prices;
  friend constexpr bool operator==(const proof_level&, const proof_level&) = default;
};

/// Whether there is a proof, or why not.
enum class proof_status : std::uint8_t {
  complete,      ///< there is one, of every level
  not_proven,    ///< the search was stopped before it had proven its answer
  not_additive,  ///< the objective or a limit is no sum, but for limits on maxima
  too_large,     ///< it would exceed the size that was allowed
  not_recorded,  ///< the search reasoned in a way that the rules cannot say
};

/// A proof of a selection's optimality, in terms of the problem alone: a checker needs nothing of
/// the engine that found it.
struct selection_proof {
  /// Whether there is a proof.
  proof_status status = proof_status::not_recorded;
  /// One for each level of a lexicographic objective, else one; none if there is no proof.
  table<proof_level> levels;
  friend constexpr bool operator==(const selection_proof&, const selection_proof&) = default;

  /// The numbers that the proof consists of.
  constexpr std::size_t size() const {
    std::size_t out = 0;
    for (const proof_level& level : levels)
      out += 4 * level.steps.size() + level.literals.size() + 2 * level.prices.size();
    return out;
  }
};

/// The name of a status, such as "complete".
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
