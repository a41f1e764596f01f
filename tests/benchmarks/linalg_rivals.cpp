// SPDX-License-Identifier: BSL-1.0
#include <linalg/rival.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <Eigen/LU>
#include <Eigen/SVD>

#include <wf/capture/equations/equations.hpp>

#include <linalg/inputs.hpp>
#include <linalg/read_formulas.hpp>

using namespace linalg_benchmark;

namespace {

// A random formula of matrices up to 6x6.
class formula_writer {
 public:
  explicit formula_writer(std::uint64_t seed) : random_(seed) {}

  problem operator()() {
    out_ = {};
    out_.name = "random";
    std::string equations;
    const std::uint32_t count = 1 + random_() % 2;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::string name = "Y" + std::to_string(i);
      equations += name + " = " + write(size(), size(), 3) + "\nexport " + name + "\n";
      out_.outputs.push_back(name);
    }
    for (const operand& o : out_.inputs) out_.text += declare(o);
    out_.text += equations;
    return out_;
  }

 private:
  std::int64_t size() { return 1 + static_cast<std::int64_t>(random_() % 6); }

  static std::string declare(const operand& o) {
    std::string names = static_cast<std::string>(wf::to_text(o.declared));
    for (char& c : names) c = c == ' ' ? ',' : c;
    const std::string shape =
        o.scalar ? "" : std::to_string(o.rows) + ", " + std::to_string(o.columns);
    return "input " + o.name + " : f64[" + shape + "]" + (names.empty() ? "" : " {" + names + "}") +
           "\n";
  }
  // An input of that shape: a new one, or one that exists already.
  std::string input(std::int64_t rows, std::int64_t columns, bool scalar = false) {
    for (const operand& o : out_.inputs)
      if (o.rows == rows && o.columns == columns && o.scalar == scalar && random_() % 3 == 0)
        return o.name;
    const wf::properties square[] = {wf::spd,
                                     wf::psd | wf::full_rank,
                                     wf::symmetric | wf::nonsingular,
                                     wf::lower_triangular | wf::nonsingular,
                                     wf::upper_triangular | wf::nonsingular,
                                     wf::diagonal | wf::nonsingular,
                                     wf::orthogonal,
                                     wf::permutation,
                                     wf::identity,
                                     wf::nonsingular};
    const wf::properties any[] = {wf::full_rank, wf::full_rank | wf::upper_triangular,
                                  wf::full_rank | wf::lower_triangular};
    operand made{"M" + std::to_string(out_.inputs.size()), rows, columns, scalar, {}};
    if (scalar && random_() % 2 == 0)
      made.declared = wf::positive;
    else if (!scalar && rows == columns && rows > 1)
      made.declared = square[random_() % std::size(square)];
    else if (rows > 1 && columns > 1)
      made.declared = any[random_() % std::size(any)];
    out_.inputs.push_back(made);
    return made.name;
  }

  std::string write(std::int64_t rows, std::int64_t columns, int depth) {
    if (depth == 0) return input(rows, columns);
    const auto part = [&](std::int64_t r, std::int64_t c) { return write(r, c, depth - 1); };
    switch (random_() % 8) {
      case 0:
        return input(rows, columns);
      case 1:
        return "trans(" + part(columns, rows) + ")";
      case 2:
        return "(" + part(rows, columns) + (random_() % 2 == 0 ? " + " : " - ") +
               part(rows, columns) + ")";
      case 3:
        return input(1, 1, true) + "*" + part(rows, columns);
      case 4:
        if (rows == columns) return "inv(" + part(rows, rows) + ")";
        return "inv(" + part(rows, rows) + ")*" + part(rows, columns);
      case 5: {
        if (rows != columns) return part(rows, columns) + "*inv(" + part(columns, columns) + ")";
        const std::string of = input(rows + 2, rows);
        return "(trans(" + of + ")*" + of + ")";
      }
      default: {
        const std::int64_t inner = size(), middle = size();
        return part(rows, inner) + "*" + part(inner, middle) + "*" + part(middle, columns);
      }
    }
  }

