// SPDX-License-Identifier: BSL-1.0
#include <linalg/read_linnea.hpp>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/equations/equations.hpp>

#include "samples.hpp"

using linalg_benchmark::problem;
using linalg_benchmark::read_linnea;

namespace {

// The sample with one part of its text replaced.
wf::error error_with(const std::string& old_part, const std::string& new_part) {
  std::string text = wf_test::small_linnea;
  const std::size_t at = text.find(old_part);
  REQUIRE(at != std::string::npos);
  text.replace(at, old_part.size(), new_part);
  const auto read = read_linnea(text);
  REQUIRE(!read);
  return read.error();
}

}  // namespace

TEST_CASE("problems of both forms become equations") {
  const auto read = read_linnea(wf_test::small_linnea);
  REQUIRE(read);
  REQUIRE(read->size() == 2);
  const problem& ridge = (*read)[0];
  CHECK(ridge.name == "ridge");
  CHECK(ridge.outputs == std::vector<std::string>{"b", "S"});
  REQUIRE(ridge.inputs.size() == 5);  // b is computed, and S is not an operand
  CHECK(ridge.inputs[0].name == "X");
  CHECK(ridge.inputs[0].rows == 40);
  CHECK(ridge.inputs[0].columns == 10);
  CHECK(ridge.inputs[3].scalar);
  CHECK(ridge.inputs[4].columns == 1);
  CHECK(ridge.text ==
        "input X : f64[40, 10] {full_rank}\n"
        "input I_m : f64[10, 10] {identity}\n"
        "input M : f64[40, 40] {diagonal,spd}\n"
        "input c : f64[] {positive}\n"
        "input y : f64[40, 1]\n"
        "S = trans(X)*M*X + inv(c)*I_m\n"
        "b = inv(S)*trans(X)*M*y\n"
        "export b\nexport S\n");
  const problem& random = (*read)[1];
  CHECK(random.outputs == std::vector<std::string>{"result"});
  for (const problem& p : *read) CHECK(wf::equations(p.name.c_str(), p.text.c_str()));
}

TEST_CASE("extents are scaled, and those of vectors stay 1") {
  const auto read = read_linnea(wf_test::small_linnea, 5);
  REQUIRE(read);
  CHECK((*read)[0].inputs[0].rows == 8);
  CHECK((*read)[0].inputs[0].columns == 2);
  CHECK((*read)[1].inputs[1].rows == 6);
  CHECK((*read)[1].inputs[1].columns == 1);
}

TEST_CASE("what cannot be read is an error with its line") {
  CHECK(error_with("\"Matrix\"", "\"Tensor\"").where.line == 4);
  CHECK(error_with("\"Diagonal\"", "\"Sparse\"").where.line == 6);
  CHECK(error_with("[\"n\", \"n\"]", "[\"n\", \"k\"]").where.line == 6);
  CHECK(error_with("[\"n\", \"n\"]", "[\"n\", \"n\", \"n\"]").where.line == 6);
  CHECK(error_with("\"m\": 10", "\"m\": 0").where.line == 3);
  CHECK(error_with("\"m\": 10", "\"m\": 1.5").where.line == 3);
  CHECK(error_with("\"id\": \"ridge\", ", "").where.line == 2);
  CHECK(error_with("\"outputs\": [\"b\", \"S\"]", "\"outputs\": [1]").where.line == 11);
  CHECK(error_with("\"expr\"", "\"term\"").where.line == 12);
  CHECK_FALSE(read_linnea("{}"));
  CHECK_FALSE(read_linnea("[1]"));
  CHECK_FALSE(read_linnea("["));
}

TEST_CASE("all published problems are equations that wf reads") {
  const char* const data = std::getenv("WF_DATA_DIR");
  const std::filesystem::path folder =
      std::filesystem::path(data == nullptr ? "" : data) / "linnea";
  if (!std::filesystem::exists(folder)) {
    MESSAGE("skipped: no linnea problems; set WF_DATA_DIR to the data directory");
    return;
  }
  for (const char* name : {"application_public.json", "random_public.json"}) {
    CAPTURE(name);
    std::ifstream file(folder / name);
    std::stringstream text;
    text << file.rdbuf();
    for (const double scale : {1.0, 5.0}) {
      const auto read = read_linnea(text.str(), scale);
      REQUIRE(read);
      CHECK(read->size() >= 18);
      for (const problem& p : *read) {
        CAPTURE(p.name);
        CHECK(wf::equations(p.name.c_str(), p.text.c_str()));
      }
    }
  }
}
