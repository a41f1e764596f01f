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
