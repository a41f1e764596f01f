// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/report/page/columns.hpp>
#include <wf/report/toolchain/run_clock.hpp>
#include <wf/toolchain/step.hpp>

namespace wf {

/// The times of one step of a toolchain, over all its calls.
struct step_time {
  /// The parent of an outermost step.
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// Its path: "back/translate".
  text path;
  /// Number of enclosing steps.
  std::uint32_t depth = 0;
  /// Index of the enclosing step's row, or `none`.
  std::size_t parent = none;
  /// Number of completed calls, successful or failed.
  std::int64_t calls = 0;
  /// Number of failed calls.
  std::int64_t failures = 0;
  /// Time between entering and leaving, in nanoseconds.
  run_time total;
  /// Total time without that of inner steps, in nanoseconds.
  run_time own;
  friend constexpr bool operator==(const step_time&, const step_time&) = default;
};

/// The times of a toolchain's steps, one row per path. A value, without a clock.
class step_times {
 public:
  /// All steps in the order of first appearance, a step before its inner steps. A step has no calls
  /// if only its inner steps were entered.
  constexpr view<step_time> rows() const { return rows_; }
  /// The row of a path, or null. O(rows).
  constexpr const step_time* find(text_view path) const {
    const std::size_t i = position(path);
    return i < rows_.size() ? &rows_[i] : nullptr;
  }
  /// Total time of all steps, each counted once, in nanoseconds.
  constexpr run_time total() const {
    run_time all;
    for (const step_time& row : rows_) all += row.own;
    return all;
  }

  /// Index of the row of a path, which is added if missing. O(rows).
  constexpr std::size_t add(text_view path) {
    const std::size_t found = position(path);
    if (found < rows_.size()) return found;
    std::size_t slash = path.size();
    while (slash > 0 && path[slash - 1] != '/') --slash;
    step_time added;
    added.path = text(path);
    if (slash != 0) {
      added.parent = add(path.part(0, slash - 1));
      added.depth = rows_[added.parent].depth + 1;
    }
    rows_.push_back(static_cast<step_time&&>(added));
    return rows_.size() - 1;
  }
  /// The row with an index, for modification.
  constexpr step_time& operator[](std::size_t row) { return rows_[row]; }
  /// Adds the figures of another table, such as that of another thread. O(rows²).
  constexpr void merge(const step_times& other) {
    for (const step_time& from : other.rows_) {
      step_time& to = rows_[add(from.path.view())];
      to.calls += from.calls;
      to.failures += from.failures;
      to.total += from.total;
      to.own += from.own;
    }
  }

 private:
  constexpr std::size_t position(text_view path) const {
    std::size_t i = 0;
    while (i < rows_.size() && rows_[i].path.view() != path) ++i;
    return i;
  }

