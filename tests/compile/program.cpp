// SPDX-License-Identifier: BSL-1.0
#include <wf/compile/program.hpp>

#include <atomic>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "toy_backend.hpp"

namespace {

toy::arguments matrix(std::int64_t rows, std::int64_t columns, double alpha) {
  return {{{"A", wf::shape::of(rows, columns)}}, {{"alpha", alpha}}};
}

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
        // And both are what the toolchain makes of either entry.
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
