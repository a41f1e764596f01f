// SPDX-License-Identifier: BSL-1.0
#include <linalg/hand.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/equations/equations.hpp>

#include <linalg/agreement.hpp>
#include <linalg/inputs.hpp>
#include <linalg/lower.hpp>
#include <linalg/read_linnea.hpp>

using namespace linalg_benchmark;

namespace {

// The published problems; empty without the data.
std::vector<problem> published(double scale) {
  const char* const data = std::getenv("WF_DATA_DIR");
  const auto path =
      std::filesystem::path(data == nullptr ? "" : data) / "linnea" / "application_public.json";
  if (!std::filesystem::exists(path)) {
    MESSAGE("skipped: no linnea problems; set WF_DATA_DIR to the data directory");
    return {};
  }
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto read = read_linnea({text.data(), text.size()}, scale);
  REQUIRE(read);
  REQUIRE(read->size() == 18);
  return *read;
}

output_values exact_values(const problem& p, const wf::named_matrices& inputs) {
  const auto captured =
      wf::equations({p.name.data(), p.name.size()}, {p.text.data(), p.text.size()});
  REQUIRE(captured);
  auto read = read_formula(captured->view(), inverses::computed, repetitions::as_written);
  REQUIRE(read);
  formulas f;
  f.computed = *read;
  return exact_outputs(f, inputs);
}

// An instance of the formula, with numbers in place of its letters.
problem instance_of(const hand_plan& plan) {
  problem out;
  bool is_shape = false;
  for (const char* c = plan.formula; *c != '\0'; ++c) {
    is_shape = *c == '[' || (is_shape && *c != ']');
    if (is_shape && *c >= 'a' && *c <= 'z')
      out.text += std::to_string(*c - 'a' + 3);
    else
      out.text += *c;
  }
  return out;
}

}  // namespace

TEST_CASE("a formula is known by its text, whatever the extents") {
  const std::string formula =
      "input A : f64[n, m] {full_rank}\ninput x : f64[m, 1]\ny = A*x\nexport y\n";
  const auto is = [&](const std::string& text) { return is_instance(formula, text); };
  CHECK(is("input A : f64[30, 5] {full_rank}\ninput x : f64[5, 1]\ny = A*x\nexport y\n"));
  CHECK(is("input A : f64[5, 5] {full_rank}\ninput x : f64[5, 1]\ny  =  A*x\nexport y\n"));
  CHECK_FALSE(is("input A : f64[30, 5] {full_rank}\ninput x : f64[30, 1]\ny = A*x\nexport y\n"));
  CHECK_FALSE(is("input A : f64[30, 5] {full_rank}\ninput x : f64[5, 2]\ny = A*x\nexport y\n"));
  CHECK_FALSE(is("input A : f64[30, 5]\ninput x : f64[5, 1]\ny = A*x\nexport y\n"));
  CHECK_FALSE(is("input A : f64[30, 5] {full_rank}\ninput x : f64[5, 1]\ny = 2*A*x\nexport y\n"));
  CHECK_FALSE(is("input A : f64[30, 5] {full_rank}\ninput x : f64[5, 1]\ny = A*x\n"));
  CHECK_FALSE(is("input A : f64[30, 5] {full_rank}\ninput x : f64[5, 1]\ny = A*x\nexport y\n\n"));
  CHECK_FALSE(is("input A : f64[, 5] {full_rank}\ninput x : f64[5, 1]\ny = A*x\nexport y\n"));
  CHECK_FALSE(is(""));
}

TEST_CASE("each formula has one program, and another one of the same name none") {
  std::set<std::string> names;
  for (const hand_plan& plan : hand_plans()) {
    CAPTURE(plan.name);
    CHECK(names.insert(plan.name).second);
    problem p = instance_of(plan);
    p.name = plan.name;
    std::size_t fitting = 0;
    for (const hand_plan& other : hand_plans())
      fitting += is_instance(other.formula, p.text) ? 1 : 0;
    CHECK(fitting == 1);
    CHECK(wf::equations("sample", p.text.c_str()));
    const std::size_t sum = p.text.find(" = ");
    REQUIRE(sum != std::string::npos);
    p.text.insert(sum + 3, "2*");
    CHECK_FALSE(hand_rival(p, {}));
  }
  CHECK(names.size() == 18);
}

TEST_CASE("every program by hand computes what the formula says") {
  // Divisors of the extents: some results are no multiples of the programs' block sizes.
  for (const double scale : {25.0, 37.0, 90.0})
    for (const problem& p : published(scale)) {
      CAPTURE(p.name);
      CAPTURE(scale);
      const wf::named_matrices inputs = make_inputs(p, 5);
      const output_values expected = exact_values(p, inputs);
      const auto by_hand = hand_rival(p, inputs);
      REQUIRE(by_hand);
      CHECK(by_hand->name == "hand");
      by_hand->run();
      CHECK(difference(by_hand->outputs(), expected) < 1e-9);
      by_hand->run();  // once more, with the temporaries of the first run
      CHECK(difference(by_hand->outputs(), expected) < 1e-9);
    }
}

TEST_CASE("programs by hand compute larger ones, too") {
  // Larger than the blocks of factorisations and panels, against naive Eigen.
  for (const problem& p : published(12)) {
    CAPTURE(p.name);
    const auto captured =
        wf::equations({p.name.data(), p.name.size()}, {p.text.data(), p.text.size()});
    REQUIRE(captured);
    auto read = read_formula(captured->view(), inverses::computed, repetitions::computed_once);
    REQUIRE(read);
    formulas f;
    f.computed = *read;
    const wf::named_matrices inputs = make_inputs(p, 6);
    const rival naive = eigen_naive_rival(f, inputs);
    naive.run();
    const auto by_hand = hand_rival(p, inputs);
    REQUIRE(by_hand);
    by_hand->run();
    CHECK(difference(by_hand->outputs(), naive.outputs()) < 1e-8);
  }
}
