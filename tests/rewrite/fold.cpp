// SPDX-License-Identifier: BSL-1.0
#include <wf/rewrite/fold.hpp>

#include <string>

#include <wf/registry/registry.hpp>

#include "pass_properties.hpp"

namespace {

const auto fold = [](const wf::graph_view& g) { return wf::fold_constants(g); };

// The result of `op` on constants of a type if it is a single constant; else NaN.
struct folded {
  bool is_constant = false;
  double value = 0;
  wf::dtype type = wf::dtype::unknown;
};
constexpr folded folded_output(wf::text_view source) {
  const wf::graph g = wf_test::graph_of(source);
  const auto made = wf::fold_constants(g.view());
  if (!made || made->view().outputs.size() != 1) return {};
  const wf::graph_view m = made->view();
  wf::value_id id = m.outputs[0].source;
  folded out;
  out.type = m[id].type.type;
  while (m[id].producer != wf::node_id::none) {
    const wf::node& n = m[m[id].producer];
    if (m.op_name(n) == "constant") {
      out.is_constant = true;
      out.value = m.find_attribute(n, "value")->real;
      return out;
    }
    if (m.op_name(n) != "broadcast_to") break;
    id = m.inputs_of(n)[0];
  }
  return out;
}
constexpr folded of_two(wf::text_view op, wf::text_view type, wf::text_view a, wf::text_view b,
                        wf::text_view result) {
  wf::text t;
  t << "wf.graph 1 \"g\"\nnode elementwise.constant() [value = " << a << "] -> " << type
    << "[]\nnode elementwise.constant() [value = " << b << "] -> " << type << "[]\nnode " << op
    << "(%0, %1) -> " << result << "[]\noutput \"y\" = %2\n";
  return folded_output(t.view());
}
constexpr folded of_one(wf::text_view op, wf::text_view type, wf::text_view a,
                        wf::text_view result) {
  wf::text t;
  t << "wf.graph 1 \"g\"\nnode elementwise.constant() [value = " << a << "] -> " << type
    << "[]\nnode " << op << " -> " << result << "[]\noutput \"y\" = %1\n";
  return folded_output(t.view());
}
constexpr bool gives(const folded& f, double value) {
  return f.is_constant &&
         std::bit_cast<std::uint64_t>(f.value) == std::bit_cast<std::uint64_t>(value);
}

// Results are rounded to their element types.
static_assert(gives(of_two("elementwise.add", "f64", "0.1", "0.2", "f64"), 0.1 + 0.2));
static_assert(gives(of_two("elementwise.add", "f32", "0.1", "0.2", "f32"),
                    static_cast<double>(0.1f + 0.2f)));
static_assert(gives(of_two("elementwise.divide", "f16", "1", "3", "f16"), 1365.0 / 4096));
static_assert(gives(of_two("elementwise.multiply", "bf16", "1.01", "3.0", "bf16"), 3.03125));
static_assert(gives(of_two("elementwise.subtract", "f64", "0.0", "0.0", "f64"), 0.0));
static_assert(gives(of_two("elementwise.multiply", "f64", "0.0", "-1.0", "f64"), -0.0));
static_assert(gives(of_one("elementwise.sqrt(%0)", "f64", "2", "f64"), 1.4142135623730951));
static_assert(gives(of_one("elementwise.sqrt(%0)", "f32", "2", "f32"),
                    static_cast<double>(1.41421354f)));
// Integers as in C++; constants of any numeric type.
static_assert(gives(of_two("elementwise.divide", "i32", "-7", "2.0", "i32"), -3));
static_assert(gives(of_two("elementwise.multiply", "i8", "-8", "16", "i8"), -128));
static_assert(gives(of_two("elementwise.add", "f64", "1/4", "2", "f64"), 2.25));
static_assert(gives(of_two("elementwise.less", "i64", "3", "4", "bool"), 1));
static_assert(gives(of_two("elementwise.equal", "f64", "0.0", "-0.0", "bool"), 1));
static_assert(gives(of_one("movement.cast(%0) [dtype = \"i8\"]", "i32", "200", "i8"), -56));
static_assert(gives(of_one("movement.cast(%0) [dtype = \"i8\"]", "f64", "-2.9", "i8"), -2));
static_assert(gives(of_one("movement.cast(%0) [dtype = \"bool\"]", "f64", "0.5", "bool"), 1));
// Failures, non-finite results and results that depend on the library are left to execution.
static_assert(!of_two("elementwise.multiply", "i8", "-128", "-1", "i8").is_constant);
static_assert(!of_two("elementwise.add", "i64", "9007199254740991", "1", "i64").is_constant);
static_assert(!of_two("elementwise.divide", "i32", "1", "0", "i32").is_constant);
static_assert(!of_two("elementwise.divide", "f64", "1", "0.0", "f64").is_constant);
static_assert(
    !of_two("elementwise.multiply", "f32", "0x1.0p+100", "0x1.0p+100", "f32").is_constant);
static_assert(
    !of_two("elementwise.multiply", "f64", "0x1.0p+1000", "0x1.0p+1000", "f64").is_constant);
static_assert(!of_two("elementwise.power", "f64", "2", "2", "f64").is_constant);
static_assert(!of_one("elementwise.exp(%0)", "f64", "0", "f64").is_constant);
static_assert(!of_one("elementwise.sqrt(%0)", "f64", "-1", "f64").is_constant);
static_assert(!of_one("movement.cast(%0) [dtype = \"i8\"]", "f64", "200", "i8").is_constant);
static_assert(!of_two("elementwise.add", "c64", "1", "2", "c64").is_constant);

constexpr wf::text_view fills = R"(wf.graph 1 "g"
input "x" : f32[2, M]
node elementwise.constant() [value = 0.1] -> f32[]
node movement.broadcast_to(%1) [d0 = dim 2, d1 = dim M] -> f32[2, M]
node elementwise.constant() [value = 3] -> f32[]
node elementwise.multiply(%2, %3) named "three" at "here.cpp":4:5 -> "t" : f32[2, M]
node linalg.transpose(%4) -> f32[M, 2]
node movement.sum(%5) [axis = 1] -> f32[M]
node elementwise.add(%0, %4) -> f32[2, M]
output "sums" = %6
output "y" = %7
)";
constexpr std::size_t nodes_left(wf::text_view source) {
  const wf::graph g = wf_test::graph_of(source);
  const auto made = wf::fold_constants(g.view());
  return made ? made->view().nodes.size() : 99;
}
static_assert(nodes_left(fills) == 5);

}  // namespace

