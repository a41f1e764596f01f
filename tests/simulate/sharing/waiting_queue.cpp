// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/sharing/waiting_queue.hpp>

#include <doctest/doctest.h>

#include <random>
#include <vector>

TEST_CASE("the largest priority leaves first, then the request that came first") {
  for (std::uint64_t priorities : {1u, 2u, 5u}) {
    std::mt19937_64 random(priorities);
    wf::sim::waiting_queue q;
    std::vector<wf::sim::waiting_request> list;
    std::uint64_t number = 0;
    for (int i = 0; i < 5000; ++i) {
      if (list.empty() || random() % 2 == 0) {
        const wf::sim::waiting_request w{
            {static_cast<std::uint32_t>(i), static_cast<std::int32_t>(random() % priorities), 0},
            number++};
        q.push(w);
        list.push_back(w);
      } else {
        std::size_t first = 0;
        for (std::size_t k = 1; k < list.size(); ++k)
          if (list[k].what.priority > list[first].what.priority) first = k;
        REQUIRE(q.front().what.activity == list[first].what.activity);
        REQUIRE(q.pop().what.activity == list[first].what.activity);
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(first));
      }
      REQUIRE(q.size() == list.size());
      REQUIRE(q.empty() == list.empty());
    }
  }
}
