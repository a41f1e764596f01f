// SPDX-License-Identifier: BSL-1.0
#include <wf/report/logic/run_page.hpp>

#include <cstdlib>
#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include "family.hpp"

TEST_CASE("a page has the strata with their times, and the sizes of the results") {
  const wf_test::family f;
  auto solved = wf::logic::evaluate(f.program, f.inputs);
  REQUIRE(solved);
  const double seconds[] = {0.00125, 2.5e-6, 0.5, 0.25, 1e-5, 1.5};
  const wf::html_page page = wf::rules_page("family", f.source, f.program, *solved, seconds);
  const std::string text(page.page());
  for (const char* part :
       {"7 rules in 6 strata", "recursion of relations",
        "<td>row queue</td><td>there are more entries and moves than", "1.25 ms", "2.50 µs",
        "500.00 ms", "1.50 s", "<td>Ancestor</td><td>", "Parent(x,y) !Child(x)"})
    CHECK_MESSAGE(text.find(part) != std::string::npos, part);
  if (const char* folder = std::getenv("WF_PICTURES"))
    std::ofstream(std::string(folder) + "/strata.svg")
        << wf::detail::stratum_bars(solved->strata, seconds);
}

TEST_CASE("a page without times has no picture") {
  const wf_test::family f;
  const auto solved = wf::logic::evaluate(f.program, f.inputs);
  REQUIRE(solved);
  const std::string text(wf::rules_page("family", f.source, f.program, *solved, {}).page());
  CHECK(text.find("<svg") == std::string::npos);
}
