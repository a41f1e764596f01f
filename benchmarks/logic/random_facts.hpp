// SPDX-License-Identifier: BSL-1.0
#pragma once

// Facts of random programs as wf has them.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <wf/logic/relation/database.hpp>

#include <logic/random_program.hpp>

namespace wf_test {

inline wf::logic::relation relation_of(const random_tensor& t, const entries& facts) {
  wf::logic::relation r(static_cast<std::uint32_t>(t.rank), t.kind != sign::boolean);
  for (const auto& [at, value] : facts) r.append(at.data(), value);
  return r;
}
// The inputs of a program.
inline wf::logic::database inputs_of(const random_program& p) {
  wf::logic::database out;
  for (std::size_t t = 0; t < p.tensors.size(); ++t)
    if (p.tensors[t].layer == 0)
      out.add({p.tensors[t].name.data(), p.tensors[t].name.size()},
              relation_of(p.tensors[t], p.facts[t]));
  return out;
}
// True if the entries are those, with values that differ by rounding only.
inline bool same_entries(const wf::logic::relation& r, const entries& expected) {
  if (r.rows != expected.size()) return false;
  for (std::size_t row = 0; row < r.rows; ++row) {
    std::vector<int> at;
    for (const auto& column : r.columns) at.push_back(column[row]);
    const auto found = expected.find(at);
    if (found == expected.end()) return false;
    const double value = r.valued ? r.values[row] : 1, other = found->second;
    if (!(std::abs(value - other) <= 1e-9 * std::max(1.0, std::abs(other)))) return false;
  }
  return true;
}

}  // namespace wf_test
