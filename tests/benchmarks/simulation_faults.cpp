// SPDX-License-Identifier: BSL-1.0
#include <simulation/faults.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "../sanitized.hpp"

// Ten thousand seeds in all: the storms of the published scripts, and a ring under each of them.
TEST_CASE("no seed of the published fault scripts breaks an invariant") {
  const char* const data = std::getenv("WF_DATA_DIR");
  const auto folder =
      std::filesystem::path(data != nullptr ? data : "../shared/data") / "simulation" / "faults";
  if (!std::filesystem::exists(folder / "scripts")) {
    MESSAGE("skipped: there are no fault scripts in " << folder.string());
    return;
  }
  CHECK(simulation_benchmark::run_faults(folder.string(), wf_test::sanitized ? 20 : 1670) == 0);
}
