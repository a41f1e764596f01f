// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/static_catalogue.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/registry/registry.hpp>
#include <wf/registry/times/host_times.hpp>

namespace {

constexpr wf::kernel_spec clip{
    .name = "clip", .domain = "user", .signature = "X[...] -> Y[...]", .costs = {{"flops", "Y"}}};
constexpr wf::kernel_spec dearer{
    .name = "clip", .costs = {{"flops", "2*Y"}, {"energy", "Y"}}, .overrides = true};
// The same kernel refined repeatedly: facts of earlier refinements remain.
constexpr wf::kernel_spec several[] = {
    {.name = "matmul", .costs = {{"energy", "7*C"}}, .overrides = true},
    clip,
    dearer,
    {.name = "matmul", .costs = {{"messages", "1"}}, .overrides = true},
    {.name = "relu", .costs = {{"flops", "0"}}, .overrides = true},
    {.name = "clip", .costs = {{"messages", "2"}}, .overrides = true},
};
constexpr wf::kernel_spec none[] = {clip};

void check_same(const wf::kernel_spec& a, const wf::kernel_spec& b) {
  CAPTURE(std::string(a.name));
  CHECK(a.name == b.name);
  CHECK(a.domain == b.domain);
  CHECK(a.summary == b.summary);
  CHECK(a.signature == b.signature);
  CHECK((a.result_shape == b.result_shape));  // doctest prints no pointers to functions
  CHECK((a.result_dtype == b.result_dtype));
  CHECK((a.result_properties == b.result_properties));
  CHECK(a.is_view == b.is_view);
  CHECK(a.in_place == b.in_place);
  CHECK((a.fusion == b.fusion));
  CHECK(a.effects == b.effects);
  REQUIRE(wf::costs_of(a).size() == wf::costs_of(b).size());
  for (std::size_t i = 0; i < wf::costs_of(a).size(); ++i) {
    CHECK(wf::costs_of(a)[i].metric == wf::costs_of(b)[i].metric);
    CHECK(wf::costs_of(a)[i].formula == wf::costs_of(b)[i].formula);
  }
}

// Checks that a catalogue holds what adding the same kernels one by one gives.
template <const auto& Entries>
void check_catalogue() {
  wf::registry grown = wf::builtin_registry();
  for (const wf::kernel_spec& k : Entries) REQUIRE(grown.add(k));
  const wf::registry constant(wf::detail::static_catalogue<Entries>::value);
  const auto wanted = grown.kernels(), found = constant.kernels();
  REQUIRE(wanted.size() == found.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    check_same(*found[i], *wanted[i]);
    CHECK(constant.find(wanted[i]->name) == found[i]);
  }
  CHECK(constant.find("no such kernel") == nullptr);
}

}  // namespace

TEST_CASE("a catalogue is what the same kernels added at run time make") {
  check_catalogue<several>();
  check_catalogue<none>();
  check_catalogue<wf::kernels::host_times>();
}
