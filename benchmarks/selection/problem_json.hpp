// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>

#include <wf/core/diagnosis/result.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/proof/check.hpp>
#include <wf/select/select.hpp>

#include <selection/model_json.hpp>

namespace selection_benchmark {

/// Writes the answer of a search: its value, or null if there is no selection.
inline void write_answer(json_writer& out, const char* name, bool found, std::int64_t value) {
  out.key(name);
  if (found)
    out.number(value);
  else
    out.word("null");
}

/// An unreduced problem as one line of JSON for exact.py; all its metrics are sums and one is
/// minimised.
inline std::string problem_as_json(const std::string& name, const wf::selection_problem& p) {
  json_writer out;
  out.open('{').key("name").string({name.data(), name.size()});
  out.key("classes").number(p.classes).key("roots").list(p.roots);
  out.key("minimised").number(p.objective.terms[0].metric).key("owner").open('[');
  for (const wf::selection_candidate& n : p.candidates) out.number(n.owner);
  out.close(']').key("children").open('[');
  for (std::uint32_t n = 0; n < p.candidates.size(); ++n) out.list(p.children_of(n));
  out.close(']').key("costs").open('[');
  for (std::uint32_t m = 0; m < p.metrics.size(); ++m) {
    out.open('[');
    for (std::uint32_t n = 0; n < p.candidates.size(); ++n) out.number(p.cost(n, m));
    out.close(']');
  }
  out.close(']').key("limits").open('[');
  for (const wf::selection_limit& l : p.limits)
    out.open('[').number(l.metric).number(l.maximum).close(']');
  out.close(']').key("pairs").open('[');
  for (std::size_t i = 0; i < p.pairs.size(); ++i) {
    const wf::selection_pair& pair = p.pairs[i];
    out.open('[').number(pair.first).number(pair.second).number(pair.excluded);
    for (std::size_t m = 0; m < p.metrics.size(); ++m)
      out.number(p.pair_costs[i * p.metrics.size() + m]);
    out.close(']');
  }
  out.close(']');
  const auto found = wf::select(p);
  const auto certified = wf::select_certified(p);
  write_answer(out, "select", found && found->proven(), found ? found->objective[0] : 0);
  write_answer(out, "certified", certified && certified->result.proven(),
               certified ? certified->result.objective[0] : 0);
  const bool checked = certified && wf::check_proof(p, certified->proof).empty();
  out.key("checked").number(checked);
  out.key("dives").number(static_cast<std::int64_t>(found ? found->counters.dives : 0));
  out.key("cuts").number(static_cast<std::int64_t>(found ? found->counters.cuts : 0));
  return out.close('}').text();
}

}  // namespace selection_benchmark
