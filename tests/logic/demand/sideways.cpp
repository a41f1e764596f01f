// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/demand/sideways.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include <wf/logic/program/read_program.hpp>

using namespace wf::logic;
using namespace wf::logic::detail;

namespace {

// What the first rule of a program passes on if `bound` positions of its head are; names that begin
// with D are asked for, others are read as a whole. One word for each join and lookup: its bound
// positions, "h" if the head binds some of them, and the joins that bind others.
std::string passed(std::string_view text, bound_positions bound, bool recursive = false) {
  const auto p = read_program(text);
  REQUIRE_MESSAGE(p, std::string(wf::to_text(p.error())));
  std::string out;
  const auto is_whole = [&](std::uint32_t t) { return p->tensors[t].name.view()[0] != 'D'; };
  const auto all = [](std::uint32_t, bound_positions b) { return b; };
  for (const passed_binding& each :
       sideways_passing(*p, p->rules[0], bound, recursive).run(is_whole, all)) {
    out += out.empty() ? "" : " ";
    out += std::to_string(each.bound) + (each.from_head ? "h" : "");
    for (const std::uint32_t k : each.needs) out += "," + std::to_string(k);
  }
  return out;
}

}  // namespace

TEST_CASE("bindings go from the head along the joins that they lead to") {
  // Same generations: from either end.
  CHECK(passed("H(x,y) = P(x,a) D(a,b) P(y,b)", 1) == "0 1h,0 0");
  CHECK(passed("H(x,y) = P(x,a) D(a,b) P(y,b)", 2) == "0 2h,2 0");
  CHECK(passed("H(x,y) = P(x,a) D(a,b) P(y,b)", 3) == "0 3h,0,2 0");
  CHECK(passed("H(x,y) = P(x,a) D(a,b) P(y,b)", 0) == "0 0 0");
  // What is read as a whole comes first, then what has the most bound positions.
  CHECK(passed("H(x,z) = D1(x,y) D2(y,z)", 1) == "1h 1h,0");
  CHECK(passed("H(x,z) = D1(y,z) D2(x,y)", 1) == "1h,1 1h");
  CHECK(passed("H(x,z) = D1(u,z) D2(x,z,u)", 3) == "3h,1 3h");
  CHECK(passed("H(x) = D1(x,y) P(x,y)", 1) == "3h,1 0");
  // A chain brings all that leads to it; what does not lead there stays behind.
  CHECK(passed("H(x) = P(x,a) Q(a,b) R(x,c) D(b)", 1) == "0 0 0 1h,0,1");
}

TEST_CASE("constants bind, and need no head") {
  CHECK(passed("H(y) = D('a', y)", 0) == "1");
  CHECK(passed("H(y) = P('a', x) D(x, y)", 0) == "0 1,0");
  CHECK(passed("H(x,y) = D(3, y) P(x)", 1) == "1 0");
}

TEST_CASE("computed positions are not passed on, and bind nothing in a recursion") {
  CHECK(passed("H(x,y) = D(x+1, y)", 1) == "0");
  CHECK(passed("H(x+1,y) = D(x, y)", 1) == "1h");
  CHECK(passed("H(x+1,y) = D(x, y)", 1, true) == "0");
  CHECK(passed("H(x,y) = D(x, y)", 1, true) == "1h");
  CHECK(passed("H(x) = P(x+1, y) D(y)", 1) == "0 1h,0");
}

TEST_CASE("lookups are asked for at bound positions; disconnected joins bind nothing") {
  CHECK(passed("B[i] = relu(DA[i])", 1) == "1h");
  CHECK(passed("H(x) = P(x) Q(u) D(u, x)", 1) == "0 0 2h");
  CHECK(passed("H(x) = P(x) D()", 1) == "0 0");
}
