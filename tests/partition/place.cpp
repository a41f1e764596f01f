// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/place.hpp>

#include <string>

#include <doctest/doctest.h>

#include "programs.hpp"

namespace {

// The classes of the nodes: "@self @self>peers peers", with the receivers of a message after ">".
std::string homes(const char* source) {
  const auto p = programs::placed(source);
  if (!p) return std::string(wf::to_text(p.error()).view());
  const auto name = [&](std::uint32_t c) {
    return c == wf::placed_graph::anywhere ? std::string("-") : std::string(p->classes[c].view());
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
              "node wire.send(%0, %1) effect external -> f64[4], peer[], u64[]\n"
              "node elementwise.add(%2, %0) named \"z\" -> f64[4]\n"
              "output \"z\" = %5\n") ==
        "WF901 in 'z': it runs on 'peers', but reads a value of '@self': only a message leads from "
        "one to the other");
}

TEST_CASE("an order across classes needs a message, too") {
  CHECK(
      homes("wf.graph 1 \"M\"\n"
            "input \"x\" : f64[4]\n"
            "node user.there() peer \"b\" named \"there\" -> f64[4]\n"
            "node user.here(%0) named \"here\" -> f64[4]\n"
            "edge control @0 -> @1\n"
            "output \"y\" = %2\n") ==
      "WF901 in 'here': it runs on '@self', but must run after an operation of 'b': only a message "
      "leads from one to the other");
}
TEST_CASE("machines of one class keep it, and those of two do not mix") {
  const std::string head =
      "wf.graph 1 \"M\"\n"
      "input \"x\" : f64[4]\n"
      "input \"a\" : peer[2]\n"
      "input \"b\" : peer[2]\n"
      "input \"k\" : u64[2]\n";
  CHECK(homes((head + "node movement.slice(%1) [axis = 0, start = 0, length = 1] -> peer[1]\n"
                      "node wire.send(%0, %4) effect external -> f64[4], peer[], u64[]\n"
                      "output \"y\" = %5\n")
                  .c_str()) == "- @self>a");
  CHECK(homes((head + "node movement.concat(%1, %2) [axis = 0] named \"both\" -> peer[4]\n"
                      "node wire.send(%0, %4) effect external -> f64[4], peer[], u64[]\n"
                      "output \"y\" = %5\n")
                  .c_str()) == "WF902 in 'both': it mixes machines of 'a' and 'b'");
  CHECK(homes((head +
               "node wire.send(%0, %3) effect external named \"lost\" -> f64[4], peer[], u64[]\n"
               "output \"y\" = %4\n")
                  .c_str()) ==
        "WF902 in 'lost': the class of the machines that it sends to is not known");
}

TEST_CASE("a message has a value, machines and three results") {
  CHECK(homes("wf.graph 1 \"M\"\n"
              "input \"x\" : f64[4]\n"
              "node wire.send(%0) effect external named \"half\" -> f64[4], peer[], u64[]\n"
              "output \"y\" = %1\n") ==
        "WF101 in 'half': a message takes a value and machines, and has three results");
}

TEST_CASE("only cutting makes nodes that receive, and numbers of messages") {
  for (const char* source :
       {"wf.graph 1 \"M\"\n"
        "node wire.receive() [dtype = \"f64\"] effect external -> f64[], peer[]\n"
        "output \"y\" = %0\n",
        "wf.graph 1 \"M\"\n"
        "input \"x\" : f64[4]\n"
        "input \"peers\" : peer[P]\n"
        "node wire.send(%0, %1) [edge = 0] effect external -> f64[4], peer[], u64[]\n"
        "output \"y\" = %2\n",
        "wf.graph 1 \"M\"\n"
        "input \"x\" : f64[4]\n"
        "node elementwise.negate(%0) [edge = 0] -> f64[4]\n"
        "output \"y\" = %1\n"})
    CHECK(programs::placed(source).error().code == wf::errc::malformed_graph);
}

