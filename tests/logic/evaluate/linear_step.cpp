// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/linear_step.hpp>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/logic/evaluate/evaluate.hpp>
#include <wf/logic/program/unrolled.hpp>

namespace {

using namespace wf::logic;

// Whether each stratum of steps is computed as a matrix times a vector: "yn".
std::string fitting(const char* source, const evaluation_options& options = {}) {
  const detail::prepared_program p(*stratify(*read_program(source), source));
  const wf::registry operators = rule_registry();
  const database none_given;
  detail::rule_engine engine(p.strata.program, none_given, options, operators);
  std::string out;
  for (const stratum& s : p.strata.strata)
    if (s.stepped) out += detail::linear_step(engine, p.strata, s).fits() ? 'y' : 'n';
  return out;
}

// Programs whose steps are linear, with tensors that get entries from step to step.
const char* const programs[] = {
    "r[x,t=0] = b[x]\nr[y,t+1] = 0.1 b[y] + 0.7 M[x,y] r[x,t]\nexport r",
    "r[x,t=0] = b[x]\nr[y,t+1] = M[x,y] r[x,t] - 0.5 r[y,t] + 0.2 r[y,t-1]\ns[] += r[x,t]\n"
    "u[x] = s[] b[x]\nexport r\nexport u",
    "r[x,t=0] = b[x] [x < 1]\nr[y,t+1] = M[x,y] r[x,t]\nq[y] = 2 r[y,t+1] - r[y,t]\nexport r\n"
    "export q",
    "r[x,t=0] = b[x]\nw[x] = r[x,t] M[x,y]\nr[y,t+1] = tanh(w[y]) b[y]\nexport r\nexport w",
    "r[x,*t+1] = b[x] + 0.5 r[x,*t]\ns[] += r[x,*t]\nu[x] = s[] b[x]\nexport u\nexport s",
    "r[x,*t+1] = b[x] + 0.5 r[x+1,*t] + 0.25 r[x-1,*t]\nexport r"};

}  // namespace

TEST_CASE("rules are linear if each reads one changing tensor, as a factor") {
  CHECK(fitting("r[x,t=0] = b[x]\nr[y,t+1] = b[y] + M[x,y] r[x,t]") == "y");
  CHECK(fitting("r[x,t=0] = b[x]\nr[y,t+1] = b[y] + M[x,y] r[x,t] r[y,t]") == "n");
  CHECK(fitting("r[x,t=0] = b[x]\nr[y,t+1] = relu(r[y,t])") == "n");
  CHECK(fitting("r[x,t=0] = b[x]\nr[y,t+1] = b[y] r[y,t] [r[y,t] < 3]") == "n");
  CHECK(fitting("R(x,t=0) = B(x)\nR(y,t+1) = R(x,t) E(x,y)") == "n");
}

TEST_CASE("steps as products of a matrix are those of the rules") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 40; ++round)
    for (const char* source : programs) {
      CAPTURE(source);
      const auto n = static_cast<std::int64_t>(1 + random() % 6);
      std::vector<double> m(static_cast<std::size_t>(n * n)), b(static_cast<std::size_t>(n));
      for (double& v : b) v = std::uniform_real_distribution<double>(-1, 1)(random);
      relation sparse(2, true);
      for (position i = 0; i < n; ++i)
        for (position j = 0; j < n; ++j) {
          const position at[] = {i, j};
          if (random() % 3 == 0)
            sparse.append(at, std::uniform_real_distribution<double>(-1, 1)(random));
        }
      database inputs;
      inputs.add("M", sparse);
      const std::int64_t extents[] = {n};
      inputs.add_dense("b", extents, {b.data(), b.size()});
      const wf::text_view names[] = {"M", "b"};
      const auto strata = stratify(*read_program(source, names), source);
      REQUIRE(strata);
      for (const std::uint32_t steps : {1U, 2U, 5U, 9U}) {
        evaluation_options options;
        options.steps = steps;
        auto found = evaluate(*strata, inputs, options);
        REQUIRE(found);
        auto wanted = evaluate(*stratify(unrolled(*strata, steps), source), inputs);
        REQUIRE(wanted);
        for (std::size_t t = 0; t < wanted->tensors.size(); ++t) {
          const relation& a = found->tensors[t].entries();
          const relation& e = wanted->tensors[t].entries();
          REQUIRE(a.columns == e.columns);
          for (std::size_t i = 0; i < e.rows; ++i)
            CHECK(std::abs(a.values[i] - e.values[i]) <= 1e-12 * (1 + std::abs(e.values[i])));
        }
      }
    }
}
