// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/yaml/kernel_file.hpp>

#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "../kernel_texts.hpp"

namespace {

using namespace kernel_texts;

}  // namespace

TEST_CASE("row 2: what a file gives outlives its text, and moves with its owner") {
  wf::registry kernels = wf::builtin_registry();
  wf::kernel_file owner;
  {
    std::string yaml = kernel("    summary: \"tabs\\tand quotes\"\n    costs: {flops: 2*Y}\n");
    auto loaded = wf::load_kernels(yaml, kernels);
    REQUIRE(loaded);
    wf::kernel_file moved = *std::move(loaded);
    owner = std::move(moved);
    yaml.assign(yaml.size(), '#');
  }
  CHECK(kernels.find("blur")->summary == "tabs\tand quotes");
  CHECK(wf::costs_of(*kernels.find("blur"))[0].formula == "2*Y");
  CHECK(owner.kernels()[0].signature == "X: floating [H, W] -> Y[H, W]");
}

TEST_CASE("a file that nothing was read from has nothing, and the caches that wf assumes") {
  const wf::kernel_file none;
  CHECK(none.kernels().empty());
  CHECK(none.transforms().empty());
  CHECK(none.calls().empty());
  CHECK(none.caches() == wf::host_caches());
}
