// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/expand.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/ir/form/text.hpp>

#include "programs.hpp"

TEST_CASE("a constant has its number") {
  const wf::registry kernels = wf::builtin_registry();
  const auto expanded = [&](const char* constant) {
    return wf::expand(programs::parsed((std::string("wf.graph 1 \"M\"\nnode ") + constant +
                                        " named \"c\" -> f64[]\noutput \"y\" = %0\n")
                                           .c_str())
                          .view(),
                      kernels);
  };
  CHECK(expanded("elementwise.constant() [value = 2.5]"));
  CHECK(expanded("user.other()"));
  CHECK(std::string(wf::to_text(expanded("elementwise.constant()").error()).view()) ==
        "WF107 in 'c': a constant has its number in the attribute 'value'");
}
TEST_CASE("a message in a loop becomes one for each step") {
  const auto g = wf::expand(
      programs::parsed("wf.graph 1 \"M\"\n"
                       "input \"x\" : f64[4]\n"
                       "input \"peers\" : peer[P]\n"
                       "node wire.send(%0, %1) [steps = 3] effect external -> f64[4], peer[], "
                       "u64[]\n"
                       "output \"y\" = %2\n")
          .view(),
      wf::builtin_registry());
  REQUIRE(g);
  CHECK(g->view().nodes.size() == 3);
}
