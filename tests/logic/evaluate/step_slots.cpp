// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/step_slots.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/logic/evaluate/evaluate.hpp>

#include "../shown_program.hpp"

namespace {

wf::logic::stratified_program ordered(const char* source) {
  const auto read = wf::logic::read_program(source);
  REQUIRE(read);
  const auto strata = wf::logic::stratify(*read, source);
  REQUIRE(strata);
  return *strata;
}
// The rules with slots, and the moves.
std::string slotted(const char* source) {
  wf::logic::stratified_program p = ordered(source);
  const auto moves = wf::logic::detail::step_slots(p).run();
  for (wf::logic::tensor_info& t : p.program.tensors) t.stepped = false;
  std::string out = wf_test::shown_program(p.program).text();
  for (const auto& m : moves)
    out += std::string(p.program.tensors[m.to].name) + " <- " +
           std::string(p.program.tensors[m.from].name) + (m.computed ? "*\n" : "\n");
  for (std::size_t t = 0; t < p.program.tensors.size(); ++t)
    if (p.stratum_of[t] != wf::logic::none) out += std::string(p.program.tensors[t].name) + " ";
  return out;
}
// The value of H after so many steps, from H = x at first.
double after(const char* source, std::uint64_t steps) {
  wf::logic::database inputs;
  const std::int64_t extents[] = {1};
  const double one[] = {1};
  inputs.add_dense("x", extents, one);
  wf::logic::evaluation_options options;
  options.steps = steps;
  auto solved = wf::logic::evaluate(ordered(source), inputs, options);
  REQUIRE(solved);
  const auto& values = solved->find("H")->entries().values;
  return values.empty() ? 0 : values[0];
}

}  // namespace

TEST_CASE("every step that is read or computed has a slot") {
  CHECK(slotted("H[i,t=0] = x[i]\nH[i,t+1] = H[i,t] - H[i,t-2]\nexport H") ==
        "initial H[i] = x[i] <- x[i]\n"
        "H@+1[i] = H[i] <- H[i]\n"
        "H@+1[i] = -H@-2[i] <- H@-2[i]\n"
        "H@-2 <- H@-1\nH@-1 <- H\nH <- H@+1\nH@+1 ");
  CHECK(slotted("Y[i,*t] = x[i] + Y[i,*t-1]") ==
        "Y[i] = x[i] <- x[i]\nY[i] = Y@-1[i] <- Y@-1[i]\nY@-1 <- Y*\nY ");
  CHECK(slotted("Y[i] = x[i]") == "Y[i] = x[i] <- x[i]\nY ");
}

TEST_CASE("values of earlier steps are those of earlier steps") {
  const double fibonacci[] = {1, 1, 2, 3, 5, 8, 13, 21};
  for (std::uint64_t steps = 0; steps < 8; ++steps)
    CHECK(after("H[i,t=0] = x[i]\nH[i,t+1] = H[i,t] + H[i,t-1]\nexport H", steps) ==
          fibonacci[steps]);
  const double padovan[] = {1, 0, 0, 1, 0, 1, 1, 1};  // H[n] = H[n-2] + H[n-3]
  for (std::uint64_t steps = 0; steps < 8; ++steps)
    CHECK(after("H[i,t=0] = x[i]\nH[i,t+3] = H[i,t+1] + H[i,t]\nexport H", steps) ==
          padovan[steps]);
  CHECK(after("H[i,*t] = x[i] + 2 H[i,*t-1]\nexport H", 5) == 31);
  // What is computed in a step is read in it.
  CHECK(after("G[i,t=0] = x[i]\nG[i,t+1] = 2 G[i,t]\nH[i,t] = G[i,t+1] - G[i,t]\nexport H", 4) ==
        8);
}

TEST_CASE("what no rule has computed yet is refused") {
  const auto read = wf::logic::read_program("H[i,t=0] = x[i]\nH[i,t+1] = H[i,t+2]");
  REQUIRE(!read);
  CHECK(read.error().code == wf::errc::bad_equation);
  CHECK(read.error().where.column == 12);
}
