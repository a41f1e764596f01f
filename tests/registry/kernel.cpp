// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/kernel.hpp>

#include <doctest/doctest.h>

namespace {

constexpr wf::attribute_value attributes[] = {
    wf::attribute_value::integer("stride", 2), wf::attribute_value::string("mode", "same"),
    wf::attribute_value::ratio("part", 1, 4), wf::attribute_value::floating("scale", 0.1)};
constexpr wf::rule_input input{{}, attributes};
static_assert(input.integer("stride", 1) == 2 && input.integer("padding", 7) == 7);
static_assert(input.integer("mode", 3) == 3 && input.find("mode")->characters == "same");
static_assert(input.find("none") == nullptr);
static_assert(input.real("part", 1) == 0.25 && input.real("scale", 1) == 0.1);
static_assert(input.real("stride", 1) == 2 && input.real("none", 1.5) == 1.5);

// True if the stated cuts mean these, one character per dimension of the result.
constexpr bool cuts_are(wf::text_view stated, wf::text_view meant, bool elementwise = false) {
  wf::kernel_spec k;
  k.cuts = stated;
  k.laws.elementwise = elementwise;
  for (std::uint32_t d = 0; d < meant.size(); ++d) {
    const wf::cut is = wf::cut_of(k, static_cast<std::uint32_t>(meant.size()), d);
    const wf::cut should = meant[d] == 'c'   ? wf::cut::parts
                           : meant[d] == 'w' ? wf::cut::windows
                                             : wf::cut::none;
    if (is != should) return false;
  }
  return true;
}
static_assert(cuts_are("", "---") && cuts_are("", "ccc", true) && cuts_are("-c", "-c", true));
static_assert(cuts_are("*-", "-") && cuts_are("*-", "ccc-") && cuts_are("*", "ccc"));
static_assert(cuts_are("-*", "-") && cuts_are("-*", "-cc") && cuts_are("-*w", "-cw"));
static_assert(cuts_are("ccww", "ccww") && cuts_are("*--", "c--") && cuts_are("*cc", "cccc"));

}  // namespace

TEST_CASE("a kernel is a plain value") {
  const wf::kernel_spec k{.name = "clip", .domain = "user", .signature = "A[...] -> C[...]"};
  CHECK_FALSE(k.is_view);
  CHECK(k.costs[0].metric == nullptr);
}

TEST_CASE("the costs of a kernel end where the entries do") {
  const wf::kernel_spec k{.name = "clip",
                          .domain = "user",
                          .signature = "A[...] -> C[...]",
                          .costs = {{"flops", "2*C"}, {"operations", "A"}}};
  REQUIRE(wf::costs_of(k).size() == 2);
  CHECK(wf::costs_of(k)[1].formula == "A");
}

TEST_CASE("a price of text that is no literal keeps its size") {
  const char source[] = "flops: 2*C; operations: A";
  const wf::text_view all(source);
  wf::kernel_spec k{.name = "clip", .domain = "user", .signature = "A[...] -> C[...]"};
  k.costs[0] = wf::kernel_cost::of({all.part(0, 5), all.part(7, 3)});
  REQUIRE(wf::costs_of(k).size() == 1);
  CHECK(wf::costs_of(k)[0].metric == "flops");
  CHECK(wf::costs_of(k)[0].formula == "2*C");
}
