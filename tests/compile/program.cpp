// SPDX-License-Identifier: BSL-1.0
#include <wf/compile/program.hpp>

#include <atomic>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "script_backend.hpp"
#include "toy_backend.hpp"

namespace {

toy::arguments matrix(std::int64_t rows, std::int64_t columns, double alpha) {
  return {{{"A", wf::shape::of(rows, columns)}}, {{"alpha", alpha}}};
}

wf::program_options static_alpha() {
  wf::program_options options;
  options.static_inputs.push_back(wf::text("alpha"));
  return options;
}

// The number of captures of the graph below.
std::atomic<int> captures = 0;
wf::result<wf::graph> capture_scaled() {
  ++captures;
  return wf::graph(toy::scaled.graph());
}
wf::result<wf::graph> capture_two() {
  wf::graph two(toy::scaled.graph());
  two.add_output("again", two.view().outputs[0].source);
  return two;
}
const auto capture =
    wf::step<"capture">([](const wf::workflow_definition& d) { return d.capture(); });
const auto from_definition = toy::backend.prepend(wf::on_data<wf::type_args>(capture));

// Containers whose labels differ from the names of the workflow.
struct labelled {
  toy::arguments values;
  std::string label;
};
wf::result<toy::arguments> unwrap(const labelled& l) {
  if (l.values.shapes.empty())
    return wf::make_error(wf::errc::missing_argument, l.label, "there is no matrix");
  return l.values;
}
const auto with_labels = toy::backend.with_arguments(
    &unwrap, [](const std::string& made, const labelled& l) { return l.label + ": " + made; });

struct listing {
  std::vector<std::string> lines;
  void enter(const wf::step_info& s, const auto&) {
    lines.push_back(static_cast<std::string>(wf::path_of(s).view()));
  }
};

}  // namespace

TEST_CASE("a call compiles its variant once") {
  const auto p = wf::make_program(toy::backend, toy::scaled.graph());
  REQUIRE(p);
  CHECK(*(*p)(matrix(3, 4, 0.5)) == "scaled 3x4 multiply with 2");
  CHECK(*(*p)(matrix(3, 4, 0.7)) == "scaled 3x4 multiply with 2");
  CHECK(*(*p)(matrix(5, 4, 0.7)) == "scaled 5x4 multiply with 2");
  CHECK(p->counters().misses == 2);
  CHECK(p->counters().hits == 1);
}

TEST_CASE("values of static inputs are compiled in, and not passed on") {
  wf::program_options options;
  options.static_inputs.push_back(wf::text("alpha"));
  const auto p = wf::make_program(toy::backend, toy::scaled.graph(), options);
  CHECK(*(*p)(matrix(3, 4, 0.5)) == "scaled 3x4 constant multiply with 1");
  CHECK(*(*p)(matrix(3, 4, 0.7)) == "scaled 3x4 constant multiply with 1");
  CHECK(p->counters().misses == 2);
}

TEST_CASE("acceptance group 8: the routes ahead of time and on demand give identical artifacts") {
  wf::program_options options;
  options.static_inputs.push_back(wf::text("alpha"));
  const auto ahead = wf::make_program(toy::backend, toy::scaled.graph(), options);
  const auto demand = wf::make_program(toy::backend, toy::scaled.graph(), options);
  const wf::static_choices choices[] = {wf::choices_of("M", {2, 3}), wf::choices_of("N", {4, 5, 6}),
                                        wf::choices_of("alpha", {0.5, 0.25})};
  REQUIRE(ahead->compile_all(choices));
  CHECK(ahead->counters().misses == 12);
  for (std::int64_t m : {2, 3})
    for (std::int64_t n : {4, 5, 6})
      for (double alpha : {0.5, 0.25}) {
        REQUIRE((*demand)(matrix(m, n, alpha)));
        const wf::type_args args{
            {}, {wf::static_arg("M", m), wf::static_arg("N", n), wf::static_arg("alpha", alpha)}};
        const auto a = ahead->artifact_for(args), d = demand->artifact_for(args);
        REQUIRE(a);
        REQUIRE(d);
        CHECK(**a == **d);
        // Both equal the toolchain's artifact for either entry.
        CHECK(**a == *toy::backend.compile(toy::scaled.graph(), args));
      }
  CHECK(ahead->counters().misses == 12);
  CHECK(demand->counters().misses == 12);
}

