// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/program/definitions.hpp>

#include <string>

#include "../solved_program.hpp"

namespace {

using wf_test::near;
using wf_test::solve;

const std::map<std::string, wf_test::dense_input> inputs = {{"A", {{2, 3}, {1, 2, 3, 4, 5, 6}}},
                                                            {"B", {{3}, {1, 0, 2}}}};

// Programs with one operator more.
wf_test::solved_program with(const char* signature, const char* definition,
                             const std::string& source) {
  wf::registry all = wf::logic::rule_registry();
  wf::kernel_spec own;
  own.name = "own";
  own.domain = "test";
  own.signature = signature;
  own.definition = definition;
  const auto added = all.add(own);
  REQUIRE_MESSAGE(added, std::string(wf::to_text(added.error())));
  return solve(source, inputs, wf_test::dialect::own, all);
}

}  // namespace

TEST_CASE("a user's operator is its equations, whatever the indices of its operands") {
  const char* const rows = "X: floating [..., N], w: floating [N], p: number = 2 -> Y[...]";
  const char* const sum = "Z[...,n] = power(X[...,n], p) w[n]; Y[...] = Z[...,n] w[n]";
  CHECK(near(with(rows, sum, "Y[i] = own(A[i,j], B[j])").values("Y"), {1 + 4 * 9., 16 + 4 * 36.}));
  CHECK(near(with(rows, sum, "Y[i] = own(A[i,j], B[j], p = 1)").values("Y"), {13, 28}));
  CHECK(near(with(rows, sum, "Y = own(B[j], B[j], 1)").values("Y"), {9}));
  CHECK(near(with(rows, sum, "Y[k,i] = own(A[i,j], B[j], 1) B[k]").values("Y"),
             {13, 28, 0, 0, 26, 56}));
  // The names and indices of a definition are its own.
  CHECK(near(with(rows, sum, "Z[n] = B[n]; Y[n] = own(A[n,m], Z[m], 1)").values("Y"), {13, 28}));
  CHECK(near(with(rows, sum, "Y[i] = own(A[i,j], B[j], 1) + own(A[i,j], B[j], 1)").values("Y"),
             {26, 56}));
  CHECK(near(with(rows, sum, "Y[i] = own(2 A[i,j], B[j], 1) - 1").values("Y"), {25, 55}));
}

TEST_CASE("operands with other leading indices are aligned by name") {
  const char* const product = "X: floating [...], Z: floating [...] -> Y[...]";
  CHECK(near(with(product, "Y[...] = X[...] Z[...]", "Y[i,j] = own(A[i,j], B[j])").values("Y"),
             {1, 0, 6, 4, 0, 12}));
  CHECK(near(with(product, "Y[...] = X[...] Z[...]", "Y[i,j] = own(B[j], A[i,j])").values("Y"),
             {1, 0, 6, 4, 0, 12}));
}

TEST_CASE("definitions of definitions, and those that lead to themselves") {
  const char* const unary = "X: floating [..., N] -> Y[..., N]";
  CHECK(near(with(unary, "Y[...,n] = softmax(X[...,n]) X[...,n]", "Y[i] = own(0 B[i])").values("Y"),
             {0, 0, 0}));
  CHECK(with(unary, "Y[...,n] = own(X[...,n])", "Y[i] = own(B[i])")
            .message.ends_with("it leads to itself, or has over 16 levels"));
}

TEST_CASE("what is wrong with a definition is told where it is called") {
  const char* const unary = "X: floating [..., N] -> Y[..., N]";
  const auto message = [&](const char* definition, const char* source) {
    return with(unary, definition, source).message;
  };
  CHECK(
      message("Y[...,n] = X[...,n] +", "Y[i] = own(B[i])").starts_with("in the definition of own"));
  CHECK(message("Z[...,n] = X[...,n]", "Y[i] = own(B[i])") ==
        "in the definition of own: Y: the definition does not define the result");
  CHECK(message("export Y", "Y[i] = own(B[i])") ==
        "in the definition of own: Y: a definition consists of equations");
  CHECK(message("Y[...,n] = X[...,n]", "Y = own(1)") ==
        "in the definition of own: X of own has 1 or more indices, not 0");
  CHECK(message("Y[n] = X[n]", "Y[i,j] = own(A[i,j])") ==
        "in the definition of own: X of own has 1 indices, not 2");
  CHECK(message("axis n = size; Y[n] = X[n]", "Y[i] = own(B[i])") ==
        "in the definition of own: size: is no number among the attributes of own");
  CHECK(solve("Y[...] = B[...]", inputs).message ==
        "'...' stands in the definitions of operators only");
}
