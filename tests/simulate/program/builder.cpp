// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/program/builder.hpp>

#include <doctest/doctest.h>

namespace {

constexpr wf::sim_program sample() {
  wf::sim_program_builder b;
  b.platform.slots.push_back(1);
  for (std::int64_t work : {3, 5, 7}) b.add(wf::sim_resource::slots, 0, work);
  b.connect(1, 2);
  b.connect(0, 2);
  b.connect(1, 0);
  return b.take();
}
static_assert(sample().successors.size() == 3);
static_assert(wf::simulate(sample())->makespan == 15);

}  // namespace

TEST_CASE("successors are kept by activity, in the order in which they were connected") {
  const wf::sim_program p = sample();
  CHECK(p.activities[0].successors == wf::range{0, 1});
  CHECK(p.activities[1].successors == wf::range{1, 2});
  CHECK(p.activities[2].successors.count == 0);
  CHECK(p.successors == wf::table<std::uint32_t>{2, 2, 0});
  wf::sim_program_builder b;
  b.add(wf::sim_resource::slots, 0, 1);
  b.take();
  CHECK(b.take().activities.empty());
}
