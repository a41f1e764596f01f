// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/table.hpp>
#include <wf/simulate/fault/random.hpp>

namespace wf {

/// A message of the processes about the end of their run.
struct termination_message {
  /// What it says.
  enum class kind : std::uint8_t {
    ask,     ///< to a child: what were your counts when you were passive?
    answer,  ///< to the parent: the counts of the sender and all below it
    over,    ///< to all: nothing can happen any more
  };
  kind what = kind::ask;       ///< what it says
  std::uint64_t view = 0;      ///< the processes that its sender knows to be lost
  std::uint64_t sent = 0;      ///< of an answer: messages sent
  std::uint64_t received = 0;  ///< of an answer: messages received

  friend constexpr bool operator==(const termination_message&,
                                   const termination_message&) = default;
};

/// One process's part in finding the end of a run: all processes are passive, and no message is
/// between them. A passive process acts only on a message.
///
/// The first living process asks all others down a binomial tree; each answers when it is passive
/// and its children have answered, with the numbers of messages that were sent and received. A run
/// is over when a wave has counted as many sent messages as the wave before it received ones:
/// nothing was between processes after the former wave, and nobody was active (Mattern: "Algorithms
/// for distributed termination detection", 1987, the four-counter method). Messages to and from
/// processes that are lost do not count, and a wave of processes that know of other losses has no
/// effect; should the first process die while it tells the end, those that were not told go on
/// waiting, unless those that were pass it on. A wave costs 2 · (processes - 1) messages, and takes
/// O(log processes) hops.
class termination_detector {
 public:
  constexpr termination_detector() = default;
  /// Of a process, by its number, among a number of processes.
  constexpr termination_detector(std::uint32_t rank, std::uint32_t ranks)
      : rank_(rank), lost_(ranks), sent_(ranks), received_(ranks) {}

  /// Who hears of the end tells all: should the first process die while it tells, all hear of it
  /// from those that were told. Costs processes² messages.
  constexpr void pass_on() { passes_on_ = true; }

  /// A message goes to a process.
  constexpr void sent(std::uint32_t to) { ++sent_[to]; }
  /// A message has come from a process.
  constexpr void received(std::uint32_t from) { ++received_[from]; }
  /// True if the run is over.
  constexpr bool is_over() const { return over_; }
  /// True if a process is lost.
  constexpr bool is_lost(std::uint32_t rank) const { return lost_[rank] != 0; }

  /// A process is lost. `send(rank, termination_message)` sends to another one.
  template <class Send>
  constexpr void lose(std::uint32_t rank, Send&& send) {
    if (lost_[rank] != 0) return;
    lost_[rank] = 1;
    view_ ^= bits_of(rank);
    // The tree is another one.
    asked_ = waves_ = false;
    for (const termination_message& m : early_)
      if (m.view == view_) return begin(send);
  }
  /// A message about the end has come.
  template <class Send>
  constexpr void take(const termination_message& m, Send&& send) {
    using kind = termination_message::kind;
    if (over_) return;
    if (m.what == kind::over) {
      over_ = true;
      if (passes_on_) end(send);
      return;
    }
    if (m.view != view_) {
      // Its sender may know more than this process will know soon, or less.
      if (m.what == kind::ask) early_.push_back(m);
      return;
    }
    if (m.what == kind::ask) {
      begin(send);
    } else if (asked_ && missing_ != 0) {
      --missing_;
      below_sent_ += m.sent;
      below_received_ += m.received;
    }
  }
  /// To be called when the process is passive, as often as it likes.
  template <class Send>
  constexpr void rest(Send&& send) {
    if (over_) return;
    const bool is_first = place() == 0;
    if (is_first && !asked_) begin(send);
    if (!asked_ || missing_ != 0) return;
    asked_ = false;
    const std::uint64_t all_sent = below_sent_ + sum(sent_);
    const std::uint64_t all_received = below_received_ + sum(received_);
    if (!is_first)
      return send(member(parent()), termination_message{termination_message::kind::answer, view_,
                                                        all_sent, all_received});
    if (waves_ && former_received_ == all_sent) return end(send);
    waves_ = true;
    former_received_ = all_received;
  }

 private:
  static constexpr std::uint64_t bits_of(std::uint32_t rank) {
    return wf::detail::mix(rank + wf::detail::golden_gamma);
  }
  constexpr std::uint64_t sum(const table<std::uint64_t>& of) const {
    std::uint64_t out = 0;
    for (std::uint32_t r = 0; r < of.size(); ++r)
      if (lost_[r] == 0) out += of[r];
    return out;
  }
  // The place of this process among the living ones, and the process of a place.
  constexpr std::uint32_t place() const {
    std::uint32_t out = 0;
    for (std::uint32_t r = 0; r < rank_; ++r) out += lost_[r] == 0;
    return out;
  }
  constexpr std::uint32_t member(std::uint32_t place) const {
    std::uint32_t r = 0;
    while (lost_[r] != 0 || place-- != 0) ++r;
    return r;
  }
  constexpr std::uint32_t living() const {
    std::uint32_t out = 0;
    for (const char l : lost_) out += l == 0;
    return out;
  }
  constexpr std::uint32_t parent() const { return place() & (place() - 1); }
  template <class Send>
  constexpr std::uint32_t tell_children(const termination_message& m, Send& send) {
    const std::uint32_t at = place(), count = living();
    std::uint32_t told = 0;
    for (std::uint32_t bit = 1; at + bit < count && (at & bit) == 0; bit *= 2, ++told)
      send(member(at + bit), m);
    return told;
  }
  template <class Send>
  constexpr void begin(Send& send) {
    asked_ = true;
    below_sent_ = below_received_ = 0;
    missing_ = tell_children({termination_message::kind::ask, view_, 0, 0}, send);
  }
  // Tells all directly: one in between may have died after its answer.
  template <class Send>
  constexpr void end(Send& send) {
    over_ = true;
    for (std::uint32_t r = 0; r < lost_.size(); ++r)
      if (r != rank_ && lost_[r] == 0)
        send(r, termination_message{termination_message::kind::over, view_, 0, 0});
  }

  std::uint32_t rank_ = 0;
  table<char> lost_;
  table<std::uint64_t> sent_, received_;  // by process
  std::uint64_t view_ = 0;                // which processes are lost
  bool asked_ = false;                    // in a wave that this process has not answered
  std::uint32_t missing_ = 0;             // answers of children
  std::uint64_t below_sent_ = 0, below_received_ = 0;
  bool waves_ = false;  // of the first: a wave has ended
  std::uint64_t former_received_ = 0;
  table<termination_message> early_;  // of processes that know of other losses
  bool over_ = false, passes_on_ = false;
};

}  // namespace wf
