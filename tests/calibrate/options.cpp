// SPDX-License-Identifier: BSL-1.0
#include <wf/calibrate/options.hpp>

#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace {

std::optional<int> status_of(std::vector<std::string> words) {
  words.insert(words.begin(), "wf-calibrate");
  std::vector<char*> arguments;
  for (std::string& w : words) arguments.push_back(w.data());
  wf::calibration::command_options options;
  return wf::calibration::read_command(static_cast<int>(arguments.size()), arguments.data(),
                                       options);
}

}  // namespace

TEST_CASE("options are read, and wrong ones are refused") {
  const auto all = wf::calibration::read_options(
      {"--out", "t.yaml", "--match", "solve", "--shapes", "9", "--second-cache", "1000000",
       "--cores", "3", "--sets", "8", "--processes", "mpirun -np 2", "--link", "1500,4000000000"});
  REQUIRE(all);
  CHECK(all->file == "t.yaml");
  CHECK(all->match == "solve");
  CHECK(all->measuring.shapes == 9);
  CHECK(all->measuring.caches.second == 1000000);
  CHECK(all->measuring.cores == 3);
  CHECK(all->measuring.sets == 8);
  CHECK(all->processes == "mpirun -np 2");
  CHECK(all->link == wf::host_link{1500, 4'000'000'000});
  const auto none = wf::calibration::read_options({});
  REQUIRE(none);
  CHECK(none->measuring.caches == wf::calibration::caches_of_this_machine());
  CHECK(none->measuring.caches.second >= 1024);
  CHECK(none->measuring.cores == 1);
  CHECK_FALSE(none->link);
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"--outs", "x"},
                                             {"--out"},
                                             {"x"},
                                             {"--shapes", "7"},
                                             {"--shapes", "9x"},
                                             {"--shapes", ""},
                                             {"--shapes", "99999999"},
                                             {"--second-cache", "-1"},
                                             {"--cores", "0"},
                                             {"--cores", "5000"},
                                             {"--sets", "0"},
                                             {"--sets", "1001"},
                                             {"--link", "5"},
                                             {"--link", "5,"},
                                             {"--link", ",5"},
                                             {"--link", "-1,5"},
                                             {"--link", "5,6,7"},
                                             {"--processes"}})
    CHECK_FALSE(wf::calibration::read_options(wrong));
}

TEST_CASE("only a measurement has no exit status yet") {
  CHECK(status_of({"--nonsense"}) == 2);
  CHECK(status_of({"--help"}) == 0);
  CHECK(status_of({"--dry-run", "--shapes", "9"}) == 0);
  CHECK(status_of({"--shapes", "9"}) == std::nullopt);
}
