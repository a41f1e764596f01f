// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/demand/extents.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include <wf/logic/program/read_program.hpp>

using namespace wf::logic;
using namespace wf::logic::detail;

namespace {

stratified_program ordered(std::string_view text) {
  const auto program = read_program(text);
  REQUIRE_MESSAGE(program, std::string(wf::to_text(program.error())));
  const auto strata = stratify(*program, text);
  REQUIRE(strata);
  return *strata;
}

}  // namespace

TEST_CASE("what iterates or steps is evaluated as a whole, with all that it reads") {
  const auto p = ordered(
      "A(x,y) = E(x,y)\nW[x] += A(x,y) V[y]\nR[x] = 1 + W[x]*R[x]*0.1\nB(x) = A(x,y)\n"
      "M[x] avg= A(x,y) V[y]\n");
  const demand_extents extents(p, {});
  const auto whole = [&](const char* name) { return extents.is_whole(p.program.find(name)); };
  for (const char* name : {"R", "W", "A", "E", "V"}) CHECK_MESSAGE(whole(name), name);
  for (const char* name : {"B", "M"}) CHECK_MESSAGE(!whole(name), name);
  const wf::text_view given[] = {"M"};
  CHECK(demand_extents(p, given).is_whole(p.program.find("M")));
}

TEST_CASE("extents grow, and say so") {
  const auto p = ordered("A(x) = E(x)\nB(x) = A(x)\nC(x) = B(x)\n");
  demand_extents extents(p, {});
  const auto a = p.program.find("A"), b = p.program.find("B"), c = p.program.find("C");
  CHECK_FALSE(extents.changed());
  extents.widen(c);
  CHECK(extents.changed());
  CHECK(extents.is_whole(c));
  CHECK_FALSE(extents.is_closed(c));
  CHECK_FALSE(extents.is_whole(b));
  extents.settle();
  extents.widen(c);
  extents.widen(p.program.find("E"));
  CHECK_FALSE(extents.changed());
  extents.close(b);
  CHECK(extents.changed());
  CHECK(extents.is_closed(a));
  CHECK_FALSE(extents.is_closed(c));
}

TEST_CASE("a recursion is asked for the positions that it keeps") {
  const auto left = ordered("T(x,y) = E(x,y)\nT(x,z) = T(x,y) E(y,z)\n");
  const auto right = ordered("T(x,y) = E(x,y)\nT(x,z) = E(x,y) T(y,z)\n");
  const auto both = ordered("T(x,y) = E(x,y)\nT(x,z) = E(x,a) T(a,b) E(b,z)\n");
  const auto once = ordered("T(x,y) = E(x,y)\n");
  const auto narrowed = [](const stratified_program& p, bound_positions bound) {
    return demand_extents(p, {}).narrowed(p.program.find("T"), bound);
  };
  CHECK(narrowed(left, 3) == 1);
  CHECK(narrowed(left, 2) == 2);
  CHECK(narrowed(right, 3) == 2);
  CHECK(narrowed(right, 1) == 1);
  CHECK(narrowed(both, 3) == 3);
  CHECK(narrowed(once, 3) == 3);
  const demand_extents extents(left, {});
  CHECK_FALSE(extents.recurs(left.program.rules[0]));
  CHECK(extents.recurs(left.program.rules[1]));
}

TEST_CASE("terms are the same if they stand for the same position") {
  const auto p = ordered("T(x,y+2,3,'a') = E(x,y) F(x,y+2,3,'a') G(y,y+1,4,'b')\n");
  const rule& r = p.program.rules[0];
  for (std::uint32_t c = 0; c < 4; ++c) {
    CHECK(same_term(p.program, r.head, p.program.atoms[r.joins.first + 1], c));
    CHECK_FALSE(same_term(p.program, r.head, p.program.atoms[r.joins.first + 2], c));
  }
}
