// SPDX-License-Identifier: BSL-1.0
#include <wf/compile/backend.hpp>

#include <doctest/doctest.h>

#include "script_backend.hpp"
#include "toy_backend.hpp"

namespace {

// All steps of a back end run in constant evaluation if they can.
constexpr std::size_t size_of_code(std::int64_t rows) {
  const auto counting = wf::make_backend<"count">(
      toy::plan, wf::step<"count">([](const wf::graph& g) {
        const wf::graph_view v = g.view();
        return static_cast<std::size_t>(v[v.outputs[0].source].type.shape[0].size());
      }));
  wf::type_args args;
  args.fixed.push_back(wf::static_arg("M", rows));
  return *counting.compile(toy::scaled.graph(), args);
}
static_assert(size_of_code(5) == 5);

wf::type_args sizes(std::int64_t m, std::int64_t n) {
  return {{}, {wf::static_arg("M", m), wf::static_arg("N", n)}};
}

static_assert(std::same_as<decltype(toy::backend)::definition, wf::graph>);
static_assert(std::same_as<decltype(scripts::backend)::definition, scripts::script>);
static_assert(decltype(toy::backend)::has_graph && !decltype(scripts::backend)::has_graph);

}  // namespace

TEST_CASE("a back end compiles a workflow for static arguments and loads the artifact") {
  const auto made = toy::backend.compile(toy::scaled.graph(), sizes(3, 4));
  REQUIRE(made);
  CHECK(made->code.view() == "scaled 3x4 multiply");
  CHECK(*toy::backend.load(*made)({}) == "scaled 3x4 multiply with 0");
  CHECK(*toy::backend.predict(*made) == 19);
  CHECK(toy::backend.name() == "toy");
}

TEST_CASE("values of scalar inputs are compiled in") {
  wf::type_args args = sizes(3, 4);
  args.fixed.push_back(wf::static_arg("alpha", 0.5));
  CHECK(toy::backend.compile(toy::scaled.graph(), args)->code.view() ==
        "scaled 3x4 constant multiply");
}

TEST_CASE("steps of a back end are replaced, dropped and wrapped; storage and model too") {
  const auto other = toy::backend.replace<"translate">(
      [](const wf::graph&) { return toy::artifact{wf::text("nothing")}; });
  CHECK(other.compile(toy::scaled.graph())->code.view() == "nothing");
  CHECK(toy::backend.drop<"plan/lint">().compile(toy::scaled.graph()).has_value());
  int runs = 0;
  const auto watched = toy::backend.wrap<"translate">([&](auto s) {
    return wf::checked(s, [&](const toy::artifact&) {
      ++runs;
      return true;
    });
  });
  CHECK(watched.compile(toy::scaled.graph()).has_value());
  CHECK(runs == 1);
  const auto whole = toy::backend.wrap_all(
      [&](auto s) { return wf::checked(s, [&](const auto&) { return ++runs > 0; }); });
  CHECK(whole.compile(toy::scaled.graph()).has_value());
  CHECK(runs == 2);
  wf::graph two(toy::scaled.graph());
  two.add_output("again", two.view().outputs[0].source);
  CHECK(whole.check(two.view()).step.view() == "compile/plan/lint");
  const auto stored = toy::backend.with_storage(std::string("> "));
  CHECK(*stored.load({wf::text("x")})({}) == "> x with 0");
  const auto silent = toy::backend.with_prediction(wf::no_prediction());
  CHECK(silent.predict({}).error().code == wf::errc::unknown_cost);
}

TEST_CASE("errors carry the path of the step") {
  const auto failed = toy::backend.compile(toy::scaled.graph(), {{}, {wf::static_arg("Q", 1)}});
  REQUIRE(!failed);
  CHECK(failed.error().step.view() == "bind");
  wf::graph two(toy::scaled.graph());
  two.add_output("again", two.view().outputs[0].source);
  CHECK(toy::backend.compile(two.view()).error().step.view() == "plan/lint");
}

TEST_CASE("a lint says what is wrong before the arguments are known") {
  CHECK(toy::backend.check(toy::scaled.graph()).code == wf::errc::none);
  wf::graph two(toy::scaled.graph());
  two.add_output("again", two.view().outputs[0].source);
  CHECK(toy::backend.check(two.view()).code == wf::errc::lint_failed);
  CHECK(toy::backend.check(two.view()).step.view() == "plan/lint");
  CHECK(toy::backend.drop<"plan/lint">().check(two.view()).code == wf::errc::none);
}

