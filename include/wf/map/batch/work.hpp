// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/array/prepare.hpp>

namespace wf {

/// A workload prepared for pipelining its batch: views are contracted, figures are those of one
/// sample.
struct batch_work {
  /// Total number of samples.
  std::int64_t batch = 1;
  /// Operators, operands, readers, views and overwritable results; the tables of tilings are empty.
  prepared_workload graph;
  /// Load of each operator for one sample.
  table<operator_load> samples;

  /// Number of operators.
  constexpr std::uint32_t size() const { return static_cast<std::uint32_t>(samples.size()); }
  /// Lower bound on the DRAM traffic of every mapping in bytes: weights, operands that no operator
  /// produces and outputs, each once.
  constexpr std::int64_t least_traffic() const {
    std::int64_t sum = 0;
    for (const operator_load& l : samples)
      sum = saturating_add(sum, l.weight_bytes + batch * (l.fetched_bytes[0] + l.fetched_bytes[1] +
                                                          l.fetched_bytes[2] + l.stored_bytes));
    return sum;
  }
};

/// Prepares a workload for `map`. Errors: those of `validate`; `invalid_problem` if no
/// operator computes. O(operators + edges).
constexpr result<batch_work> batch_work_of(const workload& w) {
  if (const auto valid = validate(w); !valid) return valid.error();
  batch_work out;
  out.batch = w.batch;
  workload sample = w;
  sample.batch = 1;
  out.samples = detail::contraction(sample, out.graph).run();
  if (out.samples.empty())
    return make_error(errc::invalid_problem, w.name, "a workload needs an operator that computes");
  return out;
}

}  // namespace wf
