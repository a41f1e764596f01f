// SPDX-License-Identifier: BSL-1.0
//
// Texts of equations on matrices: the back end with the shortest predicted time runs them, a plan
// for this processor or the evaluation of rules.
#include <iostream>
#include <utility>

#include <wf/run/rules_backend.hpp>

#include "support.hpp"

namespace {

// --8<-- [start:compile]
wf::compiled_matrices compiled(const char* name, const char* equations,
                               const wf::named_matrices& arguments) {
  wf::type_args types;
  for (const auto& [argument, matrix] : arguments)
    types.types.push_back(
        {wf::text(argument), {wf::dtype::f64, {}, wf::shape::of(matrix.rows(), matrix.cols())}});
  auto made = wf::compile(wf::equation_text{wf::text(name), wf::text(equations)}, types);
  support::require(made.has_value(), "a back end can run the equations");
  std::cout << made->explain();
  return *std::move(made);
}
// --8<-- [end:compile]

}  // namespace

int main() {
  // --8<-- [start:run]
  wf::named_matrices links{{"A", wf::dynamic_matrix::Zero(4, 4)}};
  links["A"](0, 1) = links["A"](1, 2) = links["A"](2, 1) = 1;

  const auto ways = compiled("ways", "Ways[i,k] = A[i,j] A[j,k]", links);
  const auto reach = compiled("reach", R"(
    Reach(i,k) = A(i,k)
    Reach(i,k) = Reach(i,j) A(j,k)
  )",
                              links);

  std::cout << "ways of two links:\n" << ways(links)->at("Ways") << '\n';
  std::cout << "ways of any links:\n" << reach(links)->at("Reach") << '\n';
  // --8<-- [end:run]
  support::require(reach.backend() == "rules", "what recurs is evaluated as rules");
  support::require(reach(links)->at("Reach")(0, 2) == 1, "2 is reached by 1");
}
