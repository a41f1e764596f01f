// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/core/diagnosis/result.hpp>
#include <wf/registry/domain/builtin.hpp>
#include <wf/run/plan/storage_placement.hpp>

#include "../graph_writer.hpp"

// Workflows built node by node, and the placement of their values at run time.
namespace placed {

using wf::shape, wf::value_id;
using wf::detail::storage_placement;
using room = wf::detail::storage_place::room;

struct writer : wf_test::graph_writer {
  storage_placement<double> placed(const std::vector<value_id>& outputs, bool share = true) {
    put_out(outputs);
    const auto made =
        storage_placement<double>::make(g, wf::builtin_registry(), {.share_buffers = share});
    REQUIRE_MESSAGE(made, std::string(wf::to_text(made.error())));
    return *made;
  }
};

// The number of nodes that each step computes: 0 for a step that is not elementwise.
inline std::vector<std::size_t> sizes(const storage_placement<double>& p) {
  std::vector<std::size_t> out;
  for (const auto& s : p.steps()) out.push_back(s.program.size());
  return out;
}
inline bool lies_in(const storage_placement<double>& p, value_id id, room where,
                    std::uint32_t index = 0) {
  return p.place_of(id) == wf::detail::storage_place{where, index};
}

inline const shape square = shape::of(5, 5);

}  // namespace placed
