// SPDX-License-Identifier: BSL-1.0
#include <wf/report/partition/cut_layout.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <wf/report/partition/cut_svg.hpp>

#include <partition/machine_case.hpp>
#include <partition/random_program.hpp>

#include "../../partition/programs.hpp"

#include "large_programs.hpp"

namespace {

struct area {
  std::int64_t left, top, right, bottom;
  bool meets(const area& o) const {
    return left < o.right && o.left < right && top < o.bottom && o.top < bottom;
  }
};
area line(std::int64_t x1, std::int64_t y1, std::int64_t x2, std::int64_t y2) {
  return {std::min(x1, x2), std::min(y1, y2), std::max(x1, x2) + 1, std::max(y1, y2) + 1};
}

// No box meets another one, no wire a box or a label of another wire, and no wire runs along
// another one.
void check_layout(const wf::partitioned_program& p) {
  wf::table<wf::table<wf::detail::class_row>> rows;
  const wf::registry kernels = wf::builtin_registry();
  for (const wf::partition& part : p.partitions) {
    const wf::graph_view g = part.workflow.view();
    rows.push_back(wf::detail::class_rows(g, kernels, 17).rows());
  }
  const auto labels = wf::wire_labels(p);
  const wf::detail::cut_layout made(p, rows, labels);
  std::vector<area> boxes, words;
  std::vector<std::vector<area>> ways;
  for (const auto& b : made.boxes()) {
    boxes.push_back({b.x, b.y, b.x + b.width, b.y + b.height});
    for (std::size_t i = 0; i < b.rows.size(); ++i) REQUIRE(b.tops[i] + 20 <= b.y + b.height);
  }
  for (std::size_t k = 0; k < made.routes().size(); ++k) {
    const auto& r = made.routes()[k];
    const auto &from = boxes[p.edges[k].from], &to = boxes[p.edges[k].to];
    const std::int64_t begin = r.leaves_right ? from.right : from.left - 1;
    const std::int64_t end = r.enters_left ? to.left - 1 : to.right;
    const std::int64_t turn = r.is_direct ? r.to_y : r.track;
    ways.push_back(
        {line(begin, r.from_y, r.out_lane, r.from_y), line(r.out_lane, r.from_y, r.out_lane, turn),
         line(r.out_lane, turn, r.in_lane, turn), line(r.in_lane, turn, r.in_lane, r.to_y),
         line(r.in_lane, r.to_y, end, r.to_y)});
    words.push_back({r.label_x, r.label_y - 10,
                     r.label_x + 5 * std::int64_t(wf::detail::columns_of(labels[k].view())),
                     r.label_y + 2});
  }
  const area all{0, 0, made.width(), made.height()};
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    REQUIRE(boxes[i].right <= all.right);
    REQUIRE(boxes[i].bottom <= all.bottom);
    for (std::size_t j = 0; j < i; ++j) REQUIRE_FALSE(boxes[i].meets(boxes[j]));
  }
  for (std::size_t k = 0; k < ways.size(); ++k) {
    REQUIRE(words[k].right <= all.right);
    for (const area& b : boxes) REQUIRE_FALSE(words[k].meets(b));
    for (std::size_t j = 0; j < k; ++j) REQUIRE_FALSE(words[k].meets(words[j]));
    for (const area& way : ways[k]) {
      REQUIRE(way.left >= 0);
      REQUIRE(way.right <= all.right);
      REQUIRE(way.bottom <= all.bottom);
      for (const area& b : boxes) REQUIRE_FALSE(way.meets(b));
      for (const area& w : words) REQUIRE_FALSE(way.meets(w));
      for (std::size_t j = 0; j < k; ++j)
        for (const area& other : ways[j])  // crossings are points
          REQUIRE((!way.meets(other) ||
                   (std::min(way.right, other.right) - std::max(way.left, other.left) <= 1 &&
                    std::min(way.bottom, other.bottom) - std::max(way.top, other.top) <= 1)));
    }
  }
}

}  // namespace

TEST_CASE("boxes do not overlap, and wires meet neither boxes nor labels") {
  for (const char* source : {programs::local, programs::one_hop, programs::request_and_reply,
                             programs::reply_to_host, programs::gossip, programs::two_messages}) {
    check_layout(*programs::cut(source));
    check_layout(machine_case::deployed(programs::parsed(source)).parts());
  }
  for (std::uint32_t count = 1; count <= 7; ++count)
    check_layout(machine_case::deployed(large_programs::workers(count)).parts());
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    const random_program program(seed);
    check_layout(machine_case::deployed(program.workflow()).parts());
    check_layout(*programs::cut(program.workflow().view(), {.split_disconnected = true}));
  }
}

TEST_CASE("neighbours are joined directly in both directions, a class with itself below") {
  const auto d = machine_case::deployed(programs::parsed(programs::reply_to_host));
  wf::table<wf::table<wf::detail::class_row>> rows(2);
  const wf::detail::cut_layout both(d.parts(), rows, wf::wire_labels(d.parts()));
  CHECK(both.routes()[0].is_direct);
  CHECK(both.routes()[0].leaves_right);
  CHECK(both.routes()[1].is_direct);
  CHECK_FALSE(both.routes()[1].leaves_right);
  const auto self = machine_case::deployed(programs::parsed(programs::gossip));
  wf::table<wf::table<wf::detail::class_row>> one(1);
  const wf::detail::cut_layout loop(self.parts(), one, wf::wire_labels(self.parts()));
  CHECK_FALSE(loop.routes()[0].is_direct);
  CHECK(loop.routes()[0].track > loop.boxes()[0].y + loop.boxes()[0].height);
}
