// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <wf/run/transport/survivors.hpp>
#include <wf/run/transport/task_run.hpp>

namespace wf::detail {

// One process's part of a list of tasks without fault that goes on when processes are lost: each
// epoch of the survivors is a run of the tasks that are not over, divided among them.
template <class Datum, class Transport, class Compute>
class surviving_run {
 public:
  surviving_run(Transport& carrier, const task_list& all, Compute& compute,
                const task_run_options& options)
      : all_(all),
        options_(options),
        left_(carrier, run_number(all), all.size(), options.most_silence_ns, "tasks"),
        tasks_(carrier.ranks()),
        compute_{&compute, {}, std::vector<Datum>(all.size()), table<char>(all.size()), 0} {}

  result<task_report<Datum>> run() {
    do {
      begin_epoch();
      epoch_->go();
      if (epoch_->fault().code != errc::none) return epoch_->fault();
      if (!epoch_->is_over()) note_progress();
    } while (left_.agree(*epoch_));
    if (epoch_->fault().code != errc::none) return epoch_->fault();
    if (left_.is_broken()) return left_.fault();
    if (const auto done = left_.finish(); !done) return done.error();
    return take_report();
  }

 private:
  using role = task_recovery::role;

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
  using epoch = task_run<Datum, survivors<Transport>, part_of_tasks>;

  void begin_epoch() {
    task_recovery next = recover(all_, left_.own().lost, left_.known());
    for (std::uint32_t t = 0; t < all_.size(); ++t) {
      if (next.roles[t] == role::held && next.tasks.owner(t) == left_.rank()) {
        if (epoch_ && epoch_->take_value(t, compute_.stock[t])) compute_.has[t] = 1;
      } else {
        compute_.stock[t] = Datum{};
        compute_.has[t] = 0;
      }
    }
    add_counts();
    tasks_ = std::move(next.tasks);
    compute_.roles = std::move(next.roles);
    epoch_.emplace(left_, tasks_, compute_, options_,
                   task_members{left_.members(), left_.run(), true});
  }
  // What this process tells of itself after an interruption.
  void note_progress() {
    left_.own().held = compute_.has;
    for (std::uint32_t t = 0; t < all_.size(); ++t) {
      if (epoch_->has_value(t)) left_.own().held[t] = 1;
      if (epoch_->has_ended(t)) left_.own().ended[t] = 1;
    }
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
    out_.lost = left_.lost();
    return std::move(out_);
  }

  const task_list& all_;
  task_run_options options_;
  survivors<Transport> left_;
  task_list tasks_;
  part_of_tasks compute_;
  std::optional<epoch> epoch_;
  task_report<Datum> out_;
};

}  // namespace wf::detail
