// SPDX-License-Identifier: BSL-1.0
#include <wf/storage/place.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace {

using blocks = wf::table<wf::storage_block>;

std::int64_t most_in_use(const blocks& all) {
  std::int64_t most = 0;
  for (const wf::storage_block& at : all) {
    std::int64_t sum = 0;
    for (const wf::storage_block& b : all)
      if (b.begin <= at.begin && at.begin <= b.end) sum += b.bytes;
    most = std::max(most, sum);
  }
  return most;
}
// The least size over all placements: every order of blocks, each placed on top of those it
// overlaps.
std::int64_t least_size(const blocks& all) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < all.size(); ++i) order.push_back(i);
  std::int64_t least = INT64_MAX;
  do {
    std::vector<std::int64_t> top(all.size());
    std::int64_t size = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const wf::storage_block& b = all[order[k]];
      std::int64_t from = 0;
      for (std::size_t j = 0; j < k; ++j)
        if (all[order[j]].meets(b)) from = std::max(from, top[order[j]]);
      top[order[k]] = (from + b.alignment - 1) / b.alignment * b.alignment + b.bytes;
      size = std::max(size, top[order[k]]);
    }
    least = std::min(least, size);
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}
blocks random_blocks(std::mt19937_64& random, std::size_t count, bool aligned) {
  blocks out;
  for (std::size_t i = 0; i < count; ++i) {
    wf::storage_block b;
    b.begin = static_cast<std::uint32_t>(random() % 8);
    b.end = random() % 5 == 0 ? UINT32_MAX : b.begin + static_cast<std::uint32_t>(random() % 4);
    b.alignment = aligned ? std::int64_t{1} << random() % 4 : 1;
    b.bytes = static_cast<std::int64_t>(random() % 9) * b.alignment;
    out.push_back(b);
  }
  return out;
}

constexpr std::int64_t placed_while_compiling() {
  blocks all{{0, 1, 4, 1, 0}, {1, 2, 8, 1, 0}, {2, 3, 4, 1, 0}};
  return wf::place_blocks(all, 12);
}
static_assert(placed_while_compiling() == 12);

}  // namespace

TEST_CASE("no two blocks in use at one moment share a byte, and hardly any placement is smaller") {
  std::mt19937_64 random(20270304);
  int larger = 0;
  for (int round = 0; round < 1500; ++round) {
    CAPTURE(round);
    blocks all = random_blocks(random, 1 + random() % 6, round % 2 == 0);
    const std::int64_t bound = most_in_use(all), size = wf::place_blocks(all, bound);
    std::int64_t top = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].bytes == 0) continue;
      REQUIRE(all[i].offset >= 0);
      REQUIRE(all[i].offset % all[i].alignment == 0);
      top = std::max(top, all[i].offset + all[i].bytes);
      for (std::size_t j = 0; j < i; ++j)
        if (all[i].meets(all[j]))
          REQUIRE((all[i].offset + all[i].bytes <= all[j].offset ||
                   all[j].offset + all[j].bytes <= all[i].offset));
    }
    REQUIRE(top == size);
    REQUIRE(bound <= size);
    const std::int64_t least = least_size(all);
    REQUIRE(least <= size);
    larger += least < size ? 1 : 0;
  }
  CHECK(larger < 15);
}

TEST_CASE("many blocks, without and with a placement of the least size") {
  std::mt19937_64 random(20270305);
  for (const std::size_t count : {std::size_t{60}, std::size_t{500}, std::size_t{5000}}) {
    CAPTURE(count);
    blocks all;
    for (std::size_t i = 0; i < count; ++i) {
      wf::storage_block b;
      b.begin = static_cast<std::uint32_t>(random() % count);
      b.end = b.begin + static_cast<std::uint32_t>(random() % 20);
      b.bytes = static_cast<std::int64_t>(8 + 8 * (random() % 100));
      all.push_back(b);
    }
    const std::int64_t least = most_in_use(all), size = wf::place_blocks(all, least);
    CHECK(size >= least);
    CHECK(size <= least + least / 4);
    // The result is deterministic.
    blocks again = all;
    CHECK(wf::place_blocks(again, least) == size);
  }
}

TEST_CASE("sizes beyond 63 bits") {
  blocks all{{0, 2, INT64_MAX / 2 + 1, 1, 0}, {1, 3, INT64_MAX / 2 + 1, 1, 0}};
  CHECK(wf::place_blocks(all, INT64_MAX) == INT64_MAX);
}

TEST_CASE("nothing takes no storage") {
  blocks none;
  CHECK(wf::place_blocks(none, 0) == 0);
  blocks empty{{0, 3, 0, 8, 0}, {1, 2, 0, 1, 0}};
  CHECK(wf::place_blocks(empty, 0) == 0);
  blocks one{{0, 3, 1, 1, 0}, {4, 5, 1, 1, 0}};
  CHECK(wf::place_blocks(one, 0) == 1);
}
