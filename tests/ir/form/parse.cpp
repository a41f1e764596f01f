// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/form/parse.hpp>

#include <random>
#include <string>

#include <doctest/doctest.h>

#include <wf/ir/compare/same.hpp>
#include <wf/ir/form/text.hpp>
#include <wf/ir/graph/validate.hpp>

namespace {

constexpr wf::text_view source =
    "wf.graph 1 \"update\"\n"
    "input \"P\" : f64[M, M] {spd}   # a comment\n"
    "input \"x\" : f64[M, 2*N + 1]\n"
    "node linalg.matmul(%0, %1) [steps = dim M, r = 3/2] cost [flops = \"2*M\"] "
    "-> f64[M, 2*N + 1]\n"
    "output \"y\" = %2\n";

constexpr bool round_trips() {
  const auto g = wf::parse_graph(source);
  return g && wf::validate(g->view()) && g->view().nodes.size() == 1 &&
         wf::same(g->view(), wf::parse_graph(wf::to_text(g->view()).view())->view());
}
static_assert(round_trips());

}  // namespace

TEST_CASE("errors say line and column, and a caret shows the place") {
  const std::string bad = "wf.graph 1 \"g\"\ninput \"P\" : f64[3, 3\n";
  const auto g = wf::parse_graph(bad);
  REQUIRE_FALSE(g);
  CHECK(g.error().code == wf::errc::graph_syntax);
  CHECK(g.error().where.line == 2);
  CHECK(std::string(wf::caret(bad, g.error().where).view()).find('^') != std::string::npos);
}

TEST_CASE("mutated texts never crash, and what parses and validates round-trips") {
  std::mt19937_64 random(32);
  const std::string alphabet = "wf.graph 1\"%@[]{}()=:,->#\n0123456789MNxyz*+/";
  std::size_t valid = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text(source);
    for (std::size_t k = 1 + random() % 4; k > 0; --k) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = alphabet[random() % alphabet.size()];
          break;
        case 1:
          text.erase(at, 1 + random() % 5);
          break;
        default:
          text.insert(at, 1, alphabet[random() % alphabet.size()]);
      }
    }
    const auto g = wf::parse_graph(text);
    if (!g || !wf::validate(g->view())) continue;
    ++valid;
    const auto again = wf::parse_graph(wf::to_text(g->view()).view());
    REQUIRE(again);
    CHECK(wf::same(g->view(), again->view()));
  }
  CHECK(valid > 500);
}
