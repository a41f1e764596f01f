// SPDX-License-Identifier: BSL-1.0
//
// Quantum circuits with published costs, built gate by gate, priced, and compared with the closed
// forms; examples/networks/circuits.hpp cites the sources.
#include <wf/cost/cost.hpp>
#include <wf/formula/language/parse.hpp>

#include <iomanip>
#include <iostream>
#include <string>

#include "networks/circuits.hpp"
#include "support.hpp"

using circuits::wires;

// --8<-- [start:static]
// While compiling: the count is derived from the captured gates, the expected figure from the
// paper.
constexpr auto adder = wf::workflow<"gidney_adder">([](wf::scope& s) {
  wf::circuit c(s);
  wires a = circuits::inputs(c, "a", 16), b = circuits::inputs(c, "b", 16);
  circuits::gidney_adder(c, a, b);
  circuits::outputs(c, "sum", b);
});
static_assert(wf::cost(adder)[wf::t_count] == 4 * 16 - 4);
static_assert(wf::cost(adder)[wf::qubits] == 3 * 16 - 1);
// --8<-- [end:static]

namespace {

// Builds a circuit of size n, prices it, and compares the price with the published figure.
template <class Build>
void compare(const char* what, const wf::metric_spec& metric, const char* formula, int n,
             const Build& build) {
  const wf::graph g = support::value_or_exit(wf::capture(what, [&](wf::scope& s) {
    wf::circuit c(s);
    build(c, n);
  }));
  const std::int64_t derived = support::value_or_exit(wf::price(g.view(), metric));
  const auto size = [n](wf::text_view name, wf::rational& out) {
    out = wf::rational(n);
    return name == "n";
  };
  const wf::formula published = support::value_or_exit(wf::parse_formula(formula));
  const std::int64_t expected =
      support::value_or_exit(wf::to_int64(support::value_or_exit(wf::evaluate(published, size))));
  std::cout << std::left << std::setw(34) << what << std::setw(10) << std::string(metric.name)
            << std::setw(26) << formula << " n = " << std::setw(4) << n << derived << '\n';
  support::require(derived == expected, "the derived count is the published one");
}

void two_registers(wf::circuit& c, int n, wires& a, wires& b) {
  a = circuits::inputs(c, "a", n);
  b = circuits::inputs(c, "b", n);
}
void hand_out(wf::circuit& c, const wires& a, const wires& b) {
  circuits::outputs(c, "a_out", a);
  circuits::outputs(c, "b_out", b);
}

}  // namespace

int main() {
  const auto cuccaro = [](wf::circuit& c, int n) {
    wires a, b;
    two_registers(c, n, a, b);
    wf::wire z = c.input("z"), x = c.zero();
    circuits::cuccaro_adder(c, a, b, x, z);
    hand_out(c, a, b);
    c.output("carry", z);
  };
  const auto takahashi = [](wf::circuit& c, int n) {
    wires a, b;
    two_registers(c, n, a, b);
    wf::wire z = c.input("z");
    circuits::takahashi_adder(c, a, b, z);
    hand_out(c, a, b);
    c.output("carry", z);
  };
  const auto gidney = [](wf::circuit& c, int n) {
    wires a, b;
    two_registers(c, n, a, b);
    circuits::gidney_adder(c, a, b);
    hand_out(c, a, b);
  };
  const auto draper = [](wf::circuit& c, int n) {
    wires a, b;
    two_registers(c, n, a, b);
    circuits::draper_adder(c, a, b);
    hand_out(c, a, b);
  };
  const auto fourier = [](wf::circuit& c, int n) {
    wires q = circuits::inputs(c, "q", n);
    circuits::fourier(c, q);
    circuits::outputs(c, "r", q);
  };
  const auto clean_not = [](wf::circuit& c, int n) {
    wires q = circuits::inputs(c, "q", n), help = circuits::zeros(c, n - 2);
    wf::wire target = c.input("t");
    circuits::controlled_not_clean(c, q, help, target);
    c.output("t_out", target);
  };
  const auto borrowed_not = [](wf::circuit& c, int n) {
    wires q = circuits::inputs(c, "q", n), help = circuits::inputs(c, "d", n - 2);
    wf::wire target = c.input("t");
    circuits::controlled_not_borrowed(c, q, help, target);
    c.output("t_out", target);
  };
  for (const int n : {4, 16, 64}) {
    compare("Cuccaro et al., adder", wf::toffolis, "2*n - 1", n, cuccaro);
    compare("Cuccaro et al., adder", wf::cnots, "5*n - 3", n, cuccaro);
    compare("Cuccaro et al., adder", wf::qubits, "2*n + 2", n, cuccaro);
    compare("Takahashi et al., adder", wf::gates, "7*n - 6", n, takahashi);
    compare("Takahashi et al., adder", wf::qubits, "2*n + 1", n, takahashi);
    compare("Gidney, adder", wf::t_count, "4*n - 4", n, gidney);
    compare("Gidney, adder", wf::qubits, "3*n - 1", n, gidney);
    compare("Draper, adder", wf::rotations, "n*(n+1)/2 + n*(n-1)", n, draper);
    compare("textbook Fourier transform", wf::rotations, "n*(n-1)/2", n, fourier);
    compare("textbook Fourier transform", wf::gates, "n + n*(n-1)/2 + n//2", n, fourier);
    compare("NOT of n controls, clean help", wf::toffolis, "2*n - 3", n, clean_not);
    compare("NOT of n controls, borrowed help", wf::toffolis, "4*(n - 2)", n, borrowed_not);
  }
}
