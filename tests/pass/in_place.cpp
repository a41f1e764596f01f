// SPDX-License-Identifier: BSL-1.0
#include <wf/pass/in_place.hpp>

#include <algorithm>
#include <numeric>

#include <wf/registry/registry.hpp>

#include "pass_properties.hpp"

namespace {

constexpr wf::text_view chain = R"(wf.graph 1 "g"
input "x" : f64[4]
node nn.relu(%0) -> f64[4]
node elementwise.negate(%1) -> f64[4]
node elementwise.add(%2, %2) -> f64[4]
output "y" = %3
)";

constexpr std::int64_t peak(wf::text_view source, const wf::buffer_options& options = {}) {
  const wf::graph g = wf_test::graph_of(source);
  const auto plan = wf::plan_in_place(g.view(), options);
  return plan ? plan->peak_bytes : -1;
}
static_assert(peak(chain) == 64);
static_assert(peak(chain, {.overwrite_inputs = true}) == 32);

wf::buffer_plan planned(const wf::graph& g, const wf::buffer_options& options = {}) {
  const auto plan = wf::plan_in_place(g.view(), options);
  INFO(std::string(wf::to_text(plan.error()).view()));
  REQUIRE(plan);
  return *plan;
}

// What a plan promises, by playing the schedule: each buffer holds one value (and its views) at a
// time, which is there whenever a node reads it, and at the end if it is handed out.
class player {
 public:
  player(const wf::graph_view& g, const wf::buffer_plan& plan, bool overwrite_inputs)
      : g_(g), plan_(plan), overwrite_inputs_(overwrite_inputs), kernels_(wf::builtin_registry()) {}

  void play(const std::vector<wf::node_id>& order) {
    REQUIRE(plan_.buffer_of.size() == g_.values.size());
    REQUIRE(plan_.overwrites.size() == g_.values.size());
    std::int64_t sum = 0;
    for (std::int64_t size : plan_.bytes) sum += size;
    CHECK(sum == plan_.peak_bytes);
    content_.resize(plan_.bytes.size());
    for (std::uint32_t i = 0; i < g_.values.size(); ++i) {
      REQUIRE(plan_.buffer_of[i] < plan_.bytes.size());
      const wf::value_type& t = g_.values[i].type;
      if (!is_view(g_.values[i].producer))
        CHECK(t.shape.elements() * wf::size_of(t.type) <= plan_.bytes[plan_.buffer_of[i]]);
      if (g_.values[i].producer != wf::node_id::none) continue;
      CHECK(content_[plan_.buffer_of[i]].empty());
      content_[plan_.buffer_of[i]] = {i};
    }
    for (wf::node_id id : order) run(g_[id]);
    for (const wf::output& o : g_.outputs) CHECK(is_there(wf::index_of(o.source)));
    for (std::uint32_t i = 0; i < g_.values.size(); ++i)
      if (g_.values[i].producer == wf::node_id::none && !overwrite_inputs_) CHECK(is_there(i));
  }

