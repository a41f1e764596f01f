// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/incumbent.hpp>

#include <random>

#include <doctest/doctest.h>

#include "../packing_oracle.hpp"

using namespace enumerated;

namespace {

// The price of a choice is the number of classes that take their first value.
struct counting_judge {
  const wf::detail::packing_model& m;
  wf::detail::priced_choice judge(const wf::table<std::uint32_t>& chosen) const {
    wf::detail::priced_choice out;
    out.objective = m.base;
    for (std::uint32_t k = 0; k < m.classes; ++k) out.objective += chosen[k] == m.first[k];
    out.possible = true;
    out.excess = 0;
    return out;
  }
};

}  // namespace

TEST_CASE("only better solutions are kept, and each costs what is said") {
  std::mt19937 random(581);
  int kept = 0, completed = 0;
  for (int round = 0; round < 500; ++round) {
    CAPTURE(round);
    const wf::detail::packing_model m = random_model(random);
    wf::detail::packing_incumbent<> first(m, nullptr), second(m, nullptr);
    first.set_budget(1'000);
    first.remember_complete();
    CHECK(!first.is_judged());
    CHECK(first.value() == wf::unbounded);
    for (int i = 0; i < 6; ++i) {
      const std::int64_t before = first.value();
      wf::table<std::uint32_t> chosen = random_choice(m, random);
      const bool better = first.offer(chosen, i % 2 == 0 ? 4 : 0);
      CHECK(better == (first.value() < before));
      kept += better;
      completed += !first.take_complete().empty();
      CHECK(first.take_complete().empty());
    }
    CHECK(first.budget() <= 1'000);
    if (first.value() == wf::unbounded) continue;
    CHECK(cost_of(m, first.best()) == first.value());
    CHECK(is_solution(m, first.best()));
    CHECK(second.adopt(first));
    CHECK(!second.adopt(first));
    CHECK(second.value() == first.value());
    CHECK(second.take_complete().empty());  // not requested
  }
  CHECK(kept > 100);
  CHECK(completed == kept);
}

TEST_CASE("a judge prices solutions with the base, and nothing is improved") {
  std::mt19937 random(582);
  const wf::detail::packing_model m = random_model(random);
  counting_judge judge{m};
  wf::detail::packing_incumbent<counting_judge> incumbent(m, &judge);
  incumbent.set_budget(1'000);
  CHECK(incumbent.is_judged());
  wf::table<std::uint32_t> chosen(m.classes);
  for (std::uint32_t k = 0; k < m.classes; ++k) chosen[k] = m.first[k];
  CHECK(incumbent.offer(chosen, 4));
  CHECK(incumbent.value() == static_cast<std::int64_t>(m.classes));
  CHECK(incumbent.best() == chosen);
  CHECK(!incumbent.offer(chosen, 4));
  CHECK(incumbent.budget() == 1'000);
}
