// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/equations/sums.hpp>

namespace wf {

namespace detail {

/// Parses a program by recursive descent. Its functions return false after an error, which is kept.
class equation_reader : sum_reader<equation_reader> {
 public:
  constexpr explicit equation_reader(text_view source) : sum_reader(source) {}

  constexpr result<equation_program> read() {
    while (skip_separators() && statement()) {
    }
    if (failed()) return failure();
    return static_cast<equation_program&&>(out_);
  }

 private:
  friend sum_reader;

  // --- statements -------------------------------------------------------------------------------

  constexpr bool statement() {
    equation_statement s;
    s.offset = offset();
    s.name = take_name();
    if (s.name.empty()) return fail("a statement begins with a name");
    skip();
    const char c = peek();
    const bool keyword = c != '=' && c != '[' && c != '(' && c != '+' && !at_named_sign();
    if (keyword && s.name == "input") return input(s);
    if (keyword && s.name == "export") return exported(s);
    if (keyword && s.name == "opaque") return opaque(s);
    if (keyword && s.name == "axis") return axis(s);
    if (keyword && s.name == "repeat") return repetition(s);
    return definition(s) && end_of_statement();
  }
  constexpr bool end_of_statement() {
    return at_end_of_statement() || fail("the statement should end here");
  }
  constexpr bool at_named_sign() const {
    const text_view rest = source_.part(at_, 4);
    return rest == "max=" || rest == "min=" || rest == "avg=";
  }

  constexpr bool definition(equation_statement& s) {
    s.boolean = peek() == '(';
    s.labelled = peek() == '[' || s.boolean;
    if (s.labelled && !labels(s.boolean ? ')' : ']', s.indices)) return false;
    if (!sign(s)) return fail("'=' is missing after the left side");
    if (!sum(s.root)) return false;
    out_.statements.push_back(s);
    return true;
  }
  constexpr bool sign(equation_statement& out) {
    for (const projection p : {projection::sum, projection::maximum, projection::minimum,
                               projection::mean, projection::plain})
      if (take(sign_of(p))) return out.projection = p, true;
    const std::size_t first = at_;
    out.projection = projection::combined;
    out.function = take_name();
    if (!out.function.empty() && peek() == '=' && !(source_.part(at_, 2) == "=="))
      return ++at_, true;
    return at_ = first, false;
  }

  constexpr bool exported(equation_statement s) {
    s.kind = equation_statement_kind::exported;
    do {
      skip();
      s.offset = static_cast<std::uint32_t>(at_);
      s.name = take_name();
      if (s.name.empty()) return fail("a name is missing after 'export'");
      out_.statements.push_back(s);
    } while (take(','));
    return end_of_statement();
  }

  // axis i = 10, axis i : Node
  constexpr bool axis(equation_statement s) {
    s.kind = equation_statement_kind::axis;
    s.name = take_name();
    if (s.name.empty()) return fail("an index is missing after 'axis'");
    if (take(':')) {
      s.function = take_name();
      if (s.function.empty()) return fail("a relation is missing: axis i : Node");
    } else {
      extent e;
      if (!take('=')) return fail("'=' and an extent are missing: axis i = 10");
      if (!one_extent(e)) return false;
      s.type.shape.push_back(e);
    }
    out_.statements.push_back(s);
    return end_of_statement();
  }

  // repeat x = b until 100, 1e-9
  constexpr bool repetition(equation_statement s) {
    s.kind = equation_statement_kind::repetition;
    s.name = take_name();
    if (s.name.empty()) return fail("a name is missing after 'repeat'");
    if (!expect('=', "'=' and the first value are missing: repeat x = b until 100, 1e-9"))
      return false;
    s.function = take_name();
    if (s.function.empty()) return fail("the name of the first value is missing");
    extent rounds;
    if (!(take_name() == "until"))
      return fail("'until' and the number of rounds are missing: repeat x = b until 100, 1e-9");
    if (!one_extent(rounds)) return false;
    s.type.shape.push_back(rounds);
    skip();
    if (take(',') && (skip(), !number(s.tolerance))) return false;
    out_.statements.push_back(s);
    return end_of_statement();
  }

