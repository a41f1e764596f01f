// SPDX-License-Identifier: BSL-1.0
#include <wf/run/values/named_matrices.hpp>

#include <string_view>

#include <doctest/doctest.h>

TEST_CASE("matrices are found by any form of their name, in alphabetical order") {
  wf::named_matrices matrices;
  matrices["b"] = wf::dynamic_matrix::Ones(2, 1);
  matrices["A"] = wf::dynamic_matrix::Identity(2, 2);
  CHECK(matrices.begin()->first == "A");
  const auto found = matrices.find(std::string_view("b"));
  REQUIRE(found != matrices.end());
  CHECK(found->second.sum() == 2);
  CHECK(matrices.find(std::string_view("B")) == matrices.end());
}
