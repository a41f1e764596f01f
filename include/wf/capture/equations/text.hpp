// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/character.hpp>
#include <wf/core/text/real.hpp>
#include <wf/ir/graph/graph.hpp>

namespace wf {

/// The kind of a node of a parsed equation.
enum class equation_kind : std::uint8_t {
  number,      ///< a literal
  reference,   ///< a name, possibly with indices: `A[i,j]`
  call,        ///< an operator applied to arguments: `relu(X)`
  sum,         ///< a + b
  difference,  ///< a - b
  product,     ///< a b, or a * b
  quotient,    ///< a / b
  negation,    ///< minus a
  reduction,   ///< `reduce(max, k) a`
};

/// A node of a parsed equation; texts refer into the source.
struct equation_node {
  /// Selects the members that are used.
  equation_kind kind = equation_kind::number;
  /// The name of a reference, or the operator of a call or reduction.
  text_view name;
  /// The value of a literal.
  double number = 0;
  /// True if a reference has an index list, even an empty one: `s[]`.
  bool labelled = false;
  range children;            ///< operands: run of `equation_program::children`
  range indices;             ///< indices: run of `equation_program::indices`
  range attributes;          ///< a call's attributes: run of `equation_program::attributes`
  std::uint32_t offset = 0;  ///< start in the source, in characters
};

/// The effect of a statement on the workflow.
enum class equation_statement_kind : std::uint8_t {
  input,       ///< declares an input
  definition,  ///< defines a name
  exported,    ///< makes a name an output
  opaque,      ///< declares an opaque function
};

/// A statement of an equation program; texts refer into the source.
struct equation_statement {
  /// Selects the members that are used.
  equation_statement_kind kind = equation_statement_kind::definition;
  /// The name that is declared, defined or exported.
  text_view name;
  /// True if the left side of a definition has indices.
  bool labelled = false;
  range indices;             ///< the indices of the left side
  std::uint32_t root = 0;    ///< the right side of a definition: index into `nodes`
  value_type type;           ///< the type of an input
  text_view function;        ///< the name of an opaque function: `module.fn`
  text_view signature;       ///< operands and results of the function, as in the signature of a
                             ///< kernel
  range costs;               ///< its costs: run of `equation_program::costs`
  bool pure = false;         ///< true if the function has no side effects
  std::uint32_t offset = 0;  ///< start in the source, in characters
};

/// A parsed equation program, as flat tables. Texts refer into the source.
struct equation_program {
  table<equation_statement> statements;  ///< in source order
  table<equation_node> nodes;            ///< children before parents
  table<std::uint32_t> children;         ///< indices into `nodes`
  table<text_view> indices;              ///< names of indices of references, reductions and left
                                         ///< sides
  table<attribute_value> attributes;     ///< attributes of calls
  table<cost_formula> costs;             ///< costs of opaque functions
};

namespace detail {

/// Parses a program by recursive descent. Its functions return false after an error, which is kept.
class equation_reader {
 public:
  constexpr explicit equation_reader(text_view source) : source_(source) {}

  constexpr result<equation_program> read() {
    while (skip_separators() && statement()) {
    }
    if (message_.empty()) return static_cast<equation_program&&>(out_);
    return make_error(errc::equation_syntax, "", message_.view(), position_at(source_, failed_at_));
  }

 private:
  static constexpr std::uint32_t max_depth = 100;

  constexpr bool fail_at(std::size_t where, text_view message) {
    message_ = text(message);
    failed_at_ = where;
    return false;
  }
  constexpr bool fail(text_view message) { return fail_at(at_, message); }

  constexpr char peek() const { return at_ < source_.size() ? source_[at_] : '\0'; }
  // Within brackets a statement continues over the end of a line.
  constexpr void skip() {
    for (; at_ < source_.size(); ++at_) {
      const char c = source_[at_];
      if (c == '#') {
        at_ = source_.find('\n', at_);
        if (at_ == source_.size()) return;
        --at_;
      } else if (c != ' ' && c != '\t' && c != '\r' && (c != '\n' || brackets_ == 0)) {
        return;
      }
    }
  }
  constexpr bool skip_separators() {
    for (;;) {
      skip();
      if (at_ == source_.size()) return false;
      if (peek() != '\n' && peek() != ';') return true;
      ++at_;
    }
  }
  constexpr bool at_end_of_statement() {
    skip();
    return at_ == source_.size() || peek() == '\n' || peek() == ';';
  }
  constexpr bool take(char c) {
    skip();
    if (peek() != c || at_ == source_.size()) return false;
    ++at_;
    return true;
  }
  constexpr bool expect(char c, const char* message) { return take(c) || fail(message); }

