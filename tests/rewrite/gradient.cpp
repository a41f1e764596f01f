// SPDX-License-Identifier: BSL-1.0
#include <wf/rewrite/gradient.hpp>

#include <set>

#include <doctest/doctest.h>

#include <wf/capture/equations/equations.hpp>

#include "gradient_check.hpp"

namespace {

// A workflow of one operator, or of few, whose inputs are in a range.
struct gradient_case {
  const char* text;
  double low = -1, high = 1;
};

constexpr gradient_case gradient_cases[] = {
    // elementwise
    {"input A : f64[3,4]; input B : f64[4]; Y = A + B; export Y"},
    {"input A : f64[3,4]; input B : f64[2,3,1]; Y = A - B; export Y"},
    {"input A : f64[3,4]; input B : f64[]; Y = multiply(A, B); export Y"},
    {"input A : f64[3,1]; input B : f64[4]; Y = A / B; export Y", 0.5, 2},
    {"input A : f64[3,4]; input B : f64[4]; Y = power(A, B); export Y", 0.5, 2},
    {"input A : f64[3,4]; input B : f64[3,4]; Y = maximum(A, B); export Y"},
    {"input A : f64[3,4]; input B : f64[3,4]; Y = minimum(A, B); export Y"},
    {"input A : f64[3,4]; Y = -A; export Y"},
    {"input A : f64[3,4]; Y = abs(A); export Y"},
    {"input A : f64[3,4]; Y = reciprocal(A); export Y", 0.5, 2},
    {"input A : f64[3,4]; Y = square(A); export Y"},
    {"input A : f64[3,4]; Y = sqrt(A); export Y", 0.5, 2},
    {"input A : f64[3,4]; Y = exp(A); export Y"},
    {"input A : f64[3,4]; Y = log(A); export Y", 0.5, 2},
    {"input A : f64[3,4]; Y = sin(A); export Y"},
    {"input A : f64[3,4]; Y = cos(A); export Y"},
    {"input A : f64[3,4]; Y = tanh(A); export Y"},
    {"input A : f64[3,4]; Y = sigmoid(A); export Y"},
    {"input A : f64[3,4]; Y = sigmoid(A, T = 0.5); export Y"},
    {"input A : f64[3,4]; Y = sigmoid(A, T = 0.0) + A; export Y"},
    {"input A : f64[3,4]; Y = multiply(step(A), A); export Y"},
    // movement
    {"input A : f64[3,4]; Y = reshape(A, d0 = 2, d1 = 6); export Y"},
    {"input A : f64[2,3,4]; Y = permute(A, p0 = 2, p1 = 0, p2 = 1); export Y"},
    {"input A : f64[3,5]; Y = slice(A, axis = 1, start = 1, length = 3); export Y"},
    {"input A : f64[3,5]; Y = slice(A, axis = 0, length = 2); export Y"},
    {"input A : f64[3,1]; Y = broadcast_to(A, d0 = 2, d1 = 3, d2 = 4); export Y"},
    {"input A : f64[2,3]; input B : f64[2,1]; Y = concat(A, B, A, axis = 1); export Y"},
    {"input A : f64[3,4]; Y = pad(A, axis = 1, before = 1, after = 2); export Y"},
    {"input A : f64[3,4]; I = positions(A, axis = 1); Y = gather(A, where(less(I, 3), I, 1), axis = 0); export Y"},
    {"input A : f64[4,3]; input B : f64[3,2]; I = positions(B); Y = gather(A, I); export Y"},
    {"input A : f64[4,3]; input B : f64[2,3]; I = positions(B); "
     "Y = scatter_add(A, I, B); export Y"},
    {"input A : f64[3,5]; input B : f64[3,2]; "
     "Y = update_slice(A, B, cast(2, dtype = \"i64\"), axis = 1); export Y"},
    {"input A : f64[3,4]; Y = copy(A); export Y"},
    {"input A : f64[3,4]; Y = cast(A, dtype = \"f64\"); export Y"},
    {"input A : f64[3,4]; Y = sum(A, axis = 0); export Y"},
    {"input A : f64[3,4]; Y = sum(A); export Y"},
    {"input A : f64[3,4]; Y = mean(A, axis = 1); export Y"},
    {"input A : f64[3,4]; Y = mean(A); export Y"},
    {"input A : f64[3,4]; Y = max(A, axis = 1); export Y"},
    {"input A : f64[3,4]; Y = max(A); export Y"},
    // control
    {"input A : f64[3,4]; input B : f64[4]; Y = where(less(A, B), A, square(B)); export Y"},
    {"input A : f64[3,4]; input B : f64[4]; Y = after(A, B); export Y"},
    {"input A : f64[3,4]; Y = barrier(A); export Y"},
    {"input A : f64[3]; Y = check(A, less(max(A), 9)); export Y"},
    // linear algebra
    {"input A : f64[3,4]; input B : f64[4,2]; Y = A B; export Y"},
    {"input A : f64[2,3,4]; input B : f64[4,2]; Y = matmul(A, B); export Y"},
    {"input A : f64[3,4]; input B : f64[2,4,2]; Y = matmul(A, B); export Y"},
    {"input A : f64[2,4]; input B : f64[4,2]; Y = matmul_strassen(A, B); export Y"},
    {"input A : f64[3,4]; input B : f64[4,2]; input C : f64[3,2]; "
     "Y = matmul_add(A, B, C); export Y"},
    {"input A : f64[3,4]; input B : f64[4,2]; input C : f64[3,2]; "
     "Y = matmul_subtract(A, B, C); export Y"},
    {"input A : f64[3,4]; input x : f64[4]; y = A x; export y"},
    {"input x : f64[4]; input y : f64[4]; s = dot(x, y); export s"},
    {"input x : f64[4]; input y : f64[3]; A = outer(x, y); export A"},
    {"input a : f64[]; input x : f64[4]; input y : f64[4]; z = axpy(a, x, y); export z"},
    {"input x : f64[4]; s = norm(x); export s"},
    {"input A : f64[3,4]; Y = trans(A); export Y"},
    {"input A : f64[3,3]; s = trace(A); export s"},
    {"input A : f64[3,3]; d = diagonal(A); export d"},
    {"input A : f64[3,4]; input B : f64[4,3]; d = product_diagonal(A, B); export d"},
    {"input A : f64[3,3]; Y = multiply(identity_like(A), A); export Y"},
    {"input A : f64[3,3]; input B : f64[3,2]; Y = solve(A + 4 identity_like(A), B); export Y"},
    {"input A : f64[3,3]; input B : f64[3]; Y = solve(A + 4 identity_like(A), B); export Y"},
    {"input A : f64[3,3]; input B : f64[3,2]; "
     "Y = solve_cholesky(A trans(A) + identity_like(A), B); export Y"},
    {"input A : f64[3,3]; input B : f64[3]; "
     "Y = solve_symmetric(A + trans(A) + 5 identity_like(A), B); export Y"},
    {"input A : f64[3,3]; input B : f64[2,3]; "
     "Y = solve_right(B, A + 4 identity_like(A)); export Y"},
    {"input A : f64[3,3]; input B : f64[2,3]; "
     "Y = solve_right_cholesky(B, A trans(A) + identity_like(A)); export Y"},
    {"input A : f64[3,3]; input B : f64[3,2]; L = cholesky(A trans(A) + identity_like(A)); "
     "Y = solve_triangular(L, B); Z = solve_triangular(trans(L), Y); export Z"},
    {"input A : f64[3,3]; input B : f64[3]; I = identity_like(A); "
     "Y = solve_diagonal(multiply(I, A) + 3 I, B); export Y"},
    {"input A : f64[3,3]; input B : f64[3,2]; I = identity_like(A); "
     "Y = solve_diagonal(multiply(I, A) + 3 I, B); export Y"},
    {"input A : f64[3,3]; Y = inverse(A + 4 identity_like(A)); export Y"},
    {"input A : f64[3,3]; Y = inverse_cholesky(A trans(A) + identity_like(A)); export Y"},
    {"input A : f64[3,3]; Y = inverse_symmetric(A + trans(A) + 5 identity_like(A)); export Y"},
    {"input A : f64[3,3]; Y = inverse_triangular(cholesky(A trans(A) + identity_like(A))); "
     "export Y"},
    {"input A : f64[3,3]; I = identity_like(A); Y = inverse_diagonal(multiply(I, A) + 3 I); "
     "export Y"},
    {"input A : f64[4,4]; Y = cholesky(A trans(A) + identity_like(A)); export Y"},
    {"input A : f64[5,3]; input B : f64[5,2]; Y = least_squares(A, B); export Y"},
    {"input A : f64[5,3]; input B : f64[5]; Y = least_squares(A, B); export Y"},
    {"input A : f64[3,4]; Y = gemmt(A, trans(A)); export Y"},
    {"input A : f64[3,4]; input B : f64[4,3]; Y = syr2k(A, B); export Y"},
    {"input A : f64[3,3]; input B : f64[3,2]; Y = matmul_half(A + trans(A), B); export Y"},
    {"input A : f64[3,3]; input B : f64[3,2]; Y = matmul_symmetric(A + trans(A), B); export Y"},
    {"input A : f64[3,3]; input B : f64[3,2]; "
     "Y = matmul_triangular(trans(cholesky(A trans(A) + identity_like(A))), B); export Y"},
    {"input A : f64[3,3]; input B : f64[3,2]; "
     "Y = matmul_diagonal(multiply(identity_like(A), A), B); export Y"},
    {"input A : f64[3,3]; input B : f64[3,2]; "
     "Y = matmul_permutation(identity_like(A), B); export Y"},
    {"input A : f64[3,3]; input x : f64[3]; "
     "Y = matvec_permutation(identity_like(A), x); export Y"},
    {"input A : f64[3,3]; input x : f64[3]; Y = matvec_symmetric(A + trans(A), x); export Y"},
    // tensors
    {"input A : f64[2,3,4]; input B : f64[4,3,5]; "
     "Y[i,n] = A[i,j,k] B[k,j,n]; export Y"},
    {"input A : f64[3,4]; input B : f64[3,5]; "
     "Y = einsum(A, B, equation = \"ab,ac->c\", points = 60); export Y"},
    {"input A : f64[2,3,4]; Y[k,i,j] = A[i,j,k]; export Y"},
    // neural networks
    {"input X : f64[3,4]; Y = relu(X); export Y"},
    {"input X : f64[3,4]; Y = gelu(X); export Y"},
    {"input X : f64[3,4]; Y = silu(X); export Y"},
    {"input X : f64[2,3,4]; Y = softmax(X); export Y"},
    {"input X : f64[2,3,4]; Y = causal_softmax(X, scale = 0.5); export Y"},
    {"input X : f64[3,4]; Y = masked_softmax(X, causal_mask(d0 = 3, d1 = 4), scale = 2); export Y"},
    {"input X : f64[3,4]; Y = masked_softmax(X, causal_mask(d0 = 3, d1 = 4), fill = 0.5); "
     "export Y"},
    {"input X : f64[3,4]; input g : f64[4]; input b : f64[4]; Y = layer_norm(X, g, b); export Y"},
    {"input X : f64[2,3,4]; input g : f64[4]; Y = rms_norm(X, g, epsilon = 0.1); export Y"},
    {"input X : f64[2,3,2,2]; input m : f64[3]; input v : f64[3]; input g : f64[3]; "
     "input b : f64[3]; Y = batch_norm(X, m, v, g, b); export Y",
     0.5, 2},
    {"input X : f64[2,3,4]; input W : f64[4,2]; input b : f64[2]; Y = linear(X, W, b); export Y"},
    {"input X : f64[4]; input W : f64[4,2]; input b : f64[2]; Y = linear(X, W, b); export Y"},
    {"input X : f64[2,3,5,4]; input K : f64[2,3,3,2]; Y = conv2d(X, K); export Y"},
    {"input X : f64[2,3,6,7]; input K : f64[2,3,3,2]; "
     "Y = conv2d(X, K, stride = 2, padding = 1); export Y"},
    {"input X : f64[1,2,4,3]; input K : f64[2,2,2,1]; Y = conv2d(X, K, padding = 2); export Y"},
    {"input X : f64[2,3,6,7]; input K : f64[3,3,2]; "
     "Y = depthwise_conv2d(X, K, stride = 3, padding = 1); export Y"},
    {"input X : f64[2,3,6,7]; Y = average_pool2d(X, window = 2, stride = 2); export Y"},
    {"input X : f64[2,3,6,7]; Y = average_pool2d(X, window = 3, padding = 1); export Y"},
    {"input X : f64[2,3,2,4]; Y = global_average_pool(X); export Y"},
    {"input W : f64[5,3]; input B : f64[2,4]; Y = embedding(W, positions(B, axis = 1)); export Y"},
    {"input X : f64[3,4]; L = cross_entropy(X, positions(X, axis = 0)); export L"},
    // signals
    {"input X : f64[3,4]; Y = bit_reversal(X); export Y"},
};

std::vector<std::string> names_of_inputs(const wf::graph_view& g) {
  std::vector<std::string> out;
  for (const wf::value& v : wf_test::inputs_of(g)) out.emplace_back(g.text_of(v.name));
  return out;
}

wf_test::named_elements numbers_between(const wf::graph_view& g, double low, double high,
                                        std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(low, high);
  wf_test::named_elements out;
  for (const wf::value& v : wf_test::inputs_of(g)) {
    std::vector<double>& list = out[std::string(g.text_of(v.name))];
    for (std::int64_t i = 0; i < v.type.shape.elements(); ++i) list.push_back(uniform(random));
  }
  return out;
}

}  // namespace

