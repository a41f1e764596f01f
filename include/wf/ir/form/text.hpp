// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/character.hpp>
#include <wf/core/text/real.hpp>
#include <wf/ir/graph/references.hpp>

namespace wf {

/// The version of the text form that `to_text` writes and `parse_graph` reads.
inline constexpr int graph_text_version = 1;

namespace detail {

constexpr bool is_number_word(text_view t) {
  for (char c : t)
    if (!is_digit(c)) return false;
  return !t.empty();
}

/// True for the characters of an unquoted extent.
constexpr bool is_extent_character(char c) {
  return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '*' || c == '/' || c == '^' ||
         c == '(' || c == ')' || c == ' ';
}

/// True if a derived extent is unambiguous without quotes.
constexpr bool is_bare_polynomial(text_view t) {
  if (t.empty() || t[0] == ' ' || t[t.size() - 1] == ' ' || is_number_word(t) || is_word(t))
    return false;
  for (char c : t)
    if (!is_extent_character(c)) return false;
  return true;
}

/// Writes the statements of the text form.
class graph_writer {
 public:
  constexpr explicit graph_writer(const graph_view& g) : g_(g) {}

  constexpr text write() {
    out_ << "wf.graph " << graph_text_version << ' ';
    string(g_.text_of(g_.name));
    out_ << '\n';
    std::uint32_t next = 0;  // the first value that no statement has defined yet
    for (const node& n : g_.nodes) {
      if (n.outputs.count != 0) {
        for (; next < n.outputs.first; ++next) input(g_.values[next]);
        next += n.outputs.count;
      }
      write(n);
    }
    for (; next < g_.values.size(); ++next) input(g_.values[next]);
    for (const edge& e : g_.edges)
      out_ << "edge " << name_of(e.kind) << " @" << index_of(e.from) << " -> @" << index_of(e.to)
           << '\n';
    for (const output& o : g_.outputs) {
      out_ << "output ";
      string(g_.text_of(o.name));
      out_ << " = %" << index_of(o.source) << '\n';
    }
    return take();
  }
  /// Moves the text written so far out.
  constexpr text take() { return static_cast<text&&>(out_); }

  constexpr void string(text_view t) {
    out_ << '"';
    std::size_t plain = 0;  // the characters before this position are written
    for (std::size_t i = 0; i < t.size(); ++i) {
      const auto code = static_cast<unsigned char>(t[i]);
      if (code >= ' ' && code != '"' && code != '\\' && code != 127) continue;
      out_ << t.part(plain, i - plain) << '\\';
      plain = i + 1;
      if (t[i] == '\n' || t[i] == '\t' || t[i] == '\r') {
        out_ << (t[i] == '\n' ? 'n' : t[i] == '\t' ? 't' : 'r');
      } else if (t[i] == '"' || t[i] == '\\') {
        out_ << t[i];
      } else {
        out_ << 'x';
        append_hexadecimal(out_, code, 2);
      }
    }
    out_ << t.part(plain) << '"';
  }
  constexpr void word(text_view t) {
    if (is_word(t)) {
      out_ << t;
    } else {
      string(t);
    }
  }
  constexpr void write(extent e) {
    if (e.is_fixed()) {
      out_ << e.size();
    } else if (!e.is_derived()) {
      out_ << to_text(e).view();
    } else if (const text_view t = g_.text_of(g_.derived[e.index()]); is_bare_polynomial(t)) {
      out_ << t;
    } else {
      string(t);
    }
  }
  constexpr void write(const value_type& t) {
    out_ << name_of(t.type) << '[';
    if (!t.shape.has_rank()) out_ << "...";
    for (std::uint32_t i = 0; t.shape.has_rank() && i < t.shape.rank; ++i) {
      if (i != 0) out_ << ", ";
      write(t.shape[i]);
    }
    out_ << ']';
    if (!t.known.empty()) out_ << " {" << to_text(t.known).view() << '}';
  }
  constexpr void write(const attribute& a) {
    word(g_.text_of(a.name));
    out_ << " = ";
    switch (a.kind) {
      case attribute_kind::integer:
        out_ << a.number;
        break;
      case attribute_kind::rational:
        out_ << a.number << '/' << a.denominator;
        break;
      case attribute_kind::real:
        out_ << real_text(a.real).view();
        break;
      case attribute_kind::string:
        string(g_.text_of(a.characters));
        break;
      case attribute_kind::extent: {
        extent e;
        e.code = a.number;
        out_ << "dim ";
        write(e);
        break;
      }
    }
  }
  /// `[flops = "2*M"]`
  constexpr void write(view<declared_cost> costs) {
    const char* separator = "";
    out_ << '[';
    for (const declared_cost& c : costs) {
      out_ << separator;
      word(g_.text_of(c.metric));
      out_ << " = ";
      string(g_.text_of(c.formula));
      separator = ", ";
    }
    out_ << ']';
  }
  /// `"main.cpp":12:3`
  constexpr void write(const source_location_ref& location) {
    string(g_.text_of(location.file));
    out_ << ':' << location.line << ':' << location.column;
  }