 private:
  // What a view says may be larger than what it views.
  bool is_view(wf::node_id id) const {
    if (id == wf::node_id::none || g_[id].inputs.count == 0) return false;
    const wf::kernel_spec* k = kernels_.find(g_.op_name(g_[id]));
    return k != nullptr && k->is_view;
  }
  bool is_there(std::uint32_t value) const {
    const auto& in = content_[plan_.buffer_of[value]];
    return std::find(in.begin(), in.end(), value) != in.end();
  }
  void run(const wf::node& n) {
    const wf::kernel_spec* k = kernels_.find(g_.op_name(n));
    for (wf::value_id v : g_.inputs_of(n)) CHECK(is_there(wf::index_of(v)));
    const bool view = n.outputs.count != 0 && is_view(g_.values[n.outputs.first].producer);
    for (std::uint32_t i = 0; i < n.outputs.count; ++i) {
      const std::uint32_t result = n.outputs.first + i, buffer = plan_.buffer_of[result];
      const wf::value_id old = plan_.overwrites[result];
      if (view) {
        CHECK(buffer == plan_.buffer_of[wf::index_of(g_.inputs_of(n)[0])]);
        content_[buffer].push_back(result);
        continue;
      }
      if (old != wf::value_id::none) {
        CHECK(may_overwrite(n, *k, old, result));
        CHECK(buffer == plan_.buffer_of[wf::index_of(old)]);
      } else {  // results are written while the operands are read
        for (wf::value_id v : g_.inputs_of(n)) CHECK(buffer != plan_.buffer_of[wf::index_of(v)]);
      }
      for (std::uint32_t j = 0; j < i; ++j) CHECK(buffer != plan_.buffer_of[n.outputs.first + j]);
      content_[buffer] = {result};
    }
  }
  bool may_overwrite(const wf::node& n, const wf::kernel_spec& k, wf::value_id old,
                     std::uint32_t result) const {
    const wf::value_type &a = g_[old].type, &b = g_.values[result].type;
    if (!(a.shape == b.shape) || wf::size_of(a.type) != wf::size_of(b.type)) return false;
    bool operand = false;
    for (wf::value_id v : g_.inputs_of(n)) {
      operand = operand || v == old;
      // Nothing else of that storage may be read in another order.
      if (v == old || plan_.buffer_of[wf::index_of(v)] != plan_.buffer_of[wf::index_of(old)])
        continue;
      if (!k.laws.elementwise || !(g_[v].type.shape == a.shape) || !is_straight(v)) return false;
    }
    const wf::text_view s = k.signature;
    bool through = false;
    for (std::size_t i = 0; i < s.size(); ++i) through |= s.part(i).starts_with("through ");
    return operand && is_straight(old) && (k.laws.elementwise || k.in_place || through);
  }
  // Views that only reshape.
  bool is_straight(wf::value_id v) const {
    for (; g_[v].producer != wf::node_id::none; v = g_.inputs_of(g_[g_[v].producer])[0]) {
      const wf::node& n = g_[g_[v].producer];
      const wf::kernel_spec* k = kernels_.find(g_.op_name(n));
      if (k == nullptr || !k->is_view) return true;
      if (g_.op_name(n) != "reshape" && g_.op_name(n) != "barrier") return false;
    }
    return true;
  }

  wf::graph_view g_;
  const wf::buffer_plan& plan_;
  bool overwrite_inputs_;
  wf::registry kernels_;
  std::vector<std::vector<std::uint32_t>> content_;  // by buffer: the value, and views of it
};

// The bytes that are alive at the worst moment: no plan can do with fewer.
std::int64_t least(const wf::graph_view& g, const wf::buffer_plan& plan,
                   const std::vector<wf::node_id>& order) {
  std::vector<std::int64_t> first(g.values.size(), -1), last(g.values.size(), -1);
  const auto end = static_cast<std::int64_t>(order.size());
  for (std::int64_t at = 0; at < end; ++at) {
    const wf::node& n = g[order[static_cast<std::size_t>(at)]];
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      first[n.outputs.first + k] = last[n.outputs.first + k] = at;
    for (wf::value_id v : g.inputs_of(n)) last[wf::index_of(v)] = at;
  }
  for (const wf::output& o : g.outputs) last[wf::index_of(o.source)] = end;
  std::int64_t most = 0;
  for (std::int64_t at = 0; at < end; ++at) {
    std::map<std::uint32_t, std::int64_t> buffers;
    for (std::uint32_t i = 0; i < g.values.size(); ++i) {
      const bool input = g.values[i].producer == wf::node_id::none;
      if (!input && (first[i] > at || last[i] < at)) continue;
      const std::int64_t bytes =
          std::min(g.values[i].type.shape.elements() * wf::size_of(g.values[i].type.type),
                   plan.bytes[plan.buffer_of[i]]);
      buffers[plan.buffer_of[i]] = std::max(buffers[plan.buffer_of[i]], bytes);
    }
    std::int64_t sum = 0;
    for (const auto& [buffer, bytes] : buffers) sum += bytes;
    most = std::max(most, sum);
  }
  return most;
}

}  // namespace

TEST_CASE("an elementwise chain runs in one buffer besides its input's") {
  const wf::buffer_plan plan = planned(wf_test::graph_of(chain));
  CHECK(plan.buffer_of == wf::table<std::uint32_t>{0, 1, 1, 1});
  CHECK(plan.overwrites[1] == wf::value_id::none);
  CHECK(plan.overwrites[2] == wf::value_id{1});
  CHECK(plan.overwrites[3] == wf::value_id{2});
}

