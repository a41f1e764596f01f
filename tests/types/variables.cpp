// SPDX-License-Identifier: BSL-1.0
#include <wf/types/variables.hpp>

#include <random>
#include <set>
#include <vector>

#include <doctest/doctest.h>

namespace {

using namespace wf::detail;

constexpr auto value_0 = static_cast<wf::value_id>(0);
constexpr auto node_7 = static_cast<wf::node_id>(7);
constexpr std::int64_t symbol_m = wf::extent("M").code;

constexpr bool meets(type_part part, knowledge a, knowledge b, knowledge wanted) {
  knowledge out;
  return meet(part, a, b, out) && out == wanted && meet(part, b, a, out) && out == wanted;
}
constexpr bool contradicts(type_part part, knowledge a, knowledge b) {
  knowledge out;
  return !meet(part, a, b, out) && !meet(part, b, a, out);
}

constexpr type_part extents = type_part::extent;
static_assert(meets(extents, {}, {}, {}));
static_assert(meets(extents, {5}, {}, {5}));
static_assert(meets(extents, {5}, {5}, {5}));
static_assert(meets(extents, {5, true}, {5}, {5}));
static_assert(meets(extents, {5, true}, {5, true}, {5, true}));
static_assert(meets(extents, {5, true}, {1}, {1}));
static_assert(meets(extents, {5, true}, {3, true}, {1}));
static_assert(meets(extents, {5, true}, {symbol_m, true}, {1}));
static_assert(contradicts(extents, {5}, {3}));
static_assert(contradicts(extents, {5}, {symbol_m}));
static_assert(contradicts(extents, {5}, {1}));
static_assert(contradicts(extents, {5, true}, {3}));
static_assert(contradicts(extents, {symbol_m, true}, {5}));
static_assert(meets(type_part::rank, {0b110}, {0b011}, {0b010}));
static_assert(contradicts(type_part::rank, {0b110}, {0b001}));
static_assert(!is_known(type_part::rank, {0b110}) && is_known(type_part::rank, {0b100}));
static_assert(!is_known(extents, {5, true}) && !is_known(extents, {}) && is_known(extents, {0}));

constexpr bool classes_learn() {
  type_variables v;
  const variable a = v.add(type_part::rank, value_0, 0, {every_rank});
  const variable b = v.add(type_part::rank, wf::value_id::none, 0, {every_rank});
  const variable c = v.add(type_part::rank, wf::value_id::none, 0, {0b1100});
  bool ok = v.unite(a, b, node_7) && v.unite(b, c, node_7) && v.find(a) == v.find(c);
  ok = ok && v.rank_of(a) == wf::shape::unknown_rank && v.learn(a, {0b0110}, node_7);
  ok = ok && v.rank_of(a) == 2 && v.rank_of(c) == 2 && v.from(c) == node_7;
  ok = ok && !v.learn(b, {0b1000}, node_7) && v.last_clash().known == knowledge{0b0100};
  return ok && v.last_clash().demanded == knowledge{0b1000} && v.rank_of(b) == 2;
}
static_assert(classes_learn());

constexpr bool the_agenda_holds() {
  type_variables v;
  const variable a = v.add(extents, value_0, 0, {});
  const variable b = v.add(extents, value_0, 1, {});
  v.watch(a, 3);
  v.watch(b, 4);
  v.watch(b, 4);
  v.postpone(4);
  std::uint32_t next = 0;
  bool ok = !v.next(next);
  v.learn(b, {5}, node_7);  // wakes 4, once
  v.schedule(2);
  ok = ok && v.next(next) && next == 2 && v.next(next) && next == 4 && !v.next(next);
  v.learn(b, {5}, node_7);  // nothing new
  ok = ok && !v.next(next);
  v.unite(a, b, node_7);  // a receives the knowledge
  ok = ok && v.next(next) && next == 3 && !v.next(next) && v.extent_of(a) == wf::extent(5);
  // Watchers of two variables are notified when they are united, even if nothing is known of
  // either.
  const variable c = v.add(extents, value_0, 2, {});
  const variable d = v.add(extents, value_0, 3, {});
  v.watch(c, 7);
  v.watch(d, 7);
  v.unite(c, d, node_7);
  return ok && v.next(next) && next == 7 && !v.next(next);
}
static_assert(the_agenda_holds());

}  // namespace

