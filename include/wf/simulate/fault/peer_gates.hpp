// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/fault/peer_events.hpp>

namespace wf::fault::detail {

/// The decisions of the health and backoff gates of all peers, and what they learn from failures.
template <class Network, class History, class Gates, class World>
class peer_gates : public peer_events<Network, History, Gates, World> {
  using base = peer_events<Network, History, Gates, World>;

 protected:
  using base::about;
  using base::note;
  using base::peer_events;

  // Health and backoff of `p` about `q`, in their order; the dedup gate was passed before.
  constexpr reason gates(const envelope& m, bool at_source, std::uint32_t p, std::uint32_t q) {
    const auto& peer = this->peers_[p];
    reason why = peer.memory.health[q].refusal(peer.knobs[knob::deny_down] != 0);
    if (!passes(m, at_source, gate::health, why)) return why;
    if (peer.memory.backoff[q].refuses(this->local(p))) why = reason::cooldown;
    passes(m, at_source, gate::backoff, why);
    return why;
  }
  constexpr bool passes(const envelope& m, bool at_source, gate which, reason why) {
    record r = about(why == reason::none ? happening::gate_passed : happening::gate_refused, m,
                     at_source, why);
    r.value = static_cast<std::int64_t>(which);
    r.extra = at_source ? 1 : 0;
    note(r);
    return why == reason::none;
  }
  constexpr void blame(std::uint32_t p, std::uint32_t q) {
    auto& peer = this->peers_[p];
    peer.memory.backoff[q].fail(this->local(p), peer.knobs[knob::backoff_base_ns],
                                peer.knobs[knob::backoff_cap_ns]);
    count_failure(p, q);
  }
  constexpr void count_failure(std::uint32_t p, std::uint32_t q) {
    auto& peer = this->peers_[p];
    const auto& entry = peer.memory.backoff[q];
    note(happening::failure, p, q, entry.next_retry, entry.failures);
    if (peer.memory.health[q].fail(peer.knobs[knob::governor_threshold]))
      note(happening::went_down, p, q);
  }
  constexpr std::uint64_t new_request(std::uint32_t p) {
    return static_cast<std::uint64_t>(this->peers_[p].incarnation) << 40 |
           ++this->peers_[p].memory.requests;
  }
  constexpr void launch(const envelope& m, std::int64_t ttl) {
    record r = about(happening::sent, m, true);
    r.value = ttl;
    r.extra = m.remaining;
    note(r);
    this->transmit({m, this->self().cargo_of(m)});
  }
};

}  // namespace wf::fault::detail
