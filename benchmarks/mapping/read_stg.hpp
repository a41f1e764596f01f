// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <utility>

#include <wf/core/diagnosis/result.hpp>
#include <wf/core/text/view.hpp>
#include <wf/map/schedule/task_graph.hpp>

#include <mapping/number_scanner.hpp>

namespace mapping_benchmark {

/// Reads a graph of the Standard Task Graph Set: the number of tasks, with or without the two dummy
/// tasks of duration 0 for start and end; then for each task, from 0 on, its number, its duration,
/// the number of its predecessors and their numbers. A '#' starts a comment. Errors: `graph_syntax`
/// with its line. The number of processors is left 0. O(size).
inline wf::result<wf::task_graph> read_stg(wf::text_view source) {
  number_scanner in(source);
  wf::task_graph out;
  const std::int64_t stated = in.number(100'000);
  struct precedence {
    std::int64_t from = 0;
    std::uint32_t to = 0;
  };
  wf::table<precedence> edges;
  while (in.ok() && in.peek() != '#' && !in.at_end()) {
    const auto task = static_cast<std::uint32_t>(out.tasks.size());
    if (task == stated + 2) in.fail(wf::text("there are more tasks than stated"));
    if (in.number() != task) in.fail(wf::text("expected the number of task ") << task);
    out.add(wf::text() << task, in.number());
    for (std::int64_t left = in.number(100'000); left > 0 && in.ok(); --left)
      edges.push_back({in.number(100'001), task});
  }
  const auto count = static_cast<std::int64_t>(out.tasks.size());
  if (count != stated && count != stated + 2)
    in.fail(wf::text("there are ") << count << " tasks, " << stated << " are stated");
  for (const precedence& e : edges) {
    if (e.from >= count) in.fail(wf::text("task ") << e.to << " follows one that is not there");
    out.connect(static_cast<std::uint32_t>(e.from), e.to);
  }
  if (!in.ok()) return in.error();
  return out;
}

}  // namespace mapping_benchmark
