// SPDX-License-Identifier: BSL-1.0
//
// Matrix inversion with symbolic size M: the library's inverse against Gaussian elimination step by
// step, which is a user-defined domain (elimination.hpp). Their two cost polynomials decide at
// which sizes each is cheaper; both are simulated and executed at 64x64.
#include <cstdio>
#include <random>
#include <vector>

#include <Eigen/Dense>

#include <wf/formula/polynomial/compare.hpp>
#include <wf/map.hpp>
#include <wf/report.hpp>
#include <wf/run/plan/executable.hpp>
#include <wf/run/plan/executable_kernels.hpp>
#include <wf/simulate.hpp>
#include <wf/toolchain.hpp>
#include <wf/wf.hpp>

#include "elimination_code.hpp"
#include "support.hpp"

using namespace wf::literals;

constexpr auto inversion = wf::workflow<"inversion">([](wf::scope& s) {
  auto A = s.input<"A", double, "M", "M">();
  s.output<"B">(inv(A));
});

namespace {

struct option {
  wf::text name;
  wf::graph graph;
  wf::polynomial flops;
};

// A workflow for each candidate that computes the output.
std::vector<option> options_of(const wf::priced_choices& choices, const wf::registry& kernels) {
  const wf::graph_view all = choices.choices.view();
  const std::uint32_t root = choices.classes.of_value[wf::index_of(all.outputs[0].source)];
  std::vector<option> options;
  for (std::uint32_t i = 0; i < all.nodes.size(); ++i) {
    if (choices.classes.of_value[wf::index_of(wf::graph_view::output_of(all.nodes[i]))] != root)
      continue;
    wf::table<std::uint32_t> chosen(choices.classes.count);
    for (std::uint32_t k = 0; k < all.nodes.size(); ++k)
      chosen[choices.classes.of_value[wf::index_of(wf::graph_view::output_of(all.nodes[k]))]] = k;
    chosen[root] = i;
    option o;
    o.graph = support::value_or_exit(wf::extract(choices.choices, choices.classes, chosen));
    o.flops = support::value_or_exit(wf::price_symbolic(o.graph.view(), wf::flops, kernels));
    for (const wf::node& n : o.graph.view().nodes)
      o.name << (o.name.empty() ? "" : " -> ") << o.graph.view().op_name(n);
    options.push_back(o);
  }
  return options;
}

wf::text crossover_of(const option& a, const option& b) {
  const wf::symbol_domain sizes{wf::make_symbol("M"), 1, 4096};
  wf::text out;
  for (const wf::sign_interval& run :
       support::value_or_exit(wf::crossovers(a.flops, b.flops, sizes)))
    out << "  M in [" << run.low << ", " << run.high << "]: "
        << (run.sign < 0   ? "option A"
            : run.sign > 0 ? "option B"
                           : "both the same")
        << '\n';
  return out;
}

// Executes a plan and reports the error of the inverse, or why execution failed.
wf::text execute(const wf::executable_graph& g, const Eigen::MatrixXd& a, const char* what) {
  wf::text out(what);
  const auto made = g({{"A", a}});
  if (!made) return out << ": " << wf::to_text(made.error()).view() << '\n';
  const auto size = a.rows();
  const double residual = (a * made->at("B") - Eigen::MatrixXd::Identity(size, size)).norm() /
                          static_cast<double>(size);
  char digits[16];
  std::snprintf(digits, sizeof digits, "%.1e", residual);
  return out << ": |A B - I| / M = " << digits << '\n';
}

// A small array of processing elements.
wf::pe_array small_array() {
  wf::pe_array array;
  array.rows = array.columns = 2;
  array.macs_per_cycle = 16;
  array.vector_ops_per_cycle = 16;
  array.memory_bytes = 256_KiB;
  array.link_bytes_per_cycle = 32;
  array.hop_latency = 1;
  array.dram_bytes_per_cycle = 32;
  return array;
}

// The 64x64 matrices that are inverted.
struct samples {
  Eigen::MatrixXd random, singular, hilbert;

  samples() {
    std::mt19937_64 source(64);
    std::uniform_real_distribution<double> uniform(-1, 1);
    random = Eigen::MatrixXd::NullaryExpr(64, 64, [&] { return uniform(source); });
    singular = random;
    singular.row(17) = singular.row(42);
    hilbert = Eigen::MatrixXd::NullaryExpr(
        64, 64, [](auto i, auto j) { return 1.0 / static_cast<double>(i + j + 1); });
    hilbert.diagonal().array() += 1e-6;
  }
};

}  // namespace

