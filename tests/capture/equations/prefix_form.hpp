// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdio>
#include <string>

#include <wf/capture/equations/tree.hpp>

namespace wf_test {

inline std::string characters(wf::text_view t) { return std::string(t.data(), t.size()); }

inline std::string number_form(double number) {
  char out[40];
  std::snprintf(out, sizeof out, "%g", number);
  return out;
}

// An index list without commas: "i+1j", "*t-2", "0:2".
inline std::string index_form(const wf::equation_program& p, wf::range r) {
  std::string out;
  for (std::uint32_t i = 0; i < r.count; ++i) {
    const wf::index_term& t = p.indices[r.first + i];
    if (t.streams) out += "*";
    out += characters(t.name);
    if (t.dotted) out += ".";
    if (t.kind == wf::index_kind::axis && t.shift > 0) out += "+";
    if (t.kind == wf::index_kind::number || (t.kind == wf::index_kind::axis && t.shift != 0))
      out += std::to_string(t.shift);
  }
  return out;
}

inline std::string attribute_form(const wf::attribute_value& a) {
  const std::string name = characters(a.name) + "=";
  if (a.kind == wf::attribute_kind::integer) return name + std::to_string(a.number);
  if (a.kind == wf::attribute_kind::string) return name + "\"" + characters(a.characters) + "\"";
  return name + (a.kind == wf::attribute_kind::real ? "real " + number_form(a.real) : "extent");
}

// An expression in prefix form, which shows its nesting: "(+ A[ij] (* 2 b))".
inline std::string prefix_form(const wf::equation_program& p, std::uint32_t root) {
  using wf::equation_kind;
  const wf::equation_node& n = p.nodes[root];
  const std::string name = characters(n.name), indices = index_form(p, n.indices);
  std::string operands;
  for (std::uint32_t i = 0; i < n.children.count; ++i)
    operands += " " + prefix_form(p, p.children[n.children.first + i]);
  for (std::uint32_t i = 0; i < n.attributes.count; ++i)
    operands += " " + attribute_form(p.attributes[n.attributes.first + i]);
  switch (n.kind) {
    case equation_kind::number:
      return number_form(n.number);
    case equation_kind::symbol:
      return "'" + name + "'";
    case equation_kind::reference:
      return name + (n.labelled ? "[" + indices + "]" : "");
    case equation_kind::call:
      return "(" + name + operands + ")";
    case equation_kind::sum:
      return "(+" + operands + ")";
    case equation_kind::difference:
      return "(-" + operands + ")";
    case equation_kind::product:
      return "(*" + operands + ")";
    case equation_kind::quotient:
      return "(/" + operands + ")";
    case equation_kind::negation:
      return "(neg" + operands + ")";
    case equation_kind::reduction:
      return "(" + name + ":" + indices + operands + ")";
    case equation_kind::complement:
      return "(!" + operands + ")";
    case equation_kind::comparison:
      return "[" + name + operands + "]";
    case equation_kind::power:
      return "(**" + operands + ")";
    case equation_kind::choice:
      return "(case" + operands + ")";
    case equation_kind::parity:
      return name + ":" + indices;
    case equation_kind::string:
      return "\"" + name + "\"";
    case equation_kind::absent:
      return "none";
    case equation_kind::list:
      return "(list" + operands + ")";
    case equation_kind::dictionary:
      return "(dictionary" + operands + ")";
    case equation_kind::keyword:
      return name + "=" + operands.substr(1);
    case equation_kind::entry:
      return "<" + indices + ">";
  }
  return "?";
}

// A statement: "Y[i] max= (+ a b)", "R(ij) = ...", "export Y".
inline std::string statement_form(const wf::equation_program& p, const wf::equation_statement& s) {
  using wf::equation_statement_kind;
  std::string left = characters(s.name);
  if (s.labelled)
    left += (s.boolean ? "(" : "[") + index_form(p, s.indices) + (s.boolean ? ")" : "]");
  switch (s.kind) {
    case equation_statement_kind::definition:
      return left + " " + characters(wf::sign_of(s.projection)) + " " + prefix_form(p, s.root);
    case equation_statement_kind::exported:
      return "export " + left;
    case equation_statement_kind::axis:
      return "axis " + left + " " + std::to_string(s.type.shape.extents[0].code);
    case equation_statement_kind::repetition:
      return "repeat " + left + " " + characters(s.function) + " " +
             std::to_string(s.type.shape.extents[0].code) + " " + std::to_string(s.tolerance);
    case equation_statement_kind::source:
      return left + " = \"" + characters(s.path) + "\"";
    case equation_statement_kind::sink:
      return "\"" + characters(s.path) + "\" = " + prefix_form(p, s.root);
    case equation_statement_kind::parameter:
      return "param " + left;
    default:
      return "?";
  }
}

// The statements of a program, separated by "; ".
inline std::string program_form(const wf::equation_program& p) {
  std::string out;
  for (const wf::equation_statement& s : p.statements)
    out += (out.empty() ? "" : "; ") + statement_form(p, s);
  return out;
}

// True if every run lies in its table and children come before their parents.
inline bool is_well_formed(const wf::equation_program& p) {
  const auto fits = [](wf::range r, std::size_t size) { return r.first + r.count <= size; };
  for (std::uint32_t i = 0; i < p.nodes.size(); ++i) {
    const wf::equation_node& n = p.nodes[i];
    if (!fits(n.children, p.children.size()) || !fits(n.indices, p.indices.size()) ||
        !fits(n.attributes, p.attributes.size()))
      return false;
    for (std::uint32_t k = 0; k < n.children.count; ++k)
      if (p.children[n.children.first + k] >= i) return false;
  }
  for (const wf::equation_statement& s : p.statements) {
    const bool has_root = s.kind == wf::equation_statement_kind::definition ||
                          s.kind == wf::equation_statement_kind::sink;
    if (!fits(s.indices, p.indices.size()) || (has_root && s.root >= p.nodes.size())) return false;
  }
  return true;
}

}  // namespace wf_test
