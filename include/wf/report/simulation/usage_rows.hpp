// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/report/simulation/path_strip.hpp>
#include <wf/simulate/account/utilisation.hpp>

namespace wf::detail {

/// A row of a picture: a resource, or neighbouring resources of one role.
struct usage_row {
  text label;                      ///< "host 3", or "host 0 … 7"
  run_role role = run_role::host;  ///< the common role
  table<std::uint32_t> resources;  ///< indices into the account
};

/// The end of a label that differs from another one in its number, or all of it: of "host 7" after
/// "host 0" the "7".
constexpr text_view distinct_end(text_view first, text_view last) {
  std::size_t n = kind_of_label(last).size();
  if (!(kind_of_label(first) == kind_of_label(last))) return last;
  if (n < last.size() && last[n] == ' ') ++n;
  return {last.data() + n, last.size() - n};
}

/// The most rows of a role in one picture; more resources share rows.
inline constexpr std::size_t most_usage_rows = 64;

/// The rows of all resources of a role that were used, at most `most_usage_rows`. O(resources).
constexpr table<usage_row> usage_rows_of(const run_account& a, view<resource_usage> usage,
                                         run_role role) {
  table<std::uint32_t> used;
  for (std::uint32_t r = 0; r < a.resources.size(); ++r)
    if (a.resources[r].role == role && usage[r].tasks != 0) used.push_back(r);
  const std::size_t share = (used.size() + most_usage_rows - 1) / most_usage_rows;
  table<usage_row> out;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (i % share == 0) out.push_back({a.resources[used[i]].label, role, {}});
    out.back().resources.push_back(used[i]);
    if (i % share != 0 && (i % share == share - 1 || i + 1 == used.size()))
      out.back().label << " … "
                       << distinct_end(out.back().label.view(), a.resources[used[i]].label.view());
  }
  return out;
}

/// The share of the makespan in which resources were in use, weighted by their capacities, in
/// percent; 0 of none. O(resources).
constexpr std::int64_t mean_use_percent(const run_account& a, view<resource_usage> usage,
                                        view<std::uint32_t> resources) {
  int128 busy = 0, capacity = 0;
  for (const std::uint32_t r : resources) {
    busy += usage[r].busy;
    capacity += larger(a.resources[r].capacity, 1);
  }
  const int128 most = capacity * a.makespan;
  return static_cast<std::int64_t>(most == 0 ? 0 : busy * 100 / most);
}

/// Number of intervals into which a picture divides the time axis.
inline constexpr std::int64_t usage_bins = 200;

/// The used share of a row in each interval of the axis, in percent. A resource whose capacity is
/// 0 counts as full when anything uses it. O(steps + intervals · resources).
constexpr table<std::int64_t> usage_percent(const run_account& a, view<resource_usage> usage,
                                            const usage_row& row, std::int64_t span) {
  const auto begin_of = [&](std::int64_t bin) {
    return static_cast<std::int64_t>(int128{span} * bin / usage_bins);
  };
  table<int128> busy(usage_bins);
  int128 capacity = 0;
  for (const std::uint32_t r : row.resources) {
    run_resource resource = a.resources[r];
    if (resource.capacity == 0) resource.capacity = 1;
    capacity += resource.capacity;
    std::int64_t bin = 0;
    const auto& steps = usage[r].steps;
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
      const int128 units = busy_units(resource, steps[i].in_use);
      const std::int64_t to = lesser(steps[i + 1].time, span);
      for (std::int64_t from = steps[i].time; from < to;) {
        while (begin_of(bin + 1) <= from) ++bin;
        const std::int64_t until = lesser(to, begin_of(bin + 1));
        busy[static_cast<std::size_t>(bin)] += units * (until - from);
        from = until;
      }
    }
  }
  table<std::int64_t> out(usage_bins);
  for (std::int64_t bin = 0; bin < usage_bins; ++bin) {
    const int128 all = capacity * (begin_of(bin + 1) - begin_of(bin));
    const auto i = static_cast<std::size_t>(bin);
    if (all != 0) out[i] = static_cast<std::int64_t>(busy[i] * 100 / all);
  }
  return out;
}

/// Draws a row as cells, darker for a higher use; cells of equal shade are joined, idle ones left
/// out. `y` is counted from the begin of the surrounding element.
constexpr void draw_usage_cells(text& out, const usage_row& row, view<std::int64_t> percent,
                                std::int64_t y, std::int64_t height) {
  constexpr std::int64_t shades = 10, pixels = run_axis::width / usage_bins;
  const auto shade_of = [&](std::size_t i) { return (percent[i] + shades - 1) / shades; };
  for (std::size_t i = 0, end = 0; i < percent.size(); i = end) {
    for (end = i + 1; end < percent.size() && shade_of(end) == shade_of(i);) ++end;
    const std::int64_t shade = shade_of(i);
    if (shade == 0) continue;
    out << "<g><title>";
    escape_html(out, row.label.view());
    out << ": " << (shade - 1) * shades << " to " << shade * shades
        << " % in use</title><rect class=\"cell\" x=\"" << static_cast<std::int64_t>(i) * pixels
        << "\" y=\"" << y << "\" width=\"" << static_cast<std::int64_t>(end - i) * pixels
        << "\" height=\"" << height << "\" fill=\"rgb(" << 235 - shade * 17 << ','
        << 242 - shade * 13 << ',' << 250 - shade * 8 << ")\"/></g>\n";
  }
}

}  // namespace wf::detail
