// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <utility>

#include <doctest/doctest.h>

#include <wf/capture/equations/equations.hpp>
#include <wf/choice/growth/growth.hpp>
#include <wf/choice/transform/linalg/linalg.hpp>
#include <wf/select/optimise.hpp>

#include "equal_classes.hpp"

// Grows a graph and checks that all candidates of every class compute the same value.
inline void check_growth(const wf::graph_view& g, std::uint64_t seed) {
  const auto grown = wf::grow(g, wf::transforms::linalg_transforms);
  REQUIRE(grown);
  CHECK(grown->growth().status == wf::growth_status::saturated);
  check_classes(*grown, seed);
  check_invariants(*grown);
}

inline wf::graph formula(const char* text) {
  auto read = wf::equations("formula", text);
  REQUIRE(read);
  return *std::move(read);
}

// A formula, an operator that its cheapest plan contains, and one that it does not.
struct rewriting {
  const char* text;
  const char* uses;
  const char* avoids = "inverse";
};

// True if the graph contains the operator, which must exist: a misspelt name would make the absence
// meaningless.
inline bool computes(const wf::graph_view& g, const char* op) {
  CAPTURE(std::string(op));
  REQUIRE(wf::builtin_registry().find(op) != nullptr);
  for (const wf::node& n : g.nodes)
    if (g.op_name(n) == op) return true;
  return false;
}

// Checks that all candidates are equal and that the cheapest plan is found.
inline void check_rewriting(const rewriting& r) {
  CAPTURE(std::string(r.text));
  const wf::graph g = formula(r.text);
  check_growth(g.view(), 3);
  const auto plan = wf::optimise(g.view(), wf::minimise(wf::flops));
  REQUIRE(plan);
  CHECK(plan->proven_optimal);
  CHECK(computes(plan->chosen.view(), r.uses));
  CHECK_FALSE(computes(plan->chosen.view(), r.avoids));
  CHECK(plan->value <= *wf::price(g.view(), wf::flops));
}
