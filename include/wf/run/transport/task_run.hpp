// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <stop_token>
#include <utility>
#include <vector>

#include <wf/core/container/hash.hpp>
#include <wf/run/transport/index_queue.hpp>
#include <wf/run/transport/listening.hpp>
#include <wf/run/transport/task_messages.hpp>
#include <wf/run/transport/task_share.hpp>
#include <wf/run/transport/transport.hpp>

namespace wf {

/// How tasks run on several processes.
struct task_run_options {
  /// A batch is sent when it has so many bytes.
  std::size_t most_batch = std::size_t{1} << 16;
  /// While a process computes, what it has to send waits no longer than this and the task that runs
  /// then, and what has come is not looked at earlier; nanoseconds.
  std::int64_t most_delay_ns = 5'000;
  /// A process that waits for others gives up when nothing has come for so long; nanoseconds.
  std::int64_t most_silence_ns = 600'000'000'000;
  /// When a process is lost, the others divide its tasks among them, run again what is lost with it
  /// and still needed, and go on. Functions that compute must give the same value each time, in any
  /// process.
  bool recovers = false;
  /// Asks this process to stop: its next task, and what waits for it, fails.
  std::stop_token stop = {};
  /// The size of the value of each task, by number, in any unit, for `task_report::most_held`;
  /// empty: not known. Must outlive the run.
  view<std::int64_t> sizes = {};
};

/// What a task reads.
template <class Datum>
struct task_operand {
  Datum* value = nullptr;  ///< the value, to be left unchanged unless it is the last reading
  bool is_last = false;    ///< true: nobody reads it afterwards, so that it may be taken
};

/// A value that a run has as output.
template <class Datum>
struct task_output {
  std::uint32_t task = 0;  ///< the task that made it
  Datum value{};           ///< what it made
};

/// What one process reports of a run of tasks.
template <class Datum>
struct task_report {
  /// Of its own tasks, by number; after a loss also of some of the lost process.
  std::vector<task_output<Datum>> outputs;
  task_failure failure;        ///< the failure of the first task that failed, in any process
  std::uint64_t computed = 0;  ///< its tasks that ran, each time
  std::uint64_t messages = 0;  ///< values and signals that it sent to other processes
  std::uint64_t batches = 0;   ///< sendings
  std::uint64_t bytes = 0;     ///< of all these
  /// The largest sum of the sizes of values that it held at a time; without those in batches.
  std::int64_t most_held = 0;
  table<std::uint32_t> lost;  ///< processes that were lost before or in the run
};

namespace detail {

// A number that processes of one run have in common, and others hardly ever. O(tasks).
constexpr std::uint64_t run_number(const task_list& all) {
  hasher h;
  h.word(all.ranks()).word(all.size());
  for (std::uint32_t t = 0; t < all.size(); ++t) {
    h.word((std::uint64_t{all.owner(t)} << 32) | all.operands(t).size());
    for (const std::uint32_t b : all.before(t)) h.word(b);
  }
  return h.value();
}

// The processes that run tasks together, and the number by which their batches are known.
struct task_members {
  table<std::uint32_t> ranks;  // ascending
  std::uint64_t run = 0;
  // Others go on without who is lost: a loss interrupts, and who hears of the end tells all.
  bool survive = false;

  // The place of a process in a binary tree of them, whose root is 0.
  std::uint32_t place_of(std::uint32_t rank) const {
    std::uint32_t i = 0;
    while (i < ranks.size() && ranks[i] != rank) ++i;
    return i;
  }
};

// One process's part of a list of tasks without fault, until it is over, or interrupted by a loss.
// `carrier` is a transport whose `poll(run)` hands out what comes for this run.
template <class Datum, class Carrier, class Compute>
class task_run {
 public:
  task_run(Carrier& carrier, const task_list& all, Compute& compute,
           const task_run_options& options, const task_members& members)
      : carrier_(carrier),
        options_(options),
        compute_(compute),
        total_(all.size()),
        members_(members),
        own_place_(members.place_of(carrier.rank())),
        listening_(options.most_silence_ns),
        share_(all, carrier.rank()),
        ready_(share_.own()),
        waits_(share_.own()),
        uses_(share_.places()),
        states_(share_.places()),
        values_(share_.places()),
        owners_(share_.places()),
        batches_(carrier.ranks(), task_batch<Datum>(members.run)),
        fails_(share_.own()),
        is_here_(share_.places()) {
    for (std::uint32_t p = 0; p < share_.places(); ++p) {
      uses_[p] = share_.uses(p);
      owners_[p] = all.owner(share_.task(p));
      if (!options.sizes.empty()) sizes_.push_back(options.sizes[share_.task(p)]);
    }
    for (std::uint32_t p = 0; p < share_.own(); ++p) {
      waits_[p] = share_.waits(p);
      if (waits_[p] == 0) ready_.add(p);
      is_kept_.push_back(all.is_kept(share_.task(p)) ? 1 : 0);
    }
    for_children([this](std::uint32_t) { ++children_; });
    listening_.begin();
  }

