// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/evaluate/evaluate.hpp>
#include <wf/report/page/html.hpp>

namespace wf {

namespace detail {

/// The kind of a stratum in words.
constexpr text_view name_of(logic::recursion r) {
  constexpr text_view names[] = {"plain", "recursion of relations", "recursion of extrema",
                                 "iteration of numbers"};
  return names[static_cast<std::size_t>(r)];
}
/// A time with three digits: "1.25 ms".
constexpr text time_text(double seconds) {
  const bool micro = seconds < 1e-3, milli = seconds < 1;
  const double number = micro ? seconds * 1e6 : milli ? seconds * 1e3 : seconds;
  text out;
  const auto hundredths = static_cast<std::int64_t>(number * 100 + 0.5);
  out << hundredths / 100 << '.' << hundredths % 100 / 10 << hundredths % 10;
  return out << (micro ? " µs" : milli ? " ms" : " s");
}

/// Bars of the strata's times, one below the other.
constexpr text stratum_bars(view<logic::stratum_report> strata, view<double> seconds) {
  constexpr std::int64_t left = 260, width = 560, row = 22;
  double most = 0;
  for (const double s : seconds) most = s > most ? s : most;
  text out;
  begin_svg(out, "strata", left + width + 100, static_cast<std::int64_t>(strata.size()) * row + 12);
  for (std::size_t i = 0; i < strata.size() && i < seconds.size(); ++i) {
    const std::int64_t y = static_cast<std::int64_t>(i) * row + 6;
    const auto bar = static_cast<std::int64_t>(most > 0 ? seconds[i] / most * width : 0);
    text label = strata[i].tensors;
    if (label.size() > 36) label = text() << label.view().part(0, 35) << "…";
    out << "<text class=\"lane\" x=\"" << left - 8 << "\" y=\"" << y + 14 << "\">";
    escape_html(out, label.view());
    out << "</text><rect class=\"box\" x=\"" << left << "\" y=\"" << y << "\" width=\""
        << (bar < 1 ? 1 : bar) << "\" height=\"" << row - 6 << "\" fill=\""
        << colour_of(strata[i].tensors.view()) << "\"/><text class=\"type\" style=\"text-anchor:"
        << "start\" x=\"" << left + bar + 6 << "\" y=\"" << y + 13 << "\">"
        << time_text(seconds[i]).view() << "</text>\n";
  }
  return out << "</svg>\n";
}

}  // namespace detail

/// A page about the evaluation of a program: its text, its strata with their kinds, rounds, entries
/// and times, and the sizes of the results. `seconds` has the time of each evaluated stratum in
/// order, or fewer entries. O(size of the page).
constexpr html_page rules_page(text_view title, text_view source,
                               const logic::stratified_program& program,
                               const logic::solution& solution, view<double> seconds) {
  html_page page(title);
  double total = 0;
  std::uint64_t entries = 0;
  for (const double s : seconds) total += s;
  for (const logic::stratum_report& s : solution.strata) entries += s.entries;
  page.add_paragraph((text() << program.program.rules.size() << " rules in "
                             << program.strata.size() << " strata; "
                             << detail::grouped_text(static_cast<std::int64_t>(entries)).view()
                             << " entries in " << detail::time_text(total).view() << '.')
                         .view());
  page.add_heading("Strata");
  if (!seconds.empty())
    page.add_picture(detail::stratum_bars(solution.strata, seconds).view(),
                     "Time of each stratum, in the order of evaluation");
  table<table<text>> rows;
  rows.push_back({});
  for (const text_view head :
       {text_view("tensors"), text_view("kind"), text_view("method"), text_view("because"),
        text_view("rounds"), text_view("entries"), text_view("time")})
    rows[0].push_back(text(head));
  for (std::size_t i = 0; i < solution.strata.size(); ++i) {
    const logic::stratum_report& s = solution.strata[i];
    logic::recursion kind = logic::recursion::none;
    for (std::uint32_t t = 0; t < program.program.tensors.size(); ++t)
      if (program.stratum_of[t] != logic::none &&
          s.tensors.view().starts_with(program.program.tensors[t].name.view()))
        kind = program.strata[program.stratum_of[t]].recursion;
    rows.push_back({});
    rows.back().push_back(s.tensors);
    rows.back().push_back(text(detail::name_of(kind)));
    rows.back().push_back(text() << logic::to_text(s.method)
                                 << (s.by_variables != 0 ? ", by variables" : ""));
    rows.back().push_back(s.reason);
    rows.back().push_back(text() << s.rounds);
    rows.back().push_back(detail::grouped_text(static_cast<std::int64_t>(s.entries)));
    rows.back().push_back(i < seconds.size() ? detail::time_text(seconds[i]) : text());
  }
  page.add_table(rows);
  page.add_heading("Results");
  table<table<text>> sizes;
  sizes.push_back({});
  sizes[0].push_back(text("tensor"));
  sizes[0].push_back(text("entries"));
  for (const logic::solved_tensor& t : solution.tensors) {
    sizes.push_back({});
    sizes.back().push_back(t.name);
    sizes.back().push_back(detail::grouped_text(static_cast<std::int64_t>(t.size())));
  }
  page.add_table(sizes);
  page.add_heading("Program");
  page.add_preformatted(source);
  return page;
}

}  // namespace wf
