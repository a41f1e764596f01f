// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/circuit.hpp>

#include <map>
#include <string>

#include <doctest/doctest.h>

#include <wf/cost/cost.hpp>
#include <wf/registry/domain/builtin.hpp>

#include "../../examples/networks/circuits.hpp"
#include "run_circuit.hpp"

namespace {

using circuits::wires;

template <class Build>
wf::graph captured(const Build& build) {
  auto made = wf::capture("circuit", [&](wf::scope& s) {
    wf::circuit c(s);
    build(c);
  });
  REQUIRE_MESSAGE(made, std::string(wf::to_text(made.error()).view()));
  return *made;
}

std::int64_t priced(const wf::graph& g, const wf::metric_spec& m) {
  const auto p = wf::price(g.view(), m);
  REQUIRE_MESSAGE(p, std::string(wf::to_text(p.error()).view()));
  return *p;
}
std::int64_t count(const wf::graph& g, const char* op) {
  std::int64_t n = 0;
  for (const wf::node& node : g.view().nodes) n += g.view().op_name(node) == op ? 1 : 0;
  return n;
}

std::vector<int> bits(std::uint64_t value, int n) {
  std::vector<int> out;
  for (int i = 0; i < n; ++i) out.push_back(static_cast<int>((value >> i) & 1));
  return out;
}
std::uint64_t number(const std::vector<int>& from, std::size_t first, int n) {
  std::uint64_t out = 0;
  for (int i = 0; i < n; ++i)
    out |= static_cast<std::uint64_t>(from[first + static_cast<std::size_t>(i)]) << i;
  return out;
}
std::vector<int> joined(std::vector<int> a, const std::vector<int>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Adders with inputs a, b and others, and those of the outputs a, b, z, x that they have.
wf::graph adder(int n, bool has_z, bool has_x, auto&& build) {
  return captured([&](wf::circuit& c) {
    wires a = circuits::inputs(c, "a", n), b = circuits::inputs(c, "b", n);
    wires z, x;
    if (has_z) z = circuits::inputs(c, "z", 1);
    if (has_x) x = circuits::zeros(c, 1);
    build(c, a, b, x, z);
    circuits::outputs(c, "a_out", a);
    circuits::outputs(c, "sum", b);
    circuits::outputs(c, "carry", z);
    circuits::outputs(c, "x_out", x);
  });
}

void check_addition(const wf::graph& g, int n, bool has_z, bool has_x) {
  for (std::uint64_t a = 0; a < (1u << n); ++a)
    for (std::uint64_t b = 0; b < (1u << n); ++b)
      for (int z = 0; z <= (has_z ? 1 : 0); ++z) {
        std::vector<int> in = joined(bits(a, n), bits(b, n));
        if (has_z) in.push_back(z);
        const std::vector<int> out = run_circuit::on_bits(g.view(), in);
        const auto width = static_cast<std::size_t>(n);
        REQUIRE(number(out, 0, n) == a);
        REQUIRE(number(out, width, n) == ((a + b) & ((1u << n) - 1)));
        if (has_z) REQUIRE(out[2 * width] == (z ^ static_cast<int>((a + b) >> n)));
        if (has_x) REQUIRE(out[2 * width + 1] == 0);
      }
}

const auto simple_cuccaro = [](wf::circuit& c, wires& a, wires& b, wires& x, wires& z) {
  circuits::simple_cuccaro_adder(c, a, b, x[0], z[0]);
};
const auto cuccaro = [](wf::circuit& c, wires& a, wires& b, wires& x, wires& z) {
  circuits::cuccaro_adder(c, a, b, x[0], z[0]);
};
const auto takahashi = [](wf::circuit& c, wires& a, wires& b, wires&, wires& z) {
  circuits::takahashi_adder(c, a, b, z[0]);
};
const auto gidney = [](wf::circuit& c, wires& a, wires& b, wires&, wires&) {
  circuits::gidney_adder(c, a, b);
};
const auto draper = [](wf::circuit& c, wires& a, wires& b, wires&, wires&) {
  circuits::draper_adder(c, a, b);
};

// One size of each adder while compiling.
constexpr auto cuccaro_12 = wf::workflow<"cuccaro">([](wf::scope& s) {
  wf::circuit c(s);
  wires a = circuits::inputs(c, "a", 12), b = circuits::inputs(c, "b", 12);
  wf::wire z = c.input("z"), x = c.zero();
  circuits::cuccaro_adder(c, a, b, x, z);
  circuits::outputs(c, "sum", b);
});
static_assert(wf::cost(cuccaro_12)[wf::toffolis] == 2 * 12 - 1);
static_assert(wf::cost(cuccaro_12)[wf::cnots] == 5 * 12 - 3);
static_assert(wf::cost(cuccaro_12)[wf::t_count] == 7 * (2 * 12 - 1));
static_assert(wf::cost(cuccaro_12)[wf::qubits] == 2 * 12 + 2);
constexpr auto gidney_16 = wf::workflow<"gidney">([](wf::scope& s) {
  wf::circuit c(s);
  wires a = circuits::inputs(c, "a", 16), b = circuits::inputs(c, "b", 16);
  circuits::gidney_adder(c, a, b);
  circuits::outputs(c, "sum", b);
});
static_assert(wf::cost(gidney_16)[wf::t_count] == 4 * 16 - 4);
static_assert(wf::cost(gidney_16)[wf::qubits] == 3 * 16 - 1);
constexpr auto fourier_16 = wf::workflow<"fourier">([](wf::scope& s) {
  wf::circuit c(s);
  wires q = circuits::inputs(c, "q", 16);
  circuits::fourier(c, q);
  circuits::outputs(c, "r", q);
});
static_assert(wf::cost(fourier_16)[wf::rotations] == 16 * 15 / 2);
static_assert(wf::cost(fourier_16)[wf::gates] == 16 + 16 * 15 / 2 + 8);
static_assert(circuits::grover_iterations(2, 1) == 1 && circuits::grover_iterations(20, 1) == 804);

}  // namespace

TEST_CASE("row 4: the simple Cuccaro adder: 2n Toffolis, 4n + 1 CNOTs, 2n + 2 qubits") {
  for (int n = 1; n <= 24; ++n) {
    const wf::graph g = adder(n, true, true, simple_cuccaro);
    CHECK(priced(g, wf::toffolis) == 2 * n);
    CHECK(priced(g, wf::cnots) == 4 * n + 1);
    CHECK(priced(g, wf::gates) == 6 * n + 1);
    CHECK(priced(g, wf::qubits) == 2 * n + 2);
    if (n <= 4) check_addition(g, n, true, true);
  }
}

TEST_CASE("row 4: Cuccaro's adder: 2n - 1 Toffolis, 5n - 3 CNOTs, 2n - 4 NOTs, depth 2n + 4") {
  for (int n = 4; n <= 24; ++n) {
    const wf::graph g = adder(n, true, true, cuccaro);
    CHECK(priced(g, wf::toffolis) == 2 * n - 1);
    CHECK(priced(g, wf::cnots) == 5 * n - 3);
    CHECK(count(g, "pauli_x") == 2 * n - 4);
    CHECK(priced(g, wf::t_count) == 7 * (2 * n - 1));
    CHECK(priced(g, wf::qubits) == 2 * n + 2);
    CHECK(run_circuit::depth(g.view()) == 2 * n + 4);
    if (n <= 5) check_addition(g, n, true, true);
  }
}

TEST_CASE("row 4: Takahashi's adder: 7n - 6 gates, 2n - 1 of them Toffolis, no ancilla") {
  for (int n = 2; n <= 24; ++n) {
    const wf::graph g = adder(n, true, false, takahashi);
    CHECK(priced(g, wf::gates) == 7 * n - 6);
    CHECK(priced(g, wf::toffolis) == 2 * n - 1);
    CHECK(priced(g, wf::cnots) == 5 * n - 5);
    CHECK(priced(g, wf::qubits) == 2 * n + 1);
    if (n <= 4) check_addition(g, n, true, false);
  }
}

TEST_CASE("row 4: Gidney's adder: 4n - 4 T gates, 3n - 1 qubits") {
  for (int n = 1; n <= 24; ++n) {
    const wf::graph g = adder(n, false, false, gidney);
    CHECK(priced(g, wf::t_count) == 4 * n - 4);
    CHECK(count(g, "compute_and") == n - 1);
    CHECK(count(g, "erase_and") == n - 1);
    CHECK(priced(g, wf::toffolis) == 0);
    CHECK(priced(g, wf::qubits) == 3 * n - 1);
    if (n <= 5) check_addition(g, n, false, false);
  }
}

TEST_CASE("row 4: the textbook Fourier transform: n, n(n - 1)/2, floor(n/2) gates; it transforms") {
  for (int n = 1; n <= 16; ++n) {
    const wf::graph g = captured([n](wf::circuit& c) {
      wires q = circuits::inputs(c, "q", n);
      circuits::fourier(c, q);
      circuits::outputs(c, "r", q);
    });
    CHECK(count(g, "hadamard") == n);
    CHECK(priced(g, wf::rotations) == n * (n - 1) / 2);
    CHECK(count(g, "swap") == n / 2);
    CHECK(priced(g, wf::gates) == n + n * (n - 1) / 2 + n / 2);
    CHECK(priced(g, wf::qubits) == n);
    // The operator on a whole register has the same counts.
    const wf::result<wf::graph> one = wf::capture("one", [n](wf::scope& s) {
      wf::dynamic_handle<wf::qubit> q = s.input<wf::qubit>("q", wf::shape::of(n));
      s.output("r", wf::quantum_fourier(q));
    });
    REQUIRE(one);
    for (const wf::metric_spec& m : {wf::gates_::spec, wf::rotations_::spec, wf::qubits_::spec})
      CHECK(priced(*one, m) == priced(g, m));
    if (n > 5) continue;
    const std::size_t size = std::size_t{1} << n;
    for (std::size_t j = 0; j < size; ++j) {
      const run_circuit::state psi(g.view(), j);
      for (std::size_t k = 0; k < size; ++k) {
        const auto angle = 2 * M_PI * static_cast<double>(j * k % size) / static_cast<double>(size);
        const auto expected = std::polar(1 / std::sqrt(static_cast<double>(size)), angle);
        std::size_t index = 0;
        for (int i = 0; i < n; ++i)
          if (((k >> i) & 1) != 0)
            index |= std::size_t{1} << psi.place(static_cast<std::size_t>(i));
        REQUIRE(std::abs(psi.amplitudes()[index] - expected) < 1e-12);
      }
    }
  }
}

TEST_CASE("row 4: Draper's adder: n(n + 1)/2 rotations between two transforms, 2n qubits") {
  for (int n = 1; n <= 16; ++n) {
    const wf::graph g = adder(n, false, false, draper);
    CHECK(priced(g, wf::rotations) == n * (n + 1) / 2 + n * (n - 1));
    CHECK(count(g, "hadamard") == 2 * n);
    CHECK(priced(g, wf::gates) == 2 * n + n * (n + 1) / 2 + n * (n - 1));
    CHECK(priced(g, wf::qubits) == 2 * n);
    if (n > 3) continue;
    for (std::size_t a = 0; a < (std::size_t{1} << n); ++a)
      for (std::size_t b = 0; b < (std::size_t{1} << n); ++b) {
        const run_circuit::state psi(g.view(), a | b << n);
        const std::size_t sum = (a + b) & ((std::size_t{1} << n) - 1);
        REQUIRE(std::abs(psi.amplitudes()[a | sum << n] - 1.0) < 1e-12);
      }
  }
}

TEST_CASE("row 4: a NOT of m controls: 2m - 3 Toffolis with clean, 4(m - 2) with borrowed qubits") {
  for (int m = 3; m <= 18; ++m)
    for (const bool clean : {true, false}) {
      const wf::graph g = captured([&](wf::circuit& c) {
        wires q = circuits::inputs(c, "q", m);
        wf::wire target = c.input("t");
        wires help = clean ? circuits::zeros(c, m - 2) : circuits::inputs(c, "d", m - 2);
        if (clean)
          circuits::controlled_not_clean(c, q, help, target);
        else
          circuits::controlled_not_borrowed(c, q, help, target);
        circuits::outputs(c, "q_out", q);
        c.output("t_out", target);
        circuits::outputs(c, "help_out", help);
      });
      CHECK(priced(g, wf::toffolis) == (clean ? 2 * m - 3 : 4 * (m - 2)));
      CHECK(priced(g, wf::gates) == priced(g, wf::toffolis));
      CHECK(priced(g, wf::qubits) == 2 * m - 1);
      if (m > 5) continue;
      const int inputs = clean ? m + 1 : 2 * m - 1;
      for (std::uint64_t v = 0; v < (1u << inputs); ++v) {
        const std::vector<int> in = bits(v, inputs);
        std::vector<int> expected =
            joined(in, std::vector<int>(clean ? static_cast<std::size_t>(m) - 2 : 0, 0));
        if (number(in, 0, m) == (1u << m) - 1) expected[static_cast<std::size_t>(m)] ^= 1;
        REQUIRE(run_circuit::on_bits(g.view(), in) == expected);
      }
    }
}

TEST_CASE("row 4: phase estimation: 2^t - 1 controlled operators on t + n qubits") {
  const wf::metric_spec calls{"unitary_calls", "call"};
  for (int t = 1; t <= 10; ++t) {
    const int n = 3;
    const auto made = wf::capture("estimation", [&](wf::scope& s) {
      wf::circuit c(s);
      wires counting = circuits::zeros(c, t);
      wf::dynamic_handle<wf::qubit> eigenstate = s.input<wf::qubit>("u", wf::shape::of(n));
      circuits::phase_estimation(c, counting, [&](wf::wire& control) {
        const auto [d, r] =
            s.let_each(wf::call<wf::kernels::controlled_unitary>(control, eigenstate));
        control = wf::wire(&s, d.id());
        eigenstate = r;
      });
      for (int i = 0; i < t; ++i)
        s.output((wf::text() << "bit" << i).view(), c.measure(counting[static_cast<unsigned>(i)]));
      s.output("eigenstate", eigenstate);
    });
    REQUIRE_MESSAGE(made, std::string(wf::to_text(made.error()).view()));
    CHECK(priced(*made, calls) == (1 << t) - 1);
    CHECK(priced(*made, wf::qubits) == t + n);
    CHECK(count(*made, "hadamard") == 2 * t);
    CHECK(priced(*made, wf::rotations) == t * (t - 1) / 2);
  }
}

TEST_CASE("phase estimation finds a phase of t bits for sure") {
  const int t = 4;
  for (int phase = 0; phase < (1 << t); ++phase) {
    const wf::graph g = captured([&](wf::circuit& c) {
      wires counting = circuits::zeros(c, t);
      wf::wire eigenstate = c.input("u");
      circuits::phase_estimation(c, counting, [&](wf::wire& control) {
        for (int bit = 0; bit < t; ++bit)  // diag(1, exp(2πi·phase/2^t)) as its binary fractions
          if (((phase >> bit) & 1) != 0) c.controlled_phase(t - bit, control, eigenstate);
      });
      circuits::outputs(c, "r", counting);
    });
    const run_circuit::state psi(g.view(), 1);  // the input is |1>
    std::size_t index = 1;
    for (int i = 0; i < t; ++i)
      if (((phase >> i) & 1) != 0) index |= std::size_t{1} << psi.place(static_cast<unsigned>(i));
    CHECK(std::abs(std::abs(psi.amplitudes()[index]) - 1) < 1e-12);
  }
}

TEST_CASE("row 4: Grover's search: floor(pi/4 sqrt(N/M)) calls of the oracle") {
  const wf::metric_spec calls{"oracle_calls", "call"};
  for (int n = 2; n <= 16; ++n)
    for (const std::int64_t marked : {1, 2, 3}) {
      if (marked > (1 << n) / 4) continue;
      const std::int64_t k = circuits::grover_iterations(n, marked);
      CHECK(k == static_cast<std::int64_t>(M_PI / 4 *
                                           std::sqrt(std::exp2(n) / static_cast<double>(marked))));
      const auto made = wf::capture("search", [&](wf::scope& s) {
        wf::dynamic_handle<wf::qubit> q =
            wf::hadamard_gate(s.input<wf::qubit>("q", wf::shape::of(n)));
        circuits::grover(
            k, [&] { q = wf::call<wf::kernels::phase_oracle>(q); },
            [&] { q = wf::call<wf::kernels::diffusion>(q); });
        s.output("found", wf::measure(q));
      });
      REQUIRE(made);
      CHECK(priced(*made, calls) == k);
      CHECK(priced(*made, wf::qubits) == n);
      CHECK(priced(*made, wf::toffolis) == k * (n > 2 ? 2 * n - 5 : 0));
    }
}

TEST_CASE("Grover's search, gate by gate, succeeds with probability sin²((2k + 1)θ)") {
  for (int n = 2; n <= 5; ++n) {
    const std::uint64_t mark = 0b10110 & ((1u << n) - 1);
    const std::int64_t k = circuits::grover_iterations(n, 1);
    const wf::graph g = captured([&](wf::circuit& c) {
      wires q = circuits::inputs(c, "q", n), clean = circuits::zeros(c, n > 3 ? n - 3 : 0);
      for (wf::wire& w : q) c.h(w);
      circuits::grover(
          k, [&] { circuits::flip_phase(c, q, clean, mark); },
          [&] { circuits::reflect_about_mean(c, q, clean); });
      circuits::outputs(c, "r", q);
    });
    const run_circuit::state psi(g.view(), 0);
    const double theta = std::asin(std::sqrt(1 / std::exp2(n)));
    const double expected = std::pow(std::sin((2 * static_cast<double>(k) + 1) * theta), 2);
    CHECK(std::norm(psi.amplitudes()[mark]) == doctest::Approx(expected).epsilon(1e-9));
    CHECK(expected > 0.9);
  }
}

TEST_CASE("the diffusion operator counts what its gates count") {
  for (int n = 2; n <= 12; ++n) {
    const wf::graph g = captured([n](wf::circuit& c) {
      wires q = circuits::inputs(c, "q", n), clean = circuits::zeros(c, n > 3 ? n - 3 : 0);
      circuits::reflect_about_mean(c, q, clean);
      circuits::outputs(c, "r", q);
    });
    const auto one = wf::capture("one", [n](wf::scope& s) {
      wf::dynamic_handle<wf::qubit> q = s.input<wf::qubit>("q", wf::shape::of(n));
      s.output("r", wf::call<wf::kernels::diffusion>(q));
    });
    REQUIRE(one);
    for (const wf::metric_spec& m :
         {wf::gates_::spec, wf::toffolis_::spec, wf::t_count_::spec, wf::cnots_::spec})
      CHECK(priced(*one, m) == priced(g, m));
  }
}

TEST_CASE("a qubit of another workflow, or none, is an error") {
  const auto none = wf::capture("none", [](wf::scope& s) {
    wf::circuit c(s);
    wf::wire q = c.input("q"), nothing;
    c.cnot(q, nothing);
    c.output("r", q);
  });
  REQUIRE_FALSE(none);
  CHECK(none.error().code == wf::errc::foreign_handle);
}

TEST_CASE("every gate is a node of its own kernel") {
  const wf::graph g = captured([](wf::circuit& c) {
    wf::wire q = c.input("q"), r = c.zero();
    c.h(q), c.x(q), c.y(q), c.z(q), c.s(q), c.s_inverse(q), c.t(q), c.t_inverse(q), c.phase(3, q);
    c.cz(q, r), c.swap(q, r), c.reset(r);
    c.output("q_out", q);
    c.output("r_out", r);
  });
  for (const char* op : {"hadamard", "pauli_x", "pauli_y", "pauli_z", "phase_s", "phase_s_inverse",
                         "phase_t", "phase_t_inverse", "phase", "controlled_z", "swap", "reset"})
    CHECK_MESSAGE(count(g, op) == 1, op);
  CHECK(count(g, "prepare") == 1);
}

TEST_CASE("row 3: the laws of gates hold for what they do to every basis state") {
  const wf::registry r = wf::builtin_registry();
  int checked = 0;
  for (const wf::kernel_spec* k : r.kernels()) {
    if (k->domain != "quantum" || k->laws.inverse.empty()) continue;
    const auto s = wf::parse_signature(k->signature);
    const std::size_t arity = s->inputs;
    if (s->parameters.size() != 2 * arity || !s->parameters[0].leading) continue;  // no gate
    CAPTURE(std::string(k->name));
    const wf::kernel_spec* inverse = r.find(k->laws.inverse);
    wf::graph g("twice");
    std::vector<wf::value_id> q;
    for (std::size_t i = 0; i < arity; ++i)
      q.push_back(g.add_input((wf::text() << 'q' << i).view(), wf::wire::type));
    const std::vector<wf::value_type> types(arity, wf::wire::type);
    for (const wf::kernel_spec* gate : {k, inverse}) {
      wf::node_description d;
      d.op = gate->name;
      d.domain = gate->domain;
      const wf::node_id n = g.add_node(d, {q.data(), q.size()}, {types.data(), types.size()});
      for (std::uint32_t i = 0; i < arity; ++i) q[i] = wf::graph_view::output_of(g[n], i);
    }
    for (std::size_t basis = 0; basis < (std::size_t{1} << arity); ++basis)
      CHECK(std::abs(run_circuit::state(g.view(), basis).amplitudes()[basis] - 1.0) < 1e-12);
    ++checked;
  }
  CHECK(checked >= 12);
}

TEST_CASE("row 3: the Fourier transform and its inverse cancel, as does reflecting twice") {
  for (int n = 2; n <= 4; ++n) {
    const wf::graph transforms = captured([n](wf::circuit& c) {
      wires q = circuits::inputs(c, "q", n);
      circuits::fourier(c, q);
      circuits::inverse_fourier(c, q);
      circuits::outputs(c, "r", q);
    });
    const wf::graph reflections = captured([n](wf::circuit& c) {
      wires q = circuits::inputs(c, "q", n), clean = circuits::zeros(c, n > 3 ? n - 3 : 0);
      circuits::reflect_about_mean(c, q, clean);
      circuits::reflect_about_mean(c, q, clean);
      circuits::outputs(c, "r", q);
    });
    for (std::size_t basis = 0; basis < (std::size_t{1} << n); ++basis)
      for (const wf::graph* g : {&transforms, &reflections})
        CHECK(std::abs(run_circuit::state(g->view(), basis).amplitudes()[basis] - 1.0) < 1e-12);
  }
}
