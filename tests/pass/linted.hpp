// SPDX-License-Identifier: BSL-1.0
#pragma once

// Linting graphs that are written as text.

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/ir/parse.hpp>
#include <wf/pass/lint.hpp>

namespace wf_test {

inline std::string str(const wf::text& t) { return std::string(t.view()); }

inline wf::graph lintable(const std::string& statements) {
  const auto g = wf::parse_graph("wf.graph 1 \"g\"\n" + statements);
  REQUIRE_MESSAGE(g, str(wf::to_text(g.error())));
  return *g;
}
// "warning: nothing reads the input 'x' [unused_input]", one for each finding of these rules.
inline std::vector<std::string> linted(const std::string& statements, wf::lint_rule_set rules,
                                       wf::lint_options options = {}) {
  options.off.bits = wf::lint_rule_set::all().bits & ~rules.bits;
  const wf::findings all = wf::lint(lintable(statements), options);
  std::vector<std::string> out;
  for (const wf::finding& f : all.list)
    out.push_back(str(wf::to_text(f, all.workflow.view())).substr(3));
  return out;
}

using list = std::vector<std::string>;

}  // namespace wf_test
