// SPDX-License-Identifier: BSL-1.0
#include <wf/report/graph/pareto_svg.hpp>

#include <string>

#include <doctest/doctest.h>

#include "../golden.hpp"

namespace {

wf::pareto_front sample(std::size_t metrics) {
  wf::pareto_front front;
  for (std::uint32_t m = 0; m < metrics; ++m) front.metrics.push_back(m);
  front.points.push_back({{}, {{1'000, 50, metrics == 3 ? 7 : 0}}, true});
  front.points.push_back({{}, {{2'000, 20, metrics == 3 ? 9 : 0}}, true});
  front.points.push_back({{}, {{2'500, 15, metrics == 3 ? 5 : 0}}, false});
  front.open.push_back({{{2'001, 3, 0}}, {{wf::unbounded, 19, 0}}});
  front.status = wf::pareto_status::stopped_by_limit;
  return front;
}

std::string drawn(const wf::pareto_front& front) {
  const wf::text names[] = {wf::text("time"), wf::text("a<b"), wf::text("width")};
  return static_cast<std::string>(wf::to_svg(front, names));
}

std::size_t count(const std::string& in, const std::string& what) {
  std::size_t out = 0;
  for (std::size_t at = in.find(what); at != std::string::npos; at = in.find(what, at + 1)) ++out;
  return out;
}

constexpr bool marks_are_round() {
  const wf::detail::chart_axis axis(1'230, 98'700);
  return axis.step == 20'000 && axis.first_mark() % axis.step == 0 && axis.low < 1'230 &&
         axis.high > 98'700 && axis.place(axis.low, 640) == 0 && axis.place(axis.high, 640) == 640;
}
static_assert(marks_are_round());
static_assert(wf::detail::chart_axis(5, 5).step == 1);  // a single value
static_assert(wf::detail::chart_axis(0, wf::unbounded / 8).step > 0);

}  // namespace

TEST_CASE(
    "a front has a dot for each point, hollow if it is not proven, and a box for what is open") {
  const std::string svg = drawn(sample(2));
  CHECK(count(svg, "<circle") == 3);
  CHECK(count(svg, "fill=\"#fff\"") == 1);
  CHECK(count(svg, "1,000 time, 50 a&lt;b</title>") == 1);
  CHECK(count(svg, "2,500 time, 15 a&lt;b, not proven</title>") == 1);
  CHECK(count(svg, "open: time from 2,001, a&lt;b from 3 to 19</title>") == 1);
  CHECK(count(svg, "darker") == 0);
  CHECK(count(svg, "fill=\"#eef3f8\"") == 1);
}

TEST_CASE("a third metric is the shade of the dots") {
  const std::string svg = drawn(sample(3));
  CHECK(count(svg, "darker: more width") == 1);
  CHECK(count(svg, "1,000 time, 50 a&lt;b, 7 width</title>") == 1);
  CHECK(count(svg, "fill=\"#eef3f8\"") == 0);
  CHECK(count(svg, "fill=\"rgb(") == 2);
}

TEST_CASE("a front of no point is a picture without dots") {
  wf::pareto_front none;
  none.metrics = {0, 1};
  CHECK(count(drawn(none), "<circle") == 0);
  CHECK(count(drawn(none), "</svg>") == 1);
}

TEST_CASE("golden: a front that was stopped") { golden::check("front.svg", drawn(sample(2))); }
