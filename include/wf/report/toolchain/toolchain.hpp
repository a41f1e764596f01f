// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/json/document.hpp>
#include <wf/report/graph/dot.hpp>
#include <wf/toolchain/description.hpp>

namespace wf {

/// The version of the JSON form of a toolchain that `to_json` writes.
inline constexpr int toolchain_json_version = 1;

/// A toolchain as the argument of its reports: `to_dot(w)`, `to_mermaid(w)`, `to_json(w)` and
/// others accept any toolchain by conversion.
struct toolchain_outline {
  text_view name;                ///< the toolchain's name; empty if it has none
  text_view in;                  ///< the stage it takes
  text_view out;                 ///< the stage it returns
  view<step_description> steps;  ///< the list of `toolchain::describe`; at least one step

  /// An outline of steps in the order of `toolchain::describe`.
  constexpr toolchain_outline(text_view its_name, text_view takes, text_view returns,
                              view<step_description> its_steps)
      : name(its_name), in(takes), out(returns), steps(its_steps) {}
  /// The outline of a toolchain; it does not refer to the object.
  template <fixed_string Name, class... Steps>
  constexpr toolchain_outline(const toolchain<Name, Steps...>&)
      : name(Name.view()),
        in(stage_name<typename toolchain<Name, Steps...>::in>),
        out(stage_name<typename toolchain<Name, Steps...>::out>),
        steps(described<toolchain<Name, Steps...>>) {}

  /// Index of the first row after a step and its inner steps.
  constexpr std::size_t end_of(std::size_t row) const {
    std::size_t end = row + 1;
    while (end < steps.size() && steps[end].depth > steps[row].depth) ++end;
    return end;
  }
  /// True if a step has inner steps.
  constexpr bool has_inside(std::size_t row) const { return end_of(row) != row + 1; }
  /// The name of a step: the last part of its path.
  constexpr text_view name_of(std::size_t row) const {
    const text_view path = steps[row].path;
    std::size_t first = path.size();
    while (first > 0 && path[first - 1] != '/') --first;
    return path.part(first);
  }

 private:
  template <class Chain>
  static constexpr auto described = Chain::describe();
};

namespace detail {

// The stage between two adjacent steps: the type, or both types if it is converted.
constexpr text stage_between(text_view returned, text_view taken) {
  text out(returned);
  if (returned != taken) out << " as " << taken;
  return out;
}

// The ends of edges at a step with inner steps: its first and last inner step.
constexpr std::size_t first_leaf(const toolchain_outline& w, std::size_t row) {
  while (w.has_inside(row)) ++row;
  return row;
}
constexpr std::size_t last_leaf(const toolchain_outline& w, std::size_t row) {
  return w.end_of(row) - 1;
}

constexpr void indent(text& out, std::uint32_t depth) {
  for (std::uint32_t i = 0; i <= depth; ++i) out << "  ";
}

constexpr void dot_step(text& out, const toolchain_outline& w, std::size_t row) {
  const step_description& s = w.steps[row];
  text label(w.name_of(row));
  if (s.fallible) label << "\nmay fail";
  indent(out, s.depth);
  if (!w.has_inside(row)) {
    out << 's' << row << " [label=";
    quote_dot(out, label.view());
    out << "];\n";
    return;
  }
  out << "subgraph cluster_" << row << " {\n";
  indent(out, s.depth + 1);
  out << "label=";
  quote_dot(out, label.view());
  out << ";\n";
  for (std::size_t i = row + 1; i < w.end_of(row); i = w.end_of(i)) dot_step(out, w, i);
  indent(out, s.depth);
  out << "}\n";
}

// The edges between adjacent steps of rows [first, last) at the same depth.
constexpr void dot_edges(text& out, const toolchain_outline& w, std::size_t first,
                         std::size_t last) {
  for (std::size_t i = first; i < last;) {
    const std::size_t next = w.end_of(i);
    if (w.has_inside(i)) dot_edges(out, w, i + 1, next);
    if (next < last) {
      out << "  s" << last_leaf(w, i) << " -> s" << first_leaf(w, next) << " [label=";
      quote_dot(out, stage_between(w.steps[i].out, w.steps[next].in).view());
      if (w.has_inside(i)) out << ", ltail=cluster_" << i;
      if (w.has_inside(next)) out << ", lhead=cluster_" << next;
      out << "];\n";
    }
    i = next;
  }
}

// Quotes a text; Mermaid has numeric character escapes only.
constexpr void quote_mermaid(text& out, text_view t) {
  constexpr text_view special = "\"<>&#`|";
  out << '"';
  for (const char c : t) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || special.find(c) != special.size())
      out << '#' << static_cast<int>(code) << ';';
    else
      out << c;
  }
  out << '"';
}

