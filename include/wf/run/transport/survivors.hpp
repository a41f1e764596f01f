// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <utility>

#include <wf/run/transport/listening.hpp>
#include <wf/run/transport/task_recovery.hpp>
#include <wf/run/transport/transport.hpp>

namespace wf::detail {

// The number of the run of a batch, of tasks or of messages between machines; 0 for bytes that are
// too short.
constexpr std::uint64_t run_of_batch(view<std::uint8_t> bytes) {
  byte_reader in(bytes);
  in.half();
  return in.word();
}

// One process's part in a run that goes on when processes are lost, and the transport of its
// epochs.
//
// An epoch ends with the end of the run, or is interrupted by a loss. Then each process that is
// left tells the others whom it takes for lost, and what it has; who hears of another loss takes
// that process for lost, too. When all that are left say the same, they know how to go on, and
// begin the next epoch. Losses only grow, so that their number tells epochs apart, and a process
// says each set of losses once. Who hears of the end must tell all others before it leaves, so that
// nobody waits for it in vain.
//
// An epoch has `came(rank, bytes)`, `lost(rank)`, which interrupts it, and `is_over()`. Its batches
// have the number `run()`.
template <class Transport>
class survivors {
 public:
  // Of a run by its number, whose lowest bits count losses. `tasks` is the number of tasks of which
  // processes tell each other; errors name the subject. The transport must outlive this.
  survivors(Transport& carrier, std::uint64_t run, std::size_t tasks, std::int64_t most_silence_ns,
            text_view subject)
      : carrier_(carrier),
        first_run_(run & ~most_epoch),
        tasks_(tasks),
        subject_(subject),
        listening_(most_silence_ns),
        known_(carrier.ranks()) {
    own().lost = table<char>(carrier.ranks());
    own().ended = own().held = table<char>(tasks);
    carrier_.begin();
    begin_epoch();
  }
  survivors(const survivors&) = delete;
  survivors& operator=(const survivors&) = delete;

  bool is_broken() const { return listening_.is_broken(); }
  const error& fault() const { return listening_.fault(); }
  // What this process tells of itself after an interruption.
  task_progress& own() { return known_[rank()]; }
  // What each process said last, this one too.
  view<task_progress> known() const { return known_; }
  // Of the present epoch: its number, and who runs it, in ascending order.
  std::uint64_t run() const { return first_run_ + ranks() - members_.size(); }
  const table<std::uint32_t>& members() const { return members_; }
  // Who is lost, in ascending order.
  table<std::uint32_t> lost() const {
    table<std::uint32_t> out;
    for (std::uint32_t r = 0; r < ranks(); ++r)
      if (is_lost(r)) out.push_back(r);
    return out;
  }

  // The transport of the present epoch; the run has begun already.
  std::uint32_t rank() const { return carrier_.rank(); }
  std::uint32_t ranks() const { return carrier_.ranks(); }
  void begin() {}
  result<nothing> send(std::uint32_t to, table<std::uint8_t> bytes) {
    return carrier_.send(to, std::move(bytes));
  }
  template <class Epoch>
  result<bool> poll(Epoch& epoch) {
    const bool was_early = hand_out_early(epoch);
    inbox<Epoch> in{*this, epoch};
    const result<bool> any = carrier_.poll(in);
    if (any && is_broken()) return fault();
    if (any && was_early) return true;
    return any;
  }
  void wait(std::int64_t time) { carrier_.wait(time); }
  result<nothing> finish() { return carrier_.finish(); }

  // After an interruption: waits until all that are left say the same of losses, and begins the
  // next epoch; true then. False if one of them says that the run is over, or there is a fault.
  template <class Epoch>
  bool agree(Epoch& epoch) {
    listening_.begin();
    while (!is_broken() && !epoch.is_over()) {
      if (has_news_) tell();
      if (all_agree()) {
        begin_epoch();
        return true;
      }
      if (!listening_.look(*this, epoch))
        listening_.rest(carrier_, subject_, "nothing has come for too long after a loss");
    }
    return false;
  }

 private:
  static constexpr std::uint64_t most_epoch = (1U << 20) - 1;

  struct letter {
    std::uint32_t from;
    table<std::uint8_t> bytes;
  };
  // Sorts what comes out of the transport.
  template <class Epoch>
  struct inbox {
    survivors& here;
    Epoch& epoch;

    void came(std::uint32_t from, view<std::uint8_t> bytes) { here.take(epoch, from, bytes); }
    void lost(std::uint32_t other) { here.lose(epoch, other); }
  };

  bool is_lost(std::uint32_t rank) const { return known_[carrier_.rank()].lost[rank] != 0; }
  void begin_epoch() {
    members_.clear();
    for (std::uint32_t r = 0; r < ranks(); ++r)
      if (!is_lost(r)) members_.push_back(r);
  }
  template <class Epoch>
  void take(Epoch& epoch, std::uint32_t from, view<std::uint8_t> bytes) {
    if (is_broken() || is_lost(from)) return;
    if (is_progress(bytes)) return take_progress(epoch, from, bytes);
    const std::uint64_t its_run = run_of_batch(bytes);
    const bool is_of_this = (its_run & ~most_epoch) == first_run_;
    if (is_of_this && its_run < run()) return;  // it was sent before a loss
    if (is_of_this && its_run > run())
      early_.push_back({from, table<std::uint8_t>(bytes)});
    else
      epoch.came(from, bytes);
  }
  template <class Epoch>
  void lose(Epoch& epoch, std::uint32_t other) {
    if (is_lost(other)) return;
    own().lost[other] = 1;
    has_news_ = true;
    epoch.lost(other);
  }
  template <class Epoch>
  void take_progress(Epoch& epoch, std::uint32_t from, view<std::uint8_t> bytes) {
    auto read = read_progress(bytes, first_run_, ranks(), tasks_);
    listening_.keep(read);
    if (!read) return;
    for (std::uint32_t r = 0; r < ranks(); ++r)
      if (read->lost[r] != 0) lose(epoch, r);
    known_[from] = *std::move(read);
    if (is_lost(rank()))
      listening_.fail(make_error(errc::transport_failed, (text() << "process " << rank()).view(),
                                 "the others take it for lost"));
  }
  // What has come too early for the last epoch; true if something has.
  template <class Epoch>
  bool hand_out_early(Epoch& epoch) {
    table<letter> early;
    early.swap(early_);
    for (const letter& x : early) take(epoch, x.from, x.bytes);
    return early.size() != early_.size();
  }
  void tell() {
    has_news_ = false;
    for (std::uint32_t r = 0; r < ranks() && !is_broken(); ++r)
      if (r != rank() && !is_lost(r))
        listening_.keep(carrier_.send(r, write_progress(first_run_, own())));
  }
  bool all_agree() {
    for (std::uint32_t r = 0; r < ranks(); ++r)
      if (!is_lost(r) && known_[r].lost != own().lost) return false;
    return true;
  }

  Transport& carrier_;
  std::uint64_t first_run_;
  std::size_t tasks_;
  text_view subject_;
  listening listening_;
  table<task_progress> known_;    // by process
  table<std::uint32_t> members_;  // of the present epoch
  table<letter> early_;           // of the next epochs, which others have begun
  bool has_news_ = false;
};

}  // namespace wf::detail
