// SPDX-License-Identifier: BSL-1.0
#include <linalg/report.hpp>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace linalg_benchmark;

namespace {

row row_of(double wf, const std::vector<std::string>& names, const std::vector<double>& seconds) {
  row out;
  out.problem = "P";
  out.sizes = "9 4";
  out.wf_seconds = wf;
  for (std::size_t i = 0; i < seconds.size(); ++i) out.add(names[i], seconds[i]);
  return out;
}

}  // namespace

TEST_CASE("each rival has a margin of its own") {
  const std::vector<std::string> names = {"eigen_naive", "hand", "best_variant"};
  const auto losses = [&](double wf) {
    const row r = row_of(wf, names, {1, 1, 1});
    CHECK(has_loss(r) == is_loss(r, 0));
    return std::vector<bool>{is_loss(r, 0), is_loss(r, 1), is_loss(r, 2)};
  };
  CHECK(losses(1.019) == std::vector<bool>{false, false, false});
  CHECK(losses(1.021) == std::vector<bool>{true, false, false});
  CHECK(losses(1.049) == std::vector<bool>{true, false, false});
  CHECK(losses(1.051) == std::vector<bool>{true, true, false});
  CHECK(losses(1.101) == std::vector<bool>{true, true, true});
  // Each rival has its own margin, whatever its position.
  CHECK_FALSE(has_loss(row_of(1.04, {"hand"}, {1})));
  CHECK(has_loss(row_of(1.06, {"hand"}, {1})));
}

TEST_CASE("a set is compared where both were measured") {
  const std::vector<std::string> names = {"eigen_naive", "hand"};
  const std::vector<row> rows = {row_of(1, names, {2, 1}), row_of(1, names, {8}),
                                 row_of(1, names, {4, 0.25}), row_of(0, names, {})};
  const comparison naive = compare(rows, 0), hand = compare(rows, 1), nobody = compare(rows, 2);
  CHECK(naive.problems == 3);
  CHECK(naive.losses == 0);
  CHECK(naive.worst == 2);
  CHECK(naive.geomean == doctest::Approx(4));
  CHECK(hand.problems == 2);
  CHECK(hand.losses == 1);
  CHECK(hand.worst == 0.25);
  CHECK(hand.geomean == doctest::Approx(0.5));
  CHECK(nobody.problems == 0);
  CHECK(nobody.losses == 0);
  CHECK(nobody.geomean == 1);
}

TEST_CASE("missing rivals are empty in the table that is written") {
  const std::vector<std::string> names = {"eigen_naive", "hand"};
  const auto path = std::filesystem::temp_directory_path() / "wf_linalg_report.csv";
  REQUIRE(write_csv(path.string(), names, {row_of(1, names, {2, 3}), row_of(1, names, {4})}));
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  file.close();
  std::filesystem::remove(path);
  CHECK(text ==
        "problem,sizes,wf_seconds,eigen_naive_seconds,hand_seconds,planning_seconds,error,"
        "allowed_error,failure\n"
        "P,9 4,1,2,3,0,0,0,\"\"\n"
        "P,9 4,1,4,,0,0,0,\"\"\n");
}