TEST_CASE("a program that compiles only ahead of time refuses other calls") {
  wf::program_options options;
  options.policy = wf::compile_policy::ahead_only;
  const auto p = wf::make_program(toy::backend, toy::scaled.graph(), options);
  const wf::static_choices choices[] = {wf::choices_of("M", {2}), wf::choices_of("N", {4})};
  REQUIRE(p->compile_all(choices));
  CHECK((*p)(matrix(2, 4, 0.5)).has_value());
  const auto refused = (*p)(matrix(2, 5, 0.5));
  REQUIRE(!refused);
  CHECK(wf::to_text(refused.error()).view() ==
        "WF811 in 'scaled': no variant is compiled for M=2, N=5");
  CHECK(p->compile({{}, {wf::static_arg("M", 2), wf::static_arg("N", 5)}}).has_value());
  CHECK((*p)(matrix(2, 5, 0.5)).has_value());
}

TEST_CASE("the lint runs when a program is made, and where it is dropped does not") {
  wf::graph two(toy::scaled.graph());
  two.add_output("again", two.view().outputs[0].source);
  const auto refused = wf::make_program(toy::backend, two.view());
  REQUIRE(!refused);
  CHECK(refused.error().code == wf::errc::lint_failed);
  CHECK(wf::make_program(toy::backend.drop<"plan/lint">(), two.view()).has_value());
}

TEST_CASE("a program moves to another back end") {
  const auto p = wf::make_program(toy::backend, toy::scaled.graph());
  const auto q = p->with_backend(toy::backend.replace<"translate">(
      [](const wf::graph&) { return toy::artifact{wf::text("other")}; }));
  CHECK(*q(matrix(3, 4, 1)) == "other with 2");
  CHECK(*(*p)(matrix(3, 4, 1)) == "scaled 3x4 multiply with 2");
}

TEST_CASE("errors of arguments name them and compile nothing") {
  const auto p = wf::make_program(toy::backend, toy::scaled.graph());
  CHECK((*p)(toy::arguments{{{"A", wf::shape::of(3)}}, {}}).error().code ==
        wf::errc::argument_shape);
  CHECK((*p)(toy::arguments{{{"B", wf::shape::of(3)}}, {}}).error().code ==
        wf::errc::unknown_argument);
  CHECK(p->counters().misses == 0);
}

TEST_CASE("several threads that need one variant compile it once") {
  std::atomic<int> compiled = 0;
  const auto counting = toy::backend.replace<"translate">([&](const wf::graph& g) {
    ++compiled;
    return toy::translate(g);
  });
  const auto p = wf::make_program(counting, toy::scaled.graph());
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 4; ++k)
        if (*(*p)(matrix(3 + k, 4, 0.5)) ==
            "scaled " + std::to_string(3 + k) + "x4 multiply with 2")
          ++right;
    });
  for (std::thread& t : threads) t.join();
  CHECK(compiled == 4);
  CHECK(right == 64);
}

TEST_CASE("a program of a definition that is no graph compiles once for each form of arguments") {
  const auto p = wf::make_program(scripts::backend, scripts::script{"say"});
  REQUIRE(p);
  static_assert(!decltype(scripts::backend)::has_graph);
  CHECK(p->source().words == "say");
  CHECK(*(*p)(matrix(3, 4, 0.5)) == "say for A is f64[3x4], alpha is f64[scalar] with 2");
  CHECK(*(*p)(matrix(3, 4, 0.7)) == "say for A is f64[3x4], alpha is f64[scalar] with 2");
  CHECK(*(*p)(matrix(5, 4, 0.7)) == "say for A is f64[5x4], alpha is f64[scalar] with 2");
  CHECK(p->counters().misses == 2);
  CHECK(p->counters().hits == 1);
  // The order of argument types is irrelevant.
  auto args = *p->types_of(matrix(3, 4, 0));
  std::swap(args.types[0], args.types[1]);
  CHECK(p->compile(args).has_value());
  CHECK(p->counters().misses == 2);
  args.types.push_back(args.types[0]);
  CHECK(p->compile(args).error().code == wf::errc::unknown_argument);
}

TEST_CASE("names of arguments are any text, and do not run into each other") {
  const auto p = wf::make_program(scripts::backend, scripts::script{"say"});
  CHECK(p->compile({{}, {wf::static_arg("a", 1), wf::static_arg("b", 2)}}).has_value());
  CHECK(p->compile({{}, {wf::static_arg("a=1, b", 2)}}).has_value());
  CHECK(p->compile({{}, {wf::static_arg("a", 1.0), wf::static_arg("b", 2)}}).has_value());
  CHECK(p->counters().misses == 3);
}

