// SPDX-License-Identifier: BSL-1.0
#include <wf/select/bodies.hpp>

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include <wf/cost/cost.hpp>
#include <wf/registry/registry.hpp>

#include "../repeated.hpp"

namespace {

// The cheapest of the ways by hand, in flops.
struct chain_case {
  const char* body;
  std::int64_t rounds;
  std::int64_t least;
};

constexpr std::int64_t n = 20, product = 2 * n * n * n, applied = 2 * n * n;

constexpr chain_case chains[] = {
    // A B x: from the right, or the product once.
    {"input A : f64[n,n]; input B : f64[n,n]; input x_ : f64[n]; x = A B x_; export x", 1,
     2 * applied},
    {"input A : f64[n,n]; input B : f64[n,n]; input x_ : f64[n]; x = A B x_; export x", 19,
     19 * 2 * applied},
    {"input A : f64[n,n]; input B : f64[n,n]; input x_ : f64[n]; x = A B x_; export x", 21,
     product + 21 * applied},
    {"input A : f64[n,n]; input B : f64[n,n]; input C : f64[n,n]; input x_ : f64[n];"
     "x = A B C x_; export x",
     15, 15 * 3 * applied},
    {"input A : f64[n,n]; input B : f64[n,n]; input C : f64[n,n]; input x_ : f64[n];"
     "x = A B C x_; export x",
     100, 2 * product + 100 * applied},
};

}  // namespace

TEST_CASE("a body is evaluated in the best order, or its invariant part once, by price") {
  const wf::registry kernels = wf::builtin_registry();
  for (const chain_case& c : chains) {
    CAPTURE(c.body);
    CAPTURE(c.rounds);
    const wf::graph g = repeated::once(c.body, n, {c.rounds});
    const auto made = wf::optimise_bodies(g.view(), wf::minimise(wf::flops));
    REQUIRE_MESSAGE(made, std::string(wf::to_text(made.error()).view()));
    CHECK(wf::validate(made->workflow.view()));
    CHECK(made->proven_optimal);
    CHECK(made->bodies == 1);
    const auto price = wf::price(made->workflow.view(), wf::flops);
    REQUIRE(price);
    CHECK(*price == c.least);
    CHECK(made->hoisted == (c.least % (c.rounds * applied) != 0));
  }
}

TEST_CASE("workflows without bodies stay, and bodies within bodies are chosen, too") {
  const auto plain = wf::equations("plain", "input x : f64[3]; y = exp(x); export y");
  const auto same = wf::optimise_bodies(plain->view(), wf::minimise(wf::flops));
  REQUIRE(same);
  CHECK(wf::same(same->workflow.view(), plain->view()));
  CHECK(same->bodies == 0);
  const wf::graph inner = repeated::once(chains[0].body, n, {3});
  wf::graph alone("inner");
  {
    wf::graph_builder into("inner");
    std::vector<wf::value_id> operands;
    for (const wf::value& v : inner.view().values)
      if (v.producer == wf::node_id::none)
        operands.push_back(into.graph().add_input(inner.view().text_of(v.name), v.type));
    const auto outputs = wf::splice(inner.view(), into, {operands.data(), operands.size()}, {});
    into.graph().add_output("x", (*outputs)[0]);
    alone = into.take();
  }
  wf::detail::graph_capture to("outer");
  std::vector<wf::value_id> operands;
  for (const wf::value& v : alone.view().values)
    if (v.producer == wf::node_id::none)
      operands.push_back(to.add_input(alone.view().text_of(v.name), v.type));
  const auto results = wf::detail::add_fixpoint(to, "outer", alone.view(), {5},
                                                {operands.data(), operands.size()}, {});
  to.add_output("x", results[0]);
  const auto g = to.finish();
  REQUIRE(g);
  const auto made = wf::optimise_bodies(g->view(), wf::minimise(wf::flops));
  REQUIRE(made);
  CHECK(*wf::price(made->workflow.view(), wf::flops) == 5 * 3 * 2 * applied);
}

TEST_CASE("an error in a body names its node") {
  const wf::graph g = repeated::once(repeated::bodies[0], 4, {3});
  constexpr wf::metric<"unheard", "u", wf::combination::sum, wf::missing_cost::unknown> unheard;
  const auto made = wf::optimise_bodies(g.view(), wf::minimise(unheard));
  REQUIRE_FALSE(made);
  CHECK(made.error().code == wf::errc::unknown_cost);
  CHECK(made.error().subject.view() == "loop");
}
