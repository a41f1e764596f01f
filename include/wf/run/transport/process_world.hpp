// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <memory>
#include <utility>

#include <wf/run/transport/batch.hpp>
#include <wf/run/transport/transport.hpp>
#include <wf/simulate/fault/world.hpp>

namespace wf {

/// Parameters of a world of several processes.
struct process_options {
  std::size_t batch_bytes = 1 << 16;    ///< a batch of so many goes at once
  std::int64_t idle_ns = 1'000'000;     ///< longest wait for messages, in nanoseconds
  std::int64_t longest_ns = INT64_MAX;  ///< a run that takes longer fails; nanoseconds
};

/// Of a run that goes on without those that are lost: who is left.
struct process_members {
  /// Another loss interrupts the run, and who hears of its end tells all others.
  bool survive = false;
  table<std::uint32_t> lost;  ///< processes that were lost before
};

/// The real world below the gates: time is that of a monotonic clock since the world began, timers
/// wait in the queue of the event engine until it has come, and messages to peers of other
/// processes go over a transport. Time stands still between two calls of `look`.
///
/// Messages to one process are batched: a batch has what timers and other batches cause at once,
/// and goes earlier if it is large. A run is over when no process has anything to do
/// (`termination_detector`). When a process is lost, the others go on; but if they are `survivors`,
/// their run is interrupted: the next one can have all peers.
template <transport Transport>
class process_world {
 public:
  /// What a message carries; copies share it. Null: nothing.
  using cargo = std::shared_ptr<const table<std::uint8_t>>;

  /// `owners` has the process of each peer, and `events` is the number of events of the script;
  /// `run` is a number that the processes of a run have in common. The transport must outlive the
  /// world.
  process_world(Transport& t, table<std::uint32_t> owners, std::uint32_t events, std::uint64_t run,
                const process_options& options = {}, const process_members& members = {})
      : transport_(&t),
        owners_(std::move(owners)),
        events_(events),
        run_(run),
        options_(options),
        survives_(members.survive),
        end_(t.rank(), t.ranks()) {
    t.begin();
    if (survives_) end_.pass_on();
    for (const std::uint32_t r : members.lost) end_.lose(r, sender{*this});
    for (std::uint32_t r = 0; r < t.ranks(); ++r) outgoing_.push_back(batch_writer(run));
    for (const std::uint32_t r : owners_)
      if (r >= t.ranks())
        fail(make_error(errc::transport_failed, "peers", "a peer is in a process that is none"));
  }

  /// True if a peer is in this process.
  bool hosts(std::uint32_t peer) const { return owners_[peer] == transport_->rank(); }
  /// Time since the world began, when it was last looked at, in nanoseconds.
  std::int64_t now() const { return now_; }
  /// Reads the clock.
  void look() {
    now_ = std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - start_).count();
  }
  /// Number of timers that have called.
  std::uint64_t processed() const { return engine_.processed(); }
  /// The error that has ended the run. Errors: those of the transport, `malformed_message` for a
  /// batch that is none, `transport_failed` for a run that takes too long.
  error failure() const { return failure_; }
  /// True if the run is over; `step` ends it in this process.
  bool is_over() const { return end_.is_over(); }
  /// True if a loss has interrupted the run, and it is not over.
  bool is_interrupted() const { return is_interrupted_ && !is_over(); }
  /// Sets a timer. O(log timers).
  template <class Network>
  void after(std::int64_t delay, std::uint32_t activity, Network& network) {
    engine_.add(0, {activity, 0, now_ + delay - engine_.now()}, network);
  }
  /// A batch has come from a process.
  template <class Network>
  void came(Network& network, std::uint32_t rank, view<std::uint8_t> bytes) {
    // The end does not know what a lost process has sent.
    if (failed() || end_.is_lost(rank)) return;
    const auto read = read_batch(bytes, run_, items<Network>{*this, network, rank});
    if (!read) fail(read.error());
  }
  /// A process is lost.
  void lost(std::uint32_t rank) {
    is_interrupted_ = survives_;
    if (!survives_) end_.lose(rank, sender{*this});
  }
  /// What is due, and what has come; if nothing has, sends what waits, and rests for a while.
  template <class Network>
  bool step(Network& network) {
    if (failed() || is_interrupted()) return false;
    look();
    if (now_ > options_.longest_ns)
      fail(make_error(errc::transport_failed, "run", "it takes longer than the options allow"));
    bool moved = false;
    for (int k = 0; k < most_at_once && engine_.next(network) <= now_; ++k)
      moved = engine_.step(network);
    inbox<Network> in{*this, network};
    const auto came = transport_->poll(in);
    if (!came) fail(came.error());
    flush();
    if (failed() || is_interrupted()) return false;
    if (moved || *came) return true;
    if (network.is_passive()) end_.rest(sender{*this});
    flush();
    if (end_.is_over() || failed()) return conclude();
    const std::int64_t due = engine_.next(network);
    if (due > now_) transport_->wait(due - now_ < options_.idle_ns ? due - now_ : options_.idle_ns);
    return true;
  }
  /// Puts a message into the batch for its receiver's process.
  void carry(const fault::envelope& m, bool whole, const cargo& x) {
    const std::uint32_t to = owners_[m.destination];
    if (end_.is_lost(to)) return;
    end_.sent(to);
    batch_for(to).add(m, whole, x != nullptr ? view<std::uint8_t>(*x) : view<std::uint8_t>());
    if (outgoing_[to].size() >= options_.batch_bytes) flush(to);
  }
  /// Tells all other processes that an event of the script is due.
  void announce(std::uint32_t event) {
    for (std::uint32_t r = 0; r < transport_->ranks(); ++r) {
      if (r == transport_->rank() || end_.is_lost(r)) continue;
      end_.sent(r);
      batch_for(r).add(event);
    }
  }

