// SPDX-License-Identifier: BSL-1.0
#include <wf/run/plan/step_times.hpp>

#include <doctest/doctest.h>

#include <wf/registry/times/host_times.hpp>

#include "placed.hpp"

TEST_CASE("steps take the times of the registry, or an estimate by flops and elements") {
  const wf::shape large = wf::shape::of(100, 100);
  placed::writer w;
  const auto a = w.input(large);
  const auto product = w.add("matmul", {a, a}, large);
  const auto sum = w.add("add", {product, a}, large), last = w.add("exp", {sum}, large);
  const auto p = w.placed({last});
  REQUIRE(p.steps().size() == 2);
  const auto timed = wf::detail::step_times(p.stored(), p.steps(), wf::timed_registry());
  const wf::registry kernels = wf::timed_registry();
  wf::pricer<wf::rational> price(p.stored().g.view(), wf::execution_time, kernels);
  const auto ns = [&](wf::value_id v) {
    return *wf::to_int64(*price.price(w.g.view()[v].producer));
  };
  CHECK(timed[0] == ns(product));
  CHECK(timed[1] == ns(sum) + ns(last));
  const auto estimated = wf::detail::step_times(p.stored(), p.steps(), wf::builtin_registry());
  CHECK(estimated[0] == 60 + 2'000'000 / 8 + 30'000 / 4);
  CHECK(estimated[1] > 2 * 60);
}
