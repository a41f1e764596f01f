// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/map/array/workload.hpp>

namespace {

constexpr wf::workload pair() {
  wf::workload w;
  w.name = wf::text("pair");
  wf::workload_operator o;
  o.label = wf::text("first");
  o.macs = 100;
  o.output_bytes = 10;
  const auto first = w.add(o);
  o.label = wf::text("second");
  w.connect(first, w.add(o), 10);
  return w;
}
static_assert(validate(pair()).has_value());
static_assert(pair() == pair());

template <class Change>
wf::error refused(Change change) {
  wf::workload w = pair();
  change(w);
  const auto valid = validate(w);
  REQUIRE_FALSE(valid);
  return valid.error();
}

}  // namespace

TEST_CASE("an invalid workload is refused by the operator's name") {
  using wf::errc;
  CHECK(refused([](auto& w) { w = {}; }).code == errc::invalid_problem);
  CHECK(refused([](auto& w) { w.batch = 0; }).subject == wf::text("pair"));
  CHECK(refused([](auto& w) { w.operators[1].macs = -1; }).subject == wf::text("second"));
  CHECK(refused([](auto& w) { w.operators[0].first_axis = 0; }).subject == wf::text("first"));
  CHECK(refused([](auto& w) { w.operators[0].second_axis = 0; }).code == errc::invalid_problem);
  CHECK(refused([](auto& w) { w.edges[0].bytes = -1; }).subject == wf::text("second"));
  CHECK(refused([](auto& w) { w.connect(1, 1, 0); }).code == errc::invalid_problem);
  CHECK(refused([](auto& w) { w.connect(1, 0, 0); }).code == errc::invalid_problem);
  CHECK(refused([](auto& w) { w.connect(0, 2, 0); }).code == errc::invalid_problem);
}

TEST_CASE("figures that the batch makes too large are an overflow") {
  using wf::errc;
  CHECK(refused([](auto& w) { w.operators[0].macs = INT64_MAX; }).code == errc::overflow);
  CHECK(refused([](auto& w) { w.batch = INT64_MAX; }).code == errc::overflow);
  CHECK(refused([](auto& w) { w.operators[1].weight_bytes = INT64_MAX; }).code == errc::overflow);
  CHECK(refused([](auto& w) { w.edges[0].bytes = INT64_MAX; }).code == errc::overflow);
  wf::workload w = pair();
  w.operators[0].macs = wf::max_workload_figure;
  CHECK(validate(w));
  w.batch = 2;
  CHECK_FALSE(validate(w));
}

TEST_CASE("loads compare by all their figures") {
  wf::operator_load a, b;
  CHECK(a == b);
  b.made_bytes[2] = 1;
  CHECK_FALSE(a == b);
  b = a;
  b.fetched_bytes[0] = 1;
  CHECK_FALSE(a == b);
  b = a;
  b.stored_bytes = 1;
  CHECK_FALSE(a == b);
}
