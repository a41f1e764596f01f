// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/yaml.hpp>

#include <cstdio>
#include <filesystem>
#include <iterator>
#include <random>
#include <utility>

#include <doctest/doctest.h>

#include <wf/cost/cost.hpp>
#include <wf/registry/times/host_times.hpp>
#include <wf/registry/usage.hpp>
#include <wf/select/optimise.hpp>
#include <wf/static.hpp>

namespace {

const std::string example =
    (std::filesystem::path(__FILE__).parent_path() / "../../examples/kernels.yaml").string();

// The error of a text, "WF304 in 'yaml': ... (line 3, column 5)"; "ok" without one. Whatever is
// refused leaves both registries as they were.
std::string told(const std::string& yaml) {
  wf::registry kernels = wf::builtin_registry();
  wf::transform_registry transforms(wf::builtin_transforms());
  const auto file = wf::load_kernels(yaml, kernels, transforms);
  if (file) return "ok";
  CHECK(kernels.kernels().size() == wf::builtin_registry().kernels().size());
  CHECK(transforms.transforms().size() == wf::builtin_transforms().size());
  CHECK(file.error().where == wf::position_at(yaml, file.error().where.offset));
  return std::string(wf::to_text(file.error()).view());
}

std::string in_file(const std::string& rest) { return "wf_kernels: 1\n" + rest; }
std::string kernel(const std::string& rest) {
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

const wf::value_type square{wf::dtype::f64, {}, wf::shape::of(1024, 1024)};

wf::graph product(const wf::value_type& type = square) {
  wf::graph g("product");
  const wf::value_id in[] = {g.add_input("A", type), g.add_input("B", type)};
  const wf::node_id n = g.add_node({.op = "matmul", .domain = "linalg"}, {in, 2}, {&type, 1});
  g.add_output("C", wf::graph_view::output_of(g[n]));
  return g;
}

}  // namespace

TEST_CASE("row 2: the example file gives kernels that price and transforms that are guarded") {
  wf::registry kernels = wf::builtin_registry();
  wf::transform_registry transforms;
  const auto loaded = wf::load_kernel_file(example, kernels, transforms);
  REQUIRE_MESSAGE(loaded, std::string(wf::to_text(loaded.error()).view()));
  REQUIRE(loaded->kernels().size() == 4);

  const wf::kernel_spec* blur = kernels.find("blur");
  REQUIRE(blur != nullptr);
  CHECK(blur->domain == "imaging");
  CHECK(blur->laws.linear);
  CHECK(blur->laws.distributes("subtract"));
  CHECK(blur->summary == "a sum over windows, several times");
  CHECK(kernels.find("record")->effects == wf::effect::stateful);
  CHECK(kernels.find("record")->in_place);
  CHECK((blur->fusion == wf::fusion_role::contraction));
  const wf::datum data[] = {{"filter", {wf::dtype::f32, {}, wf::shape::of(3, 5)}},
                            {"image", {wf::dtype::f32, {}, wf::shape::of(2, 40, 30)}}};
  const auto matched = wf::match_usage(*blur, data);
  REQUIRE(matched);
  CHECK(matched->given.results[0].shape == wf::shape::of(2, 40, 30));

  wf::graph g("g");
  const wf::value_id in[] = {g.add_input("X", data[1].type), g.add_input("K", data[0].type)};
  const wf::attribute_value passes = wf::attribute_value::integer("passes", 3);
  g.add_node({.op = "blur", .domain = "imaging"}, {in, 2}, matched->given.types());
  g.add_node({.op = "blur", .domain = "imaging", .attributes = {&passes, 1}}, {in, 2},
             matched->given.types());
  CHECK(*wf::price(g.view(), wf::flops, kernels) == (1 + 3) * 2 * 2400 * 15);
  CHECK(*wf::price(g.view(), {"energy", "pJ"}, kernels) == 2 * 3 * 4 * 2400);

  // The refined product has all it had, and an energy.
  CHECK(*wf::price(product().view(), wf::flops, kernels) == 2LL << 30);
  CHECK(*wf::price(product().view(), {"energy", "pJ"}, kernels) == (5LL << 30) + (2LL << 23));
  REQUIRE(transforms.transforms().size() == 1);
  CHECK(transforms.transforms()[0].domain == "imaging");
  CHECK(loaded->transforms()[0].name == "strassen_for_squares");
}

TEST_CASE("row 6: a transform from a file enters the choice where its guard holds") {
  wf::registry kernels = wf::builtin_registry();
  wf::transform_registry transforms;
  const auto loaded = wf::load_kernel_file(example, kernels, transforms);
  REQUIRE(loaded);
  wf::optimise_options options;
  options.transforms = transforms.transforms();
  const auto best = wf::optimise(product().view(), wf::minimise(wf::flops), {}, kernels, options);
  REQUIRE(best);
  CHECK(best->proven_optimal);
  CHECK(best->chosen.view().op_name(best->chosen.view().nodes[0]) == "matmul_strassen");
}

TEST_CASE("row 2: what a file gives outlives its text, and moves with its owner") {
  wf::registry kernels = wf::builtin_registry();
  wf::kernel_file owner;
  {
    std::string yaml = kernel("    summary: \"tabs\\tand quotes\"\n    costs: {flops: 2*Y}\n");
    auto loaded = wf::load_kernels(yaml, kernels);
    REQUIRE(loaded);
    wf::kernel_file moved = *std::move(loaded);
    owner = std::move(moved);
    yaml.assign(yaml.size(), '#');
  }
  CHECK(kernels.find("blur")->summary == "tabs\tand quotes");
  CHECK(wf::costs_of(*kernels.find("blur"))[0].formula == "2*Y");
  CHECK(owner.kernels()[0].signature == "X: floating [H, W] -> Y[H, W]");
}

TEST_CASE("row 3: a fault is reported at its line and column") {
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
      // Written with an escape, so only its beginning is known.
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
      {in_file("transforms: [{name: t, use: strassen_split, on: matmul, guard: M > Q}]"),
       "WF202 in 'yaml': transform 't': guard: unknown symbol 'Q'; known here: M, K, N, A, B, C "
       "(line 2, column 68)"},
      {in_file("transforms: [{name: t, use: strassen_split, on: matmull}]"),
       "WF301 in 'yaml': transform 't': unknown kernel 'matmull': did you mean 'matmul'? (line 2, "
       "column 49)"},
      {in_file("transforms: [{name: t, use: strassen_spilt, on: matmul}]"),
       "WF301 in 'yaml': unknown transform 'strassen_spilt': did you mean 'strassen_split'? (line "
       "2, column 29)"},
      {in_file("transforms: [{name: chain_order, use: chain_order}]"),
       "WF302 in 'yaml': transform 'chain_order': a transform of this name exists; override it to "
       "replace it (line 2, column 21)"},
  };
  for (const refused& r : wrong) CHECK(told(r.yaml) == r.message);
}

