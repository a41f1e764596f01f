// SPDX-License-Identifier: BSL-1.0
#include <wf/run/plan/options.hpp>

#include <doctest/doctest.h>

TEST_CASE("without a word, values share storage from the default resource of the moment") {
  std::pmr::monotonic_buffer_resource other;
  std::pmr::memory_resource* before = std::pmr::set_default_resource(&other);
  const wf::execution_options options;
  std::pmr::set_default_resource(before);
  CHECK(options.memory == &other);
  CHECK(options.share_buffers);
}
