// SPDX-License-Identifier: BSL-1.0
//
// User-defined domains outside of wf. Filters: two kernels and a guarded transform; the engine
// chooses the transform's alternative where it is cheaper, and explains why. Pictures: operators
// that overwrite operands, view, fuse and need scratch storage, with implementations; they are
// priced, rewritten, fused, mapped, simulated and executed like built-in ones.
#include <algorithm>
#include <vector>

#include <Eigen/Core>

#include <wf/choice/transform/registry.hpp>
#include <wf/map.hpp>
#include <wf/registry/static_registry.hpp>
#include <wf/rewrite/fusion.hpp>
#include <wf/run/eigen.hpp>
#include <wf/run/plan/executable.hpp>
#include <wf/run/plan/executable_kernels.hpp>
#include <wf/simulate/replay/contention.hpp>
#include <wf/wf.hpp>

#include "support.hpp"

namespace filter {

// --8<-- [start:kernels]
/// The discrete convolution of signals with a filter by its definition: a product and a sum for
/// each pair of elements.
inline constexpr wf::kernel_spec convolve{
    .name = "convolve",
    .domain = "filter",
    .signature = "X@signal: floating [..., N], K@filter: floating [M] -> Y@signal [..., N + M - 1]",
    .costs = {{"flops", "2*X*M"}},
    .laws = {.linear = true, .distributes_over = "add subtract"},
    .summary = "the convolution, from its definition"};

/// The same convolution by three real Fourier transforms of a power of two L >= N + M - 1, 5/2 L
/// log2 L flops each, and 3 L for the product of the spectra.
inline constexpr wf::kernel_spec convolve_spectral{
    .name = "convolve_spectral",
    .domain = "filter",
    .signature = convolve.signature,
    .costs = {{"flops",
               "X/N*(5*ceil(log2(N + M - 1))*2**ceil(log2(N + M - 1)) + "
               "3*2**ceil(log2(N + M - 1))) + 5/2*ceil(log2(N + M - 1))*"
               "2**ceil(log2(N + M - 1))"},
              {"scratch", "16*2**ceil(log2(N + M - 1))"}},
    .laws = convolve.laws,
    .summary = "the convolution, by Fourier transforms"};

inline constexpr const wf::kernel_spec* domain[] = {&convolve, &convolve_spectral};
// --8<-- [end:kernels]

// --8<-- [start:transform]
/// Adds another candidate for the result of a convolution. The engine calls this for nodes of the
/// transform's operator that satisfy its guard.
constexpr wf::result<wf::nothing> by_spectra(wf::choice_graph& choices, wf::node_id id) {
  const wf::node n = choices.view()[id];
  const wf::value_id operands[] = {choices.view().inputs_of(n)[0], choices.view().inputs_of(n)[1]};
  const auto made = choices.add(convolve_spectral, operands);
  if (!made) return made.error();
  choices.unite(wf::graph_view::output_of(n), *made);
  return wf::nothing{};
}

inline constexpr wf::transform spectral{.domain = "filter",
                                        .name = "spectral",
                                        .summary = "a convolution by Fourier transforms",
                                        .propose = &by_spectra,
                                        .op = "convolve",
                                        .guard = "min(N, M) >= 32"};
// --8<-- [end:transform]

// --8<-- [start:register]
constexpr auto kernels = wf::registry_of<domain>();

/// The transforms of wf and this one, validated against the kernels.
wf::transform_registry transforms() {
  wf::transform_registry all(wf::builtin_transforms());
  if (auto added = all.add(spectral, kernels); !added) support::value_or_exit(added);
  return all;
}
// --8<-- [end:register]

}  // namespace filter

