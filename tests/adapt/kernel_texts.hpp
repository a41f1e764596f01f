// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include <wf/adapt/yaml.hpp>

// Kernel files with a single kernel, and the errors of loading them.
namespace kernel_texts {

inline const std::string example =
    (std::filesystem::path(__FILE__).parent_path() / "../../examples/kernels.yaml").string();

// The error of loading a text, "WF304 in 'yaml': ... (line 3, column 5)", or "ok". Checks that a
// rejected text leaves both registries unchanged.
inline std::string told(const std::string& yaml) {
  wf::registry kernels = wf::builtin_registry();
  wf::transform_registry transforms(wf::builtin_transforms());
  const auto file = wf::load_kernels(yaml, kernels, transforms);
  if (file) return "ok";
  CHECK(kernels.kernels().size() == wf::builtin_registry().kernels().size());
  CHECK(transforms.transforms().size() == wf::builtin_transforms().size());
  CHECK(file.error().where == wf::position_at(yaml, file.error().where.offset));
  return std::string(wf::to_text(file.error()).view());
}

inline std::string in_file(const std::string& rest) { return "wf_kernels: 1\n" + rest; }
inline std::string kernel(const std::string& rest) {
  return in_file(
      "kernels:\n"
      "  - name: blur\n"
      "    domain: imaging\n"
      "    signature: 'X: floating [H, W] -> Y[H, W]'\n" +
      rest);
}

struct refused {
  std::string yaml;
  const char* message;
};

inline const wf::value_type square{wf::dtype::f64, {}, wf::shape::of(1024, 1024)};

inline wf::graph product(const wf::value_type& type = square) {
  wf::graph g("product");
  const wf::value_id in[] = {g.add_input("A", type), g.add_input("B", type)};
  const wf::node_id n = g.add_node({.op = "matmul", .domain = "linalg"}, {in, 2}, {&type, 1});
  g.add_output("C", wf::graph_view::output_of(g[n]));
  return g;
}

}  // namespace kernel_texts
