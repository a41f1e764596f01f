// SPDX-License-Identifier: BSL-1.0
#include <wf/run/plan/executable_plan.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <Eigen/LU>

#include <wf/capture/equations/equations.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/cost/cost.hpp>
#include <wf/run/plan/executable_kernels.hpp>

namespace {

using Eigen::MatrixXd;

constexpr auto least_squares = wf::workflow<"least_squares">([](wf::scope& s) {
  auto X = s.input<"X", double, 40, 7>(wf::full_rank);
  auto M = s.input<"M", double, 40, 40>(wf::spd);
  auto y = s.input<"y", double, 40>();
  s.output<"b">(inv(trans(X) * inv(M) * X) * trans(X) * inv(M) * y);
});
constexpr auto of_any_size = wf::workflow<"of_any_size">([](wf::scope& s) {
  auto A = s.input<"A", double, "N", "N">();
  auto B = s.input<"B", double, "N", "N">();
  auto x = s.input<"x", double, "N">();
  s.output<"y">(A * B * x);
});

constexpr auto two_products = wf::workflow<"two_products">([](wf::scope& s) {
  auto A = s.input<"A", double, 4, 4>();
  auto B = s.input<"B", double, 30, 30>();
  s.output<"C">(A * A);
  s.output<"D">(B * B);
});
int products_in_library = 0;
constexpr auto library = wf::implementations(
    wf::implement<wf::kernels::matmul>([](auto& c, const auto& a, const auto& b) {
      ++products_in_library;
      c.noalias() = a * b;
    }));

struct regression {
  MatrixXd X, M, y;

  explicit regression(unsigned seed) {
    std::srand(seed);
    X = MatrixXd::Random(40, 7), y = MatrixXd::Random(40, 1);
    const MatrixXd root = MatrixXd::Random(40, 40);
    M = root * root.transpose() + MatrixXd::Identity(40, 40);
  }
  MatrixXd naive() const {
    return (X.transpose() * M.inverse() * X).inverse() * X.transpose() * M.inverse() * y;
  }
};

constexpr auto chain = wf::equations<"chain", R"(
  input A : f64[40,40]
  input B : f64[40,40]
  input x0 : f64[40]
  repeat x = x0 until 30
  x = 0.01 * (A B x)
  export x
)">();

}  // namespace

TEST_CASE("a workflow is planned with a proof and run wherever its matrices lie") {
  const auto plan = wf::executable_plan::make(least_squares.graph());
  REQUIRE(plan);
  CHECK(plan->proven_optimal());
  CHECK(plan->bound() == plan->value());
  CHECK(plan->value() > 0);
  CHECK(plan->workspace_bytes() > 0);
  CHECK(plan->chosen().nodes.size() > 3);
  const regression given(3);
  Eigen::VectorXd b(7);
  const wf::input_matrix inputs[] = {given.X, given.M, given.y};
  const wf::output_matrix outputs[] = {b};
  REQUIRE(plan->run(inputs, outputs));
  CHECK((b - given.naive()).norm() <= 1e-9 * given.naive().norm());

  const auto made = (*plan)({{"X", given.X}, {"M", given.M}, {"y", given.y}});
  REQUIRE(made);
  CHECK(made->at("b") == MatrixXd(b));
}

TEST_CASE("bound to matrices it reads them anew, on several threads") {
  const auto plan = wf::executable_plan::make(least_squares.graph());
  REQUIRE(plan);
  std::vector<char> right(3, 0);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 3; ++t)
    threads.emplace_back([&right, t, copy = *plan] {
      regression given(t);
      Eigen::VectorXd b(7);
      const wf::input_matrix inputs[] = {given.X, given.M, given.y};
      const wf::output_matrix outputs[] = {b};
      const auto bound = copy.bind(inputs, outputs);
      if (!bound || !bound->run()) return;
      const MatrixXd first = b;
      given.y *= 2;
      right[t] = bound->run() && (b - 2 * first).norm() <= 1e-12 * b.norm() &&
                 (b - given.naive()).norm() <= 1e-9 * b.norm();
    });
  for (std::thread& each : threads) each.join();
  CHECK(right == std::vector<char>(3, 1));
}

