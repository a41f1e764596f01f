// SPDX-License-Identifier: BSL-1.0
//
// Matrix inversion, symbolic in its size M: the library's inverse against Gaussian elimination step
// by step, the size at which the choice flips, and the chosen plan for 64x64, simulated and
// executed.
#include <cstdio>
#include <random>
#include <vector>

#include <Eigen/Dense>

#include <wf/formula/compare.hpp>
#include <wf/run/dynamic.hpp>
#include <wf/wf.hpp>

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

// One workflow for each candidate of the value that is handed out.
std::vector<option> options_of(const wf::priced_choices& choices) {
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
    o.flops = support::value_or_exit(wf::price_symbolic(o.graph.view(), wf::flops));
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

// Executes a plan and says how well it inverted, or why it could not.
wf::text execute(const wf::graph_view& g, const Eigen::MatrixXd& a, const char* what) {
  wf::text out(what);
  const auto made = wf::run_dynamic(g, {{"A", a}});
  if (!made) return out << ": " << wf::to_text(made.error()).view() << '\n';
  const auto size = a.rows();
  const double residual = (a * made->at("B") - Eigen::MatrixXd::Identity(size, size)).norm() /
                          static_cast<double>(size);
  char digits[16];
  std::snprintf(digits, sizeof digits, "%.1e", residual);
  return out << ": |A B - I| / M = " << digits << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  const auto folder = support::output_folder(argc, argv);
  const auto registry = wf::builtin_registry();
  wf::text story;

  const auto choices = support::value_or_exit(wf::grow_choices(inversion.graph()));
  const auto options = options_of(choices);
  support::require(options.size() == 2, "two options");
  for (std::size_t i = 0; i < options.size(); ++i)
    story << "option " << static_cast<char>('A' + i) << ": " << options[i].name.view()
          << "\n  flops = " << wf::to_text(options[i].flops).view() << '\n';
  story << "cheaper by its polynomial, derived:\n" << crossover_of(options[0], options[1]).view();

  // The same decision for one size, with a proof, by the optimiser; then step by step.
  const wf::symbol_size size{wf::make_symbol("M"), 64};
  const auto bound = support::value_or_exit(wf::bind_symbols(inversion.graph(), {&size, 1}));
  const auto plan = support::value_or_exit(wf::optimise(bound.view(), wf::minimise(wf::flops)));
  support::require(plan.proven_optimal, "the choice for M = 64 is proven");
  const wf::metric_spec metrics[] = {wf::flops, wf::bytes, wf::peak_memory};
  story << '\n' << support::value_or_exit(wf::explain(plan, metrics, registry)).view();
  const auto flat = support::value_or_exit(wf::unroll(plan.chosen.view(), registry));
  story << "\nunrolled: " << flat.view().nodes.size() << " steps, "
        << support::value_or_exit(wf::price(flat.view(), wf::flops)) << " flops\n";

  wf::pe_array array;
  array.rows = array.columns = 2;
  array.macs_per_cycle = 16;
  array.vector_ops_per_cycle = 16;
  array.memory_bytes = 256_KiB;
  array.link_bytes_per_cycle = 32;
  array.hop_latency = 1;
  array.dram_bytes_per_cycle = 32;
  const auto work = support::value_or_exit(wf::workload_of(flat.view(), registry));
  wf::map_options limits;
  limits.limits.max_nodes = 300;
  const auto placed = support::value_or_exit(wf::map_onto(work, array, limits));
  const auto replay = support::value_or_exit(wf::simulate(work, array, placed));
  support::require(replay.makespan == placed.makespan, "simulated makespan = searched makespan");
  story << "simulated on a 2x2 array: ";
  story.grouped(replay.makespan) << " cycles, " << replay.processed << " events, gap to the bound "
                                 << support::percent(placed.gap()).view() << '\n';

  std::mt19937_64 random(64);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const Eigen::MatrixXd a = Eigen::MatrixXd::NullaryExpr(64, 64, [&] { return uniform(random); });
  Eigen::MatrixXd singular = a;
  singular.row(17) = singular.row(42);
  Eigen::MatrixXd hilbert = Eigen::MatrixXd::NullaryExpr(
      64, 64, [](auto i, auto j) { return 1.0 / static_cast<double>(i + j + 1); });
  hilbert.diagonal().array() += 1e-6;
  story << "\nexecuted at 64x64 (seed 64):\n"
        << execute(flat.view(), a, "  random").view()
        << execute(flat.view(), hilbert, "  ill-conditioned (Hilbert + 1e-6 I)").view()
        << execute(flat.view(), singular, "  singular").view();
  support::require(!wf::run_dynamic(flat.view(), {{"A", singular}}),
                   "a singular matrix is an error");
  std::cout << story;

  wf::table<wf::text_view> kinds;
  for (const wf::workload_operator& o : work.operators)
    kinds.push_back(flat.view().op_name(flat.view()[o.node]));
  wf::html_page page("inversion");
  page.add_heading("Matrix inversion, symbolic and at 64x64");
  page.add_preformatted(story.view());
  page.add_picture(wf::to_svg(plan.chosen.view()).view(), "The chosen plan, before unrolling.");
  page.add_picture(wf::timeline_svg(placed, work, kinds).view(),
                   "The unrolled plan on a 2x2 array, one lane a PE.");
  support::write(folder / "inversion.fragment.html", page.body());
}
