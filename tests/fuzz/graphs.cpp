// SPDX-License-Identifier: BSL-1.0
//
// Feeds broken graphs to everything that takes a graph except executors: see broken_graph.hpp.

#include <wf/adapt/wfformat/from_graph.hpp>
#include <wf/cache/fingerprint/graph.hpp>
#include <wf/choice/builtin.hpp>
#include <wf/compile/host_time.hpp>
#include <wf/compile/program.hpp>
#include <wf/compile/toolchain.hpp>
#include <wf/cost/cost_table.hpp>
#include <wf/cost/critical_path.hpp>
#include <wf/cost/implementation_times.hpp>
#include <wf/cost/polynomial_maximum.hpp>
#include <wf/cost/price_within.hpp>
#include <wf/cost/time_on_cores.hpp>
#include <wf/ir/compare/diff.hpp>
#include <wf/ir/compare/digest.hpp>
#include <wf/ir/compare/match.hpp>
#include <wf/ir/form/json.hpp>
#include <wf/ir/form/parse.hpp>
#include <wf/ir/form/parse_json.hpp>
#include <wf/ir/graph/frozen.hpp>
#include <wf/map/array/from_graph.hpp>
#include <wf/map/batch/map.hpp>
#include <wf/map/schedule/node_order.hpp>
#include <wf/order/best.hpp>
#include <wf/partition/assign.hpp>
#include <wf/partition/toolchain.hpp>
#include <wf/partition/without_messages.hpp>

#include <wf/report/graph/cost_table.hpp>
#include <wf/report/graph/dot.hpp>
#include <wf/report/graph/explain_library.hpp>
#include <wf/report/graph/svg.hpp>
#include <wf/report/toolchain/stage_text.hpp>
#include <wf/rewrite/bind.hpp>
#include <wf/rewrite/call_patterns.hpp>
#include <wf/rewrite/gradient.hpp>
#include <wf/rewrite/hoist.hpp>
#include <wf/rewrite/unroll.hpp>
#include <wf/select/bodies.hpp>
#include <wf/select/checkpoint/checkpoint.hpp>
#include <wf/select/every_size/piecewise.hpp>
#include <wf/select/optimise_on_cores.hpp>
#include <wf/select/pareto/optimise.hpp>
#include <wf/simulate/process/materialise.hpp>
#include <wf/simulate/process/recorder.hpp>
#include <wf/simulate/program/schedule.hpp>

#include "broken_graph.hpp"

namespace {

using wf_test::subject;

const wf::registry& kernels() {
  static const wf::registry all = wf::builtin_registry();
  return all;
}
constexpr wf::metric_spec metrics[] = {wf::flops_::spec, wf::peak_memory_::spec, wf::latency_::spec,
                                       wf::depth_::spec, wf::bytes_::spec};
const wf::metric_spec& metric(const subject& s) { return metrics[s.random() % 5]; }

// Options for short searches.
wf::optimise_options small_search() {
  wf::optimise_options options;
  options.growth.max_nodes = 60;
  options.growth.max_steps = 400;
  options.search.max_nodes = 300;
  return options;
}
wf::map_options small_mapping() {
  wf::map_options options;
  options.limits.max_nodes = 20;
  return options;
}
wf::pe_array small_array() {
  wf::pe_array array;
  array.rows = array.columns = 2;
  array.memory_bytes = 1 << 16;
  array.dram_bytes_per_cycle = 16;
  return array;
}
wf::task_options small_machine() {
  wf::task_options options;
  options.processors = 2;
  options.link = {64, 1};
  options.resources.push_back({wf::memory, 1 << 20, true});
  return options;
}
wf::result<wf::workflow_schedule> scheduled(const subject& s) {
  wf::schedule_options limits;
  limits.limits.max_nodes = 20;
  limits.memory = 1 << 20;
  return wf::schedule(s.g, metric(s), kernels(), small_machine(), limits);
}
wf::compile_settings small_settings() {
  wf::compile_settings settings;
  settings.optimise = small_search();
  settings.array = small_array();
  settings.mapping = small_mapping();
  return settings;
}

void made_plan(const subject& s, const wf::result<wf::plan>& p) {
  s.takes_whole(p);
  if (!p) return;
  s.require(wf::validate(p->chosen.view()).has_value(), "a chosen workflow is valid");
  s.require(p->chosen.view().outputs.size() == s.g.outputs.size(),
            "a chosen workflow has the outputs of the workflow");
  s.require(p->bound <= p->value, "a bound is no more than the value");
}

const wf::process_table& processes() {
  static const auto all = [] {
    wf::process_table out;
    for (const wf::kernel_spec* k : kernels().kernels()) out.set(k->name, 3, 2);
    return out;
  }();
  return all;
}

// A cost table of another graph, which has ten nodes.
const wf::cost_table& foreign_costs() {
  static const auto costs = [] {
    wf::graph g("foreign");
    const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(2)};
    wf::value_id x = g.add_input("x", t);
    for (int i = 0; i < 10; ++i)
      x = wf::graph_view::output_of(g[g.add_node({.op = "relu"}, {&x, 1}, {&t, 1})]);
    return *wf::tabulate_costs(g, {metrics, 1});
  }();
  return costs;
}

