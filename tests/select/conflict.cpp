// SPDX-License-Identifier: BSL-1.0
#include <wf/select/conflict.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/select/select.hpp>

TEST_CASE("the limits at fault are named: the tightest, or a smallest set that conflicts") {
  wf::selection_problem p;
  p.add_metric("flops");
  p.add_metric("memory");
  p.add_metric("energy");
  const std::uint32_t root = p.add_class();
  const std::int64_t fast[] = {1, 10, 1}, small[] = {1, 1, 10};
  p.add_candidate(root, {}, fast);
  p.add_candidate(root, {}, small);
  p.add_root(root);
  p.objective = wf::minimise_metric(0);
  p.add_limit(1, 5);
  CHECK(wf::select(p));
  p.add_limit(2, 5);  // each limit can be met, both together cannot
  const auto both = wf::select(p);
  REQUIRE_FALSE(both);
  CHECK(both.error().code == wf::errc::infeasible);
  const std::string sentence(wf::to_text(both.error()).view());
  CHECK(sentence.find("memory") != std::string::npos);
  CHECK(sentence.find("energy") != std::string::npos);
  p.limits.clear();
  p.add_limit(1, 5);
  p.add_limit(0, 0);
  const auto one = wf::select(p);
  REQUIRE_FALSE(one);
  const std::string alone(wf::to_text(one.error()).view());
  CHECK(alone.find("flops") != std::string::npos);
  CHECK(alone.find("memory") == std::string::npos);
}
