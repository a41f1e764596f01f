// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/equations/legacy_indices.hpp>
#include <wf/capture/equations/sums.hpp>

namespace wf {

namespace detail {

/// Parses a program of the legacy dialect by recursive descent. Its functions return false after an
/// error, which is kept.
class legacy_reader : sum_reader<legacy_reader> {
 public:
  constexpr explicit legacy_reader(text_view source) : sum_reader(source) {}

  constexpr result<equation_program> read() {
    while (skip_separators() && statement()) {
    }
    if (!failed()) return static_cast<equation_program&&>(out_);
    error e = failure();
    if (e.code == errc::equation_syntax && !exact_)
      e.message = text() << "Syntax error while parsing program: " << e.message.view();
    return e;
  }

 private:
  friend sum_reader;

  // --- errors -----------------------------------------------------------------------------------

  // Keeps an error whose message stands alone.
  constexpr bool fail_exactly(std::size_t where, const text& message) {
    exact_ = true;
    return fail_at(where, message.view());
  }
  constexpr bool is_free(text_view name, std::size_t where) {
    return call_builder::is_free(name, is_keyword(name), where);
  }
  static constexpr bool is_keyword(text_view name) {
    for (text_view known : {text_view("true"), text_view("false"), text_view("none")})
      if (same_but_for_case(name, known)) return true;
    return name == "export";
  }

  // --- statements -------------------------------------------------------------------------------

  constexpr bool statement() {
    equation_statement s;
    s.offset = offset();
    if (peek() == '"') return sink(s);
    s.name = take_name();
    if (s.name.empty()) return fail("a statement begins with a name, or with a path in quotes");
    skip();
    if (s.name == "export" && is_letter(peek())) return exported(s);
    if (!is_free(s.name, s.offset)) return false;
    s.boolean = peek() == '(';
    s.labelled = peek() == '[' || s.boolean;
    if (s.labelled && !left_side(s)) return false;
    if (!sign(s.projection))
      return fail("'=', '+=', 'max=' or 'avg=' is missing after the left side");
    return source(s) || (!failed() && definition(s));
  }
  constexpr bool end_of_statement() {
    return at_end_of_statement() || fail("the statement should end here");
  }
  constexpr bool sign(projection& out) {
    if (take("max=")) return out = projection::maximum, true;
    if (take("avg=")) return out = projection::mean, true;
    return take("+=") || take('=');  // both sum
  }
  constexpr bool left_side(equation_statement& s) {
    if (!entries(s.boolean ? ')' : ']', s.indices)) return false;
    name_axes(s.indices);
    return true;
  }

  constexpr bool exported(equation_statement s) {
    s.kind = equation_statement_kind::exported;
    s.offset = offset();
    s.name = take_name();
    if (!is_free(s.name, s.offset)) return false;
    out_.statements.push_back(s);
    return end_of_statement();
  }

  // "path" = expression
  constexpr bool sink(equation_statement s) {
    s.kind = equation_statement_kind::sink;
    if (!string(s.path) || !expect('=', "'=' is missing after the path")) return false;
    if (!sum(s.root)) return false;
    out_.statements.push_back(s);
    return end_of_statement();
  }

  // T[i] = "path": false if something else stands here.
  constexpr bool source(equation_statement s) {
    skip();
    if (peek() != '"') return false;
    const std::size_t first = at_;
    if (!string(s.path)) return false;
    if (!at_end_of_statement()) return at_ = first, false;
    if (s.projection != projection::plain) return fail_at(first, "a file is read by '='");
    s.kind = equation_statement_kind::source;
    out_.statements.push_back(s);
    return true;
  }

  // One definition for each term of the right side.
  constexpr bool definition(equation_statement s) {
    s.adds = !s.boolean;
    if (!term(s.root)) return false;
    out_.statements.push_back(s);
    for (skip(); peek() == '+' || peek() == '-'; skip()) {
      const std::size_t first = at_++;
      if (!term(s.root)) return false;
      if (source_[first] == '-') s.root = add(equation_kind::negation, first, s.root);
      out_.statements.push_back(s);
    }
    return end_of_statement();
  }

