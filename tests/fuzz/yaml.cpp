// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/yaml.hpp>

#include "fuzz.hpp"

std::vector<std::string> wf_test::fuzz_seeds() {
  return {
      "wf_kernels: 1\n"
      "domain: imaging\n"
      "metrics: [energy]\n"
      "kernels:\n"
      "  - name: blur\n"
      "    signature: 'X@image: floating [..., H, W], K: floating [R, S] = 1/R, p = 1 -> Y[..., "
      "H, 2*W]'\n"
      "    costs:\n"
      "      flops: 2*p*Y*R*S\n"
      "      energy: >-\n"
      "        3*X.bytes\n"
      "        + K.bytes\n"
      "    laws: {linear: true, distributes_over: [add, subtract], inverse: relu}\n"
      "  - {name: record, in_place: true, effects: stateful,\n"
      "     signature: \"through s: i64 [], X: any [...] -> t: i64 []\", costs: {flops: 1}}\n",
      "wf_kernels: 1\n"
      "kernels:\n"
      "  - name: matmul\n"
      "    overrides: true\n"
      "    costs: {flops: \"M > 1 ? 2*M*N*K : 7\"}\n"
      "  - {name: pick, domain: &d mine, signature: 'A[...], i: integer [...] -> C[...]', "
      "rules_of: gather, view: false}\n"
      "  - {name: other, domain: *d, signature: '-> C[3]', summary: \"a\\tb\"}\n"
      "transforms:\n"
      "  - name: strassen_for_squares\n"
      "    domain: mine\n"
      "    use: strassen_split\n"
      "    on: matmul\n"
      "    guard: M == N and min(N, K) >= 1024\n"
      "    summary: |\n"
      "      for large squares\n"
      "  - {name: chain_order, use: chain_order, overrides: true}\n",
      "{wf_kernels: 1, kernels: [{name: k, domain: d, signature: X[M] -> Y[M], costs: {flops: "
      "Y, bytes: X.bytes}}]}"};
}

std::vector<std::string> wf_test::fuzz_words() {
  return {"wf_kernels: 1",
          "kernels:",
          "transforms:",
          "name: ",
          "signature: ",
          "costs: ",
          "flops: ",
          "laws: ",
          "overrides: true",
          "rules_of: ",
          "guard: ",
          "use: ",
          "on: ",
          "\n  - ",
          "\n    ",
          "{",
          "}",
          "[",
          "]",
          "'",
          "\"",
          "|\n",
          ">-\n",
          "&a ",
          "*a",
          "---\n",
          "...\n",
          "? ",
          "!!str ",
          "# ",
          ": ",
          "-> ",
          "M",
          ".bytes",
          "%YAML 1.2\n",
          "<<: *a",
          "~",
          "\xef\xbb\xbf",
          "\t",
          "\\",
          "through ",
          "@u"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const wf::text_view source(reinterpret_cast<const char*>(data), size);
  static const std::size_t builtin = wf::builtin_registry().kernels().size();
  static const std::size_t transforms_before = wf::builtin_transforms().size();
  wf::registry kernels = wf::builtin_registry();
  wf::transform_registry transforms(wf::builtin_transforms());
  const auto file = wf::load_kernels(source, kernels, transforms);
  if (!file) {
    wf_test::fuzz_require_error(source, file.error());
    wf_test::fuzz_require(
        kernels.kernels().size() == builtin && transforms.transforms().size() == transforms_before,
        "what is refused loads nothing");
    return 0;
  }
  ++wf_test::fuzz_accepted;
  for (const wf::kernel_spec& k : file->kernels()) {
    const wf::kernel_spec* found = kernels.find(k.name);
    wf_test::fuzz_require(found != nullptr && !wf::find_fault(*found),
                          "what was loaded is in the registry, and has no fault");
  }
  for (const wf::transform& t : file->transforms())
    wf_test::fuzz_require(transforms.find(t.name) != nullptr && !wf::find_fault(t, kernels),
                          "a transform that was loaded is in its registry, and has no fault");
  return 0;
}
