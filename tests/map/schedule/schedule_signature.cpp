// SPDX-License-Identifier: BSL-1.0
#include <wf/map/schedule/schedule_signature.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <wf/map/schedule/task_bounds.hpp>

namespace {

struct description {
  std::uint64_t hash = 0;
  wf::table<std::uint32_t> words;
  bool alike = false;  // the two processors are interchangeable
  friend bool operator==(const description& a, const description& b) {
    return a.hash == b.hash && a.words == b.words;
  }
};

// The signature after some steps with four equal tasks and a successor of the first.
description after(const std::vector<wf::detail::task_step<std::int32_t>>& steps) {
  wf::task_graph g;
  g.processors = 2;
  for (int i = 0; i < 4; ++i) g.add("t", 4);
  g.add("last", 1);
  g.connect(0, 4, 3);
  const wf::prepared_tasks w = wf::prepare(g);
  const wf::detail::delay_facts<std::int32_t> f(w, wf::tail_bounds(w), false, false);
  wf::detail::partial_schedule<std::int32_t> s(f);
  wf::detail::start_bounds<std::int32_t> b(f);
  for (const auto& step : steps) s.apply(f, step);
  REQUIRE(b.find(f, s, 50));
  wf::detail::schedule_signature<std::int32_t> signature(f);
  description out;
  out.hash = signature.describe(f, s, b, out.words);
  out.alike = signature.are_alike(0, 1);
  return out;
}

}  // namespace

TEST_CASE("processors are interchangeable") {
  CHECK(after({}).alike);
  CHECK_FALSE(after({{0, 0, 0}}).alike);
  CHECK(after({{0, 0, 0}}) == after({{0, 1, 0}}));
  CHECK(after({{0, 0, 0}, {1, 1, 0}}) == after({{0, 1, 0}, {1, 0, 0}}));
}

TEST_CASE("different futures have different descriptions") {
  CHECK_FALSE(after({{0, 0, 0}}) == after({{1, 0, 0}}));
  CHECK_FALSE(after({{0, 0, 0}}) == after({{0, 0, 1}}));
  CHECK_FALSE(after({{0, 0, 0}, {1, 1, 0}}) == after({{0, 0, 0}, {1, 0, 4}}));
}
