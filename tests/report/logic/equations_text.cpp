// SPDX-License-Identifier: BSL-1.0
#include <wf/report/logic/equations_text.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/capture/equations/legacy.hpp>
#include <wf/capture/equations/text.hpp>
#include <wf/capture/equations/v2.hpp>

namespace {

std::string explained(const char* source) {
  const auto tree = wf::parse_legacy_equations(source);
  return tree ? std::string(wf::equations_text(*tree)) : "refused";
}

}  // namespace

// The first conformance program, also while compiling.
static_assert(wf::equations_text(*wf::parse_equations("Y[i,j] = A[i,k] B[k,j]\nexport Y")) ==
              wf::text("[eq] Y LHS:i,j | RHS+:k | proj:k | dang:- proj=sum\n"));

TEST_CASE("a line says what an equation joins, projects and leaves dangling") {
  CHECK(explained("Y[i,j] = A[i,k] B[k,j]\nexport Y") ==
        "[eq] Y LHS:i,j | RHS+:k | proj:k | dang:- proj=sum\n");
  CHECK(explained("M[i] max= X[i,k]") == "[eq] M LHS:i | RHS+:k | proj:k | dang:- proj=max\n");
  CHECK(explained("M[i] avg= X[i,b] W[b,a]") ==
        "[eq] M LHS:i | RHS+:a,b | proj:a,b | dang:- proj=mean\n");
  CHECK(explained("P(x,z) = E(x,y) P(y,z)") ==
        "[eq] P LHS:x,z | RHS+:y | proj:y | dang:- proj=any\n");
  CHECK(explained("S = 2") == "[eq] S LHS:- | RHS+:- | proj:- | dang:- proj=sum\n");
  CHECK(explained("P[p,q.] = softmax(L[p,q])") ==
        "[eq] P LHS:p,q. | RHS+:- | proj:- | dang:- proj=sum\n");
  CHECK(explained("H[i,*t+1] = relu(S[i])") ==
        "[eq] H LHS:i,*t+1 | RHS+:- | proj:- | dang:- proj=sum\n");
  const auto wf_form = wf::parse_equations("Y[i] = A[i,k]\nZ = reduce(max, i) Y[i]");
  REQUIRE(wf_form);
  CHECK(wf::equations_text(*wf_form) ==
        wf::text("[eq] Y LHS:i | RHS+:k | proj:k | dang:k proj=sum\n"
                 "[eq] Z LHS:- | RHS+:i | proj:- | dang:- proj=sum\n"));
}

TEST_CASE("every term of a legacy sum is an equation; inputs come first, files last") {
  CHECK(explained("\"out/y.npy\" = Y[i]\nY[i] = A[i] + B[i,j] C[j]\nA[i] = \"a.npy\"") ==
        "[src] A <- a.npy idx[i]\n"
        "[eq] Y LHS:i | RHS+:- | proj:- | dang:- proj=sum\n"
        "[eq] Y LHS:i | RHS+:j | proj:j | dang:- proj=sum\n"
        "[sink] out/y.npy <- Y idx[i]\n");
  CHECK(explained("\"t.jsonl\" = topk(Y[i], k=3)\nY[i] = A[i]") ==
        "[eq] Y LHS:i | RHS+:- | proj:- | dang:- proj=sum\n"
        "[sink] t.jsonl <- topk idx[-]\n");
  const auto declared = wf::parse_equations("input A : f64[3,4]\nY[i] = A[i,k]");
  REQUIRE(declared);
  CHECK(wf::equations_text(*declared) ==
        wf::text("[src] A <- <memory> idx[-]\n"
                 "[eq] Y LHS:i | RHS+:k | proj:k | dang:k proj=sum\n"));
}

TEST_CASE("JSON has the same, with positions and the digest of the source") {
  const char* source =
      "A[i,k] = \"a b.npy\"\n Y[i] = A[i,k] B[k]  \n  Z[i]= Y[i]\n\"z.tsv\" = Z[i]";
  const auto tree = wf::parse_legacy_equations(source);
  REQUIRE(tree);
  const wf::text json = wf::equations_json(*tree, source);
  const auto read = wf::parse_json(json.view());
  REQUIRE(read);
  const std::string written(json);
  for (const char* part :
       {"\"sources\": [\n  {\"name\": \"A\"", "\"equation\": \"Y[i] = A[i,k] B[k]\"",
        "\"line\": 2, \"column\": 2}", "\"line\": 3, \"column\": 3}",
        "{\"lhs\": [\"i\"], \"rhs_only\": [\"k\"], \"projected\": [\"k\"], \"dangling\": []}",
        "\"k\": {\"count\": 2, \"tensors\": [\"A\", \"B\"]}", "\"path\": \"z.tsv\""})
    CHECK_MESSAGE(written.find(part) != std::string::npos, part, " in ", written);
  CHECK(written.find(std::string(wf::sha256(source))) != std::string::npos);
}