TEST_CASE("fills of symbolic shape are folded, and keep names and places") {
  const wf::graph made = wf_test::passed(fold, wf_test::graph_of(fills));
  INFO(wf_test::printed(made));
  const wf::graph_view g = made.view();
  REQUIRE(wf::validate(g));
  REQUIRE(g.nodes.size() == 5);
  const double three = static_cast<double>(0.1f * 3.0f);
  CHECK(g.find_attribute(g.nodes[0], "value")->real == three);
  CHECK(g.nodes[0].name.count == 0);
  CHECK(g.op_name(g.nodes[1]) == "broadcast_to");
  CHECK(g.text_of(g.nodes[1].name) == "three");
  CHECK(g.text_of(g.nodes[1].location.file) == "here.cpp");
  CHECK(g.text_of(g[wf::graph_view::output_of(g.nodes[1])].name) == "t");
  CHECK(g.find_attribute(g.nodes[2], "value")->real ==
        static_cast<double>(static_cast<float>(three) + static_cast<float>(three)));
  CHECK(wf::to_text(g[g.outputs[0].source].type.shape) == wf::text("M"));
  CHECK(g.op_name(g.nodes[4]) == "add");
}

TEST_CASE("reductions are folded if no order of adding rounds") {
  const auto reduce = [](wf::text_view op, wf::text_view number, wf::text_view shape,
                         wf::text_view result) {
    wf::text t;
    t << "wf.graph 1 \"g\"\nnode elementwise.constant() [value = " << number
      << "] -> f64[]\nnode movement.broadcast_to(%0) " << shape << "\nnode movement." << op
      << "(%1) -> " << result << "\noutput \"y\" = %2\n";
    return folded_output(t.view());
  };
  const wf::text_view ten = "[d0 = dim 10] -> f64[10]", none = "[d0 = dim 0] -> f64[0]";
  CHECK(gives(reduce("sum", "0.5", ten, "f64[]"), 5));
  CHECK_FALSE(reduce("sum", "0.1", ten, "f64[]").is_constant);  // 0.1 has 53 digits
  CHECK_FALSE(reduce("sum", "-0.0", ten, "f64[]").is_constant);
  CHECK(gives(reduce("mean", "0.5", ten, "f64[]"), 0.5));
  CHECK(gives(reduce("max", "0.1", ten, "f64[]"), 0.1));
  CHECK(gives(reduce("arg_max", "0.1", ten, "i64[]"), 0));
  CHECK(gives(reduce("sum", "0.1", none, "f64[]"), 0));
  CHECK_FALSE(reduce("max", "0.1", none, "f64[]").is_constant);  // fails at run time
  CHECK_FALSE(reduce("mean", "0.1", none, "f64[]").is_constant);
  CHECK_FALSE(reduce("sum", "0.5", "[d0 = dim M] -> f64[M]", "f64[]").is_constant);
  CHECK(gives(
      reduce("sum", "3", "[d0 = dim 1000000, d1 = dim 1000000] -> f64[1000000, 1000000]", "f64[]"),
      3e12));
}

