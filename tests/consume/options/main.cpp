// SPDX-License-Identifier: BSL-1.0
#include <Eigen/Dense>
#include <atomic>
#include <cstddef>
#include <cstdio>

#include <wf/adapt/parallel.hpp>
#include <wf/adapt/tbb.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/run/plan/executable.hpp>
#include <wf/run/plan/host_library.hpp>

constexpr auto squared = wf::workflow<"squared">([](wf::scope& s) {
  auto a = s.input<"a", double, 40, 40>();
  s.output<"b">(a * a);
});

int main() {
  // What the library implements, it computes.
  wf::registry kernels = wf::builtin_registry();
  for (wf::kernel_spec k : wf::host_library()) {
    k.implementation = k.library;
    if (!kernels.add(k)) return 1;
  }
  wf::execution_options how;
  how.kernels = &kernels;
  const auto program = wf::executable_graph::prepare(squared.graph(), how);
  if (!program) return 1;
  const auto out = (*program)({{"a", Eigen::MatrixXd::Constant(40, 40, 2)}});
  if (!out) return 1;
  std::atomic<int> done = 0;
  wf::tbb_threads workers(2);
  workers(9, [&](std::size_t) { ++done; });
  wf::parallel cores(2);
  cores.cores().as_team().each_part(9, [&](std::size_t) { ++done; });
  std::printf("%s 160 is %g, on TBB 9 + 9 is %d\n",
              wf::host_library().empty() ? "without a BLAS" : "on a BLAS", out->at("b")(39, 39),
              done.load());
  return out->at("b")(39, 39) == 160 && done == 18 ? 0 : 1;
}
