// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/program/lowering.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/logic/program/read_program.hpp>

#include "../shown_program.hpp"

namespace {

constexpr std::size_t rules_while_compiling(wf::text_view source) {
  const auto p = wf::logic::read_program(source);
  return p ? p->rules.size() : 0;
}
static_assert(rules_while_compiling("Y[i] = A[i,j] relu(B[j,k] C[k,j]) - 2 D[i]") == 3);

std::string lowered(wf::text_view source) {
  const auto p = wf::logic::read_program(source);
  REQUIRE_MESSAGE(p, std::string(wf::to_text(p.error())));
  return wf_test::shown_program(*p).text();
}

}  // namespace

TEST_CASE("each additive term is a rule, with its sign") {
  CHECK(lowered("P(x,z) = E(x,z) + E(x,y) P(y,z)") ==
        "P(x,z) = true <- E(x,z)\n"
        "P(x,z) = true <- E(x,y), P(y,z)\n");
  CHECK(lowered("Y[i,k] = A[i,j] B[j,k] - 2 C[i,k] + D[i] / E[k] - (F[i,k] - 1)") ==
        "Y[i,k] = (A[i,j] * B[j,k]) <- A[i,j], B[j,k]\n"
        "Y[i,k] = -(2 * C[i,k]) <- C[i,k]\n"
        "Y[i,k] = (D[i] / E[k]) <- D[i], E[k]\n"
        "Y[i,k] = -F[i,k] <- F[i,k]\n"
        "Y[i,k] = 1\n");
  CHECK(lowered("Y[i] = -A[i] (-B[i])") == "Y[i] = (A[i] * B[i]) <- A[i], B[i]\n");
}

TEST_CASE("what distributes over the sign joins its operands, other functions look them up") {
  CHECK(lowered("W[z] max= minimum(W[y], E[y,z])") ==
        "W[z] max= minimum(W[y]; E[y,z]) <- W[y], E[y,z]\n");
  CHECK(lowered("W[z] min= add(W[y], maximum(E[y,z], 2))") ==
        "W[z] min= add(W[y]; maximum(E[y,z]; 2)) <- W[y], E[y,z]\n");
  CHECK(lowered("W[z] max= minimum(W[y], 3) R(y,z)") ==
        "W[z] max= minimum(W[y]; 3) <- W[y], R(y,z)\n");
  // It is no multiplication of itself: what is absent does not make its value absent.
  CHECK(lowered("W[z] max= maximum(W[y], E[y,z])") ==
        "W[z] max= maximum(?W[y]; ?E[y,z]) <- ?W[y], ?E[y,z]\n");
  CHECK(lowered("W[z] max= power(W[y], E[y,z])") ==
        "W[z] max= power(?W[y]; ?E[y,z]) <- ?W[y], ?E[y,z]\n");
  CHECK(lowered("W[z] += minimum(W[y], E[y,z])") ==
        "W[z] += minimum(?W[y]; ?E[y,z]) <- ?W[y], ?E[y,z]\n");
}

TEST_CASE("a product joins its references, each once, and divides by its divisors") {
  CHECK(lowered("T[i] += A[i,j] A[i,j]") == "T[i] += (A[i,j] * A[i,j]) <- A[i,j]\n");
  CHECK(lowered("Y[i] = 1 / A[i]") == "Y[i] = (1 / A[i]) <- A[i]\n");
  CHECK(lowered("Y[i] = A[i] / (B[i] / C[i])") ==
        "Y[i] = ((A[i] / B[i]) * C[i]) <- A[i], B[i], C[i]\n");
  CHECK(lowered("Y[i] = A[i] i") == "Y[i] = (A[i] * i) <- A[i]\n");
  CHECK(lowered("Y[i] += R(i) !N(i) [i != 'a'] 3") == "Y[i] += 3 <- R(i), !N(i), [i != i:'a']\n");
  CHECK(lowered("Y[i] += R(i)") == "Y[i] += true <- R(i)\n");
  CHECK(lowered("Y[i] += -R(i)") == "Y[i] += -1 <- R(i)\n");
  CHECK(lowered("Y[i] avg= A[i,j] s") == "Y[i] avg= (A[i,j] * s[]) <- A[i,j], s[]\n");
}

