// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/sharing/fifo_link.hpp>

#include <doctest/doctest.h>

namespace {

constexpr bool messages_follow_each_other() {
  wf::fifo_link l{4, 10, 0};
  return l.send(0, 9) == wf::transit{0, 13} && l.send(1, 4) == wf::transit{3, 14} &&
         l.send(20, 0) == wf::transit{20, 30};
}
static_assert(messages_follow_each_other());

}  // namespace

TEST_CASE("a link without a bandwidth takes its latency, and times saturate") {
  CHECK(wf::fifo_link{}.send(5, 1000) == wf::transit{5, 5});
  wf::fifo_link slow{1, 1, 0};
  CHECK(slow.send(0, INT64_MAX).end == INT64_MAX);
  CHECK(slow.send(7, 1) == wf::transit{INT64_MAX, INT64_MAX});
}
