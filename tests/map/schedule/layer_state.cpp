// SPDX-License-Identifier: BSL-1.0
#include <wf/map/schedule/layer_state.hpp>

#include <doctest/doctest.h>

namespace {

using wf::detail::layer_key;
using wf::detail::layer_state;

static_assert(layer_state::finish_of(layer_state::run_of(77, 4095)) == 77);
static_assert(layer_state::task_of(layer_state::run_of(77, 4095)) == 4095);
static_assert(layer_key{1, 9} < layer_key{2, 0} && layer_key{1, 0} < layer_key{1, 9});
static_assert(!wf::detail::layer_window().is_cut());

}  // namespace

TEST_CASE("runs are sorted by their finish, then by their task") {
  for (std::int64_t finish = 0; finish < 5; ++finish)
    for (std::uint32_t task = 0; task < 5; ++task) {
      CHECK(layer_state::run_of(finish, task) < layer_state::run_of(finish, task + 1));
      CHECK(layer_state::run_of(finish, 4095) < layer_state::run_of(finish + 1, task));
    }
}

TEST_CASE("a state's word of time holds the time and the number of running tasks") {
  wf::detail::word state[layer_state::row + 1]{};
  state[layer_state::time] = wf::detail::word{123} << layer_state::task_bits | 45;
  CHECK(layer_state::time_of(state) == 123);
  CHECK(layer_state::running(state) == 45);
}
