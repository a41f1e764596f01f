// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/transform/tensor/contractions.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/equations/equations.hpp>
#include <wf/capture/functions/functions.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/contraction/exact_search.hpp>
#include <wf/ir/form/parse.hpp>
#include <wf/run/dynamic.hpp>
#include <wf/select/optimise.hpp>
#include <wf/select/static_plan.hpp>

#include "../../equal_classes.hpp"
#include "../../expressions.hpp"
#include "../../random_equation.hpp"
#include "../../tensor_values.hpp"

namespace {

wf::graph captured(const std::string& text) {
  CAPTURE(text);
  auto g = wf::equations("w", wf::text_view(text.data(), text.size()));
  REQUIRE_MESSAGE(g, std::string(wf::to_text(g.error())));
  return *std::move(g);
}
std::int64_t flops_of(const wf::graph_view& g) {
  const auto flops = wf::price(g, wf::flops);
  REQUIRE(flops);
  return *flops;
}
wf::plan planned(const wf::graph_view& g) {
  auto plan = wf::optimise(g, wf::minimise(wf::flops));
  REQUIRE_MESSAGE(plan, std::string(wf::to_text(plan.error())));
  CHECK(plan->proven_optimal);
  return *std::move(plan);
}
std::int64_t least_flops(const std::string& text) { return planned(captured(text).view()).value; }

wf::choice_graph grown(const wf::graph_view& g) {
  auto out = wf::grow(g, wf::transforms::tensor_transforms);
  REQUIRE(out);
  CHECK(out->growth().status == wf::growth_status::saturated);
  return *std::move(out);
}
// Checks that all candidates are equal; returns the number of candidates that were not captured.
std::uint32_t check_candidates(const wf::graph_view& g, std::uint64_t seed) {
  const wf::choice_graph all = grown(g);
  check_tensor_classes(all, seed);
  check_invariants(all);
  return all.size() - static_cast<std::uint32_t>(g.nodes.size());
}
std::uint32_t check_candidates(const std::string& text, std::uint64_t seed = 1) {
  CAPTURE(text);
  return check_candidates(captured(text).view(), seed);
}

// Random arguments for every input: integers from -`most` to `most`, in the executor's layout of
// tensors.
wf::named_matrices arguments_of(const wf::graph_view& g, std::mt19937& random, int most) {
  wf::named_matrices out;
  for (const wf::value& v : g.values) {
    if (v.producer != wf::node_id::none) continue;
    const wf::shape& s = v.type.shape;
    const Eigen::Index rows = s.rank == 0 || s.rank > 2 ? 1 : s[0].size();
    wf::dynamic_matrix m(rows, s.elements() / rows);
    for (Eigen::Index r = 0; r < m.rows(); ++r)
      for (Eigen::Index c = 0; c < m.cols(); ++c)
        m(r, c) = static_cast<int>(random() % static_cast<unsigned>(2 * most + 1)) - most;
    out[std::string(g.text_of(v.name))] = m;
  }
  return out;
}

// --- while compiling -----------------------------------------------------------------------------

constexpr auto four = wf::equations<"four", R"(
  input A : f64[2,30,6]; input B : f64[6,30,5]; input C : f64[5,2,30]; input x : f64[30]
  Y[i] = A[i,j,k] * B[k,j,l] * C[l,i,m] * x[m]
  export Y)">();
constexpr auto plan_of_four = wf::optimise<four>(wf::minimise(wf::flops));
static_assert(plan_of_four.proven_optimal);
// A with B, C with x, then an elementwise product that is summed: the proven optimum.
static_assert(plan_of_four.value == 2 * (2 * 30 * 6 * 5) + 2 * (5 * 2 * 30) + (2 * 10 - 2));
static_assert(wf::cost(four)[wf::flops] > plan_of_four.value);

}  // namespace

TEST_CASE("the plan has the least flops of all orders that can be written") {
  const unsigned seed = 22;
  CAPTURE(seed);
  std::mt19937 random(seed);
  int better = 0;
  for (int round = 0; round < 120; ++round) {
    const std::size_t factors = round < 116 ? 2 + random() % 4 : 6;
    const random_equation e(random, factors, "ijklmn", "f64");
    const std::string text = e.text();
    CAPTURE(text);
    const wf::graph g = captured(text);
    const wf::plan p = planned(g.view());
    std::int64_t least = flops_of(g.view());
    better += p.value < least ? 1 : 0;
    for (const std::string& order : e.orders())
      least = std::min(least, flops_of(captured(e.with(order)).view()));
    CHECK(p.value == least);
    CHECK(flops_of(p.chosen.view()) == least);
  }
  CHECK(better > 40);
}