TEST_CASE("nodes with effects, declared costs or an order stay") {
  const auto left = [](wf::text_view node, wf::text_view edge) {
    wf::text t;
    t << "wf.graph 1 \"g\"\nnode elementwise.constant() [value = 1] -> f64[]\nnode " << node
      << " -> f64[]\n"
      << edge << "output \"y\" = %1\n";
    const wf::graph made = wf_test::passed(fold, wf_test::graph_of(t.view()));
    return made.view().nodes.size();
  };
  CHECK(left("elementwise.negate(%0)", "") == 1);
  CHECK(left("elementwise.negate(%0) peer \"p\"", "") == 1);
  CHECK(left("elementwise.negate(%0) effect stateful", "") == 2);
  CHECK(left("elementwise.negate(%0) cost [flops = \"1\"]", "") == 2);
  CHECK(left("elementwise.negate(%0)", "edge control @0 -> @1\n") == 2);
  CHECK(left("user.negate_all(%0)", "") == 2);
}

TEST_CASE("both parts of a split are folded") {
  const wf::graph made = wf_test::passed(fold, wf_test::graph_of(R"(wf.graph 1 "g"
node elementwise.constant() [value = 2] -> f64[]
node movement.broadcast_to(%0) [d0 = dim 4] -> f64[4]
node movement.split(%1) [axis = 0] -> f64[2], f64[2]
node movement.concat(%3, %2) [axis = 0] -> f64[4]
output "a" = %3
output "b" = %4
)"));
  CHECK(made.view().nodes.size() == 4);
}

namespace {

// User-defined operators: one with a rule for constants, one that moves elements, one that states
// nothing.
inline constexpr wf::kernel_spec halved{.name = "halved",
                                        .domain = "own",
                                        .signature = "X: ordered [...] -> Y[...]",
                                        .costs = {{"flops", "Y"}},
                                        .constant =
                                            [](const wf::constant_operands& x, double& number) {
                                              number = x[0] / 2;
                                              return x[0] != 3;
                                            },
                                        .laws = {.elementwise = true},
                                        .summary = "half of each element"};
inline constexpr wf::kernel_spec shuffled{.name = "shuffled",
                                          .domain = "own",
                                          .signature = "X: any [...] -> Y[...]",
                                          .costs = {{"flops", "0"}},
                                          .moves_elements = true,
                                          .summary = "the elements in some order"};
inline constexpr wf::kernel_spec unsaid{.name = "unsaid",
                                        .domain = "own",
                                        .signature = "X: any [...] -> Y[...]",
                                        .costs = {{"flops", "0"}},
                                        .laws = {.elementwise = true},
                                        .summary = "who knows"};

}  // namespace

TEST_CASE("operators of the user's own are folded by what their kernels say") {
  wf::registry kernels = wf::builtin_registry();
  for (const wf::kernel_spec* k : {&halved, &shuffled, &unsaid}) REQUIRE(kernels.add(*k));
  const auto left = [&kernels](const std::string& op, const std::string& type, const char* number) {
    const std::string source =
        "wf.graph 1 \"g\"\nnode elementwise.constant() [value = " + std::string(number) + "] -> " +
        type + "[]\nnode movement.broadcast_to(%0) [d0 = dim 2] -> " + type + "[2]\nnode own." +
        op + "(%1) -> " + type + "[2]\noutput \"y\" = %2\n";
    const wf::graph g = wf_test::graph_of({source.data(), source.size()});
    const auto made = wf::fold_constants(g.view(), kernels);
    REQUIRE(made);
    std::string out;
    for (const wf::node& n : made->view().nodes) out += std::string(made->view().op_name(n)) + ' ';
    const wf::attribute* value = made->view().find_attribute(made->view().nodes[0], "value");
    return out + std::to_string(value->real);
  };
  CHECK(left("halved", "f64", "5.0") == "constant broadcast_to 2.500000");
  CHECK(left("halved", "i32", "4.0") == "constant broadcast_to 2.000000");
  CHECK(left("halved", "i32", "5.0") == "constant broadcast_to halved 5.000000");  // not an integer
  CHECK(left("halved", "f64", "3.0") == "constant broadcast_to halved 3.000000");  // states nothing
  CHECK(left("shuffled", "f32", "3.0") == "constant broadcast_to 3.000000");
  CHECK(left("unsaid", "f32", "3.0") == "constant broadcast_to unsaid 3.000000");
}

TEST_CASE("folding keeps what random workflows compute") {
  const auto counts = wf_test::check_pass(fold, 20261130, 80);
  CHECK(counts.runs > 60);
  CHECK(counts.changed > 40);
  wf_test::check_executables(fold, 20261224, 40);
  wf_test::check_odd_graphs(fold, 20261131, 150);
}

TEST_CASE("20,000 nodes, and as many constants") {
  const wf::graph g = wf_test::large_workflow(20'000);
  CHECK(wf_test::passed(fold, g.view()).view().nodes.size() <= 20'001);
  wf::graph sums("sums");
  const wf::attribute_value one = wf::attribute_value::floating("value", 1);
  const wf::value_type t{wf::dtype::f64, {}, {}};
  wf::value_id last = wf::graph_view::output_of(sums[sums.add_node(
      {.op = "constant", .domain = "elementwise", .attributes = {&one, 1}}, {}, {&t, 1})]);
  const wf::value_id unit = last;
  for (int i = 0; i < 20'000; ++i) {
    const wf::value_id operands[] = {last, unit};
    last = wf::graph_view::output_of(
        sums[sums.add_node({.op = "add", .domain = "elementwise"}, operands, {&t, 1})]);
  }
  sums.add_output("y", last);
  const wf::graph made = wf_test::passed(fold, sums.view());
  REQUIRE(made.view().nodes.size() == 1);
  CHECK(made.view().attributes[0].real == 20'001);
}
