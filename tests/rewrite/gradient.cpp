// SPDX-License-Identifier: BSL-1.0
#include <wf/rewrite/gradient.hpp>

#include <set>

#include <doctest/doctest.h>

#include <wf/capture/call_node.hpp>
#include <wf/capture/equations/equations.hpp>
#include <wf/cost/cost.hpp>
#include <wf/registry/registry.hpp>
#include <wf/rewrite/bind.hpp>

#include "gradient_check.hpp"
#include "statements.hpp"

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
    {"input A : f64[3,4]; I = positions(A, axis = 1); Y = gather(A, where(less(I, 3), I, 1), axis "
     "= 0); export Y"},
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
    {"input A : f64[3,3]; Y[i] = A[i,i]; export Y"},
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
    {"input X : f64[2,3,6,7]; Y = max_pool2d(X, window = 2, stride = 2); export Y", -100, 100},
    {"input X : f64[1,2,5,4]; Y = max_pool2d(X, window = 3, stride = 2, padding = 1); export Y",
     -200, -100},
    {"input X : f64[2,3,6,7]; Y = max_pool2d(X, window = 2, stride = 3); export Y", -100, 100},
    {"input X : f64[2,3,2,4]; Y = global_average_pool(X); export Y"},
    {"input W : f64[5,3]; input B : f64[2,4]; Y = embedding(W, positions(B, axis = 1)); export Y"},
    {"input X : f64[3,4]; L = cross_entropy(X, positions(X, axis = 0)); export L"},
    // signals
    {"input X : f64[3,4]; Y = bit_reversal(X); export Y"},
};

// The inputs of real numbers of a workflow.
std::vector<std::string> real_inputs(const wf::graph_view& g) {
  std::vector<std::string> out;
  for (const wf::value& v : wf_test::inputs_of(g))
    if (wf::is_floating(v.type.type)) out.emplace_back(g.text_of(v.name));
  return out;
}
wf::graph of_equations(const std::string& source) {
  const auto g = wf::equations("g", source);
  REQUIRE_MESSAGE(g, wf_test::str(wf::to_text(g.error())));
  return *g;
}
// The gradient, which must exist and be valid.
wf::graph gradient_of(const wf::graph_view& g, const wf::gradient_request& wanted = {},
                      const wf::registry& kernels = wf::builtin_registry()) {
  const auto made = wf::gradient(g, wanted, kernels);
  INFO(wf_test::printed(g));
  REQUIRE_MESSAGE(made, wf_test::str(wf::to_text(made.error())));
  REQUIRE(wf::validate(made->view()));
  return *made;
}
wf::error refusal(const wf::graph_view& g, const wf::gradient_request& wanted = {},
                  const wf::registry& kernels = wf::builtin_registry()) {
  return wf::gradient(g, wanted, kernels).error();
}
std::string operators_of(const wf::graph_view& g) {
  std::string out;
  for (const wf::node& n : g.nodes) out += (out.empty() ? "" : " ") + std::string(g.op_name(n));
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
    const wf::graph made = of_equations(c.text);
    const wf::graph_view g = made.view();
    for (const wf::node& n : g.nodes) covered.emplace(g.op_name(n));
    const std::string of(g.text_of(g.outputs[0].name));
    const auto report = wf_test::compare_gradient(
        g, kernels, of, real_inputs(g), numbers_between(g, c.low, c.high, random), random);
    CHECK(report.failure == "");
    CHECK(report.worst < 1e-6);
  }
  for (const char* several : {"split", "qr"})  // results: the random workflows below have them
    covered.insert(several);
  for (const wf::kernel_spec* k : kernels.kernels()) {  // no adjoint is left out
    if (k->adjoint.empty() && k->write_adjoint == nullptr) continue;
    CAPTURE(std::string(k->name));
    CHECK(covered.count(std::string(k->name)) == 1);
  }
}

namespace {

// The equations with the derivative that statement `number` defines scaled by 1.001; empty if there
// is no such statement, or its derivative is zero.
std::string falsified(wf::text_view adjoint, std::size_t number) {
  const std::string all(adjoint);
  for (std::size_t first = 0; first < all.size();) {
    const std::size_t last = std::min(all.find("; ", first), all.size());
    const std::size_t sign = all.find(" = ", first);
    const bool defines = all[first] == 'd' && all.substr(sign, last - sign) != " = 0";
    if (defines && number-- == 0)
      return all.substr(0, sign + 3) + "1.001 * (" + all.substr(sign + 3, last - sign - 3) + ")" +
             all.substr(last);
    first = last + 2;
  }
  return "";
}

}  // namespace

