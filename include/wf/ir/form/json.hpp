// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/json/document.hpp>
#include <wf/ir/form/text.hpp>

namespace wf {

/// The version of the JSON form that `to_json` writes and `parse_graph_json` reads.
inline constexpr int graph_json_version = 1;

namespace detail {

/// The largest integer that every reader of JSON keeps exactly: 2^53 - 1. Larger ones are strings.
inline constexpr std::int64_t max_json_integer = (std::int64_t{1} << 53) - 1;

/// Writes the JSON form, one input, node, edge or output per line.
class graph_json_writer {
 public:
  constexpr explicit graph_json_writer(const graph_view& g) : g_(g) {}

  constexpr text write() {
    out_ << "{\n  \"format\": \"wf-graph\",\n  \"version\": " << graph_json_version
         << ",\n  \"name\": ";
    string(g_.name);
    begin("inputs");
    for (std::uint32_t i = 0; i < g_.values.size(); ++i)
      if (g_.values[i].producer == node_id::none) line(), write_value(i);
    end(), begin("nodes");
    for (const node& n : g_.nodes) line(), write(n);
    end(), begin("edges");
    for (const edge& e : g_.edges) line(), write(e);
    end(), begin("outputs");
    for (const output& o : g_.outputs) line(), write(o);
    end();
    out_ << "\n}\n";
    return static_cast<text&&>(out_);
  }

 private:
  constexpr void begin(const char* name) {
    out_ << ",\n  \"" << name << "\": [";
    empty_ = true;
  }
  constexpr void line() {
    out_ << (empty_ ? "\n    " : ",\n    ");
    empty_ = false;
  }
  constexpr void end() { out_ << (empty_ ? "]" : "\n  ]"); }

  constexpr void string(text_ref r) { append_json_string(out_, g_.text_of(r)); }
  constexpr void integer(std::int64_t n) {
    const bool quoted = n > max_json_integer || n < -max_json_integer;
    if (quoted) out_ << '"';
    out_ << n;
    if (quoted) out_ << '"';
  }
  // ", "key": "
  constexpr text& key(const char* name) { return out_ << ", \"" << name << "\": "; }

  constexpr void write(extent e) {
    if (e.is_fixed()) {
      integer(e.size());
    } else if (e.is_symbol()) {
      out_ << '"' << to_text(e.name()).view() << '"';
    } else if (e.is_derived()) {
      out_ << "{\"polynomial\": ";
      string(g_.derived[e.index()]);
      out_ << '}';
    } else {
      out_ << "null";
    }
  }
  constexpr void write(properties known) {
    key("properties") << "[\"";
    const text names = to_text(known);
    for (char c : names.view()) {
      if (c == ' ') {
        out_ << "\", \"";
      } else {
        out_ << c;
      }
    }
    out_ << "\"]";
  }
  constexpr void write_value(std::uint32_t i) {
    const value& v = g_.values[i];
    const shape& s = v.type.shape;
    out_ << "{\"value\": " << i;
    if (v.name.count != 0 || v.producer == node_id::none) key("name"), string(v.name);
    key("dtype") << '"' << name_of(v.type.type) << '"';
    key("shape") << (s.has_rank() ? "[" : "null");
    for (std::uint32_t d = 0; s.has_rank() && d < s.rank; ++d) {
      if (d != 0) out_ << ", ";
      write(s[d]);
    }
    if (s.has_rank()) out_ << ']';
    if (!v.type.known.empty()) write(v.type.known);
    out_ << '}';
  }
  constexpr void write_real(double number) {
    // JSON has no infinities, NaNs or hexadecimal numbers: only decimal fractions are JSON numbers.
    const text written = real_text(number);
    bool decimal = true;
    for (char c : written.view()) decimal = decimal && (is_digit(c) || c == '.' || c == '-');
    if (!decimal) out_ << '"';
    out_ << written.view();
    if (!decimal) out_ << '"';
  }
  constexpr void write(const attribute& a) {
    out_ << "{\"name\": ";
    string(a.name);
    switch (a.kind) {
      case attribute_kind::integer:
        key("integer"), integer(a.number);
        break;
      case attribute_kind::rational:
        key("rational") << '[';
        integer(a.number);
        out_ << ", ";
        integer(a.denominator);
        out_ << ']';
        break;
      case attribute_kind::real:
        key("real"), write_real(a.real);
        break;
      case attribute_kind::string:
        key("string"), string(a.characters);
        break;
      case attribute_kind::extent: {
        extent e;
        e.code = a.number;
        key("extent"), write(e);
        break;
      }
    }
    out_ << '}';
  }
  constexpr void write(const node& n) {
    const operation& o = g_.operations[n.op];
    out_ << "{\"op\": ";
    string(o.name);
    if (o.domain.count != 0) key("domain"), string(o.domain);
    if (n.name.count != 0) key("name"), string(n.name);
    key("operands") << '[';
    const char* separator = "";
    for (value_id operand : g_.inputs_of(n)) {
      out_ << separator << index_of(operand);
      separator = ", ";
    }
    out_ << ']';
    write_lists(n);
    if (n.effects != effect::pure) key("effect") << '"' << name_of(n.effects) << '"';
    if (n.peer.count != 0) key("peer"), string(n.peer);
    if (n.location.file.count != 0 || n.location.line != 0 || n.location.column != 0) {
      key("source") << "{\"file\": ";
      string(n.location.file);
      key("line") << n.location.line;
      key("column") << n.location.column << '}';
    }
    key("results") << '[';
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
      if (k != 0) out_ << ", ";
      write_value(n.outputs.first + k);
    }
    out_ << "]}";
  }
  constexpr void write_lists(const node& n) {
    if (n.attributes.count != 0) key("attributes") << '[';
    const char* separator = "";
    for (const attribute& a : g_.attributes_of(n)) {
      out_ << separator;
      write(a);
      separator = ", ";
    }
    if (n.attributes.count != 0) out_ << ']';
    if (n.costs.count != 0) key("costs") << '[';
    separator = "";
    for (const declared_cost& c : g_.costs_of(n)) {
      out_ << separator << "{\"metric\": ";
      string(c.metric);
      key("formula"), string(c.formula);
      out_ << '}';
      separator = ", ";
    }
    if (n.costs.count != 0) out_ << ']';
  }
  constexpr void write(const edge& e) {
    out_ << "{\"kind\": \"" << name_of(e.kind) << "\", \"from\": " << index_of(e.from)
         << ", \"to\": " << index_of(e.to) << '}';
  }
  constexpr void write(const output& o) {
    out_ << "{\"name\": ";
    string(o.name);
    key("value") << index_of(o.source) << '}';
  }

  graph_view g_;
  text out_;
  bool empty_ = true;
};

}  // namespace detail

/// The JSON form of a graph, from which `parse_graph_json` restores the same graph (`same` in
/// ir/compare/same.hpp): one input, node, edge or output per line; docs/reference/graph-forms.md
/// has the schema. Integers beyond 2^53 - 1 and reals without a short decimal fraction are strings,
/// so that no reader rounds them; a byte that is not UTF-8 becomes an escape
/// (`append_json_string`). For a graph that `validate_references` refuses: an object with the
/// error, which does not parse. O(size of the graph).
constexpr text to_json(const graph_view& g) {
  const auto fine = validate_references(g);
  if (fine) return detail::graph_json_writer(g).write();
  text out("{\"error\": ");
  append_json_string(out, to_text(fine.error()).view());
  return static_cast<text&&>(out << "}\n");
}

}  // namespace wf