TEST_CASE("limits, sizes and kernels of the caller's") {
  wf::planning_options options;
  const wf::limit tight[] = {wf::flops <= 10};
  options.limits = tight;
  const auto refused = wf::executable_plan::make(least_squares.graph(), options);
  REQUIRE(!refused);
  CHECK(refused.error().code == wf::errc::infeasible);

  const auto unbound = wf::executable_plan::make(of_any_size.graph());
  REQUIRE(!unbound);
  CHECK(unbound.error().code == wf::errc::workflow_not_static);
  wf::planning_options sized;
  const wf::symbol_size sizes[] = {{wf::make_symbol("N"), 50}};
  sized.sizes = sizes;
  sized.minimised = wf::flops;
  const auto plan = wf::executable_plan::make(of_any_size.graph(), sized);
  REQUIRE(plan);
  CHECK(plan->value() == 2 * (2 * 50 * 50));  // two products with a vector, from the right

  // With a product with a vector that takes a second, the product of the matrices comes first.
  const wf::kernel_spec slow[] = {
      {.name = "matvec", .costs = {{"execution_time", "10**9"}}, .overrides = true}};
  sized.minimised = wf::execution_time;
  const auto usual = wf::executable_plan::make(of_any_size.graph(), sized);
  sized.kernels = slow;
  const auto other = wf::executable_plan::make(of_any_size.graph(), sized);
  REQUIRE(usual);
  REQUIRE(other);
  CHECK(usual->value() < 1'000'000);
  CHECK(other->value() > 1'000'000'000);
  CHECK(other->value() < 2'000'000'000);

  const wf::kernel_spec by_cache[] = {
      {.name = "matvec", .costs = {{"execution_time", "second_cache"}}, .overrides = true}};
  sized.kernels = by_cache;
  sized.caches = {1234};
  const auto cached = wf::executable_plan::make(of_any_size.graph(), sized);
  REQUIRE(cached);
  CHECK(cached->value() == 2 * 1234);

  const wf::kernel_spec unknown[] = {{.name = "matvek", .overrides = true}};
  sized.kernels = unknown;
  const auto misspelt = wf::executable_plan::make(of_any_size.graph(), sized);
  REQUIRE(!misspelt);
  CHECK(misspelt.error().code == wf::errc::unknown_operator);
}

TEST_CASE("as it is written a workflow is priced and run, not planned") {
  wf::planning_options options;
  options.as_written = true;
  const auto written = wf::executable_plan::make(least_squares.graph(), options);
  const auto plan = wf::executable_plan::make(least_squares.graph());
  REQUIRE(written);
  REQUIRE(plan);
  CHECK(written->chosen().nodes.size() == least_squares.graph().nodes.size());
  CHECK(written->value() > plan->value());
  const regression given(6);
  const auto made = (*written)({{"X", given.X}, {"M", given.M}, {"y", given.y}});
  REQUIRE(made);
  CHECK((made->at("b") - given.naive()).norm() <= 1e-9 * given.naive().norm());
}

TEST_CASE("planning tells its progress and stops when told to") {
  wf::planning_options options;
  int told = 0;
  options.progress = [&told](const wf::search_progress&) { return ++told, true; };
  const auto plan = wf::executable_plan::make(least_squares.graph(), options);
  REQUIRE(plan);
  CHECK(told > 1);
  CHECK(plan->proven_optimal());
  options.progress = [](const wf::search_progress&) { return false; };
  const auto stopped = wf::executable_plan::make(least_squares.graph(), options);
  REQUIRE(stopped);  // at worst the formula as written
  CHECK(stopped->value() >= plan->value());
  const regression given(4);
  const auto made = (*stopped)({{"X", given.X}, {"M", given.M}, {"y", given.y}});
  REQUIRE(made);
  CHECK((made->at("b") - given.naive()).norm() <= 1e-9 * given.naive().norm());
}

TEST_CASE("a plan says what it chose and why") {
  const auto plan = wf::executable_plan::make(least_squares.graph());
  REQUIRE(plan);
  const wf::metric_spec metrics[] = {wf::execution_time, wf::flops};
  const auto story = plan->explain(metrics);
  REQUIRE(story);
  const auto text = std::string(story->view());
  CHECK(text.starts_with("plan for 'least_squares': execution_time = "));
  CHECK(text.find("proven optimal") != std::string::npos);
  CHECK(text.find("cholesky") != std::string::npos);
}

TEST_CASE("matrices that do not fit are refused") {
  const auto plan = wf::executable_plan::make(least_squares.graph());
  REQUIRE(plan);
  const regression given(5);
  Eigen::VectorXd b(8);
  const wf::input_matrix inputs[] = {given.X, given.M, given.y};
  const wf::output_matrix outputs[] = {b};
  CHECK(plan->run(inputs, outputs).error().code == wf::errc::argument_shape);
  CHECK(plan->bind(inputs, outputs).error().code == wf::errc::argument_shape);
  CHECK((*plan)({{"X", given.X}}).error().code == wf::errc::missing_argument);
}

TEST_CASE("nodes go to a library where it takes less time; price, explanation and run agree") {
  const wf::kernel_spec kernels[] = {
      wf::library_kernels<library>[0],
      {.name = "matmul",
       .costs = {{"execution_time", "M*N*K"}, {"library_time", "1000"}},
       .overrides = true}};
  wf::planning_options options;
  options.kernels = kernels;
  const auto plan = wf::executable_plan::make(two_products.graph(), options);
  REQUIRE(plan);
  CHECK(plan->value() == 64 + 1000);
  const wf::metric_spec metrics[] = {wf::execution_time};
  const auto story = plan->explain(metrics);
  REQUIRE(story);
  const std::string text(story->view());
  const std::string wanted =
      "library: 1 of 2 nodes that it implements\n"
      "  C = matmul(A, A): 64 ns by wf, 1,000 ns by the library\n"
      "  D = matmul(B, B): 1,000 ns by the library, 27,000 ns by wf\n";
  CHECK(text.find(wanted) == text.size() - wanted.size());
  const MatrixXd A = MatrixXd::Random(4, 4), B = MatrixXd::Random(30, 30);
  products_in_library = 0;
  const auto out = (*plan)({{"A", A}, {"B", B}});
  REQUIRE(out);
  CHECK(products_in_library == 1);
  CHECK((out->at("C") - A * A).norm() < 1e-13);
  CHECK((out->at("D") - B * B).norm() < 1e-12);
}

TEST_CASE("plans choose the bodies of fixpoints, within limits if there are any") {
  wf::planning_options options;
  options.minimised = wf::flops;
  const auto best = wf::executable_plan::make(chain.graph(), options);
  REQUIRE(best);
  const std::int64_t written = *wf::price(chain.graph(), wf::flops);
  CHECK(best->proven_optimal());
  CHECK(best->value() < written / 10);
  options.as_written = true;
  const auto plain = wf::executable_plan::make(chain.graph(), options);
  REQUIRE(plain);
  CHECK(plain->value() == written);
  std::srand(7);
  const wf::named_matrices at = {{"A", MatrixXd::Random(40, 40)},
                                 {"B", MatrixXd::Random(40, 40)},
                                 {"x0", MatrixXd::Random(40, 1)}};
  const auto one = (*best)(at), other = (*plain)(at);
  REQUIRE(one);
  REQUIRE(other);
  CHECK((one->at("x") - other->at("x")).norm() <= 1e-12 * other->at("x").norm());
  const auto text = best->explain({});
  REQUIRE(text);
  // The product of A and B has no place within this limit.
  options.as_written = false;
  const wf::limit little[] = {wf::peak_memory <= *wf::price(best->chosen(), wf::peak_memory)};
  options.limits = little;
  const auto within = wf::executable_plan::make(chain.graph(), options);
  REQUIRE(within);
  CHECK(within->value() == best->value());
  const wf::limit none[] = {wf::peak_memory <= 100};
  options.limits = none;
  const auto refused = wf::executable_plan::make(chain.graph(), options);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == wf::errc::infeasible);
}
