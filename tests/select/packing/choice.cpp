// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/choice.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "../packing_oracle.hpp"

using namespace enumerated;

namespace {

using model = wf::detail::packing_model;

// The result that `load` guarantees, by the definition of a model: a class is needed if it has no
// `off`, or if a taken value and its `off` are in a row.
struct oracle {
  std::vector<std::uint32_t> taken;
  wf::detail::priced_choice price;
};

bool has(const model& m, std::uint32_t row, std::uint32_t v) {
  return std::find(m.entry.begin() + m.row_first[row], m.entry.begin() + m.row_first[row + 1], v) !=
         m.entry.begin() + m.row_first[row + 1];
}

void follow(const model& m, std::vector<std::uint32_t>& taken) {
  for (std::uint32_t k = 0; k < m.classes; ++k) {
    if (m.joint_a[m.first[k]] == model::none) continue;
    taken[k] = m.first[k];
    for (std::uint32_t v = m.first[k]; v < m.first[k + 1]; ++v)
      if (taken[m.owner[m.joint_a[v]]] == m.joint_a[v] &&
          taken[m.owner[m.joint_b[v]]] == m.joint_b[v])
        taken[k] = v;
  }
}

oracle price_of(const model& m, const wf::table<std::uint32_t>& chosen) {
  oracle out;
  std::vector<bool> needed(m.classes);
  for (std::uint32_t k = 0; k < m.classes; ++k) needed[k] = m.off[k] == model::none;
  for (std::uint32_t round = 0; round < m.classes; ++round)
    for (std::uint32_t row = 0; row < m.rows; ++row)
      for (std::uint32_t e = 0; e < m.classes; ++e) {
        if (m.off[e] == model::none || !has(m, row, m.off[e])) continue;
        for (std::uint32_t k = 0; k < m.classes; ++k)
          if (k != e && needed[k] && m.joint_a[m.first[k]] == model::none &&
              has(m, row, chosen[k] == m.off[k] ? m.first[k] : chosen[k]))
            needed[e] = true;
      }
  for (std::uint32_t k = 0; k < m.classes; ++k)
    out.taken.push_back(!needed[k] ? m.off[k] : chosen[k] == m.off[k] ? m.first[k] : chosen[k]);
  follow(m, out.taken);
  out.price = {true, 0, 0};
  std::vector<std::uint32_t> done(m.classes);
  for (std::uint32_t round = 0; round < m.classes; ++round)
    for (std::uint32_t k = 0; k < m.classes; ++k) {
      done[k] = 1;
      for (std::uint32_t i = m.need_first[out.taken[k]]; i < m.need_first[out.taken[k] + 1]; ++i)
        done[k] &= done[m.need[i]];
    }
  for (std::uint32_t k = 0; k < m.classes; ++k) {
    if (needed[k] && !done[k]) out.price.possible = false;
    if (needed[k]) out.price.objective += m.cost[out.taken[k]];
  }
  for (std::uint32_t row = 0; row < m.rows; ++row) {
    std::int64_t in = 0;
    for (std::uint32_t k = 0; k < m.classes; ++k) in += needed[k] && has(m, row, out.taken[k]);
    if (in > 1) out.price.excess += in - 1;
  }
  for (std::size_t l = 0; l < m.capacity.size(); ++l) {
    std::int64_t used = 0;
    for (std::uint32_t k = 0; k < m.classes; ++k)
      if (needed[k]) used += m.weight[l * m.values + out.taken[k]];
    if (used > m.capacity[l]) out.price.excess += used - m.capacity[l];
  }
  return out;
}

bool same(const model& m, const wf::detail::packing_choice& choice,
          const wf::detail::priced_choice& priced, const oracle& expected) {
  if (priced.possible != expected.price.possible) return false;
  if (priced.excess != expected.price.excess || priced.objective != expected.price.objective)
    return false;
  for (std::uint32_t k = 0; k < m.classes; ++k)
    if (choice.taken(k) != expected.taken[k]) return false;
  std::vector<std::uint32_t> broken(choice.broken().begin(), choice.broken().end()), rows;
  std::sort(broken.begin(), broken.end());
  for (std::uint32_t row = 0; row < m.rows; ++row) {
    std::uint32_t in = 0;
    for (const std::uint32_t v : expected.taken) in += v != model::none && has(m, row, v);
    for (std::uint32_t k = 0; k < m.classes; ++k)  // an `off` is not taken, but left out
      in -= expected.taken[k] == m.off[k] && has(m, row, m.off[k]);
    if (in > 1) rows.push_back(row);
  }
  return broken == rows;
}

}  // namespace

TEST_CASE("exchanges and taking them back price as the definition does") {
  std::mt19937 random(571);
  int exchanges = 0, cyclic = 0, freed = 0, joint = 0, over = 0;
  for (int round = 0; round < 2'000; ++round) {
    const model m = random_model(random);
    wf::detail::packing_choice choice(m);
    const wf::table<std::uint32_t> chosen = random_choice(m, random);
    REQUIRE(same(m, choice, choice.load(chosen), price_of(m, chosen)));
    for (int i = 0; i < 12; ++i) {
      CAPTURE(round);
      CAPTURE(i);
      const std::uint32_t k = below(random, m.classes);
      const std::uint32_t v = random_value(m, k, random);
      if (v == m.off[k] || m.joint_a[v] != model::none) continue;
      const wf::table<std::uint32_t> before(choice.values());
      wf::table<std::uint32_t> after(before);
      after[k] = v;
      const oracle expected = price_of(m, after);
      REQUIRE(same(m, choice, choice.exchange(k, v), expected));
      ++exchanges;
      cyclic += !expected.price.possible;
      over += expected.price.excess > 0;
      joint += m.joint_a[m.values - 1] != model::none;
      for (std::uint32_t e = 0; e < m.classes; ++e) freed += !choice.is_needed(e);
      if (random() % 2 == 0) continue;
      choice.undo();
      REQUIRE(same(m, choice, choice.price(), price_of(m, before)));
    }
  }
  CHECK(exchanges > 10'000);
  CHECK(cyclic > 100);
  CHECK(freed > 1'000);
  CHECK(joint > 1'000);
  CHECK(over > 1'000);
}
