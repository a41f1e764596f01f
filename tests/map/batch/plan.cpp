// SPDX-License-Identifier: BSL-1.0
#include <wf/map/batch/plan.hpp>

#include <random>

#include <doctest/doctest.h>

#include <mapping/check_batch.hpp>

#include "../random_workload.hpp"

namespace {

using wf_test::pick;

/// Random stages on vertical stripes for the operators from `first` to `last` - 1.
wf::table<wf::stage_outline> random_stages(std::mt19937_64& random, const wf::pe_array& a,
                                           std::uint32_t first, std::uint32_t last) {
  wf::table<wf::stage_outline> stages;
  for (std::int32_t x = 0; x < a.columns;) {
    wf::stage_outline s;
    const auto width = static_cast<std::int32_t>(pick(random, 1, a.columns - x));
    s.where = {0, x, static_cast<std::int32_t>(pick(random, 1, a.rows)), width};
    x += width;
    stages.push_back(s);
  }
  for (std::uint32_t v = first; v < last; ++v) {
    const auto k =
        static_cast<std::size_t>(pick(random, 0, static_cast<std::int64_t>(stages.size()) - 1));
    stages[k].operators.push_back(v);
  }
  wf::table<wf::stage_outline> used;
  for (const auto& s : stages)
    if (!s.operators.empty()) used.push_back(s);
  return used;
}

void plan_random_stages(bool in_place) {
  int planned = 0, refused = 0, several = 0, held = 0, smaller = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    wf::workload w = wf_test::random_workload(random, static_cast<int>(pick(random, 1, 6)));
    if (in_place) wf_test::let_overwrite(random, w);
    w.batch = pick(random, 0, 1) == 0 ? 1 : 12;
    const auto rows = static_cast<std::int32_t>(pick(random, 1, 2));
    const auto columns = static_cast<std::int32_t>(pick(random, 1, 4));
    wf::pe_array a = wf_test::random_array(random, rows, columns);
    a.dead.clear();
    a.memory_bytes = pick(random, 50, 800);
    const auto work = wf::batch_work_of(w);
    REQUIRE(work);
    const wf::cycle_model model;
    wf::segment_planner<wf::cycle_model> planner(*work, a, model);
    wf::batch_mapping m;
    bool fits = true;
    for (std::uint32_t first = 0; first < work->size() && fits;) {
      const auto last = static_cast<std::uint32_t>(pick(random, first + 1, work->size()));
      const std::int64_t b = w.batch == 1 ? 1 : (pick(random, 0, 1) == 0 ? 1 : 4);
      wf::planned_segment g;
      fits = planner.plan(random_stages(random, a, first, last), b, g);
      if (fits) {
        append(m, g, *work);
        several += g.stages.size() > 1;
        for (const auto& o : g.operators) held += o.holds_weights;
      }
      first = last;
    }
    ++(fits ? planned : refused);
    if (!fits) continue;
    m.bound = m.makespan;
    m.status = wf::search_status::proven;
    REQUIRE(mapping_benchmark::fault_of(w, a, m) == "");
    wf::workload apart = w;
    for (wf::workload_edge& e : apart.edges) e.may_overwrite = false;
    smaller += mapping_benchmark::fault_of(apart, a, m).empty() ? 0 : 1;
    // The checker detects a change of any figure.
    const auto k = static_cast<std::size_t>(
        pick(random, 0, static_cast<std::int64_t>(m.operators.size()) - 1));
    wf::batch_mapping wrong = m;
    wf::stage_operator& o = wrong.operators[k];
    std::int64_t* figures[] = {&o.cycles,       &o.first_cycles,  &o.working_bytes,
                               &o.weight_bytes, &o.fetched_bytes, &o.stored_bytes};
    ++*figures[seed % 6];
    REQUIRE(mapping_benchmark::fault_of(w, a, wrong) != "");
  }
  MESSAGE(planned << " planned, " << refused << " do not fit; " << several
                  << " segments of several stages, " << held << " operators that hold weights");
  CHECK(planned > 1000);
  CHECK(refused > 100);
  CHECK(several > 300);
  CHECK(held > 100);
  CHECK((in_place ? smaller > 100 : smaller == 0));
}

TEST_CASE("plans of random stages obey the statement of the model") { plan_random_stages(false); }
TEST_CASE("plans of operators in place obey the statement of the model") {
  plan_random_stages(true);
}

TEST_CASE("what is in place shares a buffer with what it overwrites") {
  // A generator, two operators in place, and a reader of the last result.
  const auto bytes = [](bool may_overwrite, bool read_twice) {
    wf::workload w;
    wf::workload_operator o;
    o.elementwise = o.second_axis = 16;
    o.output_bytes = 16;
    for (int k = 0; k < 3; ++k) w.add(o);
    o.output_bytes = 4;
    o.is_output = true;
    w.add(o);
    for (std::uint32_t k : {0u, 1u})
      w.connect(k, k + 1, 16, wf::operand_split::by_both, may_overwrite);
    w.connect(2, 3, 16, wf::operand_split::by_both);
    if (read_twice) w.connect(0, 3, 16, wf::operand_split::by_both);
    const auto work = wf::batch_work_of(w);
    wf::pe_array a;
    a.memory_bytes = 1000;
    const wf::cycle_model model;
    wf::segment_planner<wf::cycle_model> planner(*work, a, model);
    wf::planned_segment g;
    wf::table<wf::stage_outline> stages(1);
    stages[0] = {{0, 0, 1, 1}, {0, 1, 2, 3}};
    REQUIRE(planner.plan(stages, 1, g));
    return g.stages[0].bytes;
  };
  CHECK(bytes(false, false) == 4 + 3 * 16);  // operand, its copy, and the result
  CHECK(bytes(true, false) == 4 + 2 * 16);   // the last operator's operand and its copy
  CHECK(bytes(false, true) == 4 + 4 * 16);
  CHECK(bytes(true, true) == 4 + 4 * 16);  // operands of the last operator and their copies
}

TEST_CASE("a stage that needs a later one of its own segment is refused") {
  wf::workload w;
  wf::workload_operator o;
  o.macs = 4;
  o.output_bytes = 2;
  for (int k = 0; k < 3; ++k) w.add(o);
  w.connect(0, 1, 2);
  w.connect(1, 2, 2);
  const auto work = wf::batch_work_of(w);
  wf::pe_array a;
  a.columns = 2;
  a.memory_bytes = 1000;
  const wf::cycle_model model;
  wf::segment_planner<wf::cycle_model> planner(*work, a, model);
  wf::planned_segment g;
  wf::table<wf::stage_outline> circle(2);
  circle[0] = {{0, 0, 1, 1}, {0, 2}};
  circle[1] = {{0, 1, 1, 1}, {1}};
  CHECK_FALSE(planner.plan(circle, 1, g));
  wf::table<wf::stage_outline> backwards(1);
  backwards[0] = {{0, 0, 1, 2}, {1, 0, 2}};
  CHECK_FALSE(planner.plan(backwards, 1, g));
  backwards[0] = {{0, 0, 1, 2}, {0, 1, 2}};
  CHECK(planner.plan(backwards, 1, g));
  CHECK(g.cycles > 0);
}

}  // namespace
