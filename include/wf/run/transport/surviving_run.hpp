// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <wf/run/transport/listening.hpp>
#include <wf/run/transport/task_recovery.hpp>
#include <wf/run/transport/task_run.hpp>

namespace wf::detail {

// One process's part of a list of tasks without fault that goes on when processes are lost.
//
// It consists of epochs. An epoch ends with the end of all tasks, or is interrupted by a loss. Then
// each process that is left tells the others whom it takes for lost, and what it has; who hears of
// another loss takes that process for lost, too. When all that are left say the same, they know how
// to go on, and begin the next epoch. Losses only grow, so that their number tells epochs apart,
// and a process says each set of losses once. Who hears of the end tells all others before it
// leaves, so that nobody waits for it in vain.
template <class Datum, class Transport, class Compute>
class surviving_run {
 public:
  surviving_run(Transport& carrier, const task_list& all, Compute& compute,
                const task_run_options& options)
      : carrier_(carrier),
        all_(all),
        options_(options),
        run_(run_number(all) & ~most_epoch),
        listening_(options.most_silence_ns),
        known_(carrier.ranks()),
        tasks_(carrier.ranks()),
        compute_{&compute, {}, std::vector<Datum>(all.size()), table<char>(all.size()), 0} {
    own().lost = table<char>(carrier.ranks());
    own().ended = own().held = table<char>(all.size());
  }

  result<task_report<Datum>> run() {
    carrier_.begin();
    begin_epoch({});
    epoch_->go();
    while (!broken() && !epoch_->is_over()) {
      note_progress();
      agree();
      if (broken() || epoch_->is_over()) break;
      begin_epoch(known_);
      epoch_->go();
    }
    if (!broken()) listening_.keep(carrier_.finish());
    if (broken()) return listening_.fault();
    return take_report();
  }

  // The transport of an epoch.
  std::uint32_t rank() const { return carrier_.rank(); }
  std::uint32_t ranks() const { return carrier_.ranks(); }
  result<nothing> send(std::uint32_t to, table<std::uint8_t> bytes) {
    return carrier_.send(to, std::move(bytes));
  }
  template <class Epoch>
  result<bool> poll(const Epoch&) {
    const result<bool> any = carrier_.poll(*this);
    if (any && broken()) return listening_.fault();
    return any;
  }
  void wait(std::int64_t time) { carrier_.wait(time); }
  // What comes out of the transport.
  void came(std::uint32_t from, view<std::uint8_t> bytes) {
    if (broken() || own().lost[from] != 0) return;
    if (is_progress(bytes)) return take_progress(from, bytes);
    const std::uint64_t its_run = run_of_batch(bytes);
    const bool is_of_this = (its_run & ~most_epoch) == run_;
    if (is_of_this && its_run < run_ + losses_) return;  // it was sent before a loss
    if (is_of_this && its_run > run_ + losses_)
      early_.push_back({from, table<std::uint8_t>(bytes)});
    else
      epoch_->came(from, bytes);
  }
  void lost(std::uint32_t other) {
    if (own().lost[other] != 0) return;
    own().lost[other] = 1;
    has_news_ = true;
    epoch_->interrupt();
  }

 private:
  using role = task_recovery::role;
  static constexpr std::uint64_t most_epoch = (1U << 20) - 1;

  // Computes what runs, and hands out what was there when the epoch began.
  struct part_of_tasks {
    Compute* compute;
    table<role> roles;
    std::vector<Datum> stock;  // by task
    table<char> has;           // by task: 1 if it is in stock
    std::uint64_t computed;

    error operator()(std::uint32_t task, view<task_operand<Datum>> operands, Datum& out) {
      if (has[task] != 0) out = std::move(stock[task]);
      has[task] = 0;
      if (roles[task] != role::runs) return {};
      ++computed;
      return (*compute)(task, operands, out);
    }
  };
  using epoch = task_run<Datum, surviving_run, part_of_tasks>;
  struct letter {
    std::uint32_t from;
    table<std::uint8_t> bytes;
  };