TEST_CASE("row 5: a file says which operators calls of existing code are") {
  wf::registry kernels = wf::builtin_registry();
  wf::transform_registry transforms;
  const auto loaded = wf::load_kernel_file(example, kernels, transforms);
  REQUIRE(loaded);
  REQUIRE(loaded->calls().size() == 2);
  wf::graph g("g");
  const wf::value_type b{wf::dtype::f64, {}, wf::shape::of(4, 2)};
  const wf::value_type a{wf::dtype::f64, {}, wf::shape::of(4, 4)};
  const wf::value_type rows{wf::dtype::f64, {}, wf::shape::of(4)};
  const wf::value_id in[] = {g.add_input("b", b), g.add_input("a", a)};
  const wf::attribute_value with[] = {wf::attribute_value::integer("check_finite", 1),
                                      wf::attribute_value::integer("dim", 1)};
  const wf::node_id solved = g.add_node(
      {.op = "::opaque::scipy.linalg.solve_transposed", .attributes = {with, 1}}, {in, 2}, {&b, 1});
  const wf::value_id x = wf::graph_view::output_of(g[solved]);
  const wf::node_id summed =
      g.add_node({.op = "::opaque::numpy.sum", .attributes = {with + 1, 1}}, {&x, 1}, {&rows, 1});
  g.add_output("y", wf::graph_view::output_of(g[summed]));
  const auto mapped = wf::map_calls(g.view(), loaded->calls(), kernels);
  REQUIRE_MESSAGE(mapped, wf::to_text(mapped.error()).view());
  const wf::graph_view m = mapped->view();
  CHECK(m.op_name(m.nodes[0]) == "solve");
  CHECK(m.nodes[0].attributes.count == 0);
  CHECK(m.text_of(m[m.inputs_of(m.nodes[0])[0]].name) == "a");
  CHECK(m.op_name(m.nodes[1]) == "sum");
  CHECK(m.integer_attribute(m.nodes[1], "axis", 0) == 1);
}

