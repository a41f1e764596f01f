// SPDX-License-Identifier: BSL-1.0
#include <wf/map/batch/options.hpp>

#include <doctest/doctest.h>

namespace {

static_assert(wf::batch_options().stages_keep_results && !wf::batch_options().every_part);

}  // namespace

TEST_CASE("the defaults leave the work of floor planning bounded for the largest array") {
  const wf::batch_options o;
  CHECK(o.groups.empty());
  CHECK(o.side_by_side > 1);
  // A segment of two groups is still tried on 4096 PEs in a workload of a thousand groups.
  CHECK(o.side_by_side_work / 1000 / 4096 >= 4);
}