TEST_CASE("an adjoint that is wrong by a thousandth is found") {
  std::mt19937_64 random(20261204);
  std::map<std::string, bool> found;  // by what is wrong: in some case
  for (const gradient_case& c : gradient_cases) {
    const wf::graph made = of_equations(c.text);
    const wf::graph_view g = made.view();
    const wf::registry builtin = wf::builtin_registry();
    const wf::kernel_spec* const last = builtin.find(g.op_name(g.nodes[g.nodes.size() - 1]));
    for (std::size_t number = 0; !falsified(last->adjoint, number).empty(); ++number) {
      const std::string wrong = falsified(last->adjoint, number);
      wf::registry kernels = builtin;
      REQUIRE(kernels.add({.name = last->name, .adjoint = wrong, .overrides = true}));
      const std::string of(g.text_of(g.outputs[0].name));
      const auto report = wf_test::compare_gradient(
          g, kernels, of, real_inputs(g), numbers_between(g, c.low, c.high, random), random);
      CHECK(report.failure == "");
      found[std::string(last->name) + ": " + wrong] |= report.worst > 1e-6;
    }
  }
  CHECK(found.size() > 60);
  for (const auto& [wrong, is_found] : found) {
    CAPTURE(wrong);
    CHECK(is_found);
  }
}

TEST_CASE("operators with several results are differentiated by all of them, and by some") {
  std::mt19937_64 random(20261201);
  for (const char* nodes : {"node linalg.qr(%0) -> f64[4,3], f64[3,3]\n",
                            "node movement.split(%0) [axis = 0] -> f64[2,3], f64[2,3]\n"})
    for (const char* rest :
         {"node linalg.matmul(%1, %3) -> f64[4,3]\n", "node elementwise.exp(%2) -> f64[3,3]\n"}) {
      std::string text = std::string("input \"A\" : f64[4,3]\n") + nodes;
      const bool parts = std::string(nodes).find("split") != std::string::npos;
      const bool both = std::string(rest).find("matmul") != std::string::npos;
      if (both)
        text += parts ? "node elementwise.multiply(%1, %2) -> f64[2,3]\n"
                      : "node linalg.matmul(%1, %2) -> f64[4,3]\n"
                        "node elementwise.add(%1, %3) -> f64[4,3]\n";
      else
        text += parts ? "node elementwise.exp(%2) -> f64[2,3]\n" : rest;
      text += both && !parts ? "output \"Y\" = %4\n" : "output \"Y\" = %3\n";
      const wf::graph g = wf_test::graph_with(text);
      CAPTURE(text);
      const auto report =
          wf_test::compare_gradient(g.view(), wf::builtin_registry(), "Y", {"A"},
                                    numbers_between(g.view(), 0.5, 2, random), random);
      CHECK(report.failure == "");
      CHECK(report.worst < 1e-6);
    }
}

TEST_CASE("gradients of random workflows are what differences of their values say") {
  wf_test::random_source random(20261130);
  std::mt19937_64 directions(20261130);
  const wf::registry kernels = wf::builtin_registry();
  std::size_t compared = 0, refused = 0;
  for (int round = 0; round < 60; ++round) {
    const auto made = wf_test::random_executable(random, false);
    const wf::graph_view g = made.graph.view();
    const std::vector<std::string> by = real_inputs(g);
    if (by.empty()) continue;
    for (const wf::output& o : g.outputs) {
      if (!wf::is_floating(g[o.source].type.type)) continue;
      const std::string of(g.text_of(o.name));
      const auto report = wf_test::compare_gradient(g, kernels, of, by, made.arguments, directions);
      CAPTURE(wf_test::printed(g));
      CAPTURE(of);
      if (report.failure.find("states no adjoint") != std::string::npos) {
        ++refused;
        continue;
      }
      ++compared;
      CHECK(report.failure == "");
      CHECK(report.worst < 1e-6);
    }
  }
  CHECK(compared > 80);
  CHECK(refused < 10);
}

