// SPDX-License-Identifier: BSL-1.0
#include <wf/run/plan/host_library.hpp>

#include <doctest/doctest.h>

TEST_CASE("the registry of plans has the built-in times, and the library's kernels without any") {
  const wf::registry host = wf::host_registry(), timed = wf::timed_registry();
  CHECK(host.kernels().size() == timed.kernels().size());
  for (const wf::kernel_spec* k : host.kernels()) {
    const wf::kernel_spec* const known = timed.find(k->name);
    REQUIRE(known != nullptr);
    bool is_in_library = false;
    for (const wf::kernel_spec& l : wf::host_library())
      is_in_library = is_in_library || l.name == k->name;
    CHECK(static_cast<bool>(k->library) == is_in_library);
    for (const wf::cost_formula& c : costs_of(*known)) {
      bool found = false;
      for (const wf::cost_formula& own : costs_of(*k))
        found = found || (own.metric == c.metric && own.formula == c.formula);
      CHECK(found);
    }
    for (const wf::cost_formula& c : costs_of(*k)) CHECK_FALSE(c.metric == "library_time");
  }
}
