// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/spelling.hpp>
#include <wf/ir/form/scanner.hpp>
#include <wf/ir/form/text.hpp>
#include <wf/ir/graph/validate.hpp>

namespace wf {

/// Maximum length of a graph's text, in characters.
inline constexpr std::size_t max_graph_text = std::size_t{1} << 28;

/// Maximum number of distinct operators, and of distinct derived extents, in a graph's text: they
/// are found by scanning, and a hostile text must not make that quadratic.
inline constexpr std::size_t max_distinct_entries = std::size_t{1} << 14;

namespace detail {

/// Reads the text form in one pass, without recursion and with at most one token of look-ahead. Its
/// functions return false after an error, which the scanner keeps.
class graph_reader : graph_scanner {
 public:
  constexpr explicit graph_reader(text_view source) : graph_scanner(source) {}

  constexpr result<graph> read() {
    if (source_.size() > max_graph_text) {
      fail("the text of the graph is longer than 256 MiB");
    } else if (header()) {
      while (skip_to_statement() && statement()) {
      }
    }
    if (!has_failed()) return static_cast<graph&&>(graph_);
    return failure();
  }

 private:
  // --- types ------------------------------------------------------------------------------------

  constexpr bool derived(text_view polynomial, std::size_t where, extent& out) {
    out = graph_.add_derived(polynomial);
    return graph_.view().derived.size() <= max_distinct_entries ||
           fail_at(where, "the graph has too many different derived extents (16384)");
  }
  constexpr bool read_extent(extent& out) {
    constexpr const char* expected = "expected an extent: a size, a symbol, a polynomial or '?'";
    skip_spaces();
    const std::size_t first = at_;
    if (peek() == '"') {
      text_view polynomial;
      return string(polynomial, expected) && derived(polynomial, first, out);
    }
    if (take('?')) return true;
    bool word = is_letter(peek()), digits = true;
    std::size_t last = first;
    for (; is_extent_character(peek()); ++at_) {
      if (source_[at_] == ' ') continue;
      if (at_ != last) word = digits = false;  // a space lies in between
      last = at_ + 1;
      word = word && (is_letter(source_[at_]) || is_digit(source_[at_]));
      digits = digits && is_digit(source_[at_]);
    }
    at_ = last;
    const text_view bare = source_.part(first, last - first);
    if (bare.empty()) return fail(expected);
    if (digits) {
      std::uint64_t size = 0;
      at_ = first;
      if (!number(INT64_MAX, size, expected)) return false;
      out = extent(static_cast<std::int64_t>(size));
      return true;
    }
    if (!word) return derived(bare, first, out);
    out = extent(make_symbol(bare));
    return !out.is_unknown() || fail_at(first, "a symbol has at most 10 characters");
  }
  constexpr bool read_shape(shape& out) {
    if (!expect('[', "expected '[' and the extents after the element type")) return false;
    if (take(']')) return true;
    if (source_.part(at_, 3).starts_with("...")) {
      at_ += 3;
      out = shape::unknown();
      return expect(']', "expected ']' after '...'");
    }
    do {
      extent e;
      if (!read_extent(e)) return false;
      if (!out.push_back(e)) return fail("a value has at most 8 dimensions");
    } while (take(','));
    return expect(']', "expected ']' after the extents");
  }
  constexpr bool read_properties(properties& out) {
    while (!take('}')) {
      const text_view name = take_word();
      if (name.empty()) return fail("expected a property, or '}' after the properties");
      const properties named = properties_named(name);
      if (named.empty()) return unknown_property(name);
      out = out | named;
    }
    return true;
  }
  constexpr bool unknown_property(text_view name) {
    table<text_view> known;
    for (const property_row& row : property_rows) known.push_back(row.name);
    return fail_at(at_ - name.size(), unknown_name_message("property", name, known).view());
  }
  constexpr bool read_type(value_type& out) {
    const text_view name = take_word();
    if (name.empty()) return fail("expected an element type, such as f64");
    out.type = dtype_named(name);
    if (out.type == dtype::unknown && name != name_of(dtype::unknown)) {
      table<text_view> known;
      for (const dtype_row& row : dtype_rows) known.push_back(row.name);
      return fail_at(at_ - name.size(), unknown_name_message("element type", name, known).view());
    }
    if (!read_shape(out.shape)) return false;
    return !take('{') || read_properties(out.known);
  }

  // --- statements -------------------------------------------------------------------------------