TEST_CASE("knowledge meets") {
  CHECK(classes_learn());
  CHECK(the_agenda_holds());
  // Union is commutative, associative and idempotent if the order of contradictions is ignored: the
  // limit does not depend on the order in which knowledge arrives.
  const std::vector<knowledge> some{
      {}, {0}, {1}, {5}, {3}, {5, true}, {3, true}, {symbol_m}, {symbol_m, true}};
  const auto met = [](const knowledge& a, const knowledge& b, bool& ok) {
    knowledge out;
    ok = ok && meet(extents, a, b, out);
    return out;
  };
  for (const knowledge& a : some)
    for (const knowledge& b : some)
      for (const knowledge& c : some) {
        bool left = true, right = true;
        const knowledge l = met(met(a, b, left), c, left), r = met(a, met(b, c, right), right);
        CHECK(left == right);
        if (left) CHECK(l == r);
      }
}

TEST_CASE("a contradiction is told of the variable of a value") {
  type_variables v;
  const variable internal = v.add(extents, wf::value_id::none, 0, {3});
  const variable stated = v.add(extents, value_0, 1, {4});
  CHECK_FALSE(v.unite(internal, stated, node_7));
  CHECK(v.last_clash().subject == stated);
  CHECK(v.last_clash().known == knowledge{4});
  CHECK(v.last_clash().known_by == wf::node_id::none);
  CHECK(v.last_clash().demanded == knowledge{3});
  CHECK_FALSE(v.unite(stated, internal, node_7));
  CHECK(v.last_clash().subject == stated);
  CHECK(v.extent_of(stated) == wf::extent(4));
  CHECK(v.extent_of(internal) == wf::extent(3));
}

TEST_CASE("random unions and knowledge agree with sets") {
  for (unsigned seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const std::size_t n = 12;
    type_variables v;
    std::vector<std::set<std::size_t>> members(n);  // by class
    std::vector<std::size_t> own(n);                // the class of each
    std::vector<std::int64_t> bits(n, every_rank);  // by class
    for (std::size_t i = 0; i < n; ++i) {
      v.add(type_part::rank, value_0, 0, {every_rank});
      v.watch(static_cast<variable>(i), static_cast<std::uint32_t>(i));
      members[i] = {i};
      own[i] = i;
    }
    for (int step = 0; step < 40; ++step) {
      const std::size_t i = random() % n, j = random() % n;
      std::uint32_t next = 0;
      while (v.next(next)) {
      }
      std::set<std::size_t> learning;  // variables all of whose watchers must be notified
      if (random() % 2 == 0) {
        const std::int64_t more = static_cast<std::int64_t>(random() % 511 + 1) | 1;
        const std::int64_t both = bits[own[i]] & more;
        if (both != bits[own[i]]) learning = members[own[i]];
        bits[own[i]] = both;
        CHECK(v.learn(static_cast<variable>(i), {more}, node_7));
      } else if (own[i] != own[j]) {
        const std::int64_t both = bits[own[i]] & bits[own[j]];
        if (both != bits[own[i]]) learning = members[own[i]];
        if (both != bits[own[j]]) learning.insert(members[own[j]].begin(), members[own[j]].end());
        CHECK(v.unite(static_cast<variable>(i), static_cast<variable>(j), node_7));
        const std::size_t kept = own[i], gone = own[j];
        for (std::size_t k : members[gone]) own[k] = kept;
        members[kept].merge(members[gone]);
        bits[kept] = both;
      }
      std::set<std::size_t> woken;
      while (v.next(next)) woken.insert(next);
      for (std::size_t k : learning) CHECK(woken.count(k) == 1);
      for (std::size_t k = 0; k < n; ++k) {
        CHECK(v.of(static_cast<variable>(k)).state == bits[own[k]]);
        CHECK((v.find(static_cast<variable>(k)) == v.find(static_cast<variable>(i))) ==
              (own[k] == own[i]));
      }
    }
  }
}