TEST_CASE("a lint is found wherever it stands") {
  wf::graph two(toy::scaled.graph());
  two.add_output("again", two.view().outputs[0].source);
  const auto translate =
      wf::step<"translate">([](const wf::graph&) { return toy::artifact{wf::text("nothing")}; });
  const auto lint = wf::step<"lint">([](const wf::graph& g) -> wf::result<wf::graph> {
    if (g.view().outputs.size() == 1) return g;
    return wf::make_error(wf::errc::lint_failed, "outputs", "there is more than one");
  });
  const auto dead = wf::step<"dead">([](const wf::graph& g) { return g; });
  const auto check = [&](const auto& transforms, const char* path) {
    const auto made = wf::make_backend<"elsewhere">(transforms, translate);
    CHECK(made.check(toy::scaled.graph()).code == wf::errc::none);
    const wf::error found = made.check(two.view());
    CHECK(found.code == wf::errc::lint_failed);
    CHECK(found.step.view() == path);
    CHECK(made.compile(two.view()).error().step.view() == path);
  };
  check(wf::chain<"front">(dead, lint), "front/lint");
  check(wf::chain<"outer">(wf::chain<"inner">(dead, lint), dead), "outer/inner/lint");
  check(wf::chain<"outer">(dead, wf::chain<"inner">(lint, dead), lint), "outer/inner/lint");
  check(lint, "lint");
  const auto without = wf::make_backend<"without">(wf::chain<"front">(dead), translate);
  CHECK(without.check(two.view()).code == wf::errc::none);
}

TEST_CASE("a back end begins with a definition of any type, and no step is put before it") {
  CHECK(scripts::backend.steps().names().size() == 2);
  CHECK(scripts::backend.steps().names()[0] == "lint");
  const auto made =
      scripts::backend.compile(scripts::script{"say"}, {{}, {wf::static_arg("n", 3)}});
  REQUIRE(made);
  CHECK(made->code == "say for n=3");
  CHECK(*scripts::backend.load(*made)({}) == "say for n=3 with 0");
  CHECK(*scripts::backend.predict(*made) == 11);
  CHECK(scripts::backend.compile(scripts::script{"bad"}).error().step.view() == "lint");
  CHECK(scripts::backend.drop<"lint">().compile(scripts::script{"bad"}).has_value());
  CHECK(scripts::backend.check(scripts::script{"bad"}).code == wf::errc::lint_failed);
  CHECK(scripts::backend.drop<"lint">().check(scripts::script{"bad"}).code == wf::errc::none);
}

TEST_CASE("a back end begins earlier by a step before its own") {
  const auto lower = wf::step<"lower">([](const scripts::script& s) -> wf::result<wf::graph> {
    if (s.words == "scaled") return wf::graph(toy::scaled.graph());
    return wf::make_error(wf::errc::equation_syntax, s.words, "there is no such workflow");
  });
  const auto b = toy::backend.prepend(wf::on_data<wf::type_args>(lower));
  static_assert(std::same_as<decltype(b)::definition, scripts::script> && decltype(b)::has_graph);
  CHECK(*b.compile(scripts::script{"scaled"}, sizes(3, 4)) ==
        *toy::backend.compile(toy::scaled.graph(), sizes(3, 4)));
  CHECK(b.compile(scripts::script{"x"}).error().step.view() == "lower");
  CHECK(b.check(scripts::script{"x"}).step.view() == "lower");
  CHECK(wf::to_text(b.graph_of(scripts::script{"scaled"})->view()).view() ==
        wf::to_text(toy::scaled.graph()).view());
  CHECK(b.graph_of(scripts::script{"x"}).error().step.view() == "lower");
  CHECK(toy::backend.graph_of(toy::scaled.graph()).has_value());
}

TEST_CASE("of a graph, a lint of what is made of it waits until the back end compiles") {
  int runs = 0;
  const auto b = wf::make_backend<"late">(
      wf::chain<"front">(wf::step<"translate">(&toy::translate),
                         wf::verify<"lint">([&runs](const toy::artifact&) { return ++runs < 0; })),
      wf::step<"finish">([](const toy::artifact& a) { return a; }));
  CHECK(b.check(toy::scaled.graph()).code == wf::errc::none);
  CHECK(runs == 0);
  CHECK(b.compile(toy::scaled.graph()).error().step.view() == "front/lint");
  CHECK(runs == 1);
}