  constexpr bool header() {
    constexpr const char* expected = "expected 'wf.graph 1' and the name of the graph in quotes";
    if (!skip_to_statement() || !source_.part(at_).starts_with("wf.graph")) return fail(expected);
    at_ += 8;
    std::uint32_t version = 0;
    skip_spaces();
    const std::size_t first = at_;
    if (!number(version, expected)) return false;
    if (version != graph_text_version)
      return fail_at(first, "only version 1 of the text form can be read");
    text_view name;
    if (!string(name, expected)) return false;
    graph_ = graph(name);
    return end_statement("expected the end of the line after the name");
  }
  constexpr bool statement() {
    constexpr text_view known[] = {"input", "node", "edge", "output"};
    forget_strings();
    const text_view word = take_word();
    if (word == known[1]) return node_statement();
    if (word == known[0]) return input_statement();
    if (word == known[2]) return edge_statement();
    if (word == known[3]) return output_statement();
    if (word.empty()) return fail("expected 'input', 'node', 'edge' or 'output'");
    return fail_at(at_ - word.size(), unknown_name_message("statement", word, known).view());
  }
  constexpr bool input_statement() {
    text_view name;
    value_type type;
    if (!string(name, "expected the input's name in quotes") ||
        !expect(':', "expected ':' and a type after the input's name") || !read_type(type))
      return false;
    graph_.add_input(name, type);
    return end_statement("expected the end of the line after the input's type");
  }
  constexpr bool output_statement() {
    text_view name;
    std::uint32_t source = 0;
    if (!string(name, "expected the output's name in quotes") ||
        !expect('=', "expected '=' and a value after the output's name") ||
        !reference('%', source, "expected a value, such as %3"))
      return false;
    graph_.add_output(name, static_cast<value_id>(source));
    return end_statement("expected the end of the line after the output's value");
  }
  constexpr bool edge_statement() {
    constexpr edge_kind kinds[] = {edge_kind::control, edge_kind::mutate, edge_kind::data};
    const text_view name = take_word();
    for (edge_kind kind : kinds) {
      if (name_of(kind) != name) continue;
      std::uint32_t from = 0, to = 0;
      if (!reference('@', from, "expected the first node of the edge, such as @3")) return false;
      if (!take_arrow()) return fail("expected '->' between the nodes of the edge");
      if (!reference('@', to, "expected the second node of the edge, such as @3")) return false;
      graph_.add_edge(kind, static_cast<node_id>(from), static_cast<node_id>(to));
      return end_statement("expected the end of the line after the edge");
    }
    return fail_at(at_ - name.size(), "expected 'control' or 'mutate' after 'edge'");
  }

  // --- nodes ------------------------------------------------------------------------------------

  struct metric_formula {
    text_view metric;
    text_view formula;
  };

