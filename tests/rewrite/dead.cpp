// SPDX-License-Identifier: BSL-1.0
#include <wf/rewrite/dead.hpp>

#include <algorithm>
#include <iterator>
#include <limits>

#include <wf/registry/domain/builtin.hpp>
#include <wf/registry/infer.hpp>

#include "pass_properties.hpp"

// --- random workflows, declared in pass_properties.hpp -------------------------------------------

namespace wf_test {

namespace {

// Adds random nodes with types from the registry, and drops those that it rejects.
class workflow_maker {
 public:
  workflow_maker(random_source& random, const workflow_options& options)
      : random_(random), options_(options), graph_("random") {}

  wf::graph make() {
    for (std::size_t i = 0; i < 4; ++i) {
      const wf::value_type t{type(), {}, shape()};
      values_.push_back(graph_.add_input((wf::text("in") << i).view(), t));
    }
    if (below(4) == 0) graph_.add_input("unused", {wf::dtype::f64, {}, wf::shape::of(2)});
    while (graph_.view().nodes.size() < options_.nodes) append();
    for (std::size_t i = 0; options_.edges && i < below(4); ++i) add_edge();
    for (std::size_t i = 0; i < 3; ++i)
      graph_.add_output((wf::text("out") << i).view(), values_[values_.size() - 1 - below(6)]);
    graph_.add_output("any", any());
    return std::move(graph_);
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  wf::value_id any() { return values_[below(values_.size())]; }
  // The latest values are read most often.
  wf::value_id operand() {
    const std::size_t back = below(2) == 0 ? below(4) : below(values_.size());
    return values_[values_.size() - 1 - back % values_.size()];
  }
  wf::dtype type() {
    if (options_.small_integers) return wf::dtype::f64;
    static constexpr wf::dtype all[] = {wf::dtype::f64,     wf::dtype::f64, wf::dtype::f32,
                                        wf::dtype::i32,     wf::dtype::i64, wf::dtype::i8,
                                        wf::dtype::boolean, wf::dtype::f16};
    return all[below(std::size(all))];
  }
  wf::shape shape() {
    const wf::shape all[] = {wf::shape::of(),     wf::shape::of(3),    wf::shape::of(2, 3),
                             wf::shape::of(2, 3), wf::shape::of(2, 3), wf::shape::of(1, 3),
                             wf::shape::of(2, 1), wf::shape::of(3, 3), wf::shape::of(2, 2, 3)};
    return all[below(std::size(all))];
  }

  void append() {
    const std::size_t kind = below(20);
    if (kind < 3) return constant();
    if (kind < 5) return repeat();
    if (kind < 12) return elementwise();
    if (kind < 18) return movement();
    if (kind == 18 && options_.effects && below(3) == 0) return add("barrier", {operand()});
    return add("matmul", {operand(), operand()});
  }
  void constant() {
    static constexpr double numbers[] = {0, -0.0, 1, 1, -1, 2, 3, 0.5, 0.1};
    const double number = options_.small_integers ? static_cast<double>(below(5)) - 2
                                                  : numbers[below(std::size(numbers))];
    const auto a = wf::attribute_value::floating("value", number);
    const wf::value_type scalar{operand_type(), {}, {}};
    const double whole = std::trunc(number);
    if (wf::is_integer(scalar.type) && whole != number) return;
    if (scalar.type == wf::dtype::boolean && number != 0 && number != 1) return;
    add("constant", {}, {a}, &scalar);
    if (below(2) == 0) return;
    const wf::value_id c = values_.back();
    if (below(2) == 0) return add("broadcast_to", {c}, extents(shape()));
    static constexpr const char* operators[] = {"add",     "subtract", "multiply", "divide",
                                                "maximum", "add",      "multiply"};
    for (std::size_t tries = 0; tries < 8; ++tries) {
      const wf::value_id x = operand();
      const std::string op = chosen(operators);
      if (options_.small_integers && op == "divide" && number == 0) return;
      if (graph_[x].type.type == scalar.type) return add(op, {x, c});
    }
  }
  wf::dtype operand_type() { return graph_[operand()].type.type; }
  std::vector<wf::attribute_value> extents(const wf::shape& s) {
    static constexpr const char* names[] = {"d0", "d1", "d2", "d3"};
    std::vector<wf::attribute_value> out;
    for (std::uint32_t d = 0; d < s.rank; ++d)
      out.push_back(wf::attribute_value::dimension(names[d], s[d]));
    return out;
  }
  template <std::size_t N>
  const char* chosen(const char* const (&list)[N]) {
    return list[below(N)];
  }

  // A node like an existing one, perhaps with exchanged operands.
  void repeat() {
    const wf::graph_view g = graph_.view();
    if (g.nodes.empty()) return;
    const wf::node& n = g.nodes[below(g.nodes.size())];
    if (n.effects != wf::effect::pure) return;
    std::vector<wf::value_id> operands(g.inputs_of(n).begin(), g.inputs_of(n).end());
    if (below(3) == 0) std::reverse(operands.begin(), operands.end());
    std::vector<std::string> names;
    std::vector<wf::attribute_value> attributes;
    for (const wf::attribute& a : g.attributes_of(n)) names.emplace_back(g.text_of(a.name));
    for (const wf::attribute& a : g.attributes_of(n)) names.emplace_back(g.text_of(a.characters));
    const std::size_t count = names.size() / 2;
    for (std::size_t i = 0; i < count; ++i) {
      const wf::attribute& a = g.attributes_of(n)[i];
      attributes.push_back({names[i], a.kind, a.number, a.denominator, a.real, names[count + i]});
    }
    std::shuffle(attributes.begin(), attributes.end(), random_);
    const std::string op(g.op_name(n));
    if (options_.small_integers && op == "divide") return;  // possibly by zero
    const wf::value_type type =
        n.outputs.count != 0 ? g.values[n.outputs.first].type : wf::value_type{};
    add(op, operands, attributes, op == "constant" ? &type : nullptr);
  }

  void elementwise() {
    static constexpr const char* real[] = {
        "negate",  "abs",         "square",     "sqrt",       "reciprocal", "relu",     "negate",
        "tanh",    "copy",        "negate",     "add",        "subtract",   "multiply", "divide",
        "maximum", "minimum",     "add",        "multiply",   "subtract",   "less",     "equal",
        "where",   "logical_and", "logical_or", "logical_not"};
    static constexpr const char* ring[] = {"negate",   "abs",      "square",  "relu",   "copy",
                                           "add",      "add",      "add",     "add",    "subtract",
                                           "multiply", "multiply", "maximum", "minimum"};
    const char* op = options_.small_integers ? chosen(ring) : chosen(real);
    const wf::kernel_spec* k = kernels_.find(op);
    const auto s = wf::parse_signature(k->signature);
    std::vector<wf::value_id> operands;
    for (std::uint32_t i = 0; i < s->inputs; ++i) operands.push_back(operand());
    add(op, operands);
  }

  void movement() {
    const wf::value_id x = operand();
    const wf::shape s = graph_[x].type.shape;
    using wf::attribute_value;
    const auto axis = [&] {
      return attribute_value::integer("axis",
                                      s.rank == 0 ? 0 : static_cast<std::int64_t>(below(s.rank)));
    };
    const auto number = [&](const char* name, std::size_t limit) {
      return attribute_value::integer(name, static_cast<std::int64_t>(below(limit)));
    };
    switch (below(12)) {
      case 0: {
        const wf::shape shapes[] = {s, wf::shape::of(s.elements()), wf::shape::of(1, s.elements()),
                                    wf::shape::of(s.elements(), 1)};
        return add("reshape", {x}, extents(shapes[below(4)]));
      }
      case 1: {
        std::vector<attribute_value> p;
        static constexpr const char* names[] = {"p0", "p1", "p2", "p3"};
        for (std::uint32_t d = 0; d < s.rank; ++d) p.push_back(number(names[d], s.rank));
        return add("permute", {x}, p);
      }
      case 2:
        return add("transpose", {x});
      case 3: {
        const attribute_value a = axis();
        const std::int64_t whole = s.rank == 0 ? 1 : s[static_cast<std::size_t>(a.number)].size();
        const auto start = static_cast<std::int64_t>(below(3));
        return add(
            "slice", {x},
            {a, attribute_value::integer("start", below(2) == 0 ? 0 : start),
             attribute_value::integer(
                 "length", below(2) == 0 ? whole : std::max<std::int64_t>(whole - start, 0))});
      }
      case 4:
        return add("broadcast_to", {x}, extents(below(3) == 0 ? s : shape()));
      case 5:
        return add("pad", {x}, {axis(), number("before", 2), number("after", 2)});
      case 6: {
        const wf::value_id y = operand();
        return below(4) == 0 ? add("concat", {x, y, x}, {axis()}) : add("concat", {x, y}, {axis()});
      }
      case 7: {
        const attribute_value a = axis();
        const std::size_t before = values_.size();
        if (below(2) == 0)
          add("split", {x}, {a});
        else
          add("split", {x}, {a, number("parts", 5)});
        const std::vector<wf::value_id> parts(values_.begin() + static_cast<std::ptrdiff_t>(before),
                                              values_.end());
        if (parts.empty()) return;
        return add("concat", parts, {a});
      }
      case 8:
      case 9:
        if (options_.small_integers) return;
        return add("cast", {x},
                   {attribute_value::string(
                       "dtype", wf::name_of(below(5) == 0 ? graph_[x].type.type : type()))});
      default: {
        const char* op = chosen({"sum", "max", "mean", "arg_max"});
        if (options_.small_integers && op[0] != 's') return;
        if (below(2) == 0) return add(op, {x});
        return add(op, {x}, {axis()});
      }
    }
  }
  const char* chosen(std::initializer_list<const char*> list) {
    return list.begin()[below(list.size())];
  }

  void add(const std::string& op, const std::vector<wf::value_id>& operands,
           const std::vector<wf::attribute_value>& attributes = {},
           const wf::value_type* known = nullptr) {
    const wf::kernel_spec* k = kernels_.find(op);
    std::vector<wf::value_type> types;
    for (wf::value_id id : operands) types.push_back(graph_[id].type);
    const wf::view<wf::attribute_value> list{attributes.data(), attributes.size()};
    const auto given = wf::infer(*k, {{types.data(), types.size()}, list});
    if (!given) return;
    wf::node_description d;
    d.op = op;
    d.domain = k->domain;
    d.attributes = list;
    d.effects = k->effects;
    const wf::text name = wf::text("n") << graph_.view().nodes.size();
    if (below(5) == 0) d.name = name.view();
    if (options_.peers && below(12) == 0) d.peer = "host";
    const wf::cost_formula cost{"flops", "7"};
    if (options_.peers && below(16) == 0) d.costs = {&cost, 1};
    d.file = "file.cpp";
    d.line = static_cast<std::uint32_t>(graph_.view().nodes.size() + 1);
    for (const wf::value_type& t : given->types())
      if (t.shape.elements() > 64) return;
    const wf::node_id id =
        graph_.add_node(d, {operands.data(), operands.size()},
                        known != nullptr ? wf::view<wf::value_type>(known, 1) : given->types());
    for (std::uint32_t i = 0; i < graph_[id].outputs.count; ++i)
      values_.push_back(wf::graph_view::output_of(graph_[id], i));
  }
  void add_edge() {
    const std::size_t nodes = graph_.view().nodes.size();
    const std::size_t a = below(nodes), b = below(nodes);
    if (a != b)
      graph_.add_edge(below(2) == 0 ? wf::edge_kind::control : wf::edge_kind::mutate,
                      static_cast<wf::node_id>(std::min(a, b)),
                      static_cast<wf::node_id>(std::max(a, b)));
  }

  random_source& random_;
  workflow_options options_;
  wf::graph graph_;
  wf::registry kernels_ = wf::builtin_registry();
  std::vector<wf::value_id> values_;
};

}  // namespace

wf::graph redundant_workflow(random_source& random, const workflow_options& options) {
  return workflow_maker(random, options).make();
}

named_elements random_arguments(const wf::graph_view& g, random_source& random,
                                bool small_integers) {
  static constexpr double odd[] = {0.0,
                                   -0.0,
                                   1.0,
                                   -1.0,
                                   std::numeric_limits<double>::infinity(),
                                   -std::numeric_limits<double>::infinity(),
                                   std::numeric_limits<double>::quiet_NaN(),
                                   1e-310,
                                   3e4};
  named_elements out;
  for (const wf::value& v : inputs_of(g)) {
    std::vector<double>& elements = out[std::string(g.text_of(v.name))];
    for (std::int64_t i = 0; i < v.type.shape.elements(); ++i) {
      const auto small = static_cast<double>(random() % 7) - 3;
      if (v.type.type == wf::dtype::boolean)
        elements.push_back(static_cast<double>(random() % 2));
      else if (small_integers || wf::is_integer(v.type.type))
        elements.push_back(small);
      else if (random() % 3 == 0)
        elements.push_back(odd[random() % std::size(odd)]);
      else
        elements.push_back(static_cast<double>(static_cast<std::int64_t>(random())) * 0x1p-62);
    }
  }
  return out;
}

}  // namespace wf_test

TEST_CASE("random workflows run, and not only on ordinary numbers") {
  const std::uint64_t seed = 20261123;
  CAPTURE(seed);
  wf_test::random_source random(seed);
  std::size_t runs = 0, rounds = 60;
  std::map<std::string, std::size_t> operators, failures;
  for (std::size_t i = 0; i < rounds; ++i) {
    const wf::graph g = wf_test::redundant_workflow(random);
    REQUIRE(wf::validate(g.view()));
    for (const wf::node& n : g.view().nodes) ++operators[std::string(g.view().op_name(n))];
    const auto outcome = wf_test::execute(g.view(), wf_test::random_arguments(g.view(), random));
    ++failures[outcome.failure];
    if (outcome.failure.empty()) ++runs;
  }
  CAPTURE(failures);
  CHECK(runs > rounds / 2);
  CHECK(operators.size() > 30);
}

// --- dead nodes ---------------------------------------------------------------------------------

namespace {

const auto drop = [](const wf::graph_view& g) { return wf::drop_dead(g); };

// Node 1 has no reader; nodes 2 and 3 only read each other; node 4 precedes an effect.
constexpr wf::text_view source = R"(wf.graph 1 "g"
input "x" : f64[3]
input "unused" : f64[3]
node nn.relu(%0) -> f64[3]
node elementwise.exp(%2) -> f64[3]
node elementwise.log(%0) -> f64[3]
node elementwise.sin(%4) -> f64[3]
node elementwise.cos(%0) named "before" at "here.cpp":3:4 -> "w" : f64[3]
node io.log(%0) effect external peer "host"
edge control @4 -> @5
edge mutate @1 -> @3
output "y" = %2
)";

constexpr std::size_t nodes_left(wf::text_view text) {
  const wf::graph source_graph = wf_test::graph_of(text);
  const auto g = wf::drop_dead(source_graph.view());
  return g ? g->view().nodes.size() : 99;
}
static_assert(nodes_left(source) == 3);
static_assert(nodes_left("wf.graph 1 \"g\"\ninput \"x\" : f64[M]\noutput \"y\" = %0\n") == 0);

}  // namespace

