// SPDX-License-Identifier: BSL-1.0
#include <wf/map/batch/work.hpp>

#include <random>

#include <doctest/doctest.h>

namespace {

constexpr wf::workload with_view() {
  wf::workload w;
  w.name = wf::text("w");
  w.batch = 8;
  wf::workload_operator a;
  a.label = wf::text("a");
  a.macs = 10;
  a.weight_bytes = 100;
  a.input_bytes = 3;
  a.output_bytes = 4;
  w.add(a);
  wf::workload_operator v;
  v.is_view = true;
  w.add(v);
  wf::workload_operator b;
  b.elementwise = 5;
  b.output_bytes = 2;
  b.is_output = true;
  w.add(b);
  w.connect(0, 1, 4);
  w.connect(1, 2, 4, wf::operand_split::by_both);
  return w;
}

static_assert(wf::batch_work_of(with_view())->size() == 2);
// Weights once; the input and the output for each of 8 samples.
static_assert(wf::batch_work_of(with_view())->least_traffic() == 100 + 8 * (3 + 2));

TEST_CASE("figures are those of one sample, operands know how they are shared out") {
  const auto w = wf::batch_work_of(with_view());
  REQUIRE(w);
  CHECK(w->batch == 8);
  CHECK(w->samples[0].macs == 10);
  CHECK(w->samples[0].fetched_bytes[0] == 3);
  CHECK(w->samples[1].elementwise == 5);
  CHECK(w->samples[1].stored_bytes == 2);
  REQUIRE(w->graph.operands_of(1).size() == 1);
  CHECK(w->graph.operands_of(1)[0].producer == 0);
  CHECK(w->graph.operands_of(1)[0].bytes == 4);
  CHECK(w->graph.operands_of(1)[0].split == wf::operand_split::by_both);
  CHECK(w->graph.operators[1].source == 2);
}

TEST_CASE("weights move once, all else of a sample as often as there are samples") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 100; ++round) {
    wf::batch_work w;
    w.batch = 1 + static_cast<std::int64_t>(random() % 9);
    std::int64_t once = 0, each = 0;
    for (std::uint64_t v = random() % 5; v > 0; --v) {
      wf::operator_load l;
      once += l.weight_bytes = static_cast<std::int64_t>(random() % 1000);
      for (std::int64_t& bytes : l.fetched_bytes)
        each += bytes = static_cast<std::int64_t>(random() % 1000);
      each += l.stored_bytes = static_cast<std::int64_t>(random() % 1000);
      w.samples.push_back(l);
    }
    CHECK(w.least_traffic() == once + w.batch * each);
  }
}

TEST_CASE("what cannot be mapped is refused") {
  wf::workload w;
  CHECK(wf::batch_work_of(w).error().code == wf::errc::invalid_problem);
  wf::workload_operator v;
  v.is_view = true;
  w.add(v);
  CHECK(wf::batch_work_of(w).error().code == wf::errc::invalid_problem);
}

}  // namespace
