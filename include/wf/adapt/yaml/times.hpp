// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/adapt/yaml/reader.hpp>
#include <wf/cost/implementation_times.hpp>
#include <wf/cost/metric.hpp>

// A table of times is a file of kernels that state an execution time and nothing else.
namespace wf::detail {

inline constexpr text_view times_file_keys[] = {"wf_kernels", "metrics", "second_cache",
                                                "cores",      "link",    "kernels"};
inline constexpr text_view times_keys[] = {"name", "costs", "overrides"};

// True if a kernel, which may be null, states the time of a library.
inline bool states_library_time(const kernel_spec* k) {
  if (k != nullptr)
    for (const cost_formula& c : costs_of(*k))
      if (c.metric == library_time.name) return true;
  return false;
}

/// The first fault of a table of times that must cover all given kernels: `bad_registry_file` for a
/// kernel with two times, without one or with other costs, without the time of a library that
/// `before`, the registry without the table, states, and for missing kernels, with their names;
/// code `errc::none` if there is none. `stated` are the kernels that `in` has read.
inline error find_time_fault(const yaml_reader& in, view<kernel_spec> stated, view<kernel_spec> all,
                             const registry& before) {
  const auto bad = [&](const kernel_spec& k, text_view what) {
    return in.error_at(in.position_of(k.name),
                       (text() << "kernel '" << k.name << "' " << what).view());
  };
  for (std::size_t i = 0; i < stated.size(); ++i) {
    const kernel_spec& k = stated[i];
    const table<cost_formula> costs = costs_of(k);
    for (std::size_t j = 0; j < i; ++j)
      if (stated[j].name == k.name) return bad(k, "has two times");
    std::size_t own = 0, library = 0;
    for (const cost_formula& c : costs) {
      own += c.metric == execution_time_::spec.name ? 1 : 0;
      library += c.metric == library_time.name ? 1 : 0;
    }
    if (own != 1 || library > 1 || own + library != costs.size())
      return bad(k, "states no execution_time, or more than that and library_time");
    if (library == 0 && states_library_time(before.find(k.name)))
      return bad(k, "states no library_time, but that of another table is known");
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