  task_progress& own() { return known_[carrier_.rank()]; }
  bool broken() {
    if (epoch_ && epoch_->fault().code != errc::none) listening_.fail(epoch_->fault());
    return listening_.is_broken();
  }
  error taken_for_lost() const {
    return make_error(errc::transport_failed, (text() << "process " << rank()).view(),
                      "the others take it for lost");
  }

  void begin_epoch(view<task_progress> known) {
    task_recovery next = recover(all_, own().lost, known);
    for (std::uint32_t t = 0; t < all_.size(); ++t) {
      if (next.roles[t] == role::held && next.tasks.owner(t) == rank()) {
        if (epoch_ && epoch_->take_value(t, compute_.stock[t])) compute_.has[t] = 1;
      } else {
        compute_.stock[t] = Datum{};
        compute_.has[t] = 0;
      }
    }
    add_counts();
    task_members members{{}, run_, true};
    for (std::uint32_t r = 0; r < ranks(); ++r)
      if (own().lost[r] == 0) members.ranks.push_back(r);
    losses_ = ranks() - members.ranks.size();
    members.run += losses_;
    tasks_ = std::move(next.tasks);
    compute_.roles = std::move(next.roles);
    epoch_.emplace(*this, tasks_, compute_, options_, members);
    std::vector<letter> early;
    early.swap(early_);
    for (const letter& x : early) came(x.from, x.bytes);
  }
  // What this process tells of itself after an interruption.
  void note_progress() {
    own().held = compute_.has;
    for (std::uint32_t t = 0; t < all_.size(); ++t) {
      if (epoch_->has_value(t)) own().held[t] = 1;
      if (epoch_->has_ended(t)) own().ended[t] = 1;
    }
  }
  void take_progress(std::uint32_t from, view<std::uint8_t> bytes) {
    auto read = read_progress(bytes, run_, ranks(), all_.size());
    listening_.keep(read);
    if (!read) return;
    for (std::uint32_t r = 0; r < ranks(); ++r)
      if (read->lost[r] != 0) lost(r);
    known_[from] = *std::move(read);
    if (own().lost[rank()] != 0) listening_.fail(taken_for_lost());
  }
  // Waits until all that are left say the same of losses, or one of them that all is over.
  void agree() {
    listening_.begin();
    while (!broken() && !epoch_->is_over()) {
      if (has_news_) tell();
      if (all_agree()) return;
      if (!listening_.look(carrier_, *this))
        listening_.rest(carrier_, "tasks", "nothing has come for too long after a loss");
    }
  }
  void tell() {
    has_news_ = false;
    for (std::uint32_t r = 0; r < ranks() && !broken(); ++r)
      if (r != rank() && own().lost[r] == 0)
        listening_.keep(carrier_.send(r, write_progress(run_, own())));
  }
  bool all_agree() {
    for (std::uint32_t r = 0; r < ranks(); ++r)
      if (own().lost[r] == 0 && known_[r].lost != own().lost) return false;
    return true;
  }

  void add_counts() {
    if (!epoch_) return;
    const task_report<Datum>& of = epoch_->counts();
    out_.messages += of.messages;
    out_.batches += of.batches;
    out_.bytes += of.bytes;
    if (out_.most_held < of.most_held) out_.most_held = of.most_held;
  }
  task_report<Datum> take_report() {
    add_counts();
    task_report<Datum> last = epoch_->take_report();
    out_.outputs = std::move(last.outputs);
    out_.failure = std::move(last.failure);
    out_.computed = compute_.computed;
    for (std::uint32_t r = 0; r < ranks(); ++r)
      if (own().lost[r] != 0) out_.lost.push_back(r);
    return std::move(out_);
  }

  Transport& carrier_;
  const task_list& all_;
  task_run_options options_;
  std::uint64_t run_;
  listening listening_;
  table<task_progress> known_;  // by process, this one too: what it said last
  task_list tasks_;
  part_of_tasks compute_;
  std::optional<epoch> epoch_;
  std::uint64_t losses_ = 0;
  std::vector<letter> early_;  // of the next epoch, which others have begun
  bool has_news_ = false;
  task_report<Datum> out_;
};

}  // namespace wf::detail