TEST_CASE("what is of no use goes, inputs and what comes before effects stay") {
  const wf::graph made = wf_test::passed(drop, wf_test::graph_of(source));
  const wf::graph_view g = made.view();
  CHECK(wf_test::inputs_of(g).size() == 2);
  REQUIRE(g.nodes.size() == 3);
  CHECK(g.op_name(g.nodes[0]) == "relu");
  CHECK(g.op_name(g.nodes[1]) == "cos");
  CHECK(g.text_of(g.nodes[1].name) == "before");
  CHECK(g.text_of(g.nodes[1].location.file) == "here.cpp");
  CHECK(g.text_of(g[wf::graph_view::output_of(g.nodes[1])].name) == "w");
  CHECK(g.op_name(g.nodes[2]) == "log");
  CHECK(g.text_of(g.nodes[2].peer) == "host");
  REQUIRE(g.edges.size() == 1);
  CHECK(g.edges[0] == wf::edge{wf::edge_kind::control, wf::node_id{1}, wf::node_id{2}});
}

TEST_CASE("an order alone keeps no pure node, unless an effect follows through others") {
  CHECK(nodes_left(R"(wf.graph 1 "g"
input "x" : f64[3]
node elementwise.exp(%0) -> f64[3]
node nn.relu(%0) -> f64[3]
edge control @0 -> @1
output "y" = %2
)") == 1);
  CHECK(nodes_left(R"(wf.graph 1 "g"
input "x" : f64[3]
node elementwise.exp(%0) -> f64[3]
node nn.relu(%0) -> f64[3]
node io.log(%2) effect stateful
edge control @0 -> @1
output "y" = %0
)") == 3);
}

TEST_CASE("a cycle is an error") {
  wf::graph g = wf_test::graph_of(source);
  g.add_edge(wf::edge_kind::control, wf::node_id{5}, wf::node_id{4});
  CHECK(wf::drop_dead(g.view()).error().code == wf::errc::cyclic_graph);
}

TEST_CASE("dropping dead nodes keeps what random workflows compute") {
  const auto counts = wf_test::check_pass(drop, 20261124, 60);
  CHECK(counts.runs > 40);
  CHECK(counts.changed > 40);
  wf_test::check_executables(drop, 20261224, 25);
  wf_test::check_odd_graphs(drop, 20261125, 150);
}

TEST_CASE("every node that is left is of use") {
  wf_test::random_source random(20261126);
  for (int round = 0; round < 60; ++round) {
    const wf::graph made = wf_test::passed(drop, wf_test::redundant_workflow(random));
    const wf::graph_view g = made.view();
    // By repeated search instead of a single sweep.
    std::vector<char> live(g.nodes.size()), effect(g.nodes.size());
    for (std::size_t i = 0; i < g.nodes.size(); ++i)
      effect[i] = live[i] = g.nodes[i].effects != wf::effect::pure;
    for (const wf::output& o : g.outputs)
      if (g[o.source].producer != wf::node_id::none) live[wf::index_of(g[o.source].producer)] = 1;
    for (bool changed = true; changed;) {
      changed = false;
      const auto spread = [&](std::vector<char>& set, wf::node_id from, std::size_t to) {
        if (from == wf::node_id::none || set[to] == 0 || set[wf::index_of(from)] != 0) return;
        set[wf::index_of(from)] = 1;
        changed = true;
      };
      for (std::size_t i = 0; i < g.nodes.size(); ++i)
        for (wf::value_id v : g.inputs_of(g.nodes[i]))
          spread(live, g[v].producer, i), spread(effect, g[v].producer, i);
      for (const wf::edge& e : g.edges) spread(effect, e.from, wf::index_of(e.to));
    }
    for (std::size_t i = 0; i < g.nodes.size(); ++i) CHECK((live[i] != 0 || effect[i] != 0));
  }
}

TEST_CASE("20,000 nodes") {
  const wf::graph g = wf_test::large_workflow(20'000);
  CHECK(wf_test::passed(drop, g.view()).view().nodes.size() < 20'001);
}
