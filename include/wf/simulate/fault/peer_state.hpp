// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/fault/peer.hpp>

namespace wf::fault::detail {

/// What can happen to a peer, or to a message.
enum class peer_task : std::uint8_t {
  script,   ///< an event of the script
  cease,    ///< faults among the core end
  restart,  ///< of a crashed peer
  resume,   ///< of a paused peer
  depart,   ///< a message that a partition held at its sender
  arrive,   ///< a message at the end of its way
  serve,    ///< a peer is done with a payload
  send,     ///< the timer of a send
  probe,    ///< the timer of a probe: it is due, or has no answer
  wake,     ///< of the program
  ready,    ///< of a protected operation
};

/// True for what a run waits for, whatever sends and probes do. Their timers may be out of date, so
/// that they are asked themselves; events of the script keep no run.
constexpr bool moves(peer_task what) {
  return what == peer_task::restart || what == peer_task::depart || what == peer_task::arrive ||
         what == peer_task::serve || what == peer_task::wake || what == peer_task::ready;
}

/// Something that will happen.
template <class Cargo>
struct peer_event {
  peer_task what = peer_task::script;  ///< what
  bool whole = true;                   ///< of a message: its checksum fits
  std::uint32_t peer = 0;              ///< to whom; the receiver of a message
  std::uint32_t incarnation = 0;       ///< of the peer: a later one is not concerned
  std::uint32_t generation = 0;        ///< of a timer: an older one has no effect
  std::uint64_t index = 0;             ///< of a send, another peer, an event, or the program's id
  std::int64_t due = 0;                ///< local, in nanoseconds; 0: none
  std::int64_t bound = 0;              ///< the deadline of a protected operation, local
  loaded_envelope<Cargo> message;      ///< that departs or arrives
};

/// A peer, and what a script does to it.
template <class Gates, class Cargo>
struct peer_state {
  bool alive = true;                 ///< it is not crashed
  bool doomed = false;               ///< it will crash at the end of this event
  bool paused = false;               ///< it does nothing until it goes on
  std::uint32_t incarnation = 0;     ///< how often it has restarted
  std::uint32_t pauses = 0;          ///< how often it was paused
  std::int64_t percent = 100;        ///< time that it takes for its work
  knob_set knobs;                    ///< parameters of its gates
  peer_clock clock;                  ///< its clocks
  peer_memory<Gates, Cargo> memory;  ///< what a crash erases
  table<peer_event<Cargo>> stopped;  ///< what happened to it while it was paused
};

}  // namespace wf::fault::detail
