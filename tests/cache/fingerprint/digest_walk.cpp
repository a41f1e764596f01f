// SPDX-License-Identifier: BSL-1.0
#include <wf/cache/fingerprint/digest_walk.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace {

using wf::digest128;
using wf::hasher128;
using wf::detail::digest_walk;
using wf::detail::walk_item;

// A tree in a table: a node has a label and the child nodes `first` to `last`.
struct node {
  int label = 0;
  bool unordered = false;
  bool shared = false;
  const node* first = nullptr;
  const node* last = nullptr;
};

constexpr walk_item item_of(const node& n);
constexpr hasher128 visit(digest_walk& walk, const walk_item& item) {
  const node& n = item.object<node>();
  for (const node* below = n.first; below != n.last; ++below) walk.push(item_of(*below));
  return hasher128('t').word(static_cast<std::uint64_t>(n.label));
}
constexpr walk_item item_of(const node& n) {
  walk_item out(n, &visit);
  out.shared = n.shared;
  out.unordered = n.unordered;
  return out;
}
constexpr digest128 walked(const node& n) {
  digest_walk walk;
  return walk.digest_of(item_of(n));
}
// The digest by recursion.
constexpr digest128 recursive(const node& n) {
  hasher128 out('t');
  out.word(static_cast<std::uint64_t>(n.label));
  wf::table<digest128> below;
  for (const node* at = n.first; at != n.last; ++at) below.push_back(recursive(*at));
  if (n.unordered) wf::detail::sort_digests(below);
  for (const digest128& d : below) out.fold(d);
  return out.value();
}

constexpr digest128 small_tree(bool unordered, bool swapped) {
  const node leaves[] = {{1}, {2}, {3}};
  const node both[] = {{4, unordered, false, leaves + 1, leaves + 3}, {5}};
  const node exchanged[] = {{3}, {2}};
  const node other[] = {{4, unordered, false, exchanged, exchanged + 2}, {5}};
  const node root{6, false, false, swapped ? other : both, swapped ? other + 2 : both + 2};
  return walked(root) == recursive(root) ? walked(root) : digest128{};
}

}  // namespace

static_assert(small_tree(false, false) != digest128{});
static_assert(small_tree(false, false) != small_tree(false, true));
static_assert(small_tree(true, false) == small_tree(true, true));

TEST_CASE("digests are sorted like numbers of 128 bits") {
  std::mt19937_64 random(3);
  for (std::size_t size = 0; size < 100; ++size) {
    wf::table<digest128> digests(size);
    for (digest128& d : digests) d = {random() % 4, random() % 4};
    wf::table<digest128> sorted = digests;
    std::sort(sorted.begin(), sorted.end());
    wf::detail::sort_digests(digests);
    CHECK(digests == sorted);
  }
}

TEST_CASE("random trees have the digests that recursion gives them") {
  std::mt19937_64 random(4);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    // Children are earlier nodes, so that trees share subtrees.
    std::vector<node> nodes(1 + random() % 30);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      nodes[i] = {static_cast<int>(random() % 3), random() % 3 == 0, random() % 2 == 0};
      if (i == 0) continue;
      const std::size_t first = random() % i;
      const std::size_t last = first + random() % (std::min<std::size_t>(i - first, 3) + 1);
      nodes[i].first = nodes.data() + first, nodes[i].last = nodes.data() + last;
    }
    CHECK(walked(nodes.back()) == recursive(nodes.back()));
  }
}

TEST_CASE("a shared object is visited once") {
  std::vector<node> nodes(100);
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    // The children are the two previous nodes: as a tree it has exponentially many nodes.
    nodes[i] = {static_cast<int>(i), false, true, &nodes[i - (i > 1 ? 2 : 1)], &nodes[i]};
  }
  const digest128 whole = walked(nodes.back());
  nodes[0].label = 7;
  CHECK(walked(nodes.back()) != whole);
  nodes[0].label = 0;
  CHECK(walked(nodes.back()) == whole);
}

TEST_CASE("an object inside of itself counts by its number") {
  const auto ring = [](std::size_t size, std::size_t back_to) {
    std::vector<node> nodes(size);
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t next = i + 1 < size ? i + 1 : back_to;
      nodes[i] = {1, false, true, nodes.data() + next, nodes.data() + next + 1};
    }
    return walked(nodes[0]);
  };
  CHECK(ring(3, 0) == ring(3, 0));
  CHECK(ring(3, 0) != ring(3, 1));
  CHECK(ring(3, 0) != ring(4, 0));
}
