// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/yaml/kernel_file_reader.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/registry/domain/nn.hpp>

#include "../kernel_texts.hpp"

namespace {

using namespace kernel_texts;

}  // namespace

TEST_CASE("row 2: a document that is no file of kernels is refused") {
  const refused wrong[] = {
      {in_file("kernals: []\n"),
       "WF304 in 'yaml': unknown key 'kernals': did you mean 'kernels'? (line 2, column 1)"},
      {"wf_kernels: 2\n",
       "WF304 in 'yaml': wf_kernels is the version of the format, which is 1 (line 1, column 13)"},
      {"kernels: []\n",
       "WF304 in 'yaml': a file of kernels needs the key 'wf_kernels' (line 1, column 1)"},
      {"[]", "WF304 in 'yaml': a file of kernels is a mapping (line 1, column 1)"},
      {"", "WF304 in 'yaml': there is no YAML document (line 1, column 1)"},
      {"{wf_kernels: 1}\n, kernels: []\n",
       "WF304 in 'yaml': a file of kernels is one YAML document (line 2, column 1)"},
      {"wf_kernels: 1\n---\nwf_kernels: 1\n",
       "WF304 in 'yaml': a file of kernels is one YAML document (line 2, column 1)"},
      {"wf_kernels: 1\nkernels: [\n",
       "WF304 in 'yaml': no YAML: end of sequence flow not found (line 3, column 1)"},
      {std::string("wf_kernels: 1\n\x01"),
       "WF304 in 'yaml': a character that is no text in UTF-8 (line 2, column 1)"},
  };
  for (const refused& r : wrong) CHECK(told(r.yaml) == r.message);
}

TEST_CASE("row 2: nothing of a file is loaded if its last entry is wrong") {
  const std::string yaml = kernel(
      "  - {name: relu, overrides: true, costs: {flops: 7*Y}}\n"
      "  - {name: late, domain: d, signature: 'X[M] -> Y[Q]'}\n");
  wf::registry kernels = wf::builtin_registry();
  REQUIRE_FALSE(wf::load_kernels(yaml, kernels));
  CHECK(kernels.find("blur") == nullptr);
  CHECK(wf::costs_of(*kernels.find("relu"))[0].formula ==
        wf::costs_of(wf::kernels::relu)[0].formula);
}

TEST_CASE("row 2: a byte order mark, Windows' line ends, anchors") {
  CHECK(told("\xef\xbb\xbf" + kernel("    costs: {flops: 2*H}\n")) == "ok");
  CHECK(told("\xef\xbb\xbfwf_kernels: 2\n") ==
        "WF304 in 'yaml': wf_kernels is the version of the format, which is 1 (line 1, column 16)");
  CHECK(
      told("wf_kernels: 1\r\nkernels:\r\n- name: k\r\n  domain: d\r\n  signature: '-> Y[]'\r\n") ==
      "ok");
  CHECK(told(in_file("kernels:\n"
                     "  - {name: a, domain: &d imaging, signature: &s 'X[M] -> Y[M]'}\n"
                     "  - {name: b, domain: *d, signature: *s}\n")) == "ok");
}

TEST_CASE("a file is read into copies of the registries that were given") {
  const std::string yaml = kernel("transforms: [{name: t, use: strassen_split, on: matmul}]\n");
  const wf::registry kernels = wf::builtin_registry();
  const wf::transform_registry transforms;
  wf::kernel_file_reader reader(yaml, "mine.yaml", kernels, &transforms, wf::builtin_transforms());
  const auto file = reader.run();
  REQUIRE(file);
  CHECK(kernels.find("blur") == nullptr);
  CHECK(reader.kernels().find("blur") != nullptr);
  CHECK(transforms.transforms().empty());
  CHECK(reader.transforms().find("t") != nullptr);
  CHECK(file->kernels().size() == 1);

  wf::kernel_file_reader alone(yaml, "mine.yaml", kernels, nullptr, {});
  const auto refused = alone.run();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().subject.view() == "mine.yaml");
}

TEST_CASE("a file that is too long is refused unread") {
  std::string yaml = in_file("# ");
  yaml.append(wf::max_kernel_file_size, '#');
  CHECK(told(yaml) == "WF304 in 'yaml': the file is too long (line 1, column 1)");
}
