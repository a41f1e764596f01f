// SPDX-License-Identifier: BSL-1.0
//
// A domain of its own, written outside of wf: two kernels and a transform with a guard. The engine
// picks the transform's alternative where it pays, and says why.
#include <wf/choice/transform_registry.hpp>
#include <wf/registry/static_registry.hpp>
#include <wf/wf.hpp>

#include "support.hpp"

namespace filter {

// --8<-- [start:kernels]
/// The discrete convolution of signals with a filter, straight from its definition: a product and a
/// sum for each pair of elements.
inline constexpr wf::kernel_spec convolve{
    .name = "convolve",
    .domain = "filter",
    .signature = "X@signal: floating [..., N], K@filter: floating [M] -> Y@signal [..., N + M - 1]",
    .costs = {{"flops", "2*X*M"}},
    .laws = {.linear = true, .distributes_over = "add subtract"},
    .summary = "the convolution, from its definition"};

/// The same by three real Fourier transforms of a power of two L >= N + M - 1, 5/2 L log2 L flops
/// each, and 3 L for the product of the spectra.
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
/// Another candidate for the value that a convolution computes. The engine calls this for nodes of
/// the transform's operator on which its guard holds.
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

/// The transforms of wf and this one, checked against the kernels.
wf::transform_registry transforms() {
  wf::transform_registry all(wf::builtin_transforms());
  if (auto added = all.add(spectral, kernels); !added) support::value_or_exit(added);
  return all;
}
// --8<-- [end:register]

}  // namespace filter

// --8<-- [start:workflows]
// Two filters behind one another: a short one, for which the definition is best, and a long one.
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

  // The guard kept the transform away from the short filter; the long one is done by spectra.
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
}
