// SPDX-License-Identifier: BSL-1.0
#include <wf/select/reduce/must_sets.hpp>

#include <cstdint>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/core/container/bits.hpp>
#include <wf/core/container/components.hpp>

namespace {

using classes = wf::table<std::uint32_t>;
/// By class: the needs of each option.
using and_or_graph = std::vector<std::vector<classes>>;

and_or_graph random_graph(std::mt19937& random, std::uint32_t size) {
  and_or_graph g(size);
  for (std::uint32_t k = 0; k < size; ++k)
    for (std::size_t options = random() % 10 == 0 ? 0 : 1 + random() % 3; options > 0; --options) {
      classes needs;
      for (std::size_t n = random() % 4; n > 0; --n)
        needs.push_back(static_cast<std::uint32_t>(random() % (random() % 4 == 0 ? size : k + 1)));
      g[k].push_back(needs);
    }
  return g;
}

/// All must sets, component by component.
wf::detail::must_sets settled(const and_or_graph& g) {
  const auto size = static_cast<std::uint32_t>(g.size());
  wf::detail::must_sets out;
  out.begin(size);
  struct cursor {
    std::size_t option = 0, need = 0;
  };
  auto finder = wf::detail::find_components<cursor>(
      size,
      [&](std::uint32_t k, cursor& at) {
        for (; at.option < g[k].size(); ++at.option, at.need = 0)
          if (at.need < g[k][at.option].size()) return g[k][at.option][at.need++];
        return UINT32_MAX;
      },
      [&](const classes& members) {
        out.settle(
            static_cast<std::uint32_t>(members.size()), [&](std::uint32_t i) { return members[i]; },
            [&](std::uint32_t k, auto&& f) {
              for (const classes& needs : g[k]) f(needs);
            });
      });
  for (std::uint32_t k = 0; k < size; ++k) finder.enter(k);
  return out;
}

/// The same for all classes at a time, by the definition.
std::vector<std::vector<bool>> greatest_fixpoint(const and_or_graph& g) {
  std::vector<std::vector<bool>> must(g.size(), std::vector<bool>(g.size(), true));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t k = 0; k < g.size(); ++k)
      for (std::uint32_t e = 0; e < g.size(); ++e) {
        bool in_all = true;
        for (const classes& needs : g[k]) {
          bool in = e == k;
          for (const std::uint32_t n : needs) in = in || must[n][e];
          in_all = in_all && in;
        }
        if (!must[k][e] || in_all) continue;
        must[k][e] = false;
        changed = true;
      }
  }
  return must;
}

}  // namespace

TEST_CASE("must sets are the greatest fixpoint") {
  std::mt19937 random(20261126);
  int cyclic = 0;
  for (int i = 0; i < 400; ++i) {
    CAPTURE(i);
    const and_or_graph g = random_graph(random, 1 + static_cast<std::uint32_t>(random() % 90));
    const wf::detail::must_sets found = settled(g);
    const std::vector<std::vector<bool>> wanted = greatest_fixpoint(g);
    for (std::uint32_t k = 0; k < g.size(); ++k)
      for (std::uint32_t e = 0; e < g.size(); ++e) {
        REQUIRE(wf::detail::has_bit(found.of(k), e) == wanted[k][e]);
        cyclic += e != k && wanted[k][e] && wanted[e][k];
      }
  }
  CHECK(cyclic > 1000);
}

TEST_CASE("a component is settled again once options are gone") {
  // 0 needs 1 or 2, and 1 needs 0 or 3; without that, all ways lead to 2.
  and_or_graph g = {{{1}, {2}}, {{0}, {3}}, {{}}, {{}}};
  const std::uint32_t block[] = {0, 1};
  wf::detail::must_sets sets = settled(g);
  CHECK(sets.of(0)[0] == 0b0001);
  CHECK(sets.of(1)[0] == 0b0010);
  g[1] = {{0}};
  for (const std::uint32_t k : block) sets.reopen(k);
  sets.settle(
      2, [&](std::uint32_t i) { return block[i]; },
      [&](std::uint32_t k, auto&& f) {
        for (const classes& needs : g[k]) f(needs);
      });
  CHECK(sets.of(0)[0] == 0b0101);
  CHECK(sets.of(1)[0] == 0b0111);
  const std::uint64_t steps = sets.steps();
  CHECK(sets.take().size() == 4);
  CHECK(sets.steps() == steps);
}

TEST_CASE("an option is subsumed by the first one that is no worse and needs no more") {
  // Class 0 has five options; 1 leads to 2.
  const and_or_graph g = {{{1}, {3}, {2}, {2, 3}, {1}}, {{2}}, {{}}, {{}}};
  wf::detail::must_sets sets = settled(g);
  const auto subsuming = [&](std::uint32_t at, std::vector<bool> no_worse) {
    return sets.find_subsuming(
        at, 0, 5, [&](std::uint32_t i) { return no_worse[i]; },
        [&](std::uint32_t i) { return wf::view<std::uint32_t>(g[0][i]); });
  };
  CHECK(subsuming(0, {true, true, true, true, true}) == 2);
  CHECK(subsuming(0, {true, true, false, true, true}) == 4);
  CHECK(subsuming(0, {true, true, false, true, false}) == wf::no_candidate);
  CHECK(subsuming(3, {true, true, true, true, true}) == 1);
  CHECK(subsuming(1, {true, true, true, true, true}) == wf::no_candidate);
  CHECK(sets.row()[0] == 0b1000);
}
