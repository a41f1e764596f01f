// SPDX-License-Identifier: BSL-1.0
#include <wf/compile/toolchain.hpp>

#include <doctest/doctest.h>

namespace {

constexpr auto chain = wf::workflow<"chain">([](wf::scope& s) {
  auto a = s.input<"A", double, 8, 8>();
  auto b = s.input<"B", double, 8, 8>();
  auto x = s.input<"x", double, 8, 1>();
  s.output<"y">(a * b * x);
});

constexpr wf::compile_settings two_elements() {
  wf::compile_settings s;
  s.array.columns = 2;
  s.array.memory_bytes = 64 * 1024;
  return s;
}

// The whole default toolchain, from the definition to the replayed mapping.
static_assert(wf::default_toolchain(two_elements())(wf::define(chain))->replay.makespan ==
              wf::default_toolchain(two_elements())(wf::define(chain))->mapped.placed.makespan);

// Stops early and starts late.
static_assert(wf::default_toolchain().until<"plan">(wf::define(chain))->value == 2 * 8 * 8 * 2);
static_assert(wf::default_toolchain().until<"plan">(wf::define(chain))->proven_optimal);
static_assert(wf::default_toolchain().until<"plan/price">(wf::define(chain))->costs.totals.size() ==
              1);
static_assert(
    wf::default_toolchain().between<"plan/price", "plan/select">(wf::graph(chain.graph()))->value ==
    256);

}  // namespace

TEST_CASE("the default toolchain goes from a definition to a replay, also while compiling") {
  const auto done = wf::default_toolchain(two_elements())(wf::define(chain));
  REQUIRE(done);
  CHECK(done->mapped.selected.value == 256);
  CHECK(done->mapped.selected.proven_optimal);
  CHECK(done->replay.makespan == done->mapped.placed.makespan);
}

TEST_CASE("the settings configure the steps") {
  wf::compile_settings s = two_elements();
  s.limits.push_back(wf::peak_memory <= 1);
  const auto refused = wf::default_toolchain(s)(wf::define(chain));
  REQUIRE(!refused);
  CHECK(refused.error().code == wf::errc::infeasible);
  CHECK(refused.error().step.view() == "plan/select");
  s = two_elements();
  s.goal = wf::minimise(wf::bytes);
  CHECK(wf::default_toolchain(s).until<"plan">(wf::define(chain))->value !=
        wf::default_toolchain().until<"plan">(wf::define(chain))->value);
  s = two_elements();
  s.array.memory_bytes = 16;
  CHECK(wf::default_toolchain(s)(wf::define(chain)).error().step.view() == "place/map");
}

TEST_CASE("a caller watches the searches and may stop them") {
  const auto longer = wf::define<"longer">([](wf::scope& s) {
    auto a = s.input<"A", double, 30, 35>();
    auto b = s.input<"B", double, 35, 15>();
    auto c = s.input<"C", double, 15, 5>();
    auto d = s.input<"D", double, 5, 10>();
    auto e = s.input<"E", double, 10, 20>();
    s.output<"Y">(a * b * c * d * e + a * b * c * d * e);
  });
  int told = 0;
  const auto watch = [&](const wf::search_progress& p) {
    ++told;
    CHECK(p.bound <= p.incumbent);
    return true;
  };
  wf::compile_settings s = two_elements();
  s.array.rows = 3;
  s.array.columns = 3;
  s.mapping.limits.max_nodes = 200;
  const auto whole = wf::default_toolchain(s, watch)(longer);
  REQUIRE(whole);
  CHECK(told > 0);
  int asked = 0;
  const auto stop = [&](const wf::search_progress&) {
    ++asked;
    return false;
  };
  const auto stopped = wf::default_toolchain(s, stop)(longer);
  CHECK(asked < told);
  // The best plan so far is returned; without one, it is an error of the search.
  if (stopped)
    CHECK(stopped->mapped.placed.makespan >= whole->mapped.placed.bound);
  else
    CHECK(stopped.error().code == wf::errc::search_limit);
}

