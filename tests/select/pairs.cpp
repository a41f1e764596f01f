// SPDX-License-Identifier: BSL-1.0
#include <wf/select/pairs.hpp>

#include <doctest/doctest.h>

namespace {

wf::selection_problem three_classes() {
  wf::selection_problem p;
  p.add_metric("cost");
  p.add_metric("bytes");
  for (std::uint32_t k = 0; k < 3; ++k) {
    p.add_class();
    for (int c = 0; c < 2; ++c) p.add_candidate(k, {}, wf::table<std::int64_t>{1, 1});
  }
  return p;
}

}  // namespace

TEST_CASE("pairs are listed from both sides, ascending, repetition added up") {
  wf::selection_problem p = three_classes();
  p.add_pair(4, 0, wf::table<std::int64_t>{1, 2});
  p.add_pair(0, 2, wf::table<std::int64_t>{3, 4});
  p.add_pair(0, 4, wf::table<std::int64_t>{5, 6});
  p.exclude_pair(2, 4);
  const wf::detail::pair_index index(p);
  REQUIRE(index.of(0).size() == 2);
  CHECK(index.of(0)[0].candidate == 2);
  CHECK(index.of(0)[1].candidate == 4);
  CHECK(index.cost(index.of(0)[1], 0) == 6);
  CHECK(index.cost(index.of(0)[1], 1) == 8);
  REQUIRE(index.of(4).size() == 2);
  CHECK(index.cost(index.of(4)[0], 0) == 6);
  CHECK(index.of(4)[1].excluded);
  CHECK(!index.of(4)[0].excluded);
  CHECK(index.of(1).empty());
}

TEST_CASE("a candidate is no worse only if it is so beside every other one") {
  wf::selection_problem p = three_classes();
  p.add_pair(0, 2, wf::table<std::int64_t>{1, 1});
  p.add_pair(1, 2, wf::table<std::int64_t>{1, 2});
  p.exclude_pair(1, 4);
  const wf::detail::pair_index index(p);
  CHECK(index.no_worse(0, 1));
  CHECK(!index.no_worse(1, 0));
  p.exclude_pair(0, 3);
  CHECK(!wf::detail::pair_index(p).no_worse(0, 1));
}

TEST_CASE("without pairs nothing is worse") {
  const wf::selection_problem p = three_classes();
  const wf::detail::pair_index index(p);
  CHECK(index.empty());
  CHECK(index.of(0).empty());
  CHECK(index.no_worse(0, 1));
}
