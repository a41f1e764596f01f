// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/yaml/transforms.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/select/optimise.hpp>

#include "../kernel_texts.hpp"

namespace {

using namespace kernel_texts;

}  // namespace

TEST_CASE("row 3: a fault of a transform is reported at its line and column") {
  const refused wrong[] = {
      {in_file("transforms: [{name: t, use: strassen_split, on: matmul, guard: M > Q}]"),
       "WF202 in 'yaml': transform 't': guard: unknown symbol 'Q'; known here: M, K, N, A, B, C "
       "(line 2, column 68)"},
      {in_file("transforms: [{name: t, use: strassen_split, on: matmull}]"),
       "WF301 in 'yaml': transform 't': unknown kernel 'matmull': did you mean 'matmul'? (line 2, "
       "column 49)"},
      {in_file("transforms: [{name: t, use: strassen_spilt, on: matmul}]"),
       "WF301 in 'yaml': unknown transform 'strassen_spilt': did you mean 'strassen_split'? (line "
       "2, column 29)"},
      {in_file("transforms: [{name: chain_order, use: chain_order}]"),
       "WF302 in 'yaml': transform 'chain_order': a transform of this name exists; override it to "
       "replace it (line 2, column 21)"},
      {in_file("transforms: [{name: t}]\n"),
       "WF304 in 'yaml': a transform needs the key 'use' (line 2, column 14)"},
  };
  for (const refused& r : wrong) CHECK(told(r.yaml) == r.message);
}

TEST_CASE("row 6: a transform from a file enters the choice where its guard holds") {
  wf::registry kernels = wf::builtin_registry();
  wf::transform_registry transforms;
  const auto loaded = wf::load_kernel_file(example, kernels, transforms);
  REQUIRE(loaded);
  wf::optimise_options options;
  options.transforms = transforms.transforms();
  const auto best = wf::optimise(product().view(), wf::minimise(wf::flops), {}, kernels, options);
  REQUIRE(best);
  CHECK(best->proven_optimal);
  CHECK(best->chosen.view().op_name(best->chosen.view().nodes[0]) == "matmul_strassen");
}

TEST_CASE("row 6: a further guard narrows the one that a transform has") {
  static constexpr auto idle = [](wf::choice_graph&, wf::node_id) -> wf::result<wf::nothing> {
    return wf::nothing{};
  };
  const wf::transform mine{"user", "mine", "", idle, true, "matmul", "M >= 8"};
  wf::registry kernels = wf::builtin_registry();
  wf::transform_registry transforms;
  const std::string yaml = in_file("transforms: [{name: two, use: mine, guard: N >= 8}]");
  const auto file = wf::load_kernels(yaml, kernels, transforms, {&mine, 1});
  REQUIRE(file);
  CHECK(transforms.find("two")->guard == "(M >= 8) and (N >= 8)");
  CHECK(transforms.find("two")->domain == "user");
  const std::string other = in_file("transforms: [{name: x, use: mine, on: relu}]");
  const auto refused = wf::load_kernels(other, kernels, transforms, {&mine, 1});
  REQUIRE_FALSE(refused);
  CHECK(std::string(wf::to_text(refused.error()).view()) ==
        "WF304 in 'yaml': the transform that is used looks at matmul only (line 2, column 39)");
  // A file with transforms needs a registry of transforms.
  CHECK(wf::load_kernels(yaml, kernels).error().code == wf::errc::bad_registry_file);
}
