// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/map/place/strategy.hpp>

#include <set>
#include <tuple>

#include "../checker.hpp"

namespace {

const wf::cycle_model model;

struct fixture {
  wf::workload w;
  wf::pe_array array;
  wf::prepared_workload prepared;

  explicit fixture(std::int64_t memory) {
    wf::workload_operator o;
    o.label = wf::text("task");
    o.macs = 16;
    o.weight_bytes = 8;
    o.output_bytes = 8;
    o.first_axis = o.second_axis = 4;
    const auto a = w.add(o);
    w.connect(a, w.add(o), 8);
    w.connect(a, w.add(o), 8);
    array.rows = array.columns = 4;
    array.memory_bytes = memory;
    prepared = *wf::prepare(w, array, model);
  }
};

using proposal = std::tuple<std::uint32_t, int, int, int, int, std::uint32_t>;

template <class Strategy>
std::set<proposal> proposals(wf::mapping_space<wf::cycle_model>& space,
                             const wf::partial_mapping& s, const Strategy& strategy) {
  std::set<proposal> out;
  strategy.apply(space, s, [&](std::uint32_t op, const wf::rectangle& r, std::uint32_t how) {
    CHECK(space.array().usable(r));
    const wf::range t = space.tilings(op, r);
    CHECK(how - t.first < t.count);
    out.insert({op, r.row, r.column, r.rows, r.columns, how});
  });
  return out;
}

struct corner_only {
  static constexpr bool all_rectangles = false, all_tilings = false;
  template <class Space, class Emit>
  void apply(Space& space, const wf::partial_mapping&, Emit&& emit) const {
    for (std::uint32_t op : space.ready())
      emit(op, wf::rectangle{0, 0, 1, 1}, space.tilings(op, {0, 0, 1, 1}).first);
  }
};

static_assert(wf::mapping_strategy<wf::temporal_cut, wf::mapping_space<wf::cycle_model>>);
static_assert(wf::mapping_strategy<corner_only, wf::mapping_space<wf::cycle_model>>);
static_assert(wf::all_strategies::all_rectangles && wf::all_strategies::all_tilings);
static_assert(wf::strategy_set<corner_only, wf::edge_tune>::all_rectangles);
static_assert(!wf::strategy_set<corner_only, wf::edge_tune>::all_tilings);
static_assert(!wf::cut_strategies::all_rectangles && !wf::cut_strategies::all_tilings);

}  // namespace

TEST_CASE("the temporal cut proposes the whole array and the regions of producers") {
  fixture f(1 << 20);
  REQUIRE_FALSE(f.prepared.memory_matters);
  wf::mapping_space space(f.prepared, f.array, model);
  wf::partial_mapping s = space.root();
  space.look(s);
  CHECK(proposals(space, s, wf::temporal_cut{}).size() == 1);
  CHECK(proposals(space, s, wf::spatial_cut{}).empty());  // a single operator has nothing to share
  const wf::rectangle half{0, 0, 4, 2};
  s = space.place(s, 0, half, space.tilings(0, half).first, 0);
  space.look(s);
  CHECK(proposals(space, s, wf::temporal_cut{}).size() == 4);  // two operators, two regions
}

TEST_CASE("the spatial cut proposes both sides of every line and their halves") {
  fixture f(1 << 20);
  wf::mapping_space space(f.prepared, f.array, model);
  wf::partial_mapping s = space.root();
  space.look(s);
  s = space.place(s, 0, f.array.whole(), space.tilings(0, f.array.whole()).first, 0);
  space.look(s);
  const auto cuts = proposals(space, s, wf::spatial_cut{});
  for (int y = 1; y < 4; ++y) {
    const auto has = [&](wf::rectangle r) {
      const auto how = space.tilings(1, r).first;
      return cuts.contains({1, r.row, r.column, r.rows, r.columns, how});
    };
    CHECK(has({0, 0, y, 4}));
    CHECK(has({y, 0, 4 - y, 4}));
    CHECK(has({0, 0, 4, y}));
    CHECK(has({0, y, 4, 4 - y}));
    CHECK(has({0, 0, y, 2}));
  }
}

TEST_CASE("the tunes together propose every placement, each once") {
  for (const std::int64_t memory : {1 << 20, 60}) {
    fixture f(memory);
    wf::mapping_space space(f.prepared, f.array, model);
    const wf::partial_mapping s = space.root();
    space.look(s);
    std::size_t all = 0;
    for (const wf::rectangle& r : f.prepared.rectangles) {
      const wf::range t = space.tilings(0, r);
      all += f.prepared.memory_matters || t.count == 0 ? t.count : 1;
    }
    const auto edges = proposals(space, s, wf::edge_tune{});
    const auto gemms = proposals(space, s, wf::gemm_tune{});
    CHECK(edges.size() + gemms.size() == all);
    CHECK(gemms.empty() == !f.prepared.memory_matters);
    CHECK(proposals(space, s, wf::all_strategies{}).size() == all);
  }
}

TEST_CASE("users add their own") {
  fixture f(1 << 20);
  wf::mapping_space space(f.prepared, f.array, model);
  const wf::partial_mapping s = space.root();
  space.look(s);
  CHECK(proposals(space, s, corner_only{}).size() == 1);
  CHECK(proposals(space, s, wf::strategy_set<wf::temporal_cut, corner_only>{}).size() == 2);
}
