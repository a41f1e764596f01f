// SPDX-License-Identifier: BSL-1.0
#include <wf/select/certificate.hpp>

#include <string>

#include <doctest/doctest.h>

TEST_CASE("each reason is a sentence with its figures") {
  wf::selection_problem p;
  p.add_metric("flops");
  p.add_metric("memory");
  const auto sentence = [&](const wf::rejection& r) {
    return std::string(wf::to_text(p, r).view());
  };
  CHECK(sentence({.kind = wf::rejection_kind::no_better, .at_least = 1200, .allowed = 1100}) ==
        "every selection with it costs at least 1,200; the best costs 1,100");
  CHECK(sentence({.kind = wf::rejection_kind::dominated, .by = 7}).find("7") != std::string::npos);
  const std::string limit =
      sentence({.kind = wf::rejection_kind::over_limit, .metric = 1, .at_least = 9, .allowed = 8});
  CHECK(limit.find("memory") != std::string::npos);
  CHECK_FALSE(sentence({.kind = wf::rejection_kind::cyclic}).empty());
  CHECK_FALSE(sentence({.kind = wf::rejection_kind::unfinishable}).empty());
  CHECK_FALSE(sentence({.kind = wf::rejection_kind::conflicting_limits}).empty());
}
