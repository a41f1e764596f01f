// SPDX-License-Identifier: BSL-1.0
#include <wf/report/svg.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>
#include <wf/map/map.hpp>

namespace {

constexpr auto kalman = wf::workflow<"kalman">([](wf::scope& s) {
  auto P = s.input<"P", double, 6, 6>(wf::spd);
  auto H = s.input<"H", double, 3, 6>();
  auto R = s.input<"R", double, 3, 3>(wf::spd);
  auto S = s.let<"S">(H * P * trans(H) + R);
  s.output<"K">(P * trans(H) * inv(S));
});

bool contains(wf::text_view text, const char* part) {
  return std::string(text).find(part) != std::string::npos;
}

}  // namespace

namespace {

wf::workload two_operators() {
  wf::workload w;
  w.name = "two";
  for (const char* label : {"first", "second<&>"}) {
    wf::workload_operator o;
    o.label = label;
    o.macs = 4096;
    o.first_axis = o.second_axis = 64;
    o.output_bytes = 256;
    w.add(o);
  }
  w.connect(0, 1, 256);
  return w;
}

wf::pe_array small_array() {
  wf::pe_array a;
  a.rows = a.columns = 2;
  a.macs_per_cycle = 16;
  a.memory_bytes = 1 << 20;
  a.link_bytes_per_cycle = 16;
  a.dram_bytes_per_cycle = 16;
  return a;
}

}  // namespace

TEST_CASE("a drawing has a box a node and input, and a path an operand") {
  const wf::graph_view g = kalman.graph();
  const std::string svg(wf::to_svg(g).view());
  const auto count = [&](const char* part) {
    std::size_t n = 0;
    for (std::size_t at = svg.find(part); at != std::string::npos; at = svg.find(part, at + 1)) ++n;
    return n;
  };
  CHECK(count("<rect") == g.nodes.size() + 3);
  CHECK(count("<path") == g.operands.size());
  CHECK(count("box result") == 1);
  CHECK(count("<svg") == 1);
}

TEST_CASE("timeline and utilisation show every operator and PE") {
  const wf::workload w = two_operators();
  const auto m = wf::map_onto(w, small_array());
  REQUIRE(m);
  const wf::text_view kinds[] = {"conv2d", "matmul"};
  const wf::text timeline = wf::timeline_svg(*m, w, kinds);
  CHECK(contains(timeline.view(), "first: cycles 0 to"));
  CHECK(contains(timeline.view(), "second&lt;&amp;&gt;"));
  const std::string heat(wf::utilisation_svg(*m).view());
  std::size_t cells = 0;
  for (std::size_t at = heat.find("<rect"); at != std::string::npos;
       at = heat.find("<rect", at + 1))
    ++cells;
  CHECK(cells == 4);
}