TEST_CASE("every candidate of a random contraction computes the same") {
  const unsigned seed = 5;
  CAPTURE(seed);
  std::mt19937 random(seed);
  std::uint32_t added = 0;
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    // With dimensions of one element, scalars and diagonals.
    const random_equation e(random, 2 + random() % 5, "ijklmn", "i64", 1, 0);
    added += check_candidates(e.text(), random());
  }
  CHECK(added > 1000);
}

TEST_CASE("what is chosen runs, and gives what was written") {
  const unsigned seed = 77;
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 60; ++round) {
    const char* const type = round % 3 == 0 ? "i64" : round % 3 == 1 ? "f64" : "f32";
    const random_equation e(random, 3 + random() % 3, "ijklmn", type, 1, 0);
    const std::string text = e.text();
    CAPTURE(text);
    const wf::graph g = captured(text);
    const wf::plan p = planned(g.view());
    // Integers that floating point represents exactly, so that all orders give the same result.
    const wf::named_matrices arguments = arguments_of(g.view(), random, 3);
    const auto expected = wf::run_dynamic(g.view(), arguments);
    const auto got = wf::run_dynamic(p.chosen.view(), arguments);
    REQUIRE_MESSAGE(expected, std::string(wf::to_text(expected.error())));
    REQUIRE_MESSAGE(got, std::string(wf::to_text(got.error())));
    CHECK((got->at("Y") - expected->at("Y")).cwiseAbs().maxCoeff() == 0);
  }
}

