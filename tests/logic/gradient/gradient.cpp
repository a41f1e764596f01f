// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/gradient/gradient.hpp>

#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include <wf/logic/static_program.hpp>

#include "../../sanitized.hpp"
#include "differences.hpp"

namespace {

using wf_test::differences;
using wf_test::differentiable_inputs;

const differentiable_inputs all = {
    {"A", {{2, 3}, {0.3, -1.2, 0.7, 2.1, 0.4, -0.6}}},
    {"B", {{3, 2}, {1.1, 0.2, -0.5, 0.8, 1.7, -0.9}}},
    {"Q", {{3, 3}, {0.7, -0.4, 0.2, 1.3, 0.9, -1.1, 0.05, 0.6, 0.35}}},
    {"x", {{3}, {0.5, 1.3, 2.75}}},
    {"y", {{3}, {0.25, 0.75, 1.5}}},
    {"S", {{3, 3}, {NAN, 0.5, 0.25, NAN, NAN, 0.75, 0.125, NAN, NAN}}},
};

std::string problem(const std::string& source, const std::vector<std::string>& names) {
  differentiable_inputs some;
  for (const std::string& name : names) some[name] = all.at(name);
  return differences(source, some).problem();
}

// The error of a request.
std::string refusal(const char* source, const wf::gradient_request& wanted) {
  const auto program = wf::logic::read_program(source);
  REQUIRE(program);
  const auto made = wf::logic::gradient(*program, wanted);
  return made ? "" : std::string(wf::to_text(made.error()));
}

// Random programs over two axes whose values are smooth but for extrema, which do not tie.
class generator {
 public:
  explicit generator(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  differentiable_inputs inputs() {
    differentiable_inputs out;
    for (const auto& [name, indices] : std::vector<std::pair<std::string, std::string>>{
             {"A", "ij"}, {"B", "ij"}, {"x", "i"}, {"y", "j"}, {"s", ""}}) {
      tensors_.push_back({name, indices});
      wf_test::differentiable_input t;
      std::size_t size = 1;
      for (const char c : indices) {
        t.extents.push_back(c == 'i' ? 3 : 2);
        size *= c == 'i' ? 3 : 2;
      }
      for (std::size_t k = 0; k < size; ++k)
        t.values.push_back(std::uniform_real_distribution<double>(-1.5, 1.5)(random_));
      if (name == "B")
        for (double& v : t.values)
          if (below(4) == 0) v = NAN;
      out[name] = t;
    }
    return out;
  }
  std::string source() {
    std::string out = "axis i = 3\naxis j = 2\nL[] += 0.1 s[] x[i] y[j] tanh(A[i,j]) B[i,j]\n";
    for (int k = 0; k < 5; ++k) {
      const std::string head = one_of({"", "i", "j", "ij"}), name = "T" + std::to_string(k);
      const std::string sign = one_of({"+=", "+=", "avg=", "max=", "min="});
      const std::size_t terms = sign == "+=" ? 1 + below(2) : 1;
      std::string right;
      for (std::size_t n = 0; n < terms; ++n) right += (n == 0 ? "" : " + ") + product();
      out += with(name, head) + " " + sign + " " + right + "\n";
      // A recursion that contracts.
      if (sign == "+=" && head == "i" && below(2) == 0)
        out += name + "[i] += 0.1 sin(A[i,j]) " + name + "[i]\n";
      tensors_.push_back({name, head});
    }
    for (int k = 0; k < 5; ++k) {
      const auto& [name, indices] = tensors_[tensors_.size() - 1 - static_cast<std::size_t>(k)];
      out += "L[] += tanh(0.1 " + with(name, indices) + ")\n";
    }
    return out;
  }

 private:
  std::string one_of(const std::vector<std::string>& list) { return list[below(list.size())]; }
  static std::string with(const std::string& name, const std::string& indices) {
    std::string out = name + "[";
    for (const char c : indices) out += std::string(out.back() == '[' ? "" : ",") + c;
    return out + "]";
  }
  std::string reference() {
    const auto& [name, indices] = tensors_[below(tensors_.size())];
    return with(name, indices);
  }
  std::string factor() {
    switch (below(6)) {
      case 0:
        return one_of({"sin", "tanh", "sigmoid", "square", "gelu"}) + "(" + reference() + ")";
      case 1:
        return "exp(tanh(" + reference() + " - 0.5 " + reference() + "))";
      case 2:
        return "(" + reference() + " / (2 + cos(" + reference() + ")))";
      case 3:
        return "maximum(" + reference() + ", 0.3 " + reference() + ")";
      default:
        return reference();
    }
  }
  std::string product() { return below(2) == 0 ? factor() : factor() + " " + factor(); }

  std::mt19937_64 random_;
  std::vector<std::pair<std::string, std::string>> tensors_;
};

// The derivative of (x0 + 2 x1)² + max(x0, x1) at (1, 2), and of a sum along a recursion.
constexpr double static_derivative(wf::text_view source, wf::logic::position at) {
  const auto program = wf::logic::read_program(source);
  wf::gradient_request wanted;
  wanted.output = "L";
  const auto made = wf::logic::gradient(*program, wanted);
  wf::logic::database inputs;
  const double values[] = {1, 2};
  const std::int64_t extents[] = {2};
  inputs.add_dense("x", extents, values);
  auto solved = wf::logic::evaluate(*wf::logic::stratify(*made), inputs);
  auto& gradient = solved->find("grad_x")->store();
  return gradient.value(gradient.find(&at));
}
static_assert(static_derivative("S[] += (1 + i) x[i]\nM[] max= x[i]\nL[] = S[] S[] + M[]\n"
                                "export L",
                                0) == 10);
static_assert(static_derivative("S[] += (1 + i) x[i]\nM[] max= x[i]\nL[] = S[] S[] + M[]\n"
                                "export L",
                                1) == 21);
static_assert(static_derivative("R[i] = x[i]\nR[i+1] = 0.5 R[i] [i < 3]\nL[] += R[i]", 0) == 1.5);

}  // namespace

TEST_CASE("sums of products have the derivatives of central differences") {
  CHECK(problem("L[] += x[i] y[i]", {"x", "y"}) == "");
  CHECK(problem("Y[i,j] = A[i,k] B[k,j]\nL[] += Y[i,j] Y[i,j]", {"A", "B"}) == "");
  CHECK(problem("L[] += x[i] x[i] x[i] - 2 x[i] / y[i] + 3", {"x", "y"}) == "");
  CHECK(problem("L[] += x[i] y[i+1] - y[i-1] / x[i]", {"x", "y"}) == "");
  CHECK(problem("L[] += A[0,k] B[k,1]", {"A", "B"}) == "");
  CHECK(problem("Y[i,j] = S[i,k] S[k,j]\nL[] += Y[i,j] Y[i,j]", {"S"}) == "");
  CHECK(problem("L[] += (x[i] + y[i]) (x[i] - y[i]) [x[i] < 2]", {"x", "y"}) == "");
  CHECK(problem("L[] += i x[i]", {"x"}) == "");
  CHECK(problem("L[] += S[i,j] x[i]\nL[] += y[0]", {"S", "x", "y"}) == "");
}

TEST_CASE("functions pass on what their kernels' adjoints say") {
  for (const char* f : {"relu", "gelu", "silu", "tanh", "exp", "sin", "cos", "sigmoid", "square",
                        "abs", "reciprocal"}) {
    const std::string source = std::string("L[] += ") + f + "(x[i] - 1.5 y[i]) y[i]";
    const std::string found = problem(source, {"x", "y"});
    CHECK_MESSAGE(found == "", f, ": ", found);
  }
  CHECK(problem("L[] += sqrt(x[i]) log(y[i])", {"x", "y"}) == "");
  CHECK(problem("L[] += power(x[i], y[i])", {"x", "y"}) == "");
  CHECK(problem("L[] += maximum(x[i], 4 y[i]) minimum(x[i], y[i])", {"x", "y"}) == "");
  CHECK(problem("L[] += where(less(x[i], 1), x[i] y[i], y[i])", {"x", "y"}) == "");
  CHECK(problem("L[] += sig(x[i], T = 0.5) sig(y[i])", {"x", "y"}) == "");
  CHECK(problem("L[] += sigmoid(x[i], T = 2) step(y[i])", {"x", "y"}) == "");
  CHECK(problem("L[] += exp(tanh(x[i] y[i])) / (1 + exp(-x[i]))", {"x", "y"}) == "");
}

TEST_CASE("the temperature of a head counts for what its equations pass on, too") {
  differences d("Y[i] = sig(x[i] y[i])\nZ[i] = sig(x[i])\nL[] += Y[i] Y[i] Z[i]",
                {{"x", all.at("x")}, {"y", all.at("y")}});
  d.options.temperatures.push_back({wf::text("Y"), 0.7});
  d.options.temperatures.push_back({wf::text("Z"), 1.9});
  CHECK(d.problem() == "");
}

TEST_CASE("functions that equations define pass derivatives on through those") {
  const auto through = [](const char* equation, const std::vector<std::string>& names) {
    return problem(std::string(equation) + "\nL[] += P[i,j] Q[i,j] P[i,j]", names);
  };
  CHECK(through("P[i,j] = softmax(Q[i,j])", {"Q"}) == "");
  CHECK(through("P[i,j] = lnorm(Q[i,j])", {"Q"}) == "");
  CHECK(through("P[i,j] = gelu_grad(Q[i,j])", {"Q"}) == "");
  CHECK(through("P[i,j] = softmax_grad(Q[i,j], S[i,j])", {"Q", "S"}) == "");
  CHECK(through("P[i,j] = attention(Q[i,k], Q[h,k], Q[h,j], causal = 1)", {"Q"}) == "");
  CHECK(through("P[i,j] = attention(B[i,k], B[h,k], Q[h,j], scale = 0.5)", {"B", "Q"}) == "");
}

TEST_CASE("means, extrema and nested expressions") {
  CHECK(problem("M[i] avg= A[i,k] x[k]\nL[] += M[i] M[i]", {"A", "x"}) == "");
  CHECK(problem("M[i] max= A[i,k] x[k]\nL[] += M[i] M[i]", {"A", "x"}) == "");
  CHECK(problem("M[i] min= A[i,k] + 2 x[k]\nL[] += exp(M[i])", {"A", "x"}) == "");
  CHECK(problem("M[k] avg= A[i,k]\nM[k] avg= x[k]\nL[] += M[i] M[i]", {"A", "x"}) == "");
  CHECK(problem("M[k] max= A[i,k]\nM[k] max= x[k] [k < 1]\nL[] += M[i] M[i]", {"A", "x"}) == "");
  CHECK(problem("L[] += (reduce(sum, k) A[i,k] B[k,i]) reduce(max, k) A[i,k]", {"A", "B"}) == "");
}

TEST_CASE("equal extrema share a derivative") {
  const auto program = wf::logic::read_program("L[] max= x[i]");
  const auto made = wf::logic::gradient(*program);
  REQUIRE(made);
  wf::logic::database inputs;
  const double values[] = {2, 1, 2, 2 + 1e-13};
  const std::int64_t extents[] = {4};
  inputs.add_dense("x", extents, values);
  auto solved = wf::logic::evaluate(*wf::logic::stratify(*made), inputs);
  REQUIRE(solved);
  auto& g = solved->find("grad_x")->store();
  const double wanted[] = {1. / 3, 0, 1. / 3, 1. / 3};
  for (wf::logic::position i = 0; i < 4; ++i)
    CHECK(g.value(g.find(&i)) == doctest::Approx(wanted[i]));
}

TEST_CASE("recursions of numbers have adjoint recursions, shortest paths those of their edges") {
  CHECK(problem("P[j] = 0.5 x[j] + 0.4 S[i,j] P[i]\nL[] += P[i] P[i] y[i]", {"S", "x", "y"}) == "");
  CHECK(problem("H[j] = tanh(G[j]) \nG[j] = x[j] + 0.3 S[i,j] H[i]\nL[] += H[i] y[i]",
                {"S", "x", "y"}) == "");
  CHECK(problem("D[i,j] min= S[i,j]\nD[i,j] min= D[i,k] + S[k,j]\nL[] += D[i,j] D[i,j]", {"S"}) ==
        "");
  CHECK(problem("D[i,j] max= S[i,j]\nD[i,j] max= D[i,k] * S[k,j]\nL[] += D[i,j] x[j]",
                {"S", "x"}) == "");
}

TEST_CASE("the derivatives of steps are those of the unrolled program") {
  differences rnn(
      "H[i,t=0] = x[i]\nPre[i] = Q[i,j] H[j,t] + y[i]\nH[i,t+1] = tanh(Pre[i])\n"
      "L[] += Pre[i] Pre[i]",
      {{"x", all.at("x")}, {"y", all.at("y")}, {"Q", all.at("Q")}});
  for (const std::uint32_t steps : {1U, 2U, 7U}) {
    rnn.steps = steps;
    CHECK(rnn.problem() == "");
  }
  differences cooled("H[i,t=0] = x[i]\nH[i,t+1] = sig(Q[i,j] H[j,t])\nL[] += H[i,t] H[i,t]",
                     {{"x", all.at("x")}, {"Q", all.at("Q")}});
  cooled.options.temperatures.push_back(
      {wf::text("H"), wf::logic::temperature_schedule::linear(2, 0.5, 4)});
  cooled.steps = 5;
  CHECK(cooled.problem() == "");
}

TEST_CASE("random programs have the derivatives of central differences") {
  constexpr std::uint64_t programs = wf_test::sanitized ? 60 : 200;
  std::uint64_t checked = 0;
  for (std::uint64_t seed = 0; seed < programs; ++seed) {
    generator g(seed);
    const differentiable_inputs inputs = g.inputs();
    const std::string source = g.source();
    const std::string found = differences(source, inputs).problem(1e-5);
    checked += found.empty();
    if (found == "no loss")
      continue;  // the infinity of an extremum without entries, perhaps in a recursion
    CHECK_MESSAGE(found == "", "seed ", seed, "\n", source, found);
  }
  CHECK(checked >= programs - programs / 20);
}

TEST_CASE("a seed weighs the entries of an output, and a gradient is differentiated again") {
  const auto program = wf::logic::read_program("Y[i] = x[i] x[i] x[i]\nexport Y");
  wf::gradient_request wanted;
  wanted.seed = "w";
  const auto first = wf::logic::gradient(*program, wanted);
  REQUIRE(first);
  wf::gradient_request again;
  again.output = "grad_x";
  again.seed = "v";
  again.prefix = "second_";
  const wf::text_view inputs_of[] = {"x"};
  again.inputs = inputs_of;
  const auto second = wf::logic::gradient(*first, again);
  REQUIRE(second);
  wf::logic::database inputs;
  const std::int64_t extents[] = {2};
  for (const auto& [name, a, b] :
       {std::tuple<const char*, double, double>("x", 2, 3), {"w", 1, 10}, {"v", 1, 1}}) {
    const double values[] = {a, b};
    inputs.add_dense(name, extents, values);
  }
  auto solved = wf::logic::evaluate(*wf::logic::stratify(*second), inputs);
  REQUIRE(solved);
  const auto values = [&](const char* name) {
    const auto& v = solved->find(name)->entries().values;
    return std::vector<double>(v.begin(), v.end());
  };
  CHECK(values("grad_x") == std::vector<double>{12, 270});
  CHECK(values("second_x") == std::vector<double>{12, 180});
}

TEST_CASE("what has no derivative is refused by name") {
  wf::gradient_request wanted;
  CHECK(refusal("Y[i] = x[i]\nexport Y", wanted).find("needs a seed") != std::string::npos);
  CHECK(refusal("P(i) = E(i,j)\nexport P", wanted).find("relation") != std::string::npos);
  CHECK(refusal("H[i,*t+1] = H[i,*t] x[i]\nexport H", wanted).find("steps") != std::string::npos);
  wanted.output = "M";
  CHECK(refusal("Loss[] += x[i]", wanted).find("M") != std::string::npos);
  wanted.output = "";
  const wf::text_view inputs[] = {"z"};
  wanted.inputs = inputs;
  CHECK(refusal("L[] += x[i]", wanted).find("input") != std::string::npos);
  wanted.inputs = {};
  CHECK(refusal("grad_x[i] = x[i]\nL[] += grad_x[i]\nexport L", wanted).find("prefix") !=
        std::string::npos);
  wanted.seed = "x";
  CHECK(refusal("Y[i] = x[i]\nexport Y", wanted).find("no seed") != std::string::npos);
}

TEST_CASE("a user's operator states its adjoint, or is refused by name") {
  wf::registry operators = wf::logic::rule_registry();
  wf::kernel_spec cube{.name = "cube",
                       .domain = "own",
                       .signature = "X: floating [...] -> Y[...]",
                       .costs = {{"flops", "2*Y"}},
                       .element = [](const wf::constant_operands& x) { return x[0] * x[0] * x[0]; },
                       .adjoint = "S = square(X); dX = 3 multiply(S, dY)",
                       .laws = {.elementwise = true}};
  REQUIRE(operators.add(cube));
  cube.name = "opaque";
  cube.adjoint = {};
  REQUIRE(operators.add(cube));
  cube.name = "odd";
  cube.adjoint = "dX = W dY";
  REQUIRE(operators.add(cube));
  const auto made = [&](const char* source) {
    const auto program = wf::logic::read_program(source, {}, operators);
    REQUIRE(program);
    return wf::logic::gradient(*program, {}, operators);
  };
  const auto cubes = made("L[] += cube(x[i])");
  REQUIRE(cubes);
  wf::logic::database inputs;
  const double values[] = {2, 3};
  const std::int64_t extents[] = {2};
  inputs.add_dense("x", extents, values);
  auto solved = wf::logic::evaluate(*wf::logic::stratify(*cubes), inputs, {}, operators);
  REQUIRE(solved);
  CHECK(solved->find("grad_x")->entries().values[1] == 27);
  CHECK(made("L[] += opaque(x[i])").error().subject == wf::text("opaque"));
  CHECK(made("L[] += opaque(x[i])").error().code == wf::errc::no_adjoint);
  CHECK(made("L[] += odd(x[i])").error().code == wf::errc::no_adjoint);
  CHECK(made("L[] maximum= x[i]").error().code == wf::errc::no_adjoint);
  CHECK(made("L[] maximum= x[i]").error().subject == wf::text("maximum"));
}

TEST_CASE("an input that does not matter has derivatives of 0") {
  CHECK(problem("L[] += x[i]\nM[] += y[i] y[i]", {"x", "y"}) == "");
  CHECK(problem("L[] += step(x[i]) x[i]", {"x"}) == "");
}
