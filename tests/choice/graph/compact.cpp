// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/graph/compact.hpp>

#include <doctest/doctest.h>

#include <wf/choice/growth/growth.hpp>
#include <wf/choice/transform/linalg/linalg.hpp>
#include <wf/ir/compare/same.hpp>

#include "../equal_classes.hpp"
#include "../expressions.hpp"

TEST_CASE("nothing changes where everything is kept") {
  const auto captured = expressions::chain({2, 3, 4, 5, 6});
  REQUIRE(captured);
  const auto grown = wf::grow(captured->view(), wf::transforms::linalg_transforms);
  REQUIRE(grown);
  CHECK(grown->is_compact());
  CHECK(wf::same(wf::without_dropped(*grown).view(), grown->view()));
}

TEST_CASE("what is kept stays equal, ordered, and explained, whatever is dropped") {
  int dropped = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    const auto captured = expressions::random(seed, {.steps = 10});
    REQUIRE(captured);
    const auto grown = wf::grow(captured->view(), wf::transforms::linalg_transforms);
    REQUIRE(grown);
    wf::choice_graph c = *grown;
    std::mt19937_64 random(seed);
    // Drops nodes at random, but keeps the first candidate of each class: later ones may need other
    // values of the class, the first one never does.
    for (std::uint32_t i = 0; i < c.size(); ++i) {
      const auto id = static_cast<wf::node_id>(i);
      const bool first = c.class_of(c.result_of(id)) == wf::index_of(c.result_of(id));
      if (!first && random() % 2 == 0) c.keep(id, false);
    }
    const wf::choice_graph kept = wf::without_dropped(c);
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < c.size(); ++i) count += c.is_kept(wf::node_id{i}) ? 1 : 0;
    CHECK(kept.size() == count);
    CHECK(kept.is_compact());
    dropped += kept.size() < c.size() ? 1 : 0;
    CHECK(wf::validate(kept.view()));
    check_invariants(kept);
    check_classes(kept, seed);
    for (std::uint32_t i = 0; i < kept.size(); ++i)
      for (const wf::derivation_step& step : kept.derivation_of(wf::node_id{i})) {
        CHECK(step.by != wf::origin_id::captured);
        CHECK((step.at == wf::node_id::none || wf::index_of(step.at) < kept.size()));
      }
  }
  CHECK(dropped > 100);
}

TEST_CASE("a class whose first candidate is dropped is numbered by another, and keeps its name") {
  const auto captured = wf::capture("named", [](wf::scope& s) {
    auto a = s.input<"A", double, 3, 3>(wf::spd);
    auto b = s.let<"B">(inv(a));
    s.output<"Y">(b + b);
  });
  REQUIRE(captured);
  const auto grown = wf::grow(captured->view(), {&wf::transforms::definite_solve, 1});
  REQUIRE(grown);
  REQUIRE(grown->size() == 3);
  wf::choice_graph c = *grown;
  c.keep(wf::node_id{0}, false);
  const wf::choice_graph kept = wf::without_dropped(c);
  REQUIRE(kept.size() == 2);
  const wf::graph_view g = kept.view();
  CHECK(g.op_name(g.nodes[0]) == "inverse_cholesky");
  CHECK(g.text_of(g.nodes[0].name) == "B");
  CHECK(kept.known_of(kept.result_of(wf::node_id{0})) == grown->known_of(wf::value_id{1}));
  const auto steps = kept.derivation_of(wf::node_id{0});
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].at == wf::node_id::none);
}
