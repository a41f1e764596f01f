// SPDX-License-Identifier: BSL-1.0
//
// On generated problems that are large enough to dive, cut and branch, `select`, `select_certified`
// and an independent checker of proofs agree. WF_GENERATED is the number of problems per family:
// 1000 for tools/bench, few in CI.
#include <selection/generated.hpp>

#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>

#include <doctest/doctest.h>

#include <wf/select/proof/text.hpp>
#include <wf/select/select.hpp>

#include <selection/check.hpp>
#include <wf/select/proof/check.hpp>

namespace {

namespace bench = selection_benchmark;

std::uint64_t problems_of_a_family() {
  const char* asked = std::getenv("WF_GENERATED");
  return asked == nullptr ? 3 : std::strtoull(asked, nullptr, 10);
}

struct effort {
  std::uint64_t solved = 0, infeasible = 0, dived = 0, cut = 0, branched = 0;
};

void compare(const wf::selection_problem& problem, effort& sum) {
  const auto found = wf::select(problem);
  const auto certified = wf::select_certified(problem);
  REQUIRE(bool(found) == bool(certified));
  if (!found) {
    CHECK(found.error().code == wf::errc::infeasible);
    CHECK(certified.error().code == wf::errc::infeasible);
    ++sum.infeasible;
    return;
  }
  REQUIRE(found->proven());
  REQUIRE(certified->result.proven());
  CHECK(found->objective[0] == certified->result.objective[0]);
  CHECK(bench::selection_checker(problem, found->best).check() == "");
  CHECK(wf::check_proof(problem, certified->proof) == "");
  ++sum.solved;
  sum.dived += found->counters.dives > 0;
  sum.cut += found->counters.cuts > 0;
  sum.branched += found->counters.nodes > 1;
}

}  // namespace

TEST_CASE("generated problems: what is proven optimal is what a checked proof says") {
  effort sum;
  for (std::size_t f = 0; f < std::size(bench::family_names); ++f) {
    const std::string name = bench::family_names[f];
    CAPTURE(name);
    effort family;
    for (std::uint64_t seed = 0; seed < problems_of_a_family(); ++seed) {
      CAPTURE(seed);
      compare(bench::generated_problem(static_cast<bench::family>(f), seed), family);
    }
    MESSAGE(name, ": ", family.solved, " solved, ", family.infeasible, " infeasible, ",
            family.dived, " dived, ", family.cut, " cut, ", family.branched, " branched");
    sum.solved += family.solved;
    sum.dived += family.dived;
    sum.cut += family.cut;
    sum.branched += family.branched;
  }
  // The test would be void if the tested code paths were not reached.
  CHECK(8 * sum.dived > sum.solved);
  CHECK(8 * sum.cut > sum.solved);
  CHECK(16 * sum.branched > sum.solved);  // rounding of the relaxation decides whether one branches
}