TEST_CASE("gradients have the element types and shapes of their inputs") {
  for (const gradient_case& c : gradient_cases) {
    std::string source = c.text;
    for (std::size_t at = 0; (at = source.find("f64[", at)) != std::string::npos;)
      source.replace(at, 4, "f32[");
    CAPTURE(source);
    const wf::graph g = of_equations(source);
    const wf::graph made = gradient_of(g.view(), {.seed = "seed"});
    for (const wf::value& v : wf_test::inputs_of(g.view())) {
      const std::string name = "grad_" + std::string(g.view().text_of(v.name));
      bool found = false;
      for (const wf::output& o : made.view().outputs) {
        if (made.view().text_of(o.name) != wf::text_view(name)) continue;
        found = true;
        CHECK(made.view()[o.source].type.type == v.type.type);
        CHECK(made.view()[o.source].type.shape == v.type.shape);
      }
      CHECK(found);
    }
  }
}

TEST_CASE("the gradient of a gradient is what differences of the gradient say") {
  std::mt19937_64 random(20261202);
  const char* const sources[] = {
      "input X : f64[3,4]; input W : f64[4,2]; L = mean(square(tanh(X W))); export L",
      "input X : f64[3,4]; L = sum(square(softmax(X))); export L",
      "input X : f64[3,3]; L = sum(square(inverse(X trans(X) + identity_like(X)))); export L",
      "input X : f64[1,2,4,3]; input K : f64[2,2,2,1]; L = sum(gelu(conv2d(X, K))); export L"};
  for (const char* source : sources) {
    CAPTURE(std::string(source));
    const wf::graph first = gradient_of(of_equations(source).view());
    const auto report = wf_test::compare_gradient(
        first.view(), wf::builtin_registry(), "grad_X", real_inputs(first.view()),
        numbers_between(first.view(), -1, 1, random), random);
    CHECK(report.failure == "");
    CHECK(report.worst < 1e-6);
  }
}

// --- what is differentiated ----------------------------------------------------------------------

TEST_CASE("readers add up, constants and inputs without influence have zeros") {
  const wf::graph g = of_equations(
      "input x : f64[3]; input y : f64[3]; input n : i64[3]; z = multiply(x, x) + x; "
      "s = sum(z); export s, z");
  const wf::graph made = gradient_of(g.view(), {.output = "s"});
  const auto run =
      wf_test::execute(made.view(), {{"x", {1, 2, 3}}, {"y", {0, 0, 0}}, {"n", {0, 0, 0}}});
  REQUIRE(run.failure == "");
  CHECK(run.outputs.at("grad_x") == std::vector<double>{3, 5, 7});
  CHECK(run.outputs.at("grad_y") == std::vector<double>{0, 0, 0});
  CHECK(run.outputs.count("grad_n") == 0);
  CHECK(run.outputs.at("s") == std::vector<double>{20});
  CHECK(run.outputs.at("z") == std::vector<double>{2, 6, 12});
}

TEST_CASE("an input can be an output, and a step through integers is a constant") {
  const wf::graph same = wf_test::graph_with("input \"x\" : f64[]\noutput \"x\" = %0\n");
  const auto one = wf_test::execute(gradient_of(same.view()).view(), {{"x", {5}}});
  CHECK(one.outputs.at("grad_x") == std::vector<double>{1});
  const wf::graph rounded = of_equations(
      "input x : f64[2]; r = cast(cast(x, dtype = \"i64\"), dtype = \"f64\"); "
      "s = sum(multiply(r, x)); export s");
  const auto run = wf_test::execute(gradient_of(rounded.view()).view(), {{"x", {2.5, -3.25}}});
  REQUIRE(run.failure == "");
  CHECK(run.outputs.at("grad_x") == std::vector<double>{2, -3});
}