 private:
  constexpr void input(const value& v) {
    out_ << "input ";
    string(g_.text_of(v.name));
    out_ << " : ";
    write(v.type);
    out_ << '\n';
  }
  constexpr void operation_and_operands(const node& n) {
    const operation& o = g_.operations[n.op];
    out_ << "node ";
    if (o.domain.count != 0) {
      word(g_.text_of(o.domain));
      out_ << '.';
    }
    word(g_.text_of(o.name));
    out_ << '(';
    const char* separator = "";
    for (value_id operand : g_.inputs_of(n)) {
      out_ << separator << '%' << index_of(operand);
      separator = ", ";
    }
    out_ << ')';
  }
  constexpr void write(const node& n) {
    operation_and_operands(n);
    const char* separator = " [";
    for (const attribute& a : g_.attributes_of(n)) {
      out_ << separator;
      write(a);
      separator = ", ";
    }
    if (n.attributes.count != 0) out_ << ']';
    if (n.costs.count != 0) {
      out_ << " cost ";
      write(g_.costs_of(n));
    }
    if (n.effects != effect::pure) out_ << " effect " << name_of(n.effects);
    if (n.peer.count != 0) {
      out_ << " peer ";
      string(g_.text_of(n.peer));
    }
    if (n.name.count != 0) {
      out_ << " named ";
      string(g_.text_of(n.name));
    }
    if (n.location.file.count != 0 || n.location.line != 0 || n.location.column != 0) {
      out_ << " at ";
      write(n.location);
    }
    separator = " -> ";
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
      const value& v = g_.values[n.outputs.first + k];
      out_ << separator;
      separator = ", ";
      if (v.name.count != 0) {
        string(g_.text_of(v.name));
        out_ << " : ";
      }
      write(v.type);
    }
    out_ << '\n';
  }

  const graph_view& g_;
  text out_;
};

}  // namespace detail

/// The text form of a graph, from which `parse_graph` restores the same graph (`same` in
/// ir/compare/same.hpp). For a graph that `validate_references` refuses: the error, which does not
/// parse. O(size of the graph).
///
/// One statement per line; `#` begins a comment. Values are numbered %0, %1, ... in the order in
/// which `input` and `node` statements define them, nodes @0, @1, ...; a number may be used before
/// its definition:
///
///     wf.graph 1 "update"
///     input "P" : f64[M, M] {spd}
///     input "x" : f64[M, 2*N + 1]
///     node linalg.matmul(%0, %1) [steps = dim M, r = 3/2] cost [flops = "2*M"] -> f64[M, 2*N + 1]
///     node io.log(%2) effect external peer "worker" named "tap" at "main.cpp":12:3
///     edge control @0 -> @1
///     output "y" = %2
///
/// An extent is a size, a symbol, `?`, or else the text of a polynomial, in quotes where it would
/// be ambiguous; `[...]` is a shape of unknown rank.
constexpr text to_text(const graph_view& g) {
  if (const auto fine = validate_references(g); !fine) return to_text(fine.error());
  return detail::graph_writer(g).write();
}

}  // namespace wf
