// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/diagnosis/result.hpp>
#include <wf/core/text/view.hpp>
#include <wf/map/schedule/task_graph.hpp>

#include <mapping/number_scanner.hpp>

namespace mapping_benchmark {

/// Reads a project with renewable resources from a file of PSPLIB (`.sm`, one mode): jobs in the
/// section PRECEDENCE RELATIONS with their successors, durations and requests in the section
/// REQUESTS/DURATIONS, capacities in RESOURCEAVAILABILITIES. Errors: `graph_syntax` with its line.
inline wf::result<wf::task_graph> read_sm(wf::text_view source) {
  constexpr std::int64_t most = 100'000;
  number_scanner in(source);
  wf::task_graph out;
  in.skip_past("jobs (incl. supersource/sink )");
  in.skip_past(":");
  const std::int64_t jobs = in.number(most);
  in.skip_past("- renewable");
  in.skip_past(":");
  const auto resources = static_cast<std::uint32_t>(in.number(64));
  in.skip_past("PRECEDENCE RELATIONS:");
  in.skip_line();
  in.skip_line();
  for (std::int64_t job = 1; job <= jobs && in.ok(); ++job) {
    if (in.number(most) != job) in.fail(wf::text("expected job ") << job);
    if (in.number(most) != 1) in.fail(wf::text("expected one mode"));
    for (std::int64_t left = in.number(most); left > 0 && in.ok(); --left) {
      const std::int64_t to = in.number(jobs);
      if (to == 0) in.fail(wf::text("there is no job 0"));
      out.connect(static_cast<std::uint32_t>(job - 1), static_cast<std::uint32_t>(to - 1));
    }
  }
  in.skip_past("REQUESTS/DURATIONS:");
  in.skip_line();
  in.skip_line();
  in.skip_line();
  for (std::int64_t job = 1; job <= jobs && in.ok(); ++job) {
    if (in.number(most) != job) in.fail(wf::text("expected job ") << job);
    if (in.number(most) != 1) in.fail(wf::text("expected mode 1"));
    const std::uint32_t task = out.add(wf::text() << job, in.number());
    for (std::uint32_t r = 0; r < resources; ++r)
      if (const std::int64_t amount = in.number(); amount != 0)
        out.demands.push_back({task, r, amount});
  }
  in.skip_past("RESOURCEAVAILABILITIES:");
  in.skip_line();
  in.skip_line();
  for (std::uint32_t r = 0; r < resources && in.ok(); ++r)
    out.resources.push_back({wf::text("R ") << r + 1, in.number()});
  if (!in.ok()) return in.error();
  return out;
}

/// Reads a project in Patterson's form (`.rcp`): the numbers of jobs and resources, the capacities,
/// then for each job its duration, its requests, the number of its successors and their numbers,
/// from 1 on. Errors: `graph_syntax` with its line.
inline wf::result<wf::task_graph> read_rcp(wf::text_view source) {
  constexpr std::int64_t most = 100'000;
  number_scanner in(source);
  wf::task_graph out;
  const std::int64_t jobs = in.number(most);
  const auto resources = static_cast<std::uint32_t>(in.number(64));
  for (std::uint32_t r = 0; r < resources && in.ok(); ++r)
    out.resources.push_back({wf::text("R ") << r + 1, in.number()});
  for (std::int64_t job = 1; job <= jobs && in.ok(); ++job) {
    const std::uint32_t task = out.add(wf::text() << job, in.number());
    for (std::uint32_t r = 0; r < resources; ++r)
      if (const std::int64_t amount = in.number(); amount != 0)
        out.demands.push_back({task, r, amount});
    for (std::int64_t left = in.number(most); left > 0 && in.ok(); --left) {
      const std::int64_t to = in.number(jobs);
      if (to == 0) in.fail(wf::text("there is no job 0"));
      out.connect(task, static_cast<std::uint32_t>(to - 1));
    }
  }
  if (!in.at_end()) in.fail(wf::text("expected no more than the jobs"));
  if (!in.ok()) return in.error();
  return out;
}

}  // namespace mapping_benchmark