TEST_CASE("control edges and effects stay, mutate edges go") {
  const wf::graph g = wf_test::graph_with(R"(input "x" : f64[3]
node elementwise.exp(%0) -> f64[3]
node elementwise.square(%1) -> f64[3]
node control.barrier(%2) effect external -> f64[3]
node movement.sum(%3) -> f64[]
edge mutate @0 -> @1
edge control @0 -> @3
output "s" = %4
)");
  const wf::graph made = gradient_of(g.view());
  REQUIRE(made.view().edges.size() == 1);
  CHECK(made.view().edges[0].kind == wf::edge_kind::control);
  std::size_t effects = 0;
  for (const wf::node& n : made.view().nodes) effects += n.effects != wf::effect::pure ? 1 : 0;
  CHECK(effects == 1);
  const auto run = wf_test::execute(made.view(), {{"x", {0, 0, 0}}});
  REQUIRE(run.failure == "");
  CHECK(run.outputs.at("grad_x") == std::vector<double>{2, 2, 2});
}

namespace {

constexpr auto inner = wf::workflow<"inner">([](wf::scope& s) {
  auto x = s.input<"x", double, 3>();
  s.output<"y">(hadamard(x, x));
});

}  // namespace

TEST_CASE("calls are inlined, loops unrolled") {
  const auto outer = wf::capture("outer", [](wf::scope& s) {
    auto x = s.input<"x", double, 3>();
    s.output<"s">(sum(wf::call_node<"second">(inner, wf::call_node<"first">(inner, x))));
  });
  REQUIRE(outer);
  REQUIRE(wf::has_calls(outer->view()));
  const wf::graph made = gradient_of(outer->view());
  const auto run = wf_test::execute(made.view(), {{"x", {1, 2, 3}}});
  REQUIRE(run.failure == "");
  CHECK(run.outputs.at("grad_x") == std::vector<double>{4, 32, 108});

  wf::registry kernels = wf::builtin_registry();
  REQUIRE(kernels.add({.name = "decay",
                       .domain = "mine",
                       .signature = "through x: floating [...] -> y[...]",
                       .adjoint = "dx = 0.5 dy"}));
  const wf::graph loop = wf_test::graph_with(
      "input \"x\" : f64[]\nnode mine.decay(%0) [steps = 3] -> f64[]\noutput \"y\" = %1\n");
  CHECK(operators_of(gradient_of(loop.view(), {}, kernels).view()) ==
        "decay decay decay constant constant multiply multiply multiply");
}

TEST_CASE("sizes may be symbols") {
  const char* const sources[] = {
      "input X : f64[B,K]; input W : f64[K,N]; input b : f64[N]; Y = linear(X, W, b); export Y",
      "input X : f64[B,K]; Y = softmax(X); export Y",
      "input X : f64[B,K]; input g : f64[K]; input b : f64[K]; Y = layer_norm(X, g, b); export Y",
      "input X : f64[B,K]; Y = mean(X, axis = 1) + mean(X); export Y",
      "input X : f64[B,K]; Y = slice(X, axis = 1, start = 1, length = 2); export Y",
      "input X : f64[B,K]; input W : f64[N,K]; Y[n,b] = W[n,k] X[b,k]; export Y",
      "input X : f64[B,K]; Y = cross_entropy(X, positions(X, axis = 0)); export Y"};
  const wf::symbol_size sizes[] = {
      {wf::make_symbol("B"), 3}, {wf::make_symbol("K"), 4}, {wf::make_symbol("N"), 2}};
  std::mt19937_64 random(20261203);
  for (const char* source : sources) {
    CAPTURE(std::string(source));
    const wf::graph g = of_equations(source);
    const wf::graph any = gradient_of(g.view(), {.seed = "seed"});
    const auto bound = wf::bind_symbols(g.view(), sizes);
    const auto any_bound = wf::bind_symbols(any.view(), sizes);
    REQUIRE(bound);
    REQUIRE(any_bound);
    const auto at = numbers_between(any_bound->view(), 0.5, 2, random);
    const auto a = wf_test::execute(any_bound->view(), at);
    const auto b = wf_test::execute(gradient_of(bound->view(), {.seed = "seed"}).view(), at);
    REQUIRE(a.failure == "");
    REQUIRE(b.failure == "");
    for (const auto& [name, elements] : a.outputs)
      for (std::size_t i = 0; i < elements.size(); ++i)
        CHECK(elements[i] == doctest::Approx(b.outputs.at(name)[i]));
  }
}