  table<step_time> rows_;
};

namespace detail {

// "12.345" for 12,345,000 ns, rounded.
constexpr text milliseconds(std::int64_t nanoseconds) {
  const std::int64_t micros = nanoseconds / 1000 + (nanoseconds % 1000 >= 500 ? 1 : 0);
  const auto rest = static_cast<int>(micros % 1000);
  text out;
  out.grouped(micros / 1000) << '.' << rest / 100 << rest / 10 % 10 << rest % 10;
  return out;
}

// "12.5 %", rounded.
constexpr text percentage(std::int64_t part, std::int64_t whole) {
  if (whole <= 0) return "-";
  const auto tenths =
      static_cast<std::int64_t>((int128{part} * 2000 + whole) / (int128{2} * whole));
  return text() << tenths / 10 << '.' << tenths % 10 << " %";
}

constexpr table<text> time_cells(text name, const step_time& t, run_time whole) {
  table<text> cells{static_cast<text&&>(name)};
  cells.push_back(text() << t.calls);
  cells.push_back(text() << t.failures);
  for (const std::int64_t ns : {t.own.wall, t.total.wall, t.own.cpu, t.total.cpu})
    cells.push_back(milliseconds(ns));
  cells.push_back(percentage(t.own.wall, whole.wall));
  return cells;
}

// The inner steps of a step, each followed by its own inner steps.
constexpr void time_rows(table<table<text>>& out, view<step_time> times, std::size_t parent,
                         run_time whole) {
  for (std::size_t i = 0; i < times.size(); ++i) {
    const step_time& t = times[i];
    if (t.parent != parent) continue;
    text name;
    add_spaces(name, std::size_t{2} * t.depth);
    const std::size_t prefix = parent == step_time::none ? 0 : times[parent].path.size() + 1;
    name << t.path.view().part(prefix);
    out.push_back(time_cells(static_cast<text&&>(name), t, whole));
    time_rows(out, times, i, whole);
  }
}

}  // namespace detail

/// The table as rows of cells, the first one the header: the argument of `html_page::add_table`.
/// Steps are indented below the enclosing step; the share is that of a step's own wall time.
/// O(rows²).
constexpr table<table<text>> to_rows(const step_times& t) {
  table<table<text>> rows;
  table<text> head;
  for (const char* title :
       {"step", "calls", "failed", "own ms", "total ms", "own CPU ms", "total CPU ms", "share"})
    head.push_back(text(title));
  rows.push_back(static_cast<table<text>&&>(head));
  step_time all;
  all.own = all.total = t.total();
  detail::time_rows(rows, t.rows(), step_time::none, all.own);
  for (const step_time& row : t.rows()) {
    if (row.parent != step_time::none) continue;
    all.calls += row.calls;
    all.failures += row.failures;
  }
  rows.push_back(detail::time_cells("all", all, all.own));
  return rows;
}

/// The table in aligned columns; see `to_rows`. Everything except the figures is the same in every
/// run.
constexpr text to_text(const step_times& t) { return to_columns(to_rows(t)); }

/// A tracer that measures the time of every step: `timing_tracer timing; w(x, timing);
/// to_text(timing.times())`. The tracer's own time counts towards the enclosing step.
///
/// It watches the runs of one thread, one after the other; runs in several threads need one tracer
/// each, whose tables `merge` joins afterwards.
template <run_clock_type Clock = run_clock>
class timing_tracer {
 public:
  constexpr timing_tracer() = default;
  /// Measures with another clock.
  constexpr explicit timing_tracer(Clock clock) : clock_(static_cast<Clock&&>(clock)) {}

  /// Called when a step begins. O(paths).
  template <class In>
  constexpr void enter(const step_info& step, const In&) {
    const std::size_t row = times_.add(path_of(step).view());
    open_.push_back({&step, row, {}, {}});
    open_.back().begin = clock_();
  }
  /// Called when a step ends.
  template <class Out>
  constexpr void leave(const step_info& step, const Out&) {
    end(step, false);
  }
  /// Called when a step fails.
  constexpr void fail(const step_info& step, const error&) { end(step, true); }

  /// The times measured so far.
  constexpr const step_times& times() const { return times_; }
  /// Adds the times of another tracer. O(paths²).
  constexpr void merge(const timing_tracer& other) { times_.merge(other.times_); }

 private:
  struct open_step {
    const step_info* step = nullptr;
    std::size_t row = 0;
    run_time begin;
    run_time inside;  // time of the inner steps
  };

  constexpr bool is_open(std::size_t row) const {
    for (const open_step& s : open_)
      if (s.row == row) return true;
    return false;
  }

  constexpr void end(const step_info& step, bool failed) {
    const run_time now = clock_();
    // Usually the last one; others were abandoned by an exception of a tracer.
    std::size_t known = open_.size();
    while (known > 0 && open_[known - 1].step != &step) --known;
    if (known == 0) return;
    while (open_.size() > known) open_.pop_back();
    const open_step ended = open_.back();
    open_.pop_back();
    const run_time took = now - ended.begin;
    step_time& row = times_[ended.row];
    ++row.calls;
    row.failures += failed ? 1 : 0;
    row.own += took - ended.inside;
    // A recursive step is not counted twice.
    if (!is_open(ended.row)) row.total += took;
    if (!open_.empty()) open_.back().inside += took;
  }

  [[no_unique_address]] Clock clock_{};
  step_times times_;
  table<open_step> open_;
};

}  // namespace wf
