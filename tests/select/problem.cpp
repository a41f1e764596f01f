// SPDX-License-Identifier: BSL-1.0
#include <wf/select/problem.hpp>

#include <doctest/doctest.h>

#include <wf/select/select.hpp>

namespace {

wf::selection_problem small() {
  wf::selection_problem p;
  p.add_metric("flops");
  const std::uint32_t leaf = p.add_class(), root = p.add_class();
  const std::int64_t cheap[] = {1}, dear[] = {5};
  p.add_candidate(leaf, {}, cheap);
  p.add_candidate(root, {&leaf, 1}, dear);
  p.add_root(root);
  p.objective = wf::minimise_metric(0);
  return p;
}

wf::errc code_of(const wf::selection_problem& p) { return wf::validate(p).code; }

}  // namespace

TEST_CASE("a whole problem is valid; each hole is named") {
  CHECK(code_of(small()) == wf::errc::none);
  {
    auto p = small();
    p.roots.clear();
    CHECK(code_of(p) == wf::errc::invalid_problem);
  }
  {
    auto p = small();
    p.add_root(9);
    CHECK(code_of(p) == wf::errc::invalid_problem);
  }
  {
    auto p = small();
    p.costs[0] = -1;
    CHECK(code_of(p) == wf::errc::invalid_problem);
  }
  {
    auto p = small();
    const std::uint32_t missing = 9;
    const std::int64_t cost[] = {1};
    p.add_candidate(0, {&missing, 1}, cost);
    CHECK(code_of(p) == wf::errc::invalid_problem);
  }
  {
    auto p = small();
    p.add_limit(4, 3);
    CHECK(code_of(p) == wf::errc::invalid_problem);
  }
  {
    auto p = small();
    p.costs[0] = p.costs[1] = INT64_MAX - 1;
    CHECK(code_of(p) != wf::errc::none);
  }
}

TEST_CASE("a problem is a regular value") {
  const auto a = small();
  auto b = a;
  CHECK(a == b);
  b.add_limit(0, 7);
  CHECK(a != b);
  CHECK(a.cost(1, 0) == 5);
  CHECK(a.children_of(1).size() == 1);
}

TEST_CASE("the number of classes alone makes nothing large") {
  wf::selection_problem p;
  p.objective = wf::minimise_metric(p.add_metric("flops"));
  const std::int64_t cost[] = {1};
  p.add_root(p.add_class());
  p.add_candidate(0, {}, cost);
  CHECK(wf::validate(p).code == wf::errc::none);
  p.classes = 4'000'000'000;
  CHECK(wf::validate(p).code == wf::errc::invalid_problem);
  CHECK(wf::select(p).error().code == wf::errc::invalid_problem);
}
