// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <random>

#include <wf/map/place/arrange.hpp>

#include "random_workload.hpp"

namespace wf_test {

/// A mapping from random decisions, usually far from optimal; empty if memory does not suffice.
inline std::optional<wf::mapping> random_mapping(std::mt19937_64& random, const wf::workload& w,
                                                 const wf::pe_array& a) {
  const wf::cycle_model model;
  const auto prepared = wf::prepare(w, a, model);
  if (!prepared) return std::nullopt;
  wf::mapping_space space(*prepared, a, model);
  wf::partial_mapping s = space.root();
  wf::table<wf::placement_request> requests;
  for (int tries = 0; s.sequence.size() < s.spots.size();) {
    if (++tries > 200) return std::nullopt;
    space.look(s);
    const std::uint32_t op = space.ready()[random() % space.ready().size()];
    const wf::rectangle r = prepared->rectangles[random() % prepared->rectangles.size()];
    const wf::range t = space.tilings(op, r);
    if (t.count == 0) continue;
    const auto rank = static_cast<std::uint32_t>(random() % t.count);
    const std::int64_t start = space.earliest(s, op, r, t.first + rank);
    if (start == wf::unbounded) continue;
    space.put(s, op, r, t.first + rank, start);
    requests.push_back({prepared->operators[op].source, r, rank});
  }
  const auto m = wf::arrange(w, a, requests);
  return m ? std::optional<wf::mapping>(*m) : std::nullopt;
}

}  // namespace wf_test
