// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/kernel.hpp>

#include <doctest/doctest.h>

namespace {

constexpr wf::attribute_value attributes[] = {wf::attribute_value::integer("stride", 2),
                                              wf::attribute_value::string("mode", "same")};
constexpr wf::rule_input input{{}, attributes};
static_assert(input.integer("stride", 1) == 2 && input.integer("padding", 7) == 7);
static_assert(input.integer("mode", 3) == 3 && input.find("mode")->characters == "same");
static_assert(input.find("none") == nullptr);

}  // namespace

TEST_CASE("a kernel is a plain value") {
  const wf::kernel_spec k{.name = "clip", .domain = "user", .signature = "A[...] -> C[...]"};
  CHECK_FALSE(k.is_view);
  CHECK(k.costs[0].metric.empty());
}