TEST_CASE("static inputs and policies hold for definitions that are no graphs") {
  wf::program_options options = static_alpha();
  options.policy = wf::compile_policy::ahead_only;
  const auto p = wf::make_program(scripts::backend, scripts::script{"say"}, options);
  const auto refused = (*p)(toy::arguments{{}, {{"alpha", 0.5}}});
  REQUIRE(!refused);
  CHECK(wf::to_text(refused.error()).view() ==
        "WF811 in 'say': no variant is compiled for alpha=0.5");
  const wf::static_choices choices[] = {wf::choices_of("alpha", {0.5, 0.25})};
  REQUIRE(p->compile_all(choices));
  CHECK(*(*p)(toy::arguments{{}, {{"alpha", 0.5}}}) == "say for alpha=0.5 with 0");
  CHECK(*(*p)(toy::arguments{{}, {{"alpha", 0.25}}}) == "say for alpha=0.25 with 0");
  CHECK(!(*p)(toy::arguments{{}, {{"alpha", 0.125}}}));
}

TEST_CASE("a definition says itself which arguments need the same code") {
  const auto b = wf::make_backend<"shapeless">(
      wf::step<"same">([](const wf::concrete<scripts::shapeless, wf::type_args>& d) { return d; }),
      wf::step<"specialise">(&scripts::specialise<scripts::shapeless>));
  const auto p = wf::make_program(b, scripts::shapeless{"say"});
  CHECK(*(*p)(matrix(3, 4, 0.5)) == "say for count=2 with 2");
  CHECK(*(*p)(matrix(5, 6, 0.5)) == "say for count=2 with 2");
  CHECK(p->counters().misses == 1);
  CHECK((*p)(toy::arguments{{}, {{"a", 1}, {"b", 1}, {"c", 1}}}).error().subject.view() ==
        "script");
}

TEST_CASE("the lint of a definition that is no graph runs when a program is made") {
  const auto refused = wf::make_program(scripts::backend, scripts::script{"bad"});
  REQUIRE(!refused);
  CHECK(refused.error().code == wf::errc::lint_failed);
  CHECK(refused.error().step.view() == "lint");
}

TEST_CASE("a back end that captures first makes the artifacts of one that begins with the graph") {
  captures = 0;
  const auto p = wf::make_program(from_definition, {"scaled", &capture_scaled}, static_alpha());
  REQUIRE(p);
  CHECK(captures == 1);  // by the lint
  const auto q = wf::make_program(toy::backend, toy::scaled.graph(), static_alpha());
  CHECK(*(*p)(matrix(3, 4, 0.5)) == *(*q)(matrix(3, 4, 0.5)));
  CHECK(captures == 3);  // once for the inputs, once to compile
  CHECK(*(*p)(matrix(3, 4, 0.5)) == "scaled 3x4 constant multiply with 1");
  CHECK((*p)(matrix(5, 4, 0.5)).has_value());
  CHECK(captures == 4);
  // Both derive the form of the arguments from the graph.
  CHECK(p->compile({{{wf::text("A"), {wf::dtype::f64, {}, wf::shape::of(5, 4)}}},
                    {wf::static_arg("alpha", 0.5)}})
            .has_value());
  const wf::type_args args{
      {}, {wf::static_arg("N", 4), wf::static_arg("alpha", 0.5), wf::static_arg("M", 3)}};
  CHECK(**p->artifact_for(args) == **q->artifact_for(args));
  CHECK(p->counters().misses == 2);
  CHECK((*p)(toy::arguments{{{"B", wf::shape::of(3)}}, {}}).error().code ==
        wf::errc::unknown_argument);
}

TEST_CASE("what a definition captures is linted, and its errors have their paths") {
  const auto two = wf::make_program(from_definition, {"two", &capture_two});
  REQUIRE(!two);
  CHECK(two.error().step.view() == "plan/lint");
  const auto fails = +[]() -> wf::result<wf::graph> {
    return wf::make_error(wf::errc::no_output, "nothing", "it has no output");
  };
  CHECK(wf::make_program(from_definition, {"nothing", fails}).error().step.view() == "capture");
  const auto p = wf::make_program(from_definition.drop<"plan/lint">(), {"nothing", fails});
  REQUIRE(p);
  CHECK((*p)(matrix(3, 4, 0.5)).error().step.view() == "capture");
}