// A back end that converts a graph to text.
wf::result<wf::text> written(const wf::graph& g) { return wf::to_text(g.view()); }
struct nothing_to_run {
  static wf::result<wf::type_args> types_of(const wf::graph_view&, int,
                                            const wf::table<wf::text>&) {
    return wf::type_args{};
  }
  wf::result<wf::text> operator()(int) const { return made; }
  wf::text made;
};
struct writing {
  nothing_to_run load(const wf::text& made) const { return {made}; }
};
auto text_backend() {
  return wf::make_backend<"text">(wf::checking_toolchain(small_settings()),
                                  wf::step<"write", wf::graph, wf::text>(&written),
                                  [](const wf::text& t) -> wf::result<std::int64_t> {
                                    return static_cast<std::int64_t>(t.size());
                                  });
}

constexpr wf_test::graph_entry entries[] = {
    // --- ir -------------------------------------------------------------------------------------
    {"ir/graph/validate.hpp validate", [](const subject& s) { s.takes_whole(wf::validate(s.g)); }},
    {"ir/graph/validate.hpp validated",
     [](const subject& s) {
       const auto view = wf::validated(s.g);
       s.takes_whole(view);
       s.require(view.has_value() == s.is_whole, "what is valid is sealed");
       s.require(!view || view->is_sealed(), "what is valid is sealed");
       s.makes_graph(wf::validated(wf::graph(s.g)));
     }},
    {"ir/graph/references.hpp validate_references",
     [](const subject& s) { s.takes_references(wf::validate_references(s.g)); }},
    {"ir/graph/graph.hpp graph",
     [](const subject& s) {
       const wf::graph copy(s.g);
       s.require(copy.view().is_sealed() == s.g.is_sealed(), "a copy knows no more");
       s.require(wf::validate(copy.view()).has_value() == s.is_whole, "a copy is as valid");
     }},
    {"ir/graph/builder.hpp graph_builder",
     [](const subject& s) {
       wf::graph_builder b{wf::graph(s.g)};
       const wf::value_type t{wf::dtype::f64, {}, {}};
       b.add_node({.op = "constant"}, {}, {&t, 1});
       s.require(b.take().view().nodes.size() >= s.g.nodes.size(), "a builder keeps its nodes");
     }},
    {"ir/graph/frozen.hpp sizes_of",
     [](const subject& s) {
       s.require(wf::sizes_of(s.g).nodes == s.g.nodes.size(), "sizes are sizes");
     }},
    {"ir/graph/frozen.hpp freeze",
     [](const subject& s) {
       constexpr wf::graph_sizes sizes{80, 3, 3, 6, 6, 3, 1, 1, 2, 1};
       const auto frozen = wf::freeze<sizes>(s.g);
       s.require(!frozen.view().is_sealed() || s.g.is_sealed(), "what is frozen knows no more");
       static_cast<void>(wf::validate(frozen.view()).has_value());
     }},
    {"ir/graph/topology.hpp topological_order",
     [](const subject& s) {
       const auto order = wf::topological_order(s.g);
       s.takes_references(order);
       s.require(!order || order->size() == s.g.nodes.size(), "an order has all nodes");
     }},
    {"ir/graph/topology.hpp adjacency_of",
     [](const subject& s) {
       const wf::adjacency a = wf::adjacency_of(s.g);
       for (std::uint32_t i = 0; i < s.g.nodes.size(); ++i)
         s.require(s.has_references || a.predecessors_of(wf::node_id{i}).empty(),
                   "nothing is said of what does not exist");
     }},
    {"ir/form/text.hpp to_text",
     [](const subject& s) {
       const wf::text words = wf::to_text(s.g);
       s.says(words);
       const auto again = wf::parse_graph(words.view());
       s.require(again.has_value() || !s.is_whole, "the text form round-trips a valid graph");
       s.require(s.has_references || !again, "a refused graph has no text form");
     }},
    {"ir/form/json.hpp to_json",
     [](const subject& s) {
       const wf::text words = wf::to_json(s.g);
       s.says(words);
       const auto again = wf::parse_graph_json(words.view());
       s.require(s.is_whole ? again && wf::same(*again, s.g) : s.has_references || !again,
                 "the JSON form round-trips a valid graph");
     }},
    {"ir/compare/digest.hpp digest",
     [](const subject& s) {
       const bool known = wf::digest(s.g) != wf::digest128{};
       s.require(s.is_whole ? known : s.has_references || !known, "what is valid has a digest");
       for (const std::uint32_t v : {0u, 1u, 0xffffffffu})
         s.require(wf::digest(s.g, wf::value_id{v}) == wf::digest128{} || s.has_references,
                   "values of what is refused have no digest");
     }},
    {"ir/compare/digest.hpp value_digests",
     [](const subject& s) {
       s.require(wf::value_digests(s.g).size() == s.g.values.size(), "a digest a value");
     }},
    {"ir/compare/same.hpp same",
     [](const subject& s) {
       s.require(wf::same(s.g, s.g) == s.has_references, "what is refused is the same as nothing");
       static_cast<void>(wf::same(s.g, wf::graph("other")));
     }},
    {"ir/compare/diff.hpp diff",
     [](const subject& s) {
       const wf::graph empty("empty");
       s.require(wf::diff(s.g, s.g).empty() == s.has_references, "a graph does not differ");
       for (const auto& changes : {wf::diff(s.g, empty), wf::diff(empty, s.g)}) {
         s.require(!changes.empty(), "an empty graph is another one");
         s.says(s.has_references ? wf::text("WF4") : wf::to_text(changes));
       }
     }},
    {"ir/compare/match.hpp match_graphs",
     [](const subject& s) {
       const auto all = wf::match_graphs(s.g, s.g);
       for (std::uint32_t i = 0; i < s.g.nodes.size(); ++i)
         s.require(s.is_whole ? all.nodes[i] == wf::node_id{i}
                              : s.has_references || all.nodes[i] == wf::node_id::none,
                   "equal graphs are matched id by id, refused ones not at all");
     }},
    {"ir/graph/copy.hpp splice",
     [](const subject& s) {
       wf::graph_builder into("into");
       std::vector<wf::value_id> operands;
       for (const wf::value& v : s.g.values)
         if (v.producer == wf::node_id::none)
           operands.push_back(
               into.graph().add_input((wf::text("i") << operands.size()).view(), v.type));
       const wf::symbol_map symbols;
       s.takes_whole(wf::splice(s.g, into, {operands.data(), operands.size()}, symbols));
       operands.push_back(wf::value_id{77});
       s.require(!wf::splice(s.g, into, {operands.data(), operands.size()}, symbols),
                 "one operand an input");
     }},
    {"ir/graph/symbol_map.hpp match_inputs",
     [](const subject& s) {
       std::vector<wf::value_type> types;
       for (const wf::value& v : s.g.values)
         if (v.producer == wf::node_id::none) types.push_back(v.type);
       s.takes_references(wf::match_inputs(s.g, {types.data(), types.size()}));
       s.takes_references(wf::match_inputs(s.g, {}));
     }},
    {"ir/graph/symbol_map.hpp translate",
     [](const subject& s) {
       wf::symbol_map symbols;
       symbols.bind(wf::make_symbol("M"), wf::extent(3));
       wf::graph into("into");
       for (const wf::value& v : s.g.values)
         if (const auto t = symbols.translate(v.type, s.g, into); !t) s.is_error(t.error());
       if (const auto e = symbols.translate(wf::extent::derived(7), s.g, into); !e)
         s.is_error(e.error());
     }},
    {"ir/graph/copy.hpp graph_copier",
     [](const subject& s) {
       wf::graph_builder into("into");
       const wf::symbol_map symbols;
       wf::graph_copier copier(s.g, into, symbols);
       s.require(s.has_references || copier.copy_inputs().code != wf::errc::none,
                 "nothing is copied of what is refused");
       for (std::uint32_t i = 0; i < s.g.nodes.size(); ++i)
         if (copier.copy(wf::node_id{i}).code != wf::errc::none) break;
       copier.copy_edges();
       static_cast<void>(copier.outputs());
     }},
    // --- cost -----------------------------------------------------------------------------------
    {"cost/cost.hpp price",
     [](const subject& s) {
       s.takes_whole(wf::price(s.g, metric(s), kernels()));
       s.takes_whole(wf::price(s.g, metric(s)));
     }},
    {"cost/cost.hpp price_symbolic",
     [](const subject& s) {
       s.takes_whole(wf::price_symbolic(s.g, wf::flops, kernels()));
       s.takes_whole(wf::price_symbolic(s.g, wf::bytes));
     }},
    {"cost/cost.hpp price_nodes",
     [](const subject& s) {
       s.takes_whole(wf::price_nodes(s.g, {metrics, 2}, kernels()));
       s.takes_whole(wf::price_nodes(s.g, {}, kernels()));
     }},
    {"cost/price.hpp total_cost",
     [](const subject& s) {
       s.takes_whole(wf::total_cost<wf::rational>(s.g, wf::flops, kernels()));
       s.takes_whole(wf::total_cost<wf::polynomial>(s.g, wf::flops, kernels()));
     }},
    {"cost/pricer.hpp pricer",
     [](const subject& s) {
       wf::pricer<wf::polynomial> prices(s.g, metric(s), kernels());
       for (std::uint32_t i = 0; i < s.g.nodes.size(); ++i) {
         s.takes_references(prices.price(wf::node_id{i}));
         s.takes_references(prices.kernel_of(s.g.nodes[i]));
       }
     }},
    {"cost/peak.hpp liveness_along",
     [](const subject& s) {
       std::vector<wf::node_id> order;
       for (std::uint32_t i = 0; i < s.g.nodes.size(); ++i) order.push_back(wf::node_id{i});
       const wf::view<wf::node_id> all{order.data(), order.size()};
       s.takes_whole(wf::liveness_along(s.g, wf::peak_memory, kernels(), all));
       if (!order.empty()) {
         order.back() = s.random() % 2 == 0 ? wf::node_id{0} : wf::node_id{99};
         s.takes_whole(wf::liveness_along(s.g, wf::peak_memory, kernels(), all));
         s.takes_whole(wf::liveness_along(s.g, wf::peak_memory, kernels(), {}));
       }
     }},
    {"ir/form/body.hpp body_of",
     [](const subject& s) {
       for (std::uint32_t i = 0; i <= s.g.nodes.size() && i < 4; ++i)
         s.takes_references(wf::body_of(s.g, wf::node_id{i}));
     }},
    {"cost/peak.hpp peak_cost",
     [](const subject& s) { s.takes_whole(wf::peak_cost(s.g, wf::qubits, kernels())); }},
    {"order/best.hpp best_order",
     [](const subject& s) {
       const wf::order_limits limits{200, 20};
       s.takes_whole(wf::best_order(s.g, wf::peak_memory, kernels(), limits));
       s.takes_whole(wf::best_order(s.g, wf::peak_memory, limits));
     }},
    {"cost/cost_table.hpp tabulate_costs",
     [](const subject& s) {
       s.takes_whole(wf::tabulate_costs(s.g, {metrics, 5}, kernels()));
       s.takes_whole(wf::tabulate_costs(s.g, {}));
     }},
    {"cost/time_on_cores.hpp price_on_cores",
     [](const subject& s) {
       const auto time = wf::price_on_cores(s.g, 3, kernels());
       s.takes_whole(time);
       if (time) s.require(time->least_ns() >= time->path_ns, "no time is below the path");
     }},
    {"cost/implementation_times.hpp implementation_pricer",
     [](const subject& s) {
       wf::implementation_pricer prices(s.g, 3, kernels());
       for (std::uint32_t i = 0; i < s.g.nodes.size(); ++i)
         s.takes_references(prices.price(wf::node_id{i}));
     }},
    {"report/graph/explain_library.hpp explain_library",
     [](const subject& s) { s.takes_whole(wf::explain_library(s.g, 3, kernels())); }},
    {"cost/critical_path.hpp critical_path",
     [](const subject& s) { s.takes_whole(wf::critical_path(s.g, wf::flops, kernels())); }},
    {"cost/price_within.hpp price_within",
     [](const subject& s) {
       s.takes_whole(wf::price_within(s.g, wf::flops, kernels()));
       s.takes_whole(wf::price_within(s.g, wf::peak_memory));
     }},
    {"cost/polynomial_maximum.hpp price_maximum",
     [](const subject& s) {
       s.takes_whole(wf::price_maximum(s.g, metric(s), kernels()));
       s.takes_whole(wf::price_maximum(s.g, wf::depth));
     }},
    {"compile/host_time.hpp predict_nanoseconds",
     [](const subject& s) { s.takes_whole(wf::predict_nanoseconds(s.g, kernels())); }},
    // --- passes ---------------------------------------------------------------------------------
    {"rewrite/bind.hpp bind_symbols",
     [](const subject& s) {
       const wf::symbol_size size{wf::make_symbol("M"),
                                  static_cast<std::int64_t>(s.random() % 4) - 1};
       s.makes_graph(wf::bind_symbols(s.g, {&size, 1}));
       s.makes_graph(wf::bind_symbols(s.g, {}));
     }},
    {"rewrite/canonical/canonical.hpp canonicalise",
     [](const subject& s) {
       s.makes_graph(wf::canonicalise(s.g));
       s.makes_graph(wf::canonicalise(s.g, kernels(), wf::algebra::real));
     }},
    {"rewrite/common.hpp merge_common",
     [](const subject& s) { s.makes_graph(wf::merge_common(s.g)); }},
    {"rewrite/dead.hpp drop_dead", [](const subject& s) { s.makes_graph(wf::drop_dead(s.g)); }},
    {"rewrite/fold.hpp fold_constants",
     [](const subject& s) { s.makes_graph(wf::fold_constants(s.g)); }},
    {"rewrite/views.hpp eliminate_views",
     [](const subject& s) { s.makes_graph(wf::eliminate_views(s.g)); }},
    {"rewrite/hoist.hpp hoist_invariants",
     [](const subject& s) { s.makes_graph(wf::hoist_invariants(s.g, kernels())); }},
    {"rewrite/inline.hpp inline_calls",
     [](const subject& s) { s.makes_graph(wf::inline_calls(s.g)); }},
    {"rewrite/inline.hpp has_calls",
     [](const subject& s) {
       s.require(s.has_references || !wf::has_calls(s.g), "what is refused calls nothing");
     }},
    {"rewrite/call_patterns.hpp map_calls",
     [](const subject& s) {
       const wf::call_pattern rows[] = {{"n*", "negate", {}}, {"*", "add", {}}};
       s.makes_graph(wf::map_calls(s.g, rows));
     }},
    {"rewrite/unroll.hpp unroll",
     [](const subject& s) { s.makes_graph(wf::unroll(s.g, kernels(), 50)); }},
    {"rewrite/gradient.hpp gradient",
     [](const subject& s) {
       s.makes_graph(wf::gradient(s.g));
       if (s.g.outputs.empty()) return;
       const wf::text_view of = s.g.text_of(s.g.outputs[s.random() % s.g.outputs.size()].name);
       s.makes_graph(wf::gradient(s.g, {.output = of, .seed = "seed"}, kernels()));
     }},
    {"rewrite/fusion.hpp group_fusion",
     [](const subject& s) { s.takes_whole(wf::group_fusion(s.g)); }},
    {"storage/rule.hpp storage_rule",
     [](const subject& s) {
       const wf::storage_rule rule(s.g, kernels());
       for (std::uint32_t i = 0; i < s.g.values.size(); ++i) {
         const wf::value_id home = rule.home_of(wf::value_id{i});
         s.require(wf::index_of(home) < s.g.values.size() && rule.is_home(home),
                   "a home is a value that has storage of its own");
       }
     }},
    {"storage/plan.hpp plan_storage",
     [](const subject& s) { s.takes_whole(wf::plan_storage(s.g, kernels())); }},
    {"cost/peak.hpp storage_along",
     [](const subject& s) {
       std::vector<wf::node_id> order;
       for (std::uint32_t i = 0; i < s.g.nodes.size(); ++i) order.push_back(wf::node_id{i});
       s.takes_whole(wf::storage_along(s.g, kernels(), {order.data(), order.size()}));
     }},
    {"partition/place.hpp place",
     [](const subject& s) {
       const auto placed = wf::place(s.g, kernels());
       s.takes_whole(placed);
       if (!placed) return;
       const auto wired = wf::insert_receives(*placed);
       if (!wired) return;
       auto cut = wf::cut(*wired, {.split_disconnected = true});
       s.require(cut.has_value() == wf::cut(*wired).has_value(), "parts exist where programs do");
       for (std::size_t i = 0; cut && i < cut->partitions.size(); ++i)
         s.require(wf::validate(cut->partitions[i].workflow.view()).has_value(),
                   "the program of a part is valid");
       cut = wf::cut(*wired);
       for (std::size_t i = 0; cut && i < cut->partitions.size(); ++i)
         s.require(wf::validate(cut->partitions[i].workflow.view()).has_value(),
                   "the program of a class is valid");
       if (cut) cut = wf::analyse_edges(std::move(*cut), kernels());
       for (const wf::gate_spec& gate : wf::standard_gates)
         if (cut) cut = wf::insert_gate(std::move(*cut), gate, kernels());
       if (!cut) return;
       const auto whole = wf::complete(*cut, wf::guard_rules::standard(), kernels());
       if (whole) static_cast<void>(wf::deploy(*whole, {}, {}, kernels()));
     }},
    {"partition/without_messages.hpp without_messages",
     [](const subject& s) { s.takes_whole(wf::without_messages(s.g, kernels())); }},
    {"partition/assign.hpp assign_classes",
     [](const subject& s) {
       wf::machine_park park;
       park.classes.push_back({wf::text("@self"), 3, -1, {}});
       park.classes.push_back({wf::text("a"), 1, -1, {}});
       park.links.push_back({wf::text("@self"), wf::text("a"), 1, 1});
       park.links.push_back({wf::text("a"), wf::text("@self"), 1, 1});
       const auto made = wf::assign_classes(s.g, park, kernels(), {.max_nodes = 50});
       s.takes_whole(made);
       if (made) static_cast<void>(wf::explain(*made, s.g, park));
     }},
    {"partition/assign.hpp explain",
     [](const subject& s) {
       // Of another workflow than the one that was assigned.
       static_cast<void>(wf::explain({}, s.g, {}));
     }},
    {"partition/toolchain.hpp deploy",
     [](const subject& s) {
       const auto d = wf::deploy(s.g);
       s.takes_references(d);
       if (!d) return;
       const auto made = wf::rewrite_programs(d->parts(), kernels(), [](const wf::partition& p) {
         return wf::drop_dead(p.workflow.view());
       });
       s.require(made && wf::complete(*made, wf::guard_rules::standard(), kernels()),
                 "a program without its dead nodes is guarded");
     }},
    {"partition/deadlines.hpp chain_depths",
     [](const subject& s) { s.takes_whole(wf::chain_depths(s.g, kernels())); }},
    {"partition/deadlines.hpp derive_deadlines",
     [](const subject& s) { s.takes_whole(wf::derive_deadlines(s.g, kernels(), 1000)); }},
    {"partition/expand.hpp expand",
     [](const subject& s) { s.takes_whole(wf::expand(s.g, kernels())); }},
    {"lint/lint.hpp lint",
     [](const subject& s) {
       for (const wf::findings& found : {wf::lint(s.g), wf::lint(s.g, kernels())}) {
         s.require(s.has_references || found.count(wf::severity::error) == 1,
                   "a lint finds what is refused");
         static_cast<void>(wf::to_text(found));
       }
       s.require(s.has_references || !wf::lint(s.g, {.off = wf::lint_rule_set::all()}).empty(),
                 "a lint finds what is refused whatever is left out");
     }},
    {"types/solve.hpp solve_types",
     [](const subject& s) {
       s.takes_references(wf::solve_types(s.g));
       s.takes_references(wf::solve_types(s.g, kernels(), {.unify_symbols = true}));
     }},
    {"types/solve.hpp complete_types",
     [](const subject& s) { s.takes_references(wf::complete_types(s.g, kernels())); }},
    {"types/solve.hpp find_type_conflicts",
     [](const subject& s) { s.takes_references(wf::find_type_conflicts(s.g, kernels())); }},
    {"cache/fingerprint/graph.hpp strict_key",
     [](const subject& s) {
       const wf::graph other("other");
       s.require(wf::strict_key{}(s.g) == wf::strict_key{}(wf::graph(s.g)), "a key is of a graph");
       s.require(wf::strict_key{}(s.g) != wf::strict_key{}(other), "another has another");
     }},
    {"cache/fingerprint/graph.hpp semantic_key",
     [](const subject& s) {
       s.require(wf::semantic_key{}(s.g) == wf::semantic_key{}(wf::graph(s.g)),
                 "a key is of a graph");
       static_cast<void>(wf::fingerprint_of(wf::graph(s.g)));
     }},
    // --- choice and selection -------------------------------------------------------------------
    {"choice/graph/choice_graph.hpp choice_graph",
     [](const subject& s) {
       const wf::choice_graph c(s.g);
       s.require((c.failure().code == wf::errc::none) == s.is_whole,
                 "alternatives of what is valid");
       s.require(s.is_whole || c.size() == 0, "nothing is taken of what is not valid");
       s.require(!s.is_whole || wf::validate(c.view()).has_value(), "alternatives are a graph");
     }},
    {"choice/graph/compact.hpp without_dropped",
     [](const subject& s) {
       const wf::choice_graph c = wf::without_dropped(wf::choice_graph(s.g));
       s.require((c.failure().code == wf::errc::none) == s.is_whole, "an error stays");
     }},
    {"choice/growth/growth.hpp grow",
     [](const subject& s) {
       const wf::optimise_options options = small_search();
       const auto grown = wf::grow(s.g, options.transforms, wf::builtin_registry(), options.growth);
       s.takes_whole(grown);
       if (grown)
         s.require(wf::validate(grown->view()).has_value(), "grown alternatives are a graph");
     }},
    {"choice/graph/extract.hpp number_classes",
     [](const subject& s) {
       const wf::class_numbers all = wf::number_classes(wf::choice_graph(s.g));
       s.require(s.is_whole || all.count == 0, "nothing is counted of what is not valid");
     }},
    {"choice/graph/extract.hpp extract",
     [](const subject& s) {
       const wf::choice_graph c(s.g);
       wf::class_numbers numbers = wf::number_classes(c);
       wf::table<std::uint32_t> chosen(numbers.count);
       for (std::uint32_t& k : chosen) k = static_cast<std::uint32_t>(s.random() % 9);
       s.makes_graph(wf::extract(c, numbers, chosen));
       s.makes_graph(wf::extract(c, numbers, {}));
       ++numbers.count;
       for (std::uint32_t& n : numbers.of_value) n = static_cast<std::uint32_t>(s.random() % 5);
       s.makes_graph(wf::extract(c, numbers, chosen));
     }},
    {"select/optimise_on_cores.hpp optimise_on_cores",
     [](const subject& s) {
       const auto made = wf::optimise_on_cores(s.g, 2, {}, kernels(), small_search());
       s.takes_whole(made);
       if (made) s.require(made->made.bound <= made->made.value, "the bound is one");
     }},
    {"select/optimise.hpp grow_choices",
     [](const subject& s) {
       const wf::optimise_options options = small_search();
       auto grown = wf::grow_choices(s.g, wf::builtin_registry(), options);
       s.takes_whole(grown);
       wf::priced_choices alone;
       alone.choices = wf::choice_graph(s.g);
       if (s.random() % 2 == 0) alone.classes = wf::number_classes(alone.choices);
       const wf::objective goal = wf::minimise(wf::flops);
       s.takes_whole(wf::price_choices(alone, goal, {}, kernels()));
       s.takes_whole(wf::select_choices(alone, goal, {}, kernels(), options.search));
       made_plan(s, wf::select_plan(alone, goal, {}, kernels(), options.search));
     }},
    {"select/optimise.hpp optimise",
     [](const subject& s) {
       const wf::limit limit = wf::peak_memory <= 1000;
       made_plan(s, wf::optimise(s.g, wf::minimise(metric(s)), {&limit, s.random() % 2}, kernels(),
                                 small_search()));
     }},
    {"select/bodies.hpp optimise_bodies",
     [](const subject& s) {
       const auto made =
           wf::optimise_bodies(s.g, wf::minimise(metric(s)), kernels(), small_search());
       s.takes_whole(made);
       if (made)
         s.require(wf::validate(made->workflow.view()).has_value(), "chosen bodies are a graph");
     }},
    {"select/checkpoint/checkpoint.hpp checkpoint",
     [](const subject& s) {
       wf::checkpoint_request wanted;
       wanted.most_bytes = static_cast<std::int64_t>(s.random() % 4000);
       wanted.late = s.random() % 2 == 0 ? "o" : "";
       if (s.random() % 4 == 0) wanted.metric = metric(s);
       wanted.search.max_steps = 2000;
       const auto made = wf::checkpoint(s.g, wanted, kernels());
       s.takes_whole(made);
       if (!made) return;
       const auto bytes = wf::price(made->workflow.view(), wf::peak_memory, kernels());
       s.require(bytes && *bytes == made->peak_bytes && *bytes <= wanted.most_bytes,
                 "a workflow keeps to its limit");
     }},
    {"select/pareto/optimise.hpp optimise",
     [](const subject& s) {
       const wf::pareto_options options{small_search(), 5};
       s.takes_whole(
           wf::optimise(s.g, wf::trade_off(wf::flops, wf::peak_memory), {}, kernels(), options));
       if (!s.is_whole) s.takes_whole(wf::optimise(s.g, wf::trade_off(wf::flops, wf::bytes)));
     }},
    {"select/every_size/piecewise.hpp optimise_piecewise",
     [](const subject& s) {
       const wf::piecewise_options options{small_search(), 5};
       const auto goal = wf::minimise(wf::flops);
       s.takes_whole(
           wf::optimise_piecewise(s.g, wf::symbol_range("M", 1, 4), goal, {}, kernels(), options));
       if (!s.is_whole)
         s.takes_whole(wf::optimise_piecewise(s.g, wf::symbol_range("M", 1, 4), goal));
     }},
    // --- mapping and simulation -----------------------------------------------------------------
    {"map/array/from_graph.hpp workload_of",
     [](const subject& s) {
       s.takes_whole(wf::workload_of(s.g));
       const auto work = wf::workload_of(s.g, kernels());
       s.takes_whole(work);
       if (!work || s.random() % 4 != 0) return;
       const wf::pe_array array = small_array();
       const auto placed = wf::map(*work, array, small_mapping());
       if (placed) s.takes_whole(wf::simulate(*work, array, *placed));
       wf::batch_options batches;
       batches.limits.max_nodes = 5;
       s.takes_whole(wf::map(*work, array, batches));
     }},
    {"map/schedule/from_graph.hpp tasks_of",
     [](const subject& s) {
       s.takes_whole(wf::tasks_of(s.g, metric(s), kernels(), small_machine()));
     }},
    {"map/schedule/from_graph.hpp schedule",
     [](const subject& s) {
       const auto made = scheduled(s);
       s.takes_whole(made);
       if (made) s.takes_whole(wf::simulate(made->tasks.graph, made->times));
     }},
    {"map/schedule/node_order.hpp order_of",
     [](const subject& s) {
       const auto made = scheduled(s);
       s.takes_whole(wf::order_of(s.g, made ? *made : wf::workflow_schedule()));
     }},
    {"map/schedule/node_order.hpp reordered",
     [](const subject& s) {
       const auto order = wf::topological_order(s.g);
       s.makes_graph(wf::reordered(s.g, order ? *order : wf::table<wf::node_id>()));
     }},
    {"simulate/process/materialise.hpp materialise",
     [](const subject& s) {
       const auto net = wf::materialise(s.g, processes());
       s.takes_whole(net);
       if (net) s.takes_whole(wf::simulate(*net));
     }},
    // --- compilation ----------------------------------------------------------------------------
    {"compile/arguments.hpp resolve_arguments",
     [](const subject& s) {
       wf::type_args args;
       args.fixed.push_back(wf::static_arg("M", std::int64_t{3}));
       s.takes_references(wf::resolve_arguments(s.g, {}));
       s.takes_references(wf::resolve_arguments(s.g, args));
     }},
    {"compile/arguments.hpp bind_arguments",
     [](const subject& s) {
       wf::type_args args;
       args.fixed.push_back(wf::static_arg("M", std::int64_t{3}));
       s.takes_references(wf::bind_arguments(s.g, {}));
       s.takes_references(wf::bind_arguments(s.g, args));
     }},
    {"compile/backend.hpp compile",
     [](const subject& s) { s.takes_references(text_backend().compile(s.g)); }},
    {"compile/backend.hpp check",
     [](const subject& s) {
       s.require(s.has_references || text_backend().check(s.g).code != wf::errc::none,
                 "a check finds what is refused");
     }},
    {"compile/backend.hpp graph_of",
     [](const subject& s) { s.takes_references(text_backend().graph_of(s.g)); }},
    {"compile/toolchain.hpp default_toolchain",
     [](const subject& s) {
       const wf::compile_settings settings = small_settings();
       const wf::graph g(s.g);
       s.takes_references(wf::checking_toolchain(settings)(g));
       s.takes_references(wf::types_step(kernels())(g));
       s.takes_whole(wf::validate_step(g));
       s.takes_references(wf::lint_step(kernels())(g));
       s.makes_graph(wf::canonical_toolchain(kernels())(g));
       s.takes_whole(wf::storage_step(kernels())(g));
       s.takes_whole(wf::fusion_step(kernels())(g));
       s.takes_references(wf::planning_toolchain(settings)(g));
     }},
    // --- reports --------------------------------------------------------------------------------
    {"report/graph/dot.hpp to_dot",
     [](const subject& s) {
       s.says(wf::to_dot(s.g));
       const std::string picture(wf::to_dot(wf::choice_graph(s.g)).view());
       s.require(s.is_whole || picture.find("WF") != std::string::npos,
                 "a picture of what is not valid says so");
     }},
    {"report/graph/svg.hpp to_svg", [](const subject& s) { s.says(wf::to_svg(s.g)); }},
    {"report/graph/labels.hpp value_labels",
     [](const subject& s) {
       const wf::value_labels labels(s.g), classes{wf::choice_graph(s.g)};
       for (std::uint32_t i = 0; i < s.g.values.size(); ++i)
         s.require(!labels.of(wf::value_id{i}).empty(), "a value has a label");
       for (std::uint32_t i = 0; i < s.g.nodes.size() + 2; ++i) {
         s.require(!labels.term(wf::node_id{i}).empty(), "a node has a term");
         s.require(!labels.definition(wf::node_id{i}).empty(), "a node has a definition");
       }
     }},
    {"report/graph/cost_table.hpp to_rows to_text to_markdown to_csv",
     [](const subject& s) {
       const auto own = wf::tabulate_costs(s.g, {metrics, 1}, kernels());
       for (const wf::cost_table& costs : {own ? *own : wf::cost_table(), foreign_costs()}) {
         s.require(!wf::to_rows(costs, s.g).empty(), "a table has rows");
         s.require(!wf::to_text(costs, s.g).empty(), "a table has a text");
         s.require(!wf::to_markdown(costs, s.g).empty(), "a table has a text");
         s.require(!wf::to_csv(costs, s.g).empty(), "a table has a text");
       }
     }},
    {"report/toolchain/stage_text.hpp stage_text",
     [](const subject& s) { s.says(wf::stage_text(wf::graph(s.g))); }},
    // --- bridges --------------------------------------------------------------------------------
    {"adapt/wfformat/from_graph.hpp from_graph",
     [](const subject& s) {
       const auto own = wf::tabulate_costs(s.g, {metrics, 1}, kernels());
       for (const auto& made :
            {wf::wfformat::from_graph(s.g), wf::wfformat::from_graph(s.g, metric(s), kernels()),
             wf::wfformat::from_graph(s.g, own ? *own : foreign_costs(), metrics[0])}) {
         s.takes_whole(made);
         s.require(!made || wf::wfformat::validate(*made).has_value(), "an export is valid");
       }
     }},
};

}  // namespace

std::vector<std::string> wf_test::fuzz_seeds() { return random_seeds(); }

std::vector<std::string> wf_test::fuzz_words() { return {"0", "1", "9", "graph", "x"}; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wf_test::feed_broken_graph(data, size, entries, std::size(entries));
  return 0;
}
