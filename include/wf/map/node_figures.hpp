// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/cost/peak.hpp>
#include <wf/cost/price.hpp>

namespace wf::detail {

/// The figures of one static graph's nodes and values that every mapping problem is made of: prices
/// of which an opaque call may state none, scratch memory and bytes.
class node_figures {
 public:
  /// The registry must outlive this.
  constexpr node_figures(const graph_view& g, const registry& r)
      : graph_(g), registry_(r), scratch_(g, r, peak_memory.spec) {}

  /// The price of a node by a pricer of metric `m`; 0 if it is opaque and declares none. Errors:
  /// those of `pricer::price`.
  constexpr result<rational> price_or_zero(pricer<rational>& prices, node_id id,
                                           const metric_spec& m) const {
    if (is_opaque(graph_, graph_[id]) && !declares(graph_[id], m.name)) return rational(0);
    return prices.price(id);
  }

  /// Bytes that a kernel needs besides operands and results, as in the peak memory; 0 if the node
  /// is opaque and declares none. Errors: those of `pricer::price`; `overflow`, naming the node, if
  /// they are negative or above `most`.
  constexpr result<std::int64_t> scratch_bytes(node_id id, std::int64_t most) {
    if (is_opaque(graph_, graph_[id]) && !declares(graph_[id], "scratch")) return std::int64_t{0};
    const auto bytes = scratch_.of(id);
    if (!bytes) return bytes.error();
    if (*bytes < 0 || *bytes > most)
      return make_error(errc::overflow, graph_.label(id).view(),
                        "its scratch memory is above 2^52 bytes");
    return *bytes;
  }

  /// Bytes of a value. Errors: `overflow`, with the given label, if they do not fit 63 bits.
  constexpr result<std::int64_t> bytes_of(value_id id, text_view label) const {
    const value_type& t = graph_[id].type;
    std::int64_t size = 0;
    if (t.shape.elements() < 0 || !checked_multiply(t.shape.elements(), size_of(t.type), size))
      return make_error(errc::overflow, label, "the bytes of an operand or result do not fit");
    return size;
  }

 private:
  constexpr bool declares(const node& n, text_view metric) const {
    for (const declared_cost& c : graph_.costs_of(n))
      if (graph_.text_of(c.metric) == metric) return true;
    if (const kernel_spec* kernel = registry_.find(graph_.op_name(n)))
      for (const kernel_cost& c : kernel->costs)
        if (c.metric != nullptr && c.text().metric == metric) return true;
    return false;
  }

  graph_view graph_;
  const registry& registry_;
  scratch_prices scratch_;
};

}  // namespace wf::detail
