// SPDX-License-Identifier: BSL-1.0
#include <wf/map/batch/parts.hpp>

#include <random>

#include <doctest/doctest.h>

#include <wf/map/batch/map.hpp>

#include <mapping/check_batch.hpp>

#include "../networks.hpp"
#include "../random_workload.hpp"

namespace {

using wf_test::pick;

constexpr wf::workload two_layers() {
  wf::workload w;
  w.name = wf::text("two");
  w.batch = 4;
  wf::workload_operator o;
  o.label = wf::text("wide");
  o.macs = 700;
  o.weight_bytes = 100;
  o.output_bytes = 7;
  o.input_bytes = 10;
  o.first_axis = 7;
  w.add(o);
  o.label = wf::text("next");
  o.weight_bytes = 10;
  o.input_bytes = 0;
  o.is_output = true;
  w.add(o);
  w.connect(0, 1, 7);
  return w;
}

constexpr wf::pe_array one(std::int64_t memory) {
  wf::pe_array a;
  a.memory_bytes = memory;
  return a;
}

constexpr std::int64_t parts_of_wide(std::int64_t memory) {
  return static_cast<std::int64_t>(
             wf::parts_that_fit(two_layers(), one(memory))->operators.size()) -
         1;
}

// 100 of weights, three times the input (two buffers and one in use), twice the result: 144.
static_assert(parts_of_wide(144) == 1);
static_assert(parts_of_wide(143) == 2);
static_assert(parts_of_wide(70) > 2);
static_assert(parts_of_wide(1) == 1);  // no number of parts suffices

TEST_CASE("parts make up the whole") {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    wf::workload w = wf_test::random_workload(random, static_cast<int>(pick(random, 1, 6)));
    w.batch = 2;
    wf::table<std::int64_t> parts;
    for (const auto& o : w.operators)
      parts.push_back(o.is_view ? 1 : pick(random, 1, o.first_axis));
    const wf::workload cut = wf::in_parts(w, parts);
    REQUIRE(wf::validate(cut));
    std::size_t at = 0;
    for (std::size_t i = 0; i < w.operators.size(); ++i) {
      const wf::workload_operator& o = w.operators[i];
      wf::workload_operator sum = o;
      sum.macs = sum.elementwise = sum.weight_bytes = sum.output_bytes = sum.first_axis = 0;
      std::int64_t input = 0;
      for (std::int64_t k = 0; k < parts[i]; ++k, ++at) {
        const wf::workload_operator& part = cut.operators[at];
        sum.macs += part.macs;
        sum.elementwise += part.elementwise;
        sum.weight_bytes += part.weight_bytes;
        sum.output_bytes += part.output_bytes;
        sum.first_axis += part.first_axis;
        input += part.input_bytes;
        REQUIRE(part.is_output == o.is_output);
      }
      REQUIRE(sum == o);
      REQUIRE(input == (o.input_split == wf::operand_split::by_second ? parts[i] * o.input_bytes
                                                                      : o.input_bytes));
    }
    REQUIRE(at == cut.operators.size());
    std::int64_t whole = 0, carried = 0;
    for (const auto& e : w.edges)
      whole += e.bytes * (e.split == wf::operand_split::by_second ? parts[e.to] : 1);
    for (const auto& e : cut.edges) carried += e.bytes;
    REQUIRE(whole == carried);
    // Without cuts the workload is unchanged, edges in order.
    REQUIRE(wf::in_parts(w, wf::table<std::int64_t>(w.operators.size(), 1)) == w);
  }
}

TEST_CASE("what is too large in one piece is mapped in parts") {
  const wf::pe_array a = one(140);
  const auto whole = wf::map(two_layers(), a, wf::batch_options{});
  REQUIRE_FALSE(whole);
  CHECK(whole.error().code == wf::errc::mapping_infeasible);
  CHECK(whole.error().subject == wf::text("wide"));
  CHECK(whole.error().message ==
        wf::text("needs at least 144 bytes in each of 1 PEs, a PE has 140: see "
                 "parts_that_fit"));
  const auto parts = wf::parts_that_fit(two_layers(), a);
  REQUIRE(parts);
  CHECK(parts->operators[0].label == wf::text("wide[0/2]"));
  const auto m = wf::map(*parts, a, wf::batch_options{});
  REQUIRE(m);
  CHECK(mapping_benchmark::fault_of(*parts, a, *m) == "");
}

TEST_CASE("ZFNet, whose weights exceed the array, is mapped in parts") {
  const auto w = wf_test::read_network("zfnet", 64);
  if (!w) return;
  const wf::pe_array a = wf_test::mesh_8x8();
  CHECK_FALSE(wf::map(*w, a, wf::batch_options{}));
  const auto parts = wf::parts_that_fit(*w, a);
  REQUIRE(parts);
  CHECK(parts->operators.size() > w->operators.size());
  const auto m = wf::map(*parts, a, wf::batch_options{});
  REQUIRE(m);
  CHECK(mapping_benchmark::fault_of(*parts, a, *m) == "");
}

}  // namespace
