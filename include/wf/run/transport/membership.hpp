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
    lost,   ///< to a member: it was disconnected from the sender, or the sender takes no part
  };
  kind what = kind::ready;  ///< what it says
  /// Of `ready`: the sender's last run, or the last decision that it has refused, if that is later:
  /// it takes no part in earlier decisions. Of `go`: a number above those of all. Of `lost`: that
  /// of a `go`.
  std::uint64_t run = 0;
  table<std::uint64_t> lives;    ///< by process
  std::uint64_t decided = 0;     ///< of `ready`: the last decision in which the sender takes part
  table<std::uint64_t> members;  ///< of `ready`: the members of that

  friend constexpr bool operator==(const gather_message&, const gather_message&) = default;
};

/// What one process knows of the others, which may die and be started again: who is connected, who
/// is a member of the runs, and which of the runs is the current one. Each start of a process is
/// another life, with a number of its own that is not 0.
///
/// Processes become members when all of them gather: each tells process 0 to whom it is connected;
/// when all are connected to the same lives, and all know of each decision that any of them knows,
/// process 0 decides that these are the members. Every process that hears of a decision passes it
/// on before it acts on it, or tells who has sent it that it cannot take part, since it does not
/// gather or is lost for another member already. So all members that live and stay connected have
/// the same members and count the same runs, whoever dies meanwhile: reliable broadcast
/// (Hadzilacos, Toueg: "Fault-tolerant broadcasts and related problems", 1993). A member that dies,
/// or whose connection breaks, is lost in all later runs, until the next gathering; of a broken
/// connection both ends count the other one as lost. Gathering costs processes² messages.
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
        heard_(ranks),
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
  /// True if the last gathering is over here. Process 0 waits until each member that is here has
  /// passed its decision on: so no decision is lost with the process that has made it.
  constexpr bool is_settled() const {
    if (is_gathering_) return false;
    for (std::uint32_t r = 1; rank_ == 0 && r < ranks(); ++r)
      if (is_here(r) && heard_[r] < decided_) return false;
    return true;
  }
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
    if (life == members_[rank]) tell_lost(rank, decided_, send);
    offer(send);
  }
  /// A process is not connected any more: it has died, or the connection is broken.
  constexpr void disconnect(std::uint32_t rank) {
    lives_[rank] = 0;
    left_[rank] = 1;
    ready_[rank] = {};
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
    if (m.what == kind::ready) {
      if (m.members.size() == lives_.size()) keep(from, m, send);
      return;
    }
    // Who has heard of a decision, or was cut off, says again that it gathers.
    ready_[from] = {};
    if (m.what == kind::go) {
      if (m.lives[rank_] == lives_[rank_]) hear(from, m, send);
      return;
    }
    missed_[from] = m.run;
    if (m.run == decided_)
      left_[from] = 1;
    else if (m.run > decided_)
      refuse(m.run, send);
  }

 private:
  template <class Send>
  constexpr void tell_lost(std::uint32_t rank, std::uint64_t run, Send& send) {
    gather_message m{gather_message::kind::lost, run, lives_, 0, {}};
    send(rank, m);
  }
  // A decision comes with this life as a member.
  template <class Send>
  constexpr void hear(std::uint32_t from, const gather_message& m, Send& send) {
    if (is_gathering_ && m.run > run_ && m.run > refused_) act(m, send);
    if (m.run <= decided_) {
      if (heard_[from] < m.run) heard_[from] = m.run;
      return;
    }
    tell_lost(from, m.run, send);
    refuse(m.run, send);
  }
  // This process takes no part in a decision.
  template <class Send>
  constexpr void refuse(std::uint64_t run, Send& send) {
    if (refused_ < run) refused_ = run;
    offer(send);
  }
  template <class Send>
  constexpr void offer(Send& send) {
    if (!is_gathering_) return;
    for (const std::uint64_t life : lives_)
      if (life == 0) return;
    gather_message m{gather_message::kind::ready, run_ < refused_ ? refused_ : run_, lives_,
                     decided_, members_};
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
        if (m.members[r] == lives_[r] && ready_[r].run < m.decided) return false;
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
  std::uint64_t decided_ = 0;  // the number of the last decision in which it takes part
  std::uint64_t refused_ = 0;  // that of the last one in which it does not
  bool is_gathering_ = false;
  // By process.
  table<std::uint64_t> lives_, members_;
  table<char> left_;               // was disconnected since the last decision
  table<std::uint64_t> missed_;    // the decision since when it counts this process as lost
  table<std::uint64_t> finished_;  // the last finished run
  table<std::uint64_t> heard_;     // the last decision that it has passed on
  table<gather_message> ready_;    // of process 0: what each has sent
};

}  // namespace wf
