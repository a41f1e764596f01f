// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/wfformat/relations.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/adapt/wfformat/reader.hpp>

#include "random_instance.hpp"
#include "small_file.hpp"

namespace {

using numbers = wf::table<std::uint32_t>;
constexpr std::uint32_t none = wf::wfformat::relations::none;

}  // namespace

TEST_CASE("the ids of the small file are resolved") {
  const auto all = wf::wfformat::parse(wf_test::small_file);
  const auto r = wf::wfformat::relations_of(*all);
  REQUIRE(r);
  CHECK(r->parents[3] == numbers{1, 2});
  CHECK(r->inputs[3] == numbers{3, 4});
  CHECK(r->outputs[0] == numbers{1, 2});
  CHECK(r->producers == numbers{none, 0, 0, 1, 2, 3});
  CHECK(r->executions == numbers{0, 1, 2, 3});
  CHECK(r->machines[2] == numbers{1});
  CHECK(r->order == numbers{0, 1, 2, 3});
}

TEST_CASE("the order is topological, and the file's where that is") {
  wf_test::random_source random(20261129);
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    auto all = wf_test::random_instance(random, {.most_tasks = 20});
    const auto in_order = wf::wfformat::relations_of(all);
    REQUIRE(in_order);
    for (std::uint32_t t = 0; t < in_order->order.size(); ++t) CHECK(in_order->order[t] == t);
    auto& tasks = all.workflow.specification.tasks;
    for (std::size_t k = tasks.size(); k > 1; --k) std::swap(tasks[k - 1], tasks[random() % k]);
    const auto r = wf::wfformat::relations_of(all);
    REQUIRE(r);
    std::vector<std::size_t> place(tasks.size(), SIZE_MAX);
    for (std::size_t k = 0; k < r->order.size(); ++k) place[r->order[k]] = k;
    for (std::uint32_t t = 0; t < tasks.size(); ++t) {
      REQUIRE(place[t] != SIZE_MAX);
      CHECK(all.workflow.execution->tasks[r->executions[t]].id == tasks[t].id);
      for (const std::uint32_t p : r->parents[t]) CHECK(place[p] < place[t]);
      for (const std::uint32_t f : r->inputs[t])
        CHECK(
            (r->producers[f] == none || r->producers[f] == t || place[r->producers[f]] < place[t]));
    }
  }
}
