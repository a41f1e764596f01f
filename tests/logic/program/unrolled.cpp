// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/program/unrolled.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/capture/equations/legacy.hpp>
#include <wf/logic/evaluate/evaluate.hpp>

namespace {

struct program {
  const char* source;
  bool legacy;
};
const program programs[] = {
    {"Pre[i] = W[i,j] H[j,*t]\nSum[i] = Pre[i] + X[i]\nH[i,*t+1] = relu(Sum[i])\nexport H\n"
     "export Sum",
     true},
    {"rank[x, t=0] = 0.25\nrank[y, t+1] = 0.1 X[y] + 0.8 W[x,y] rank[x,t]\nTotal[] += rank[x,t]",
     false},
    {"H[i,t=0] = X[i]\nH[i,t+1] = sig(H[i,t] - 0.5) + 0.1 W[i,j] H[j,t]\nexport H", false},
    // A recursion of relations within each step.
    {"R(x, t=0) = [x == 0]\nNear(x,y) = [W[x,y] > 0]\nR(y, t+1) = R(x,t) Near(x,y)\n"
     "All(x) = R(x,t)\nAll(y) = All(x) Near(x,y) [x < y]\naxis x = 4\nexport R\nexport All",
     false},
    // Earlier steps, several steps ahead, and a recursion within the step that is computed.
    {"H[i,t=0] = X[i]\nH[i,t+1] = H[i,t] + H[i,t-1] - 0.5 H[i,t-3]\nS[] += H[i,t-2]\nexport H\n"
     "export S",
     false},
    {"H[i,t=0] = X[i]\nH[i,t+2] = H[i,t+1] + 0.5 W[i,j] H[j,t]\nY[i,t] = H[i,t+1]\n"
     "Z[i,t] = H[i,t+2] Y[i,t-1]\nexport H\nexport Y\nexport Z",
     false},
    {"R(x,t=0) = [x == 0]\nR(y,t+1) = R(x,t) [W[x,y] > 0.4]\n"
     "R(y,t+1) = R(x,t+1) [x < y] [W[x,y] > 0]\nN[t] += R(x,t-1)\naxis x = 4\naxis y = 4\n"
     "export R\nexport N",
     false},
    {"D[x,t=0] min= 0 * X[x]\nD[y,t+1] min= D[x,t] + W[x,y]\n"
     "D[y,t+1] min= D[x,t+1] + 1 + W[x,y] * W[x,y]\nexport D",
     false},
    {"V[x,t=0] = 0 X[x]\nV[y,t+1] = 0.5 V[y,t] + X[y,t-1]\nexport V", false},
    {"V[x,t=0] = X[x]\nV[y,t+1] = V[y,t] + 0.25 W[x,y] V[x,t+1]\nexport V", false},
    {"Y[i] += W[i,j] X[j]\nexport Y", false},  // without steps
    {"A[i,t=0] = X[i]\nB[i,t=0] max= 2 * X[i]\nA[i,t+1] = B[i,t] - 0.1 A[i,t]\n"
     "B[i,t+1] max= A[i,t] * W[i,j]\nM avg= A[i,t]\nexport A\nexport B\nexport M",
     false}};

wf::logic::database inputs() {
  wf::logic::database out;
  const double x[] = {0.5, -0.25, 1, 0.125};
  const double w[] = {0.5, -0.3, 0, 0.1, 0.4, 0.2, 0.7, 0, -0.1, 0, 0.3, 0.6, 0, 0.9, 0, -0.5};
  const std::int64_t extents[] = {4, 4};
  out.add_dense("X", {extents, 1}, x);
  out.add_dense("W", extents, w);
  return out;
}

}  // namespace

TEST_CASE("an unrolled program has the results of as many steps") {
  for (const program& each : programs) {
    const auto tree =
        each.legacy ? wf::parse_legacy_equations(each.source) : wf::parse_equations(each.source);
    REQUIRE(tree);
    const wf::text_view names[] = {"X", "W"};
    auto read = wf::logic::read_program(*tree, each.source, names);
    REQUIRE_MESSAGE(read, std::string(wf::to_text(read.error())));
    const auto strata = wf::logic::stratify(*read, each.source);
    REQUIRE(strata);
    for (std::uint32_t steps = 0; steps < 6; ++steps) {
      wf::logic::evaluation_options options;
      options.steps = steps;
      options.temperatures.push_back(
          {wf::text("H"), wf::logic::temperature_schedule::linear(0.25, 2, 3)});
      auto wanted = wf::logic::evaluate(*strata, inputs(), options);
      REQUIRE(wanted);
      const auto flat = wf::logic::stratify(wf::logic::unrolled(*strata, steps), each.source);
      REQUIRE(flat);
      for (const auto& s : flat->strata) CHECK(!s.stepped);
      auto found = wf::logic::evaluate(*flat, inputs(), options);
      REQUIRE(found);
      REQUIRE(found->tensors.size() == wanted->tensors.size());
      for (std::size_t t = 0; t < wanted->tensors.size(); ++t) {
        const wf::logic::relation& a = wanted->tensors[t].entries();
        const wf::logic::relation& b = found->tensors[t].entries();
        CHECK(wanted->tensors[t].name == found->tensors[t].name);
        REQUIRE_MESSAGE(a.rows == b.rows, each.source, " steps ", steps, " ",
                        std::string(wanted->tensors[t].name));
        for (std::size_t c = 0; c < a.columns.size(); ++c)
          for (std::size_t r = 0; r < a.rows; ++r) CHECK(a.columns[c][r] == b.columns[c][r]);
        for (std::size_t r = 0; a.valued && r < a.rows; ++r) CHECK(a.values[r] == b.values[r]);
      }
    }
  }
}

TEST_CASE("facts of a stepped tensor are those of its first step") {
  const char* source = "H[i,*t+1] = 2 H[i,*t]\nexport H";
  const auto read = wf::logic::read_program(source);
  REQUIRE(read);
  const auto strata = wf::logic::stratify(*read, source);
  REQUIRE(strata);
  const auto flat = wf::logic::stratify(wf::logic::unrolled(*strata, 3), source);
  REQUIRE(flat);
  wf::logic::database given;
  const double x[] = {1, 3};
  const std::int64_t extents[] = {2};
  given.add_dense("H", extents, x);
  CHECK(wf::logic::evaluate(*flat, given).error().code == wf::errc::argument_shape);
  given.relations[0].name = wf::text("H@0");
  auto solved = wf::logic::evaluate(*flat, given);
  REQUIRE(solved);
  CHECK(solved->find("H")->entries().values[1] == 24);
}