TEST_CASE("what is read later, handed out, broadcast or of other elements is not overwritten") {
  const auto overwritten = [](wf::text_view nodes, wf::text_view outputs) {
    wf::text t;
    t << "wf.graph 1 \"g\"\ninput \"x\" : f64[2, 2]\nnode elementwise.exp(%0) -> f64[2, 2]\n"
      << nodes << outputs;
    const wf::buffer_plan plan = planned(wf_test::graph_of(t.view()));
    return plan.overwrites[2] != wf::value_id::none;
  };
  const wf::text_view y = "output \"y\" = %2\n";
  CHECK(overwritten("node elementwise.sin(%1) -> f64[2, 2]\n", y));
  CHECK_FALSE(overwritten("node elementwise.sin(%1) -> f64[2, 2]\n",
                          "output \"y\" = %2\noutput \"z\" = %1\n"));
  CHECK_FALSE(
      overwritten("node elementwise.sin(%1) -> f64[2, 2]\n"
                  "node elementwise.add(%1, %2) -> f64[2, 2]\n",
                  "output \"y\" = %3\n"));
  CHECK_FALSE(overwritten("node movement.cast(%1) [dtype = \"f32\"] -> f32[2, 2]\n", y));
  CHECK(overwritten("node movement.cast(%1) [dtype = \"i64\"] -> i64[2, 2]\n", y));
  CHECK_FALSE(overwritten("node linalg.matmul(%1, %1) -> f64[2, 2]\n", y));
  CHECK(overwritten("node nn.softmax(%1) -> f64[2, 2]\n", y));  // declared in_place
  CHECK_FALSE(overwritten("node movement.sum(%1) [axis = 0] -> f64[2]\n", y));
}

TEST_CASE("views share storage, and keep it from being overwritten in another order") {
  const auto plan_of = [](wf::text_view nodes, wf::text_view y) {
    wf::text t;
    t << "wf.graph 1 \"g\"\ninput \"x\" : f64[2, 2]\nnode elementwise.exp(%0) -> f64[2, 2]\n"
      << nodes << "output \"y\" = " << y << "\n";
    return planned(wf_test::graph_of(t.view()));
  };
  const wf::buffer_plan transposed = plan_of(R"(node linalg.transpose(%1) -> f64[2, 2]
node elementwise.add(%1, %2) -> f64[2, 2]
)",
                                             "%3");
  CHECK(transposed.buffer_of[2] == transposed.buffer_of[1]);
  CHECK(transposed.overwrites[3] == wf::value_id::none);
  const wf::buffer_plan reshaped = plan_of(R"(node movement.reshape(%1) [d0 = dim 4] -> f64[4]
node elementwise.sin(%2) -> f64[4]
)",
                                           "%3");
  CHECK(reshaped.overwrites[3] == wf::value_id{2});
  CHECK(reshaped.buffer_of[3] == reshaped.buffer_of[1]);
  // The view is read after the value itself for the last time.
  const wf::buffer_plan late = plan_of(R"(node linalg.transpose(%1) -> f64[2, 2]
node elementwise.sin(%1) -> f64[2, 2]
node linalg.matmul(%2, %3) -> f64[2, 2]
)",
                                       "%4");
  CHECK(late.overwrites[3] == wf::value_id::none);
  CHECK(late.buffer_of[3] != late.buffer_of[1]);
}