  // opaque r2r = "fftw.r2r", "x: floating [N] -> y: floating [N]", flops = "5*N", pure
  constexpr bool opaque(equation_statement s) {
    s.kind = equation_statement_kind::opaque;
    s.name = take_name();
    if (s.name.empty()) return fail("a name is missing after 'opaque'");
    if (!expect('=', "'=' is missing after the function's name") || !string(s.function) ||
        !expect(',', "',' and the signature are missing") || !string(s.signature))
      return false;
    s.costs.first = static_cast<std::uint32_t>(out_.costs.size());
    while (take(',')) {
      cost_formula c;
      c.metric = take_name();
      skip();
      s.pure = s.pure || (c.metric == "pure" && peek() != '=');
      if (c.metric == "pure" && peek() != '=') continue;
      if (c.metric.empty() || !take('=')) return fail("metric = \"formula\", or pure, is missing");
      if (!string(c.formula)) return false;
      out_.costs.push_back(c);
      ++s.costs.count;
    }
    out_.statements.push_back(s);
    return end_of_statement();
  }
  // input A : f64[3, M] {spd}
  constexpr bool input(equation_statement s) {
    s.kind = equation_statement_kind::input;
    s.name = take_name();
    if (!expect(':', "':' and a type are missing after the input's name")) return false;
    skip();
    const std::size_t first = at_;
    s.type.type = dtype_named(take_name());
    if (s.type.type == dtype::unknown) return fail_at(first, "wf knows no such element type");
    if (!take('[')) return fail("'[' and extents are missing after the element type");
    s.type.shape = shape();
    for (bool more = !take(']'); more;) {
      extent e;
      if (!one_extent(e)) return false;
      if (!s.type.shape.push_back(e)) return fail("an input has at most 8 dimensions");
      more = !take(']');
      if (more && !expect(',', "',' or ']' is missing after an extent")) return false;
    }
    if (take('{') && !property_list(s.type.known)) return false;
    out_.statements.push_back(s);
    return end_of_statement();
  }
  constexpr bool one_extent(extent& out) {
    skip();
    const std::size_t first = at_;
    if (is_digit(peek())) {
      std::int64_t size = 0;
      if (!integer("the extent is too large", size)) return false;
      if (!extent(size).is_fixed()) return fail_at(first, "the extent is too large");
      out = extent(size);
      return true;
    }
    const symbol named = make_symbol(take_name());
    if (!named) return fail_at(first, "an extent is a number, or a symbol of 1 to 10 characters");
    out = extent(named);
    return true;
  }
  constexpr bool property_list(properties& out) {
    do {
      skip();
      const std::size_t first = at_;
      const properties one = properties_named(take_name());
      if (one.empty()) return fail_at(first, "wf knows no such property");
      out = out | one;
    } while (take(','));
    return expect('}', "'}' is missing after the properties");
  }

  // --- expressions ------------------------------------------------------------------------------

  constexpr bool starts_factor() const {
    const char c = peek();
    return c == '(' || c == '[' || is_letter(c) || is_digit(c) || (c == '!' && peek(1) != '=');
  }
  constexpr bool factor(std::uint32_t& out) {
    skip();
    if (peek() == '(') {
      ++at_;
      ++brackets_;
      if (!sum(out) || !expect(')', "')' is missing")) return false;
      --brackets_;
      return true;
    }
    if (peek() == '[') return comparison(out);
    if (peek() == '!') return complement(out);
    equation_node n;
    n.offset = offset();
    if (is_digit(peek()) || peek() == '.') {
      if (!number(n.number)) return false;
      out = add(n);
      return true;
    }
    if (peek() == '\'') {
      n.kind = equation_kind::symbol;
      if (!quoted('\'', n.name)) return false;
      out = add(n);
      return true;
    }
    return named(n, out);
  }

  // A reference, a call or a reduction.
  constexpr bool named(equation_node n, std::uint32_t& out) {
    n.name = take_name();
    if (n.name.empty()) return fail("a name, a number or '(' is missing");
    if (peek() == '(') return n.name == "reduce" ? reduction(n, out) : call(n, out);
    n.kind = equation_kind::reference;
    n.labelled = peek() == '[';
    if (n.labelled && !labels(']', n.indices)) return false;
    out = add(n);
    return true;
  }

  // !R(i,j)
  constexpr bool complement(std::uint32_t& out) {
    const std::size_t first = at_++;
    skip();
    equation_node n;
    n.offset = offset();
    std::uint32_t inner = 0;
    if (!named(n, inner)) return false;
    out = add(equation_kind::complement, first, inner);
    return true;
  }

