// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/times/host_times.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/capture/equations/equations.hpp>
#include <wf/choice/growth/growth.hpp>
#include <wf/choice/transform/linalg/linalg.hpp>
#include <wf/cost/cost.hpp>

namespace {

wf::graph formula(wf::text_view text) {
  auto read = wf::equations("formula", text);
  REQUIRE(read);
  return *std::move(read);
}
std::int64_t time_of(const char* text) {
  const auto time = wf::price(formula(text).view(), wf::execution_time, wf::timed_registry());
  REQUIRE(time);
  return *time;
}

}  // namespace

TEST_CASE("the table refines built-in kernels, each once, and prices them exactly otherwise") {
  const auto kernels = wf::timed_registry(wf::kernels::host_times);
  REQUIRE(kernels);
  CHECK(kernels->kernels().size() == wf::builtin_registry().kernels().size());
  const wf::graph g = formula("input A : f64[40,30]; input B : f64[30,20]; Y = A*B; export Y");
  CHECK(*wf::price(g.view(), wf::flops, *kernels) == 2 * 40 * 30 * 20);
  const wf::kernel_spec wrong[] = {{.name = "matmul", .costs = {{"execution_time", "Q"}}}};
  CHECK_FALSE(wf::timed_registry(wrong));
}

TEST_CASE("whatever the transforms of linear algebra may add has a time") {
  const wf::graph g = formula(
      "input H : f64[16,40]; input I : f64[40,40] {identity}; input c : f64[] {positive};"
      "input L : f64[40,40] {lower, nonsingular}; input D : f64[40,40] {diagonal, nonsingular};"
      "input X : f64[40,16] {full_rank}; input M : f64[40,40] {spd}; input y : f64[40];"
      "a = inv(trans(H)*H + c*I)*y; b = inv(trans(X)*inv(M)*X)*trans(X)*inv(M)*y;"
      "C = inv(L)*X; E = trans(X)*inv(D); F = inv(L)*inv(D); export a, b, C, E, F");
  const auto grown = wf::grow(g.view(), wf::transforms::linalg_transforms);
  REQUIRE(grown);
  for (const wf::node& n : grown->view().nodes) {
    const std::string op(grown->view().op_name(n));
    CAPTURE(op);
    bool timed = false;
    for (const wf::kernel_spec& k : wf::kernels::host_times) timed = timed || k.name == op;
    CHECK(timed);
  }
}

TEST_CASE("contractions and what moves their dimensions have times that follow the work") {
  const auto time_of_sizes = [](std::int64_t n) {
    wf::text source;
    source << "input A : f64[" << n << ",40," << n << "]; input B : f64[" << n << ",40," << n
           << "]; Y[i,l] = A[i,j,k] B[k,j,l]; export Y";
    const wf::graph g = formula(source.view());
    return *wf::price(g.view(), wf::execution_time, wf::timed_registry());
  };
  CHECK(time_of_sizes(200) > 5 * time_of_sizes(100));
  CHECK(time_of_sizes(200) < 8 * time_of_sizes(100));
  const wf::graph g = formula(
      "input A : f64[9,8,7]; input B : f64[7,8,6]; input x : f64[9]; input y : f64[9]\n"
      "Y[j,k,i] = A[i,j,k]; s[] = x[i] y[i]; Z[i,l] = A[i,j,k] B[k,j,l]; export Y, s, Z");
  for (const wf::node& n : g.view().nodes) {
    const std::string op(g.view().op_name(n));
    CAPTURE(op);
    bool timed = false;
    for (const wf::kernel_spec& k : wf::kernels::host_times) timed = timed || k.name == op;
    CHECK(timed);
  }
}

TEST_CASE("times follow the work: rates of products, factors and substitutions") {
  const auto product = time_of("input A : f64[500,500]; Y = A*A; export Y");
  const auto half = time_of("input A : f64[250,250]; Y = A*A; export Y");
  CHECK(product > 6 * half);
  CHECK(product < 8 * half);
  CHECK(time_of("input A : f64[500,500]; Y = inv(A); export Y") > product);
  // In nanoseconds: the cost of a call is between 10 ns and 1 µs.
  const auto call = time_of("input a : f64[1,1]; Y = a*a; export Y");
  CHECK(call < 1000);
  CHECK(call > 10);
}

TEST_CASE("a matrix that is read once costs more beyond the second cache") {
  const auto thin = [](const char* rows, const char* known) {
    const std::string n(rows);
    return time_of(("input A : f64[" + n + "," + n + "]" + known + "; input b : f64[" + n +
                    ",1]; Y = A*b; export Y")
                       .c_str());
  };
  CHECK(thin("1000", "") > 2 * 4 * thin("500", ""));
  CHECK(thin("1000", "") < 4 * 4 * thin("500", ""));
  CHECK(thin("400", "") < 4 * thin("200", ""));
  // With many columns the arithmetic dominates.
  CHECK(time_of("input A : f64[1000,1000]; input B : f64[1000,400]; Y = A*B; export Y") <
        5 * time_of("input A : f64[500,500]; input B : f64[500,400]; Y = A*B; export Y"));
}

TEST_CASE("an element of a sum costs more beyond the second cache") {
  const auto sum = time_of("input A : f64[200,200]; Y = A + A; export Y");
  const auto large = time_of("input A : f64[1000,1000]; Y = A + A; export Y");
  CHECK(large > 3 * 25 * sum);
  CHECK(large < 6 * 25 * sum);
  // On either side of the cache's size, time is proportional to the elements.
  CHECK(time_of("input A : f64[100,400]; Y = A + A; export Y") == sum);
  const auto twice = time_of("input A : f64[1000,2000]; Y = A + A; export Y");
  CHECK(twice < 2 * large);
  CHECK(twice > 2 * large - 100);
  // For symbolic extents a time with two classes is not a polynomial; one with a single class is.
  const auto kernels = wf::timed_registry();
  const auto symbolic = [&](const char* text) {
    return wf::price_symbolic(formula(text).view(), wf::execution_time, kernels);
  };
  CHECK(symbolic("input A : f64[N,N]; Y = exp(A); export Y"));
  const auto none = symbolic("input A : f64[N,N]; Y = A + A; export Y");
  REQUIRE_FALSE(none);
  CHECK(none.error().code == wf::errc::not_polynomial);
}
