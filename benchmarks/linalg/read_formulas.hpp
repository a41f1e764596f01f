// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <utility>

#include <wf/core/diagnosis/result.hpp>
#include <wf/ir/graph/view.hpp>

#include <linalg/lower.hpp>
#include <linalg/rival.hpp>

namespace linalg_benchmark {

/// The three forms of a captured formula: the naive form computes repeated expressions each time,
/// the others once. Errors: those of `read_formula`.
inline wf::result<formulas> read_formulas(const wf::graph_view& captured) {
  struct form {
    formula formulas::* made;
    inverses kept;
    repetitions repeated;
  };
  constexpr form forms[] = {{&formulas::computed, inverses::computed, repetitions::as_written},
                            {&formulas::single, inverses::single, repetitions::as_written},
                            {&formulas::factors, inverses::factors, repetitions::computed_once}};
  formulas out;
  for (const form& f : forms) {
    auto read = read_formula(captured, f.kept, f.repeated);
    if (!read) return read.error();
    out.*f.made = *std::move(read);
  }
  return out;
}

}  // namespace linalg_benchmark
