// SPDX-License-Identifier: BSL-1.0
#include <wf/types/relations/dtype.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/registry/registry.hpp>

#include "../solved.hpp"

namespace {

using wf_test::list, wf_test::nothing, wf_test::one_node, wf_test::one_solved;

constexpr bool types_flow_back() {
  const auto g = wf::parse_graph(
      "wf.graph 1 \"g\"\ninput \"x\" : unknown[]\ninput \"y\" : unknown[]\n"
      "node multiply(%0, %1) -> unknown[]\nnode abs(%2) -> i32[]\n");
  const auto s = wf::solve_types(*g);
  return s && s->is_complete() && s->solved.view().values[0].type.type == wf::dtype::i32;
}
static_assert(types_flow_back());

}  // namespace

TEST_CASE("rules of element types work both ways") {
  CHECK(one_solved("abs", {"unknown[]"}, {"unknown[]"}) ==
        list{"unknown[scalar]", "unknown[scalar]"});
  CHECK(one_solved("abs", {"c64[]"}, {"unknown[]"}) == list{"c64[scalar]", "f32[scalar]"});
  CHECK(one_solved("abs", {"unknown[]"}, {"i8[]"}) == list{"i8[scalar]", "i8[scalar]"});
  CHECK(one_solved("abs", {"unknown[]"}, {"f32[]"}) == list{"unknown[scalar]", "f32[scalar]"});
  CHECK(one_solved("cast", {"i64[3]"}, {nothing}, "dtype = \"bf16\"") == list{"i64[3]", "bf16[3]"});
  CHECK(one_solved("receive", {}, {nothing, nothing}, "d0 = dim 3, dtype = \"f16\"") ==
        list{"f16[3]", "peer[scalar]"});
  CHECK(one_solved("cast", {"f64[3]"}, {"f64[3]"}, "dtype = \"f16\"")[0] ==
        "WF102 in 'cast#0': 'cast#0' is f16 by cast#0 but f64 as stated");
}

TEST_CASE("bounds narrow element types") {
  CHECK(types_flow_back());
  CHECK(one_solved("logical_not", {"unknown[]"}, {"unknown[]"}) ==
        list{"bool[scalar]", "bool[scalar]"});
  CHECK(one_solved("where", {nothing, "unknown[2]", "unknown[2]"}, {"qubit[2]"}) ==
        list{"bool[?]", "qubit[2]", "qubit[2]", "qubit[2]"});
  CHECK(one_solved("gather", {"f16[3]", "unknown[2]"}, {nothing}) ==
        list{"f16[3]", "unknown[2]", "f16[2]"});
  // Integers for one operand, floating-point numbers for the other.
  CHECK(wf_test::solved("input \"x\" : unknown[]\nnode cross_entropy(%0, %0) -> f64[]\n")[0].find(
            "WF102") == 0);
  CHECK(wf_test::conflicts("input \"x\" : unknown[3]\ninput \"t\" : f64[5, 2]\n"
                           "node gather(%1, %0) named \"g\" -> f64[3, 2]\n"
                           "node sqrt(%0) named \"s\" -> unknown[3]\n") ==
        list{"WF102 in 's': 'x' is floating by sqrt 's' but integer by gather 'g'"});
}

TEST_CASE("a result of a class is the first operand that lies in it") {
  CHECK(one_solved("embedding", {"unknown[9, 4]", "i32[2]"}, {"bf16[2, 4]"}) ==
        list{"bf16[9x4]", "i32[2]", "bf16[2x4]"});
  CHECK(one_solved("gather", {"f32[2, 3]", "i64[4]"}, {nothing}) ==
        list{"f32[2x3]", "i64[4]", "f32[4x3]"});
  CHECK(one_solved("cross_entropy", {"unknown[2, 4]", "i32[2]"}, {"f16[]"}) ==
        list{"f16[2x4]", "i32[2]", "f16[scalar]"});
}

TEST_CASE("which operand that is may be open") {
  wf::registry r = wf::builtin_registry();
  REQUIRE(r.add(wf::kernel_spec{.name = "pick",
                                .domain = "user",
                                .signature = "A: any [], B: floating [] -> C: floating []"}));
  const auto picked = [&](const char* a, const char* b, const char* c) {
    return wf_test::types(
        wf::solve_types(wf_test::graph_with(one_node("user.pick", {a, b}, {c})), r));
  };
  CHECK(picked("unknown[]", "f32[]", "unknown[]") ==
        list{"unknown[scalar]", "f32[scalar]", "unknown[scalar]"});
  CHECK(picked("i8[]", "f32[]", "unknown[]") == list{"i8[scalar]", "f32[scalar]", "f32[scalar]"});
  CHECK(picked("f64[]", "f32[]", "unknown[]") == list{"f64[scalar]", "f32[scalar]", "f64[scalar]"});
  CHECK(picked("unknown[]", "f32[]", "f16[]")[0] == "unknown[scalar]");
}
