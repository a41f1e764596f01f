// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <random>
#include <vector>

#include <wf/map/array/constraints.hpp>

#include "random_workload.hpp"

namespace wf_test {

inline wf::rectangle random_rectangle(std::mt19937_64& random, const wf::pe_array& a) {
  wf::rectangle r;
  r.row = static_cast<std::int32_t>(pick(random, 0, a.rows - 1));
  r.column = static_cast<std::int32_t>(pick(random, 0, a.columns - 1));
  r.rows = static_cast<std::int32_t>(pick(random, 1, a.rows - r.row));
  r.columns = static_cast<std::int32_t>(pick(random, 1, a.columns - r.column));
  return r;
}

/// A few constraints of every kind, which may contradict each other or the data flow.
inline wf::map_constraints random_constraints(std::mt19937_64& random, const wf::workload& w,
                                              const wf::pe_array& a, int most) {
  std::vector<std::uint32_t> ops;
  for (std::uint32_t i = 0; i < w.operators.size(); ++i)
    if (!w.operators[i].is_view) ops.push_back(i);
  wf::map_constraints out;
  for (std::int64_t left = pick(random, 1, most); left > 0; --left) {
    const std::uint32_t op = ops[random() % ops.size()], other = ops[random() % ops.size()];
    const wf::rectangle r = random_rectangle(random, a);
    switch (random() % 6) {
      case 0:
        out.pin(op, r);
        break;
      case 1:
        out.keep_inside(op, r);
        break;
      case 2:
        out.forbid(op, r);
        break;
      case 3:
        out.forbid(wf::every_operator, r);
        break;
      default:
        // Mostly in the direction of the data flow, so that most orders are feasible.
        if (op != other && (op < other || random() % 4 == 0)) out.order(op, other);
        break;
    }
  }
  return out;
}

}  // namespace wf_test
