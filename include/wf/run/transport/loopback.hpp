// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

#include <wf/run/transport/transport.hpp>

namespace wf {

/// Mailboxes of threads of one process that stand for processes: the transport of tests, and of
/// programs that want the real world without MPI.
class loopback_hub {
 public:
  /// For a number of threads.
  explicit loopback_hub(std::uint32_t ranks) : boxes_(ranks) {}
  /// Number of threads.
  std::uint32_t ranks() const { return static_cast<std::uint32_t>(boxes_.size()); }
  /// A thread is lost: the others are told, and what is sent to it afterwards goes nowhere.
  void lose(std::uint32_t rank) {
    for (std::uint32_t r = 0; r < ranks(); ++r) put(r, {rank, 0, true, {}});
    const std::lock_guard lock(boxes_[rank].guard);
    boxes_[rank].is_lost = true;
  }

 private:
  friend class loopback;
  struct letter {
    std::uint32_t from = 0;
    std::uint32_t run = 0;
    bool is_loss = false;
    table<std::uint8_t> bytes;
  };
  struct box {
    std::mutex guard;
    std::condition_variable filled;
    std::vector<letter> letters;
    bool is_lost = false;
  };

  void put(std::uint32_t rank, letter x) {
    box& b = boxes_[rank];
    {
      const std::lock_guard lock(b.guard);
      if (b.is_lost) return;
      b.letters.push_back(std::move(x));
    }
    b.filled.notify_one();
  }

  std::vector<box> boxes_;
};

/// The transport of one thread of a `loopback_hub`, which must outlive it. A mutex protects each
/// mailbox; bytes change their owner and are not copied. It fails in nothing.
class loopback {
 public:
  /// Of a thread, by its number.
  loopback(loopback_hub& hub, std::uint32_t rank)
      : hub_(&hub), rank_(rank), lost_(hub.ranks()), told_(hub.ranks()) {}

  /// The number of this thread.
  std::uint32_t rank() const { return rank_; }
  /// Number of threads.
  std::uint32_t ranks() const { return hub_->ranks(); }
  /// Begins a run.
  void begin() {
    ++run_;
    told_ = table<char>(ranks());
  }
  /// Puts bytes into the mailbox of another thread. Errors: none.
  result<nothing> send(std::uint32_t rank, table<std::uint8_t> bytes) {
    hub_->put(rank, {rank_, run_, false, std::move(bytes)});
    return nothing{};
  }
  /// Takes what the mailbox has of this run. Errors: none.
  template <transport_inbox Inbox>
  result<bool> poll(Inbox& inbox) {
    std::vector<loopback_hub::letter> all, later;
    {
      auto& box = hub_->boxes_[rank_];
      const std::lock_guard lock(box.guard);
      for (loopback_hub::letter& x : box.letters)
        (x.run > run_ ? later : all).push_back(std::move(x));
      box.letters.swap(later);
    }
    bool any = !all.empty();
    const auto tell = [&](std::uint32_t lost) {
      if (told_[lost] != 0) return;
      told_[lost] = any = true;
      inbox.lost(lost);
    };
    for (std::uint32_t r = 0; r < ranks(); ++r)
      if (lost_[r] != 0) tell(r);
    for (const loopback_hub::letter& x : all) {
      if (x.is_loss) lost_[x.from] = 1;
      if (x.is_loss)
        tell(x.from);
      else
        inbox.came(x.from, x.bytes);
    }
    return any;
  }
  /// Sleeps until the mailbox has something, at most for a number of nanoseconds.
  void wait(std::int64_t time) {
    auto& box = hub_->boxes_[rank_];
    std::unique_lock lock(box.guard);
    box.filled.wait_for(lock, std::chrono::nanoseconds(time), [&] {
      for (const loopback_hub::letter& x : box.letters)
        if (x.run <= run_) return true;
      return false;
    });
  }
  /// All is in mailboxes already. Errors: none.
  result<nothing> finish() { return nothing{}; }

 private:
  loopback_hub* hub_;
  std::uint32_t rank_;
  std::uint32_t run_ = 0;
  table<char> lost_, told_;  // by thread: ever, and reported in this run
};

}  // namespace wf
