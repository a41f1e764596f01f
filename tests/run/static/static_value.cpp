// SPDX-License-Identifier: BSL-1.0
#include <wf/run/static/static_value.hpp>

#include <cstddef>
#include <type_traits>

#include <doctest/doctest.h>

#include <wf/static.hpp>

namespace {

constexpr auto flow = wf::workflow<"flow">([](wf::scope& s) {
  auto a = s.input<"a", double, 3, 4>();
  auto b = s.input<"b", double, 1, 4>();
  auto sum = a + a;
  s.output<"c">(sum * trans(b));
});

template <std::size_t... Value>
constexpr bool begin_at_cache_lines(std::index_sequence<Value...>) {
  return ((wf::detail::workspace_plan<flow>::value.at[Value] % 64 == 0) && ...);
}

}  // namespace

TEST_CASE("a value has a matrix type of its extents, and a row is stored by rows") {
  using namespace wf::detail;
  static_assert(
      std::is_same_v<value_traits<flow, wf::value_id{0}>::matrix, Eigen::Matrix<double, 3, 4>>);
  static_assert(std::is_same_v<value_traits<flow, wf::value_id{1}>::matrix,
                               Eigen::Matrix<double, 1, 4, Eigen::RowMajor>>);
  CHECK(rows_of(wf::shape()) == 1);
  CHECK(columns_of(wf::shape::of(5)) == 1);
  CHECK(columns_of(wf::shape::of(5, 7)) == 7);
}

TEST_CASE("results begin at cache lines, and inputs take no space") {
  constexpr std::size_t count = flow.graph().values.size();
  static_assert(begin_at_cache_lines(std::make_index_sequence<count>()));
  constexpr std::size_t bytes = wf::detail::workspace_plan<flow>::value.bytes;
  std::size_t least = 0;
  for (const wf::value& v : flow.graph().values)
    if (v.producer != wf::node_id::none)
      least += static_cast<std::size_t>(v.type.shape.elements()) * sizeof(double);
  CHECK(bytes >= least);
  CHECK(bytes < least + 64 * count);
  CHECK(wf::detail::execution_order<flow>().size() == flow.graph().nodes.size());
}
