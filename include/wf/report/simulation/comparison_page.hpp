// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/report/simulation/page.hpp>

namespace wf {

namespace detail {

/// A task of two runs.
struct task_pair {
  std::uint32_t first = 0;   ///< index in the first run
  std::uint32_t second = 0;  ///< index in the second run
};

/// The indices of the tasks of a run by label; of equal labels in the order of the tasks.
constexpr table<std::uint32_t> tasks_by_label(const run_account& a) {
  table<std::uint32_t> out;
  for (std::uint32_t t = 0; t < a.tasks.size(); ++t) out.push_back(t);
  stable_sort(out, [&](std::uint32_t x, std::uint32_t y) {
    return a.tasks[x].label.view() < a.tasks[y].label.view();
  });
  return out;
}

/// The tasks that both runs have, by their labels; of equal labels, the first one of the one run
/// belongs to the first one of the other, and so on. O(tasks · log tasks · length of a label).
constexpr table<task_pair> common_tasks(const run_account& first, const run_account& second) {
  const table<std::uint32_t> x = tasks_by_label(first), y = tasks_by_label(second);
  table<task_pair> out;
  for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();) {
    const auto order = first.tasks[x[i]].label.view() <=> second.tasks[y[j]].label.view();
    if (order == 0) out.push_back({x[i], y[j]});
    i += order <= 0 ? 1 : 0;
    j += order >= 0 ? 1 : 0;
  }
  return out;
}

/// Builds the comparison of two runs.
class run_comparison {
 public:
  constexpr run_comparison(const run_account& first, const run_account& second)
      : first_(first), second_(second) {}

  constexpr void add_to(html_page& page) const {
    page.add_heading((text(name_of_run(first_)) << " against " << name_of_run(second_)).view());
    add_figures(page);
    add_zoom(page);
    run_timeline_options options;
    options.span = larger(first_.makespan, second_.makespan);
    for (const run_account* a : {&first_, &second_}) {
      page.add_heading(name_of_run(*a), 3);
      page.add_picture(run_timeline_svg(*a, options).view(),
                       "Both runs have one time axis. Tasks of the critical path are outlined.");
    }
    add_changes(page);
  }

 private:
  static constexpr std::size_t most_changes = 40;

  static constexpr text signed_text(std::int64_t n) { return text(n > 0 ? "+" : "").grouped(n); }
  static constexpr std::int64_t time_of(const run_task& t) { return t.finish - t.start; }
  static constexpr std::int64_t wait_of(const run_task& t) { return t.start - t.ready; }

  constexpr void add_figures(html_page& page) const {
    const run_path x = critical_path_of(first_), y = critical_path_of(second_);
    table<table<text>> rows{
        {first_.unit, text(name_of_run(first_)), text(name_of_run(second_)), "difference"}};
    const auto add = [&](text_view figure, std::int64_t before, std::int64_t after) {
      rows.push_back(
          {text(figure), grouped_text(before), grouped_text(after), signed_text(after - before)});
    };
    add("makespan", first_.makespan, second_.makespan);
    for (std::size_t k = 0; k < path_reasons; ++k)
      add((text("critical path: ") << to_text(static_cast<path_reason>(k))).view(), x.ticks[k],
          y.ticks[k]);
    page.add_table(rows);
  }

  // How much a task's time from its request to its finish changed.
  constexpr std::int64_t change_of(const task_pair& p) const {
    const run_task &x = first_.tasks[p.first], &y = second_.tasks[p.second];
    return (y.finish - y.ready) - (x.finish - x.ready);
  }
  constexpr void add_changes(html_page& page) const {
    table<task_pair> pairs = common_tasks(first_, second_);
    const std::size_t common = pairs.size();
    const auto size_of = [&](const task_pair& p) {
      const std::int64_t change = change_of(p);
      return change < 0 ? -change : change;
    };
    stable_sort(pairs,
                [&](const task_pair& p, const task_pair& q) { return size_of(p) > size_of(q); });
    page.add_heading("Tasks whose time changed most", 3);
    table<table<text>> rows{
        {"task", "ran, first", "ran, second", "queued, first", "queued, second", "difference"}};
    for (const task_pair& p : pairs) {
      if (rows.size() > most_changes || change_of(p) == 0) break;
      const run_task &x = first_.tasks[p.first], &y = second_.tasks[p.second];
      rows.push_back({x.label, grouped_text(time_of(x)), grouped_text(time_of(y)),
                      grouped_text(wait_of(x)), grouped_text(wait_of(y)),
                      signed_text(change_of(p))});
    }
    page.add_table(rows);
    text rest("Common to both runs: ");
    rest.grouped(static_cast<std::int64_t>(common)) << " tasks; in the first one only: ";
    rest.grouped(static_cast<std::int64_t>(first_.tasks.size() - common))
        << ", in the second one only: ";
    rest.grouped(static_cast<std::int64_t>(second_.tasks.size() - common)) << '.';
    page.add_paragraph(rest.view());
  }

  const run_account& first_;
  const run_account& second_;
};

}  // namespace detail

/// Adds a comparison of two simulated runs to a page: makespans and the reasons of both critical
/// paths with their differences, both timelines on one time axis, which are zoomed together, and
/// the tasks whose time in the queue and on their resource changed most. Tasks are the same if
/// their labels are. Precondition: both runs count time in the same unit.
/// O(tasks · (log tasks + lanes) + uses · log uses + resources).
constexpr html_page& add_run_comparison(html_page& page, const run_account& first,
                                        const run_account& second) {
  detail::run_comparison(first, second).add_to(page);
  return page;
}

}  // namespace wf