TEST_CASE("a program takes other containers: types, static inputs and results go through them") {
  const auto p = wf::make_program(with_labels, toy::scaled.graph(), static_alpha());
  REQUIRE(p);
  CHECK(*(*p)(labelled{matrix(3, 4, 0.5), "x"}) == "x: scaled 3x4 constant multiply with 1");
  CHECK(*(*p)(labelled{matrix(3, 4, 0.5), "y"}) == "y: scaled 3x4 constant multiply with 1");
  CHECK(p->counters().misses == 1);
  const auto args = p->types_of(labelled{matrix(5, 4, 0.25), "x"});
  REQUIRE(args);
  REQUIRE(p->compile(*args));
  CHECK(p->counters().misses == 2);
  CHECK(*(*p)(labelled{matrix(5, 4, 0.25), "x"}) == "x: scaled 5x4 constant multiply with 1");
  CHECK(p->counters().misses == 2);
  // Programs of both kinds share artifacts.
  const auto q = p->with_backend(toy::backend);
  CHECK(**q.artifact_for(*args) == **p->artifact_for(*args));
  CHECK(*q(matrix(5, 4, 0.25)) == "scaled 5x4 constant multiply with 1");
}

TEST_CASE("errors of containers name the step, and compile nothing") {
  const auto p = wf::make_program(with_labels, toy::scaled.graph());
  const auto failed = (*p)(labelled{{}, "x"});
  REQUIRE(!failed);
  CHECK(failed.error().code == wf::errc::missing_argument);
  CHECK(failed.error().step.view() == "unwrap");
  CHECK(p->types_of(labelled{{}, "x"}).error().step.view() == "unwrap");
  CHECK(p->counters().misses == 0);
  CHECK((*p)(labelled{{{{"B", wf::shape::of(1, 1)}}, {}}, "x"}).error().step.view() == "run");
}

TEST_CASE("a tracer sees the steps of a call, and those of the compilation that it needs") {
  const auto p = wf::make_program(with_labels, toy::scaled.graph());
  listing first, second;
  CHECK((*p)(labelled{matrix(3, 4, 0.5), "x"}, first).has_value());
  CHECK(first.lines == std::vector<std::string>{"unwrap", "run", "bind", "plan", "plan/validate",
                                                "plan/lint", "translate", "wrap"});
  CHECK((*p)(labelled{matrix(3, 4, 0.5), "x"}, second).has_value());
  CHECK(second.lines == std::vector<std::string>{"unwrap", "run", "wrap"});
}

TEST_CASE("containers within containers") {
  const auto nested = with_labels.with_arguments(
      [](const double& alpha) {
        return labelled{alpha < 0 ? toy::arguments{} : matrix(2, 2, alpha), "inner"};
      },
      [](const std::string& made, double alpha) { return made + (alpha > 1 ? " >1" : ""); });
  const auto p = wf::make_program(nested, toy::scaled.graph(), static_alpha());
  CHECK(*(*p)(2.0) == "inner: scaled 2x2 constant multiply with 1 >1");
  CHECK(p->types_of(2.0)->fixed.size() == 1);
  CHECK((*p)(-1.0).error().step.view() == "run/unwrap");
  CHECK(p->types_of(-1.0).error().step.view() == "run/unwrap");
  CHECK(p->counters().misses == 1);
}

TEST_CASE("several threads call through containers and from definitions at once") {
  captures = 0;
  const auto compiled = std::make_shared<std::atomic<int>>(0);
  const auto counting = from_definition.replace<"translate">([compiled](const wf::graph& g) {
    ++*compiled;
    return toy::translate(g);
  });
  const auto p = wf::make_program(
      counting.with_arguments(&unwrap,
                              [](const std::string& m, const labelled& l) { return l.label + m; }),
      {"scaled", &capture_scaled});
  REQUIRE(p);
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([&, i] {
      const std::string label = std::to_string(i) + " ";
      for (int k = 0; k < 4; ++k)
        if (*(*p)(labelled{matrix(3 + k, 4, 0.5), label}) ==
            label + "scaled " + std::to_string(3 + k) + "x4 multiply with 2")
          ++right;
    });
  for (std::thread& t : threads) t.join();
  CHECK(*compiled == 4);
  CHECK(right == 64);
  CHECK(captures == 6);  // the lint, the inputs, and one per variant
}