TEST_CASE("20,000 nodes") {
  wf::graph g("chain");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(2)};
  wf::value_id x = g.add_input("x", t);
  for (int i = 0; i < 20'000; ++i)
    x = wf::graph_view::output_of(
        g[g.add_node({.op = i % 2 == 0 ? "sin" : "exp"}, {&x, 1}, {&t, 1})]);
  g.add_output("y", x);
  CHECK(gradient_of(g.view(), {.seed = "seed"}).view().nodes.size() > 40'000);
}

TEST_CASE("what cannot be differentiated is named") {
  const wf::graph pool =
      of_equations("input X : f64[1,1,9,9]; P = max_pool2d(X, window = 9); s = sum(P); export s");
  const wf::error none = refusal(pool.view());
  CHECK(none.code == wf::errc::no_adjoint);
  CHECK(none.subject.view() == "P");
  CHECK(wf_test::str(none.message).find("'max_pool2d'") != std::string::npos);
  const wf::graph g = of_equations(
      "input x : f64[3]; input n : i64[3]; input z : c128[3]; y = exp(x); a = abs(z); "
      "m = n + n; export y, a, m");
  CHECK(refusal(g.view()).code == wf::errc::unknown_argument);  // there are three outputs
  CHECK(refusal(g.view(), {.output = "Y"}).code == wf::errc::unknown_argument);
  CHECK(refusal(g.view(), {.output = "m"}).code == wf::errc::dtype_mismatch);
  CHECK(refusal(g.view(), {.output = "y"}).code == wf::errc::shape_mismatch);  // without a seed
  CHECK(refusal(g.view(), {.output = "y", .seed = "x"}).code == wf::errc::duplicate_name);
  const wf::text_view unknown[] = {"w"}, integer[] = {"n"}, complex[] = {"z"};
  for (const auto& [names, code] :
       {std::pair{wf::view<wf::text_view>(unknown), wf::errc::unknown_argument},
        std::pair{wf::view<wf::text_view>(integer), wf::errc::dtype_mismatch},
        std::pair{wf::view<wf::text_view>(complex), wf::errc::dtype_mismatch}})
    CHECK(refusal(g.view(), {.output = "y", .inputs = names, .seed = "w"}).code == code);
  const wf::graph twice = wf_test::graph_with(
      "input \"x\" : f64[]\ninput \"grad_x\" : f64[]\noutput \"grad_x\" = %0\n");
  CHECK(refusal(twice.view()).code == wf::errc::duplicate_name);
  const wf::graph through =
      of_equations("input x : f64[3]; y = sum(abs(cast(x, dtype = \"c128\"))); export y");
  CHECK(refusal(through.view()).code == wf::errc::no_adjoint);
  const wf::graph unregistered =
      wf_test::graph_with("input \"x\" : f64[]\nnode mine.f(%0) -> f64[]\noutput \"y\" = %1\n");
  CHECK(refusal(unregistered.view()).code == wf::errc::unknown_operator);
}

// --- a user's operator ---------------------------------------------------------------------------

namespace {

constexpr wf::kernel_spec cube{.name = "cube",
                               .domain = "mine",
                               .signature = "X: floating [...], by: real = 3 -> Y[...]",
                               .costs = {{"flops", "3*Y"}},
                               .adjoint = "dX = cube_slope(X, by = by) * 1; unused = dY",
                               .laws = {.elementwise = true}};
constexpr wf::kernel_spec cube_slope{.name = "cube_slope",
                                     .domain = "mine",
                                     .signature = "X: floating [...], by: real = 3 -> Y[...]",
                                     .costs = {{"flops", "3*Y"}},
                                     .laws = {.elementwise = true}};

wf::registry with_cube(wf::text_view adjoint) {
  wf::registry all = wf::builtin_registry();
  wf::kernel_spec k = cube;
  k.adjoint = adjoint;
  REQUIRE(all.add(k));
  REQUIRE(all.add(cube_slope));
  return all;
}

}  // namespace

TEST_CASE("a user's kernel states its adjoint as wf's own do, in user's operators, too") {
  const wf::graph g = wf_test::graph_with(
      "input \"x\" : f64[3]\nnode mine.cube(%0) [by = 2.5] -> f64[3]\n"
      "node movement.sum(%1) -> f64[]\noutput \"s\" = %2\n");
  const wf::graph made =
      gradient_of(g.view(), {}, with_cube("dX = multiply(dY, cube_slope(X, by = by))"));
  CHECK(operators_of(made.view()).find("cube_slope") != std::string::npos);
  bool stated = false;
  for (const wf::node& n : made.view().nodes)
    if (made.view().op_name(n) == "cube_slope")
      stated = made.view().find_attribute(n, "by")->real == 2.5;
  CHECK(stated);
  // The attribute as a number, stated or by default.
  for (const auto& [attributes, value] : {std::pair{"[by = 2.5] ", 2.5}, std::pair{"", 3.0}}) {
    const wf::graph one =
        wf_test::graph_with("input \"x\" : f64[]\nnode mine.cube(%0) " + std::string(attributes) +
                            "-> f64[]\noutput \"s\" = %1\n");
    const wf::graph scaled = gradient_of(one.view(), {}, with_cube("dX = multiply(dY, by X)"));
    bool found = false;
    for (const wf::attribute& a : scaled.view().attributes)
      found = found || (a.kind == wf::attribute_kind::real && a.real == value &&
                        scaled.view().text_of(a.name) == "value");
    CHECK(found);
  }
  // Equations that do not fit.
  const std::pair<const char*, wf::errc> wrong[] = {
      {"", wf::errc::no_adjoint},
      {"dY = X", wf::errc::bad_equation},
      {"D = multiply(dY, X)", wf::errc::no_adjoint},
      {"dX = multiply(dY, Z)", wf::errc::bad_equation},
      {"dX = multiply(dY", wf::errc::equation_syntax},
      {"dX = cast(dY, dtype = \"f32\")", wf::errc::dtype_mismatch},
      {"dX = cube_slope(dY, by = times)", wf::errc::bad_equation},
      {"dX = reshape(dY, d0 = 1, d1 = X_0, d2 = X_1)", wf::errc::bad_equation},
      {"dX = broadcast_to(dY, d0 = 5, d1 = 3) + slice(dY, length = 2)", wf::errc::shape_mismatch}};
  for (const auto& [adjoint, code] : wrong) {
    CAPTURE(std::string(adjoint));
    const wf::error e = refusal(g.view(), {}, with_cube(adjoint));
    CHECK(e.code == code);
    CHECK(e.subject.view() == "cube#0");
  }
}

// --- while compiling, and the price --------------------------------------------------------------

namespace {

constexpr std::int64_t flops_of(const wf::result<wf::graph>& g) {
  if (!g) return -1;
  const auto priced = wf::price(g->view(), wf::flops, wf::builtin_registry());
  return priced ? *priced : -1;
}
constexpr std::int64_t flops_of_gradient(wf::text_view source) {
  const auto g = wf::equations("g", source);
  return g ? flops_of(wf::gradient(g->view(), {.seed = "seed"})) : -1;
}
// Forward 2 * 3 * 4 * 5, and as much for each operand.
static_assert(flops_of_gradient("input A : f64[3,4]; input B : f64[4,5]; C = A B; export C") ==
              3 * 2 * 3 * 4 * 5);

}  // namespace

TEST_CASE("a workflow of products with its gradient costs no more than three times the workflow") {
  const std::string products[] = {
      "input A : f64[30,40]; input B : f64[40,20]; Y = A B; export Y",
      "input A : f64[7,30,40]; input B : f64[7,40,20]; Y = matmul(A, B); export Y",
      "input A : f64[30,40]; input x : f64[40]; Y = A x; export Y",
      "input A : f64[5,6,7]; input B : f64[7,6,8]; Y[i,n] = A[i,j,k] B[k,j,n]; export Y",
      "input A : f64[30,40]; input B : f64[40,20]; input C : f64[30,20]; "
      "Y = matmul_add(A, B, C); export Y",
      "input A : f64[30,30]; input B : f64[30,20]; Y = matmul_symmetric(A, B); export Y"};
  for (const std::string& source : products) {
    CAPTURE(source);
    const std::int64_t forward = flops_of(wf::equations("g", source));
    CHECK(flops_of_gradient(source) <= 3 * forward);
  }
  // Elementwise operators and biases are small beside the products.
  const std::string network =
      "input X : f64[64,128]; input W : f64[128,96]; input b : f64[96]; input V : f64[96,10]; "
      "H = relu(linear(X, W, b)); Y = softmax(H V); export Y";
  CHECK(static_cast<double>(flops_of_gradient(network)) <
        3.05 * static_cast<double>(flops_of(wf::equations("g", network))));
}
