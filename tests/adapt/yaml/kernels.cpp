// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/yaml/kernels.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/registry/domain/movement.hpp>

#include "../kernel_texts.hpp"

namespace {

using namespace kernel_texts;

}  // namespace

TEST_CASE("row 3: a fault of a kernel is reported at its line and column") {
  const refused wrong[] = {
      {kernel("    costs:\n      flops: 2*H*V\n"),
       "WF202 in 'yaml': kernel 'blur': cost in flops: unknown symbol 'V'; known here: H, W, X, Y "
       "(line 7, column 18)"},
      {kernel("    costs:\n      flops: \"2*H*Hh\"\n"),
       "WF202 in 'yaml': kernel 'blur': cost in flops: unknown symbol 'Hh': did you mean 'H'? "
       "(line 7, column 19)"},
      {kernel("    costs:\n      flops: 2*H\n        + W\n        + V\n"),
       "WF202 in 'yaml': kernel 'blur': cost in flops: unknown symbol 'V'; known here: H, W, X, Y "
       "(line 9, column 11)"},
      {kernel("    costs:\n      flops: >-\n        2*H\n        + V\n"),
       "WF202 in 'yaml': kernel 'blur': cost in flops: unknown symbol 'V'; known here: H, W, X, Y "
       "(line 9, column 11)"},
      // A scalar with an escape: only its beginning is known.
      {kernel("    costs:\n      flops: \"\\x32*V\"\n"),
       "WF202 in 'yaml': kernel 'blur': cost in flops: unknown symbol 'V'; known here: H, W, X, Y "
       "(line 7, column 14)"},
      {kernel("    costs: {flops: 2*(H}\n"),
       "WF201 in 'yaml': kernel 'blur': cost in flops: missing ')' for the '(' at column 3 (line "
       "6, "
       "column 24)"},
      {in_file("kernels: [{name: k, domain: d, signature: 'X: flaot [M] -> Y[]'}]"),
       "WF303 in 'yaml': kernel 'k': unknown element type 'flaot'; known here: integer, complex, "
       "floating, ordered, field, number, any, bool, ... (line "
       "2, column 47)"},
      {in_file("kernels: [{name: k, domain: d, signature: 'X[M] -> Y[M + N]'}]"),
       "WF202 in 'yaml': kernel 'k': dimension M + N: unknown symbol 'N'; known here: M (line 2, "
       "column 58)"},
      {in_file("kernels: [{name: relu, domain: d, signature: '-> Y[]'}]"),
       "WF302 in 'yaml': kernel 'relu': a kernel of this name exists; declare `overrides` to "
       "replace it (line 2, column 18)"},
      {in_file("kernels: [{name: reluu, overrides: true}]"),
       "WF301 in 'yaml': kernel 'reluu': overrides nothing: unknown kernel 'reluu': did you mean "
       "'relu'? (line 2, column 18)"},
      {in_file("kernels: [{name: k, domain: d, signature: '-> Y[]'}, {name: k, domain: d, "
               "signature: '-> Y[]'}]"),
       "WF302 in 'yaml': kernel 'k': a kernel of this name exists; declare `overrides` to replace "
       "it (line 2, column 61)"},
  };
  for (const refused& r : wrong) CHECK(told(r.yaml) == r.message);
}