  // Runs until all is over, it is interrupted, or there is a fault.
  void go() {
    while (!is_over_ && !broken() && !is_interrupted_) {
      if (ready_.empty()) {
        if (done_ == share_.own() && !report_end()) break;
        rest();
        continue;
      }
      advance(ready_.take());
      // A look at the clock takes a tenth of an empty task.
      if (listening_.is_due(options_.most_delay_ns)) look();
    }
    if (!is_interrupted_) flush();
  }
  bool is_over() const { return is_over_; }
  const error& fault() const { return listening_.fault(); }
  // The report, once it is over.
  task_report<Datum> take_report() {
    for (std::uint32_t p = 0; p < share_.own(); ++p)
      if (is_kept_[p] != 0 && states_[p] == state::ended)
        out_.outputs.push_back({share_.task(p), static_cast<Datum&&>(values_[p])});
    out_.failure = static_cast<task_failure&&>(first_);
    return static_cast<task_report<Datum>&&>(out_);
  }
  // Of an own task: it has ended without failure.
  bool has_ended(std::uint32_t task) const {
    const std::uint32_t p = share_.place_of(task);
    return p < share_.own() && states_[p] == state::ended;
  }
  bool has_value(std::uint32_t task) const {
    const std::uint32_t p = share_.place_of(task);
    return p != task_share::nowhere && is_here_[p] != 0;
  }
  // Moves a value that is here; false if it is not.
  bool take_value(std::uint32_t task, Datum& out) {
    if (!has_value(task)) return false;
    out = static_cast<Datum&&>(values_[share_.place_of(task)]);
    return true;
  }
  // The counts of the report so far.
  const task_report<Datum>& counts() const { return out_; }

  // What comes out of the transport.
  void came(std::uint32_t rank, view<std::uint8_t> bytes) {
    from_ = rank;
    if (!broken()) listening_.keep(read_task_batch<Datum>(bytes, members_.run, *this));
  }
  void lost(std::uint32_t rank) {
    is_interrupted_ = true;
    if (members_.survive) return;
    listening_.fail(make_error(errc::transport_failed, (text() << "process " << rank).view(),
                               "it is lost, and its tasks with it"));
  }
  // What comes out of a batch.
  bool ended(std::uint32_t task) { return arrived(task, state::ended); }
  bool ended(std::uint32_t task, Datum&& value) {
    if (!arrived(task, state::ended)) return false;
    const std::uint32_t p = share_.place_of(task);
    if (uses_[p] == 0) return true;
    hold(p);
    values_[p] = static_cast<Datum&&>(value);
    return true;
  }
  bool failed(std::uint32_t task) { return arrived(task, state::failed); }
  bool reported(const task_failure& first) {
    const std::uint32_t place = members_.place_of(from_);
    if (is_over_ || place == 0 || (place - 1) / 2 != own_place_ || children_ == 0) return false;
    --children_;
    note(first);
    return true;
  }
  bool over(const task_failure& first) {
    if (is_over_) return members_.survive;
    const bool is_parents = own_place_ != 0 && members_.place_of(from_) == (own_place_ - 1) / 2;
    if (!members_.survive && !is_parents) return false;
    first_ = first;
    end();
    return true;
  }

 private:
  enum class state : std::uint8_t { open, ended, failed };

  bool broken() const { return listening_.is_broken(); }
  void note(const task_failure& f) {
    if (f.task < first_.task) first_ = f;
  }
  template <class F>
  void for_children(F&& f) const {
    for (std::size_t child = 2 * std::size_t{own_place_} + 1; child <= 2 * own_place_ + 2; ++child)
      if (child < members_.ranks.size()) f(members_.ranks[child]);
  }
  // Tells those who must hear of it from here that all is over.
  void end() {
    is_over_ = true;
    const auto tell = [&](std::uint32_t other) {
      batches_[other].add_over(first_);
      send(other);
    };
    if (!members_.survive) return for_children(tell);
    for (const std::uint32_t other : members_.ranks)
      if (other != carrier_.rank()) tell(other);
  }

