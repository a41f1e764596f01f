// SPDX-License-Identifier: BSL-1.0
#include <wf/report/logic/proof_svg.hpp>

#include <cstdlib>
#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include "family.hpp"

namespace {

std::size_t count(const std::string& in, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = in.find(what); at != std::string::npos; at = in.find(what, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("a picture has a box for each fact and a line for each premise") {
  const wf_test::family f;
  wf::logic::proof_session session(f.program, f.inputs);
  for (const char* fact : {"Ancestor('Ada','Eve')", "Pair('Ada')", "Children['Bob']"}) {
    const auto proof = session.prove(fact);
    REQUIRE(proof);
    const std::string svg(wf::proof_svg(*proof, session, f.source));
    std::size_t premises = 0;
    for (const auto& s : proof->steps)
      for (const auto& d : s.derivations) premises += d.premises.size();
    CHECK(count(svg, "<rect") == proof->steps.size());
    CHECK(count(svg, "<path") == premises);
    CHECK(count(svg, "box result") == 1);
    if (const char* folder = std::getenv("WF_PICTURES"))
      std::ofstream(std::string(folder) + "/" + std::string(fact, 4) + ".svg") << svg;
  }
}