int main(int argc, char** argv) {
  const auto folder = support::output_folder(argc, argv);
  // The library's operators and transforms with those of the elimination.
  wf::registry kernels = wf::builtin_registry();
  support::value_or_exit(
      kernels.add(wf::view<wf::kernel_spec>(wf::executable_kernels<elimination::code>)));
  wf::table<wf::transform> transforms(wf::builtin_transforms());
  transforms.push_back(elimination::instead_of_inverse);
  wf::optimise_options how;
  how.transforms = transforms;
  wf::text story;

  const auto choices = support::value_or_exit(wf::grow_choices(inversion.graph(), kernels, how));
  const auto options = options_of(choices, kernels);
  support::require(options.size() == 2, "two options");
  for (std::size_t i = 0; i < options.size(); ++i)
    story << "option " << static_cast<char>('A' + i) << ": " << options[i].name.view()
          << "\n  flops = " << wf::to_text(options[i].flops).view() << '\n';
  story << "cheaper by its polynomial, derived:\n" << crossover_of(options[0], options[1]).view();

  // The decision of the optimiser for one size, with a proof.
  const wf::symbol_size size{wf::make_symbol("M"), 64};
  const auto bound = support::value_or_exit(wf::bind_symbols(inversion.graph(), {&size, 1}));
  const auto plan =
      support::value_or_exit(wf::optimise(bound.view(), wf::minimise(wf::flops), {}, kernels, how));
  support::require(plan.proven_optimal, "the choice for M = 64 is proven");
  const wf::metric_spec metrics[] = {wf::flops, wf::bytes, wf::peak_memory};
  story << '\n' << support::value_or_exit(wf::explain(plan, metrics, kernels, transforms)).view();

  wf::html_page page("inversion");
  page.add_heading("Matrix inversion, symbolic and at 64x64");
  page.add_picture(wf::to_svg(plan.chosen.view()).view(), "The chosen plan.");

  // Both options step by step: simulated on an array, and executed.
  const wf::pe_array array = small_array();
  const samples matrices;
  wf::execution_options own;
  own.kernels = &kernels;
  for (const option& o : options) {
    const auto sized = support::value_or_exit(wf::bind_symbols(o.graph.view(), {&size, 1}));
    const auto flat = support::value_or_exit(wf::unroll(sized.view(), kernels));
    story << "\n"
          << o.name.view() << ", unrolled: " << flat.view().nodes.size() << " steps, "
          << support::value_or_exit(wf::price(flat.view(), wf::flops, kernels)) << " flops\n";
    const auto work = support::value_or_exit(wf::workload_of(flat.view(), kernels));
    wf::map_options limits;
    limits.limits.max_nodes = 300;
    const auto placed = support::value_or_exit(wf::map(work, array, limits));
    const auto replay = support::value_or_exit(wf::simulate(work, array, placed));
    support::require(replay.makespan == placed.makespan, "simulated makespan = searched makespan");
    story << "  simulated on a 2x2 array: ";
    story.grouped(replay.makespan)
        << " cycles, " << replay.processed << " events, gap to the bound "
        << support::percent(placed.gap()).view() << '\n';
    const auto program = support::value_or_exit(wf::executable_graph::prepare(flat.view(), own));
    story << "  executed (seed 64):\n"
          << execute(program, matrices.random, "    random").view()
          << execute(program, matrices.hilbert, "    ill-conditioned (Hilbert + 1e-6 I)").view()
          << execute(program, matrices.singular, "    singular").view();
    support::require(!program({{"A", matrices.singular}}), "a singular matrix is an error");

    wf::table<wf::text_view> kinds;
    for (const wf::workload_operator& each : work.operators)
      kinds.push_back(flat.view().op_name(flat.view()[each.node]));
    page.add_picture(wf::timeline_svg(placed, work, kinds).view(),
                     (wf::text() << o.name.view() << " on a 2x2 array, one lane a PE.").view());
  }
  std::cout << story;
  page.add_preformatted(story.view());
  support::write(folder / "inversion.fragment.html", page.body());
}
