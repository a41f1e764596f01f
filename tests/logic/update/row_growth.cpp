// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/update/row_growth.hpp>

#include <cstdint>
#include <random>

#include <doctest/doctest.h>

#include <wf/logic/evaluate/evaluate.hpp>
#include <wf/logic/update/change.hpp>

namespace {

using namespace wf::logic;

bool knows(const char* source) {
  detail::prepared_program p(*stratify(*read_program(source), source));
  return detail::row_growth::knows(p.strata.program, p.by_rows[0]);
}

}  // namespace

TEST_CASE("closures within rows are known") {
  CHECK(knows("T(x,y) = E(x,y)\nT(x,z) = T(x,y) E(y,z)"));
  CHECK(knows("R(x) = S(x)\nR(y) = R(x) E(x,y)"));
  CHECK(!knows("T(x,y) = E(x,y)\nT(x,z) = E(x,y) T(y,z)"));
  CHECK(!knows("T(x,y) = E(x,y)\nT(x,z) = T(x,y) T(y,z)"));
  CHECK(!knows("D[y] min= S[y]\nD[y] min= D[x] + W[x,y]"));
  CHECK(!knows("P(x,y) = E(x,y)"));
}

TEST_CASE("edges that are added one by one give the closure of all") {
  const char* source = "T(x,y) = E(x,y)\nT(x,z) = T(x,y) E(y,z)";
  const detail::prepared_program p(*stratify(*read_program(source), source));
  std::mt19937_64 random(5);
  const auto edge = [&](wf::logic::position* at) {
    for (int c = 0; c < 2; ++c) at[c] = static_cast<position>(random() % 70);
  };
  for (int round = 0; round < 10; ++round) {
    database inputs;
    relation edges(2, false);
    position at[2];
    detail::tensor_store known(2, false);
    std::uint32_t row = 0;
    for (int i = 0; i < 400; ++i)
      if (edge(at); known.add(at, 1, wf::projection::plain, row) == detail::added::row)
        edges.append(at);
    for (const position end : {0, 69}) {
      const position corner[] = {end, end};
      if (known.add(corner, 1, wf::projection::plain, row) == detail::added::row)
        edges.append(corner);
    }
    inputs.add("E", edges);
    const evaluation_options options;
    const wf::registry operators = rule_registry();
    detail::evaluation all(p, inputs, options, operators);
    REQUIRE(all.evaluate_all());
    detail::row_growth growth(all.engine(), p.strata, p.strata.strata[0], p.by_rows[0]);
    REQUIRE(growth.fits());
    const std::uint32_t e = p.strata.program.find("E"), t = p.strata.program.find("T");
    for (int i = 0; i < 60; ++i) {
      wf::table<std::uint32_t> before;
      for (std::uint32_t k = 0; k < p.strata.program.tensors.size(); ++k)
        before.push_back(static_cast<std::uint32_t>(all.engine().store(k).rows()));
      all.engine().store(e).index();
      edge(at);
      if (all.engine().store(e).add(at, 1, wf::projection::plain, row) == detail::added::row)
        edges.append(at);
      bool out_of_bounds = false;
      REQUIRE(growth.grow(before, out_of_bounds));
      REQUIRE(!out_of_bounds);
    }
    inputs.relations[0].entries = edges;
    detail::evaluation anew(p, inputs, options, operators);
    REQUIRE(anew.evaluate_all());
    CHECK(detail::are_equal(all.engine().store(t), anew.engine().store(t)));
    // A node of its own has no bits.
    wf::table<std::uint32_t> before(p.strata.program.tensors.size(), UINT32_MAX);
    before[e] = static_cast<std::uint32_t>(all.engine().store(e).rows());
    at[0] = 0, at[1] = 200;
    (void)all.engine().store(e).add(at, 1, wf::projection::plain, row);
    bool out_of_bounds = false;
    const std::size_t rows = all.engine().store(t).rows();
    REQUIRE(growth.grow(before, out_of_bounds));
    CHECK(out_of_bounds);
    CHECK(all.engine().store(t).rows() == rows);
  }
}
