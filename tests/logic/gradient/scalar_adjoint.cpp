// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/gradient/scalar_adjoint.hpp>

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include <wf/logic/program/functions.hpp>
#include <wf/logic/program/read_program.hpp>

#include "../shown_program.hpp"

namespace {

// The derivative of the value of a program's rule by its first factor or operand x, where the
// derivative of the whole is y: the rule with that value.
std::string derivative(const char* source, int* visits = nullptr) {
  auto p = wf::logic::read_program(source);
  REQUIRE(p);
  const wf::logic::rule r = p->rules[p->rules.size() - 1];
  const wf::logic::detail::scalar_writer w(*p);
  const std::uint32_t whole = w.leaf(wf::logic::scalar_kind::variable, 0);
  std::uint32_t found = wf::logic::none;
  const auto counts = [](const wf::logic::scalar_node& n) { return n.index == 0; };
  const auto visit = [&](const wf::logic::scalar_node&, std::uint32_t d) {
    found = d;
    if (visits != nullptr) ++*visits;
  };
  const wf::error e = wf::logic::detail::pass_derivative(*p, wf::logic::rule_registry(), r.value,
                                                         whole, counts, visit);
  if (e.code != wf::errc::none) return std::string(wf::to_text(e));
  if (found == wf::logic::none) return "none";
  wf::logic::rule shown = r;
  shown.value = found;
  const std::string line = wf_test::shown_program(*p).line(shown);
  return line.substr(line.find("= ") + 2, line.find(" <-") - line.find("= ") - 2);
}

}  // namespace

TEST_CASE("the equations of an adjoint become scalar expressions, without zeros and ones") {
  CHECK(derivative("Y[i] = x[i] z[i]") == "(i * z[i])");
  CHECK(derivative("Y[i] = -x[i]") == "-i");
  CHECK(derivative("Y[i] = z[i] z[i]") == "(i * z[i])");
  CHECK(derivative("Y[i] = relu(x[i])") == "(step(?x[i]) * i)");
  CHECK(derivative("Y[i] = where(less(x[i], 2), x[i], z[i])") == "(less(?x[i]; 2) ? i : 0)");
  CHECK(derivative("Y[i] = step(x[i])") == "none");
  CHECK(derivative("Y[i] = 3") == "none");
}

TEST_CASE("every occurrence is visited") {
  int visits = 0;
  (void)derivative("Y[i] = z[i] z[i] z[i]", &visits);
  CHECK(visits == 3);
}