  std::mt19937_64 random_;
  problem out_;
};

// The captured graph, evaluated node by node in the plainest way.
class plain_evaluation {
 public:
  bool trusted = true;  // no inverted matrix is ill-conditioned

  output_values operator()(const wf::graph_view& g, const wf::named_matrices& inputs) {
    std::vector<Eigen::MatrixXd> values;
    for (const wf::value& v : g.values) {
      if (v.producer == wf::node_id::none) {
        values.push_back(inputs.at(static_cast<std::string>(wf::text(g.text_of(v.name)))));
        continue;
      }
      const wf::node& n = g[v.producer];
      const wf::view<wf::value_id> of = g.inputs_of(n);
      values.push_back(compute(g.op_name(n), values[index_of(of[0])],
                               values[index_of(of[of.size() - 1])], v.type.shape.rank));
    }
    output_values out;
    for (const wf::output& o : g.outputs) out.push_back(values[index_of(o.source)]);
    return out;
  }

 private:
  Eigen::MatrixXd compute(wf::text_view op, const Eigen::MatrixXd& a, const Eigen::MatrixXd& b,
                          std::uint32_t rank) {
    if (op == "matmul") return a * b;
    if (op == "transpose") return a.transpose();
    if (op == "add") return a + b;
    if (op == "subtract") return a - b;
    if (op == "multiply" && (rank == 0 || a.size() == 1)) return a(0, 0) * b;
    if (op == "multiply") return a * b(0, 0);
    if (op == "reciprocal") return a.cwiseInverse();
    REQUIRE(op == "inverse");
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(a);
    const auto& s = svd.singularValues();
    trusted = trusted && s.minCoeff() > 1e-4 * s.maxCoeff();
    return a.inverse();
  }
};

}  // namespace

TEST_CASE("all rivals compute what the formula says") {
  const bool has_armadillo = !armadillo_rivals({}, {}).empty();
  if (!has_armadillo) MESSAGE("without Armadillo and OpenBLAS, which are not installed");
  formula_writer write(31);
  int compared = 0;
  for (int round = 0; round < 4000; ++round) {
    const problem p = write();
    CAPTURE(p.text);
    const auto g = wf::equations("random", p.text.c_str());
    REQUIRE(g);
    const wf::named_matrices inputs = make_inputs(p, static_cast<std::uint64_t>(round));
    plain_evaluation evaluate;
    const output_values expected = evaluate(g->view(), inputs);
    if (!evaluate.trusted) continue;
    ++compared;
    auto f = read_formulas(g->view());
    REQUIRE(f);
    CHECK(difference(exact_outputs(*f, inputs), expected) < 1e-9);
    f->solved = round % 2 == 0 ? right_side::next : right_side::rest;
    std::vector<rival> rivals = armadillo_rivals(*f, inputs);
    rivals.push_back(eigen_naive_rival(*f, inputs));
    rivals.push_back(eigen_recommended_rival(*f, inputs));
    CHECK(rivals.size() == (has_armadillo ? 4 : 2));
    for (const rival& r : rivals) {
      CAPTURE(r.name);
      r.run();
      CHECK(difference(r.outputs(), expected) < 1e-9);
      r.run();  // once more, with the temporaries of the first run
      CHECK(difference(r.outputs(), expected) < 1e-9);
    }
  }
  CHECK(compared > 2000);
}

TEST_CASE("differences are relative, and infinite where nothing can be compared") {
  const Eigen::MatrixXd a = Eigen::MatrixXd::Constant(2, 3, 10);
  CHECK(difference({a}, {a}) == 0);
  CHECK(difference({a * 1.5}, {a}) == doctest::Approx(0.5));
  CHECK(difference({a, a * 1.5}, {a, a}) == doctest::Approx(0.5));
  CHECK(std::isinf(difference({a}, {a, a})));
  CHECK(std::isinf(difference({a}, {a.transpose()})));
  CHECK(std::isinf(difference({a / 0.0}, {a})));
}
