// SPDX-License-Identifier: BSL-1.0
//
// Feeds broken graphs to the executors and to compilation for them: see broken_graph.hpp.

#include <cstdint>
#include <string>

#include <boost/hana/define_struct.hpp>

#include <wf/adapt/hana.hpp>
#include <wf/cost/body_price.hpp>
#include <wf/run/complex.hpp>
#include <wf/run/dynamic.hpp>
#include <wf/run/host_backend.hpp>
#include <wf/run/integers.hpp>
#include <wf/run/network/machine_kernels.hpp>
#include <wf/run/network/materialise.hpp>
#include <wf/run/network/placed_program.hpp>
#include <wf/run/single_precision.hpp>
#include <wf/run/static/definitions.hpp>

#include "broken_graph.hpp"

namespace {

using wf_test::subject;

struct no_members {
  BOOST_HANA_DEFINE_STRUCT(no_members);
};

// True if a node runs its body more often than a test has time for: that is no fault.
bool runs_long(const wf::graph_view& g) {
  static const wf::registry kernels = wf::builtin_registry();
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    const auto id = static_cast<wf::node_id>(i);
    const wf::text_view op = g.op_name(g[id]);
    if (!kernels.repeats(op)) continue;
    const wf::kernel_spec* const k = kernels.find(op);
    if (const auto runs = wf::detail::runs_of_body(g, id, *k); runs && *runs > 1000) return true;
  }
  return false;
}

// Matrices for the small inputs; none for a graph that runs long, which is then refused.
wf::named_matrices matrices(const subject& s) {
  wf::named_matrices out;
  if (!s.has_references || runs_long(s.g)) return out;
  for (const wf::value& v : s.g.values) {
    const wf::shape& shape = v.type.shape;
    if (v.producer != wf::node_id::none || !shape.has_rank()) continue;
    std::int64_t sizes[2] = {1, 1};
    for (std::uint32_t d = 0; d < shape.rank; ++d) {
      const std::int64_t size = shape[d].is_fixed() && shape[d].size() < 9 ? shape[d].size() : 2;
      sizes[d == 0 ? 0 : 1] *= size;
    }
    if (shape.rank > 2) sizes[0] *= sizes[1], sizes[1] = 1;
    out[std::string(s.g.text_of(v.name))] = wf::dynamic_matrix::Ones(sizes[0], sizes[1]);
  }
  return out;
}

wf::compile_settings small_settings() {
  wf::compile_settings settings;
  settings.optimise.growth.max_nodes = 60;
  settings.optimise.growth.max_steps = 400;
  settings.optimise.search.max_nodes = 300;
  return settings;
}

