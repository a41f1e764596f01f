// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/callable.hpp>
#include <wf/logic/evaluate/temperature.hpp>
#include <wf/logic/evaluate/valued_rows.hpp>
#include <wf/logic/relation/database.hpp>

namespace wf::logic {

/// How far an evaluation has come.
struct evaluation_progress {
  std::uint32_t stratum = 0, strata = 0;  ///< the one that is evaluated, from 0, of so many
  text_view tensor;                       ///< of it, which changed last; valid during the call
  std::uint64_t entries = 0;              ///< of that tensor
  std::uint32_t round = 0;                ///< that ended; 0 where a stratum begins
  std::uint64_t step = 0;                 ///< of the program, or round of a numeric recursion
};

/// How joins that form a cycle, as those of a triangle, are evaluated.
enum class join_method : std::uint8_t {
  cheapest,      ///< as that of the others whose bound on the rows it visits is less
  nested,        ///< by nested loops, tensor by tensor, as other joins are
  by_variables,  ///< variable by variable, over the fewest rows that have it (generic join)
};

/// How recursions of Booleans and extrema are evaluated whose rules move entries within rows, or
/// rows as a whole (`detail::row_recursion`). Others go by rounds.
enum class recursion_method : std::uint8_t {
  cheapest,  ///< each row by itself if rows never meet, else by rounds until those have visited as
             ///< many rows as tables of all positions are worth, from then on row by row
  rounds,    ///< by semi-naive rounds
  rows,      ///< row by row, if tables of all positions are within the bounds of the options
};

/// How a program is evaluated.
struct evaluation_options {
  /// Number of steps along the program's axis of steps, if it has one.
  std::uint64_t steps = 1;
  /// Bound on the rounds of a recursion, and on the visits of a row in one.
  std::uint32_t max_rounds = 100'000;
  /// A numeric recursion has converged once no value changes by more than this, relative to 1 or
  /// the value, whichever is larger.
  double tolerance = 1e-9;
  /// Largest table of positions by which entries are found, in cells for each entry of the inputs.
  std::uint64_t cells_per_entry = std::uint64_t{1} << 14;
  /// Size of a table that is always made, in cells.
  std::uint64_t least_cells = std::uint64_t{1} << 22;
  /// The results do not depend on it.
  recursion_method recursions = recursion_method::cheapest;
  /// The order of loops over joins that form a cycle. The results are the same, but for the order
  /// in which numbers are added.
  join_method joins = join_method::cheapest;
  /// Bound on the rows that rules visit, all rules together.
  std::uint64_t max_bindings = UINT64_MAX;
  /// Number of random positions over which a numeric rule projects instead of all; 0: all. The
  /// rules that sample are those of `detail::projection_sampling`.
  std::uint64_t samples = 0;
  /// The key of those random numbers: equal seeds give equal results.
  std::uint64_t seed = 0;
  /// Temperatures of heads: the attribute `T` of the operators that do not state it.
  table<head_temperature> temperatures = {};
  /// Evaluations by rows over semirings of their own (`rows_over`): of a recursion whose sign and
  /// multiplication are the operators of one. Those of minimum, maximum and add are always known.
  table<row_semiring> semirings = {};
  /// Called where a stratum begins and after each round of a recursion by rounds; the evaluation
  /// ends with `execution_stopped` if it returns false. Null: nothing is called.
  const callable<bool, const evaluation_progress&>* progress = nullptr;
};

namespace detail {

/// The largest table of positions for some inputs, in cells.
constexpr std::uint64_t most_cells(const database& inputs, const evaluation_options& options) {
  std::uint64_t entries = 0;
  for (const named_relation& r : inputs.relations) entries += r.entries.rows;
  const std::uint64_t wanted = entries * options.cells_per_entry;
  const std::uint64_t most = wanted < options.least_cells ? options.least_cells : wanted;
  return most > std::uint64_t{1} << 33 ? std::uint64_t{1} << 33 : most;
}

}  // namespace detail

}  // namespace wf::logic
