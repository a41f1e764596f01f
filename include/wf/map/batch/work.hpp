// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/array/prepare.hpp>

namespace wf {

/// A workload made ready for pipelining its batch: views are contracted, figures are those of one
/// sample.
struct batch_work {
  /// Samples in all.
  std::int64_t batch = 1;
  /// Operators, operands and readers; the rest is empty.
  prepared_workload graph;
  /// The load of every operator for one sample.
  table<operator_load> samples;

  /// The number of operators.
  constexpr std::uint32_t size() const { return static_cast<std::uint32_t>(samples.size()); }
  /// Bytes that every mapping moves between DRAM and array: weights, operands that no operator
  /// makes and results handed out, each once.
  constexpr std::int64_t least_traffic() const {
    std::int64_t sum = 0;
    for (const operator_load& l : samples)
      sum = saturating_add(sum, l.weight_bytes + batch * (l.fetched_bytes[0] + l.fetched_bytes[1] +
                                                          l.fetched_bytes[2] + l.stored_bytes));
    return sum;
  }
};

/// Makes a workload ready. Errors: those of `validate`; `invalid_problem` if no operator computes.
/// O(operators + edges).
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