TEST_CASE("a factor of a Boolean holds where its entry is not zero, an extreme where it is there") {
  CHECK(lowered("R(x) = A[x] D[x]\nD[x] min= A[x]") ==
        "R(x) = true <- A[x], D[x], [A[x] != 0]\n"
        "D[x] min= A[x] <- A[x]\n");
  CHECK(lowered("R(x) = Q(x) Q(x) Q(y) 1 !N(x) !N(x) [x < y + 1]") ==
        "R(x) = true <- Q(x), Q(y), !N(x), [x < (y + 1)]\n");
  CHECK(lowered("R(x) = Q(x) x") == "R(x) = true <- Q(x), [x != 0]\n");
  CHECK(lowered("R(x) = Q(x) [A[x] > 2]") == "R(x) = true <- Q(x), ?A[x], [?A[x] > 2]\n");
  for (const std::string sign : {"<", "<=", ">", ">=", "==", "!="})
    CHECK(lowered("R(x) = Q(x) [x " + sign + " 3]") == "R(x) = true <- Q(x), [x " + sign + " 3]\n");
}

TEST_CASE("the right side of an extreme is computed for every binding of its indices") {
  CHECK(lowered("D[x] min= S(x)\nD[y] min= D[x] + W[x,y]") ==
        "D[x] min= true <- S(x)\n"
        "D[y] min= (D[x] + W[x,y]) <- D[x], W[x,y]\n");
  CHECK(lowered("M[] max= A[i] * B[i] - C[i] / 2") ==
        "M[] max= ((A[i] * B[i]) - (C[i] / 2)) <- A[i], B[i], C[i]\n");
  CHECK(lowered("M[] max= R(i) S[i]") == "M[] max= S[i] <- R(i), S[i]\n");
  CHECK(lowered("M[] max= 3 - R(i)") == "M[] max= 3 <- R(i)\n");
  CHECK(lowered("M[] max= R(i) - A[i]") == "M[] max= -A[i] <- R(i), A[i]\n");
  CHECK(lowered("M[] max= R(i) / A[i]") == "M[] max= (1 / A[i]) <- R(i), A[i]\n");
  CHECK(lowered("M[] max= -A[i] + i [i < 4]") == "M[] max= (-A[i] + i) <- A[i], [i < 4]\n");
}

TEST_CASE("a nested expression that sums is a tensor of its own, another one is looked up") {
  CHECK(lowered("Y[i] = A[i,j] (B[j] + C[j,k] E[k])") ==
        "#1[j] = B[j] <- B[j]\n"
        "#1[j] = (C[j,k] * E[k]) <- C[j,k], E[k]\n"
        "Y[i] = (A[i,j] * #1[j]) <- A[i,j], #1[j]\n");
  CHECK(lowered("Y[i] = relu(A[i]) exp(B[i,j] C[j]) + 1") ==
        "#1[i] = (B[i,j] * C[j]) <- B[i,j], C[j]\n"
        "Y[i] = (relu(?A[i]) * exp(?#1[i])) <- ?A[i], ?#1[i]\n"
        "Y[i] = 1\n");
  CHECK(lowered("Y[i] = A[i] exp(B[i] - C[i] * 2)") ==
        "Y[i] = (A[i] * exp((?B[i] - (?C[i] * 2)))) <- A[i], ?B[i], ?C[i]\n");
  CHECK(lowered("Y[i] += A[i] (B[i,j] + C[i])") ==
        "#1[i] += B[i,j] <- B[i,j]\n"
        "#1[i] += C[i] <- C[i]\n"
        "Y[i] += (A[i] * #1[i]) <- A[i], #1[i]\n");
  CHECK(lowered("Y[i] = maximum(A[i], B[i]) C[i]") ==
        "Y[i] = (maximum(?A[i]; ?B[i]) * C[i]) <- C[i], ?A[i], ?B[i]\n");
}

TEST_CASE("a reduction is a tensor of its own, with its sign") {
  CHECK(lowered("Y[i] = (reduce(max, k) A[i,k]) B[i]") ==
        "#1[i] max= A[i,k] <- A[i,k]\n"
        "Y[i] = (#1[i] * B[i]) <- #1[i], B[i]\n");
  CHECK(lowered("Y[i] = (reduce(mean, k) A[i,k]) - reduce(sum, k) B[i,k]") ==
        "#1[i] avg= A[i,k] <- A[i,k]\n"
        "Y[i] = #1[i] <- #1[i]\n"
        "#2[i] += B[i,k] <- B[i,k]\n"
        "Y[i] = -#2[i] <- #2[i]\n");
  CHECK(lowered("M[] min= reduce(sum, j) A[i,j]") ==
        "#1[i] += A[i,j] <- A[i,j]\n"
        "M[] min= #1[i] <- #1[i]\n");
}

TEST_CASE("a slice keeps a rule to its positions") {
  CHECK(lowered("S[0:2] = X[0:2]") == "S[0:2] = X[0:2] <- X[0:2], [0:2 >= 0], [0:2 < 2]\n");
  CHECK(lowered("S[i] = X[1::2] M[1::2,i]") ==
        "S[i] = (X[21::2+1] * M[21::2+1,i]) <- X[21::2+1], M[21::2+1,i], [1::2 >= 0]\n");
}