  constexpr bool node_statement() {
    node_description what;
    operands_.clear();
    attributes_.clear();
    costs_.clear();
    results_.clear();
    names_.clear();
    if (!operator_name(what) || !operands() || !clauses(what)) return false;
    const node_id id = graph_.add_node(what, operands_, results_);
    const graph_view g = graph_.view();
    if (g.operations.size() > max_distinct_entries)
      return fail("the graph has too many different operators (16384)");
    for (const attribute_value& a : attributes_) graph_.add_attribute(a);
    for (const metric_formula& c : costs_) graph_.add_cost(c.metric, c.formula);
    const node& n = graph_[id];
    for (std::uint32_t k = 0; k < names_.size(); ++k)
      if (!names_[k].empty()) graph_.set_name(graph_view::output_of(n, k), names_[k]);
    return true;
  }
  constexpr bool operator_name(node_description& what) {
    constexpr const char* expected = "expected an operator, such as linalg.matmul";
    skip_spaces();
    std::size_t first = at_;
    if (!word_or_string(what.op, expected)) return false;
    if (peek() == '.') {
      what.domain = what.op;
      first = ++at_;
      if (!word_or_string(what.op, expected)) return false;
    }
    return !what.op.empty() || fail_at(first, "an operator's name must not be empty");
  }
  constexpr bool operands() {
    if (!expect('(', "expected '(' and the operands after the operator")) return false;
    if (take(')')) return true;
    do {
      std::uint32_t operand = 0;
      if (!reference('%', operand, "expected an operand, such as %3")) return false;
      operands_.push_back(static_cast<value_id>(operand));
    } while (take(','));
    return expect(')', "expected ')' after the operands");
  }
  // Reads everything after the operands: each clause at most once, the results last.
  constexpr bool clauses(node_description& what) {
    constexpr text_view known[] = {"cost", "effect", "peer", "named", "at"};
    constexpr const char* expected =
        "expected '[', 'cost', 'effect', 'peer', 'named', 'at', '->' or the end of the line";
    unsigned seen = 0;
    while (!at_end_of_statement()) {
      const std::size_t first = at_;
      if (take_arrow()) return results();
      unsigned clause = 5;
      if (!take('[')) {
        const text_view word = take_word();
        for (clause = 0; clause < 5 && known[clause] != word; ++clause) {
        }
        if (word.empty()) return fail(expected);
        if (clause == 5) return fail_at(first, unknown_name_message("clause", word, known).view());
      }
      if ((seen & (1U << clause)) != 0) return fail_at(first, "the node has this clause already");
      seen |= 1U << clause;
      const bool read = clause == 5   ? attributes()
                        : clause == 0 ? costs()
                        : clause == 1 ? read_effect(what.effects)
                        : clause == 2 ? string(what.peer, "expected the class of peers in quotes")
                        : clause == 3 ? string(what.name, "expected the node's name in quotes")
                                      : location(what);
      if (!read) return false;
    }
    return true;
  }
  constexpr bool results() {
    do {
      text_view name;
      value_type type;
      skip_spaces();
      if (peek() == '"' &&
          (!string(name, "") || !expect(':', "expected ':' and a type after the result's name")))
        return false;
      if (!read_type(type)) return false;
      results_.push_back(type);
      names_.push_back(name);
    } while (take(','));
    return end_statement("expected ',' or the end of the line after the result");
  }
  constexpr bool costs() {
    if (!expect('[', "expected '[' after 'cost'")) return false;
    if (take(']')) return true;
    do {
      metric_formula c;
      if (!word_or_string(c.metric, "expected a metric, such as flops") ||
          !expect('=', "expected '=' and a formula after the metric") ||
          !string(c.formula, "expected a formula in quotes"))
        return false;
      costs_.push_back(c);
    } while (take(','));
    return expect(']', "expected ']' after the costs");
  }
  constexpr bool read_effect(effect& out) {
    constexpr effect effects[] = {effect::pure, effect::stateful, effect::external};
    const text_view name = take_word();
    for (effect e : effects)
      if (name_of(e) == name) return out = e, true;
    return fail_at(at_ - name.size(), "expected 'pure', 'stateful' or 'external' after 'effect'");
  }
  constexpr bool location(node_description& what) {
    return string(what.file, "expected a file in quotes after 'at'") &&
           expect(':', "expected ':' and the line after the file") &&
           number(what.line, "expected the line") &&
           expect(':', "expected ':' and the column after the line") &&
           number(what.column, "expected the column");
  }
  constexpr bool attributes() {
    if (take(']')) return true;
    do {
      attribute_value a;
      if (!word_or_string(a.name, "expected an attribute's name") ||
          !expect('=', "expected '=' and a value after the attribute's name") ||
          !attribute_content(a))
        return false;
      attributes_.push_back(a);
    } while (take(','));
    return expect(']', "expected ']' after the attributes");
  }
  constexpr bool attribute_content(attribute_value& a) {
    skip_spaces();
    if (peek() == '"') {
      a.kind = attribute_kind::string;
      return string(a.characters, "");
    }
    const std::size_t first = at_;
    if (take_word() == "dim") {
      extent e;
      if (!read_extent(e)) return false;
      a.kind = attribute_kind::extent;
      a.number = e.code;
      return true;
    }
    at_ = first;
    return number_content(a);
  }
  constexpr bool number_content(attribute_value& a) {
    const std::size_t first = at_;
    bool whole = true;
    for (char c = peek();
         is_letter(c) || is_digit(c) || c == '.' || c == '+' || c == '-' || c == '/' || c == ':';
         c = peek()) {
      if (!is_digit(c) && !(c == '-' && at_ == first)) whole = false;
      ++at_;
    }
    const text_view token = source_.part(first, at_ - first);
    if (token.empty()) return fail("expected a number, a string in quotes, or 'dim' and an extent");
    const std::size_t slash = token.find('/');
    if (!whole && slash == token.size()) return real_content(token, first, a);
    if (!signed_number(first, first + slash, a.number)) return false;
    if (slash == token.size()) return true;
    a.kind = attribute_kind::rational;
    if (!signed_number(first + slash + 1, first + token.size(), a.denominator)) return false;
    return a.denominator > 0 || fail_at(first + slash + 1, "a denominator must be positive");
  }
  constexpr bool real_content(text_view token, std::size_t first, attribute_value& a) {
    const result<double> number = parse_real(token);
    if (!number) return fail_at(first, number.error().message.view());
    a.kind = attribute_kind::real;
    a.real = *number;
    return true;
  }
  // Reads the characters from `first` to `last` as a 64-bit integer with an optional minus.
  constexpr bool signed_number(std::size_t first, std::size_t last, std::int64_t& out) {
    at_ = first;
    const bool negative = take('-');
    std::uint64_t size = 0;
    if (!number(std::uint64_t{INT64_MAX} + (negative ? 1 : 0), size, "expected a whole number"))
      return false;
    if (at_ != last) return fail("expected a whole number");
    out = static_cast<std::int64_t>(negative ? 0 - size : size);
    return true;
  }

  graph graph_;
  // Parts of the current statement.
  table<value_id> operands_;
  table<attribute_value> attributes_;
  table<metric_formula> costs_;
  table<value_type> results_;
  table<text_view> names_;
};

}  // namespace detail

/// Reads the text form that `to_text` (ir/form/text.hpp) writes. References may point forward or
/// dangle, and types may be unknown: `validate` reports that, and a graph that it accepts is marked
/// as valid. Statements may come in any order, and so may the clauses of a node, its results last.
/// Errors: `graph_syntax` with line, column and offset, which `caret` shows. Limits:
/// `max_graph_text`, `max_distinct_entries`, `max_rank`. O(size) for graphs with few operators and
/// derived extents.
constexpr result<graph> parse_graph(text_view source) {
  return detail::with_validity(detail::graph_reader(source).read());
}

}  // namespace wf