constexpr wf_test::graph_entry entries[] = {
    {"run/dynamic.hpp run_dynamic",
     [](const subject& s) { s.takes_whole(wf::run_dynamic(s.g, matrices(s))); }},
    {"run/single_precision.hpp run_dynamic_f32",
     [](const subject& s) {
       wf::named_matrices_f32 given;
       for (const auto& [name, m] : matrices(s)) given[name] = m.cast<float>();
       s.takes_whole(wf::run_dynamic_f32(s.g, given));
     }},
    {"run/integers.hpp run_dynamic_i32",
     [](const subject& s) {
       wf::named_matrices_i32 given;
       for (const auto& [name, m] : matrices(s)) given[name] = m.cast<std::int32_t>();
       s.takes_whole(wf::run_dynamic_i32(s.g, given));
     }},
    {"run/integers.hpp run_dynamic_i64",
     [](const subject& s) {
       wf::named_matrices_i64 given;
       for (const auto& [name, m] : matrices(s)) given[name] = m.cast<std::int64_t>();
       s.takes_whole(wf::run_dynamic_i64(s.g, given));
     }},
    {"run/integers.hpp run_dynamic_bool",
     [](const subject& s) {
       wf::named_matrices_bool given;
       for (const auto& [name, m] : matrices(s)) given[name] = m.cast<bool>();
       s.takes_whole(wf::run_dynamic_bool(s.g, given));
     }},
    {"run/complex.hpp run_dynamic_c128",
     [](const subject& s) {
       wf::named_matrices_c128 given;
       for (const auto& [name, m] : matrices(s)) given[name] = m.cast<wf::complex128>();
       s.takes_whole(wf::run_dynamic_c128(s.g, given));
     }},
    {"run/plan/executable.hpp prepare",
     [](const subject& s) {
       const auto ready = wf::executable_graph::prepare(s.g);
       s.takes_whole(ready);
       if (ready) s.takes_whole((*ready)(matrices(s)));
     }},
    {"run/network/materialise.hpp materialise_tensors",
     [](const subject& s) {
       static const wf::process_table times = [] {
         wf::process_table out;
         for (const wf::kernel_spec* k : wf::builtin_registry().kernels()) out.set(k->name, 3, 2);
         return out;
       }();
       auto network = wf::materialise_tensors(s.g, times);
       s.takes_whole(network);
       if (network) s.takes_whole(network->run(matrices(s)));
     }},
    {"run/network/node_executable.hpp node_alone prepare_node",
     [](const subject& s) {
       static const wf::registry kernels = wf::builtin_registry();
       for (std::uint32_t i = 0; i <= s.g.nodes.size() && i < 4; ++i) {
         const auto id = static_cast<wf::node_id>(i);
         static_cast<void>(wf::node_alone(s.g, id, &kernels));
         static_cast<void>(wf::prepare_node(s.g, id));
       }
     }},
    {"run/network/placed_program.hpp placed_program placement_of",
     [](const subject& s) {
       static const wf::registry kernels = wf::builtin_registry();
       wf::node_placement places;
       places.ranks = 2;
       for (std::size_t i = 0; i < s.g.nodes.size() && i < 1000; ++i)
         places.owners.push_back(std::uint32_t(s.random() % 2));
       const auto program = wf::placed_program(s.g, kernels, places);
       if (program) s.require(program->fault().code == wf::errc::none, "a program has no fault");
       wf::workflow_schedule schedule;
       schedule.tasks.graph.processors = 2;
       const auto placed = wf::placement_of(s.g, schedule);
       if (placed) s.require(placed->owners.size() == s.g.nodes.size(), "all nodes have a place");
     }},
    {"run/network/task_program.hpp add_code",
     [](const subject& s) {
       wf::task_program p(2);
       const std::uint32_t code = p.add_code(wf::graph(s.g));
       if (p.fault().code == wf::errc::none)
         s.require(wf::same(p.code_workflow(code), s.g), "a code is the workflow");
     }},
    {"run/network/machine_kernels.hpp machine_kernels",
     [](const subject& s) {
       const wf::deployment none;
       wf::machine_kernels computing(none);
       wf::table<wf::machine_kernels::value> results;
       s.require(computing(s.g, wf::node_id{}, {}, results, 0).code == wf::errc::not_executable,
                 "a foreign node is refused");
     }},
    {"run/plan/executable_plan.hpp make",
     [](const subject& s) {
       wf::planning_options options;
       options.growth.max_nodes = 40;
       options.growth.max_steps = 200;
       options.search.max_nodes = 100;
       const auto plan = wf::executable_plan::make(s.g, options);
       s.takes_whole(plan);
       if (plan) s.takes_whole((*plan)(matrices(s)));
       const wf::symbol_size size{wf::make_symbol("M"), 2};
       options.sizes = {&size, 1};
       if (!s.is_whole) s.takes_whole(wf::executable_plan::make(s.g, options));
     }},
    {"run/host_backend.hpp types_of",
     [](const subject& s) {
       s.takes_references(wf::host_executable::types_of(s.g, matrices(s), {}));
       s.takes_references(wf::host_executable::types_of(s.g, {}, {wf::text("in0")}));
     }},
    {"run/host_backend.hpp compile",
     [](const subject& s) {
       if (s.is_whole && s.random() % 8 != 0) return;  // it plans in full, which takes long
       s.takes_references(wf::compile(s.g, wf::type_args{}));
       s.takes_references(wf::compile(s.g));
     }},
    {"compile/choose.hpp compile_for",
     [](const subject& s) {
       const auto compiled = wf::compile_for<wf::named_matrices, wf::named_matrices>(
           s.g, {}, wf::reference_backend(small_settings()), wf::host_backend(small_settings()));
       s.takes_references(compiled);
       if (compiled) s.takes_references((*compiled)(matrices(s)));
     }},
    {"compile/program.hpp program",
     [](const subject& s) {
       const wf::program p(wf::reference_backend(small_settings()), wf::graph(s.g));
       s.takes_references(p(matrices(s)));
       s.takes_references(p.compile({}));
       s.takes_references(p.artifact_for({}));
     }},
    {"compile/program.hpp make_program",
     [](const subject& s) {
       s.takes_references(wf::make_program(wf::reference_backend(small_settings()), s.g));
     }},
    {"adapt/hana.hpp run_dynamic_with",
     [](const subject& s) {
       no_members none;
       s.takes_whole(wf::run_dynamic_with(s.g, none, none));
     }},
};

}  // namespace

std::vector<std::string> wf_test::fuzz_seeds() { return random_seeds(); }

std::vector<std::string> wf_test::fuzz_words() { return {"0", "1", "9", "graph", "x"}; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wf_test::feed_broken_graph(data, size, entries, std::size(entries));
  return 0;
}
