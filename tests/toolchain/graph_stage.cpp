// SPDX-License-Identifier: BSL-1.0
#include <wf/toolchain/graph_stage.hpp>

#include <doctest/doctest.h>

#include <wf/partition/toolchain.hpp>
// After a toolchain that starts with graphs has been defined:
#include <wf/compile/stages.hpp>

TEST_CASE("a graph has the same name in all toolchains") {
  CHECK(wf::stage_name<wf::graph> == "graph");
  CHECK(wf::stage_name<wf::priced_graph> == "priced graph");
}