constexpr void mermaid_step(text& out, const toolchain_outline& w, std::size_t row) {
  const step_description& s = w.steps[row];
  indent(out, s.depth);
  if (w.has_inside(row)) out << "subgraph ";
  out << 's' << row << '[';
  quote_mermaid(out, w.name_of(row));
  out << "]\n";
  if (!w.has_inside(row)) return;
  indent(out, s.depth + 1);
  out << "direction TB\n";
  for (std::size_t i = row + 1; i < w.end_of(row); i = w.end_of(i)) mermaid_step(out, w, i);
  indent(out, s.depth);
  out << "end\n";
}

constexpr void mermaid_edge(text& out, text_view from, text_view stage, text_view to) {
  out << "  " << from << " -->|";
  quote_mermaid(out, stage);
  out << "| " << to << '\n';
}

constexpr void mermaid_edges(text& out, const toolchain_outline& w, std::size_t first,
                             std::size_t last) {
  for (std::size_t i = first; i < last;) {
    const std::size_t next = w.end_of(i);
    if (w.has_inside(i)) mermaid_edges(out, w, i + 1, next);
    if (next < last)
      mermaid_edge(out, (text() << 's' << i).view(),
                   stage_between(w.steps[i].out, w.steps[next].in).view(),
                   (text() << 's' << next).view());
    i = next;
  }
}

}  // namespace detail

/// A toolchain in the DOT language of Graphviz: steps as boxes, inner steps in a frame, the stages
/// on the edges. O(steps · depth).
constexpr text to_dot(const toolchain_outline& w) {
  text out;
  out << "digraph ";
  detail::quote_dot(out, w.name);
  out << " {\n  compound=true;\n  graph [fontname=\"sans-serif\"];\n"
      << "  node [shape=box, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n"
      << "  in [shape=point];\n";
  for (std::size_t i = 0; i < w.steps.size(); i = w.end_of(i)) detail::dot_step(out, w, i);
  out << "  out [shape=point];\n";
  std::size_t last = 0;
  for (std::size_t i = 0; i < w.steps.size(); i = w.end_of(i)) last = i;
  out << "  in -> s" << detail::first_leaf(w, 0) << " [label=";
  detail::quote_dot(out, w.in);
  out << (w.has_inside(0) ? ", lhead=cluster_0];\n" : "];\n");
  detail::dot_edges(out, w, 0, w.steps.size());
  out << "  s" << detail::last_leaf(w, last) << " -> out [label=";
  detail::quote_dot(out, w.out);
  if (w.has_inside(last)) out << ", ltail=cluster_" << last;
  return out << "];\n}\n";
}

/// A toolchain as a flowchart in the Mermaid language, which many Markdown viewers draw: steps as
/// boxes, inner steps in a frame, the stages on the edges. O(steps · depth).
constexpr text to_mermaid(const toolchain_outline& w) {
  text out("flowchart TB\n  input(( ))\n");
  std::size_t last = 0;
  for (std::size_t i = 0; i < w.steps.size(); i = w.end_of(i)) {
    detail::mermaid_step(out, w, i);
    last = i;
  }
  out << "  output(( ))\n";
  detail::mermaid_edge(out, "input", w.in, "s0");
  detail::mermaid_edges(out, w, 0, w.steps.size());
  detail::mermaid_edge(out, (text() << 's' << last).view(), w.out, "output");
  return out;
}

/// A toolchain in JSON: an object with "format": "wf-toolchain", "version", "name", "in", "out" and
/// "steps", an array with an object for each step in the order of `toolchain::describe`: "path",
/// "in", "out" (names of stages), "depth" (a number) and "fallible" (true or false). O(characters).
constexpr text to_json(const toolchain_outline& w) {
  text out;
  out << "{\n  \"format\": \"wf-toolchain\",\n  \"version\": " << toolchain_json_version;
  const auto member = [&](const char* key, text_view characters) {
    out << '"' << key << "\": ";
    append_json_string(out, characters);
  };
  out << ",\n  ", member("name", w.name);
  out << ",\n  ", member("in", w.in);
  out << ",\n  ", member("out", w.out);
  out << ",\n  \"steps\": [";
  bool first = true;
  for (const step_description& s : w.steps) {
    out << (first ? "\n    {" : ",\n    {");
    first = false;
    member("path", s.path);
    out << ", ", member("in", s.in);
    out << ", ", member("out", s.out);
    out << ", \"depth\": " << s.depth << ", \"fallible\": " << (s.fallible ? "true" : "false")
        << '}';
  }
  return out << "\n  ]\n}\n";
}

}  // namespace wf
