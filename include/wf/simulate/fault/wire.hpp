// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/fault/envelope.hpp>

namespace wf::fault {

/// What the script does with one message.
struct wire_decision {
  bool dropped = false;        ///< it is lost, and its copies with it
  bool whole = true;           ///< its checksum fits on arrival
  std::int64_t delay_ns = 0;   ///< from sending to arrival
  table<std::int64_t> copies;  ///< further arrivals: their delays, in nanoseconds
};

/// The wire below the gates: base delays, rules about messages, and partitions. It draws nothing
/// from a generator: each decision is a function of the message's identity, and of the time if a
/// rule has one.
class wire {
 public:
  /// A wire without partitions. The script must outlive it.
  constexpr explicit wire(const script& s)
      : script_(&s), cuts_(s.peers.size() * s.peers.size()), core_(s.peers.size()) {}

  /// Decides about a message that is sent at a time of the simulation. Its delay is the base delay
  /// and those of all rules. O(rules).
  constexpr void decide(const envelope& m, std::int64_t now, wire_decision& out) const {
    const message_identity id = m.identity();
    out.dropped = false;
    out.whole = true;
    out.copies.clear();
    const interval& base = script_->delay_ns;
    out.delay_ns = base.lowest == base.highest ? base.lowest
                                               : random_draws(script_->seed, base_delay_rule, id)
                                                     .between(1, base.lowest, base.highest);
    if (ceased_ || (core_ceased_ && core_[m.source] && core_[m.destination])) return;
    wire_form bits;
    bool corrupted = false;
    for (std::uint32_t i = 0; i < script_->rules.size(); ++i) {
      const rule& r = script_->rules[i];
      if (!matches(r, m) || !r.between_ns.has(now)) continue;
      const random_draws draws(script_->seed, i, id);
      if (r.probability < 1 && !(draws.uniform(0) < r.probability)) continue;
      switch (r.effect) {
        case rule_effect::drop:
          out.dropped = true;
          out.copies.clear();
          return;
        case rule_effect::duplicate:
          // Relative to the original, whose delay may still grow.
          for (std::uint32_t k = 1; k <= r.count; ++k)
            out.copies.push_back(draws.between(k, r.delay_ns.lowest, r.delay_ns.highest));
          break;
        case rule_effect::delay:
          out.delay_ns += draws.between(1, r.delay_ns.lowest, r.delay_ns.highest);
          break;
        case rule_effect::corrupt:
          if (!corrupted) bits = pack(m);
          corrupted = true;
          for (std::uint32_t k = 1; k <= r.count; ++k)
            flip(bits, static_cast<std::uint32_t>(draws.between(k, 0, envelope_bits - 1)));
          break;
      }
    }
    // Flips that cancel each other leave a whole message.
    if (corrupted) out.whole = is_whole(bits);
    for (std::int64_t& copy : out.copies) copy += out.delay_ns;
  }

  /// The state of a link.
  enum class link : std::uint8_t {
    open,  ///< messages pass
    drop,  ///< messages are lost
    hold,  ///< messages wait
  };
  /// The state of the link from one peer to another.
  constexpr link state(std::uint32_t from, std::uint32_t to) const {
    return cuts_[from * core_.size() + to];
  }
  /// Cuts links; a peer always reaches itself.
  constexpr void cut(const selector& from, const selector& to, bool hold) {
    for (std::uint32_t a = 0; a < core_.size(); ++a)
      for (std::uint32_t b = 0; b < core_.size(); ++b)
        if (a != b && from.has(a) && to.has(b))
          cuts_[a * core_.size() + b] = hold ? link::hold : link::drop;
  }
  /// Repairs links.
  constexpr void heal(const selector& from, const selector& to) {
    for (std::uint32_t a = 0; a < core_.size(); ++a)
      for (std::uint32_t b = 0; b < core_.size(); ++b)
        if (from.has(a) && to.has(b)) cuts_[a * core_.size() + b] = link::open;
  }
  /// Ends the rules, and the partitions.
  constexpr void cease() {
    ceased_ = true;
    heal({}, {});
  }
  /// Ends the rules and partitions among some peers.
  constexpr void cease_among(const table<std::uint32_t>& peers) {
    core_ceased_ = true;
    for (std::uint32_t p : peers) core_[p] = 1;
    heal({false, peers}, {false, peers});
  }

 private:
  static constexpr bool matches(const rule& r, const envelope& m) {
    return (r.kind < 0 || r.kind == static_cast<std::int32_t>(m.kind)) && r.source.has(m.source) &&
           r.destination.has(m.destination) && r.edge.has(m.edge) &&
           r.sequence.has(static_cast<std::int64_t>(m.sequence)) && r.attempt.has(m.attempt);
  }

  const script* script_;
  table<link> cuts_;
  table<char> core_;
  bool ceased_ = false;
  bool core_ceased_ = false;
};

}  // namespace wf::fault
