// SPDX-License-Identifier: BSL-1.0
#include <wf/run/transport/task_list.hpp>

#include <doctest/doctest.h>

namespace {

constexpr bool lists_while_compiling() {
  wf::task_list l(2);
  const std::uint32_t a = l.add(0, {}), b = l.add(1, {});
  const std::uint32_t both[] = {a, b, a}, one[] = {b};
  const std::uint32_t c = l.add(1, both, one);
  l.keep(c);
  return l.fault().code == wf::errc::none && l.size() == 3 && l.owner(c) == 1 &&
         l.operands(c).size() == 3 && l.before(c).size() == 4 && l.before(c)[3] == b &&
         l.operands(c)[2] == a && l.operands(b).empty() && l.is_kept(c) && !l.is_kept(b);
}
static_assert(lists_while_compiling());

}  // namespace

TEST_CASE("what does not fit in a list of tasks is its fault, the first of which it tells") {
  const std::uint32_t first[] = {0}, second[] = {1};
  const auto fault_of = [](auto&& build) {
    wf::task_list l(2);
    l.add(1, {});
    build(l);
    CHECK(l.fault().code == wf::errc::invalid_problem);
    return wf::to_text(l.fault());
  };
  CHECK(fault_of([&](wf::task_list& l) { l.add(2, first), l.add(7, first); }) ==
        "WF503 in 'task 1': its process does not exist");
  CHECK(fault_of([&](wf::task_list& l) {
          l.add(0, first), l.add(0, first), l.add(0, {}, second), l.keep(9), l.add(5, {});
        }) == "WF503 in 'task 9': it is kept, but does not exist");
  CHECK(fault_of([&](wf::task_list& l) { l.add(0, second); }) ==
        "WF503 in 'task 1': it waits for a task that is no earlier one");
  CHECK(fault_of([&](wf::task_list& l) { l.add(0, {}, second); }) ==
        "WF503 in 'task 1': it waits for a task that is no earlier one");
}