TEST_CASE("row 5: calls that cannot be are refused at their place") {
  const refused wrong[] = {
      {in_file("calls:\n  - {call: a.b, op: rellu}\n"),
       "WF301 in 'yaml': call 'a.b': unknown kernel 'rellu': did you mean 'relu'? (line 3, column "
       "21)"},
      {in_file("calls:\n  - {call: 'a.*.*', op: relu}\n"),
       "WF306 in 'yaml': call 'a.*.*': a pattern has one * at most (line 3, column 12)"},
      {in_file("calls:\n  - {call: a, op: relu}\n  - {call: a, op: tanh}\n"),
       "WF306 in 'yaml': two patterns are of this call (line 4, column 12)"},
      {in_file("calls:\n  - {call: a, op: relu, operands: [9]}\n"),
       "WF304 in 'yaml': operands are at most 8 numbers of operands of the call, from 0 on (line "
       "3, "
       "column 36)"},
      {in_file("calls:\n  - {call: a, op: relu, operands: []}\n"),
       "WF304 in 'yaml': without the key operands the operator takes all (line 3, column 35)"},
      {in_file("calls:\n  - {call: a, opp: relu}\n"),
       "WF304 in 'yaml': unknown key 'opp': did you mean 'op'? (line 3, column 15)"},
      {in_file("calls:\n  - {call: a, op: relu, without: [a, b, c, d, e]}\n"),
       "WF304 in 'yaml': a call renames or leaves out four attributes at most (line 3, column 47)"},
      {in_file("calls:\n  - {op: relu}\n"),
       "WF304 in 'yaml': a call needs the key 'call' (line 3, column 5)"},
  };
  for (const refused& r : wrong) CHECK(told(r.yaml) == r.message);
}

