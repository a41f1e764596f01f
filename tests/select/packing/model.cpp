// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/model.hpp>

#include <doctest/doctest.h>

TEST_CASE("a model lists the parts of its rows by row, class and value") {
  wf::detail::packing_model m;
  m.add_class();
  m.add_value(6, 0);
  m.add_value(4, 1);
  m.add_class();
  m.add_value(10, 2);
  m.add_value(0, wf::detail::packing_model::none);
  m.add_row(wf::table<std::uint32_t>{0, 1, 3});
  m.add_row(wf::table<std::uint32_t>{1, 2});
  m.finish();
  CHECK(m.divisor == 2);
  REQUIRE(m.parts.size() == 4);
  CHECK(m.row_part == wf::table<std::uint32_t>{0, 2, 4});
  CHECK((m.parts[0].owner == 0 && m.parts[0].begin == 0 && m.parts[0].end == 2));
  CHECK((m.parts[1].owner == 1 && m.parts[1].begin == 2 && m.parts[1].end == 3));
  CHECK(m.class_part_first == wf::table<std::uint32_t>{0, 2, 4});
  CHECK(m.class_part == wf::table<std::uint32_t>{0, 2, 1, 3});
  CHECK(m.value_part_first == wf::table<std::uint32_t>{0, 1, 3, 4, 5});
  CHECK(m.value_part == wf::table<std::uint32_t>{0, 0, 2, 3, 1});
}

TEST_CASE("the divisor of costs that are all zero is zero") {
  using wf::detail::packing_model;
  CHECK(packing_model::common_divisor(0, 0) == 0);
  CHECK(packing_model::common_divisor(0, 7) == 7);
  CHECK(packing_model::common_divisor(12, 18) == 6);
}
