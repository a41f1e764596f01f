// SPDX-License-Identifier: BSL-1.0
#include <linalg/options.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

using linalg_benchmark::options;
using linalg_benchmark::right_side;

namespace {

std::string read(std::vector<const char*> words, options& out) {
  words.insert(words.begin(), "linalg");
  return linalg_benchmark::read_options(static_cast<int>(words.size()), words.data(), out);
}
std::string error_of(const std::vector<const char*>& words) {
  options unused;
  return read(words, unused);
}

}  // namespace

TEST_CASE("options are read") {
  options o;
  CHECK(read({}, o) == "");
  CHECK(o.set == "applications");
  CHECK(read({"--set", "random", "--scale", "2.5", "--rounds", "7", "--seed", "12", "--plans",
              "--match", "L0.", "--csv", "out.csv", "--solve", "rest", "--file", "a.json"},
             o) == "");
  CHECK(o.set == "random");
  CHECK(o.scale == 2.5);
  CHECK(o.how.rounds == 7);
  CHECK(o.seed == 12);
  CHECK(o.plans);
  CHECK(o.match == "L0.");
  CHECK(o.csv == "out.csv");
  CHECK(o.solved == right_side::rest);
  CHECK(o.file == "a.json");
}

TEST_CASE("wrong options are errors that say what is wrong") {
  CHECK(error_of({"--sets", "random"}) == "'--sets' is no option");
  CHECK(error_of({"random"}) == "'random' is no option");
  CHECK(error_of({"--set"}) == "--set needs a value");
  CHECK(error_of({"--set", "all"})
            .starts_with("--set is one of applications, random, chains, library"));
  CHECK(error_of({"--scale", "0"}) == "--scale is a number of at least 0.001, not '0'");
  CHECK(error_of({"--scale", "2x"}) == "--scale is a number of at least 0.001, not '2x'");
  CHECK(error_of({"--scale", "nan"}) != "");
  CHECK(error_of({"--rounds", "0"}) != "");
  CHECK(error_of({"--rounds", "-1"}) != "");
  CHECK(error_of({"--rounds", "1.5"}) != "");
  CHECK(error_of({"--seed", "x"}) != "");
  CHECK(error_of({"--match", "("}) != "");
  CHECK(error_of({"--solve", "first"}) != "");
}
