// SPDX-License-Identifier: BSL-1.0
#include <wf/run/parallel/team.hpp>

#include <thread>
#include <vector>

#include <doctest/doctest.h>

namespace {

using wf::compute::team, wf::compute::team_scope;

// A pool with a thread for each part.
void split(void* calls, std::size_t count, team::part_function f, void* what) {
  ++*static_cast<int*>(calls);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < count; ++i) threads.emplace_back([=] { f(what, i); });
  for (std::thread& t : threads) t.join();
}

}  // namespace

TEST_CASE("outside an executor a thread is alone") {
  CHECK(team::current().size() == 1);
  std::vector<std::size_t> order;
  team::current().each_part(3, [&](std::size_t i) { order.push_back(i); });
  CHECK(order == std::vector<std::size_t>{0, 1, 2});
}

TEST_CASE("each part is called once, and is alone") {
  int calls = 0;
  const team two(&calls, 2, &split);
  std::vector<int> called(5);
  std::vector<std::size_t> sizes(5);
  {
    const team_scope scope(two);
    CHECK(team::current().size() == 2);
    team::current().each_part(5, [&](std::size_t i) {
      ++called[i];
      sizes[i] = team::current().size();
    });
    CHECK(team::current().size() == 2);
  }
  CHECK(team::current().size() == 1);
  CHECK(called == std::vector<int>(5, 1));
  CHECK(sizes == std::vector<std::size_t>(5, 1));
  CHECK(calls == 1);
}

TEST_CASE("one part, or one thread, needs no pool") {
  int calls = 0, done = 0;
  team(&calls, 4, &split).each_part(1, [&](std::size_t) { ++done; });
  team(&calls, 1, &split).each_part(4, [&](std::size_t) { ++done; });
  team(&calls, 4, &split).each_part(0, [&](std::size_t) { ++done; });
  CHECK(done == 5);
  CHECK(calls == 0);
}

TEST_CASE("scopes nest") {
  int calls = 0;
  const team_scope outer(team(&calls, 2, &split));
  {
    const team_scope inner((team()));
    CHECK(team::current().size() == 1);
  }
  CHECK(team::current().size() == 2);
}

TEST_CASE("parts begin at tiles, one after the other, and cover everything") {
  using wf::compute::detail::part_begin, wf::compute::detail::work_shape;
  for (const std::ptrdiff_t all : {0, 1, 7, 64, 100, 1000, 4001})
    for (const std::size_t parts : {1u, 2u, 3u, 8u})
      for (const work_shape work : {work_shape::even, work_shape::falling, work_shape::rising}) {
        CHECK(part_begin(0, parts, all, 8, work) == 0);
        CHECK(part_begin(parts, parts, all, 8, work) == all);
        for (std::size_t i = 0; i < parts; ++i) {
          const std::ptrdiff_t begin = part_begin(i, parts, all, 8, work);
          CHECK((begin % 8 == 0 || begin == all));
          CHECK(begin <= part_begin(i + 1, parts, all, 8, work));
        }
      }
  // A triangle's columns: the first third of them has more than half of its elements.
  CHECK(part_begin(1, 2, 3000, 8, work_shape::falling) == 880);
  CHECK(part_begin(1, 2, 3000, 8, work_shape::rising) == 2120);
}
