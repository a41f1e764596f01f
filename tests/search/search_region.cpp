// SPDX-License-Identifier: BSL-1.0
#include <wf/search/search_region.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace {

constexpr std::int64_t side = 7;

wf::objective_vector random_vector(std::mt19937& random, std::uint32_t objectives) {
  wf::objective_vector v;
  for (std::uint32_t i = 0; i < objectives; ++i) v[i] = static_cast<std::int64_t>(random() % side);
  return v;
}

template <class Visit>
void for_each_vector(std::uint32_t objectives, Visit visit) {
  for (std::int64_t a = 0; a < side; ++a)
    for (std::int64_t b = 0; b < side; ++b)
      for (std::int64_t c = 0; c < (objectives == 3 ? side : 1); ++c)
        visit(wf::objective_vector{{a, b, c}});
}

bool is_open(const wf::search_region& region, const wf::objective_vector& v) {
  for (const wf::objective_box& box : region.open())
    if (box.contains(v)) return true;
  return false;
}

constexpr std::size_t boxes_after_two_points() {
  wf::search_region region(3, {{9, 9, 9}});
  region.add({{2, 4, 6}});
  region.add({{4, 6, 2}});
  return region.open().size();
}
static_assert(boxes_after_two_points() == 5);  // 2 n + 1

}  // namespace

TEST_CASE("what no point dominates and no proof excludes is open, and without proofs only that") {
  std::mt19937 random(211);
  for (int round = 0; round < 2000; ++round) {
    CAPTURE(round);
    const std::uint32_t objectives = 2 + random() % 2;
    const bool with_proofs = random() % 2 == 0;
    wf::objective_vector most{{side - 1, side - 1, side - 1}};
    if (random() % 4 == 0) most[0] = wf::unbounded;
    wf::search_region region(objectives, most);
    std::vector<wf::objective_vector> points, proofs;
    for (int step = 0; step < 6; ++step) {
      const wf::objective_vector v = random_vector(random, objectives);
      if (with_proofs && random() % 2 == 0) {
        region.exclude(v);
        proofs.push_back(v);
      } else {  // any point: a dominated one has no effect
        region.add(v);
        points.push_back(v);
      }
      for_each_vector(objectives, [&](const wf::objective_vector& at) {
        bool expected = true, excluded = false;
        for (const auto& p : points) expected = expected && !p.no_worse_than(at);
        for (const auto& p : proofs) excluded = excluded || at.no_worse_than(p);
        if (expected && !excluded) REQUIRE(is_open(region, at));
        if (!expected) REQUIRE_FALSE(is_open(region, at));
      });
      for (std::size_t i = 0; i < region.open().size(); ++i) {
        CHECK_FALSE(region.open()[i].empty());
        for (std::size_t j = 0; j < region.open().size(); ++j)
          CHECK((i == j || !region.open()[i].high.no_worse_than(region.open()[j].high)));
      }
    }
  }
}

TEST_CASE("a proof that covers a box closes it, one that covers all but one side raises that") {
  wf::search_region region(2, {{10, 10}});
  region.exclude({{4, wf::unbounded}});
  REQUIRE(region.open().size() == 1);
  CHECK(region.open()[0] == wf::objective_box{{{5, 0}}, {{10, 10}}});
  region.add({{5, 6}});
  REQUIRE(region.open().size() == 1);  // nothing remains to the left
  CHECK(region.open()[0] == wf::objective_box{{{5, 0}}, {{10, 5}}});
  region.exclude({{10, 5}});
  CHECK(region.open().empty());
}