TEST_CASE("the adjoint of every kernel is what differences of its values say") {
  std::mt19937_64 random(20261129);
  const wf::registry kernels = wf::builtin_registry();
  std::set<std::string> covered;
  for (const gradient_case& c : gradient_cases) {
    CAPTURE(std::string(c.text));
    const auto g = wf::equations("g", c.text);
    REQUIRE_MESSAGE(g, std::string(wf::to_text(g.error()).view()));
    for (const wf::node& n : g->view().nodes) covered.emplace(g->view().op_name(n));
    const std::string of(g->view().text_of(g->view().outputs[0].name));
    const auto report =
        wf_test::compare_gradient(g->view(), kernels, of, names_of_inputs(g->view()),
                                  numbers_between(g->view(), c.low, c.high, random), random);
    CHECK(report.failure == "");
    CHECK(report.worst < 1e-6);
  }
  for (const char* several : {"split", "qr"})  // results: the random workflows below have them
    covered.insert(several);
  for (const wf::kernel_spec* k : kernels.kernels()) {
    if (k->adjoint.empty() && k->write_adjoint == nullptr) continue;
    CAPTURE(std::string(k->name));
    CHECK(covered.count(std::string(k->name)) == 1);
  }
}

namespace {

// The inputs of real numbers of a workflow.
std::vector<std::string> real_inputs(const wf::graph_view& g) {
  std::vector<std::string> out;
  for (const wf::value& v : wf_test::inputs_of(g))
    if (wf::is_floating(v.type.type)) out.emplace_back(g.text_of(v.name));
  return out;
}

}  // namespace

TEST_CASE("gradients of random workflows are what differences of their values say") {
  wf_test::random_source random(20261130);
  std::mt19937_64 directions(20261130);
  const wf::registry kernels = wf::builtin_registry();
  std::map<std::string, std::size_t> failures, operators;
  std::size_t compared = 0, close = 0;
  for (int round = 0; round < 60; ++round) {
    const auto made = wf_test::random_executable(random, false);
    const wf::graph_view g = made.graph.view();
    const std::vector<std::string> by = real_inputs(g);
    if (by.empty()) continue;
    for (const wf::output& o : g.outputs) {
      if (!wf::is_floating(g[o.source].type.type)) continue;
      const std::string of(g.text_of(o.name));
      const auto report =
          wf_test::compare_gradient(g, kernels, of, by, made.arguments, directions);
      if (!report.failure.empty()) {
        ++failures[report.failure];
        continue;
      }
      ++compared;
      CAPTURE(wf_test::printed(g));
      CAPTURE(of);
      CHECK(report.worst < 1e-6);
      if (report.worst < 1e-6) ++close;
    }
  }
  MESSAGE(compared << " " << close);
  for (const auto& [why, count] : failures) MESSAGE(why << ": " << count);
}
