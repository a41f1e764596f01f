// SPDX-License-Identifier: BSL-1.0
//
// GPT-2 small: its forward pass captured while compiling, its parameters and multiply-accumulates
// counted and compared with the published architecture, for one sequence length and for all.
#include "networks/gpt2.hpp"

#ifndef WF_GPT2_COMPILE_ONLY  // tools/bench compile measures the rest without this part
#include <iostream>

#include "support.hpp"
#endif

constexpr auto network = wf::workflow<"gpt2">([](wf::scope& s) { networks::gpt2<1024>(s); });
static_assert(network.graph().nodes.size() > 300);

// --8<-- [start:parameters]
// Every input of floating type is a parameter; the token embedding is one input, used twice.
constexpr std::int64_t parameters_of(const wf::graph_view& g) {
  std::int64_t total = 0;
  for (const wf::value& v : g.values)
    if (v.producer == wf::node_id::none && v.type.type == wf::dtype::f32)
      total += v.type.shape.elements();
  return total;
}
static_assert(parameters_of(network.graph()) == 124'439'808);
// --8<-- [end:parameters]

// --8<-- [start:macs]
// With T tokens of width d = 768, a block multiplies by d·3d, d·d, d·4d and 4d·d weights, all
// queries by all keys and all attention weights by all values (2·T²·d); the logits take d·50257 per
// token: 12·(12·d²·T + 2·d·T²) + 50257·d·T.
constexpr std::int64_t macs_of(std::int64_t t) {
  constexpr std::int64_t d = networks::gpt2_width;
  return networks::gpt2_layers * (12 * d * d * t + 2 * d * t * t) +
         networks::gpt2_vocabulary * d * t;
}
static_assert(macs_of(1024) == 123'532'032LL * 1024 + 18'432LL * 1024 * 1024);
static_assert(wf::cost(network)[wf::macs] == macs_of(1024));
// --8<-- [end:macs]

#ifndef WF_GPT2_COMPILE_ONLY

namespace {

// The same network with a symbolic number of tokens.
wf::graph any_length() {
  return support::value_or_exit(
      wf::capture("gpt2", [](wf::scope& s) { networks::gpt2<wf::extent("T")>(s); }));
}

}  // namespace

int main() {
  std::cout << "gpt2: " << network.graph().nodes.size() << " operators, "
            << wf::text().grouped(parameters_of(network.graph())) << " parameters\n"
            << "multiply-accumulates of 1,024 tokens: "
            << wf::text().grouped(wf::cost(network)[wf::macs]) << '\n';
  const wf::graph g = any_length();
  const auto symbolic = support::value_or_exit(wf::price_symbolic(g.view(), wf::macs));
  std::cout << "multiply-accumulates of T tokens: " << wf::to_text(symbolic) << '\n';
  const auto closed = support::value_or_exit(wf::parse_polynomial("18432*T**2 + 123532032*T"));
  support::require(symbolic == closed, "the derived count is the closed form");
  std::cout << "flops of T tokens: "
            << wf::to_text(support::value_or_exit(wf::price_symbolic(g.view(), wf::flops))) << '\n';
}

#endif