// --8<-- [start:workflows]
// Two filters in sequence: for the short one the definition is cheapest, for the long one the
// spectra.
constexpr auto equaliser = wf::workflow<"equaliser">([](wf::scope& s) {
  auto x = s.input<"x", float, 8, 16384>();
  auto smooth = s.input<"smooth", float, 9>();
  auto room = s.input<"room", float, 4096>();
  auto once = s.let<"once">(wf::call<filter::convolve>(x, smooth));
  s.output<"y">(wf::call<filter::convolve>(once, room));
});
static_assert(wf::cost(equaliser, wf::with_kernels<filter::domain>)[wf::flops] ==
              2LL * 8 * 16384 * 9 + 2LL * 8 * 16392 * 4096);
// --8<-- [end:workflows]

// --8<-- [start:static]
// The same decision while compiling.
constexpr auto planned =
    wf::optimise<equaliser>(wf::minimise(wf::flops), wf::with_kernels<filter::domain>,
                            wf::with_transforms<filter::spectral>);
static_assert(planned.proven_optimal && planned.value == 24'035'328);
// --8<-- [end:static]

namespace picture {

// --8<-- [start:facts]
// An elementwise operator whose result may overwrite its operand.
inline constexpr wf::kernel_spec clip{
    .name = "clip",
    .domain = "picture",
    .signature = "X: floating [...], lo: real, hi: real -> Y[...]",
    .costs = {{"flops", "2*Y"}, {"operations", "X"}},
    .constant =
        [](const wf::constant_operands& x, double& number) {
          const wf::attribute_value *lo = x.node.find("lo"), *hi = x.node.find("hi");
          if (lo == nullptr || hi == nullptr) return false;
          number = std::min(std::max(x[0], lo->real), hi->real);
          return true;
        },
    .laws = {.idempotent = true, .never_rounds = true, .elementwise = true, .monotone = true},
    .summary = "the value, but at least lo and at most hi"};

// A view: `rows` rows from row `start` on, without a copy.
constexpr wf::view_reading from_start(const wf::rule_input& in, std::uint32_t) {
  wf::view_reading out = wf::view_reading::straight(2);
  out.start[0] = in.integer("start", 0);
  return out;
}
inline constexpr wf::kernel_spec band{
    .name = "band",
    .domain = "picture",
    .signature = "X: floating [M, N], start: integer, rows: integer -> Y[rows, N]",
    .costs = {{"flops", "0"}, {"operations", "0"}},
    .is_view = true,
    .reading = &from_start,
    .summary = "some rows"};

// A multiplication and an addition in one pass over memory.
inline constexpr wf::kernel_spec shade{
    .name = "shade",
    .domain = "picture",
    .signature = "X: floating [...], G: floating [...], B: floating [...] -> Y[...]",
    .costs = {{"flops", "2*Y"}, {"operations", "3*Y"}},
    .laws = {.elementwise = true},
    .summary = "x*g + b"};

// A reduction: the median of each row, found in a copy of the row.
inline constexpr wf::kernel_spec medians{
    .name = "medians",
    .domain = "picture",
    .signature = "X: floating [M, N] -> Y[M]",
    .costs = {{"flops", "3*X"}, {"operations", "X"}, {"scratch", "X.bytes/M"}},
    .cuts = "c",  // divisible by rows
    .fusion = wf::fusion_role::reduction,
    .summary = "the median of each row"};
// --8<-- [end:facts]

// --8<-- [start:code]
inline constexpr auto code = wf::implementations(
    wf::implement_elementwise<clip>([](auto x, double lo, double hi) {
      return static_cast<decltype(x)>(x < lo ? lo : hi < x ? hi : x);
    }),
    wf::implement<band>([](auto& y, const auto& x, const wf::node_context& c) {
      y = x.middleRows(c.integer("start"), y.rows());
    }),
    wf::implement_elementwise<shade>([](auto x, auto g, auto b) { return x * g + b; }),
    wf::implement<medians>([](auto& y, const auto& x, const wf::node_context& c) {
      using element = std::remove_cvref_t<decltype(y(0))>;
      const auto row = c.scratch<element>();
      if (static_cast<Eigen::Index>(row.size()) < x.cols()) return false;
      const auto end = row.begin() + x.cols(), middle = row.begin() + x.cols() / 2;
      for (Eigen::Index i = 0; i < x.rows(); ++i) {
        for (Eigen::Index j = 0; j < x.cols(); ++j) row[static_cast<std::size_t>(j)] = x(i, j);
        std::nth_element(row.begin(), middle, end);
        y(i) = *middle;
      }
      return true;
    }));
inline constexpr const auto& kernels = wf::executable_kernels<code>;

// Offers `shade` as an alternative to x*g + b.
constexpr wf::result<wf::nothing> shade_at_once(wf::choice_graph& choices, wf::node_id id) {
  const wf::node sum = choices.view()[id];
  const wf::value_id product = choices.view().inputs_of(sum)[0];
  const wf::value_id offset = choices.view().inputs_of(sum)[1];
  for (const wf::node_id made : choices.candidates_of(product)) {
    const wf::node n = choices.view()[made];
    if (choices.view().op_name(n) != "multiply") continue;
    const wf::value_id operands[] = {choices.view().inputs_of(n)[0], choices.view().inputs_of(n)[1],
                                     offset};
    const auto both = choices.add(shade, operands);
    if (!both) return both.error();
    choices.unite(wf::graph_view::output_of(choices.view()[id]), *both);
  }
  return wf::nothing{};
}
inline constexpr wf::transform at_once{.domain = "picture",
                                       .name = "at_once",
                                       .summary = "x*g + b in one pass over memory",
                                       .propose = &shade_at_once,
                                       .op = "add"};
// --8<-- [end:code]

}  // namespace picture

