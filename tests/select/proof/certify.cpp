// SPDX-License-Identifier: BSL-1.0
#include <wf/select/proof/certify.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <random>
#include <string>

#include <doctest/doctest.h>
#include <wf/search/executor.hpp>
#include <wf/select/stage.hpp>

#include "../enumerate.hpp"
#include "../hard_blocks.hpp"

using namespace enumerated;
using wf::detail::stage_outcome;

namespace {

// A plain search, without WF_CERTIFY.
stage_outcome solve(const wf::selection_problem& p, const wf::detail::selection_stage& stage,
                    const wf::detail::reduced_selection& reduced, std::int64_t below,
                    const wf::search_limits& limits, wf::detail::proof_recorder* recorder) {
  const wf::keep_going going_on;
  const wf::progress_callback_to<const wf::keep_going> asked(going_on);
  const wf::in_turn one;
  return wf::detail::search_directly(p, stage, reduced, nullptr, nullptr, asked, limits, one,
                                     recorder, below);
}

stage_outcome record(const wf::selection_problem& p, const wf::detail::selection_stage& stage,
                     const wf::detail::reduced_selection& reduced, std::int64_t below,
                     const wf::search_limits& limits, wf::detail::proof_recorder& recorder) {
  return solve(p, stage, reduced, below, limits, &recorder);
}

// A search that finds nothing and claims to be exhaustive.
stage_outcome pretend(const wf::selection_problem&, const wf::detail::selection_stage&,
                      const wf::detail::reduced_selection& reduced, std::int64_t,
                      const wf::search_limits&, wf::detail::proof_recorder& recorder) {
  if (reduced.classes != 0) recorder.close(0);
  return {};
}

// The error output of a program that aborts; "" if it does not.
template <class F>
std::string last_words(F&& run) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);
    dup2(ends[1], 2);
    run();
    _exit(0);
  }
  close(ends[1]);
  std::string said;
  char some[256];
  for (ssize_t n = 0; (n = read(ends[0], some, sizeof some)) > 0;)
    said.append(some, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFSIGNALED(status)) return {};
  CHECK(WTERMSIG(status) == SIGABRT);
  return said;
}

wf::selection_problem some_problem(std::mt19937& random, int round) {
  if (round % 4 != 3) return random_packing(random);
  wf::selection_problem p = empty_problem();
  add_hard_block(p, random);
  return p;
}

}  // namespace

TEST_CASE("claims that are so are accepted, and stay as they are") {
  const std::uint32_t seed = 3011;
  MESSAGE("seed ", seed);
  std::mt19937 random(seed);
  std::uint64_t claims = 0;
  const std::uint64_t before = wf::certifications.accepted;
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const wf::selection_problem p = some_problem(random, round);
    if (p.objective.lexicographic) continue;
    const auto stage = wf::detail::weighted_stage(p);
    if (!wf::detail::is_additive(p, stage)) continue;
    stage_outcome out = solve(p, stage, wf::detail::reduce(p, stage), wf::unbounded,
                              wf::search_limits{}.resolved(), nullptr);
    if (!out.found) continue;
    REQUIRE(out.status == wf::search_status::proven);
    out.bound -= round % 3;  // a weaker bound, as of a stopped search
    const std::int64_t bound = out.bound;
    claims += bound > 0;
    wf::detail::certify(p, stage, true, out, record);
    CHECK(out.bound == bound);
    CHECK(out.status == wf::search_status::proven);
  }
  CHECK(claims > 100);
  CHECK(wf::certifications.accepted - before == claims);
}

TEST_CASE("a bound above the optimum ends the program, whatever search claims it") {
  const std::uint32_t seed = 3012;
  MESSAGE("seed ", seed);
  std::mt19937 random(seed);
  int refused = 0;
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    const wf::selection_problem p = some_problem(random, round);
    const auto stage = wf::detail::weighted_stage(p);
    stage_outcome out = solve(p, stage, wf::detail::reduce(p, stage), wf::unbounded,
                              wf::search_limits{}.resolved(), nullptr);
    if (!out.found || p.objective.lexicographic || !wf::detail::is_additive(p, stage)) continue;
    const std::int64_t optimum = out.value;
    out.bound = optimum + 1 + below(random, 5);
    CHECK(last_words([&] { wf::detail::certify(p, stage, true, out, record); }) ==
          "wf (WF_CERTIFY): the search claims that no selection costs less than " +
              std::to_string(out.bound) + ", and one that costs " + std::to_string(optimum) +
              " was found\n");
    // Without a search the record proves nothing.
    out.bound = optimum + 1;
    const std::string words =
        last_words([&] { wf::detail::certify(p, stage, true, out, pretend); });
    CHECK(words.find("and its derivation is wrong: level 0: it ends before") != std::string::npos);
    stage_outcome none;
    const std::string more = last_words([&] { wf::detail::certify(p, stage, true, none, record); });
    CHECK(more.find("claims that there is no selection, and one that costs") != std::string::npos);
    ++refused;
  }
  CHECK(refused > 30);
}

TEST_CASE("what proofs have no rule for, or what takes too long, is not called certified") {
  wf::selection_problem p = empty_problem();
  std::mt19937 random(3013);
  add_hard_block(p, random);
  const auto stage = wf::detail::weighted_stage(p);
  const stage_outcome out = solve(p, stage, wf::detail::reduce(p, stage), wf::unbounded,
                                  wf::search_limits{}.resolved(), nullptr);
  REQUIRE(out.found);
  const std::uint64_t accepted = wf::certifications.accepted;
  const std::uint64_t ruled = wf::certifications.without_rule;
  stage_outcome other = out;
  wf::detail::certify(p, stage, false, other, record);
  CHECK(wf::certifications.without_rule == ruled + 1);
  CHECK(other.status == wf::search_status::proven);
  const std::uint64_t taken = wf::certifications.taken_back;
  wf::detail::certify(p, stage, true, other, [](const auto&...) {
    stage_outcome stopped;
    stopped.status = wf::search_status::stopped_by_limit;
    return stopped;
  });
  CHECK(wf::certifications.taken_back == taken + 1);
  CHECK(other.status == wf::search_status::stopped_by_limit);
  CHECK(other.bound == 0);
  CHECK(other.value == out.value);
  CHECK(wf::certifications.accepted == accepted);
}
