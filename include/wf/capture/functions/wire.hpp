// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/functions/operators.hpp>
#include <wf/registry/domain/wire.hpp>

namespace wf {

namespace detail {
template <fixed_string Class>
struct as_class_ {
  static constexpr bool fixed = true;
  static constexpr captured_kernel kernel(view<value_type>) { return captured<kernels::as_class>; }
  static constexpr std::size_t attributes(attribute_value* out) {
    out[0] = attribute_value::string("class", Class.view());
    return 1;
  }
};
}  // namespace detail

/// Sends a value to machines, whose class the workflow's input or `as_class` states: `auto [there,
/// from, request] = s.let_each(send(x, servers))`. `there` is the value on machines of that class,
/// `from` the machine that sent it, also there, and `request` the number of the request, here. So
/// `send(reply, from)` answers whoever asked.
template <operand X, operand Peers>
constexpr auto send(const X& x, const Peers& to,
                    const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::send>{}, x, to);
}
/// Tells that a value is there: a trigger. If nothing else reads what a message carries, it carries
/// nothing.
template <operand X>
constexpr auto signal(const X& x, const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::signal>{}, x);
}
/// Joins the answers of machines: what has become of a value that was sent to a list of them, as it
/// came from each, along a new first dimension in their order: `auto [answer, by, n] =
/// s.let_each(send(work, from)); auto all = s.let(collect(answer, clients))` where `from` sent to
/// `clients`. Then `mean<0>(all)`, and so on. The error WF912 when the workflow is placed, unless
/// the last list of several machines on the value's way is this one.
template <operand X, operand Peers>
constexpr auto collect(const X& x, const Peers& machines,
                       const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::collect>{}, x, machines);
}
/// The same machines as members of a class: `as_class<"clients">(asking)`; "@self" is the host's.
template <fixed_string Class, operand Peers>
constexpr auto as_class(const Peers& peers,
                        const source_location& where = source_location::current()) {
  return apply_at(where, detail::as_class_<Class>{}, peers);
}
/// Calls `body` in a generic function and returns what it returns; all operations that it captures
/// in the workflow of `in` run on a class of machines. What `scope::at` does where a scope is at
/// hand. Of an unassigned value it only calls `body`.
template <operand In, class Body>
  requires requires(Body& body) { body(); }
constexpr decltype(auto) at(text_view role, const In& in, Body&& body,
                            const source_location& where = source_location::current()) {
  using returned = decltype(in.owner()->at(role, body, where));
  if (in.owner() == nullptr) return static_cast<returned>(body());
  return in.owner()->at(role, body, where);
}

}  // namespace wf
