// SPDX-License-Identifier: BSL-1.0
#include <wf/rewrite/call_patterns.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/functions/opaque.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/cost/cost.hpp>
#include <wf/ir/compare/same.hpp>
#include <wf/ir/graph/validate.hpp>

namespace {

using row = wf::call_pattern;

constexpr auto legacy = wf::workflow<"legacy">([](wf::scope& s) {
  auto a = s.input<"a", double, 3, 4>();
  auto b = s.input<"b", double, 4, 5>();
  auto c =
      s.let<"c">(wf::opaque<"numpy.matmul", "x: f64 [M, K], y: f64 [K, N] -> z: f64 [M, N]">(a, b));
  auto d = s.let<"d">(
      wf::opaque<"torch.relu", "x: f64 [M, N] -> y: f64 [M, N]", wf::with("inplace", 1)>(c));
  s.output<"e">(wf::opaque<"numpy.sum", "x: f64 [M, N] -> y: f64 [M]", wf::with("dim", 1)>(d));
  s.output<"f">(wf::opaque<"mine.secret", "x: f64 [M, N] -> y: f64 [M, N]">(d));
});
constexpr row rows[] = {row{.call = "numpy.*", .op = "*", .attributes = {{"dim", "axis"}}},
                        row{.call = "torch.relu", .op = "relu", .attributes = {{"inplace", ""}}},
                        row{.call = "torch.*", .op = "tanh"}};

constexpr bool maps_while_compiling() {
  const auto mapped = wf::map_calls(legacy.graph(), rows);
  if (!mapped) return false;
  const wf::graph_view g = mapped->view();
  return g.op_name(g.nodes[0]) == "matmul" && g.op_name(g.nodes[1]) == "relu" &&
         g.op_name(g.nodes[2]) == "sum" && g.op_name(g.nodes[3]) == "::opaque::mine.secret" &&
         g.nodes[0].effects == wf::effect::pure &&
         g.integer_attribute(g.nodes[2], "axis", 0) == 1 && g.nodes[1].attributes.count == 0 &&
         g.text_of(g.nodes[0].name) == "c";
}
static_assert(maps_while_compiling());

wf::error failure(std::vector<wf::call_pattern> table) {
  return wf::map_calls(legacy.graph(), {table.data(), table.size()}).error();
}

}  // namespace

TEST_CASE("calls that a table knows are operators, with their prices") {
  CHECK(maps_while_compiling());
  wf::graph mapped = *wf::map_calls(legacy.graph(), rows);
  REQUIRE(wf::validate(mapped.view()));
  const auto price = wf::price(mapped.view(), wf::flops);
  REQUIRE_FALSE(price);  // of the calls that remain opaque
  CHECK(price.error().code == wf::errc::unknown_cost);
  // Without a table nothing changes, and other nodes never do.
  CHECK(wf::same(wf::map_calls(legacy.graph(), {})->view(), legacy.graph()));
  const row again{.call = "*", .op = "relu"};
  const auto twice = wf::map_calls(mapped.view(), {&again, 1});
  REQUIRE(twice);
  CHECK(twice->view().op_name(twice->view().nodes[3]) == "relu");
  CHECK(twice->view().op_name(twice->view().nodes[0]) == "matmul");
}

TEST_CASE("the longest pattern holds, an exact one first, whatever the order of the table") {
  constexpr auto one = wf::workflow<"one">([](wf::scope& s) {
    auto x = s.input<"x", double, 3>();
    s.output<"y">(wf::opaque<"a.bc.d", "x: f64 [N] -> y: f64 [N]">(x));
  });
  // In increasing order of precedence.
  const std::pair<const char*, const char*> ranked[] = {
      {"*", "abs"}, {"*.d", "exp"}, {"a.*d", "sin"}, {"a.bc*", "cos"}, {"a.bc.d", "relu"}};
  std::mt19937 random(2205);
  for (unsigned chosen = 1; chosen < 32; ++chosen) {
    std::vector<wf::call_pattern> table;
    std::string best;
    for (unsigned i = 0; i < 5; ++i) {
      if ((chosen >> i & 1) == 0) continue;
      table.push_back(row{.call = ranked[i].first, .op = ranked[i].second});
      best = ranked[i].second;
    }
    std::shuffle(table.begin(), table.end(), random);
    const auto mapped = wf::map_calls(one.graph(), {table.data(), table.size()});
    REQUIRE(mapped);
    CAPTURE(chosen);
    CHECK(std::string(mapped->view().op_name(mapped->view().nodes[0])) == best);
  }
}

