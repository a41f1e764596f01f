// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/place.hpp>

#include <string>

#include <doctest/doctest.h>

#include "programs.hpp"

namespace {

// The classes of the nodes: "@self @self>peers peers", with the receivers of a message after ">".
std::string homes(const char* source) {
  const auto p = programs::placed(source);
  if (!p) return wf::to_text(p.error()).data();
  const auto name = [&](std::uint32_t c) {
    return c == wf::placed_graph::anywhere ? std::string("-") : std::string(p->classes[c].data(), p->classes[c].size());
  };
  std::string out;
  for (std::size_t i = 0; i < p->homes.size(); ++i) {
    out += (i == 0 ? "" : " ") + name(p->homes[i]);
    if (p->receivers[i] != wf::placed_graph::anywhere) out += ">" + name(p->receivers[i]);
  }
  return out;
}

}  // namespace

TEST_CASE("E1: without a message all runs on the host") {
  CHECK(homes(programs::local) == "@self @self");
}
TEST_CASE("E2: what is sent is a value of the receivers") {
  CHECK(homes(programs::one_hop) == "@self @self>peers peers");
}
TEST_CASE("E4: a reply leads to the class of the machines it is sent to") {
  CHECK(homes(programs::request_and_reply) == "@self>servers servers servers>clients clients");
  CHECK(homes(programs::reply_to_host) == "- @self>servers servers servers>@self @self");
}
TEST_CASE("E5: machines that an operator knows by itself are of its class") {
  CHECK(homes(programs::gossip) == "@self @self>@self @self");
}
TEST_CASE("E7: values of two classes do not meet without a message") {
  CHECK(homes("wf.graph 1 \"M\"\n"
              "input \"x\" : f64[4]\n"
              "input \"peers\" : peer[P]\n"
              "node wire.send(%0, %1) effect external -> f64[4], u64[]\n"
              "node elementwise.add(%2, %0) named \"z\" -> f64[4]\n"
              "output \"z\" = %4\n") ==
        "WF901 in 'z': it runs on 'peers', but reads a value of '@self': only a message leads from "
        "one to the other");
}
