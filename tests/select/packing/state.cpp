// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/state.hpp>

#include <doctest/doctest.h>

TEST_CASE("values leave their class and come back in reverse") {
  wf::detail::packing_model m;
  m.add_class();
  for (std::uint32_t v = 0; v < 4; ++v) m.add_value(v, v);
  m.finish();
  wf::detail::packing_state s(m);
  s.leave(1, 0);
  s.leave(3, 0);
  CHECK(s.class_count[0] == 2);
  CHECK(s.left(0).size() == 2);
  for (const std::uint32_t v : s.left(0)) CHECK((v == 0 || v == 2));
  s.come_back(3, 0);
  s.come_back(1, 0);
  std::uint32_t seen = 0;
  for (const std::uint32_t v : s.left(0)) seen |= 1U << v;
  CHECK(seen == 15);
}