TEST_CASE("operands that are handed through are overwritten, whichever they are") {
  const wf::buffer_plan plan = planned(wf_test::graph_of(R"(wf.graph 1 "g"
input "a" : f64[]
input "x" : f64[8]
node elementwise.exp(%1) -> f64[8]
node elementwise.sin(%1) -> f64[8]
node linalg.axpy(%0, %2, %3) -> f64[8]
node linalg.axpy(%0, %4, %4) -> f64[8]
output "z" = %5
)"));
  CHECK(plan.overwrites[4] == wf::value_id{3});
  CHECK(plan.overwrites[5] == wf::value_id::none);  // it is read as x, too
  const wf::buffer_plan qubits = planned(wf_test::graph_of(R"(wf.graph 1 "g"
input "c" : qubit[2]
input "t" : qubit[2]
node quantum.hadamard(%0) -> qubit[2]
node quantum.hadamard(%1) -> qubit[2]
node quantum.cnot(%2, %3) -> qubit[2], qubit[2]
output "d" = %4
output "u" = %5
)"));
  CHECK(qubits.overwrites[4] == wf::value_id{2});
  CHECK(qubits.overwrites[5] == wf::value_id{3});
}

TEST_CASE("views, orders and values that are kept, as a caller says") {
  const wf::graph g = wf_test::graph_of(R"(wf.graph 1 "g"
input "x" : f64[2, 3]
node linalg.transpose(%0) -> f64[3, 2]
node elementwise.exp(%1) -> f64[3, 2]
node movement.reshape(%2) [d0 = dim 2, d1 = dim 3] -> f64[2, 3]
node elementwise.negate(%3) -> f64[2, 3]
node elementwise.sin(%4) -> f64[2, 3]
output "y" = %5
)");
  wf::buffer_plan plan = planned(g);
  CHECK(plan.buffer_of[1] == plan.buffer_of[0]);
  CHECK(plan.buffer_of[3] == plan.buffer_of[2]);
  CHECK(plan.overwrites[4] == wf::value_id{3});
  CHECK(plan.overwrites[5] == wf::value_id{4});
  wf::buffer_options options;
  options.views = wf::shared_views::transposes;
  plan = planned(g, options);
  CHECK(plan.buffer_of[1] == plan.buffer_of[0]);
  CHECK(plan.buffer_of[3] != plan.buffer_of[2]);
  CHECK(plan.overwrites[4] == wf::value_id{3});
  // By columns what was by rows: it does not lie as its operand does.
  const wf::table<char> by_columns{1, 0, 0, 0, 1, 1};
  options.by_columns = by_columns;
  plan = planned(g, options);
  CHECK(plan.overwrites[4] == wf::value_id::none);
  CHECK(plan.overwrites[5] == wf::value_id{4});
  const wf::table<wf::value_id> kept{wf::value_id{4}};
  options.kept = kept;
  plan = planned(g, options);
  CHECK(plan.overwrites[5] == wf::value_id::none);
  CHECK(plan.buffer_of[5] != plan.buffer_of[4]);
}

TEST_CASE("parts of matrices lie in them, and nothing is written over a matrix with parts in use") {
  const wf::graph g = wf_test::graph_of(R"(wf.graph 1 "g"
input "x" : f64[4, 3]
node elementwise.exp(%0) -> f64[4, 3]
node movement.slice(%1) [start = 0, length = 4] -> f64[4, 3]
node elementwise.add(%1, %2) -> f64[4, 3]
output "y" = %3
)");
  wf::buffer_options options;
  options.views = wf::shared_views::transposes;
  CHECK(planned(g, options).buffer_of[2] != planned(g, options).buffer_of[1]);
  options.views = wf::shared_views::parts;
  const wf::buffer_plan plan = planned(g, options);
  CHECK(plan.buffer_of[2] == plan.buffer_of[1]);
  CHECK(plan.overwrites[3] == wf::value_id::none);
  CHECK(plan.buffer_of[3] != plan.buffer_of[1]);
}

TEST_CASE("a buffer is reused by what fits, or enlarged") {
  // 32 bytes for the product's operand, freed before the next results.
  CHECK(peak(R"(wf.graph 1 "g"
input "x" : f64[2, 2]
node linalg.matmul(%0, %0) -> f64[2, 2]
node linalg.matmul(%1, %1) -> f64[2, 2]
node linalg.matmul(%2, %2) -> f64[2, 2]
output "y" = %3
)") == 3 * 32);
  CHECK(peak(R"(wf.graph 1 "g"
input "x" : f64[2]
node movement.sum(%0) -> f64[]
node movement.broadcast_to(%1) [d0 = dim 1] -> f64[1]
node movement.concat(%2, %2) [axis = 0] -> f64[2]
node movement.concat(%3, %3) [axis = 0] -> f64[4]
node movement.concat(%4, %4) [axis = 0] -> f64[8]
output "y" = %5
)") == 16 + 64 + 32);
}

TEST_CASE("plans of random workflows keep every value until it is read for the last time") {
  const std::uint64_t seed = 20261217;
  CAPTURE(seed);
  wf_test::random_source random(seed);
  std::size_t overwritten = 0, saved = 0;
  for (int round = 0; round < 150; ++round) {
    CAPTURE(round);
    wf_test::workflow_options workflow;
    workflow.nodes = 40;
    const wf::graph g = wf_test::redundant_workflow(random, workflow);
    INFO(wf_test::printed(g));
    wf::buffer_options options;
    options.overwrite_inputs = round % 2 == 0;
    const auto stable = wf::topological_order(g.view());
    std::vector<wf::node_id> order(stable->begin(), stable->end());
    if (round % 3 == 0) {  // another order that the edges allow
      std::shuffle(order.begin(), order.end(), random);
      std::vector<wf::node_id> sorted;
      std::vector<char> done(order.size());
      const wf::adjacency edges = wf::adjacency_of(g.view());
      while (sorted.size() < order.size())
        for (wf::node_id id : order) {
          const auto before = edges.predecessors_of(id);
          if (done[wf::index_of(id)] != 0 ||
              !std::all_of(before.begin(), before.end(),
                           [&](wf::node_id p) { return done[wf::index_of(p)] != 0; }))
            continue;
          done[wf::index_of(id)] = 1;
          sorted.push_back(id);
        }
      order = sorted;
      options.order = {order.data(), order.size()};
    }
    const wf::buffer_plan plan = planned(g, options);
    player(g.view(), plan, options.overwrite_inputs).play(order);
    std::int64_t all = 0;
    for (const wf::value& v : g.view().values)
      all += v.type.shape.elements() * wf::size_of(v.type.type);
    CHECK(plan.peak_bytes <= all);
    if (!options.overwrite_inputs) CHECK(plan.peak_bytes >= least(g.view(), plan, order));
    for (wf::value_id id : plan.overwrites) overwritten += id != wf::value_id::none ? 1 : 0;
    if (2 * plan.peak_bytes < all) ++saved;
  }
  CHECK(overwritten > 300);
  CHECK(saved > 50);
}

TEST_CASE("errors") {
  const wf::graph symbolic =
      wf_test::graph_of("wf.graph 1 \"g\"\ninput \"x\" : f64[M]\noutput \"y\" = %0\n");
  CHECK(wf::plan_in_place(symbolic.view()).error().code == wf::errc::workflow_not_static);
  const wf::graph huge = wf_test::graph_of(
      "wf.graph 1 \"g\"\ninput \"x\" : f64[4294967296, 2147483648]\noutput \"y\" = %0\n");
  CHECK(wf::plan_in_place(huge.view()).error().code == wf::errc::overflow);
  const wf::graph two = wf_test::graph_of(R"(wf.graph 1 "g"
input "x" : i8[9223372036854775807]
input "y" : i8[9223372036854775807]
output "z" = %0
)");
  CHECK(wf::plan_in_place(two.view()).error().code == wf::errc::overflow);
  const wf::graph g = wf_test::graph_of(chain);
  const wf::node_id wrong[] = {wf::node_id{1}, wf::node_id{0}, wf::node_id{2}};
  wf::buffer_options options;
  options.order = wrong;
  CHECK(wf::plan_in_place(g.view(), options).error().code == wf::errc::malformed_graph);
  options.order = {wrong, 1};
  CHECK(wf::plan_in_place(g.view(), options).error().code == wf::errc::malformed_graph);
  wf::graph cyclic = g;
  cyclic.add_edge(wf::edge_kind::control, wf::node_id{2}, wf::node_id{0});
  CHECK(wf::plan_in_place(cyclic.view()).error().code == wf::errc::cyclic_graph);
}

TEST_CASE("20,000 nodes, also if no two are of one size") {
  CHECK(planned(wf_test::large_workflow(20'000)).peak_bytes > 0);
  wf::graph g("g");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(4)};
  const wf::value_id x = g.add_input("x", t);
  std::vector<wf::value_id> last = {x};
  for (int i = 0; i < 20'000; ++i) {
    const wf::value_type size{wf::dtype::f64, {}, wf::shape::of(1 + (i * 7919) % 20'000)};
    const wf::value_id operand = last[last.size() - std::min<std::size_t>(last.size(), 100)];
    last.push_back(
        wf::graph_view::output_of(g[g.add_node({.op = "f"}, {&operand, 1}, {&size, 1})]));
  }
  CHECK(planned(g).bytes.size() < 200);
}
