// SPDX-License-Identifier: BSL-1.0
#include <wf/cost/body_price.hpp>

#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <wf/cost/critical_path.hpp>
#include <wf/registry/registry.hpp>

#include "../repeated.hpp"

namespace {

// An operator of a user, which runs its body twice as often as it says.
inline constexpr wf::kernel_spec doubled{
    .name = "doubled",
    .domain = "mine",
    .signature =
        "X_*X: any [...], body: string, carried = 1, times: number, tolerance: real -> "
        "carried*Y: any [...], runs: i64 [], converged: bool []",
    .costs = {{"flops", "7"}},
    .result_shape = wf::kernels::fixpoint.result_shape,
    .result_dtype = wf::kernels::fixpoint.result_dtype,
    .repeats = "2*times"};

}  // namespace

TEST_CASE("a body costs its runs, as if they were written out") {
  for (const char* text : repeated::bodies)
    for (std::int64_t runs : {1, 2, 7}) {
      const wf::graph g = repeated::once(text, 5, {runs});
      const wf::graph all = repeated::written_out(g.view(), runs);
      CAPTURE(text);
      CAPTURE(runs);
      // What does not depend on the carried values is one node where runs are written out.
      const bool moves = std::string_view(text).find("trans(A) A") != std::string_view::npos ||
                         std::string_view(text).find("trans(A))") != std::string_view::npos;
      const auto flops = wf::price(g.view(), wf::flops), written = wf::price(all.view(), wf::flops);
      REQUIRE(flops);
      REQUIRE(written);
      if (moves)
        CHECK(*flops >= *written);
      else
        CHECK(*flops == *written);
    }
}

TEST_CASE("amounts in use do not add up, longest paths do") {
  const wf::graph g = repeated::once(repeated::bodies[2], 6, {50});
  const wf::graph body = *wf::body_of(g.view(), wf::node_id{0});
  const std::int64_t matrix = 6 * 6 * 8;
  const auto inside = wf::detail::scratch_of_body(body.view(), wf::builtin_registry());
  REQUIRE(inside);
  CHECK(*inside == *wf::price(body.view(), wf::peak_memory) - 2 * matrix);
  // Two inputs, the result with the number of runs and the verdict, and what the body needs.
  CHECK(*wf::price(g.view(), wf::peak_memory) == 3 * matrix + 9 + *inside);
  constexpr wf::metric<"flops", "flop", wf::combination::maximum> largest;
  CHECK(*wf::price(g.view(), largest) == *wf::price(body.view(), largest));
  constexpr wf::metric<"flops", "flop", wf::combination::critical_path> longest;
  CHECK(*wf::price(g.view(), longest) == 50 * *wf::price(body.view(), longest));
}

TEST_CASE("rounds may be a symbol, and the price a polynomial") {
  const auto body = wf::equations("body", repeated::bodies[0]);
  wf::detail::graph_capture to("symbolic");
  const wf::extent n(wf::make_symbol("n"));
  const wf::value_id operands[] = {to.add_input("A", {wf::dtype::f64, {}, wf::shape::of(n, n)}),
                                   to.add_input("b", {wf::dtype::f64, {}, wf::shape::of(n)}),
                                   to.add_input("x", {wf::dtype::f64, {}, wf::shape::of(n)})};
  const auto made = wf::detail::add_fixpoint(to, "", body->view(), {n}, operands, {});
  to.add_output("x", made[0]);
  const auto g = to.finish();
  REQUIRE(g);
  const auto price = wf::price_symbolic(g->view(), wf::flops);
  REQUIRE(price);
  const auto once = wf::price_symbolic(body->view(), wf::flops);
  wf::polynomial all;
  REQUIRE(multiply(*once, wf::polynomial(wf::make_symbol("n")), all) == wf::errc::none);
  CHECK(wf::to_text(*price).view() == wf::to_text(all).view());
  constexpr wf::metric<"flops", "flop", wf::combination::critical_path> longest;
  CHECK(wf::total_cost<wf::polynomial>(g->view(), longest, wf::builtin_registry()).error().code ==
        wf::errc::not_comparable);
  CHECK(wf::total_cost<wf::polynomial>(g->view(), wf::metric_spec{"scratch", "B"},
                                       wf::builtin_registry())
            .error()
            .code == wf::errc::not_comparable);
}

TEST_CASE("an operator of a user that repeats a body is priced like the built-in one") {
  wf::registry all = wf::builtin_registry();
  REQUIRE(all.add(doubled));
  const wf::graph g = repeated::once(repeated::bodies[0], 4, {3});
  wf::graph own("own");
  std::vector<wf::value_id> inputs;
  for (const wf::value& v : g.view().values)
    if (v.producer == wf::node_id::none)
      inputs.push_back(own.add_input(g.view().text_of(v.name), v.type));
  wf::attribute_value attributes[] = {
      wf::attribute_value::string("body", g.view().text_of(g.view().attributes[0].characters)),
      wf::attribute_value::integer("times", 3), wf::attribute_value::floating("tolerance", 0)};
  std::vector<wf::value_type> results;
  for (std::uint32_t k = 0; k < 3; ++k)
    results.push_back(g.view()[wf::graph_view::output_of(g.view().nodes[0], k)].type);
  wf::node_description d;
  d.op = "doubled";
  d.domain = "mine";
  d.attributes = attributes;
  own.add_node(d, {inputs.data(), inputs.size()}, {results.data(), results.size()});
  CHECK(*wf::price(own.view(), wf::flops, all) == 7 + 2 * *wf::price(g.view(), wf::flops));
  CHECK(*wf::detail::runs_of_body(own.view(), wf::node_id{0}, doubled) == 6);
  wf::kernel_spec wrong = doubled;
  wrong.name = "wrong";
  wrong.repeats = "2*rounds";
  CHECK(all.add(wrong).error().code == wf::errc::unknown_symbol);
  wrong.repeats = "2";
  wrong.signature = "X[n], body: string -> Y[n]";
  CHECK(all.add(wrong).error().code == wf::errc::bad_signature);
}

TEST_CASE("an error in a body names the node") {
  wf::graph g = repeated::once(repeated::bodies[0], 4, {3});
  constexpr wf::metric<"unheard", "u", wf::combination::sum, wf::missing_cost::unknown> unheard;
  const auto price = wf::price(g.view(), unheard);
  REQUIRE_FALSE(price);
  CHECK(price.error().subject.view() == "loop");
}
