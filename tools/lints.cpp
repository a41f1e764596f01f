// SPDX-License-Identifier: BSL-1.0
//
// Writes the reference page of the lint rules to standard output; see tools/operators.
#include <iostream>

#include <wf/lint/finding.hpp>

int main() {
  std::cout
      << "# Rules of the lint\n\n"
         "<!-- Written by tools/operators from wf/lint/finding.hpp; do not edit. -->\n\n"
         "`wf::lint(graph)` looks for what is well-formed and probably not meant. Findings read "
         "like a compiler's and name the line of the workflow where it is known. "
         "`lint_options` turns rules off and raises them to errors; the step `plan/lint` of a "
         "toolchain fails at errors, and can be dropped.\n\n"
         "| rule | severity | why |\n|---|---|---|\n";
  for (std::size_t i = 0; i < wf::lint_rule_count; ++i) {
    const auto rule = static_cast<wf::lint_rule>(i);
    std::cout << "| `" << wf::name_of(rule) << "` | " << wf::name_of(wf::severity_of(rule)) << " | "
              << wf::reason_of(rule) << " |\n";
  }
}
