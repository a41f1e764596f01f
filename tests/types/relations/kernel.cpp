// SPDX-License-Identifier: BSL-1.0
#include <wf/types/relations/kernel.hpp>

#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/registry/registry.hpp>

#include "../solved.hpp"

// Inference of unknown types, forwards and backwards, for each kind of kernel.

namespace {

using wf_test::list, wf_test::nothing, wf_test::one_node, wf_test::one_solved, wf_test::solved;

constexpr bool derives_while_compiling() {
  const auto g = wf::parse_graph(
      "wf.graph 1 \"g\"\ninput \"x\" : f64[?, 4]\ninput \"y\" : unknown[...]\n"
      "node matmul(%0, %1) -> unknown[3, ?]\nnode concat(%2, %2) -> f64[?, 5]\n");
  const auto s = wf::solve_types(*g);
  if (!s) return false;
  const wf::graph_view v = s->solved;
  return v.values[0].type.shape == wf::shape::of(3, 4) &&
         v.values[1].type.shape == wf::shape::of(4, 5) && v.values[1].type.type == wf::dtype::f64 &&
         v.values[3].type.shape == wf::shape::of(6, 5);
}
static_assert(derives_while_compiling());

}  // namespace

TEST_CASE("signatures: dimensions, leading dimensions and element types") {
  CHECK(derives_while_compiling());
  CHECK(one_solved("matmul", {"f64[M, K]", nothing}, {"unknown[?, 5]"}) ==
        list{"f64[MxK]", "f64[Kx5]", "f64[Mx5]"});
  CHECK(one_solved("matmul", {"unknown[?, ?, 3]", "f32[?, 4]"}, {"unknown[7, 2, ?]"}) ==
        list{"f32[7x2x3]", "f32[3x4]", "f32[7x2x4]"});
  CHECK(one_solved("matvec", {nothing, "unknown[3]"}, {"i64[2]"}) ==
        list{"i64[2x3]", "i64[3]", "i64[2]"});
  CHECK(one_solved("inverse", {"f64[?, N]"}, {nothing}) == list{"f64[NxN]", "f64[NxN]"});
  CHECK(one_solved("dot", {"f64[?]", "unknown[N]"}, {nothing}) ==
        list{"f64[N]", "f64[N]", "f64[scalar]"});
  CHECK(one_solved("lu", {nothing}, {"f32[?, 4]", nothing}) ==
        list{"f32[4x4]", "f32[4x4]", "i64[4]"});
  CHECK(one_solved("relu", {nothing}, {"f16[?, 3]"}) == list{"f16[?x3]", "f16[?x3]"});
  CHECK(one_solved("softmax", {nothing}, {"unknown[]"})[0].find("rank") != std::string::npos);
  CHECK(one_solved("equal", {"f64[3]", nothing}, {nothing}) == list{"f64[3]", "f64[?]", "bool[?]"});
  CHECK(one_solved("cross_entropy", {"f64[?, 9]", nothing}, {nothing}) ==
        list{"f64[?x9]", "unknown[?]", "f64[scalar]"});
  CHECK(one_solved("embedding", {"unknown[50, ?]", "i32[2, 7]"}, {"f16[?, ?, 64]"}) ==
        list{"f16[50x64]", "i32[2x7]", "f16[2x7x64]"});
}

TEST_CASE("a value that lacks an optional dimension makes all others lack it") {
  CHECK(one_solved("solve", {"f64[?, 3]", "f64[?]"}, {nothing}) ==
        list{"f64[3x3]", "f64[3]", "f64[3]"});
  CHECK(one_solved("solve", {nothing, nothing}, {"f64[4]"}) ==
        list{"f64[4x4]", "f64[4]", "f64[4]"});
  CHECK(one_solved("solve", {nothing, nothing}, {"f64[4, N]"}) ==
        list{"f64[4x4]", "f64[4xN]", "f64[4xN]"});
  CHECK(one_solved("least_squares", {"f64[7, ?]", "unknown[?, K]"}, {"unknown[3, ?]"}) ==
        list{"f64[7x3]", "f64[7xK]", "f64[3xK]"});
  // Neither the rank nor the number of columns follows.
  CHECK(one_solved("solve", {"f64[3, 3]", nothing}, {nothing}) ==
        list{"f64[3x3]", "f64[?]", "f64[?]"});
  CHECK(one_solved("solve", {"f64[3, 3]", "f64[3]"}, {"f64[?, ?]"})[0].find("rank") !=
        std::string::npos);
  CHECK(one_solved("solve", {"f64[3, 3]", "f64[3, 2, 2]"}, {nothing})[0].find("rank") !=
        std::string::npos);
  CHECK(one_solved("solve", {"f64[3, 3]", "f64[2]"}, {nothing})[0].find("3") != std::string::npos);
}

