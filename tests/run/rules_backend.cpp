// SPDX-License-Identifier: BSL-1.0
#include <wf/run/rules_backend.hpp>

#include <limits>
#include <random>
#include <string>

#include <doctest/doctest.h>

namespace {

using wf::dynamic_matrix;
using wf::named_matrices;

wf::type_args types_of(const named_matrices& arguments) {
  wf::type_args out;
  for (const auto& [name, m] : arguments) {
    const wf::shape shape = m.cols() != 1   ? wf::shape::of(m.rows(), m.cols())
                            : m.rows() != 1 ? wf::shape::of(m.rows())
                                            : wf::shape::of();
    out.types.push_back({wf::text(name), {wf::dtype::f64, {}, shape}});
  }
  return out;
}
wf::equation_text equations_of(const char* characters) {
  return {wf::text("program"), wf::text(characters)};
}
dynamic_matrix random_matrix(std::mt19937_64& random, int rows, int columns) {
  return dynamic_matrix::NullaryExpr(rows, columns, [&](Eigen::Index, Eigen::Index) {
    return std::uniform_real_distribution<double>(-1, 1)(random);
  });
}
auto host() { return wf::host_backend().prepend(wf::capture_equations_step); }

}  // namespace

TEST_CASE("programs without recursion have the same results on every back end") {
  std::mt19937_64 random(1);
  for (const char* source :
       {"Y[i,k] = A[i,j] B[j,k]", "Y[i] = A[i,j] B[j,k] v[k]\nZ[] += Y[i]",
        "H[i,k] = relu(A[i,j] B[j,k])\nY[i] max= H[i,k]", "Y[i,j] = A[i,j] + s A[i,j] A[i,j]"}) {
    CAPTURE(source);
    const std::string text(source);
    named_matrices arguments{{"A", random_matrix(random, 3, 4)}};
    if (text.find("B[") != std::string::npos) arguments["B"] = random_matrix(random, 4, 5);
    if (text.find("v[") != std::string::npos) arguments["v"] = random_matrix(random, 5, 1);
    if (text.find(" s ") != std::string::npos) arguments["s"] = random_matrix(random, 1, 1);
    const auto definition = equations_of(source);
    const auto args = types_of(arguments);
    const auto planned = wf::compile(definition, args, host());
    const auto rules = wf::compile(definition, args, wf::rules_backend());
    REQUIRE_MESSAGE(planned, std::string(wf::to_text(planned.error())));
    REQUIRE_MESSAGE(rules, std::string(wf::to_text(rules.error())));
    const auto expected = (*planned)(arguments);
    const auto found = (*rules)(arguments);
    REQUIRE_MESSAGE(expected, std::string(wf::to_text(expected.error())));
    REQUIRE_MESSAGE(found, std::string(wf::to_text(found.error())));
    REQUIRE(found->size() == expected->size());
    for (const auto& [name, matrix] : *expected) {
      CAPTURE(name);
      REQUIRE(found->contains(name));
      REQUIRE(found->at(name).rows() == matrix.rows());
      REQUIRE(found->at(name).cols() == matrix.cols());
      CHECK((found->at(name) - matrix).cwiseAbs().maxCoeff() < 1e-12);
    }
    // All three are asked, and the shortest is taken.
    const auto chosen = wf::compile(definition, args);
    REQUIRE(chosen);
    REQUIRE(chosen->choice().offers.size() == 3);
    for (const wf::backend_offer& o : chosen->choice().offers) {
      CHECK(o.possible());
      CHECK(chosen->choice().offers[chosen->choice().chosen].nanoseconds <= o.nanoseconds);
    }
    CHECK(std::string(chosen->explain()).find("times as long") != std::string::npos);
  }
}

TEST_CASE("programs that recurse are evaluated as rules, and the choice says why") {
  const auto definition =
      equations_of("Reach(x,z) = Edge(x,z)\nReach(x,z) = Reach(x,y) Edge(y,z)\n");
  named_matrices arguments{{"Edge", dynamic_matrix::Zero(4, 4)}};
  arguments["Edge"](0, 1) = arguments["Edge"](1, 2) = arguments["Edge"](2, 1) = 1;
  const auto made = wf::compile(definition, types_of(arguments));
  REQUIRE_MESSAGE(made, std::string(wf::to_text(made.error())));
  CHECK(made->backend() == "rules");
  CHECK(std::string(made->explain()).find("rules") != std::string::npos);
  CHECK_FALSE(made->choice().offers[0].possible());
  const auto found = (*made)(arguments);
  REQUIRE_MESSAGE(found, std::string(wf::to_text(found.error())));
  dynamic_matrix expected(4, 4);
  expected << 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0;
  CHECK(found->at("Reach") == expected);
}

TEST_CASE("an extreme is infinite where nothing reaches it") {
  const auto definition = equations_of("D[y] min= W[0,y]\nD[y] min= D[x] + W[x,y]\n");
  constexpr double none = std::numeric_limits<double>::infinity();
  named_matrices arguments{{"W", dynamic_matrix::Constant(3, 3, none)}};
  arguments["W"](0, 1) = 2.5;
  const auto made = wf::compile(definition, types_of(arguments), wf::rules_backend());
  REQUIRE_MESSAGE(made, std::string(wf::to_text(made.error())));
  const auto found = (*made)(arguments);
  REQUIRE_MESSAGE(found, std::string(wf::to_text(found.error())));
  REQUIRE(found->at("D").size() == 3);
  CHECK(found->at("D")(0) == none);
  CHECK(found->at("D")(1) == 2.5);
  CHECK(found->at("D")(2) == none);
}

TEST_CASE("errors of rules name the tensor, before and in a run") {
  const named_matrices good{{"A", dynamic_matrix::Ones(2, 3)}};
  const auto failure = [&](const char* source, const named_matrices& arguments) {
    const auto made = wf::compile(equations_of(source), types_of(good), wf::rules_backend());
    if (!made) return std::string(wf::to_text(made.error()));
    const auto found = (*made)(arguments);
    return found ? std::string() : std::string(wf::to_text(found.error()));
  };
  const auto says = [](const std::string& message, const char* part) {
    CAPTURE(message);
    return message.find(part) != std::string::npos;
  };
  CHECK(failure("Y[i] += A[i,j]", good).empty());
  CHECK(says(failure("Y[i] += A[i", good), "WF112 at step 'order': ',' or ']' is missing"));
  CHECK(says(failure("Y[i] += A[i,j]",
                     {{"A", dynamic_matrix::Ones(2, 3)}, {"B", dynamic_matrix::Ones(1, 1)}}),
             "the equations have no such tensor"));
  CHECK(says(failure("Y[i] += A[i,j]", {}), "A"));
  CHECK(says(failure("Y[] += A[i]", good), "the tensor is a column"));
  CHECK(says(failure("Y[i,j] = A[i,j] + k", good), "WF"));
  CHECK(says(failure("Y[i,j,k] = A[i,j] A[k,j]", good), "at most two indices"));
  CHECK(says(failure("Y[i] += A[i,j] C[k]", good), "in 'C' at step 'order'"));
  CHECK(says(failure("Y[i,k] += A[i,j]", good), "k"));
  wf::type_args fixed = types_of(good);
  fixed.fixed.push_back(wf::static_arg("s", 2.0));
  CHECK_FALSE(wf::compile(equations_of("Y[i] += A[i,j]"), fixed, wf::rules_backend()));
}
