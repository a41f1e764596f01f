// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/partition/machine/message_form.hpp>
#include <wf/run/transport/task_list.hpp>

namespace wf {

/// A task that failed, and why.
struct task_failure {
  std::uint32_t task = UINT32_MAX;  ///< its number; `UINT32_MAX`: none failed
  error why;                        ///< what it failed with

  friend constexpr bool operator==(const task_failure&, const task_failure&) = default;
};

namespace detail {

// The first bytes of a batch of tasks: "wft" and the version of its form.
inline constexpr std::uint32_t task_batch_mark = 0x01746677;
// The two highest bits of the number of a task in a batch.
inline constexpr std::uint32_t task_failed = std::uint32_t{1} << 31, task_has_value = 1U << 30;
// Instead of a task: the end of a process and those that report to it, and that of the run.
inline constexpr std::uint32_t task_end = task_list::most_tasks,
                               task_over = task_end | task_has_value;
inline constexpr std::uint32_t most_failure_text = 4096;

constexpr void write_failure(byte_writer& out, const task_failure& f) {
  out.half(f.task).half(static_cast<std::uint32_t>(f.why.code));
  for (const text_view all : {f.why.subject.view(), f.why.message.view()}) {
    const text_view t =
        all.part(0, all.size() < most_failure_text ? all.size() : most_failure_text);
    out.half(static_cast<std::uint32_t>(t.size()));
    for (const char c : t) out.integer(static_cast<unsigned char>(c), 1);
  }
}
constexpr bool read_failure(byte_reader& in, task_failure& f) {
  f.task = in.half();
  const std::uint32_t code = in.half();
  f.why.code = static_cast<errc>(code);
  for (text* t : {&f.why.subject, &f.why.message}) {
    const std::uint32_t size = in.half();
    if (size > most_failure_text) return false;
    for (const std::uint8_t c : in.block(size)) *t << static_cast<char>(c);
  }
  return in.good() && code <= UINT16_MAX && (f.task == UINT32_MAX) == (code == 0);
}

}  // namespace detail

/// Packs what goes to one process into one sending of a transport: values of tasks, each with its
/// task's number, four bytes. A batch begins with the number of the run, in 12 bytes.
template <class Datum>
class task_batch {
 public:
  constexpr task_batch() = default;
  /// Of a run, by a number that all its processes know.
  constexpr explicit task_batch(std::uint64_t run) : run_(run) {}

  /// True if nothing was added since the last batch was taken.
  constexpr bool empty() const { return out_.bytes().empty(); }
  /// Size so far, in bytes.
  constexpr std::size_t size() const { return out_.bytes().size(); }
  /// A task has ended; its value is not needed.
  constexpr void add(std::uint32_t task) { begin(task); }
  /// A task has ended with a value.
  constexpr void add(std::uint32_t task, const Datum& value) {
    begin(task | detail::task_has_value);
    datum_form<Datum>::write(out_, value);
  }
  /// A task has no value: it or one before it has failed.
  constexpr void add_failed(std::uint32_t task) { begin(task | detail::task_failed); }
  /// The sender and all that report to it are at their end, with the first failure among them.
  constexpr void add_report(const task_failure& first) {
    begin(detail::task_end);
    detail::write_failure(out_, first);
  }
  /// All processes are at their end, with the first failure among them.
  constexpr void add_over(const task_failure& first) {
    begin(detail::task_over);
    detail::write_failure(out_, first);
  }
  /// The batch, which is given away.
  constexpr table<std::uint8_t> take() { return out_.take(); }

 private:
  constexpr void begin(std::uint32_t what) {
    if (empty()) out_.half(detail::task_batch_mark).word(run_);
    out_.half(what);
  }

  byte_writer out_;
  std::uint64_t run_ = 0;
};

/// Hands out what a batch of a run has, in its order: `out.ended(task)`, `out.ended(task, value)`,
/// `out.failed(task)`, `out.reported(first failure)` and `out.over(first failure)`, which are false
/// for what cannot be. Errors:
/// `malformed_message` for bytes that are no batch, or what is refused; `transport_failed` for a
/// batch of another run. What came before the fault was handed out. O(size).
template <class Datum, class Out>
constexpr result<nothing> read_task_batch(view<std::uint8_t> bytes, std::uint64_t run, Out&& out) {
  const auto refuse = [](text_view sentence) {
    return make_error(errc::malformed_message, "batch", sentence);
  };
  byte_reader in(bytes);
  const bool is_batch = in.half() == detail::task_batch_mark;
  const std::uint64_t its_run = in.word();
  if (!is_batch || !in.good()) return refuse("it does not begin as a batch of tasks does");
  if (its_run != run)
    return make_error(errc::transport_failed, "batch",
                      "it is of another run: processes must be started for the same tasks");
  while (in.good() && in.left() != 0) {
    const std::uint32_t what = in.half();
    const std::uint32_t task = what & ~(detail::task_failed | detail::task_has_value);
    bool fits = in.good();
    if (!fits) break;
    if (what == detail::task_end || what == detail::task_over) {
      task_failure first;
      fits = detail::read_failure(in, first) &&
             (what == detail::task_end ? out.reported(first) : out.over(first));
    } else if ((what & detail::task_failed) != 0) {
      fits = (what & detail::task_has_value) == 0 && out.failed(task);
    } else if ((what & detail::task_has_value) != 0) {
      Datum value{};
      fits = datum_form<Datum>::read(in, value) && out.ended(task, static_cast<Datum&&>(value));
    } else {
      fits = out.ended(task);
    }
    if (!fits) return refuse("it has an item that cannot be");
  }
  if (!in.good()) return refuse("it is too short");
  return nothing{};
}

}  // namespace wf