namespace {

// The servers' answers are collected by whoever asked them: the host, or what `more` says.
std::string collecting(const std::string& list, const std::string& more = "") {
  return "wf.graph 1 \"M\"\n"
         "input \"x\" : f64[4]\n"
         "input \"servers\" : peer[3]\n"
         "input \"others\" : peer[2]\n"
         "input \"one\" : peer[1]\n"
         "node wire.send(%0, %1) effect external -> f64[4], peer[], u64[]\n" +
         (more.empty() ? "node elementwise.negate(%4) -> f64[4]\n" : more) +
         "node wire.send(%7, %5) effect external -> f64[4], peer[], u64[]\n"
         "node wire.collect(%8, " +
         list + ") -> f64[" +
         (list == "%1"   ? "3"
          : list == "%2" ? "2"
                         : "1") +
         ", 4]\n"
         "output \"y\" = %11\n";
}

}  // namespace

TEST_CASE("what was sent to a list is collected from that list") {
  const auto all = programs::placed(collecting("%1").c_str());
  REQUIRE_MESSAGE(all, std::string(wf::to_text(all.error()).view()));
  CHECK(all->classes[all->homes[3]] == "@self");
  // One machine of a list of its own has nothing to be told apart.
  CHECK(programs::placed(collecting("%3").c_str()));
  const auto other = programs::placed(collecting("%2").c_str());
  REQUIRE_FALSE(other);
  CHECK(std::string(wf::to_text(other.error()).view()) ==
        "WF912 in 'collect#3': what it collects was sent to another list of machines last");
  // A server has only the value of its own.
  const auto there = programs::placed(
      "wf.graph 1 \"M\"\n"
      "input \"x\" : f64[4]\n"
      "input \"servers\" : peer[3]\n"
      "node wire.send(%0, %1) effect external -> f64[4], peer[], u64[]\n"
      "node elementwise.negate(%2) -> f64[4]\n"
      "node wire.collect(%5, %1) -> f64[3, 4]\n"
      "output \"y\" = %6\n");
  REQUIRE_FALSE(there);
  CHECK(
      std::string(wf::to_text(there.error()).view()) ==
      "WF912 in 'collect#2': it runs on each machine of the list, and each has a value of its own "
      "alone");
  const auto none = programs::placed(
      "wf.graph 1 \"M\"\n"
      "input \"x\" : f64[4]\n"
      "input \"servers\" : peer[3]\n"
      "node wire.collect(%0, %1) -> f64[3, 4]\n"
      "output \"y\" = %2\n");
  CHECK(none.error().code == wf::errc::unmatched_collection);
}
TEST_CASE("lists within lists are collected from the inner one outwards") {
  const auto nested = [](const char* inner, const char* outer, const char* n, const char* m) {
    return std::string(
               "wf.graph 1 \"M\"\n"
               "input \"x\" : f64[]\n"
               "input \"servers\" : peer[3]\n"
               "input \"others\" : peer[2]\n"
               "node wire.as_class(%2) [class = \"helpers\"] -> peer[2]\n"
               "node wire.send(%0, %1) effect external -> f64[], peer[], u64[]\n"
               "node wire.send(%4, %3) effect external -> f64[], peer[], u64[]\n"
               "node wire.send(%7, %8) effect external -> f64[], peer[], u64[]\n"
               "node wire.collect(%10, ") +
           inner + ") -> f64[" + n +
           "]\n"
           "node wire.send(%13, %5) effect external -> f64[" +
           n +
           "], peer[], u64[]\n"
           "node wire.collect(%14, " +
           outer + ") -> f64[" + m + ", " + n +
           "]\n"
           "output \"y\" = %17\n";
  };
  const auto inward = programs::placed(nested("%2", "%1", "2", "3").c_str());
  REQUIRE_MESSAGE(inward, std::string(wf::to_text(inward.error()).view()));
  // The list restated by `as_class` is the same list.
  CHECK(programs::placed(nested("%3", "%1", "2", "3").c_str()));
  CHECK(programs::placed(nested("%1", "%2", "3", "2").c_str()).error().code ==
        wf::errc::unmatched_collection);
}
