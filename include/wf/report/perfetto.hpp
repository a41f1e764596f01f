// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/map/workload.hpp>
#include <wf/simulate/trace.hpp>

namespace wf {

namespace detail {

constexpr void quote_json(text& out, text_view t) {
  constexpr char hex[] = "0123456789abcdef";
  out << '"';
  for (char c : t) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out << '\\' << c;
    } else if (code < 0x20) {
      out << "\\u00" << hex[code >> 4] << hex[code & 15];
    } else {
      out << c;
    }
  }
  out << '"';
}

}  // namespace detail

/// A trace in the Chrome JSON format that ui.perfetto.dev opens: one thread for each upper left PE
/// of a rectangle (process "PEs") and for each reader of transfers (process "transfers"). A cycle
/// is shown as a microsecond. O(events).
constexpr text to_perfetto(const execution_trace& t, const workload& w, std::int32_t columns) {
  text out;
  out << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
      << "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"PEs\"}},\n"
      << "{\"ph\":\"M\",\"pid\":2,\"name\":\"process_name\",\"args\":{\"name\":\"transfers\"}}";
  for (const trace_event& e : t.events) {
    const bool runs = e.kind == trace_kind::execute;
    text name(w.operators[e.op].label);
    if (!runs) name << " to " << w.operators[e.reader].label.view();
    const rectangle& place = runs ? e.where : e.destination;
    out << ",\n{\"ph\":\"X\",\"pid\":" << (runs ? 1 : 2) << ",\"tid\":"
        << (runs ? place.row * columns + place.column : static_cast<std::int32_t>(e.reader))
        << ",\"ts\":" << e.begin << ",\"dur\":" << e.end - e.begin << ",\"name\":";
    detail::quote_json(out, name.view());
    out << ",\"args\":{\"place\":\"" << to_text(place).view() << "\",\"bytes\":" << e.bytes << "}}";
  }
  return out << "\n]}\n";
}

}  // namespace wf
