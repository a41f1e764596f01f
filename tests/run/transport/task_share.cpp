// SPDX-License-Identifier: BSL-1.0
#include <wf/run/transport/task_share.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "random_tasks.hpp"

TEST_CASE("the shares of all processes are the list: found by definition") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const std::uint32_t ranks = 1 + seed % 5;
    const wf::task_list all = random_tasks::make(seed, ranks, 40).tasks;
    std::size_t own = 0;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      const wf::task_share s(all, rank);
      own += s.own();
      std::set<std::uint32_t> needed;
      for (std::uint32_t t = 0; t < all.size(); ++t)
        if (all.owner(t) == rank) {
          needed.insert(t);
          for (const std::uint32_t b : all.before(t)) needed.insert(b);
        }
      REQUIRE(s.places() == needed.size());
      for (std::uint32_t p = 0; p < s.places(); ++p) {
        const std::uint32_t task = s.task(p);
        REQUIRE(s.place_of(task) == p);
        REQUIRE((all.owner(task) == rank) == (p < s.own()));
        if (p > 0 && p != s.own()) REQUIRE(s.task(p - 1) < task);
        std::set<std::uint32_t> after;
        std::set<std::pair<std::uint32_t, bool>> readers;
        std::uint32_t uses = p < s.own() && all.is_kept(task) ? 1 : 0;
        for (std::uint32_t t = 0; t < all.size(); ++t) {
          const auto occurs = [&](wf::view<std::uint32_t> of) {
            return static_cast<std::uint32_t>(std::count(of.begin(), of.end(), task));
          };
          if (occurs(all.before(t)) == 0) continue;
          if (all.owner(t) == rank) {
            after.insert(s.place_of(t));
            uses += occurs(all.operands(t));
          } else if (occurs(all.operands(t)) != 0) {
            readers.erase({all.owner(t), false});
            readers.insert({all.owner(t), true});
          } else if (!readers.contains({all.owner(t), true})) {
            readers.insert({all.owner(t), false});
          }
        }
        CHECK(s.uses(p) == uses);
        const wf::view<std::uint32_t> found = s.after(p);
        CHECK(std::set<std::uint32_t>(found.begin(), found.end()) == after);
        CHECK(found.size() == after.size());
        if (p >= s.own()) continue;
        const wf::view<std::uint32_t> before = all.before(task);
        CHECK(s.waits(p) == std::set<std::uint32_t>(before.begin(), before.end()).size());
        std::vector<std::uint32_t> operands;
        for (const std::uint32_t o : s.operands(p)) operands.push_back(s.task(o));
        const wf::view<std::uint32_t> stated = all.operands(task);
        CHECK(operands == std::vector<std::uint32_t>(stated.begin(), stated.end()));
        std::set<std::pair<std::uint32_t, bool>> told;
        for (std::size_t i = 0; i < s.readers(p); ++i)
          told.emplace(s.reader_of(p, i).rank, s.reader_of(p, i).reads);
        CHECK(told == readers);
        CHECK(s.readers(p) == readers.size());
      }
    }
    CHECK(own == all.size());
  }
}