TEST_CASE("an index that is summed inside is another one outside") {
  // j is summed in T, free in Y, and summed again in Z.
  CHECK(check_candidates(R"(
    input A : f64[3,4,2]; input B : f64[4,2]; input C : f64[3,4]; input D : f64[4,5]
    T[i] = A[i,j,k] B[j,k]
    Y[i,j] = T[i] C[i,j]
    Z[i,l] = Y[i,j] D[j,l]
    export Z)") > 0);
  // The same value as two operands: its sums are independent.
  CHECK(check_candidates(R"(
    input A : f64[3,4,2]; input B : f64[4,2]; input C : f64[3,3]
    T[i] = A[i,j,k] B[j,k]
    Y[] = T[i] C[i,j] T[j]
    export Y)") > 0);
}

TEST_CASE("diagonals, traces, batches, scalars, and dimensions of one element") {
  for (const char* text :
       {"input M : f64[3,3,4]; input B : f64[4,3,3]; input v : f64[3]\n"
        "T[i,j] = M[i,k,l] B[l,k,j]; Y[i] = T[i,i] v[i]; export Y",
        "input M : f64[3,5,4]; input B : f64[4,5,3]\n"
        "T[i,j] = M[i,k,l] B[l,k,j]; Y[] = T[i,i]; Z = trace(T); d = diagonal(T); export Y, Z, d",
        "input A : f64[2,3,4]; input B : f64[2,4,5]; input W : f64[5,2]; input s : f64[]\n"
        "Y[b,i,l] = s A[b,i,j] B[b,j,k] W[k,l]; export Y",
        "input A : f64[1,3,4]; input B : f64[2,4,5]; input C : f64[2,5,1]; input w : f64[4]\n"
        "P = A * B; Q = P * C; R = hadamard(w, A); export Q, R",
        "input A : f64[3,1]; input B : f64[1,4]; input C : f64[4,3]\n"
        "Y[i,l] = A[i,j] B[j,k] C[k,l]; Z[i,k] = reduce(sum, l) (A[i,j] B[j,k] C[k,l])\n"
        "export Y, Z",
        "input x : f64[4]; input y : f64[5]; input A : f64[4,5]\n"
        "P = outer(x, y); Q = hadamard(P, A); s = sum(Q); t = s * dot(x, x); export t"})
    check_candidates(std::string(text));
}

TEST_CASE("what is no sum of products is left as it is") {
  // A diagonal matrix made from a vector has zeros, which no product of its elements has.
  const char* const embedded = R"(wf.graph 1 "w"
input "x" : f64[3]
input "A" : f64[3, 3, 4]
input "B" : f64[4, 5]
node tensor.rearrange(%0) [equation = "i->ii"] -> f64[3, 3]
node tensor.einsum(%3, %1) [equation = "ij,jkl->ikl", points = dim 108] -> f64[3, 3, 4]
node tensor.einsum(%4, %2) [equation = "ikl,lm->ikm", points = dim 180] -> f64[3, 3, 5]
output "Y" = %5
)";
  const auto g = wf::parse_graph(embedded);
  REQUIRE_MESSAGE(g, std::string(wf::to_text(g.error())));
  CHECK(check_candidates(g->view(), 3) > 0);
  // A maximum of sums is not a sum; a reshape mixes dimensions: neither is expanded.
  const wf::graph other = captured(R"(
    input A : f64[2,3,4]; input B : f64[4,3,5]
    P[i,l] = reduce(max, k) (A[i,j,k] B[k,j,l]); export P)");
  CHECK(grown(other.view()).size() == other.view().nodes.size());
  const auto reshaped = wf::capture("reshaped", [](wf::scope& s) {
    const auto a = s.input<"A", double, 2, 3, 4>();
    const auto b = s.input<"B", double, 2, 4, 5>();
    const auto c = s.input<"C", double, 15, 2>();
    s.output<"Y">(wf::reshape<2, 15>(a * b) * c);
  });
  REQUIRE(reshaped);
  CHECK(check_candidates(reshaped->view(), 9) == 0);
}

TEST_CASE("extents that are not fixed have no best order") {
  const wf::graph g = captured(R"(
    input A : f64[M,3,4]; input B : f64[4,3,N]; input C : f64[N,2]
    Y[i,m] = A[i,j,k] B[k,j,l] C[l,m]; export Y)");
  CHECK(grown(g.view()).size() == g.view().nodes.size());
}

TEST_CASE("no step makes a tensor of more dimensions than there can be") {
  // The cheapest order alone would multiply the two thin tensors to one of nine dimensions.
  const wf::graph g = captured(R"(
    input A : f64[2,2,2,2,2]; input B : f64[2,2,2,2]; input C : f64[2,2,2,2,2,9]
    input D : f64[9,2,2,2,2]; input E : f64[2]
    Y[] = A[a,b,c,d,e] C[a,b,c,d,e,x] D[x,f,g,h,i] B[f,g,h,i] E[a]
    export Y)");
  CHECK(check_candidates(g.view(), 4) > 0);
}

TEST_CASE("a contraction that several outputs have in common is computed once") {
  // Alone, each is cheapest from its own end; together they share the large product.
  const std::string inputs =
      "input A : f64[20,30,4]; input B : f64[4,30,20]; input C : f64[20,6]; input D : f64[20,5]\n";
  const std::string y = "Y[i,m] = A[i,j,k] C[l,m] B[k,j,l]\n",
                    z = "Z[i,n] = D[l,n] B[k,j,l] A[i,j,k]\n";
  const std::int64_t product = 2 * 20 * 30 * 4 * 20;
  const std::int64_t both = least_flops(inputs + y + z + "export Y, Z");
  CHECK(both == product + 2 * 20 * 20 * (6 + 5));
  const std::int64_t alone =
      least_flops(inputs + y + "export Y") + least_flops(inputs + z + "export Z");
  CHECK(both < alone);
}

TEST_CASE("a value with other uses may be used, or computed again in another order") {
  // T is an output, but v is multiplied more cheaply without T.
  const std::string inputs =
      "input A : f64[40,30,3]; input B : f64[3,30,40]; input v : f64[40]; T[i,l] = A[i,j,k] "
      "B[k,j,l]\n";
  const std::int64_t t = 2 * 40 * 30 * 3 * 40;
  CHECK(least_flops(inputs + "Y[i] = T[i,l] v[l]; export T, Y") == t + 2 * 40 * 40);
  CHECK(least_flops(inputs + "Y[i] = T[i,l] v[l]; export Y") == 2 * 30 * 3 * 40 * 2);
  // T is used twice and nothing else is needed, but neither use justifies its cost.
  CHECK(least_flops(inputs + "Y[] = T[i,l] v[l] v[i]; Z[i] = T[i,l] v[l]; export Y, Z") ==
        2 * 30 * 3 * 40 * 2 + 2 * 40 - 1);
  // A further product above the shared value.
  const std::string thin = "input W : f64[40,2,2]; input U : f64[2,2,40]\n" + inputs;
  const std::int64_t above = 2 * 40 * 40 * 4 + 2 * 40 * 40 * 4;
  CHECK(least_flops(thin + "Y[i,a] = T[i,l] W[l,b,c] U[b,c,a]; export T, Y") == t + above);
}

TEST_CASE("scalars are multiplied with each other first") {
  const std::string inputs =
      "input A : f64[40,30]; input s : f64[]; input t : f64[]; input u : f64[]\n";
  CHECK(least_flops(inputs + "Y = s * A * t * u; export Y") == 40 * 30 + 2);
  CHECK(least_flops(inputs + "Y[j] = s * (t * A[i,j] * u) * A[i,j]; export Y") ==
        2 * 40 * 30 - 30 + 30 + 2);
}

TEST_CASE("traced calls and stacks of matrices are contractions, too") {
  const auto g = wf::capture("stacks", [](wf::scope& s) {
    const auto a = s.input<"A", double, 7, 30, 20>();
    const auto b = s.input<"B", double, 7, 20, 40>();
    const auto c = s.input<"C", double, 40, 2>();
    s.output<"Y">(a * b * c);
  });
  REQUIRE(g);
  CHECK(planned(g->view()).value == 2 * 7 * (20 * 40 * 2 + 30 * 20 * 2));
}

TEST_CASE("the plan of many tensors takes what the best order of the whole product takes") {
  const unsigned seed = 3;
  CAPTURE(seed);
  std::mt19937 random(seed);
  int better = 0;
  for (int round = 0; round < 40; ++round) {
    const random_equation e(random, 5 + random() % 8, "ijklmnopqrst", "f64", 2);
    const std::string text = e.text();
    CAPTURE(text);
    const auto g = wf::equations("w", wf::text_view(text.data(), text.size()));
    if (e.head.size() > wf::max_rank) continue;
    if (!g) {  // every order exceeds the maximum rank
      CHECK(g.error().code == wf::errc::bad_equation);
      continue;
    }
    wf::table<wf::shape> shapes;
    for (const wf::value& v : g->view().values)
      if (v.producer == wf::node_id::none) shapes.push_back(v.type.shape);
    const auto network =
        wf::parse_network({e.letters.data(), e.letters.size()}, {shapes.data(), shapes.size()});
    REQUIRE(network);
    const auto best =
        wf::best_contraction(*network, {wf::contraction_count::operators, wf::max_rank});
    REQUIRE(best);
    const wf::plan p = planned(g->view());
    CHECK(p.value == static_cast<std::int64_t>(best->cost.flops));
    better += p.value < flops_of(g->view()) ? 1 : 0;
  }
  CHECK(better > 20);
}

TEST_CASE("a product that is too wide from the left is the product all the same") {
  const auto ring = [](const std::string& product) {
    std::string inputs;
    for (const char c : std::string("ABCDEFGH"))
      inputs += std::string("input ") + c + " : i64[3,2,3]\n";
    return captured(inputs + "Y[a,b,c,d,e,f,g,h] = " + product + "\nexport Y");
  };
  const wf::graph left =
      ring("A[i,a,j] B[j,b,k] C[k,c,l] D[l,d,m] E[m,e,n] F[n,f,o] G[o,g,p] H[p,h,i]");
  const wf::graph paired =
      ring("((A[i,a,j] B[j,b,k]) (C[k,c,l] D[l,d,m])) ((E[m,e,n] F[n,f,o]) (G[o,g,p] H[p,h,i]))");
  const tensor_values computed(left.view(), 11), expected(paired.view(), 11);
  CHECK(
      (computed.of(left.view().outputs[0].source) == expected.of(paired.view().outputs[0].source)));
  CHECK(flops_of(left.view()) <= flops_of(paired.view()));
  CHECK(planned(left.view()).value == planned(paired.view()).value);
}

TEST_CASE("graphs of matrices are left to others") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const auto g = expressions::random(seed);
    REQUIRE(g);
    CHECK(grown(g->view()).size() <= g->view().nodes.size());
  }
  CHECK(grown(expressions::kalman.graph()).size() == expressions::kalman.graph().nodes.size());
}
