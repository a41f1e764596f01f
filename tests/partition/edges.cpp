// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/edges.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/partition/traffic.hpp>

#include "programs.hpp"

namespace {

// "data#0 trigger#1": what each edge carries, and its batch.
std::string edges_of(const std::string& source) {
  const auto p = programs::cut(source.c_str());
  REQUIRE(p);
  std::string out;
  for (const wf::wire_edge& e : p->edges)
    out += std::string(out.empty() ? "" : " ") +
           (e.transport == wf::wire_transport::data ? "data#" : "trigger#") +
           std::to_string(e.batch);
  return out;
}
const std::string head =
    "wf.graph 1 \"M\"\n"
    "input \"x\" : f64[4]\n"
    "input \"peers\" : peer[3]\n"
    "node wire.send(%0, %1) effect external -> f64[4], peer[], u64[]\n";
// What is sent carries no bytes.
std::int64_t bytes_of(const std::string& source) {
  return *wf::wire_bytes(*programs::cut(source.c_str()), "peers");
}

}  // namespace

TEST_CASE("E2: a message whose readers only tell that it is there carries nothing") {
  const std::string told = "node wire.signal(%2) -> trigger[]\n";
  CHECK(edges_of(head + told + "output \"y\" = %5\n") == "trigger#0");
  CHECK(bytes_of(head + told + "output \"y\" = %5\n") == 0);
  // Another reader, or an output, needs the elements.
  CHECK(edges_of(head + told + "node movement.copy(%2) -> f64[4]\noutput \"y\" = %6\n") ==
        "data#0");
  CHECK(edges_of(head + told + "output \"y\" = %2\noutput \"z\" = %5\n") == "data#0");
  CHECK(bytes_of(head + "output \"y\" = %2\n") == 96);
}
TEST_CASE("a message of which only the sender is read carries nothing") {
  CHECK(edges_of(head + "output \"who\" = %3\n") == "trigger#0");
}
TEST_CASE("a trigger that is sent carries nothing") {
  CHECK(edges_of("wf.graph 1 \"M\"\n"
                 "input \"x\" : f64[4]\n"
                 "input \"peers\" : peer[P]\n"
                 "node wire.signal(%0) -> trigger[]\n"
                 "node wire.send(%2, %1) effect external -> trigger[], peer[], u64[]\n"
                 "output \"y\" = %3\n") == "trigger#0");
}
