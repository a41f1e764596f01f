// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/proof/heights.hpp>

#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../ordered_program.hpp"

using namespace wf::logic;
using namespace wf_test;

namespace {

// The heights of a tensor's entries by their positions.
std::map<std::vector<int>, double> heights_of(const std::string& source, const database& inputs,
                                              const char* tensor) {
  const stratified_program p = ordered_program(source, &inputs);
  const auto settled = detail::settle(p, inputs, {}, rule_registry());
  REQUIRE(settled);
  detail::height_rewrite rewrite(p, *settled);
  const auto program = stratify(rewrite.run());
  REQUIRE_MESSAGE(program, std::string(wf::to_text(program.error())));
  auto found = evaluate(*program, settled->facts);
  REQUIRE_MESSAGE(found, std::string(wf::to_text(found.error())));
  const std::uint32_t number = rewrite.heights[p.program.find(tensor)];
  std::map<std::vector<int>, double> out;
  solved_tensor& t = *found->find(program->program.tensors[number].name.view());
  for (std::size_t r = 0; r < t.entries().rows; ++r) {
    std::vector<int> at;
    for (const auto& column : t.entries().columns) at.push_back(column[r]);
    out[at] = t.entries().values[r];
  }
  return out;
}

}  // namespace

TEST_CASE("a height is 1 more than the highest premise of the least high derivation") {
  database inputs;
  inputs.add("E", relation_of(2, {{0, 1}, {1, 2}, {2, 3}, {0, 3}}));
  inputs.add("T", relation_of(2, {{1, 3}}));
  const std::string closure = "T(x,y) = E(x,y)\nT(x,z) = T(x,y) E(y,z)\n";
  const std::map<std::vector<int>, double> wanted = {{{0, 1}, 1}, {{0, 2}, 2}, {{0, 3}, 1},
                                                     {{1, 2}, 1}, {{1, 3}, 0}, {{2, 3}, 1}};
  CHECK(heights_of(closure, inputs, "T") == wanted);
  CHECK(heights_of(closure + "A(x) = T(x,y) T(y,z)\n", inputs, "A") ==
        std::map<std::vector<int>, double>{{{0}, 2}, {{1}, 2}});
}

TEST_CASE("all summands count, and only what gives an extreme its value") {
  database inputs;
  inputs.add("E", tensor_of(2, {{0, 1, 1}, {1, 2, 1}, {0, 2, 3}}));
  const std::string distance = "D[x,y] min= E[x,y]\nD[x,z] min= D[x,y] + E[y,z]\n";
  CHECK(heights_of(distance, inputs, "D") ==
        std::map<std::vector<int>, double>{{{0, 1}, 1}, {{0, 2}, 2}, {{1, 2}, 1}});
  CHECK(heights_of(distance + "S[x] += D[x,y]\n", inputs, "S") ==
        std::map<std::vector<int>, double>{{{0}, 3}, {{1}, 2}});
}