  // --- expressions ------------------------------------------------------------------------------

  constexpr bool starts_factor() const {
    const char c = peek();
    return is_letter(c) || is_digit(c) || c == '.' || c == '(' || c == '[' || c == '{' || c == '"';
  }
  constexpr bool factor(std::uint32_t& out) {
    skip();
    const char c = peek();
    equation_node n = node_of(equation_kind::number, at_);
    if (c == '(') return parentheses(out);
    if (c == '[' || c == '{') return collection(c == '{', out);
    if (is_letter(c)) return named(n, out);
    if (c == '"') {
      n.kind = equation_kind::string;
      if (!string(n.name)) return false;
    } else if (is_digit(c) || c == '.') {
      if (!number(n.number)) return false;
    } else {
      return fail("a name, a literal or '(' is missing");
    }
    out = add(n);
    return true;
  }
  constexpr bool parentheses(std::uint32_t& out) {
    const std::size_t first = at_++;
    ++brackets_;
    if (take(')'))
      return fail_exactly(first, text("Parentheses must resolve to a single expression"));
    if (!sum(out) || !expect(')', "')' is missing")) return false;
    --brackets_;
    return true;
  }

  // [a, b], {k: a, l: b}
  constexpr bool collection(bool pairs, std::uint32_t& out) {
    equation_node n = node_of(pairs ? equation_kind::dictionary : equation_kind::list, at_++);
    ++brackets_;
    table<std::uint32_t> children;
    const char close = pairs ? '}' : ']';
    for (bool more = !take(close); more;) {
      if (!element(children)) return false;
      if (pairs && !value(children)) return false;
      more = !take(close);
      if (more && !expect(',', pairs ? "',' or '}' is missing after a value"
                                     : "',' or ']' is missing after an element"))
        return false;
      more = more && !take(close);
    }
    --brackets_;
    out = add(n, children);
    return true;
  }
  // A name as a key is a string.
  constexpr bool value(table<std::uint32_t>& to) {
    equation_node& key = out_.nodes[to.back()];
    if (key.kind == equation_kind::reference && !key.labelled) key.kind = equation_kind::string;
    return expect(':', "':' is missing after a key") && element(to);
  }
  // Signs become part of numbers.
  constexpr bool element(table<std::uint32_t>& to) {
    std::uint32_t made = 0;
    if (!sum(made)) return false;
    equation_node& n = out_.nodes[made];
    if (n.kind == equation_kind::negation && child(n, 0).kind == equation_kind::number) {
      n.kind = equation_kind::number;
      n.number = -child(n, 0).number;
      n.children = {};
    }
    to.push_back(made);
    return true;
  }

  // A literal by its name, a reference or a call.
  constexpr bool named(equation_node n, std::uint32_t& out) {
    n.name = take_name();
    if (same_but_for_case(n.name, "true") || same_but_for_case(n.name, "false")) {
      out = add_number(n.name.size() == 4 ? 1 : 0, n.offset);
      return true;
    }
    if (same_but_for_case(n.name, "none")) {
      n.kind = equation_kind::absent;
      n.name = {};
      out = add(n);
      return true;
    }
    if (peek() == '(') return call(n, out);
    if (!is_free(n.name, n.offset)) return false;
    skip();
    n.kind = equation_kind::reference;
    n.labelled = peek() == '[';
    if (n.labelled && !entries(']', n.indices)) return false;
    out = add(n);
    return true;
  }

