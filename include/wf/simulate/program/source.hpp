// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/real.hpp>
#include <wf/simulate/program/program.hpp>

namespace wf {

namespace detail {

/// Writes the fields of a program as C++.
class program_source {
 public:
  constexpr explicit program_source(text_view name) {
    out_ << "constexpr wf::sim_program " << name
         << "() {\n  using enum wf::sim_resource;\n  wf::sim_program p;\n";
  }

  /// Writes a table as a list of what `item(element)` writes, unless it is empty.
  template <class T, class Item>
  constexpr void add(text_view field, const table<T>& values, Item&& item) {
    if (values.empty()) return;
    out_ << "  p." << field << " = {";
    for (std::size_t i = 0; i < values.size(); ++i) {
      out_ << (i == 0 ? "" : i % 3 == 0 ? ",\n      " : ", ");
      item(values[i]);
    }
    out_ << "};\n";
  }
  /// Writes a list of values in braces.
  template <class First, class... Rest>
  constexpr void list(const First& first, const Rest&... rest) {
    out_ << '{';
    value(first);
    ((out_ << ", ", value(rest)), ...);
    out_ << '}';
  }
  constexpr void value(double x) {
    const text written = real_text(x);
    out_ << (written == "inf" ? text_view("__builtin_inf()") : written.view());
  }
  constexpr void value(std::int64_t x) { out_ << x; }
  constexpr void value(std::int32_t x) { out_ << x; }
  constexpr void value(std::uint32_t x) { out_ << x; }
  constexpr void value(const range& r) { list(r.first, r.count); }
  constexpr void value(sim_resource kind) {
    constexpr text_view names[] = {"slots", "cores", "link", "route", "mesh"};
    static_assert(sizeof names / sizeof *names == sim::resource_kinds);
    out_ << names[static_cast<int>(kind)];
  }
  constexpr text take() {
    out_ << "  return p;\n}\n";
    return static_cast<text&&>(out_);
  }

 private:
  text out_;
};

}  // namespace detail

/// A C++ function of that name that returns the program, to the bit: a program that was made at run
/// time, from a file say, can so be simulated in a `static_assert` of another translation unit.
/// The unit has to include `wf/simulate/program/program.hpp` before. Errors: those of `validate`.
/// O(size).
constexpr result<text> source_of(const sim_program& p, text_view name) {
  if (const auto valid = validate(p); !valid) return valid.error();
  const sim_platform& f = p.platform;
  detail::program_source out(name);
  const auto plain = [&](const auto& x) { out.value(x); };
  out.add("platform.slots", f.slots, plain);
  out.add("platform.cores", f.cores,
          [&](const sim::processor_sharing::host& h) { out.list(h.speed, h.cores); });
  out.add("platform.links", f.links,
          [&](const fifo_link& l) { out.list(l.bandwidth, l.latency, l.free_from); });
  out.add("platform.bandwidths", f.bandwidths, plain);
  out.add("platform.routes", f.routes,
          [&](const sim::fluid_route& r) { out.list(r.links, r.latency, r.weight); });
  out.add("platform.route_links", f.route_links, plain);
  out.add("platform.meshes", f.meshes, [&](const sim::mesh_parameters& m) {
    out.list(m.rows, m.columns, m.virtual_channels, m.buffer_depth, m.input_speedup,
             m.router_latency, m.link_latency, m.credit_delay, m.flit_bytes, m.packet_flits);
  });
  out.add("activities", p.activities, [&](const sim_activity& a) {
    out.list(a.work, a.resource, a.kind, a.priority, a.successors);
  });
  out.add("successors", p.successors, plain);
  return out.take();
}

}  // namespace wf
