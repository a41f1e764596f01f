// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/sharing/fifo_links.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {

using engine = wf::sim::engine<wf::sim::fifo_links>;
struct recorder {
  engine& e;
  std::vector<std::int64_t> begin = std::vector<std::int64_t>(4, -1), end = begin;
  void started(std::uint32_t a, std::int64_t t) { begin[a] = t; }
  void finished(std::uint32_t a) { end[a] = e.now(); }
};

}  // namespace

TEST_CASE("messages wait for their link, and arrive a latency later") {
  const wf::table<wf::fifo_link> links = {{4, 10, 0}, {0, 3, 0}};
  engine e{wf::sim::fifo_links(links)};
  recorder d{e};
  e.add(0, {0, 0, 9}, d);
  e.add(0, {1, 0, 4}, d);
  e.add(1, {2, 0, 1000}, d);
  e.add(0, {3, 0, 0}, d);
  e.run(d);
  CHECK(d.begin == std::vector<std::int64_t>{0, 3, 0, 4});
  CHECK(d.end == std::vector<std::int64_t>{13, 14, 3, 14});
}