  // A function of the dialect, or a relation: then entries of index lists are arguments, too.
  constexpr bool call(const equation_node& n, std::uint32_t& out) {
    const bool function = is_equation_function(n.name);
    call_form f;
    const auto argument = [&](std::uint32_t& made) {
      skip();
      if (peek() == ',' || peek() == ')')
        return fail_exactly(
            at_, text() << "Argument of '" << n.name << "' must resolve to a single expression");
      return !function && at_entry() ? entry(made) : sum(made);
    };
    return arguments(f, argument) && call_of(n, f, out);
  }
  // True where an entry of an index list begins that is no expression: *t, 0:2, q.
  constexpr bool at_entry() const {
    std::size_t ahead = 0;
    if (peek() == '*' || peek() == ':') return true;
    const bool number = is_digit(peek());
    while (is_digit(peek(ahead)) || (!number && (is_letter(peek(ahead)) || peek(ahead) == '\'')))
      ++ahead;
    return ahead > 0 && peek(ahead) == (number ? ':' : '.');
  }
  constexpr bool entry(std::uint32_t& out) {
    equation_node n = node_of(equation_kind::entry, at_);
    index_term t;
    if (!entry(t, ')')) return false;
    n.indices = {static_cast<std::uint32_t>(out_.indices.size()), 1};
    out_.indices.push_back(t);
    out = add(n);
    return true;
  }

  // --- indices ----------------------------------------------------------------------------------

  constexpr bool entries(char close, range& out) {
    return labels(close, out, [&](index_term& t) { return entry(t, close); });
  }
  constexpr bool entry(index_term& t, char close) {
    skip();
    const std::size_t first = at_;
    if (index(t) && t.kind < index_kind::symbol) {
      skip();
      if (peek() == ',' || peek() == close || at_ == source_.size()) return true;
    }
    std::size_t end = first;
    while (end < source_.size() && source_[end] != ',' && source_[end] != close &&
           source_[end] != '\n')
      ++end;
    while (end > first && (source_[end - 1] == ' ' || source_[end - 1] == '\t')) --end;
    return fail_exactly(first, token_problem(source_.part(first, end - first)));
  }
  // What is wrong with the text of an entry.
  static constexpr text token_problem(text_view token) {
    if (token.starts_with("*")) return text("Invalid streaming index syntax");
    if (token.find(':') == token.size()) return text() << "Invalid index token '" << token << "'";
    for (text_view rest = token; !rest.empty();) {
      const text_view bound = rest.part(0, rest.find(':'));
      bool whole = true;
      for (std::size_t i = 0; i < bound.size(); ++i)
        whole = whole && (is_digit(bound[i]) || (bound[i] == '-' && i == 0 && bound.size() > 1));
      if (!whole) return text() << "Slice bounds must be integers: " << bound;
      rest = rest.part(bound.size() + 1);
    }
    return text("Invalid slice specifier");
  }

  bool exact_ = false;
};

}  // namespace detail

/// Parses a program of the legacy dialect of tensor logic, a statement a line: `T[i] = "path"`
/// reads a file, `"path" = expression` writes one, `export T` makes an output, and `T[i] = term +
/// term` defines, with `=` or `+=` for a sum, `max=` or `avg=`; indices in parentheses make the
/// left side Boolean. Each term becomes a definition of its own, and the values of all are added,
/// even those that `max=` projects. Factors stand side by side or with `*` and `/`; they are
/// references (`X[i+1, *t-2, 0:2, q.]`), calls with arguments by position and by name, relations
/// `R(i,j)`, numbers, strings, `true`, `false`, `none`, lists, dictionaries and `even(i)`. Signs
/// are operators: `A[i] -1` is a difference. The names of the dialect's functions, and its
/// keywords, are reserved. An index that is not on the left stands twice in its term, or is
/// projected by `max=`, `avg=` or a reduction; the head of a single equation has no other indices
/// than its right side. The result refers into `source`. Errors: `equation_syntax` and
/// `bad_equation`, with their position. O(length).
constexpr result<equation_program> parse_legacy_equations(text_view source) {
  auto program = detail::legacy_reader(source).read();
  if (!program) return program;
  if (error e = detail::legacy_index_check(*program, source).run(); e.code != errc::none) return e;
  return program;
}

/// An error about a program as the dialect prints it: "message (line 2, col 7)", the line of the
/// source, and a caret under the column. O(length of the source).
constexpr text legacy_error_text(const error& e, text_view source) {
  return text() << e.message.view() << " (line " << e.where.line << ", col " << e.where.column
                << ")\n"
                << caret(source, e.where).view();
}

}  // namespace wf
