// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/stage_judge.hpp>

#include <random>

#include <doctest/doctest.h>

#include <wf/select/packing/improve.hpp>

#include "../packing_oracle.hpp"

using namespace enumerated;

TEST_CASE("a judge prices a solution of a model as the selection that it stands for") {
  std::mt19937 random(651);
  int judged = 0;
  for (int round = 0; round < 2'000; ++round) {
    CAPTURE(round);
    const wf::selection_problem p = random_packing(random);
    const wf::detail::selection_stage stage = wf::detail::weighted_stage(p);
    const auto reduced = wf::detail::reduce(p, stage);
    if (!reduced.feasible) continue;
    wf::detail::selection_compactor compactor(p, stage, reduced);
    const wf::detail::packing_model m = compactor.run();
    if (!compactor.feasible() || m.classes == 0 || !m.peaks.empty()) continue;
    wf::detail::packing_improver improver(m);
    wf::table<std::uint32_t> chosen = random_choice(m, random);
    const auto own = improver.improve(chosen, 4, 100'000);
    if (!own.solves()) continue;
    improver.leave_out(chosen);
    ++judged;
    wf::detail::choice_pricer pricer(p, stage, reduced, nullptr);
    wf::detail::stage_judge judge(reduced, pricer, m);
    const auto priced = judge.judge(chosen);
    CHECK(priced.solves());
    CHECK(priced.objective == m.base + own.objective);
    judge.begin();  // the same by components: here one
    judge.put(m, chosen);
    CHECK(judge.price().objective == priced.objective);
  }
  CHECK(judged > 200);
}
