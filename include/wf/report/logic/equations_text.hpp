// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/equations/index_usage.hpp>
#include <wf/core/json/document.hpp>
#include <wf/core/sha256.hpp>

namespace wf {

namespace detail {

/// An index list as it is written, without spaces: `i,j+1,*t`.
constexpr text index_list_text(const equation_program& p, const range& r) {
  text out;
  for (std::uint32_t i = 0; i < r.count; ++i) {
    const index_term& t = p.indices[r.first + i];
    if (i != 0) out << ',';
    if (t.streams) out << '*';
    if (t.kind == index_kind::symbol)
      out << '\'' << t.name << '\'';
    else if (t.kind == index_kind::rest)
      out << "...";
    else
      out << t.name;
    if (t.kind == index_kind::initial) out << '=';
    if (t.kind == index_kind::axis && t.shift > 0) out << '+';
    if (t.kind == index_kind::number || t.kind == index_kind::initial || t.shift != 0)
      out << t.shift;
    if (t.dotted) out << '.';
  }
  return out;
}

/// The axes of an equation, by what becomes of them; each list sorted by code points.
struct equation_axes {
  label_list right_only;  ///< on the right side and not on the left
  label_list projected;   ///< those over which the equation itself combines values
  label_list dangling;    ///< those of `projected` that stand once, where the sign is '='
};

/// The axes of a definition whose right side uses these. O(axes of both sides, multiplied).
constexpr equation_axes axes_of(const equation_program& p, const equation_statement& s,
                                const index_usage& usage) {
  equation_axes out;
  const label_list left = names_of_indices(p, s.indices);
  for (const axis_use& u : usage.axes) {
    if (has_label(left, u.name)) continue;
    out.right_only.push_back(u.name);
    if (u.reduced) continue;
    out.projected.push_back(u.name);
    if (u.count == 1 && s.projection == projection::plain) out.dangling.push_back(u.name);
  }
  for (label_list* each : {&out.right_only, &out.projected, &out.dangling}) sort_labels(*each);
  return out;
}

/// What combines the values of a definition.
constexpr text_view projection_name(const equation_statement& s) {
  if (s.projection == projection::combined) return s.function;
  return s.boolean ? text_view("any") : name_of(s.projection);
}

/// Names with commas; "-" for none.
constexpr text label_text(const label_list& labels) {
  text out;
  for (text_view l : labels) out << (out.empty() ? "" : ",") << l;
  if (out.empty()) out << '-';
  return out;
}

/// What a sink writes: the name of a tensor, else of an operator, else "an expression".
constexpr text_view sink_name(const equation_program& p, const equation_statement& s) {
  const text_view name = p.nodes[s.root].name;
  return name.empty() ? "an expression" : name;
}

constexpr text_view or_dash(text_view t) { return t.empty() ? text_view("-") : t; }

/// True for an input of the program that no file holds.
constexpr bool is_given(const equation_statement& s) {
  return s.kind == equation_statement_kind::input || s.kind == equation_statement_kind::parameter;
}

}  // namespace detail

/// What a program of equations reads, computes and writes, a line each, by the names of its axes
/// alone: first the inputs, `[src] A <- a.npy idx[i,j]` with "<memory>" for those that a run is
/// given, then the equations,
///
///     [eq] Y LHS:i,j | RHS+:k | proj:k | dang:- proj=sum
///
/// with the axes of the left side, those that only the right side has, those over which the
/// equation combines values, and how; "dang" are those of them that stand in one place only.
/// Last, `[sink] y.npy <- Y idx[i]`. O(size of the program · axes of an equation).
constexpr text equations_text(const equation_program& p) {
  using kind = equation_statement_kind;
  text out;
  for (const equation_statement& s : p.statements)
    if (s.kind == kind::source || detail::is_given(s))
      out << "[src] " << s.name << " <- " << (s.kind == kind::source ? s.path : "<memory>")
          << " idx[" << detail::or_dash(detail::index_list_text(p, s.indices).view()) << "]\n";
  for (const equation_statement& s : p.statements) {
    if (s.kind != kind::definition) continue;
    const detail::equation_axes axes = detail::axes_of(p, s, detail::index_usage(p, s.root));
    out << "[eq] " << s.name
        << " LHS:" << detail::or_dash(detail::index_list_text(p, s.indices).view())
        << " | RHS+:" << detail::label_text(axes.right_only).view()
        << " | proj:" << detail::label_text(axes.projected).view()
        << " | dang:" << detail::label_text(axes.dangling).view()
        << " proj=" << detail::projection_name(s) << '\n';
  }
  for (const equation_statement& s : p.statements)
    if (s.kind == kind::sink)
      out << "[sink] " << s.path << " <- " << detail::sink_name(p, s) << " idx["
          << detail::or_dash(detail::index_list_text(p, p.nodes[s.root].indices).view()) << "]\n";
  return out;
}

namespace detail {

class equations_json_writer {
 public:
  constexpr equations_json_writer(const equation_program& p, text_view source)
      : tree_(p), source_(source) {}

