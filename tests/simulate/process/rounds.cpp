// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/process/rounds.hpp>

#include <doctest/doctest.h>

#include <vector>

#include "rated_process.hpp"

namespace {

using wf_test::rated;

// Drives the rules by hand: nothing happens by itself.
class by_hand : public wf::sim::detail::process_rounds<by_hand, rated> {
  using base = wf::sim::detail::process_rounds<by_hand, rated>;

 public:
  explicit by_hand(wf::network<rated>& n) : base(n) {
    const auto over = [](const auto&) { return base::here; };
    REQUIRE(this->set_up({}, over));
    for (const auto& e : n.edges) this->start_edge(e);
    for (std::uint32_t i = 0; i < n.nodes.size(); ++i) this->start_node(i);
  }
  wf::table<wf::wait_edge> waits() const {
    wf::table<wf::wait_edge> out;
    for (std::uint32_t i = 0; i < this->nodes_.size(); ++i) this->add_waits(i, out);
    return out;
  }
  bool holds(std::uint32_t node) const { return this->holds_data(node); }

  std::int64_t now() const { return 0; }
  void run_later(std::uint32_t node, std::int32_t, std::int64_t) { able.push_back(node); }
  void wake_later(std::uint32_t, std::int64_t) {}
  void carry(std::uint32_t, std::int64_t) {}
  void give_out(std::uint32_t, std::uint32_t, std::int64_t) { ++emitted; }
  void freed(std::uint32_t way) { this->make_room(way); }
  void ran(std::uint32_t, std::int64_t, std::int64_t) {}

  std::vector<std::uint32_t> able;
  int emitted = 0;
};

}  // namespace

TEST_CASE("a round takes what the rates say, and a run needs room for all that it emits") {
  wf::network<rated> n;
  const auto host = n.add_host();
  n.add_node("a", rated({2}, {3}, 1), host);
  n.add_node("b", rated({4}, {1}, 1), host);
  n.connect(0, 0, 1, 0).capacity = 3;
  by_hand r(n);
  r.arrive(0, 0, 5);
  CHECK(r.able.empty());
  CHECK(r.holds(0));
  r.arrive(0, 0, 6);
  REQUIRE(r.able == std::vector<std::uint32_t>{0});
  r.arrive(0, 0, 7);  // of the next round: it is not given before the run
  r.begin_run(0, 0);
  r.finish_run(0);
  CHECK(r.able.size() == 1);  // b has taken 3 of 4
  r.arrive(0, 0, 8);
  REQUIRE(r.able == std::vector<std::uint32_t>{0, 0});  // b took all: there is room
  r.begin_run(0, 0);
  r.finish_run(0);
  REQUIRE(r.able == std::vector<std::uint32_t>{0, 0, 1});
  r.arrive(0, 0, 9);
  r.arrive(0, 0, 9);
  CHECK(r.able.size() == 3);  // two of b's next round lie on the edge: no room for three
  const auto waits = r.waits();
  REQUIRE(waits.size() == 1);
  CHECK(waits[0] == wf::wait_edge{0, 1});
  r.begin_run(1, 0);
  r.finish_run(1);
  CHECK(r.emitted == 1);
  CHECK(r.able == std::vector<std::uint32_t>{0, 0, 1, 0});
}