// --8<-- [start:pictures]
constexpr auto develop = wf::workflow<"develop">([](wf::scope& s) {
  auto x = s.input<"x", double, 96, 64>();
  auto gain = s.input<"gain", double, 64, 64>();
  auto offset = s.input<"offset", double, 64, 64>();
  auto seen = wf::call<picture::band, wf::with("start", 16), wf::with("rows", 64)>(x);
  auto shaded = s.let<"shaded">(hadamard(seen, gain) + offset);
  auto y = s.let<"y">(wf::call<picture::clip, wf::with("lo", 0.0), wf::with("hi", 1.0)>(shaded));
  s.output<"medians">(wf::call<picture::medians>(y));
});
// Priced, rewritten to a single pass, and held to a budget while compiling.
constexpr auto developed =
    wf::optimise<develop>(wf::minimise(wf::bytes), wf::with_kernels<picture::kernels>,
                          wf::with_transforms<picture::at_once>);
static_assert(developed.proven_optimal && developed.graph().nodes.size() == 4);
static_assert(wf::cost(develop, wf::with_kernels<picture::kernels>)[wf::flops] ==
              64 * 64 * (1 + 1 + 2 + 3));
// --8<-- [end:pictures]

namespace {

using namespace wf::literals;

void develop_pictures() {
  const wf::registry kernels = wf::registry_of<picture::kernels>();
  const wf::graph_view chosen = developed.graph();
  // --8<-- [start:stored]
  // It is fused into one kernel with the final reduction and overwritten in place; nothing is
  // copied.
  const wf::fusion_plan groups = support::value_or_exit(wf::group_fusion(chosen, kernels));
  const std::int64_t peak = support::value_or_exit(wf::price(chosen, wf::peak_memory, kernels));
  std::cout << "develop: " << chosen.nodes.size() << " operators in " << groups.groups.size()
            << " kernels, " << groups.bytes_saved << " B less traffic, peak " << peak << " B\n";
  // --8<-- [end:stored]
  const std::int64_t inputs = 8 * (96 * 64 + 2 * 64 * 64);
  support::require(groups.groups.size() == 2, "the band is a view; the rest is one kernel");
  support::require(peak == inputs + 8 * 64 * 64 + 8 * 64 + 8 * 64,
                   "one picture besides the inputs, the medians, and a row of scratch storage");

  // --8<-- [start:mapped]
  wf::pe_array array;
  array.rows = array.columns = 4;
  array.memory_bytes = 256 * 1024;
  const wf::workload work = support::value_or_exit(wf::workload_of(chosen, kernels));
  const wf::mapping mapped = support::value_or_exit(wf::map(work, array));
  const auto replay = support::value_or_exit(wf::measure_contention(work, array, mapped));
  std::cout << "mapped: " << mapped.makespan << " cycles, replayed " << replay.replayed << '\n';
  // --8<-- [end:mapped]
  support::require(replay.exact(), "the simulator finds the mapper's makespan");

  // --8<-- [start:executed]
  const Eigen::MatrixXd x = Eigen::MatrixXd::Random(96, 64);
  const Eigen::MatrixXd gain = Eigen::MatrixXd::Random(64, 64);
  const Eigen::MatrixXd offset = Eigen::MatrixXd::Random(64, 64);
  wf::execution_options own;
  own.kernels = &kernels;
  const auto program = support::value_or_exit(wf::executable_graph::prepare(chosen, own));
  const auto at_run_time =
      support::value_or_exit(program({{"x", x}, {"gain", gain}, {"offset", offset}}));
  const auto fixed = wf::run<developed, picture::code>(
      "x"_arg = Eigen::Matrix<double, 96, 64>(x), "gain"_arg = Eigen::Matrix<double, 64, 64>(gain),
      "offset"_arg = Eigen::Matrix<double, 64, 64>(offset));
  // --8<-- [end:executed]
  support::require(bool(fixed), "the static executor runs it");
  for (Eigen::Index i = 0; i < 64; ++i) {
    std::vector<double> row;
    for (Eigen::Index j = 0; j < 64; ++j)
      row.push_back(std::clamp(x(i + 16, j) * gain(i, j) + offset(i, j), 0.0, 1.0));
    std::sort(row.begin(), row.end());
    support::require(std::abs(at_run_time.at("medians")(i, 0) - row[32]) < 1e-12,
                     "the plan's medians are those of the definition");
    support::require(std::abs(fixed["medians"_arg](i) - row[32]) < 1e-12,
                     "and so are those of the static executor");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto folder = support::output_folder(argc, argv);
  // --8<-- [start:optimise]
  const wf::transform_registry transforms = filter::transforms();
  wf::optimise_options options;
  options.transforms = transforms.transforms();
  const wf::plan best = support::value_or_exit(
      wf::optimise(equaliser.graph(), wf::minimise(wf::flops), {}, filter::kernels, options));
  const wf::metric_spec metrics[] = {wf::flops, wf::bytes};
  const wf::text why =
      support::value_or_exit(wf::explain(best, metrics, filter::kernels, transforms.transforms()));
  // --8<-- [end:optimise]
  std::cout << why;
  support::write(folder / "plugin.txt", why.view());

  // The guard excludes the short filter from the transform; the long one is computed by spectra.
  const wf::graph_view all = best.from.choices.view();
  support::require(all.nodes.size() == 3, "the guard admits one of two convolutions");
  support::require(best.proven_optimal, "the plan is proven optimal");
  const wf::graph_view chosen = best.chosen.view();
  support::require(chosen.op_name(chosen.nodes[0]) == "convolve", "the short filter is as it was");
  support::require(chosen.op_name(chosen.nodes[1]) == "convolve_spectral",
                   "the long filter is done by spectra");

  // --8<-- [start:refused]
  wf::transform wrong = filter::spectral;
  wrong.guard = "min(N, L) >= 32";
  wf::transform_registry none;
  const wf::registry_fault fault = none.fault_of(wrong, filter::kernels);
  std::cout << wf::picture(fault) << '\n';
  // --8<-- [end:refused]
  support::require(fault.failure.code == wf::errc::unknown_symbol, "a guard names known symbols");
  support::require(!none.add(wrong, filter::kernels), "what is refused is not registered");
  develop_pictures();
}
