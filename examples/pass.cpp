// SPDX-License-Identifier: BSL-1.0
//
// A user-defined pass: it drops magnitudes of values that cannot be negative, as a step in the
// toolchain of wf's own passes.
#include <wf/compile/toolchain.hpp>
#include <wf/ir/graph/copy.hpp>
#include <wf/ir/graph/topology.hpp>
#include <wf/ir/graph/validate.hpp>
#include <wf/wf.hpp>

#include "support.hpp"

// --8<-- [start:question]
// True if no element of a result can be negative or -0 for any operands. It depends on the meaning
// of the operator, not on its name, so that user-defined operators that state a meaning count too.
// `square_root` is excluded because the root of -0 is -0.
constexpr bool is_never_negative(const wf::kernel_spec* kernel) {
  if (kernel == nullptr) return false;
  return kernel->meaning == wf::meaning::exponential || kernel->meaning == wf::meaning::square ||
         kernel->meaning == wf::meaning::magnitude;
}

// The operand that a node's result equals bit by bit; `none` if there is none.
constexpr wf::value_id same_as_operand(const wf::graph_view& g, const wf::node& n,
                                       const wf::registry& kernels) {
  const wf::kernel_spec* const kernel = kernels.find(g.op_name(n));
  if (kernel == nullptr || kernel->meaning != wf::meaning::magnitude) return wf::value_id::none;
  const wf::value_id operand = g.inputs_of(n)[0];
  const wf::node_id producer = g[operand].producer;
  if (producer == wf::node_id::none) return wf::value_id::none;
  const bool fits = is_never_negative(kernels.find(g.op_name(g[producer])));
  // Nodes with effects, with costs of their own or on another peer are kept.
  const bool plain = n.effects == wf::effect::pure && n.costs.count == 0 &&
                     g.text_of(n.peer) == g.text_of(g[producer].peer);
  return fits && plain && !wf::is_complex(g[operand].type.type) ? operand : wf::value_id::none;
}
// --8<-- [end:question]

// --8<-- [start:pass]
// The pass. Errors: those of `validate`. O(size of the graph).
constexpr wf::result<wf::graph> drop_magnitudes(const wf::graph_view& workflow,
                                                const wf::registry& kernels) {
  const auto valid = wf::validated(workflow);
  if (!valid) return valid.error();
  const wf::graph_view& g = *valid;
  const auto order = wf::topological_order(g);
  if (!order) return order.error();

  wf::graph_builder into(g.text_of(g.name));
  const wf::symbol_map symbols;
  wf::graph_copier copier(g, into, symbols, {}, wf::duplicates::keep);
  if (const auto e = copier.copy_inputs(); e.code != wf::errc::none) return e;
  for (const wf::node_id id : *order) {
    const wf::value_id same =
        g.edges.empty() ? same_as_operand(g, g[id], kernels) : wf::value_id::none;
    if (same != wf::value_id::none)
      copier.place(wf::graph_view::output_of(g[id])) = copier.place(same);
    else if (const auto e = copier.copy(id); e.code != wf::errc::none)
      return e;
  }
  copier.copy_edges();
  copier.copy_outputs();
  return into.take();
}
// --8<-- [end:pass]

// --8<-- [start:test]
constexpr auto loss = wf::workflow<"loss">([](wf::scope& s) {
  auto x = s.input<"x", double, 100>();
  auto y = s.input<"y", double, 100>();
  s.output<"huber">(abs(abs(x - y)));
  s.output<"energy">(abs(exp(x)) + abs(x));
});

constexpr std::size_t nodes_after(const wf::result<wf::graph>& g) {
  return g ? g->view().nodes.size() : 0;
}
// Two of the four magnitudes change nothing and are dropped; a second run changes nothing.
constexpr bool drops_what_it_should() {
  const auto once = drop_magnitudes(loss.graph(), wf::builtin_registry());
  if (!once || nodes_after(once) != loss.graph().nodes.size() - 2) return false;
  return wf::same(drop_magnitudes(once->view(), wf::builtin_registry())->view(), once->view());
}
static_assert(drops_what_it_should());
// --8<-- [end:test]

// --8<-- [start:step]
// The pass as a step with its registry, inserted before the elimination of common subexpressions.
constexpr auto passes(const wf::registry& kernels) {
  return wf::canonical_toolchain(kernels).insert_before<"common">(
      wf::step<"magnitudes">([&kernels](const wf::graph& g) -> wf::result<wf::graph> {
        return drop_magnitudes(g.view(), kernels);
      }));
}
// --8<-- [end:step]

int main(int argc, char** argv) {
  (void)support::output_folder(argc, argv);
  const wf::registry kernels = wf::builtin_registry();
  const wf::graph before(loss.graph());
  // --8<-- [start:run]
  const auto after = support::value_or_exit(passes(kernels)(before));
  for (const wf::node& n : after.view().nodes) std::cout << after.view().op_name(n) << ' ';
  std::cout << '\n';
  // --8<-- [end:run]
  support::require(after.view().nodes.size() == before.view().nodes.size() - 2,
                   "two magnitudes are gone");
}