TEST_CASE("row 2: keys and values of kernels that the schema does not know are refused") {
  const refused wrong[] = {
      {kernel("    cost: {flops: 2*H}\n"),
       "WF304 in 'yaml': unknown key 'cost': did you mean 'costs'? (line 6, column 5)"},
      {kernel("    laws: {comutative: true}\n"),
       "WF304 in 'yaml': unknown key 'comutative': did you mean 'commutative'? (line 6, column "
       "12)"},
      {kernel("    costs: {flop: 2*H}\n"),
       "WF304 in 'yaml': unknown metric 'flop': did you mean 'flops'?; the file's own stand in its "
       "list `metrics` (line 6, column 13)"},
      {kernel("    domain: twice\n"),
       "WF304 in 'yaml': the key 'domain' is given twice (line 6, column 5)"},
      {kernel("    in_place: yes\n"),
       "WF304 in 'yaml': in_place is true or false (line 6, column "
       "15)"},
      {kernel("    effects: statefull\n"),
       "WF304 in 'yaml': unknown effect 'statefull': did you mean 'stateful'? (line 6, column 14)"},
      {kernel("    fusion: reductoin\n"),
       "WF304 in 'yaml': unknown fusion 'reductoin': did you mean 'reduction'? (line 6, column "
       "13)"},
      {kernel("    fusion: [reduction]\n"),
       "WF304 in 'yaml': fusion is reduction or contraction (line 6, column 13)"},
      {kernel("    laws: {neutral: .nan}\n"),
       "WF304 in 'yaml': neutral is a number (line 6, column 21)"},
      {kernel("    laws: {neutral: none}\n"),
       "WF304 in 'yaml': neutral is a number (line 6, column 21)"},
      {kernel("    laws: {selective: 1}\n"),
       "WF304 in 'yaml': selective is true or false (line 6, column 23)"},
      {kernel("    laws: [linear]\n"), "WF304 in 'yaml': laws is a mapping (line 6, column 11)"},
      {kernel("    costs: {flops: [1]}\n"),
       "WF304 in 'yaml': a cost is a text (line 6, column "
       "20)"},
      {kernel("    summary:\n"),
       "WF304 in 'yaml': the key 'summary' has no value (line 6, column 5)"},
      {kernel("    rules_of: gathre\n"),
       "WF301 in 'yaml': unknown kernel 'gathre': did you mean 'gather'? (line 6, column 15)"},
      {in_file("kernels: {}\n"), "WF304 in 'yaml': kernels is a list (line 2, column 10)"},
      {in_file("kernels: [blur]\n"), "WF304 in 'yaml': a kernel is a mapping (line 2, column 11)"},
      {in_file("kernels: [{domain: d}]\n"),
       "WF304 in 'yaml': a kernel needs the key 'name' (line 2, column 11)"},
      {in_file("kernels: [{name: k, domain: d}]\n"),
       "WF304 in 'yaml': a kernel that overrides nothing needs the key 'signature' (line 2, column "
       "11)"},
      {in_file("metrics: [a b]\n"), "WF304 in 'yaml': a metric is a name (line 2, column 11)"},
  };
  for (const refused& r : wrong) CHECK(told(r.yaml) == r.message);
}

TEST_CASE("row 2: a kernel takes the C++ rules of another") {
  wf::registry kernels = wf::builtin_registry();
  const auto file = wf::load_kernels(in_file("kernels:\n"
                                             "  - name: pick\n"
                                             "    domain: d\n"
                                             "    signature: 'A[...], i: integer [...] -> C[...]'\n"
                                             "    rules_of: gather\n"),
                                     kernels);
  REQUIRE(file);
  CHECK((kernels.find("pick")->result_shape == wf::kernels::gather.result_shape));
}

TEST_CASE("a kernel states its adjoint and its definition") {
  wf::registry kernels = wf::builtin_registry();
  const auto file = wf::load_kernels(in_file("kernels:\n"
                                             "  - name: cube\n"
                                             "    domain: d\n"
                                             "    signature: 'X: floating [...] -> Y[...]'\n"
                                             "    adjoint: dX = 3 multiply(dY, square(X))\n"
                                             "    definition: Y[...] = X[...] square(X[...])\n"),
                                     kernels);
  REQUIRE(file);
  CHECK(kernels.find("cube")->adjoint == "dX = 3 multiply(dY, square(X))");
  CHECK(kernels.find("cube")->definition == "Y[...] = X[...] square(X[...])");
}

TEST_CASE("kernels are read by the keys that may be, in the metrics that have prices") {
  const std::string yaml =
      "metrics: [energy]\n"
      "kernel: {name: k, signature: 'X[M] -> Y[M]', costs: {flops: Y, energy: 3*Y}}\n";
  wf::detail::yaml_reader in(yaml, "yaml");
  YAML::Node root;
  REQUIRE(in.parse(yaml.size(), root));
  wf::registry kernels = wf::builtin_registry();
  wf::detail::yaml_kernels read(in, kernels);
  const YAML::Node metrics = root["metrics"], stated = root["kernel"];
  wf::kernel_spec k;
  SUBCASE("by all keys") {
    REQUIRE(read.read_metrics(&metrics));
    REQUIRE(read.read(stated, wf::detail::kernel_keys, "mine", k));
    CHECK(k.domain == "mine");
    REQUIRE(wf::costs_of(k).size() == 2);
    CHECK(wf::costs_of(k)[1].metric == "energy");
    CHECK(kernels.find("k")->signature == "X[M] -> Y[M]");
  }
  SUBCASE("by some keys") {
    const wf::text_view known[] = {"name", "signature"};
    CHECK_FALSE(read.read(stated, known, "mine", k));
    CHECK(in.failure().message.view() == "unknown key 'costs'; known here: name, signature");
  }
  SUBCASE("without the metric") {
    CHECK(read.read_metrics(nullptr));
    CHECK_FALSE(read.read(stated, wf::detail::kernel_keys, "mine", k));
    CHECK(kernels.find("k") == nullptr);
  }
}
