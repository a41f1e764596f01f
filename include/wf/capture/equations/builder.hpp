// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/equations/scanner.hpp>
#include <wf/capture/equations/tree.hpp>

namespace wf::detail {

/// Appends to a tree what all dialects of equations share: nodes and index lists.
class equation_builder : public equation_scanner {
 public:
  constexpr explicit equation_builder(text_view source) : equation_scanner(source) {}

 protected:
  /// The sizes of the tables of a tree, to which it can be taken back.
  struct tree_mark {
    std::size_t statements = 0, nodes = 0, children = 0, indices = 0, attributes = 0;
  };

  constexpr tree_mark mark() const {
    return {out_.statements.size(), out_.nodes.size(), out_.children.size(), out_.indices.size(),
            out_.attributes.size()};
  }
  constexpr void undo(const tree_mark& m) {
    out_.statements.resize(m.statements);
    out_.nodes.resize(m.nodes);
    out_.children.resize(m.children);
    out_.indices.resize(m.indices);
    out_.attributes.resize(m.attributes);
  }

  // --- nodes ------------------------------------------------------------------------------------

  constexpr std::uint32_t add(equation_node n) {
    out_.nodes.push_back(n);
    return static_cast<std::uint32_t>(out_.nodes.size() - 1);
  }
  constexpr std::uint32_t add(equation_node n, view<std::uint32_t> children) {
    n.children = {static_cast<std::uint32_t>(out_.children.size()),
                  static_cast<std::uint32_t>(children.size())};
    out_.children.append(children);
    return add(n);
  }
  constexpr std::uint32_t add(equation_kind kind, std::size_t offset, std::uint32_t a) {
    return add(node_of(kind, offset), {&a, 1});
  }
  constexpr std::uint32_t add(equation_kind kind, std::size_t offset, std::uint32_t a,
                              std::uint32_t b) {
    const std::uint32_t both[] = {a, b};
    return add(node_of(kind, offset), both);
  }
  constexpr std::uint32_t add_number(double number, std::size_t offset) {
    equation_node n = node_of(equation_kind::number, offset);
    n.number = number;
    return add(n);
  }
  static constexpr equation_node node_of(equation_kind kind, std::size_t offset) {
    equation_node n;
    n.kind = kind;
    n.offset = static_cast<std::uint32_t>(offset);
    return n;
  }
  constexpr range appended(const table<attribute_value>& attributes) {
    const range r{static_cast<std::uint32_t>(out_.attributes.size()),
                  static_cast<std::uint32_t>(attributes.size())};
    out_.attributes.append(attributes);
    return r;
  }
  constexpr const equation_node& child(const equation_node& n, std::uint32_t i) const {
    return out_.nodes[out_.children[n.children.first + i]];
  }

  // --- indices ----------------------------------------------------------------------------------

  // A list whose entries `entry(t)` reads.
  template <class Entry>
  constexpr bool labels(char close, range& out, Entry entry) {
    ++at_;  // the opening bracket
    ++brackets_;
    out = {static_cast<std::uint32_t>(out_.indices.size()), 0};
    for (bool more = !take(close); more;) {
      index_term t;
      if (!entry(t)) return false;
      out_.indices.push_back(t);
      if (++out.count > max_rank) return fail("at most 8 indices");
      more = !take(close);
      if (more && !expect(',', close == ')' ? "',' or ')' is missing after an index"
                                            : "',' or ']' is missing after an index"))
        return false;
    }
    --brackets_;
    return true;
  }

  // After the template: clang instantiates it where it meets a call.
  constexpr bool labels(char close, range& out) {
    return labels(close, out, [this](index_term& t) { return index(t); });
  }
  // On the left a shift says nothing, but where the axis is stepped through, and a slice is the
  // name of an axis.
  constexpr void name_axes(range r) {
    for (std::uint32_t i = 0; i < r.count; ++i) {
      index_term& t = out_.indices[r.first + i];
      if (t.kind == index_kind::slice) t.kind = index_kind::axis;
      if (t.kind == index_kind::axis && !t.streams) t.shift = 0;
    }
  }
  // The indices of a reduction after its operator, up to ')': , k, l)
  constexpr bool reduced_indices(range& out) {
    out = {static_cast<std::uint32_t>(out_.indices.size()), 0};
    while (take(',')) {
      index_term t;
      skip();
      t.offset = offset();
      t.name = take_name();
      if (t.name.empty()) return fail("an index is a name");
      out_.indices.push_back(t);
      ++out.count;
    }
    if (out.count == 0) return fail("reduce needs an index: reduce(sum, k) A[i,k]");
    return expect(')', "')' is missing");
  }

  // One entry of an index list: i, i+1, *t, q., 3, 'a', 0:2, t=0, ....
  constexpr bool index(index_term& t) {
    skip();
    t.offset = offset();
    if (peek() == '\'') {
      t.kind = index_kind::symbol;
      return quoted('\'', t.name);
    }
    if (take("...")) {
      t.kind = index_kind::rest;
      return true;
    }
    if (is_digit(peek()) || peek() == ':' || peek() == '-') return position(t);
    t.streams = take('*');
    t.name = take_name();
    if (t.name.empty()) return fail("an index is a name, as in A[i,j]");
    t.dotted = peek() == '.' && (++at_, true);
    skip();
    if (peek() == '=') {
      t.kind = index_kind::initial;
      t.streams = true;
      ++at_;
      return shift(t.shift);
    }
    return (peek() != '+' && peek() != '-') || shift(t.shift);
  }
  // A number with a sign, or without.
  constexpr bool shift(std::int64_t& out) {
    skip();
    const bool negative = take('-');
    if (!negative) take('+');
    skip();
    if (!is_digit(peek())) return fail("a whole number is missing in the index");
    if (!integer("the number is too large for an index", out)) return false;
    if (negative) out = -out;
    return true;
  }
  // A position, or a slice: 3, 0:2, ::2, 1:9:2.
  constexpr bool position(index_term& t) {
    const std::size_t first = at_;
    t.kind = index_kind::number;
    t.has_first = peek() != ':';
    if (t.has_first && !shift(t.shift)) return false;
    t.first = t.shift;
    skip();
    if (peek() != ':') return true;
    t.kind = index_kind::slice;
    std::size_t last = at_;
    bool has_step = false;
    if (!bound(t.has_last, t.last, last)) return false;
    skip();
    if (peek() == ':' && !bound(has_step, t.step, last)) return false;
    t.name = source_.part(first, last - first);
    return t.step > 0 || fail_at(first, "the step of a slice is positive");
  }
  // A colon, and the number after it if there is one; `last` becomes the end.
  constexpr bool bound(bool& has, std::int64_t& out, std::size_t& last) {
    last = ++at_;
    skip();
    has = is_digit(peek()) || peek() == '-';
    if (!has) return true;
    if (!shift(out)) return false;
    last = at_;
    return true;
  }

  static constexpr std::uint32_t max_depth = 100;

  std::uint32_t depth_ = 0;  // of nested expressions
  equation_program out_;
};

}  // namespace wf::detail
