// SPDX-License-Identifier: BSL-1.0
#pragma once

// Linting graphs that are written as text.

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/lint/lint.hpp>

#include "../rewrite/renamed.hpp"
#include "../rewrite/statements.hpp"

namespace wf_test {

// The findings of these rules as texts: "warning: nothing reads the input 'x' [unused_input]".
// Checks that the same operators under other names have the same findings.
inline std::vector<std::string> linted(const std::string& statements, wf::lint_rule_set rules,
                                       wf::lint_options options = {}) {
  options.off.bits = wf::lint_rule_set::all().bits & ~rules.bits;
  const auto told = [](const wf::findings& all) {
    std::vector<std::string> out;
    for (const wf::finding& f : all.list)
      out.push_back(str(wf::to_text(f, all.workflow.view())).substr(3));
    return out;
  };
  const wf::graph g = graph_with(statements);
  const std::vector<std::string> found = told(wf::lint(g, options));
  static const renamed_registry own(wf::builtin_registry());
  std::vector<std::string> same =
      told(wf::lint(own.renamed(g.view()).view(), own.kernels(), options));
  for (std::string& message : same) message = renamed_registry::original(message);
  CAPTURE(statements);
  REQUIRE(same.size() == found.size());
  for (std::size_t i = 0; i < same.size(); ++i) CHECK(same[i] == found[i]);
  return found;
}

using list = std::vector<std::string>;

}  // namespace wf_test
