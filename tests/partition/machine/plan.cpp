// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/machine/plan.hpp>

#include <doctest/doctest.h>

#include <partition/machine_case.hpp>

#include "../programs.hpp"

TEST_CASE("a plan has the programs and the members of each class, and lists that may be others") {
  const wf::deployment d = machine_case::deployed(programs::parsed(programs::request_and_reply));
  const wf::table<wf::text> roles{wf::text("@self"), wf::text("clients"), wf::text("servers"),
                                  wf::text("clients"), wf::text("nothing")};
  wf::machine_plan plan(d, wf::builtin_registry(), roles);
  CHECK(plan.size() == 5);
  CHECK(&plan.of() == &d);
  CHECK(plan.flows().size() == d.parts().partitions.size());
  for (std::uint32_t m = 0; m < plan.size(); ++m) {
    CAPTURE(m);
    CHECK(plan.role_of(m) == roles[m]);
    CHECK(plan.programs_of(m).size() == (m == 4 ? 0 : 1));
    for (const std::uint32_t k : plan.programs_of(m)) {
      CHECK(d.parts().partitions[k].role == roles[m]);
      CHECK(plan.place_of(k) == 0);
    }
  }
  CHECK(plan.members_of("clients") == wf::table<std::uint32_t>{1, 3});
  CHECK(plan.list_of("clients") == wf::table<std::uint32_t>{1, 3});
  CHECK(plan.list_of("servers") == wf::table<std::uint32_t>{2});
  plan.set_list("servers", {2, 4});
  CHECK(plan.list_of("servers") == wf::table<std::uint32_t>{2, 4});
  CHECK(plan.members_of("servers") == wf::table<std::uint32_t>{2});
  CHECK(plan.starts().size() == d.parts().partitions.size());
}