TEST_CASE("a pattern matches what begins and ends as it does, the star anything between") {
  wf::text_view star;
  std::mt19937 random(2206);
  const auto any = [&](std::size_t most) {
    std::string s;
    for (std::size_t i = random() % (most + 1); i > 0; --i) s += "ab"[random() % 2];
    return s;
  };
  for (int round = 0; round < 3000; ++round) {
    const std::string head = any(2), tail = any(2), name = any(5), pattern = head + "*" + tail;
    bool wanted = false;
    for (std::size_t length = 0; length <= name.size(); ++length)  // by enumeration
      for (std::size_t at = 0; at + length <= name.size(); ++at)
        wanted = wanted || name == head + name.substr(at, length) + tail;
    CHECK(wf::detail::matches(pattern, name, star) == wanted);
    if (wanted) CHECK(head + std::string(star) + tail == name);
    CHECK(wf::detail::matches(name, name, star));
  }
}

TEST_CASE("operands in another order") {
  constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
    auto b = s.input<"b", double, 3, 2>();
    auto a = s.input<"a", double, 3, 3>();
    auto unused = s.input<"u", double>();
    s.output<"x">(
        wf::opaque<"legacy.solve", "b: f64 [M, N], A: f64 [M, M], tol: f64 [] -> x: f64 [M, N]">(
            b, a, unused));
  });
  const row one{.call = "legacy.solve", .op = "solve", .operands = {1, 0, -1}};
  const auto mapped = wf::map_calls(w.graph(), {&one, 1});
  REQUIRE(mapped);
  const wf::graph_view g = mapped->view();
  REQUIRE(g.nodes[0].inputs.count == 2);
  CHECK(g.text_of(g[g.inputs_of(g.nodes[0])[0]].name) == "a");
  CHECK(g.text_of(g[g.inputs_of(g.nodes[0])[1]].name) == "b");
}

TEST_CASE("rows that cannot be, and calls that are no such operator, are refused by name") {
  using wf::errc;
  CHECK(failure({row{.call = "", .op = "relu"}}).code == errc::bad_pattern);
  CHECK(failure({row{.call = "a.*.*", .op = "relu"}}).code == errc::bad_pattern);
  CHECK(failure({row{.call = "a.*", .op = "*_*"}}).code == errc::bad_pattern);
  CHECK(failure({row{.call = "a.b", .op = "*"}}).code == errc::bad_pattern);
  CHECK(failure({row{.call = "a.b", .op = "relu"}, row{.call = "a.b", .op = "tanh"}}).code ==
        errc::bad_pattern);
  CHECK(failure({row{.call = "a.b", .op = "rellu"}}).code == errc::unknown_operator);
  const wf::error none = failure({row{.call = "numpy.*", .op = "np_*"}});
  CHECK(none.code == errc::unknown_operator);
  CHECK(none.subject == "c");
  const wf::error shape =
      failure({row{.call = "numpy.matmul", .op = "matmul", .operands = {1, 0, -1}}});
  CHECK(shape.code == errc::shape_mismatch);
  CHECK(shape.subject == "c");
  const wf::error gives = failure({row{.call = "torch.relu", .op = "sum"}});
  CHECK(gives.code == errc::shape_mismatch);
  CHECK(std::string(gives.message.view()) ==
        "by the table it is sum, which gives f64[scalar], not f64[3x5]");
  CHECK(failure({row{.call = "torch.relu", .op = "equal", .operands = {0, 0, -1}}}).code ==
        errc::dtype_mismatch);
  CHECK(failure({row{.call = "torch.relu", .op = "relu", .operands = {3, -1}}}).code ==
        errc::shape_mismatch);
}
