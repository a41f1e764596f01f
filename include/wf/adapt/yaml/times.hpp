// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/adapt/yaml/reader.hpp>
#include <wf/cost/metric.hpp>

// A table of times is a file of kernels that state an execution time and nothing else.
namespace wf::detail {

inline constexpr text_view times_file_keys[] = {"wf_kernels", "metrics", "second_cache",
                                                "cores",      "link",    "kernels"};
inline constexpr text_view times_keys[] = {"name", "costs", "overrides"};

/// The first fault of a table of times that must cover all given kernels: `bad_registry_file` for a
/// kernel with two times, without one or with other costs, and for missing kernels, with their
/// names; code `errc::none` if there is none. `stated` are the kernels that `in` has read.
inline error find_time_fault(const yaml_reader& in, view<kernel_spec> stated,
                             view<kernel_spec> all) {
  const auto bad = [&](const kernel_spec& k, text_view what) {
    return in.error_at(in.position_of(k.name),
                       (text() << "kernel '" << k.name << "' " << what).view());
  };
  for (std::size_t i = 0; i < stated.size(); ++i) {
    const kernel_spec& k = stated[i];
    const table<cost_formula> costs = costs_of(k);
    for (std::size_t j = 0; j < i; ++j)
      if (stated[j].name == k.name) return bad(k, "has two times");
    if (costs.size() != 1 || !(costs[0].metric == execution_time_::spec.name))
      return bad(k, "states no execution_time, or more than that");
  }
  text missing;
  for (const kernel_spec& k : all) {
    bool found = false;
    for (const kernel_spec& own : stated) found = found || own.name == k.name;
    if (!found) missing << (missing.empty() ? "" : ", ") << k.name;
  }
  if (missing.empty()) return {};
  return in.error_at(in.position_of({}), (text() << "the table has no time of " << missing.view()
                                                 << ": wf-calibrate measures all")
                                             .view());
}

}  // namespace wf::detail