  constexpr text write() {
    using kind = equation_statement_kind;
    out_ << "{\"digest\": \"" << sha256(source_).view() << '"';
    list("sources", [&](const equation_statement& s) {
      if (s.kind != kind::source && !is_given(s)) return;
      begin(s.name);
      member("path", s.kind == kind::source ? s.path : text_view());
      member("indices", index_list_text(tree_, s.indices).view());
      end(s);
    });
    std::uint32_t number = 0;
    list("equations", [&](const equation_statement& s) {
      if (s.kind != kind::definition) return;
      begin(s.name);
      out_ << ", \"id\": " << number++;
      member("projection", projection_name(s));
      member("equation", line_of(s));
      axes(s);
      end(s);
    });
    list("sinks", [&](const equation_statement& s) {
      if (s.kind != kind::sink) return;
      begin(sink_name(tree_, s));
      member("path", s.path);
      member("indices", index_list_text(tree_, tree_.nodes[s.root].indices).view());
      end(s);
    });
    return static_cast<text&&>(out_ << "\n}\n");
  }

 private:
  template <class Each>
  constexpr void list(text_view name, const Each& each) {
    out_ << ",\n \"" << name << "\": [";
    any_ = false;
    for (const equation_statement& s : tree_.statements) each(s);
    out_ << ']';
  }
  constexpr void begin(text_view name) {
    out_ << (any_ ? ",\n  {" : "\n  {") << "\"name\": ";
    append_json_string(out_, name);
    any_ = true;
  }
  constexpr void member(text_view name, text_view value) {
    append_json_string(out_ << ", \"" << name << "\": ", value);
  }
  constexpr void end(const equation_statement& s) {
    const text_position at = position_at(source_, s.offset);
    out_ << ", \"line\": " << at.line << ", \"column\": " << at.column << '}';
  }
  constexpr void labels(text_view name, const label_list& list, bool first = false) {
    out_ << (first ? "" : ", ") << '"' << name << "\": [";
    for (std::size_t i = 0; i < list.size(); ++i)
      append_json_string(out_ << (i == 0 ? "" : ", "), list[i]);
    out_ << ']';
  }
  constexpr void axes(const equation_statement& s) {
    const index_usage usage(tree_, s.root);
    const equation_axes found = axes_of(tree_, s, usage);
    out_ << ", \"index_summary\": {";
    labels("lhs", names_of_indices(tree_, s.indices), true);
    labels("rhs_only", found.right_only);
    labels("projected", found.projected);
    labels("dangling", found.dangling);
    out_ << "}, \"index_table\": {";
    for (std::size_t i = 0; i < usage.axes.size(); ++i) {
      const axis_use& u = usage.axes[i];
      append_json_string(out_ << (i == 0 ? "" : ", "), u.name);
      out_ << ": {\"count\": " << u.count;
      labels("tensors", u.sources);
      out_ << '}';
    }
    out_ << '}';
  }
  // The line on which a statement begins, from there to its end or the next ';'.
  constexpr text_view line_of(const equation_statement& s) const {
    std::size_t last = s.offset;
    while (last < source_.size() && source_[last] != '\n' && source_[last] != ';') ++last;
    while (last > s.offset && source_[last - 1] == ' ') --last;
    return source_.part(s.offset, last - s.offset);
  }

  const equation_program& tree_;
  text_view source_;
  text out_;
  bool any_ = false;
};

}  // namespace detail

/// What `equations_text` says, as JSON, with the SHA-256 digest of the source, its lines, and the
/// axes of each equation with the tensors that have them. O(size of the program · axes).
constexpr text equations_json(const equation_program& p, text_view source) {
  return detail::equations_json_writer(p, source).write();
}

}  // namespace wf
