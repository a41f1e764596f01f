// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/simulate/fault/gates.hpp>
#include <wf/simulate/fault/script.hpp>

/// Gates with a fault each, to see that runs under fault scripts find it.
namespace broken_gates {

using namespace wf::fault;

/// The last two numbers that were accepted, whatever their streams, instead of a high-water mark.
class number_queue {
 public:
  constexpr void set_window(std::int64_t) {}
  constexpr reason test(const envelope& m) const {
    for (std::size_t i = 0; i < seen_.size(); ++i)
      if (seen_[i].source == m.source && seen_[i].incarnation == m.incarnation &&
          seen_[i].edge == m.edge && seen_[i].sequence == m.sequence)
        return reason::duplicate;
    return reason::none;
  }
  constexpr void record(const envelope& m) {
    seen_.push(m);
    if (seen_.size() > 2) seen_.pop();
  }
  constexpr std::int64_t entries() const { return 0; }

 private:
  wf::fifo<envelope> seen_;
};
/// Dedup forgets what was accepted.
struct forgetful_dedup : standard_gates {
  using dedup = number_queue;
};

/// Dedup knows payloads, not numbers: the gate of the original.
struct payload_dedup : standard_gates {
  using dedup = payload_window;
};

/// A window whose key lacks the incarnation.
class nameless_window : public duplicate_window {
 public:
  constexpr reason test(envelope m) const {
    m.incarnation = 0;
    return duplicate_window::test(m);
  }
  constexpr void record(envelope m) {
    m.incarnation = 0;
    duplicate_window::record(m);
  }
};
/// Dedup takes a restarted sender for the former one.
struct nameless_dedup : standard_gates {
  using dedup = nameless_window;
};

/// Health lets peers pass that its policy excludes.
struct unblocking_health : standard_gates {
  struct health : health_entry {
    constexpr reason refusal(bool denies_down) const {
      return down && denies_down ? reason::down : reason::none;
    }
  };
};
/// Health lets peers pass that are down.
struct trusting_health : standard_gates {
  struct health : health_entry {
    constexpr reason refusal(bool) const { return policy(); }
  };
};

/// Backoff lets everything pass during the wait after a failure.
struct hasty_backoff : standard_gates {
  struct backoff : backoff_entry {
    constexpr bool refuses(std::int64_t) const { return false; }
  };
};
/// Waits of the backoff gate do not grow with the failures in a row.
struct steady_backoff : standard_gates {
  struct backoff : backoff_entry {
    constexpr void fail(std::int64_t now, std::int64_t base, std::int64_t cap) {
      ++failures;
      next_retry = now + (base < cap ? base : cap);
    }
  };
};
/// Backoff does not wait as long as an overloaded peer asks.
struct deaf_backoff : standard_gates {
  struct backoff : backoff_entry {
    constexpr void advise(std::int64_t now, std::int64_t) {
      ++failures;
      next_retry = now;
    }
  };
};

/// No deadline ever passes.
struct endless_deadline : standard_gates {
  static constexpr bool is_late(std::int64_t, std::int64_t) { return false; }
};
/// The time to live is the whole budget: no time is left for a retry.
struct whole_budget : standard_gates {
  static constexpr std::int64_t time_to_live(const attempt_facts& f) { return f.remaining; }
};

/// Calls `visit.template operator()<Gates>(name)` for each of the broken gates.
template <class Visit>
void for_each_broken_gate(Visit&& visit) {
  visit.template operator()<forgetful_dedup>("forgetful_dedup");
  visit.template operator()<payload_dedup>("payload_dedup");
  visit.template operator()<nameless_dedup>("nameless_dedup");
  visit.template operator()<unblocking_health>("unblocking_health");
  visit.template operator()<trusting_health>("trusting_health");
  visit.template operator()<hasty_backoff>("hasty_backoff");
  visit.template operator()<steady_backoff>("steady_backoff");
  visit.template operator()<deaf_backoff>("deaf_backoff");
  visit.template operator()<endless_deadline>("endless_deadline");
  visit.template operator()<whole_budget>("whole_budget");
}

/// The number of lines that a script says what goes wrong in: its rules, events and knobs, and its
/// base delay unless that is 0.
inline std::size_t lines_of(const script& s) {
  return s.rules.size() + s.events.size() + s.knobs.size() + (s.delay_ns == interval{0, 0} ? 0 : 1);
}

}  // namespace broken_gates
