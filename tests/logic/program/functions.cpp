// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/program/functions.hpp>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "../solved_program.hpp"

namespace {

using wf_test::dialect;
using wf_test::near;
using wf_test::solve;

const std::map<std::string, wf_test::dense_input> inputs = {
    {"L", {{2, 2}, {0, 0, 0, std::log(3.0)}}},
    {"Q", {{2, 2}, {1, 0, 0, 1}}},
    {"K", {{2, 2}, {1, 0, 0, 1}}},
    {"V", {{2, 2}, {1, 2, 3, 4}}},
    {"X", {{2}, {-2, 2}}},
    {"Few", {{2, 2}, {0, 0, 1, 0}}}};

std::vector<double> legacy(const std::string& equation) {
  const auto solved = solve(equation, inputs, dialect::legacy);
  CHECK_MESSAGE(solved.message.empty(), solved.message);
  return solved.values(equation.substr(0, equation.find_first_of("[ =")));
}

}  // namespace

TEST_CASE("conformance 6: softmax works along the dotted axis of the left side") {
  CHECK(near(legacy("P[p,q.] = softmax(L[p,q])"), {0.5, 0.5, 0.25, 0.75}));
  CHECK(near(legacy("P[p.,q] = softmax(L[p,q])"), {0.5, 0.25, 0.5, 0.75}));
  CHECK(near(legacy("P[q.,p] = softmax(L[p,q])"), {0.5, 0.25, 0.5, 0.75}));  // not transposed
  CHECK(near(legacy("P[p,q] = softmax(L[p,q], axis = \"p\")"), {0.5, 0.25, 0.5, 0.75}));
  CHECK(near(legacy("P[p,q] = softmax(L[p,q], axis = 0)"), {0.5, 0.25, 0.5, 0.75}));
  CHECK(near(legacy("P[p,q] = softmax(L[p,q])"), {0.5, 0.5, 0.25, 0.75}));
}

TEST_CASE("conformance 6: attention is a softmax of scores times values") {
  CHECK(near(legacy("O[p,h] = attention(Q[p,d], K[q,d], V[q,h], causal=true, scale=1.0)"),
             {1, 2, 2.4621172, 3.4621172}));
  const double a = 1 / (1 + std::exp(-1 / std::sqrt(2.0))), b = 1 - a;  // scale 1/√2
  CHECK(near(legacy("O[p,h] = attention(Q[p,d], K[q,d], V[q,h])"),
             {a + 3 * b, 2 * a + 4 * b, b + 3 * a, 2 * b + 4 * a}));
  CHECK(near(legacy("O[p,h] = attention(Q[p,d], K[q,d], V[q,h], K[p,q])"), {1, 2, 3, 4}));
  CHECK(near(legacy("O[p,h] = attention(Q[p,d], K[q,d], V[q,h], mask=Few[p,q])"), {1, 2}));
}

TEST_CASE("a mask keeps what is true, and a row without anything is zero") {
  CHECK(near(legacy("P[p,q.] = masked_softmax(V[p,q], mask=Few[p,q])"), {1}));
  CHECK(near(legacy("P[p,q.] = masked_softmax(V[p,q], Q[p,q])"), {1, 1}));
  const double a = 1 / (1 + std::exp(-1.0)), b = 1 / (1 + std::exp(4.0));
  CHECK(near(legacy("P[p,q.] = masked_softmax(V[p,q], Q[p,q], fill=0)"), {a, 1 - a, b, 1 - b}));
}

TEST_CASE("the temperature of sig is 0 unless it is stated") {
  CHECK(near(legacy("Y[i] = sig(X[i])"), {0, 1}));
  CHECK(near(legacy("Y[i] = sig(X[i], T=0.5)"), {0.0179862, 0.9820138}));
  CHECK(near(legacy("Y[i] = sig(X[i], 1)"), {0.1192029, 0.8807971}));
  CHECK(solve("Y[i] = sig(X[i], X[i])", inputs, dialect::legacy).message ==
        "sig takes a number here");
  CHECK(solve("Y[i] = sig(X[i], 1, 2)", inputs, dialect::legacy).message != "");
}

TEST_CASE("reductions, normalisation and derivatives") {
  CHECK(near(legacy("S[p] = max(L[p,q])"), {0, std::log(3.0)}));
  CHECK(near(legacy("S[p] = amax(L[p,q], axis=\"q\")"), {0, std::log(3.0)}));
  CHECK(near(legacy("S[q] = avg(V[p,q], axis=\"p\")"), {2, 3}));
  CHECK(near(legacy("S[p] = mean(V[p,q])"), {1.5, 3.5}));
  CHECK(near(legacy("S[p] = sum(V[p,q])"), {3, 7}));
  CHECK(near(solve("S = sum(V[p,q])", inputs).values("S"), {10}));
  CHECK(near(solve("S = max(V[p,q])", inputs).values("S"), {4}));
  const double one = 0.5 / std::sqrt(0.25 + 1e-5);
  CHECK(near(legacy("P[p,q] = lnorm(V[p,q])"), {-one, one, -one, one}));
  CHECK(near(legacy("P[p,q] = layernorm(V[p,q], eps=0)"), {-1, 1, -1, 1}));
  CHECK(near(legacy("Z[p,q.] = softmax_grad(V[p,q], L[p,q])"),
             {0, 0, -3 * 4 * std::log(3.0), 4 * (std::log(3.0) - 4 * std::log(3.0))}));
  const auto gelu = [](double x) {
    return x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
  };
  const auto slope = [&](double x) { return (gelu(x + 1e-5) - gelu(x - 1e-5)) / 2e-5; };
  CHECK(near(legacy("G[i] = gelu_grad(X[i])"), {slope(-2), slope(2)}, 1e-8));
}

TEST_CASE("a causal mask is as large as it says") {
  CHECK(near(legacy("M[i,j] = causal_mask(3)"), {1, 1, 1, 1, 1, 1}));
  CHECK(near(legacy("M[i,j] = causal_mask(2) V[i,j]"), {1, 3, 4}));
  CHECK(solve("M = causal_mask(2)", inputs, dialect::legacy)
            .message.starts_with("which indices has the result"));
}

TEST_CASE("programs of rules have the built-in operators and the functions") {
  const wf::registry own = wf::logic::rule_registry();
  for (const wf::kernel_spec* k : wf::builtin_registry().kernels()) CHECK(own.find(k->name) == k);
  for (const wf::kernel_spec* k : wf::logic::functions::all) {
    CAPTURE(std::string(k->name));
    CHECK(own.find(k->name) == k);
    CHECK(!wf::find_fault(*k));
  }
}
