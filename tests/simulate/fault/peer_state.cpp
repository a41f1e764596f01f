// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/peer_state.hpp>

#include <doctest/doctest.h>

#include <type_traits>

using namespace wf::fault;
using detail::peer_task;

TEST_CASE("a run waits for messages, work and restarts, not for timers that may be out of date") {
  for (const peer_task t : {peer_task::restart, peer_task::depart, peer_task::arrive,
                            peer_task::serve, peer_task::wake, peer_task::ready})
    CHECK(detail::moves(t));
  for (const peer_task t :
       {peer_task::script, peer_task::cease, peer_task::resume, peer_task::send, peer_task::probe})
    CHECK(!detail::moves(t));
}

TEST_CASE("where peers share a memory, what a message carries takes no space") {
  using none = simulated_world::cargo;
  CHECK(sizeof(loaded_envelope<none>) == sizeof(envelope));
  CHECK(std::is_empty_v<none>);
}
