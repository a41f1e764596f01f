// SPDX-License-Identifier: BSL-1.0
#include <wf/run/plan/concurrent_storage.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace {

// a → b → c: the block of a serves c.
constexpr bool shares_along_a_chain() {
  wf::table<wf::concurrent_block> blocks = {{8, false}, {8, false}, {8, true}};
  const wf::step_dependence chain[] = {{0, 1}, {1, 2}};
  const wf::block_use uses[] = {{0, 0}, {1, 0}, {1, 1}, {2, 1}, {2, 2}};
  const std::int64_t size = wf::place_concurrently(3, chain, blocks, uses, 4);
  return size == 16 && blocks[0].first == blocks[2].first && blocks[1].first != blocks[0].first;
}
static_assert(shares_along_a_chain());

// Two chains that may run at the same time share nothing.
constexpr bool keeps_chains_apart() {
  wf::table<wf::concurrent_block> blocks = {{8, false}, {8, false}};
  const wf::block_use uses[] = {{0, 0}, {1, 0}, {2, 1}, {3, 1}};
  const wf::step_dependence chains[] = {{0, 1}, {2, 3}};
  return wf::place_concurrently(4, chains, blocks, uses, 1) == 16;
}
static_assert(keeps_chains_apart());

}  // namespace

TEST_CASE("what is kept is never overwritten") {
  wf::table<wf::concurrent_block> blocks = {{8, true}, {8, true}};
  const wf::step_dependence chain[] = {{0, 1}};
  const wf::block_use uses[] = {{0, 0}, {1, 1}};
  CHECK(wf::place_concurrently(2, chain, blocks, uses, 1) == 16);
}

TEST_CASE("blocks beyond 63 bits saturate") {
  wf::table<wf::concurrent_block> blocks = {{INT64_MAX, false}, {INT64_MAX, false}};
  const wf::block_use uses[] = {{0, 0}, {0, 1}};
  CHECK(wf::place_concurrently(1, {}, blocks, uses, 8) == INT64_MAX);
}

TEST_CASE("blocks that share storage have ordered users, in random graphs of steps") {
  std::mt19937_64 random(11);
  std::size_t shared = 0, rounds = 0;
  for (int round = 0; round < 1500; ++round) {
    const auto steps = static_cast<std::uint32_t>(2 + random() % 14);
    std::vector<std::vector<char>> before(steps, std::vector<char>(steps));
    std::vector<wf::step_dependence> dependences;
    for (std::uint32_t b = 1; b < steps; ++b)
      for (std::uint32_t a = 0; a < b; ++a)
        if (random() % 4 == 0) {
          dependences.push_back({a, b});
          before[a][b] = 1;
        }
    for (std::uint32_t k = 0; k < steps; ++k)
      for (std::uint32_t i = 0; i < steps; ++i)
        for (std::uint32_t j = 0; j < steps; ++j)
          if (before[i][k] && before[k][j]) before[i][j] = 1;
    const auto count = static_cast<std::uint32_t>(1 + random() % 12);
    wf::table<wf::concurrent_block> blocks;
    std::vector<wf::block_use> uses;
    std::vector<std::vector<std::uint32_t>> users(count);
    for (std::uint32_t b = 0; b < count; ++b) {
      blocks.push_back({static_cast<std::int64_t>(random() % 40), random() % 6 == 0});
      // The first user writes the block; the others wait for it.
      users[b].push_back(static_cast<std::uint32_t>(random() % steps));
      for (std::uint32_t s = 0; s < steps; ++s)
        if (before[users[b][0]][s] && random() % 3 == 0) users[b].push_back(s);
      for (const std::uint32_t s : users[b]) uses.push_back({s, b});
    }
    const std::int64_t size = wf::place_concurrently(
        steps, wf::view<wf::step_dependence>(dependences.data(), dependences.size()), blocks,
        wf::view<wf::block_use>(uses.data(), uses.size()), 8);
    std::int64_t sum = 0;
    for (std::uint32_t b = 0; b < count; ++b) {
      const auto& x = blocks[b];
      sum += (x.size + 7) / 8 * 8;
      CHECK(x.first % 8 == 0);
      if (x.size > 0) CHECK(x.first + x.size <= size);
      for (std::uint32_t c = 0; c < b; ++c) {
        const auto& y = blocks[c];
        if (x.size == 0 || y.size == 0) continue;
        if (x.first >= y.first + y.size || y.first >= x.first + x.size) continue;
        ++shared;
        // The later one in the arena's life is not known: one order must hold for all users.
        bool forth = !y.is_kept, back = !x.is_kept;
        for (const std::uint32_t s : users[b])
          for (const std::uint32_t t : users[c]) {
            forth = forth && before[t][s];
            back = back && before[s][t];
          }
        CHECK((forth || back));
      }
    }
    CHECK(size <= sum);
    ++rounds;
  }
  CHECK(rounds == 1500);
  CHECK(shared > 500);
}

TEST_CASE("a long chain needs two blocks, whatever its length") {
  wf::table<wf::concurrent_block> blocks;
  std::vector<wf::block_use> uses;
  std::vector<wf::step_dependence> chain;
  for (std::uint32_t i = 0; i < 2000; ++i) {
    blocks.push_back({16, false});
    uses.push_back({i, i});
    if (i > 0) uses.push_back({i, i - 1}), chain.push_back({i - 1, i});
  }
  CHECK(wf::place_concurrently(2000, wf::view<wf::step_dependence>(chain.data(), chain.size()),
                               blocks, wf::view<wf::block_use>(uses.data(), uses.size()), 8) == 32);
}
