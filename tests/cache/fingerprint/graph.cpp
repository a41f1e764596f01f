// SPDX-License-Identifier: BSL-1.0
#include <wf/cache/fingerprint/graph.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/ir/compare/same.hpp>
#include <wf/ir/form/parse.hpp>

#include "../../ir/edit_graph.hpp"

namespace {

constexpr char first_text[] = R"(wf.graph 1 "w"
input "x" : f64[3, N]
node nn.relu(%0) named "r" at "main.cpp":12:3 -> f64[3, N]
node nn.tanh(%0) -> f64[3, N]
output "y" = %1
output "z" = %2
)";

constexpr wf::graph parsed(wf::text_view text) { return *wf::parse_graph(text); }
constexpr wf::graph first() { return parsed(first_text); }

// The text with one part replaced.
std::string with(std::string from, const std::string& to) {
  std::string out = first_text;
  const std::size_t at = out.find(from);
  REQUIRE(at != std::string::npos);
  return out.replace(at, from.size(), to);
}

bool strict_differs(const std::string& text) {
  const wf::graph a = first(), b = parsed(text);
  CHECK((wf::fingerprint_of(a) != wf::fingerprint_of(b)) != wf::same(a, b));
  CHECK((wf::strict_key{}(a) != wf::strict_key{}(b)) != wf::same(a, b));
  return wf::fingerprint_of(a) != wf::fingerprint_of(b);
}
bool semantic_differs(const std::string& text) {
  return wf::semantic_key{}(first()) != wf::semantic_key{}(parsed(text));
}

struct stage {
  wf::graph g;
  int options = 0;
};

}  // namespace

static_assert(wf::fingerprintable<wf::graph> && wf::fingerprintable<stage>);
static_assert(wf::to_text(wf::fingerprint_of(first())) ==
              wf::text("84ff0ab09a043403d525eace87dcec82"));
static_assert(wf::semantic_key{}(first()) == wf::digest(first()));
static_assert(wf::fingerprint_of(first()) == wf::fingerprint_of(first().view()));
static_assert(wf::fingerprint_of(first()) ==
              wf::fingerprint_of(wf::freeze<wf::sizes_of(first())>(first())));
static_assert(wf::fingerprint_of(stage{first(), 1}) != wf::fingerprint_of(stage{first(), 2}));

TEST_CASE("the fingerprint of a graph is strict: names, locations and order count") {
  CHECK_FALSE(strict_differs(first_text));
  CHECK(strict_differs(with("named \"r\"", "named \"s\"")));
  CHECK(strict_differs(with("main.cpp\":12", "main.cpp\":13")));
  CHECK(strict_differs(with("\"w\"", "\"v\"")));
  CHECK(strict_differs(with("3, N", "3, M")));
  CHECK(strict_differs(with("relu", "sigmoid")));
  CHECK(strict_differs(
      with("output \"y\" = %1\noutput \"z\" = %2", "output \"z\" = %2\noutput \"y\" = %1")));
}

TEST_CASE("the semantic key is that of the computation: names, locations and order do not count") {
  CHECK_FALSE(semantic_differs(with("named \"r\"", "named \"s\"")));
  CHECK_FALSE(semantic_differs(with("main.cpp\":12", "main.cpp\":13")));
  CHECK_FALSE(semantic_differs(with("\"w\"", "\"v\"")));
  const std::string reordered = R"(wf.graph 1 "w"
input "x" : f64[3, N]
node nn.tanh(%0) -> f64[3, N]
node nn.relu(%0) -> f64[3, N]
output "y" = %2
output "z" = %1
)";
  CHECK(strict_differs(reordered));
  CHECK_FALSE(semantic_differs(reordered));
  CHECK(semantic_differs(with("relu", "sigmoid")));
  CHECK(semantic_differs(with("input \"x\"", "input \"u\"")));
  CHECK(semantic_differs(with("\"y\" = %1", "\"y\" = %2")));
}

TEST_CASE("random graphs have the same fingerprint just if they are the same") {
  wf_test::random_source random(51);
  std::size_t changed = 0, same_digest = 0;
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    const wf::graph g = wf_test::random_graph(random);
    wf_test::loose_graph parts = wf_test::take_apart(g);
    CHECK(wf::fingerprint_of(g) == wf::fingerprint_of(wf_test::put_together(parts)));
    const wf::graph other = wf_test::put_together(wf_test::disguised(parts, random));
    CHECK((wf::fingerprint_of(g) == wf::fingerprint_of(other)) == wf::same(g, other));
    CHECK(wf::semantic_key{}(g) == wf::semantic_key{}(other));
    same_digest += wf::same(g, other) ? 0 : 1;
    if (wf_test::single_change(parts, random).make().empty()) continue;
    ++changed;
    const wf::graph edited = wf_test::put_together(parts);
    CHECK(wf::fingerprint_of(g) != wf::fingerprint_of(edited));
    CHECK(wf::semantic_key{}(g) != wf::semantic_key{}(edited));
  }
  CHECK(changed > 200);
  CHECK(same_digest > 200);
}

TEST_CASE("where text lies in the pools does not count") {
  wf::graph padded = first();
  padded.intern("nobody refers to this");
  CHECK(wf::same(padded, first()));
  CHECK(wf::fingerprint_of(padded) == wf::fingerprint_of(first()));
}

TEST_CASE("cyclic graphs have no digest, but different keys") {
  const auto cyclic = [](wf::text_view op) {
    wf::graph g("g");
    const wf::value_type type{wf::dtype::f64, {}, wf::shape::of(1, 2)};
    const wf::node_id n = g.add_node({.op = op}, {}, {&type, 1});
    g.add_edge(wf::edge_kind::control, n, n);
    return g;
  };
  CHECK(wf::digest(cyclic("f")) == wf::digest(cyclic("g")));
  CHECK(wf::semantic_key{}(cyclic("f")) != wf::semantic_key{}(cyclic("g")));
  CHECK(wf::semantic_key{}(cyclic("f")) == wf::semantic_key{}(cyclic("f")));
}