TEST_CASE("of kernels with an optional dimension, what is solved is what was erased") {
  std::mt19937 random(61);
  std::size_t checked = 0;
  for (const wf::kernel_spec* k : wf::builtin_registry().kernels()) {
    if (k->domain != "linalg") continue;
    const auto s = wf::parse_signature(k->signature);
    REQUIRE(s);
    bool has_optional = false;
    for (const wf::parameter& p : s->parameters)
      has_optional = has_optional || p.optional != wf::parameter::none;
    if (!has_optional) continue;
    const std::string op(k->name);
    CAPTURE(op);
    for (int round = 0; round < 200; ++round) {
      const bool lacks = random() % 2 == 0;
      const std::uint_fast32_t extents[] = {2 + random() % 3, 5 + random() % 2, 7 + random() % 2};
      list truth, stated;
      for (const wf::parameter& p : s->parameters) {
        const std::string type = p.bound == "i64" ? "i64" : "f64";
        std::string whole, kept;
        const auto dimensions = s->dimensions_of(p);
        for (std::uint32_t d = 0; d < dimensions.size(); ++d) {
          if (lacks && d == p.optional) continue;
          const std::string e = std::to_string(extents[dimensions[d] == "M"   ? 0
                                                       : dimensions[d] == "N" ? 1
                                                                              : 2]);
          whole += (whole.empty() ? "" : "x") + e;
          kept += (kept.empty() ? "" : ", ") + (random() % 2 == 0 ? e : "?");
        }
        truth.push_back(type + "[" + whole + "]");
        const bool is_unknown = random() % 4 == 0;
        stated.push_back(is_unknown ? nothing : type + "[" + kept + "]");
      }
      const auto inputs = static_cast<std::ptrdiff_t>(s->inputs);
      const list found = one_solved(op, {stated.begin(), stated.begin() + inputs},
                                    {stated.begin() + inputs, stated.end()});
      REQUIRE(found.size() == truth.size());
      for (std::size_t i = 0; i < truth.size(); ++i) {
        if (found[i].find('?') == std::string::npos && found[i].find("unknown") != 0) {
          CHECK(found[i] == truth[i]);
          ++checked;
        }
      }
    }
  }
  CHECK(checked > 1500);
}

TEST_CASE("a message is sent to machines") {
  CHECK(one_solved("send", {"f64[?, 3]", nothing}, {"unknown[2, ?]", nothing, nothing}) ==
        list{"f64[2x3]", "peer[?]", "f64[2x3]", "peer[scalar]", "u64[scalar]"});
  CHECK(one_solved("send", {"f64[2]", "f64[3]"}, {nothing, nothing, nothing})[0].find("peer") !=
        std::string::npos);
}

TEST_CASE("a pack's values are alike, and as many as the node has") {
  CHECK(one_solved("concat", {"f64[2, ?]"}, {"unknown[?, 3]"}) == list{"f64[2x3]", "f64[2x3]"});
  CHECK(one_solved("concat", {"f64[1]", "f64[2]", "f64[?]", "f64[4]", "f64[5]"}, {"f64[15]"}) ==
        list{"f64[1]", "f64[2]", "f64[3]", "f64[4]", "f64[5]", "f64[15]"});
  CHECK(one_solved("split", {nothing}, {"f64[?, 2]", nothing, "f64[4, ?]"}, "parts = 3") ==
        list{"f64[12x2]", "f64[4x2]", "f64[4x2]", "f64[4x2]"});
  CHECK(one_solved("split", {"f64[6]"}, {"f64[6]"}, "parts = 1") == list{"f64[6]", "f64[6]"});
  CHECK(one_solved("split", {"f64[6]"}, {nothing, nothing}, "parts = 3")[0].find("WF") == 0);
}