  // [i < j]
  constexpr bool comparison(std::uint32_t& out) {
    const std::size_t first = at_++;
    ++brackets_;
    std::uint32_t left = 0, right = 0;
    if (!sum(left)) return false;
    text_view sign;
    for (const text_view known : {text_view("<="), text_view(">="), text_view("=="),
                                  text_view("!="), text_view("<"), text_view(">")})
      if (sign.empty() && take(known)) sign = known;
    if (sign.empty()) return fail("a comparison is missing: [i < j]");
    if (!sum(right) || !expect(']', "']' is missing after a comparison")) return false;
    --brackets_;
    out = add(equation_kind::comparison, first, left, right);
    out_.nodes[out].name = sign;
    return true;
  }

  // reduce(max, k, l) e: extends as far to the right as possible.
  constexpr bool reduction(equation_node n, std::uint32_t& out) {
    ++at_;
    n.kind = equation_kind::reduction;
    n.name = take_name();
    if (!(n.name == "sum" || n.name == "max" || n.name == "mean"))
      return fail("reduce takes sum, max or mean, then indices");
    if (!reduced_indices(n.indices)) return false;
    std::uint32_t inner = 0;
    if (!sum(inner)) return false;
    out = add(n, {&inner, 1});
    return true;
  }

  constexpr bool call(equation_node n, std::uint32_t& out) {
    ++at_;
    ++brackets_;
    n.kind = equation_kind::call;
    table<std::uint32_t> arguments;
    table<attribute_value> attributes;
    for (bool more = !take(')'); more;) {
      skip();
      const std::size_t first = at_;
      const text_view keyword = take_name();
      if (!keyword.empty() && take('=')) {
        if (!attribute(keyword, attributes)) return false;
      } else {
        at_ = first;
        std::uint32_t argument = 0;
        if (!sum(argument)) return false;
        arguments.push_back(argument);
      }
      more = !take(')');
      if (more && !expect(',', "',' or ')' is missing after an argument")) return false;
    }
    --brackets_;
    n.attributes = appended(attributes);
    out = add(n, arguments);
    return true;
  }
  // axis = 1, lo = -0.5, mode = "same"; extents are symbols.
  constexpr bool attribute(text_view name, table<attribute_value>& out) {
    skip();
    if (peek() == '"') {
      text_view characters;
      if (!string(characters)) return false;
      out.push_back(attribute_value::string(name, characters));
      return true;
    }
    if (is_letter(peek())) {
      extent e;
      if (!one_extent(e)) return false;
      out.push_back(attribute_value::dimension(name, e));
      return true;
    }
    const bool negative = take('-');
    skip();
    const std::size_t first = at_;
    double value = 0;
    if (!number(value)) return false;
    bool integer = value < 9.0e15;
    for (std::size_t i = first; i < at_; ++i) integer = integer && is_digit(source_[i]);
    if (negative) value = -value;
    out.push_back(integer ? attribute_value::integer(name, static_cast<std::int64_t>(value))
                          : attribute_value::floating(name, value));
    return true;
  }
};

}  // namespace detail

/// Parses an equation program: statements on lines of their own or separated by `;`, `#` comments.
/// `input A : f64[3, M] {spd}` declares an input, `Y[i,k] = A[i,j] B[j,k]` defines a name, `export
/// Y` makes it an output. The right side consists of `+ - * /` and juxtaposition (a product),
/// numbers, parentheses, operators by name with attributes by keyword (`conv2d(x, w, stride=2)`)
/// and `reduce(max, k) e`. `axis i = 10` and `axis i : Node` say how far an index runs. `repeat x =
/// b until 100, 1e-9` says how a name that is defined by itself begins and ends. A left side in
/// parentheses, `Path(x,z) = Edge(x,y) Path(y,z)`, is Boolean;
/// `+=`, `max=`, `min=` and `avg=` say how the indices that only the right side has are combined;
/// `!R(i)` negates, `[i < j]` keeps what fulfils it. Indices may be shifted (`i+1`), fixed (`0`,
/// `'a'`), sliced (`0:2`) and stepped through (`*t`, `t=0`). `opaque r2r = "fftw.r2r", "x[N] ->
/// y[N]", flops = "5*N", pure` declares a function to call. The result refers into `source`.
/// Errors: `equation_syntax` with its position. O(length).
constexpr result<equation_program> parse_equations(text_view source) {
  return detail::equation_reader(source).read();
}

}  // namespace wf
