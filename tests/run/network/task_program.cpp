// SPDX-License-Identifier: BSL-1.0
#include <wf/run/network/task_program.hpp>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>

namespace {

constexpr auto both = wf::workflow<"both">([](wf::scope& s) {
  auto a = s.input<"a", double, 2, 3>();
  auto b = s.input<"b", double, 3, 4>();
  s.output<"ab">(a * b);
  s.output<"sum">(a + a);
});
constexpr wf::value_type type_of_a{wf::dtype::f64, {}, wf::shape::of(2, 3)};
constexpr wf::value_type type_of_b{wf::dtype::f64, {}, wf::shape::of(3, 4)};

wf::text fault_of(auto&& build) {
  wf::task_program p(2);
  const std::uint32_t a = p.add_argument("a", 0, type_of_a), b = p.add_argument("b", 1, type_of_b);
  const std::uint32_t code = p.add_code(wf::graph(both.graph()));
  CHECK(p.fault().code == wf::errc::none);
  build(p, code, a, b);
  return wf::to_text(p.fault());
}

}  // namespace

TEST_CASE("a program knows the types, sizes and outputs of its tasks, and shares codes") {
  wf::task_program p(2);
  const std::uint32_t a = p.add_argument("a", 0, type_of_a), b = p.add_argument("b", 1, type_of_b);
  const std::uint32_t code = p.add_code(wf::graph(both.graph()));
  CHECK(p.add_code(wf::graph(both.graph())) == code);
  CHECK(p.codes() == 1);
  const std::uint32_t first = p.add(code, 1, {{{a}, {b}}}, {}, "first");
  const std::uint32_t signal = p.add_signal(0, {{first}});
  const std::uint32_t again = p.add(code, 0, {{{first, 1}, {b}}}, {{signal}});
  p.add_output("y", {again, 0});
  REQUIRE(p.fault().code == wf::errc::none);
  CHECK(p.results(first).size() == 2);
  CHECK(p.results(first)[0].shape == wf::shape::of(2, 4));
  CHECK(p.results(signal).empty());
  CHECK(p.bytes(first) == 8 * (2 * 4 + 2 * 3));
  CHECK(p.bytes(a) == 8 * 6);
  CHECK(p.bytes(signal) == 0);
  CHECK(p.is_argument(a));
  CHECK_FALSE(p.is_argument(signal));
  CHECK(p.code_of(signal) == wf::task_program::no_code);
  CHECK(p.label(first) == "first");
  CHECK(p.label(b) == "b");
  CHECK(p.result_read(again, 0) == 1);
  CHECK(p.result_read(again, 1) == 0);
  CHECK(p.tasks().operands(again)[0] == first);
  CHECK(p.tasks().before(again).size() == 3);
  CHECK(p.tasks().is_kept(again));
  CHECK(p.outputs().size() == 1);
}

TEST_CASE("what does not fit in a program is its fault") {
  using program = wf::task_program;
  using number = std::uint32_t;
  CHECK(fault_of([](program& p, number code, number a, number) {
          p.add(code + 1, 0, {{{a}}}, {}, "it");
        }) == "WF503 in 'it': its code does not exist");
  CHECK(fault_of([](program& p, number code, number a, number) {
          p.add(code, 0, {{{a}}}, {}, "it");
        }) == "WF503 in 'it': it reads more or fewer values than its code");
  CHECK(fault_of([](program& p, number code, number a, number b) {
          p.add(code, 0, {{{b}, {a}}}, {}, "it");
        }) == "WF503 in 'it': what it reads has another type than its code does");
  CHECK(fault_of([](program& p, number code, number a, number b) {
          p.add(code, 0, {{{a, 1}, {b}}}, {}, "it");
        }) == "WF503 in 'it': what it reads has another type than its code does");
  CHECK(fault_of([](program& p, number, number a, number) { p.add_output("y", {a, 1}); }) ==
        "WF503 in 'y': it is no result of a task");
  CHECK(fault_of([](program& p, number, number, number) { p.add_output("y", {7, 0}); }) ==
        "WF503 in 'y': it is no result of a task");
  CHECK(fault_of([](program& p, number code, number a, number b) {
          p.add(code, 2, {{{a}, {b}}}, {}, "it");
        }) == "WF503 in 'task 2': its process does not exist");
  constexpr auto open =
      wf::workflow<"open">([](wf::scope& s) { s.output<"y">(s.input<"x", double, "N">() * 2.0); });
  CHECK(fault_of([&](program& p, number, number, number) {
          p.add_code(wf::graph(open.graph()));
        }) == "WF503 in 'open': its shapes are not fixed");
  wf::graph unknown("unknown");
  unknown.add_output("y", static_cast<wf::value_id>(7));
  CHECK(fault_of([&](program& p, number, number, number) { p.add_code(unknown); }) ==
        wf::to_text(wf::validate(unknown.view()).error()));
}
