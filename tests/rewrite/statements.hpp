// SPDX-License-Identifier: BSL-1.0
#pragma once

// Graphs written as text without the header line.

#include <string>

#include <doctest/doctest.h>

#include <wf/ir/form/parse.hpp>
#include <wf/ir/form/text.hpp>

namespace wf_test {

inline std::string str(const wf::text& t) { return std::string(t.view()); }

inline wf::graph graph_with(const std::string& statements) {
  const auto g = wf::parse_graph("wf.graph 1 \"g\"\n" + statements);
  REQUIRE_MESSAGE(g, str(wf::to_text(g.error())));
  return *g;
}

}  // namespace wf_test
