// SPDX-License-Identifier: BSL-1.0
#pragma once

// Solves the types of graphs written as text.

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/types/solve.hpp>

#include "../rewrite/statements.hpp"

namespace wf_test {

// The type of each value, such as "f64[3xM]", or the error.
inline std::vector<std::string> types(const wf::result<wf::solution>& s) {
  if (!s) return {str(wf::to_text(s.error()))};
  const wf::graph_view g = s->solved;
  std::vector<std::string> out;
  for (const wf::value& v : g.values) out.push_back(str(wf::detail::label_of(g, v.type)));
  return out;
}
inline std::vector<std::string> solved(const std::string& statements,
                                       const wf::solve_options& options = {}) {
  return types(wf::solve_types(graph_with(statements), options));
}

// The messages of all conflicts.
inline std::vector<std::string> conflicts(const std::string& statements,
                                          const wf::solve_options& options = {}) {
  const auto found =
      wf::find_type_conflicts(graph_with(statements), wf::builtin_registry(), options);
  REQUIRE(found);
  std::vector<std::string> out;
  for (const wf::type_conflict& c : *found) out.push_back(str(wf::to_text(c.why)));
  return out;
}

using list = std::vector<std::string>;

// Inputs x0, x1, ..., one node with all of them as operands, and its results.
inline std::string one_node(const std::string& op, const list& operands, const list& results,
                            const std::string& attributes = "") {
  std::string out, uses;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    out += "input \"x" + std::to_string(i) + "\" : " + operands[i] + "\n";
    uses += (i == 0 ? "%" : ", %") + std::to_string(i);
  }
  out += "node " + op + "(" + uses + ")" + (attributes.empty() ? "" : " [" + attributes + "]");
  for (std::size_t i = 0; i < results.size(); ++i) out += (i == 0 ? " -> " : ", ") + results[i];
  return out + "\n";
}
// The solved types of that graph.
inline list one_solved(const std::string& op, const list& operands, const list& results,
                       const std::string& attributes = "") {
  return solved(one_node(op, operands, results, attributes));
}

const std::string nothing = "unknown[...]";

}  // namespace wf_test
