// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/node.hpp>
#include <wf/simulate/engine/pool.hpp>
#include <wf/simulate/fault/history.hpp>

namespace wf::detail {

/// A message of a machine's program to one machine.
template <class Value>
struct parcel {
  std::uint32_t from = 0;        ///< the machine that sends it
  std::uint32_t to = 0;          ///< the machine that is to have it
  std::uint32_t edge = 0;        ///< the network's number of its edge
  std::uint32_t tag = 0;         ///< the execution that it belongs to
  std::uint64_t call = 0;        ///< the call of the execution, from 1; 0: none was needed
  std::uint32_t program = 0;     ///< index of the sender's program
  node_id node = node_id::none;  ///< of the sender's program
  Value content{};               ///< what it carries
  std::uint32_t copies = 0;      ///< that are on the wire, or wait at the receiver
  bool is_open = true;           ///< its send has no end
};

/// The messages that are under way, of all machines. Payloads of the network are their numbers.
///
/// A message has an end when it is answered, fails, or its sender crashes. It is kept, with what it
/// carries, until none of its copies can arrive any more: a copy may come after the end, and a
/// receiver that has restarted takes it. What becomes of copies is seen in the records of the
/// network.
template <class Value>
class parcel_table {
 public:
  /// For a number of calls.
  constexpr explicit parcel_table(std::size_t calls) : under_way_(calls + 1), rests_(calls + 1) {}

  /// A new message; its number. Amortised O(1).
  constexpr std::uint32_t add(parcel<Value> x) {
    ++under_way_[x.call];
    const std::uint32_t at = pool_.add({static_cast<parcel<Value>&&>(x), true});
    return at;
  }
  /// The message of a payload; null if the payload is none of ours.
  constexpr const parcel<Value>* find(std::uint64_t payload, std::uint32_t from, std::uint32_t to,
                                      std::uint32_t edge) const {
    const entry* const e = find(payload);
    return e != nullptr && e->x.from == from && e->x.to == to && e->x.edge == edge ? &e->x
                                                                                   : nullptr;
  }
  /// The send of a message has an end.
  constexpr void end(std::uint32_t at) {
    pool_[at].x.is_open = false;
    settle(at);
  }
  /// A copy of a message that the network gave to the program was taken.
  constexpr void take(std::uint32_t at) {
    if (pool_[at].x.copies != 0) --pool_[at].x.copies;
    settle(at);
  }
  /// Sees a record of the network. O(1); O(messages under way) for a crash.
  constexpr void observe(const fault::record& r) {
    using fault::happening;
    is_observed_ = true;
    if (r.what == happening::crashed) return lose(r.peer);
    if (r.kind != fault::message_kind::data) return;
    const bool is_more = r.what == happening::sent || r.what == happening::copied;
    const bool is_less = r.what == happening::dropped || r.what == happening::lost ||
                         r.what == happening::refused ||
                         (r.what == happening::gate_refused && r.extra == 0);
    if (!is_more && !is_less) return;
    // Dropped ones are recorded at their senders, as are those that are sent.
    const bool at_source = is_more || r.what == happening::dropped;
    const std::uint32_t from = at_source ? r.peer : r.other, to = at_source ? r.other : r.peer;
    if (find(r.payload, from, to, r.edge) == nullptr) return;
    const auto at = static_cast<std::uint32_t>(r.payload);
    if (is_more)
      ++pool_[at].x.copies;
    else
      take(at);
  }
  /// True if records were seen. Otherwise nothing is known of copies, and nothing is forgotten.
  constexpr bool is_observed() const { return is_observed_; }
  /// True if no message of a call is under way. O(1).
  constexpr bool is_quiet(std::uint64_t call) const { return under_way_[call] == 0; }
  /// A call has come to rest by itself, without a message.
  constexpr void rest(std::uint64_t call) {
    if (call == 0 || rests_[call] != 0) return;
    rests_[call] = 1;
    resting_.push_back(call);
  }
  /// The calls that have come to rest since this was asked last: none of their messages was under
  /// way then. O(their number).
  constexpr table<std::uint64_t> resting() {
    table<std::uint64_t> out;
    out.swap(resting_);
    for (const std::uint64_t call : out) rests_[call] = 0;
    return out;
  }
  /// Number of messages under way.
  constexpr std::size_t size() const { return pool_.in_use(); }

 private:
  struct entry {
    parcel<Value> x;
    bool is_used = false;
  };

  constexpr const entry* find(std::uint64_t payload) const {
    if (payload >= pool_.records().size()) return nullptr;
    const entry& e = pool_[static_cast<std::uint32_t>(payload)];
    return e.is_used ? &e : nullptr;
  }
  // Its sender has lost it: copies may still arrive.
  constexpr void lose(std::uint32_t sender) {
    for (std::uint32_t at = 0; at < pool_.records().size(); ++at)
      if (pool_[at].is_used && pool_[at].x.is_open && pool_[at].x.from == sender) end(at);
  }
  constexpr void settle(std::uint32_t at) {
    entry& e = pool_[at];
    if (e.x.is_open || e.x.copies != 0 || !is_observed_) return;
    const std::uint64_t call = e.x.call;
    e = {};
    pool_.release(at);
    if (--under_way_[call] == 0) rest(call);
  }

  pool<entry> pool_;
  table<std::uint32_t> under_way_;  // by call
  table<char> rests_;               // by call: whether it is among `resting_`
  table<std::uint64_t> resting_;
  bool is_observed_ = false;
};

}  // namespace wf::detail
