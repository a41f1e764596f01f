// SPDX-License-Identifier: BSL-1.0
#include <wf/cost/metric.hpp>

#include <doctest/doctest.h>

namespace {

inline constexpr wf::metric<"messages", "message"> messages;
static_assert(messages.spec.name == "messages" && messages.spec.rule == wf::combination::sum);
constexpr wf::limit budget = wf::flops <= 2'000;
static_assert(budget.maximum == 2000 && budget.metric == wf::flops);
static_assert(wf::metric_type<decltype(messages)> && wf::metric_type<decltype(wf::qubits)>);
static_assert(!(wf::metric_spec(wf::flops) == wf::metric_spec(wf::macs)));

}  // namespace

TEST_CASE("a user's metric limits like the built-in ones") {
  const wf::limit l = messages <= 7;
  CHECK(l.metric.unit == "message");
  CHECK(l.maximum == 7);
}
