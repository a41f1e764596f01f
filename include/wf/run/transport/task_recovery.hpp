// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/bytes.hpp>
#include <wf/run/transport/task_list.hpp>

namespace wf {

/// What one process knows when a run is interrupted because another one was lost: whom it takes for
/// lost, and what has become of the tasks.
struct task_progress {
  table<char> lost;   ///< by process: 1 if it is lost
  table<char> ended;  ///< by task: 1 if it has ended here, without a failure
  table<char> held;   ///< by task: 1 if its value is here

  friend constexpr bool operator==(const task_progress&, const task_progress&) = default;
};

/// How the processes that are left go on with a list of tasks.
struct task_recovery {
  /// What becomes of a task.
  enum class role : std::uint8_t {
    idle,  ///< nothing: it has ended, or nobody needs it
    held,  ///< its value is in the process that owns it now
    runs,  ///< it runs, perhaps once more
  };
  task_list tasks;    ///< the same tasks by the same numbers, with what they still wait for
  table<role> roles;  ///< by task
};

namespace detail {

// Finds who goes on with what; see `recover`.
class recovery_plan {
 public:
  constexpr recovery_plan(const task_list& all, view<char> lost, view<task_progress> known)
      : all_(all), holders_(all.size(), nobody), has_ended_(all.size()), out_{task_list(0), {}} {
    for (std::uint32_t r = 0; r < lost.size(); ++r)
      if (lost[r] == 0) left_.push_back(r);
    for (const std::uint32_t r : left_) {
      const task_progress* const p = r < known.size() ? &known[r] : nullptr;
      if (p == nullptr || p->held.size() != all.size()) continue;
      for (std::uint32_t t = 0; t < all.size(); ++t) {
        if (p->ended[t] != 0) has_ended_[t] = 1;
        if (p->held[t] != 0 && (holders_[t] == nobody || r == all.owner(t))) holders_[t] = r;
      }
    }
    find_roles();
    out_.tasks = task_list(all.ranks());
    for (std::uint32_t t = 0; t < all.size(); ++t) add(t, lost);
  }
  constexpr task_recovery take() { return static_cast<task_recovery&&>(out_); }

 private:
  using role = task_recovery::role;
  static constexpr std::uint32_t nobody = UINT32_MAX;

  // From the last task on: what a task that runs needs is known before what is needed for that.
  constexpr void find_roles() {
    out_.roles = table<role>(all_.size(), role::idle);
    table<char> is_last(all_.size(), 1), is_needed(all_.size());
    for (std::uint32_t t = static_cast<std::uint32_t>(all_.size()); t-- > 0;) {
      const bool is_held = holders_[t] != nobody;
      const bool is_over = has_ended_[t] != 0 || is_held;
      const bool needs_value = all_.is_kept(t) || is_needed[t] == reads;
      const bool is_asked =
          needs_value ? !is_held : (is_needed[t] != 0 || is_last[t] != 0) && !is_over;
      if (is_asked)
        out_.roles[t] = role::runs;
      else if (needs_value)
        out_.roles[t] = role::held;
      for (const std::uint32_t b : all_.before(t)) is_last[b] = 0;
      if (!is_asked) continue;
      for (const std::uint32_t b : all_.before(t))
        if (is_needed[b] == 0) is_needed[b] = waits;
      for (const std::uint32_t b : all_.operands(t)) is_needed[b] = reads;
    }
  }
  constexpr void add(std::uint32_t t, view<char> lost) {
    const role what = out_.roles[t];
    std::uint32_t owner = all_.owner(t);
    if (what == role::held)
      owner = holders_[t];
    else if (lost[owner] != 0)
      owner = left_[t % left_.size()];
    table<std::uint32_t> after;
    const view<std::uint32_t> before = all_.before(t), operands = all_.operands(t);
    if (what == role::runs)
      for (std::size_t k = operands.size(); k < before.size(); ++k)
        if (out_.roles[before[k]] == role::runs) after.push_back(before[k]);
    out_.tasks.add(owner, what == role::runs ? operands : view<std::uint32_t>(), after);
    if (all_.is_kept(t)) out_.tasks.keep(t);
  }

  static constexpr char waits = 1, reads = 2;

  const task_list& all_;
  table<std::uint32_t> left_;
  table<std::uint32_t> holders_;  // by task
  table<char> has_ended_;
  task_recovery out_;
};

// The first bytes of what a process says of its progress: "wfr" and the version of its form.
inline constexpr std::uint32_t task_progress_mark = 0x01726677;

constexpr void write_bits(byte_writer& out, view<char> bits) {
  out.half(static_cast<std::uint32_t>(bits.size()));
  for (std::size_t i = 0; i < bits.size(); i += 8) {
    std::uint8_t byte = 0;
    for (std::size_t k = i; k < i + 8 && k < bits.size(); ++k)
      byte = static_cast<std::uint8_t>(byte | (bits[k] != 0 ? 1 << (k - i) : 0));
    out.integer(byte, 1);
  }
}
constexpr bool read_bits(byte_reader& in, std::size_t size, table<char>& bits) {
  if (in.half() != size || !in.good()) return false;
  const view<std::uint8_t> bytes = in.block((size + 7) / 8);
  if (!in.good()) return false;
  bits = table<char>(size);
  for (std::size_t i = 0; i < size; ++i) bits[i] = static_cast<char>(bytes[i / 8] >> i % 8 & 1);
  return size % 8 == 0 || bytes[size / 8] >> size % 8 == 0;
}

}  // namespace detail

/// The tasks with which the processes that are left go on: those of lost processes are divided
/// among them, and what a task that runs reads is taken from who has it, else it runs again. Tasks
/// run until each output is there, and until each last task, for which no other one waits, has
/// ended; so every failure is found again. `known` has the progress of each process that is left;
/// without it, or for one of another size, it has done nothing. At least one process is left.
/// O(processes · tasks + operands).
constexpr task_recovery recover(const task_list& all, view<char> lost, view<task_progress> known) {
  return detail::recovery_plan(all, lost, known).take();
}

/// Writes the progress of a process in a run, by the number of the run.
constexpr table<std::uint8_t> write_progress(std::uint64_t run, const task_progress& p) {
  byte_writer out;
  out.half(detail::task_progress_mark).word(run);
  detail::write_bits(out, p.lost);
  detail::write_bits(out, p.ended);
  detail::write_bits(out, p.held);
  return out.take();
}

/// True if bytes begin as a progress does.
constexpr bool is_progress(view<std::uint8_t> bytes) {
  byte_reader in(bytes);
  return in.half() == detail::task_progress_mark && in.good();
}

/// Reads a progress of a run with so many processes and tasks. Errors: `malformed_message` for
/// bytes that are none; `transport_failed` for that of another run. O(size).
constexpr result<task_progress> read_progress(view<std::uint8_t> bytes, std::uint64_t run,
                                              std::size_t ranks, std::size_t tasks) {
  byte_reader in(bytes);
  task_progress out;
  if (!is_progress(bytes))
    return make_error(errc::malformed_message, "progress", "it does not begin as one");
  in.half();
  if (in.word() != run && in.good())
    return make_error(errc::transport_failed, "progress",
                      "it is of another run: processes must be started for the same tasks");
  if (!detail::read_bits(in, ranks, out.lost) || !detail::read_bits(in, tasks, out.ended) ||
      !detail::read_bits(in, tasks, out.held) || in.left() != 0)
    return make_error(errc::malformed_message, "progress", "it has not the size of this run");
  return out;
}

}  // namespace wf
