// SPDX-License-Identifier: BSL-1.0
#include <iostream>

#include <wf/adapt/yaml.hpp>

int main() {
  wf::registry kernels = wf::builtin_registry();
  const auto file = wf::load_kernels(R"(wf_kernels: 1
kernels:
  - {name: clip, domain: user, signature: 'X: ordered [...] -> Y[...]', costs: {flops: 2*Y}}
)",
                                     kernels);
  if (!file || kernels.find("clip") == nullptr) return 1;
  std::cout << "clip costs " << wf::costs_of(file->kernels()[0])[0].formula << " flops\n";
}