TEST_CASE("row 2: keys and values that the schema does not know are refused") {
  const refused wrong[] = {
      {kernel("    cost: {flops: 2*H}\n"),
       "WF304 in 'yaml': unknown key 'cost': did you mean 'costs'? (line 6, column 5)"},
      {in_file("kernals: []\n"),
       "WF304 in 'yaml': unknown key 'kernals': did you mean 'kernels'? (line 2, column 1)"},
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
      {in_file("transforms: [{name: t}]\n"),
       "WF304 in 'yaml': a transform needs the key 'use' (line 2, column 14)"},
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

TEST_CASE("row 6: a further guard narrows the one that a transform has") {
  static constexpr auto idle = [](wf::choice_graph&, wf::node_id) -> wf::result<wf::nothing> {
    return wf::nothing{};
  };
  const wf::transform mine{"user", "mine", "", idle, true, "matmul", "M >= 8"};
  wf::registry kernels = wf::builtin_registry();
  wf::transform_registry transforms;
  const std::string yaml = in_file("transforms: [{name: two, use: mine, guard: N >= 8}]");
  const auto file = wf::load_kernels(yaml, kernels, transforms, {&mine, 1});
  REQUIRE(file);
  CHECK(transforms.find("two")->guard == "(M >= 8) and (N >= 8)");
  CHECK(transforms.find("two")->domain == "user");
  const std::string other = in_file("transforms: [{name: x, use: mine, on: relu}]");
  const auto refused = wf::load_kernels(other, kernels, transforms, {&mine, 1});
  REQUIRE_FALSE(refused);
  CHECK(std::string(wf::to_text(refused.error()).view()) ==
        "WF304 in 'yaml': the transform that is used looks at matmul only (line 2, column 39)");
  // Without a registry for transforms a file has none.
  CHECK(wf::load_kernels(yaml, kernels).error().code == wf::errc::bad_registry_file);
}

TEST_CASE("row 2: a file that cannot be read") {
  wf::registry kernels;
  const auto missing = wf::load_kernel_file("/nowhere/kernels.yaml", kernels);
  REQUIRE_FALSE(missing);
  CHECK(std::string(wf::to_text(missing.error()).view()) ==
        "WF304 in '/nowhere/kernels.yaml': the file cannot be read");
}

namespace {

// A table of all times, each twice that of wf, for a cache of 1 MiB.
std::string times_of(wf::text_view without = "none") {
  std::string out = "wf_kernels: 1\nmetrics: [execution_time]\nsecond_cache: 1048576\nkernels:\n";
  for (const wf::kernel_spec& k : wf::kernels::host_times) {
    if (k.name == without) continue;
    out += "  - name: " + std::string(k.name) + "\n    overrides: true\n    costs:\n";
    out += "      execution_time: \"2*(" + std::string(k.costs[0].text().formula) + ")\"\n";
  }
  return out;
}
std::string times_told(const std::string& yaml) {
  wf::registry kernels = wf::builtin_registry();
  const auto file = wf::load_times_text(yaml, kernels);
  if (file) return "ok";
  CHECK(kernels.caches() == wf::host_caches());
  CHECK_FALSE(wf::price(product().view(), wf::execution_time, kernels));
  return std::string(wf::to_text(file.error()).view());
}
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a table of times prices by its times and its caches") {
  wf::registry kernels = wf::builtin_registry();
  const auto file = wf::load_times_text(times_of(), kernels);
  CAPTURE(wf::to_text(file.error()).view());
  REQUIRE(file);
  CHECK(file->caches().second == 1 << 20);
  CHECK(kernels.caches() == file->caches());
  CHECK(file->kernels().size() == std::size(wf::kernels::host_times));
  wf::registry stated = wf::timed_registry();
  stated.set_caches({1 << 20});
  const auto once = wf::total_cost<wf::rational>(
      product().view(), stated,
      {"execution_time", "ns", wf::combination::sum, wf::missing_cost::unknown});
  const auto twice = wf::price(product().view(), wf::execution_time, kernels);
  REQUIRE(once);
  REQUIRE(twice);
  CHECK(static_cast<double>(*twice) == doctest::Approx(2 * wf::to_double(*once)).epsilon(1e-6));
  // The table of one machine with the caches of another.
  const wf::graph between = product({wf::dtype::f64, {}, wf::shape::of(400, 400)});
  CHECK(*wf::price(between.view(), wf::execution_time, kernels) >
        2 * *wf::price(between.view(), wf::execution_time, wf::timed_registry()));
}

TEST_CASE("a table of times that lacks one, or says more, is refused at its place") {
  for (const wf::kernel_spec& k : wf::kernels::host_times) {
    const std::string told = times_told(times_of(k.name));
    CAPTURE(told);
    CHECK(told.find("the table has no time of " + std::string(k.name) + ":") != std::string::npos);
  }
  const std::string all = times_of();
  const auto told = [&](const std::string& from, const std::string& to) {
    return times_told(replaced(all, from, to));
  };
  CHECK(told("name: matmul\n", "name: matmull\n").find("did you mean 'matmul'") !=
        std::string::npos);
  CHECK(told("name: gemmt\n", "name: syr2k\n").find("'syr2k' has two times") != std::string::npos);
  CHECK(told("0.025*C*K", "0.025*C*Q").find("unknown symbol 'Q'") != std::string::npos);
  CHECK(told("0.025*C*K", "0.025*C K").find("kernel 'matmul': cost in execution_time") !=
        std::string::npos);
  CHECK(told("second_cache: 1048576", "second_cache: much").find("line 3, column 15") !=
        std::string::npos);
  CHECK(told("second_cache: 1048576", "second_cache: -1").find("number of bytes") !=
        std::string::npos);
  CHECK(told("    overrides: true\n", "    overrides: true\n    view: true\n")
            .find("unknown key 'view'") != std::string::npos);
  CHECK(told("kernels:\n", "transforms: []\nkernels:\n").find("unknown key 'transforms'") !=
        std::string::npos);
  CHECK(told("      execution_time:", "      flops: \"1\"\n      execution_time:")
            .find("states no execution_time, or more") != std::string::npos);
  wf::registry kernels = wf::builtin_registry();
  CHECK(wf::load_times("/no/such/file", kernels).error().message.view() ==
        "the file cannot be read");
}

TEST_CASE("a table of times that is damaged is refused, or all of it is there") {
  const std::string all = times_of();
  std::mt19937_64 random(20);
  int accepted = 0;
  for (int round = 0; round < 400; ++round) {
    std::string damaged = all;
    for (std::uint64_t change = random() % 3 + 1; change-- > 0;) {
      const std::size_t at = random() % damaged.size();
      const std::size_t length = std::min<std::size_t>(random() % 40 + 1, damaged.size() - at);
      switch (random() % 4) {
        case 0:
          damaged[at] = static_cast<char>(random() % 256);
          break;
        case 1:
          damaged.erase(at, length);
          break;
        case 2:
          damaged.insert(at, damaged.substr(random() % (damaged.size() - length), length));
          break;
        default:
          damaged.resize(std::max<std::size_t>(at, 1));
          break;
      }
    }
    wf::registry kernels = wf::builtin_registry();
    const auto file = wf::load_times_text(damaged, kernels);
    if (!file) {
      CHECK(file.error().code != wf::errc::none);
      CHECK(kernels.caches() == wf::host_caches());
      CHECK_FALSE(wf::price(product().view(), wf::execution_time, kernels));
      continue;
    }
    ++accepted;
    for (const wf::kernel_spec& k : wf::kernels::host_times) {
      bool timed = false;
      for (const wf::cost_formula& c : wf::costs_of(*kernels.find(k.name)))
        timed = timed || c.metric == "execution_time";
      CHECK(timed);
    }
  }
  CHECK(accepted > 0);
}
