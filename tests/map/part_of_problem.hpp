// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <random>
#include <set>

#include "checker.hpp"

namespace wf_test {

/// A random subset with three of four operators: which prepared operators are kept, and their
/// indices in the workload.
struct random_part {
  random_part(std::mt19937_64& random, const wf::prepared_workload& w) : kept(w.operators.size()) {
    for (std::uint32_t v = 0; v < kept.size(); ++v) {
      kept[v] = random() % 4 != 0;
      if (kept[v] != 0) ops.insert(w.operators[v].source);
    }
  }
  wf::table<char> kept;
  std::set<std::uint32_t> ops;
};

/// True if some operators (by index in the workload) can be mapped alone under these constraints
/// and memory, by enumeration; operators that are left out make no demands.
inline bool part_fits(const wf::workload& w, wf::pe_array a, const std::set<std::uint32_t>& ops,
                      const wf::map_constraints& wishes, int64_t memory) {
  a.memory_bytes = memory;
  const plain_problem whole(w, a);
  plain_problem part = whole;
  part.ops.clear();
  part.of_source.assign(w.operators.size(), -1);
  for (const plain_problem::op& o : whole.ops) {
    if (ops.count(static_cast<std::uint32_t>(o.source)) == 0) continue;
    plain_problem::op own = o;
    own.overwritable.clear();
    for (auto [from, times] : o.overwritable) {
      const int kept = part.of_source[static_cast<std::size_t>(
          whole.ops[static_cast<std::size_t>(from)].source)];
      if (kept < 0)
        own.times_of_left_out = times;
      else
        own.overwritable[kept] = times;
    }
    for (auto& in : own.inputs)
      if (in.from >= 0)
        in.from = part.of_source[static_cast<std::size_t>(
            whole.ops[static_cast<std::size_t>(in.from)].source)];
    part.of_source[static_cast<std::size_t>(o.source)] = static_cast<int>(part.ops.size());
    part.ops.push_back(own);
  }
  wf::map_constraints own;
  for (const wf::map_constraint& c : wishes.rules)
    if (c.rule != wf::map_rule::order || (ops.count(c.op) != 0 && ops.count(c.later) != 0))
      own.add(c);
  return brute_force(part, own).beats(1'000'000'000);
}

}  // namespace wf_test
