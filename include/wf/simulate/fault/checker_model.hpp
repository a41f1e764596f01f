// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/text.hpp>
#include <wf/simulate/fault/history.hpp>

namespace wf::fault::detail {

// Numbers of a stream, as a set.
class number_set {
 public:
  constexpr bool has(std::uint64_t n) const {
    return n / 64 < words_.size() && (words_[n / 64] >> (n % 64) & 1) != 0;
  }
  constexpr void add(std::uint64_t n) {
    while (n / 64 >= words_.size()) words_.push_back(0);
    words_[n / 64] |= std::uint64_t{1} << (n % 64);
  }
  constexpr void clear() { words_.clear(); }

 private:
  table<std::uint64_t> words_;
};
struct stream_model {
  std::int64_t in_flight[4] = {};  // by kind, from the sender's gates to an end
  std::int64_t held = 0;
  // Of the sender's present incarnation:
  std::uint64_t given = 0;   // largest number
  std::uint64_t ended = 0;   // all numbers up to here have ended
  std::int64_t waiting = 0;  // sends without a number
  number_set ends;
  table<std::uint32_t> tickets;  // by number
  number_set fired_ever;
  // Of the receiver:
  std::uint32_t incarnation = 0;      // the latest of the sender that was accepted
  std::uint64_t high = 0, floor = 0;  // of accepted numbers
  number_set accepted, fired;
};
struct ticket_model {
  bool open = false;
  std::uint32_t peer = 0;
  std::int64_t budget = 0, deadline = 0, attempts = 0;
};
struct pair_model {
  reason policy = reason::none;
  std::int64_t failures = 0;  // since the last success
  std::int64_t next_retry = 0;
  bool down = false, silent = false;
  std::int64_t notices = 0, quoted_at = 0, quote = 0;
};
struct request_model {
  bool open = false;  // it has neither an answer nor a timeout
  std::uint64_t sequence = 0;
};
struct peer_model {
  std::int64_t local = INT64_MIN;
  bool alive = true, closed = false;
  std::uint32_t incarnation = 0;
  std::int64_t knobs[knob_count] = {};
  std::uint64_t last_request = 0;
  table<request_model> requests;  // by its number in this incarnation
  std::int64_t depth = 0;
};
// The gates that a message is passing.
struct chain_model {
  bool open = false, at_source = false;
  std::uint32_t peer = 0;
  std::int64_t next = 0;  // the gate that must come
  record of;
};

}  // namespace wf::fault::detail
