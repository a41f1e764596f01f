// SPDX-License-Identifier: BSL-1.0
#include <wf/rewrite/bind.hpp>

#include <doctest/doctest.h>

#include <wf/static.hpp>

namespace {

constexpr auto symbolic = wf::workflow<"symbolic">([](wf::scope& s) {
  auto a = s.input<"A", double, "M", "N">();
  auto b = s.input<"B", double, "N", 3>();
  s.output<"Y">(relu(a * b));
});

constexpr wf::symbol_size sizes[] = {{wf::make_symbol("M"), 5}, {wf::make_symbol("N"), 7}};

constexpr std::int64_t bound_flops() {
  const auto g = wf::bind_symbols(symbolic.graph(), sizes);
  return g ? *wf::price(g->view(), wf::flops) : -1;
}
static_assert(bound_flops() == 2 * 5 * 7 * 3 + 5 * 3);

}  // namespace

TEST_CASE("binding symbols gives the cost polynomial's value") {
  const auto total = wf::price_symbolic(symbolic.graph(), wf::flops);
  REQUIRE(total);
  for (std::int64_t m = 1; m < 6; ++m) {
    for (std::int64_t n = 1; n < 6; ++n) {
      const wf::symbol_size s[] = {{wf::make_symbol("M"), m}, {wf::make_symbol("N"), n}};
      const auto g = wf::bind_symbols(symbolic.graph(), s);
      REQUIRE(g);
      CHECK(wf::validate(g->view()));
      CHECK(g->view().is_static());
      const wf::assignment point[] = {{wf::make_symbol("M"), m}, {wf::make_symbol("N"), n}};
      const auto value = wf::evaluate_at(*total, point);
      REQUIRE(value);
      CHECK(wf::rational(*wf::price(g->view(), wf::flops)) == *value);
    }
  }
}

TEST_CASE("symbols that are not named stay") {
  const auto g = wf::bind_symbols(symbolic.graph(), {sizes, 1});
  REQUIRE(g);
  CHECK_FALSE(g->view().is_static());
  CHECK(g->view().values[0].type.shape == wf::shape::of(5, "N"));
}

TEST_CASE("derived extents are worked out") {
  wf::graph g("derived");
  const wf::extent e = g.add_derived("M*N - 2");
  const wf::value_id x = g.add_input("x", {wf::dtype::f64, {}, wf::shape::of(e)});
  g.add_output("y", x);
  const auto both = wf::bind_symbols(g.view(), sizes);
  REQUIRE(both);
  CHECK(both->view().values[0].type.shape == wf::shape::of(33));
  const wf::symbol_size n_only[] = {{wf::make_symbol("N"), 7}};
  const auto one = wf::bind_symbols(g.view(), n_only);
  REQUIRE(one);
  CHECK(one->view().text_of(one->view().derived[0]) == "7*M - 2");
  const wf::symbol_size zero[] = {{wf::make_symbol("N"), 0}, {wf::make_symbol("M"), 0}};
  const auto negative = wf::bind_symbols(g.view(), zero);
  REQUIRE_FALSE(negative);
  CHECK(negative.error().code == wf::errc::shape_mismatch);
}

TEST_CASE("a negative size is refused") {
  const wf::symbol_size s[] = {{wf::make_symbol("M"), -1}};
  const auto g = wf::bind_symbols(symbolic.graph(), s);
  REQUIRE_FALSE(g);
  CHECK(g.error().code == wf::errc::bad_attribute);
}
