// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cost/price.hpp>
#include <wf/partition/deadlines.hpp>
#include <wf/partition/edges.hpp>
#include <wf/registry/domain/builtin.hpp>

namespace wf {

/// What crosses a wire when one machine of the sender's class computes the sent value once.
struct wire_traffic {
  polynomial messages;  ///< one for each receiver; in the symbols of the sender's program
  polynomial bytes;     ///< that the messages carry
};

namespace detail {

inline constexpr metric_spec messages_on_wires{"messages", "message", combination::sum,
                                               missing_cost::unknown};
inline constexpr metric_spec bytes_on_wires{"wire_bytes", "B", combination::sum,
                                            missing_cost::unknown};

// The price of each message to a class in a metric, by edge; 0 of messages to other classes, unless
// `role` is empty. The bytes of a message without content are 0.
template <class Number>
constexpr result<table<Number>> price_wires(const partitioned_program& p, text_view role,
                                            const metric_spec& m, const registry& kernels) {
  table<Number> out(p.edges.size(), Number(0));
  for (std::uint32_t from = 0; from < p.partitions.size(); ++from) {
    table<std::uint32_t> wanted;
    for (std::uint32_t k = 0; k < p.edges.size(); ++k)
      if (p.edges[k].from == from &&
          (p.edges[k].transport == wire_transport::data || m.name != bytes_on_wires.name) &&
          (role.empty() || p.partitions[p.edges[k].to].role.view() == role))
        wanted.push_back(k);
    if (wanted.empty()) continue;
    const partition& sender = p.partitions[from];
    const graph_view g = sender.workflow.view();
    if (std::is_same_v<Number, rational> && !g.is_static())
      return make_error(errc::workflow_not_static, sender.name.view(),
                        "its shapes are symbolic: use traffic, or bind the symbols");
    pricer<Number> prices(g, m, kernels);
    for (const std::uint32_t k : wanted) {
      auto one = prices.price(p.edges[k].send);
      if (!one) return one.error();
      out[k] = static_cast<Number&&>(*one);
    }
  }
  return out;
}

constexpr error check_role(const partitioned_program& p, text_view role) {
  for (const partition& one : p.partitions)
    if (one.role.view() == role) return {};
  return make_error(errc::unresolved_class, role, "no program is for machines of this class");
}

// Their sum, which must be a whole number.
constexpr result<std::int64_t> price_wires_to(const partitioned_program& p, text_view role,
                                              const metric_spec& m, const registry& kernels) {
  if (error e = check_role(p, role); e.code != errc::none) return e;
  const auto prices = price_wires<rational>(p, role, m, kernels);
  if (!prices) return prices.error();
  rational total(0);
  for (const rational& one : *prices)
    if (const errc code = accumulate_cost(total, one); code != errc::none)
      return make_error(code, m.name, "the exact total does not fit 128 bits");
  return to_int64(total);
}

}  // namespace detail

/// What crosses each wire of a program, by edge, when one machine of the sender's class computes
/// the sent value once: by the costs `messages` and `wire_bytes` that the kernel of the message
/// states, and 0 bytes of a message that carries nothing. Errors: those of `pricer::price`. O(edges
/// · programs).
constexpr result<table<wire_traffic>> traffic(const partitioned_program& p,
                                              const registry& kernels = builtin_registry()) {
  auto messages = detail::price_wires<polynomial>(p, {}, detail::messages_on_wires, kernels);
  if (!messages) return messages.error();
  auto bytes = detail::price_wires<polynomial>(p, {}, detail::bytes_on_wires, kernels);
  if (!bytes) return bytes.error();
  table<wire_traffic> out;
  out.reserve(p.edges.size());
  for (std::size_t k = 0; k < p.edges.size(); ++k)
    out.push_back(
        {static_cast<polynomial&&>((*messages)[k]), static_cast<polynomial&&>((*bytes)[k])});
  return out;
}

/// The bytes that messages to a class carry when each message's sender computes the sent value
/// once: `static_assert(*wire_bytes(program, "servers") <= 4_KiB)`. Errors: `unresolved_class` for
/// a class without a program, `workflow_not_static` for symbolic shapes of a sender, those of
/// `pricer::price`, `overflow`. O(edges · programs).
constexpr result<std::int64_t> wire_bytes(const partitioned_program& p, text_view role,
                                          const registry& kernels = builtin_registry()) {
  return detail::price_wires_to(p, role, detail::bytes_on_wires, kernels);
}

/// The number of these messages: a value sent to a list of machines is a message to each. Errors
/// and complexity: as `wire_bytes`.
constexpr result<std::int64_t> wire_messages(const partitioned_program& p, text_view role,
                                             const registry& kernels = builtin_registry()) {
  return detail::price_wires_to(p, role, detail::messages_on_wires, kernels);
}

/// The longest time, in nanoseconds, that a message from one class to another one has, from the
/// event that causes it to the end of all that it causes on other machines: `static_assert(
/// *wire_deadline(program, "@self", "servers") <= 200_ms)`. From the host it bounds the whole chain
/// of messages that a call sets off there. 0 if no message leads from the one to the other. Errors:
/// `unresolved_class` for a class without a program; `unknown_cost`, naming the message, for one
/// without a deadline (see `derive_deadlines`). O(edges + programs).
constexpr result<std::int64_t> wire_deadline(const partitioned_program& p, text_view from,
                                             text_view to) {
  for (const text_view role : {from, to})
    if (error e = detail::check_role(p, role); e.code != errc::none) return e;
  std::int64_t longest = 0;
  for (const wire_edge& e : p.edges) {
    if (p.partitions[e.from].role.view() != from || p.partitions[e.to].role.view() != to) continue;
    const graph_view g = p.partitions[e.from].workflow.view();
    const attribute* const budget = g.find_attribute(g[e.send], deadline_attribute);
    if (budget == nullptr)
      return make_error(errc::unknown_cost, g.label(e.send).view(), "the message has no deadline");
    if (budget->number > longest) longest = budget->number;
  }
  return longest;
}

}  // namespace wf
