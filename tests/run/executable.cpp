// SPDX-License-Identifier: BSL-1.0
#include <wf/run/executable.hpp>

#include <cstring>
#include <thread>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>

#include "random_workflow.hpp"

namespace {

constexpr auto layers = wf::workflow<"layers">([](wf::scope& s) {
  auto x = s.input<"x", double, 4, 3>();
  auto w = s.input<"w", double, 3, 3>();
  auto h = s.let<"h">(relu(x * w));
  auto g = s.let<"g">(relu(h * w));
  s.output<"y">(relu(g * w) + h);
});

wf::named_matrices arguments() {
  wf::named_matrices out;
  out["x"] = wf::dynamic_matrix::Constant(4, 3, 0.5);
  out["w"] = wf::dynamic_matrix::Identity(3, 3) * 2;
  return out;
}

// Counts what is allocated.
class counting_resource : public std::pmr::memory_resource {
 public:
  std::size_t allocated = 0, live = 0, times = 0;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    allocated += bytes, live += bytes, ++times;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override {
    live -= bytes;
    std::pmr::new_delete_resource()->deallocate(p, bytes, alignment);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
};

}  // namespace

TEST_CASE("what is prepared runs again and again in one workspace") {
  counting_resource memory;
  {
    wf::execution_options options;
    options.memory = &memory;
    const auto ready = wf::executable_graph::prepare(layers.graph(), options);
    REQUIRE(ready);
    for (int i = 0; i < 5; ++i) {
      const auto made = (*ready)(arguments());
      REQUIRE(made);
      // x·w = 1 everywhere, then 2, then 4, and 1 is added.
      CHECK(made->at("y").isConstant(5.0));
    }
    CHECK(memory.times == 1);
    CHECK(ready->workspaces() == 1);
    CHECK(memory.allocated >= ready->workspace_bytes());
  }
  CHECK(memory.live == 0);
}

TEST_CASE("values that are not alive at the same time share storage") {
  wf::execution_options apart;
  apart.share_buffers = false;
  const auto shared = wf::executable_graph::prepare(layers.graph());
  const auto separate = wf::executable_graph::prepare(layers.graph(), apart);
  CHECK(shared->workspace_bytes() < separate->workspace_bytes());
  // Without sharing: x, w, and seven results of 4 by 3, each in whole cache lines.
  CHECK(separate->workspace_bytes() == 8 * (16 + 16 + 7 * 16));
  CHECK((*shared)(arguments())->at("y") == (*separate)(arguments())->at("y"));
}

TEST_CASE("sharing storage changes no bit of any result") {
  const std::uint64_t seed = 20261123;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  std::size_t saved = 0;
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const wf_test::random_workflow w = wf_test::make_random_workflow(random);
    wf::execution_options apart;
    apart.share_buffers = false;
    const auto separate = wf::executable_graph::prepare(w.graph.view(), apart);
    const auto shared = wf::executable_graph::prepare(w.graph.view());
    REQUIRE(separate);
    REQUIRE(shared);
    const auto expected = (*separate)(w.arguments);
    REQUIRE(expected);
    for (int again = 0; again < 2; ++again) {
      const auto made = (*shared)(w.arguments);
      REQUIRE(made);
      for (const auto& [name, m] : *expected) {
        CAPTURE(name);
        REQUIRE(made->at(name).size() == m.size());
        CHECK(std::memcmp(made->at(name).data(), m.data(),
                          static_cast<std::size_t>(m.size()) * sizeof(double)) == 0);
      }
    }
    saved += shared->workspace_bytes() < separate->workspace_bytes() ? 1 : 0;
  }
  CHECK(saved > 200);
}

TEST_CASE("several threads run it at once, each in a workspace of its own") {
  const auto ready = wf::executable_graph::prepare(layers.graph());
  std::vector<std::thread> threads;
  std::vector<int> right(8);
  for (std::size_t t = 0; t < right.size(); ++t)
    threads.emplace_back([&, t] {
      wf::named_matrices mine = arguments();
      mine["x"] *= static_cast<double>(t + 1);
      for (int i = 0; i < 20; ++i)
        right[t] += (*ready)(mine)->at("y").isConstant(5.0 * static_cast<double>(t + 1)) ? 1 : 0;
    });
  for (std::thread& t : threads) t.join();
  for (int r : right) CHECK(r == 20);
  CHECK(ready->workspaces() <= 8);
}

TEST_CASE("what cannot run is refused before it starts, wrong arguments when it is called") {
  const auto symbolic = wf::capture(
      "any", [](wf::scope& s) { s.output("y", relu(s.input<double>("x", wf::shape::of("N")))); });
  CHECK(wf::executable_graph::prepare(symbolic->view()).error().code ==
        wf::errc::workflow_not_static);
  const auto ready = wf::executable_graph::prepare(layers.graph());
  wf::named_matrices wrong = arguments();
  wrong.erase("w");
  CHECK((*ready)(wrong).error().code == wf::errc::missing_argument);
  wrong = arguments();
  wrong["x"] = wf::dynamic_matrix::Zero(3, 3);
  CHECK((*ready)(wrong).error().code == wf::errc::argument_shape);
  wrong = arguments();
  wrong["z"] = wf::dynamic_matrix::Zero(3, 3);
  CHECK((*ready)(wrong).error().code == wf::errc::unknown_argument);
}

TEST_CASE("memory that there is not is an error of the run") {
  wf::execution_options options;
  options.memory = std::pmr::null_memory_resource();
  const auto ready = wf::executable_graph::prepare(layers.graph(), options);
  REQUIRE(ready);
  const auto failed = (*ready)(arguments());
  REQUIRE(!failed);
  CHECK(failed.error().code == wf::errc::not_executable);
  CHECK(ready->workspaces() == 0);
}
