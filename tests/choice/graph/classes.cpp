// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/graph/classes.hpp>

#include <random>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace {

constexpr std::uint32_t none = wf::value_classes::none;

constexpr bool absorbs() {
  wf::value_classes c;
  for (int i = 0; i < 4; ++i) c.add();
  c.add_dependent(1, wf::node_id{7});
  c.absorb(1, 3);
  c.absorb(0, 1);
  return c.of(3) == 0 && c.of(1) == 0 && c.of(2) == 2 && c.next_member(0) == 1 &&
         c.next_member(1) == 3 && c.next_member(3) == none &&
         c.dependent_at(c.first_dependent(0)).node == wf::node_id{7};
}
static_assert(absorbs());

}  // namespace

TEST_CASE("classes, members and dependents are those of a naive partition") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const auto size = static_cast<std::uint32_t>(1 + random() % 20);
    wf::value_classes c;
    std::vector<std::uint32_t> root(size);
    std::vector<std::vector<std::uint32_t>> dependents(size);
    for (std::uint32_t v = 0; v < size; ++v) c.add(), root[v] = v;
    for (std::uint32_t step = 0; step < 40; ++step) {
      const auto at = static_cast<std::uint32_t>(random() % size);
      if (random() % 2 == 0) {
        c.add_dependent(c.of(at), wf::node_id{step});
        dependents[root[at]].push_back(step);
        continue;
      }
      std::uint32_t first = root[at], second = root[random() % size];
      if (first == second) continue;
      if (first > second) std::swap(first, second);
      c.absorb(first, second);
      for (std::uint32_t& r : root) r = r == second ? first : r;
      dependents[first].insert(dependents[first].end(), dependents[second].begin(),
                               dependents[second].end());
    }
    for (std::uint32_t v = 0; v < size; ++v) {
      CHECK(c.of(v) == root[v]);
      if (root[v] != v) continue;
      std::vector<char> in(size);
      for (std::uint32_t m = v; m != none; m = c.next_member(m)) in[m] = 1;
      for (std::uint32_t m = 0; m < size; ++m) CHECK((in[m] != 0) == (root[m] == v));
      std::vector<std::uint32_t> found;
      for (std::uint32_t e = c.first_dependent(v); e != none; e = c.dependent_at(e).next)
        found.push_back(wf::index_of(c.dependent_at(e).node));
      CHECK(found == dependents[v]);
    }
  }
}