  // A name: a letter or `_`, then letters, digits and `_`, then any number of `'`.
  constexpr text_view take_name() {
    skip();
    const std::size_t first = at_;
    if (!is_letter(peek())) return {};
    while (is_letter(peek()) || is_digit(peek())) ++at_;
    while (peek() == '\'') ++at_;
    return source_.part(first, at_ - first);
  }

  // --- statements -------------------------------------------------------------------------------

  constexpr bool statement() {
    equation_statement s;
    s.offset = static_cast<std::uint32_t>(at_);
    s.name = take_name();
    if (s.name.empty()) return fail("a statement begins with a name");
    skip();
    const bool keyword = peek() != '=' && peek() != '[';
    if (keyword && s.name == "input") return input(s);
    if (keyword && s.name == "export") return exported(s);
    if (keyword && s.name == "opaque") return opaque(s);
    return definition(s) && end_of_statement();
  }
  constexpr bool end_of_statement() {
    return at_end_of_statement() || fail("the statement should end here");
  }

  constexpr bool definition(equation_statement& s) {
    if (peek() == '[' && !labels(s.indices, s.labelled)) return false;
    skip();
    if (!take('=')) return fail("'=' is missing after the left side");
    for (std::size_t i = 0; i < s.indices.count; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (out_.indices[s.indices.first + i] == out_.indices[s.indices.first + j])
          return fail_at(s.offset, "an index stands twice on the left side");
    if (!sum(s.root)) return false;
    out_.statements.push_back(s);
    return true;
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
  constexpr bool string(text_view& out) {
    if (!take('"')) return fail("a string in quotes is missing");
    const std::size_t first = at_;
    while (at_ < source_.size() && peek() != '"' && peek() != '\n') ++at_;
    if (peek() != '"') return fail_at(first - 1, "the string is not closed on its line");
    out = source_.part(first, at_ - first);
    ++at_;
    return true;
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
      for (; is_digit(peek()); ++at_)
        if (!checked_multiply(size, std::int64_t{10}, size) ||
            !checked_add(size, static_cast<std::int64_t>(peek() - '0'), size))
          return fail_at(first, "the extent is too large");
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

  constexpr bool labels(range& out, bool& labelled) {
    ++at_;  // '['
    ++brackets_;
    labelled = true;
    out.first = static_cast<std::uint32_t>(out_.indices.size());
    out.count = 0;
    for (bool more = !take(']'); more;) {
      const text_view index = take_name();
      if (index.empty()) return fail("an index is a name, as in A[i,j]");
      out_.indices.push_back(index);
      if (++out.count > max_rank) return fail("at most 8 indices");
      more = !take(']');
      if (more && !expect(',', "',' or ']' is missing after an index")) return false;
    }
    --brackets_;
    return true;
  }

  constexpr std::uint32_t add(equation_node n) {
    out_.nodes.push_back(n);
    return static_cast<std::uint32_t>(out_.nodes.size() - 1);
  }
  constexpr std::uint32_t add(equation_kind kind, std::size_t offset, std::uint32_t a) {
    equation_node n;
    n.kind = kind;
    n.offset = static_cast<std::uint32_t>(offset);
    n.children = {static_cast<std::uint32_t>(out_.children.size()), 1};
    out_.children.push_back(a);
    return add(n);
  }
  constexpr std::uint32_t add(equation_kind kind, std::size_t offset, std::uint32_t a,
                              std::uint32_t b) {
    const std::uint32_t made = add(kind, offset, a);
    out_.children.push_back(b);
    out_.nodes[made].children.count = 2;
    return made;
  }

  constexpr bool sum(std::uint32_t& out) {
    if (++depth_ > max_depth) return fail("the expression is nested too deeply");
    if (!term(out)) return false;
    for (skip(); peek() == '+' || peek() == '-'; skip()) {
      const std::size_t at = at_;
      const auto kind = peek() == '+' ? equation_kind::sum : equation_kind::difference;
      ++at_;
      std::uint32_t right = 0;
      if (!term(right)) return false;
      out = add(kind, at, out, right);
    }
    --depth_;
    return true;
  }

  constexpr bool term(std::uint32_t& out) {
    skip();
    const std::size_t first = at_;
    const bool negative = take('-');
    if (!factor(out)) return false;
    if (negative) out = add(equation_kind::negation, first, out);
    for (skip();; skip()) {
      const std::size_t at = at_;
      const char c = peek();
      if (c != '*' && c != '/' && !is_letter(c) && !is_digit(c) && c != '(') return true;
      const auto kind = c == '/' ? equation_kind::quotient : equation_kind::product;
      if (c == '*' || c == '/') ++at_;
      std::uint32_t right = 0;
      if (!factor(right)) return false;
      out = add(kind, at, out, right);
    }
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
    equation_node n;
    n.offset = static_cast<std::uint32_t>(at_);
    if (is_digit(peek()) || peek() == '.') {
      if (!number(n.number)) return false;
      out = add(n);
      return true;
    }
    n.name = take_name();
    if (n.name.empty()) return fail("a name, a number or '(' is missing");
    if (peek() == '(') return n.name == "reduce" ? reduction(n, out) : call(n, out);
    n.kind = equation_kind::reference;
    if (peek() == '[' && !labels(n.indices, n.labelled)) return false;
    out = add(n);
    return true;
  }

  // reduce(max, k, l) e: extends as far to the right as possible.
  constexpr bool reduction(equation_node n, std::uint32_t& out) {
    ++at_;
    n.kind = equation_kind::reduction;
    n.name = take_name();
    if (!(n.name == "sum" || n.name == "max" || n.name == "mean"))
      return fail("reduce takes sum, max or mean, then indices");
    n.indices.first = static_cast<std::uint32_t>(out_.indices.size());
    while (take(',')) {
      const text_view index = take_name();
      if (index.empty()) return fail("an index is a name");
      out_.indices.push_back(index);
      ++n.indices.count;
    }
    if (n.indices.count == 0) return fail("reduce needs an index: reduce(sum, k) A[i,k]");
    if (!expect(')', "')' is missing")) return false;
    std::uint32_t inner = 0;
    if (!sum(inner)) return false;
    n.children = {static_cast<std::uint32_t>(out_.children.size()), 1};
    out_.children.push_back(inner);
    out = add(n);
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
    n.children = {static_cast<std::uint32_t>(out_.children.size()),
                  static_cast<std::uint32_t>(arguments.size())};
    for (std::uint32_t a : arguments) out_.children.push_back(a);
    n.attributes = {static_cast<std::uint32_t>(out_.attributes.size()),
                    static_cast<std::uint32_t>(attributes.size())};
    for (const attribute_value& a : attributes) out_.attributes.push_back(a);
    out = add(n);
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

  // Reads an unsigned decimal number.
  constexpr bool number(double& out) {
    const std::size_t first = at_;
    while (is_digit(peek()) || peek() == '.') ++at_;
    if (at_ > first && (peek() == 'e' || peek() == 'E')) {
      ++at_;
      if (peek() == '-' || peek() == '+') ++at_;
      while (is_digit(peek())) ++at_;
    }
    const auto value = parse_real(source_.part(first, at_ - first));
    if (!value) return fail_at(first, value.error().message.view());
    out = *value;
    return true;
  }

  text_view source_;
  std::size_t at_ = 0;
  std::uint32_t depth_ = 0, brackets_ = 0;
  equation_program out_;
  text message_;
  std::size_t failed_at_ = 0;
};

}  // namespace detail

/// Parses an equation program: statements on lines of their own or separated by `;`, `#` comments.
/// `input A : f64[3, M] {spd}` declares an input, `Y[i,k] = A[i,j] B[j,k]` defines a name, `export
/// Y` makes it an output. The right side consists of `+ - * /` and juxtaposition (a product),
/// numbers, parentheses, operators by name with attributes by keyword (`conv2d(x, w, stride=2)`)
/// and `reduce(max, k) e`. `opaque r2r = "fftw.r2r", "x[N] -> y[N]", flops = "5*N", pure` declares
/// a function to call. The result refers into `source`. Errors: `equation_syntax` with its
/// position. O(length).
constexpr result<equation_program> parse_equations(text_view source) {
  return detail::equation_reader(source).read();
}

}  // namespace wf
