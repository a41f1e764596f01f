// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <random>

#include <wf/partition/assign.hpp>

/// Workflows spread over classes of machines at random.
namespace wf_test {

inline constexpr wf::text_view class_names[] = {"@self", "left", "right"};

/// Each node on a class that is drawn, and messages where values cross.
inline wf::result<wf::graph> scattered(const wf::graph& workflow, std::mt19937_64& random) {
  const wf::graph_view g = workflow.view();
  wf::graph_builder into(g.text_of(g.name));
  const wf::symbol_map symbols;
  wf::graph_copier copier(g, into, symbols, {}, wf::duplicates::keep);
  if (const wf::error e = copier.copy_inputs(); e.code != wf::errc::none) return e;
  const auto order = wf::topological_order(g);
  for (const wf::node_id id : *order) {
    copier.set_peer(class_names[random() % 3]);
    if (const wf::error e = copier.copy(id); e.code != wf::errc::none) return e;
  }
  copier.copy_outputs();
  wf::machine_park park;
  for (const wf::text_view from : class_names) {
    park.classes.push_back({wf::text(from), 1, -1, {}});
    for (const wf::text_view to : class_names)
      if (from != to) park.links.push_back({wf::text(from), wf::text(to), 1, 0});
  }
  auto assigned = wf::assign_classes(into.take().view(), park);
  if (!assigned) return assigned.error();
  return static_cast<wf::graph&&>(assigned->workflow);
}

}  // namespace wf_test
