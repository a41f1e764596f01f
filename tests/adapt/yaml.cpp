// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/yaml.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/cost/cost.hpp>
#include <wf/registry/usage.hpp>
#include <wf/static.hpp>

#include "kernel_texts.hpp"

namespace {

using namespace kernel_texts;

}  // namespace

TEST_CASE("row 2: the example file gives kernels that price and transforms that are guarded") {
  wf::registry kernels = wf::builtin_registry();
  wf::transform_registry transforms;
  const auto loaded = wf::load_kernel_file(example, kernels, transforms);
  REQUIRE_MESSAGE(loaded, std::string(wf::to_text(loaded.error()).view()));
  REQUIRE(loaded->kernels().size() == 4);

  const wf::kernel_spec* blur = kernels.find("blur");
  REQUIRE(blur != nullptr);
  CHECK(blur->domain == "imaging");
  CHECK(blur->laws.linear);
  CHECK(blur->laws.distributes("subtract"));
  CHECK(blur->summary == "a sum over windows, several times");
  CHECK(kernels.find("record")->effects == wf::effect::stateful);
  CHECK(kernels.find("record")->in_place);
  CHECK((blur->fusion == wf::fusion_role::contraction));
  const wf::datum data[] = {{"filter", {wf::dtype::f32, {}, wf::shape::of(3, 5)}},
                            {"image", {wf::dtype::f32, {}, wf::shape::of(2, 40, 30)}}};
  const auto matched = wf::match_usage(*blur, data);
  REQUIRE(matched);
  CHECK(matched->given.results[0].shape == wf::shape::of(2, 40, 30));

  wf::graph g("g");
  const wf::value_id in[] = {g.add_input("X", data[1].type), g.add_input("K", data[0].type)};
  const wf::attribute_value passes = wf::attribute_value::integer("passes", 3);
  g.add_node({.op = "blur", .domain = "imaging"}, {in, 2}, matched->given.types());
  g.add_node({.op = "blur", .domain = "imaging", .attributes = {&passes, 1}}, {in, 2},
             matched->given.types());
  CHECK(*wf::price(g.view(), wf::flops, kernels) == (1 + 3) * 2 * 2400 * 15);
  CHECK(*wf::price(g.view(), {"energy", "pJ"}, kernels) == 2 * 3 * 4 * 2400);

  // The refined product keeps its other costs and has an energy.
  CHECK(*wf::price(product().view(), wf::flops, kernels) == 2LL << 30);
  CHECK(*wf::price(product().view(), {"energy", "pJ"}, kernels) == (5LL << 30) + (2LL << 23));
  REQUIRE(transforms.transforms().size() == 1);
  CHECK(transforms.transforms()[0].domain == "imaging");
  CHECK(loaded->transforms()[0].name == "strassen_for_squares");
}

TEST_CASE("row 2: a file that cannot be read") {
  wf::registry kernels;
  const auto missing = wf::load_kernel_file("/nowhere/kernels.yaml", kernels);
  REQUIRE_FALSE(missing);
  CHECK(std::string(wf::to_text(missing.error()).view()) ==
        "WF304 in '/nowhere/kernels.yaml': the file cannot be read");
  CHECK(wf::load_times("/no/such/file", kernels).error().message.view() ==
        "the file cannot be read");
}
