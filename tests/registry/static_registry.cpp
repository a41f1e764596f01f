// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/static_registry.hpp>

#include <doctest/doctest.h>

#include <wf/static.hpp>

namespace {

constexpr wf::kernel_spec clip{.name = "clip",
                               .domain = "user",
                               .signature = "X: ordered [...], factor = 2 -> Y[...]",
                               .costs = {{"flops", "factor*Y"}}};
constexpr wf::kernel_spec spin{.name = "spin", .domain = "user", .signature = "X[M, N] -> Y[N, M]"};
constexpr const wf::kernel_spec* user_domain[] = {&clip, &spin};
constexpr wf::kernel_spec dear_product{
    .name = "matmul", .costs = {{"energy", "7*A.bytes + 7*B.bytes"}}, .overrides = true};

struct energy_ : wf::metric<"energy", "pJ", wf::combination::sum, wf::missing_cost::unknown> {};
inline constexpr energy_ energy;

constexpr auto mine = wf::registry_of<user_domain, dear_product>();
static_assert(mine.find("clip")->signature == clip.signature &&
              mine.find("spin")->name == spin.name);
static_assert(wf::costs_of(*mine.find("matmul"))[0].metric == "energy" &&
              mine.find("relu")->name == "relu");
static_assert(wf::builtin_registry().find("clip") == nullptr);
static_assert(wf::registry_of<>().kernels().size() == wf::builtin_registry().kernels().size());

constexpr auto product = wf::workflow<"product">([](wf::scope& s) {
  s.output<"Y">(s.input<"A", double, 3, 4>() * s.input<"B", double, 4, 5>());
});
// A workflow with a user-defined kernel, priced while compiling with a registry that contains it.
constexpr auto clipped = wf::workflow<"clipped">([](wf::scope& s) {
  auto a = s.input<"A", double, 3, 4>();
  auto once = wf::call<clip>(a);
  s.output<"Y">(wf::call<clip, wf::with("factor", 5)>(once));
});
constexpr auto symbolic = wf::workflow<"symbolic">(
    [](wf::scope& s) { s.output<"Y">(wf::call<clip>(s.input<"A", double, "M", 4>())); });

static_assert(*wf::price(product.graph(), energy, mine) == 7 * 8 * (12 + 20));
static_assert(*wf::price(product.graph(), wf::flops, mine) == wf::cost(product)[wf::flops]);
static_assert(*wf::price(clipped.graph(), wf::flops, mine) == 2 * 12 + 5 * 12);
// The same costs, through the workflow.
constexpr auto with_mine = wf::with_kernels<user_domain, dear_product>;
static_assert(wf::cost(product, with_mine)[energy] == 7 * 8 * (12 + 20));
static_assert(wf::cost(clipped, with_mine)[wf::flops] == 84);
// Lists and arrays of kernels are entries too.
constexpr wf::kernel_spec more[] = {clip, spin};
constexpr wf::kernel_list listed = user_domain;
static_assert(wf::registry_of<more>().find("spin")->name == "spin");
static_assert(wf::registry_of<listed>().find("clip")->name == "clip");

}  // namespace

TEST_CASE("row 2: a constant registry prices while compiling and at run time") {
  CHECK(mine.kernels().size() == wf::builtin_registry().kernels().size() + 2);
  CHECK(*wf::price(clipped.graph(), wf::flops, mine) == 84);
  CHECK(wf::price(clipped.graph(), wf::flops).error().code == wf::errc::unknown_operator);
  CHECK(wf::price(product.graph(), energy).error().code == wf::errc::unknown_cost);
  CHECK(wf::to_text(*wf::price_symbolic(symbolic.graph(), wf::flops, mine)) == wf::text("8*M"));
}

TEST_CASE("row 2: a constant registry is the one that the same steps build at run time") {
  wf::registry r = wf::builtin_registry();
  REQUIRE(r.add(wf::kernel_list(user_domain)));
  REQUIRE(r.add(dear_product));
  const auto grown = r.kernels(), constant = mine.kernels();
  REQUIRE(grown.size() == constant.size());
  for (std::size_t i = 0; i < grown.size(); ++i) {
    CHECK(grown[i]->name == constant[i]->name);
    CHECK(grown[i]->domain == constant[i]->domain);
    CHECK(grown[i]->signature == constant[i]->signature);
    const auto ours = wf::costs_of(*grown[i]), theirs = wf::costs_of(*constant[i]);
    REQUIRE(ours.size() == theirs.size());
    for (std::size_t c = 0; c < ours.size(); ++c) CHECK(ours[c].formula == theirs[c].formula);
  }
}
