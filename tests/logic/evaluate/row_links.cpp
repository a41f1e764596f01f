// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/row_links.hpp>

#include <string>

#include <doctest/doctest.h>

#include "../ordered_program.hpp"
#include "../shown_program.hpp"

namespace {

using wf::logic::stratified_program;
using wf::logic::detail::row_link;
using wf::logic::detail::row_recursion;

// The links of the stratum of P, one a line: the tensors ("*" between two moves), what moves, and
// the rule of its pairs; "refused" for what is no recursion by rows.
std::string shown_links(const std::string& source) {
  stratified_program p = wf_test::ordered_program(source);
  const wf::logic::stratum s = p.strata[p.stratum_of[p.program.find("P")]];
  const row_recursion found = wf::logic::detail::row_recognition(p, s).run();
  if (!found.valid) return "refused";
  const auto name = [&](std::uint32_t t) {
    if (found.tensors[t] == wf::logic::none) return std::string("*");
    return std::string(p.program.tensors[found.tensors[t]].name);
  };
  std::string out;
  for (const row_link& l : found.links) {
    out += name(l.from) + " -> " + name(l.to);
    out += l.pairs == wf::logic::none
               ? ": same\n"
               : std::string(l.moves_rows ? ": rows " : ": columns ") +
                     wf_test::shown_program(p.program).line(p.program.rules[l.pairs]) + "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("linear closures move columns or rows, and the same generation moves both") {
  const std::string base = "P(x,z) = E(x,z)\n";
  CHECK(shown_links(base + "P(x,z) = P(x,y) E(y,z)") ==
        "P -> P: columns P(y,z) = true <- E(y,z)\n");
  CHECK(shown_links(base + "P(x,z) = E(x,y) P(y,z)") == "P -> P: rows P(y,x) = true <- E(x,y)\n");
  CHECK(shown_links(base + "P(x,z) = U(x,u) P(u,v) D(v,z)") ==
        "P -> *: rows P(u,x) = true <- U(x,u)\n* -> P: columns P(v,z) = true <- D(v,z)\n");
  CHECK(shown_links(base + "P(x,z) = P(x,y) S(y) S(z)") ==
        "P -> P: columns P(y,z) = true <- S(y), S(z)\n");
  CHECK(shown_links("P(y) = S(y)\nP(y) = P(x) E(x,y)") ==
        "P -> P: columns P(x,y) = true <- E(x,y)\n");
  CHECK(shown_links("P(y) = S(y)\nP(y) = Q(x) E(x,y)\nQ(y) = P(y)") ==
        "Q -> P: columns P(x,y) = true <- E(x,y)\nP -> Q: same\n");
  CHECK(shown_links(base + "P(x,z) = Q(x,y) E(y,z)\nQ(x,z) = E(x,y) P(y,z)") ==
        "Q -> P: columns P(y,z) = true <- E(y,z)\nP -> Q: rows Q(y,x) = true <- E(x,y)\n");
}

TEST_CASE("conditions belong to the side of their variables, and may not span both") {
  const std::string base = "P(x,z) = E(x,z)\n";
  CHECK(shown_links(base + "P(x,z) = P(x,y) E(y,z) !B(z) [y < z]") ==
        "P -> P: columns P(y,z) = true <- E(y,z), !B(z), [y < z]\n");
  CHECK(shown_links(base + "P(x,z) = P(x,y) E(y,w) G(w,k) E(k,z) !B(w,k) [C[w] > k]") ==
        "P -> P: columns P(y,z) = true <- E(y,w), G(w,k), E(k,z), !B(w,k), ?C[w], [?C[w] > k]\n");
  CHECK(shown_links(base + "P(x,z) = E(x,y) P(y,z) A(x) [C[x] > 2]") ==
        "P -> P: rows P(y,x) = true <- E(x,y), A(x), ?C[x], [?C[x] > 2]\n");
  CHECK(shown_links(base + "P(x,z) = P(x,y) E(y,z) [z != 'a']") ==
        "P -> P: columns P(y,z) = true <- E(y,z), [z != z:'a']\n");
  CHECK(shown_links(base + "P(x,z) = U(x,u) P(u,v) D(v,z) !B(u) [v < z] F()") ==
        "P -> *: rows P(u,x) = true <- U(x,u), !B(u)\n"
        "* -> P: columns P(v,z) = true <- D(v,z), F(), [v < z]\n");
  for (const char* rule :
       {"P(x,z) = P(x,y) E(y,z) [x < z]", "P(x,z) = P(x,y) E(y,z) A(x)",
        "P(x,z) = P(x,y) E(y,z) !E(z,x)", "P(x,z) = E(x,y) P(y,z) A(z)",
        "P(x,z) = E(x,y) P(y,z) F()", "P(x,z) = U(x,u) P(u,v) D(v,z) [C[u] < C[v]]"}) {
    CAPTURE(rule);
    CHECK(shown_links(base + rule) == "refused");
  }
}

TEST_CASE("addends of extrema go with the move on whose side they stand") {
  const std::string vector = "P[z] min= S[z]\n", matrix = "P[x,z] max= W[x,z]\n";
  CHECK(shown_links(vector + "P[z] min= P[y] + W[y,z]") ==
        "P -> P: columns P[y,z] min= W[y,z] <- W[y,z]\n");
  CHECK(shown_links(vector + "P[z] min= P[y] - W[y,z]") ==
        "P -> P: columns P[y,z] min= -W[y,z] <- W[y,z]\n");
  CHECK(shown_links(vector + "P[z] min= 3 - W[y,z] + P[y]") ==
        "P -> P: columns P[y,z] min= (3 - W[y,z]) <- W[y,z]\n");
  CHECK(shown_links(vector + "P[z] min= P[y] - W[y,z] - 2") ==
        "P -> P: columns P[y,z] min= (-W[y,z] - 2) <- W[y,z]\n");
  CHECK(shown_links(vector + "P[z] min= P[y] E(y,z) + 1") ==
        "P -> P: columns P[y,z] min= 1 <- E(y,z)\n");
  CHECK(shown_links(vector + "P[z] min= P[y] E(y,z)") ==
        "P -> P: columns P[y,z] min= true <- E(y,z)\n");
  CHECK(shown_links(matrix + "P[x,z] max= W[x,y] + P[y,z]") ==
        "P -> P: rows P[y,x] max= W[x,y] <- W[x,y]\n");
  CHECK(shown_links(matrix + "P[x,z] max= U[x,u] + P[u,v] D(v,z)") ==
        "P -> *: rows P[u,x] max= U[x,u] <- U[x,u]\n"
        "* -> P: columns P[v,z] max= true <- D(v,z)\n");
  CHECK(shown_links(matrix + "P[x,z] max= U(x,u) P[u,v] + V[v,z]") ==
        "P -> *: rows P[u,x] max= true <- U(x,u)\n"
        "* -> P: columns P[v,z] max= V[v,z] <- V[v,z]\n");
  for (const char* rule :
       {"P[x,z] max= U[x,u] + P[u,v] + V[v,z]", "P[x,z] max= P[x,y] + U[x]",
        "P[x,z] max= P[x,y] E(y,z) + U[x]", "P[x,z] max= P[x,y] W[y,z]", "P[x,z] max= P[x,z] - 1",
        "P[x,z] max= 3 - (W[y,z] - P[x,y])", "P[x,z] max= 2 P[x,y] + W[y,z]"}) {
    CAPTURE(rule);
    CHECK(shown_links(matrix + rule) == "refused");
  }
}

TEST_CASE("what is no move of rows or columns is refused") {
  const std::string base = "P(x,z) = E(x,z)\n";
  for (const char* rule :
       {"P(x,z) = P(x,y) P(y,z)", "P(x,z) = P(z,x)", "P(x,z) = P(y,x) E(y,z)",
        "P(x,z) = P(z,y) E(y,x)", "P(x,z) = P(x,y) S(z)", "P(x,z) = P(x,y) [y < z]\naxis z = 3",
        "P(x,0) = P(x,y) S(y)", "P(x,z) = P(x,0) S(z)", "P(x,z+1) = P(x,z) S(z)",
        "P(x,z) = P(x,y+1) E(y,z)", "P(x,x) = P(x,y) E(y,x)", "P(x,z) = P(y,y) E(y,x) S(z)",
        "P(x,z) = T(x,u,z) P(u,v) D(v,z)", "P(x,z) = Q(z) S(x)\nQ(x) = P(x,y)"}) {
    CAPTURE(rule);
    CHECK(shown_links(base + rule) == "refused");
  }
  CHECK(shown_links("P(x,y,z) = T(x,y,z)\nP(x,y,w) = P(x,y,z) E(z,w)") == "refused");
  CHECK(shown_links("P() = A()\nP() = P() S(x)") == "refused");
  CHECK(shown_links("P[y] min= S[y]\nP[y] min= P[x] + 0 Q(x,y)\nQ(x,y) = P[x] E(x,y)") ==
        "refused");
}
