// SPDX-License-Identifier: BSL-1.0
//
// The node voltages of an alternating-current network, in complex numbers.
#include <complex>
#include <cstdio>

#include <wf/run/complex.hpp>
#include <wf/run/eigen.hpp>
#include <wf/wf.hpp>

// --8<-- [start:workflow]
using complex = std::complex<double>;
constexpr std::int64_t nodes = 40;

// The voltages V for injected currents I; the admittance matrix Y is symmetric.
constexpr auto network = wf::workflow<"network">([](wf::scope& s) {
  auto y = s.input<"Y", complex, nodes, nodes>(wf::symmetric | wf::nonsingular);
  auto i = s.input<"I", complex, nodes>();
  s.output<"V">(inv(y) * i);
});
// A multiplication of complex numbers is six flops, an addition two.
static_assert(wf::cost(network)[wf::flops] ==
              8 * nodes * nodes * nodes - 3 * nodes * nodes + 7 * nodes + 8 * nodes * nodes);

constexpr auto plan = wf::optimise<network>(wf::minimise(wf::flops));
// --8<-- [end:workflow]

using namespace wf::literals;

int main() {
  // A ring of inductors, with a capacitor and a conductance at every node.
  Eigen::MatrixXcd admittance = Eigen::MatrixXcd::Zero(nodes, nodes);
  for (Eigen::Index k = 0; k < nodes; ++k) {
    const Eigen::Index next = (k + 1) % nodes;
    const complex coil = 1.0 / complex(0.1, 2.0 + 0.05 * static_cast<double>(k));
    admittance(k, k) += coil + complex(0.02, 0.3);
    admittance(next, next) += coil;
    admittance(k, next) -= coil;
    admittance(next, k) -= coil;
  }
  Eigen::VectorXcd current = Eigen::VectorXcd::Zero(nodes);
  current(0) = {1, 0};

  // --8<-- [start:run]
  const Eigen::Matrix<complex, nodes, nodes> y = admittance;
  const Eigen::Matrix<complex, nodes, 1> i = current;
  const auto made = wf::run<plan>("Y"_arg = y, "I"_arg = i);

  const auto dynamic = wf::run_dynamic_c128(network.graph(), {{"Y", admittance}, {"I", current}});
  // --8<-- [end:run]
  if (!made || !dynamic) return 1;
  const Eigen::VectorXcd voltage = made["V"_arg], same = dynamic->at("V");

  std::printf("flops as written: %lld, of the plan: %lld\n",
              static_cast<long long>(wf::cost(network)[wf::flops]),
              static_cast<long long>(plan.value));
  std::printf("the voltage where the current enters: %.4f at %.1f degrees\n", std::abs(voltage(0)),
              std::arg(voltage(0)) * 180 / 3.14159265358979);
  const double residual = (admittance * voltage - current).cwiseAbs().maxCoeff();
  const double difference = (voltage - same).cwiseAbs().maxCoeff();
  const bool agree = residual < 1e-12 && difference < 1e-12;
  std::printf("both executors solve the network: %s\n", agree ? "yes" : "no");
  return agree ? 0 : 1;
}
