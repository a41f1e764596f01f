// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <utility>

#include <wf/core/container/table.hpp>

namespace wf {

/// A message of processes that gather.
struct gather_message {
  /// What it says.
  enum class kind : std::uint8_t {
    ready,  ///< to process 0: the sender gathers, and is connected to these
    go,     ///< to all: these are the members
    lost,   ///< to a member that was disconnected: the sender counts it as lost
  };
  kind what = kind::ready;  ///< what it says
  /// The sender's last run; of `go`: a number above those of all; of `lost`: that of its `go`.
  std::uint64_t run = 0;
  table<std::uint64_t> lives;    ///< by process
  std::uint64_t decided = 0;     ///< of `ready`: the number of the sender's last decision
  table<std::uint64_t> members;  ///< of `ready`: the members of the sender's last decision

  friend constexpr bool operator==(const gather_message&, const gather_message&) = default;
};

/// What one process knows of the others, which may die and be started again: who is connected, who
/// is a member of the runs, and which of the runs is the current one. Each start of a process is
/// another life, with a number of its own that is not 0.
///
/// Processes become members when all of them gather: each tells process 0 to whom it is connected;
/// when all are connected to the same lives, and all know of each decision that any of them knows,
/// process 0 decides that these are the members. Every process that hears of a decision passes it
/// on before it acts on it. So all members that live and stay connected have the same members and
/// count the same runs, whoever dies meanwhile: reliable broadcast (Hadzilacos, Toueg:
/// "Fault-tolerant broadcasts and related problems", 1993). A member that dies, or whose connection
/// breaks, is lost in all later runs, until the next gathering; of a broken connection both ends
/// count the other one as lost. Gathering costs processes² messages.
///
/// Messages between two connected lives must come in order. `send(rank, gather_message)` sends one
/// to a connected process.
class membership {
 public:
  constexpr membership() = default;
  /// Of a process by its number, among a number of processes, in its present life.
  constexpr membership(std::uint32_t rank, std::uint32_t ranks, std::uint64_t life)
      : rank_(rank),
        lives_(ranks),
        members_(ranks),
        left_(ranks),
        missed_(ranks),
        finished_(ranks),
        ready_(ranks) {
    lives_[rank] = life;
  }

  /// The number of this process.
  constexpr std::uint32_t rank() const { return rank_; }
  /// Number of processes, members or not.
  constexpr std::uint32_t ranks() const { return static_cast<std::uint32_t>(lives_.size()); }
  /// The current run; the first one is at least 1.
  constexpr std::uint64_t run() const { return run_; }
  /// True until a gathering that was begun has come to its decision.
  constexpr bool is_gathering() const { return is_gathering_; }
  /// The connected life of a process; 0: none.
  constexpr std::uint64_t life(std::uint32_t rank) const { return lives_[rank]; }
  /// The life in which the last gathering made a process a member; 0: it did not.
  constexpr std::uint64_t member(std::uint32_t rank) const { return members_[rank]; }
  /// True for this process, and for a member that has been connected ever since.
  constexpr bool is_here(std::uint32_t rank) const {
    return rank == rank_ ||
           (lives_[rank] != 0 && lives_[rank] == members_[rank] && left_[rank] == 0);
  }
  /// True if the current run lacks a process: it is not here, and has not finished the run.
  constexpr bool is_lost(std::uint32_t rank) const {
    return !is_here(rank) && finished_[rank] < run_;
  }

  /// The next run begins.
  constexpr void begin() { ++run_; }
  /// A connected process has finished a run, so that this one does not need it any more.
  constexpr void finish(std::uint32_t rank, std::uint64_t run) {
    if (is_here(rank)) finished_[rank] = run;
  }
  /// A process is connected, in a life that is not 0. O(processes).
  template <class Send>
  constexpr void connect(std::uint32_t rank, std::uint64_t life, Send&& send) {
    disconnect(rank);
    lives_[rank] = life;
    if (life == members_[rank]) tell_lost(rank, send);
    offer(send);
  }
  /// A process is not connected any more: it has died, or the connection is broken.
  constexpr void disconnect(std::uint32_t rank) {
    lives_[rank] = 0;
    left_[rank] = 1;
  }
  /// This process gathers, between two runs. O(processes).
  template <class Send>
  constexpr void gather(Send&& send) {
    is_gathering_ = true;
    offer(send);
  }
  /// A message of a connected process has come; one that cannot be has no effect. O(processes²).
  template <class Send>
  constexpr void take(std::uint32_t from, const gather_message& m, Send&& send) {
    if (m.lives.size() != lives_.size()) return;
    using kind = gather_message::kind;
    if (m.what == kind::ready && m.members.size() == lives_.size()) {
      keep(from, m, send);
    } else if (m.what == kind::go && is_gathering_ && m.lives[rank_] == lives_[rank_] &&
               m.run > run_) {
      act(m, send);
    } else if (m.what == kind::lost) {
      missed_[from] = m.run;
      if (m.run == decided_) left_[from] = 1;
    }
  }

 private:
  template <class Send>
  constexpr void tell_lost(std::uint32_t rank, Send& send) {
    gather_message m{gather_message::kind::lost, decided_, lives_, 0, {}};
    send(rank, m);
  }
  template <class Send>
  constexpr void offer(Send& send) {
    if (!is_gathering_) return;
    for (const std::uint64_t life : lives_)
      if (life == 0) return;
    gather_message m{gather_message::kind::ready, run_, lives_, decided_, members_};
    for (std::uint32_t r = 0; r < ranks(); ++r)
      if (!is_here(r)) m.members[r] = 0;
    if (rank_ == 0)
      keep(0, m, send);
    else
      send(std::uint32_t{0}, m);
  }
  template <class Send>
  constexpr void keep(std::uint32_t from, const gather_message& m, Send& send) {
    if (rank_ != 0) return;
    ready_[from] = m;
    if (is_gathering_ && is_decided()) act(next(), send);
  }
  // True if all say the same, and no decision is on its way to one of its members.
  constexpr bool is_decided() const {
    for (const gather_message& m : ready_) {
      if (m.lives != lives_) return false;
      for (std::uint32_t r = 0; r < ranks(); ++r)
        if (m.members[r] == lives_[r] && m.decided != ready_[r].decided) return false;
    }
    return true;
  }
  constexpr gather_message next() const {
    gather_message out{gather_message::kind::go, 0, lives_, 0, {}};
    for (const gather_message& m : ready_)
      if (out.run <= m.run) out.run = m.run + 1;
    return out;
  }
  template <class Send>
  constexpr void act(const gather_message& m, Send& send) {
    for (std::uint32_t r = 0; r < ranks(); ++r)
      if (r != rank_ && lives_[r] != 0) send(r, m);
    is_gathering_ = false;
    for (std::uint32_t r = 0; r < ranks(); ++r)
      left_[r] = lives_[r] != m.lives[r] || missed_[r] == m.run;
    members_ = m.lives;
    run_ = decided_ = m.run;
  }

  std::uint32_t rank_ = 0;
  std::uint64_t run_ = 0;
  std::uint64_t decided_ = 0;  // the number of the last decision
  bool is_gathering_ = false;
  // By process.
  table<std::uint64_t> lives_, members_;
  table<char> left_;               // was disconnected since the last decision
  table<std::uint64_t> missed_;    // the decision since when it counts this process as lost
  table<std::uint64_t> finished_;  // the last finished run
  table<gather_message> ready_;    // of process 0: what each has sent
};

}  // namespace wf