  void hold(std::uint32_t p) {
    is_here_[p] = 1;
    if (sizes_.empty()) return;
    held_ += sizes_[p];
    if (out_.most_held < held_) out_.most_held = held_;
  }
  void drop(std::uint32_t p) {
    values_[p] = Datum{};
    is_here_[p] = 0;
    if (!sizes_.empty() && states_[p] == state::ended) held_ -= sizes_[p];
  }

  // Runs a task, or passes on that it cannot run.
  void advance(std::uint32_t p) {
    const bool has_value = fails_[p] == 0 && compute(p);
    if (has_value) hold(p);
    for (const std::uint32_t from : share_.operands(p))
      if (--uses_[from] == 0) drop(from);
    settle(p, has_value ? state::ended : state::failed);
    const std::uint32_t task = share_.task(p);
    for (std::size_t i = 0; i < share_.readers(p); ++i) {
      const task_share::reader r = share_.reader_of(p, i);
      ++out_.messages;
      if (!has_value)
        batches_[r.rank].add_failed(task);
      else if (r.reads)
        batches_[r.rank].add(task, values_[p]);
      else
        batches_[r.rank].add(task);
      if (batches_[r.rank].size() >= options_.most_batch) send(r.rank);
    }
    if (uses_[p] == 0) drop(p);
    ++done_;
  }
  // False if the task fails.
  bool compute(std::uint32_t p) {
    const std::uint32_t task = share_.task(p);
    if (options_.stop.stop_requested()) {
      note({task, make_error(errc::execution_stopped, (text() << "task " << task).view(),
                             "the run was asked to stop")});
      return false;
    }
    operands_.clear();
    for (const std::uint32_t from : share_.operands(p))
      operands_.push_back({&values_[from], uses_[from] == 1});
    ++out_.computed;
    error e = compute_(task, view<task_operand<Datum>>(operands_), values_[p]);
    if (e.code == errc::none) return true;
    note({task, static_cast<error&&>(e)});
    return false;
  }
  void settle(std::uint32_t p, state s) {
    states_[p] = s;
    for (const std::uint32_t next : share_.after(p)) {
      if (s == state::failed) fails_[next] = 1;
      if (--waits_[next] == 0) ready_.add(next);
    }
  }
  bool arrived(std::uint32_t task, state s) {
    if (task >= total_) return false;
    const std::uint32_t p = share_.place_of(task);
    if (p == task_share::nowhere || p < share_.own() || owners_[p] != from_ ||
        states_[p] != state::open)
      return false;
    settle(p, s);
    return true;
  }

  void send(std::uint32_t to) {
    ++out_.batches;
    out_.bytes += batches_[to].size();
    listening_.keep(carrier_.send(to, batches_[to].take()));
  }
  void flush() {
    for (std::uint32_t r = 0; r < carrier_.ranks(); ++r)
      if (!batches_[r].empty() && !broken()) send(r);
  }
  bool look() {
    flush();
    return listening_.look(carrier_, *this);
  }
  void rest() {
    if (look() || is_over_ || is_interrupted_ || broken() || !ready_.empty()) return;
    listening_.rest(carrier_, "tasks");
  }
  // Its own tasks are over: so are the children's when they say so. False if all are.
  bool report_end() {
    if (children_ != 0 || has_reported_) return true;
    has_reported_ = true;
    if (own_place_ == 0) return end(), false;
    const std::uint32_t parent = members_.ranks[(own_place_ - 1) / 2];
    batches_[parent].add_report(first_);
    send(parent);
    return true;
  }

  Carrier& carrier_;
  task_run_options options_;
  Compute& compute_;
  std::size_t total_;
  task_members members_;
  std::uint32_t own_place_;  // in the tree
  listening listening_;
  task_share share_;
  index_queue ready_;
  std::vector<std::uint32_t> waits_, uses_;
  std::vector<state> states_;
  std::vector<Datum> values_;
  std::vector<std::uint32_t> owners_;
  std::vector<std::int64_t> sizes_;  // by place
  std::int64_t held_ = 0;
  std::vector<task_batch<Datum>> batches_;  // by process
  std::vector<char> is_kept_, fails_, is_here_;
  std::vector<task_operand<Datum>> operands_;
  std::size_t done_ = 0;
  std::uint32_t children_ = 0, from_ = 0;
  bool has_reported_ = false, is_over_ = false, is_interrupted_ = false;
  task_failure first_;
  task_report<Datum> out_;
};

}  // namespace detail

}  // namespace wf
