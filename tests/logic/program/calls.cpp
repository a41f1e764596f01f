// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/program/calls.hpp>

#include <string>

#include "../solved_program.hpp"

namespace {

using wf_test::dialect;
using wf_test::near;
using wf_test::solve;

const std::map<std::string, wf_test::dense_input> inputs = {
    {"A", {{2, 3}, {1, 2, 3, 4, 5, 6}}}, {"B", {{3}, {1, 0, 2}}}, {"c", {{}, {2}}}};

std::string message(const std::string& source, dialect in = dialect::legacy) {
  return solve(source, inputs, in).message;
}

}  // namespace

TEST_CASE("arguments by position and by name") {
  const auto row = [](const std::string& call) {
    return solve("Y[i,j] = " + call, inputs, dialect::legacy).values("Y");
  };
  const auto wanted = row("masked_softmax(A[i,j], B[j])");
  CHECK(wanted.size() == 4);
  CHECK(near(row("masked_softmax(A[i,j], mask = B[j])"), wanted));
  CHECK(near(row("masked_softmax(mask = B[j], X = A[i,j])"), wanted));
  CHECK(message("Y[i,j] = masked_softmax(A[i,j])") == "masked_softmax has 2 operands, not 1");
  CHECK(message("Y[i,j] = masked_softmax(A[i,j], maks = B[j])") ==
        "masked_softmax has no operand maks");
  CHECK(message("Y[i,j] = masked_softmax(A[i,j], X = B[j])") == "masked_softmax has no operand X");
  CHECK(message("Y[i] = relu(B[i], X = B[i])") != "");
}

TEST_CASE("an operator works along the axis that it is told") {
  const auto values = [](const std::string& s) { return solve(s, inputs).values("Y"); };
  CHECK(near(values("Y[j] = max(A[i,j], axis = \"i\")"), {4, 5, 6}));
  CHECK(near(values("Y[i] = max(A[i,j], axis = \"j\")"), {3, 6}));
  CHECK(near(values("Y[j] = max(A[i,j], axis = 0)"), {4, 5, 6}));
  CHECK(near(values("Y[i] = max(A[i,j], axis = -1)"), {3, 6}));
  CHECK(near(values("Y[i] = max(A[i,j], axis = 1)"), {3, 6}));
  const auto refusal = [](const std::string& s) { return message(s, dialect::own); };
  CHECK(refusal("Y[i] = max(A[i,j], axis = 2)") == "Cannot resolve axis specification: 2");
  CHECK(refusal("Y[i] = max(A[i,j], axis = \"k\")") == "Cannot resolve axis specification: k");
}

TEST_CASE("an operand is a tensor, or an expression whose products sum") {
  const auto values = [](const std::string& s) { return solve(s, inputs).values("Y"); };
  CHECK(near(values("Y = max(A[i,j] B[j])"), {16}));      // of every product
  CHECK(near(values("Y = max(A[i,j] B[j] + 0)"), {16}));  // likewise
  CHECK(near(values("T[i] = A[i,j] B[j]; Y = max(T[i])"), {16}));
  CHECK(near(values("Y[i] = max(A[i,j], axis = \"j\") A[i,0]"), {3, 24}));
  CHECK(near(values("Y[i] = relu(A[i,j] B[j] - 10)"), {0, 6}));
  CHECK(near(values("Y[i] += square(A[i,j])"), {14, 77}));  // of every element
  CHECK(near(values("Y[i] avg= square(A[i,j] - 2)"), {2. / 3, 29. / 3}));
  CHECK(near(values("Y[i] max= square(A[i,j] - 4)"), {9, 4}));
  CHECK(near(values("Y[j] = softmax(c B[j])"), values("Y[j] = softmax(2 B[j])")));
}

TEST_CASE("a result without the indices of an operand needs a name") {
  CHECK(message("Y[i] = causal_mask(2) B[i]") ==
        "which indices has the result of lower_ones? Give it a name of its own: T[i] = "
        "lower_ones(...)");
  CHECK(message("Y[i] = qr(B[i])") != "");
}
