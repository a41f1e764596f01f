// SPDX-License-Identifier: BSL-1.0
#include <wf/search/depth_first.hpp>

#include <random>

#include <doctest/doctest.h>

namespace {

// The cheapest round trip: a partial trip is described by its visited towns and its present one.
class round_trip {
 public:
  using choice = std::uint32_t;

  constexpr round_trip(std::uint32_t places, wf::table<std::int64_t> costs)
      : places_(places), costs_(static_cast<wf::table<std::int64_t>&&>(costs)) {
    path_.push_back(0);
    sums_.push_back(0);
  }
  constexpr void apply(std::uint32_t to) {
    sums_.push_back(sums_.back() + cost(path_.back(), to));
    path_.push_back(to);
  }
  constexpr void undo() {
    sums_.pop_back();
    path_.pop_back();
  }
  constexpr bool is_complete() const { return path_.size() == places_; }
  constexpr std::int64_t value() const { return sums_.back() + cost(path_.back(), 0); }
  constexpr void keep() { best_ = path_; }
  constexpr bool enter(std::int64_t cutoff) const { return sums_.back() < cutoff; }
  constexpr std::uint64_t describe(wf::table<std::uint32_t>& words) const {
    std::uint32_t been = 0;
    for (const std::uint32_t place : path_) been |= 1u << place;
    words.push_back(been);
    words.push_back(path_.back());
    words.push_back(static_cast<std::uint32_t>(sums_.back()));  // only equal descriptions are
                                                                // equivalent
    return (been * 31u + path_.back()) * 0x9e3779b97f4a7c15ull;
  }
  constexpr std::int64_t spent() const { return 0; }
  constexpr void branch(wf::table<std::uint32_t>& out) const {
    for (std::uint32_t to = places_; to-- > 1;) {
      bool been = false;
      for (const std::uint32_t place : path_) been = been || place == to;
      if (!been) out.push_back(to);
    }
  }
  constexpr const wf::table<std::uint32_t>& best() const { return best_; }
  constexpr std::size_t depth() const { return path_.size(); }

  constexpr std::int64_t least() const {  // by enumeration
    std::int64_t out = wf::unbounded;
    round_trip copy = *this;
    copy.all(out);
    return out;
  }

 private:
  constexpr void all(std::int64_t& out) {
    if (is_complete()) {
      if (value() < out) out = value();
      return;
    }
    wf::table<std::uint32_t> next;
    branch(next);
    for (const std::uint32_t to : next) {
      apply(to);
      all(out);
      undo();
    }
  }
  constexpr std::int64_t cost(std::uint32_t from, std::uint32_t to) const {
    return costs_[from * places_ + to];
  }
  std::uint32_t places_;
  wf::table<std::int64_t> costs_, sums_;
  wf::table<std::uint32_t> path_, best_;
};
static_assert(wf::stepwise_problem<round_trip>);

constexpr std::int64_t small_trip() {
  round_trip p(4, {0, 1, 9, 9, 9, 0, 1, 9, 9, 9, 0, 1, 1, 9, 9, 0});
  wf::seen_states seen(10'000);
  return wf::depth_first(p, seen).value;
}
static_assert(small_trip() == 4);

round_trip random_trip(std::mt19937& random, std::uint32_t places) {
  wf::table<std::int64_t> costs;
  for (std::uint32_t i = 0; i < places * places; ++i)
    costs.push_back(static_cast<std::int64_t>(random() % 10));
  return round_trip(places, costs);
}

}  // namespace

TEST_CASE("the best round trip is found, whatever the memory") {
  std::mt19937 random(5);
  std::uint64_t duplicates = 0;
  for (int i = 0; i < 100; ++i) {
    round_trip p = random_trip(random, 6);
    const std::int64_t least = p.least();
    for (const std::uint64_t bytes : {0u, 2000u, 1'000'000u}) {
      wf::seen_states seen(bytes);
      const auto out = wf::depth_first(p, seen);
      CHECK(out.status == wf::search_status::proven);
      CHECK(out.value == least);
      CHECK(p.depth() == 1);
      duplicates += out.counters.duplicates;
      if (bytes == 0) CHECK(out.counters.duplicates == 0);
    }
    wf::seen_states seen(1'000'000);
    const auto none = wf::depth_first(p, seen, {}, {.cutoff = least});
    CHECK(none.status == wf::search_status::infeasible);
    CHECK(!none.found);
    CHECK(wf::depth_first(p, seen, {}, {.cutoff = least}).counters.nodes == 0);  // already known
  }
  CHECK(duplicates > 100);
}

TEST_CASE("it ends with enough, at the bound, at a limit, or when told") {
  std::mt19937 random(6);
  round_trip p = random_trip(random, 8);
  const std::int64_t least = [&] {
    wf::seen_states seen(0);
    return wf::depth_first(p, seen).value;
  }();
  wf::seen_states seen(0);
  const auto enough = wf::depth_first(p, seen, {}, {.enough = least + 3});
  CHECK(enough.status == wf::search_status::within_tolerance);
  CHECK(enough.value <= least + 3);
  CHECK(wf::depth_first(p, seen, {}, {.bound = least}).status == wf::search_status::proven);
  wf::search_limits few;
  few.max_nodes = 3;
  CHECK(wf::depth_first(p, seen, few).status == wf::search_status::stopped_by_limit);
  int asked = 0;
  const auto told =
      wf::depth_first(p, seen, {}, {}, [&](const wf::search_progress&) { return ++asked < 4; });
  CHECK(told.status == wf::search_status::stopped_by_caller);
  CHECK(asked == 4);
  CHECK(p.depth() == 1);
}