TEST_CASE("an invalid graph stops at once") {
  wf::graph broken(chain.graph());
  broken.add_output("y", wf::graph_view::output_of(broken.view().nodes[0]));
  const auto refused = wf::default_toolchain().from(broken);
  REQUIRE(!refused);
  CHECK(refused.error().code == wf::errc::duplicate_name);
  CHECK(refused.error().step.view() == "plan/validate");
}

TEST_CASE("types that a graph leaves open are found before it is validated") {
  wf::graph g("open");
  const wf::value_type known{wf::dtype::f64, {}, wf::shape::of(4, 4)};
  const wf::value_type open{wf::dtype::unknown, {}, wf::shape::unknown()};
  const wf::value_id operands[] = {g.add_input("A", known), g.add_input("B", known)};
  const wf::node_id n = g.add_node({.op = "matmul", .domain = "linalg"}, {operands, 2}, {&open, 1});
  g.add_output("Y", wf::graph_view::output_of(g[n]));
  const auto plan = wf::default_toolchain().between<"plan", "plan">(g);
  CAPTURE(wf::to_text(plan.error()).view());
  REQUIRE(plan);
  CHECK(plan->value == 2 * 4 * 4 * 4);
  CHECK(wf::default_toolchain().drop<"plan/types">().from(g).error().step.view() ==
        "plan/validate");
}

TEST_CASE("a lint that finds an error stops the toolchain, and can be dropped") {
  const auto unused = wf::define<"unused">([](wf::scope& s) {
    auto a = s.input<"A", double, 4, 4>();
    [[maybe_unused]] auto b = s.input<"B", double, 4, 4>();
    s.output<"Y">(a * a);
  });
  wf::compile_settings strict = two_elements();
  CHECK(wf::default_toolchain(strict)(unused).has_value());
  strict.lint.warnings_as_errors = true;
  const auto refused = wf::default_toolchain(strict)(unused);
  REQUIRE(!refused);
  CHECK(refused.error().code == wf::errc::lint_failed);
  CHECK(refused.error().step.view() == "plan/lint");
  CHECK(refused.error().subject.view() == "B");
  CHECK(wf::default_toolchain(strict).drop<"plan/lint">()(unused).has_value());
}

TEST_CASE("canonicalising shares what is the same before anything is priced") {
  const auto twice = wf::define<"twice">([](wf::scope& s) {
    auto a = s.input<"A", double, 8, 8>();
    s.output<"Y">(trans(trans(a)) * a * (1.0 * a) + 0.5 * (a * a));
  });
  const auto all = wf::default_toolchain().get<"plan">().record(*twice.capture());
  REQUIRE(all);
  CHECK(all.get<"validate">().view().nodes.size() == 10);
  CHECK(all.get<"canonicalise">().view().nodes.size() == 5);
}

TEST_CASE("storage and fusion are planned by steps that hand the graph on") {
  const auto canonical = wf::canonical_toolchain(wf::builtin_registry());
  const auto layer = wf::define<"layer">([](wf::scope& s) {
    auto x = s.input<"x", double, 4, 4>();
    auto w = s.input<"w", double, 4, 4>();
    s.output<"y">(relu(x * w) + x);
  });
  const auto stored =
      wf::chain(wf::capture_step, canonical, wf::storage_step(wf::builtin_registry()))(layer);
  REQUIRE(stored);
  CHECK(stored->first.view().nodes.size() == 3);
  CHECK(stored->second.offset.size() == stored->first.view().values.size());
  // x, w, and the storage of the product, which the rectifier and the sum overwrite.
  CHECK(stored->second.bytes == 3 * 4 * 4 * 8);
  const auto groups =
      wf::chain(wf::capture_step, canonical, wf::fusion_step(wf::builtin_registry()))(layer);
  REQUIRE(groups);
  CHECK(groups->second.groups.size() == 1);
}

TEST_CASE("the steps of the default toolchain are known") {
  constexpr auto rows = decltype(wf::default_toolchain())::describe();
  CHECK(rows[0].path == "capture");
  CHECK(rows[1].path == "plan");
  CHECK(rows[2].path == "plan/types");
  CHECK(rows[3].path == "plan/validate");
  CHECK(rows[rows.size() - 1].path == "place/simulate");
  for (const wf::step_description& row : rows) CHECK(!row.in.empty());
}