 private:
  using clock = std::chrono::steady_clock;
  // Timers between two looks at the transport.
  static constexpr int most_at_once = 64;
  static constexpr std::int64_t one_host[] = {sim::slots::unlimited};

  // Sends messages about the end.
  struct sender {
    process_world& here;
    void operator()(std::uint32_t rank, const termination_message& m) {
      here.batch_for(rank).add(m);
    }
  };
  template <class Network>
  struct inbox {
    process_world& here;
    Network& network;

    void came(std::uint32_t rank, view<std::uint8_t> bytes) { here.came(network, rank, bytes); }
    void lost(std::uint32_t rank) { here.lost(rank); }
  };
  template <class Network>
  struct items {
    process_world& here;
    Network& network;
    std::uint32_t rank;

    bool message(const fault::envelope& m, bool whole, view<std::uint8_t> carried) {
      const std::size_t peers = here.owners_.size();
      if (m.destination >= peers || m.source >= peers || !here.hosts(m.destination) ||
          here.owners_[m.source] != rank)
        return false;
      here.end_.received(rank);
      network.came(
          m, whole,
          carried.empty() ? nullptr : std::make_shared<const table<std::uint8_t>>(carried));
      return true;
    }
    bool termination(const termination_message& m) {
      here.end_.take(m, sender{here});
      return true;
    }
    bool event(std::uint32_t number) {
      if (number >= here.events_) return false;
      here.end_.received(rank);
      network.heard(number);
      return true;
    }
  };

  bool failed() const { return failure_.code != errc::none; }
  void fail(const error& e) {
    if (!failed()) failure_ = e;
  }
  batch_writer& batch_for(std::uint32_t rank) {
    if (outgoing_[rank].empty()) filled_.push_back(rank);
    return outgoing_[rank];
  }
  void flush(std::uint32_t rank) {
    const auto sent = transport_->send(rank, outgoing_[rank].take());
    if (!sent) fail(sent.error());
  }
  void flush() {
    for (const std::uint32_t r : filled_)
      if (!outgoing_[r].empty()) flush(r);
    filled_.clear();
  }
  bool conclude() {
    if (failed()) return false;
    const auto done = transport_->finish();
    if (!done) fail(done.error());
    return false;
  }

  Transport* transport_;
  table<std::uint32_t> owners_;  // by peer
  std::uint32_t events_ = 0;
  std::uint64_t run_ = 0;
  process_options options_;
  bool survives_ = false, is_interrupted_ = false;
  clock::time_point start_ = clock::now();
  std::int64_t now_ = 0;
  sim::engine<sim::slots> engine_{sim::slots(one_host)};
  table<batch_writer> outgoing_;  // by process
  table<std::uint32_t> filled_;   // processes for which there is a batch, and some more
  termination_detector end_;
  error failure_;
};

}  // namespace wf
