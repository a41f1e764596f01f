// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <iostream>

#include <wf/adapt/yaml.hpp>
#include <wf/static.hpp>

int main(int argc, char** argv) {
  constexpr auto gram = wf::workflow<"gram">([](wf::scope& s) {
    auto a = s.input<"A", double, 300, 200>();
    s.output<"G">(trans(a) * a);
  });
  // --8<-- [start:load]
  wf::registry kernels = wf::builtin_registry();
  const auto times = wf::load_times(argc == 2 ? argv[1] : "", kernels);
  if (!times) {
    std::cerr << wf::to_text(times.error()).view() << '\n';
    return 1;
  }
  const auto taken = wf::price(gram.graph(), wf::execution_time, kernels);
  // --8<-- [end:load]
  if (!taken || *taken <= 0) return 1;
  std::cout << "on this machine a Gram matrix takes some time, as measured\n";
}