TEST_CASE("broadcasting is decided only where it must be") {
  CHECK(one_solved("add", {"f64[4, 1]", "unknown[3]"}, {nothing}) ==
        list{"f64[4x1]", "f64[3]", "f64[4x3]"});
  CHECK(one_solved("add", {"f64[]", nothing}, {"unknown[4, 3]"}) ==
        list{"f64[scalar]", "f64[4x3]", "f64[4x3]"});
  CHECK(one_solved("add", {"f64[4, 3]", nothing}, {"unknown[4, 3]"}) ==
        list{"f64[4x3]", "f64[?]", "f64[4x3]"});
  CHECK(one_solved("add", {"f64[1]", "f64[?]"}, {"f64[?]"}) == list{"f64[1]", "f64[?]", "f64[?]"});
  CHECK(one_solved("add", {"f64[?]", "f64[?]"}, {"f64[1]"}) == list{"f64[1]", "f64[1]", "f64[1]"});
  CHECK(one_solved("where", {nothing, "f64[4, 3]", "f64[]"}, {nothing}) ==
        list{"bool[?]", "f64[4x3]", "f64[scalar]", "f64[?]"});
  // A value is broadcast to itself.
  CHECK(solved("input \"x\" : unknown[...]\nnode add(%0, %0) -> f64[2, ?]\n") ==
        list{"f64[2x?]", "f64[2x?]"});
  // Two broadcasts of a value may leave 1 as the only extent.
  CHECK(solved("input \"a\" : f64[?]\ninput \"b\" : f64[5]\ninput \"c\" : f64[3]\n"
               "node add(%0, %1) -> f64[?]\nnode add(%0, %2) -> f64[?]\n") ==
        list{"f64[1]", "f64[5]", "f64[3]", "f64[5]", "f64[3]"});
}

TEST_CASE("an opaque operator states its signature") {
  const std::string signature = "signature = \"x: complex [N], A[N, M] -> y: complex [N + M]\"";
  CHECK(one_solved("\"::opaque::lib.fn\"", {"c64[?]", "f64[3, ?]"}, {"unknown[5]"}, signature) ==
        list{"c64[3]", "f64[3x2]", "c64[5]"});
  CHECK(one_solved("unregistered", {"c64[?]"}, {nothing}) == list{"c64[?]", "unknown[?]"});
  CHECK(one_solved("\"::opaque::none\"", {"c64[?]"}, {nothing}) == list{"c64[?]", "unknown[?]"});
}

TEST_CASE("the body of a call is a signature") {
  const std::string body =
      "body = \"wf.graph 1 \\\"b\\\"\\ninput \\\"a\\\" : f64[M, 3]\\ninput \\\"b\\\" : f64[M]\\n"
      "node linalg.transpose(%0) -> f64[3, M]\\nnode concat(%1, %1) -> f64[2*M]\\n"
      "output \\\"y\\\" = %2\\noutput \\\"z\\\" = %3\\n\"";
  CHECK(one_solved("control.call", {nothing, "unknown[7]"}, {nothing, nothing}, body) ==
        list{"f64[7x3]", "f64[7]", "f64[3x7]", "f64[14]"});
  CHECK(one_solved("control.call", {"unknown[N, ?]", nothing}, {nothing, nothing}, body) ==
        list{"f64[Nx3]", "f64[N]", "f64[3xN]", "f64[(2*N)]"});
  CHECK(one_solved("control.call", {nothing, nothing}, {nothing, "unknown[14]"}, body) ==
        list{"f64[7x3]", "f64[7]", "f64[3x7]", "f64[14]"});
  CHECK(one_solved("control.call", {nothing}, {nothing, nothing}, body)[0] ==
        "WF101 in 'call#0': takes 2 operands, not 1");
  CHECK(one_solved("control.call", {"f64[7, 4]", nothing}, {nothing, nothing}, body)[0] ==
        "WF101 in 'call#0': 'x0' is 7x3 by call#0 but 7x4 by input");
}

namespace {

constexpr wf::result<wf::shape> squeezed(const wf::rule_input& in) {
  wf::shape s;
  for (std::uint32_t d = 0; d < in.operands[0].shape.rank; ++d)
    if (!(in.operands[0].shape[d] == wf::extent(1))) s.push_back(in.operands[0].shape[d]);
  return s;
}
constexpr wf::kernel_spec squeeze{.name = "squeeze",
                                  .domain = "user",
                                  .signature = "A[...] -> C[...]",
                                  .result_shape = &squeezed};

}  // namespace

TEST_CASE("a user's own rule is asked once its operands are known") {
  wf::registry r = wf::builtin_registry();
  REQUIRE(r.add(squeeze));
  const auto g = wf_test::graph_with(one_node("user.squeeze", {"f64[3, 1, M]"}, {nothing}));
  CHECK(wf_test::types(wf::solve_types(g, r)) == list{"f64[3x1xM]", "f64[3xM]"});
  const auto open = wf_test::graph_with(one_node("user.squeeze", {"f64[3, ?]"}, {nothing}));
  CHECK(wf_test::types(wf::solve_types(open, r)) == list{"f64[3x?]", "f64[?]"});
  const auto wrong = wf_test::graph_with(one_node("user.squeeze", {"f64[3, 1]"}, {"f64[4]"}));
  CHECK(wf_test::types(wf::solve_types(wrong, r))[0] ==
        "WF101 in 'squeeze#0': 'squeeze#0' is 3 by squeeze#0 but 4 as stated");
}
