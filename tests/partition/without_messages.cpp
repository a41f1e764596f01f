// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/without_messages.hpp>

#include <doctest/doctest.h>

#include <partition/hashed.hpp>
#include <partition/random_program.hpp>

#include "programs.hpp"

namespace {

constexpr wf::graph whole(const char* source) {
  return *wf::without_messages(programs::parsed(source).view());
}
constexpr bool has_message(const wf::graph_view& g) {
  for (const wf::node& n : g.nodes)
    if (g.text_of(g.operations[n.op].domain) == wf::text_view("wire")) return true;
  for (const wf::value& v : g.values)
    if (v.type.type == wf::dtype::peer) return true;
  return false;
}
static_assert(whole(programs::request_and_reply).view().nodes.size() == 2);
static_assert(!has_message(whole(programs::reply_to_host).view()));
static_assert(!has_message(whole(programs::gossip).view()));

}  // namespace

TEST_CASE("without messages a workflow computes the same") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    const random_program program(seed);
    const auto alone = wf::without_messages(program.workflow().view());
    REQUIRE(alone);
    CHECK_FALSE(has_message(alone->view()));
    CHECK(hashed::run_whole(*alone) == hashed::run_whole(program.workflow()));
  }
}
TEST_CASE("a workflow without messages stays as it is") {
  const wf::graph g = programs::parsed(programs::local);
  CHECK(wf::without_messages(g.view())->view().nodes.size() == g.view().nodes.size());
}
TEST_CASE("what needs machines or numbers of requests as values is refused") {
  const auto refused = wf::without_messages(programs::parsed(programs::unread).view());
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == wf::errc::not_executable);
  CHECK(refused.error().subject.view() == wf::text_view("number"));
}
TEST_CASE("on one machine all answers are one") {
  const auto alone = wf::without_messages(
      programs::parsed("wf.graph 1 \"M\"\n"
                       "input \"x\" : f64[N]\n"
                       "input \"servers\" : peer[3]\n"
                       "node wire.send(%0, %1) effect external -> f64[N], peer[], u64[]\n"
                       "node wire.collect(%2, %1) peer \"servers\" -> f64[3, N]\n"
                       "output \"y\" = %5\n")
          .view());
  REQUIRE_MESSAGE(alone, std::string(wf::to_text(alone.error()).view()));
  CHECK_FALSE(has_message(alone->view()));
  REQUIRE(alone->view().nodes.size() == 1);
  CHECK(std::string(wf::to_text(alone->view()).view())
            .find("node movement.broadcast_to(%0) [d0 = dim 3, d1 = dim N] peer \"servers\" -> "
                  "f64[3, N]") != std::string::npos);
}
