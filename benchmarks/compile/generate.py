# SPDX-License-Identifier: BSL-1.0
"""Generates the programs whose compilation is measured: n operations as ordinary statements.

The mix, statement by statement in turn: a product of square matrices, a sum with a reused value, a
product with a transpose, a rectifier of a sum, a scaled difference, a product of rectangular
matrices; three static shapes. Every statement is bound to a name of its own and read by later ones.
The same statements are written for Eigen on fixed-size matrices. And toolchains of n steps, and
files with plans of the workflows of examples.
"""

import pathlib
import re

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


def workflow_of(name):
    """The definition of the workflow of that name in its example."""
    text = (EXAMPLES / f"{name}.cpp").read_text(encoding="utf-8")
    return re.search(rf"^constexpr auto {name} = .*?^}}\);\n", text, re.MULTILINE | re.DOTALL)[0]


def statements(n):
    """Yields (name, wf expression, Eigen expression, operations) until n operations are reached."""
    square, tall = ["A", "B"], ["T"]
    count = 0
    while count < n:
        i = len(square) + len(tall)
        name = f"x{i}"
        kind = i % 6
        a, b, old = square[-1], square[-2], square[len(square) // 2]
        if kind == 0:
            cost, wf, eigen = 1, f"{a} * {b}", f"{a} * {b}"
        elif kind == 1:
            cost, wf, eigen = 1, f"{a} + {old}", f"{a} + {old}"
        elif kind == 2:
            cost, wf, eigen = 2, f"{a} * trans({b})", f"{a} * {b}.transpose()"
        elif kind == 3:
            cost, wf, eigen = 2, f"relu({a} + {old})", f"({a} + {old}).cwiseMax(0.0)"
        elif kind == 4:
            cost, wf, eigen = 2, f"{a} * {b} - {old}", f"{a} * {b} - {old}"
        else:
            t = tall[-1]
            yield name, f"{a} * {t}", f"{a} * {t}", 1
            tall.append(name)
            count += 1
            continue
        yield name, wf, eigen, cost
        square.append(name)
        count += cost


def workflow(n):
    """A translation unit that captures, prices and asserts n operations."""
    lines = ["#include <wf/static.hpp>",
             'constexpr auto w = wf::workflow<"generated">([](wf::scope& s) {',
             '  auto A = s.input<"A", double, 6, 6>();',
             '  auto B = s.input<"B", double, 6, 6>();',
             '  auto T = s.input<"T", double, 6, 3>();']
    names = {}
    for name, expression, _, _ in statements(n):
        lines.append(f"  auto {name} = s.let({expression});")
        names[int(name[1:]) % 6 == 5] = name
    lines += [f'  s.output<"{name}">({name});' for name in names.values()]
    lines += ["});",
              f"static_assert(wf::cost(w)[wf::flops] > {n});",
              "int main() {}"]
    return "\n".join(lines) + "\n"


def eigen(n):
    """The same statements on Eigen's fixed-size matrices."""
    lines = ["#include <Eigen/Dense>",
             "using M = Eigen::Matrix<double, 6, 6>;",
             "using N = Eigen::Matrix<double, 6, 3>;",
             "void f(const M& A, const M& B, const N& T, M& Y, N& Z) {"]
    square, tall = "A", "T"
    for name, _, expression, _ in statements(n):
        is_tall = int(name[1:]) % 6 == 5
        lines.append(f"  const {'N' if is_tall else 'M'} {name} = {expression};")
        if is_tall:
            tall = name
        else:
            square = name
    lines += [f"  Y = {square};", f"  Z = {tall};", "}", "int main() {}"]
    return "\n".join(lines) + "\n"


def toolchain(n):
    """A toolchain of n steps on n + 1 stages: run as a whole, from a stage, up to a stage,
    recorded, varied and described, all while compiling."""
    lines = ["#include <wf/toolchain/toolchain.hpp>"]
    lines += [f"struct stage{i} {{ int value = 0; }};" for i in range(n + 1)]
    steps = [f'    wf::step<"step{i}">([](const stage{i}& x) '
             f"{{ return stage{i + 1}{{x.value + {i}}}; }})" for i in range(n)]
    lines.append("constexpr auto w = wf::chain(\n" + ",\n".join(steps) + ");")
    late, early, other = n // 2, n // 2, n // 3
    lines += [f"static_assert(w(stage0{{1}}).value == {1 + sum(range(n))});",
              f"static_assert(w.from(stage{late}{{1}}).value == {1 + sum(range(late, n))});",
              f'static_assert(w.until<"step{early}">(stage0{{1}}).value == '
              f"{1 + sum(range(early + 1))});",
              f'static_assert(w.record(stage0{{1}}).get<"step{n - 1}">().value == '
              f"{1 + sum(range(n))});",
              f'constexpr auto v = w.replace<"step{other}">([](const stage{other}& x) '
              f"{{ return stage{other + 1}{{x.value}}; }});",
              f"static_assert(v(stage0{{1}}).value == {1 + sum(range(n)) - other});",
              f"static_assert(w.describe().size() == {n});",
              "int main() { return w(stage0{}).value; }"]
    return "\n".join(lines) + "\n"


def gpt2():
    """GPT-2 small, 1,024 tokens, captured, priced and asserted: the network of the example."""
    return """#include "networks/gpt2.hpp"
constexpr auto network = wf::workflow<"gpt2">([](wf::scope& s) { networks::gpt2<1024>(s); });
constexpr std::int64_t parameters_of(const wf::graph_view& g) {
  std::int64_t total = 0;
  for (const wf::value& v : g.values)
    if (v.producer == wf::node_id::none && v.type.type == wf::dtype::f32)
      total += v.type.shape.elements();
  return total;
}
static_assert(parameters_of(network.graph()) == 124439808);
static_assert(wf::cost(network)[wf::macs] == 123532032LL * 1024 + 18432LL * 1024 * 1024);
static_assert(wf::cost(network)[wf::flops] > 2 * wf::cost(network)[wf::macs]);
extern const char number_of_nodes[];  // by its size
const char number_of_nodes[network.graph().nodes.size()] = {};
int main() {}
"""


def static_plan():
    """The Kalman gain of six states: captured, planned while compiling, and run."""
    return """#include <wf/run/eigen.hpp>
#include <wf/select/static_plan.hpp>
#include <wf/static.hpp>
using namespace wf::literals;
""" + workflow_of("kalman") + """\
constexpr auto plan = wf::optimise<kalman>(wf::minimise(wf::flops));
static_assert(plan.proven_optimal);
using by_6 = Eigen::Matrix<double, 6, 6>;
using by_3 = Eigen::Matrix<double, 6, 3>;
bool gain(const by_6& P, const Eigen::Matrix<double, 3, 6>& H, const Eigen::Matrix3d& R, by_3& K) {
  return static_cast<bool>(wf::run<plan>("P"_arg = P, "H"_arg = H, "R"_arg = R, "K"_arg = K));
}
"""


def static_plan_eigen():
    """The same gain in Eigen, as the formula is written."""
    return """#include <Eigen/Dense>
using by_6 = Eigen::Matrix<double, 6, 6>;
using by_3 = Eigen::Matrix<double, 6, 3>;
void gain(const by_6& P, const Eigen::Matrix<double, 3, 6>& H, const Eigen::Matrix3d& R, by_3& K) {
  K = P * H.transpose() * (H * P * H.transpose() + R).inverse();
}
"""


def run_time_plan():
    """Generalised least squares: captured and priced while compiling, planned at run time."""
    return """#include <wf/run/plan/executable_plan.hpp>
#include <wf/static.hpp>
""" + workflow_of("least_squares") + """\
static_assert(wf::cost(least_squares)[wf::flops] < 400'000'000);
bool estimate(const Eigen::MatrixXd& X, const Eigen::MatrixXd& M, const Eigen::VectorXd& y,
              Eigen::VectorXd& b) {
  static const auto plan = wf::executable_plan::make(least_squares.graph());
  const wf::input_matrix inputs[] = {X, M, y};
  const wf::output_matrix outputs[] = {b};
  return plan && plan->run(inputs, outputs);
}
"""


def run_time_plan_eigen():
    """The same estimate in Eigen, as the formula is written."""
    return """#include <Eigen/Dense>
using matrix = Eigen::MatrixXd;
void estimate(const matrix& X, const matrix& M, const Eigen::VectorXd& y, Eigen::VectorXd& b) {
  b = (X.transpose() * M.inverse() * X).inverse() * X.transpose() * M.inverse() * y;
}
"""


def whole_program():
    """Generalised least squares: planned, explained, mapped, replayed and run, all at run time."""
    return """#include <iostream>
#include <wf/capture.hpp>
#include <wf/map.hpp>
#include <wf/run/plan/executable.hpp>
#include <wf/simulate.hpp>
#include <wf/wf.hpp>
""" + workflow_of("least_squares") + """\
wf::pe_array array() {
  wf::pe_array a;
  a.rows = a.columns = 4;
  a.macs_per_cycle = 64;
  a.vector_ops_per_cycle = a.link_bytes_per_cycle = 16;
  a.memory_bytes = 1 << 24;
  a.dram_bytes_per_cycle = 64;
  return a;
}
int main() {
  const wf::registry kernels = wf::timed_registry();
  const auto plan = wf::optimise(least_squares.graph(), wf::minimise(wf::execution_time), {},
                                 kernels);
  if (!plan) return 1;
  const wf::metric_spec metrics[] = {wf::execution_time, wf::flops};
  const auto story = wf::explain(*plan, metrics, kernels);
  if (!story) return 2;
  const auto load = wf::workload_of(plan->chosen.view(), kernels);
  if (!load) return 3;
  const auto placed = wf::map(*load, array());
  if (!placed) return 4;
  const auto trace = wf::simulate(*load, array(), *placed);
  if (!trace || trace->makespan != placed->makespan) return 5;
  wf::execution_options options;
  options.kernels = &kernels;
  const auto program = wf::executable_graph::prepare(plan->chosen.view(), options);
  if (!program) return 6;
  const auto answers = (*program)(wf::named_matrices{
      {"X", Eigen::MatrixXd::Random(500, 100)},
      {"M", Eigen::MatrixXd::Identity(500, 500)},
      {"y", Eigen::MatrixXd::Random(500, 1)}});
  if (!answers) return 7;
  std::cout << *story << answers->at("b").norm() << '\\n';
}
"""


def operators():
    """The operators of the executor of doubles, as `wf::compiled` instantiates them."""
    return """#include <wf/run/operators/operators.hpp>
template const wf::compute::operator_implementation<double>*
    wf::compute::detail::find_builtin(wf::text_view);
"""


def definitions():
    """The definitions that one translation unit of a program that plans at run time
    instantiates."""
    return "#include <wf/run/static/definitions.hpp>\n"
