// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/sharing/slots.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {

using engine = wf::sim::engine<wf::sim::slots>;
struct recorder {
  engine& e;
  std::vector<std::int64_t> begin = std::vector<std::int64_t>(10, -1);
  std::vector<std::int64_t> end = begin;
  void started(std::uint32_t a, std::int64_t t) { begin[a] = t; }
  void finished(std::uint32_t a) {
    end[a] = e.now();
    if (a == 0) e.add(0, {3, 5, 4}, *this);  // important, and asked for in the tick of the end
  }
};

}  // namespace

TEST_CASE("a free slot goes to the largest priority, then to the first") {
  const wf::table<std::int64_t> slots = {1, 2};
  engine e{wf::sim::slots(slots)};
  recorder d{e};
  e.add(0, {0, 0, 10}, d);
  e.add(0, {1, 0, 10}, d);
  e.add(0, {2, 1, 10}, d);
  for (std::uint32_t a = 4; a < 7; ++a) e.add(1, {a, 0, 7}, d);
  e.run(d);
  CHECK(d.begin[2] == 0);   // of the requests of one tick
  CHECK(d.begin[0] == 10);  // before 1, which came later
  CHECK(d.begin[3] == 20);
  CHECK(d.begin[1] == 24);
  CHECK(d.end[1] == 34);
  CHECK(d.begin[4] == 0);  // the other host
  CHECK(d.begin[5] == 0);
  CHECK(d.begin[6] == 7);
}
