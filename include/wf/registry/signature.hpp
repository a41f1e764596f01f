// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/diagnosis/result.hpp>
#include <wf/ir/graph/node.hpp>

namespace wf {

/// Direction of a parameter.
enum class side : std::uint8_t {
  in,       ///< an operand
  out,      ///< a result
  through,  ///< an operand that the operator overwrites and returns
};

/// One parameter of a signature: `A@weights: floating [..., M, K]`. The texts are views of the
/// kernel's own text.
struct parameter {
  /// Marks a parameter without an optional dimension.
  static constexpr std::uint32_t none = 0xffffffff;

  /// Name of the parameter in formulas.
  text_view name;
  /// For a pack, any number of operands or results from one on that all fit the parameter: the name
  /// for their number. Empty: exactly one.
  text_view count;
  text_view bound;  ///< dtype or class of dtypes; empty: the dtype that all such parameters share
  /// The tag by which a run matches data to the parameter (see `usage_of`); empty: its name.
  text_view usage;
  /// Formula for the value of every element if a run offers no datum; empty: no default.
  text_view default_value;
  /// Direction: operand, result or both.
  wf::side side = side::in;
  /// True if it begins with `...`: any number of leading dimensions, broadcast between parameters.
  bool leading = false;
  /// Range in `signature::dimensions`.
  range dimensions;
  /// Index in the pattern of the dimension that a value may lack, written `N?`; or `none`.
  std::uint32_t optional = none;

  /// True if a value of that rank lacks the optional dimension.
  constexpr bool lacks_optional(std::uint32_t rank) const {
    return optional != none && rank + 1 == dimensions.count;
  }
};

/// An attribute that formulas may name, declared among the operands of a signature: `stride = 1`,
/// `order: integer`. The texts are views of the kernel's own text.
struct attribute_declaration {
  /// Name of the attribute in formulas and nodes.
  text_view name;
  /// Kind of value that it may hold: see `is_attribute_kind`.
  text_view kind = "number";
  /// The default, a number or the characters of a string; empty: none.
  text_view default_value;
};

/// Operands, attributes and results of an operator, parsed from text such as `"A[..., M, K], B[...,
/// K, N] -> C[..., M, N]"`. Grammar: docs/reference/signatures.md.
///
/// A dimension of an operand is a number or a symbol, which its first occurrence binds and later
/// ones compare; a dimension of a result may be any formula over those symbols and the declared
/// attributes. `...` stands for any number of leading dimensions, which broadcast. All parameters
/// without a bound after `:` share one dtype; so do those bound by the same class (except `any`).
/// `through p: i64 [M]` is an operand whose new state is the operator's first result: loop-carried
/// state. `@` gives a parameter a usage tag, `=` after the dimensions a default. A declaration
/// without dimensions is an attribute: `padding = 0`, `order: integer`.
///
/// `B[M, N?] -> X[M, N?]`: a matrix or a vector; all parameters with the dimension have it, or
/// none, and without it formulas see N = 1. `n*A[...]` is a pack: n operands, from one on; the
/// number of results of a pack `parts*B[...]` is that of an integer attribute or of a pack of
/// operands.
struct signature {
  /// All parameters: operands, then results, in order.
  table<parameter> parameters;
  /// Declared attributes, in order.
  table<attribute_declaration> attributes;
  /// Dimension texts of all parameters; `parameter::dimensions` are ranges in it.
  table<text_view> dimensions;
  std::uint32_t inputs = 0;  ///< number of parameters left of the arrow
  /// Index of the pack among the operands or the results in `parameters`, or `parameter::none`.
  std::uint32_t operand_pack = parameter::none, result_pack = parameter::none;

  /// Number of parameters right of the arrow.
  constexpr std::uint32_t outputs() const {
    return static_cast<std::uint32_t>(parameters.size()) - inputs;
  }
  /// True if a node may have this number of operands.
  constexpr bool takes(std::size_t operands) const {
    return operand_pack == parameter::none ? operands == inputs : operands >= inputs;
  }
  /// True if a node may have this number of results, as far as it does not depend on the node.
  constexpr bool gives(std::size_t results) const {
    return result_pack == parameter::none ? results == outputs() : results >= outputs();
  }
  /// Index of the parameter of operand `i` of `operands`, a number that `takes` accepts.
  constexpr std::uint32_t parameter_of_operand(std::uint32_t i, std::size_t operands) const {
    return skip_pack(operand_pack, i, static_cast<std::uint32_t>(operands) - inputs);
  }
  /// Index of the parameter of result `i` of `results`, a number that `gives` accepts.
  constexpr std::uint32_t parameter_of_result(std::uint32_t i, std::size_t results) const {
    return skip_pack(result_pack, inputs + i, static_cast<std::uint32_t>(results) - outputs());
  }
  /// The parameter of operand `i` of `operands`, a number that `takes` accepts.
  constexpr const parameter& operand(std::uint32_t i, std::size_t operands) const {
    return parameters[parameter_of_operand(i, operands)];
  }
  /// The parameter of result `i` of `results`, a number that `gives` accepts.
  constexpr const parameter& result(std::uint32_t i, std::size_t results) const {
    return parameters[parameter_of_result(i, results)];
  }
  /// The positions among `values` operands (results) of the values of parameter `p`.
  constexpr range values_of(std::uint32_t p, std::size_t values) const {
    const bool is_operand = p < inputs;
    const std::uint32_t pack = is_operand ? operand_pack : result_pack;
    const std::uint32_t at = is_operand ? p : p - inputs;
    const std::uint32_t more =
        static_cast<std::uint32_t>(values) - (is_operand ? inputs : outputs());
    return {pack < p ? at + more : at, pack == p ? 1 + more : 1};
  }
  /// The dimension texts of a parameter of this signature.
  constexpr view<text_view> dimensions_of(const parameter& p) const {
    return {dimensions.data() + p.dimensions.first, p.dimensions.count};
  }
  /// The declared attribute of that name, or null. O(attributes).
  constexpr const attribute_declaration* find_attribute(text_view name) const {
    for (const attribute_declaration& a : attributes)
      if (a.name == name) return &a;
    return nullptr;
  }

 private:
  // The parameter at position `i` if the pack, a parameter of that index, has `more` values beyond
  // its first.
  static constexpr std::uint32_t skip_pack(std::uint32_t pack, std::uint32_t i,
                                           std::uint32_t more) {
    return i <= pack ? i : i <= pack + more ? pack : i - more;
  }
};

/// The tag by which data is matched to a parameter: its usage tag if stated, else its name.
constexpr text_view usage_of(const parameter& p) { return p.usage.empty() ? p.name : p.usage; }

/// True if `name` is a kind of attribute: `number` (an integer, a ratio or an extent, which
/// formulas can name), `integer`, `extent` (or an integer), `real` (any number), `string`.
constexpr bool is_attribute_kind(text_view name) {
  return name == "number" || name == "integer" || name == "extent" || name == "real" ||
         name == "string";
}

/// True if an attribute declared as `kind` may hold a value of kind `actual`.
constexpr bool satisfies(attribute_kind actual, text_view kind) {
  if (kind == "string") return actual == attribute_kind::string;
  if (actual == attribute_kind::integer) return true;
  if (kind == "real") return actual == attribute_kind::real || actual == attribute_kind::rational;
  if (kind == "number")
    return actual == attribute_kind::rational || actual == attribute_kind::extent;
  return kind == "extent" && actual == attribute_kind::extent;
}

namespace detail {

// Parses an integer such as "-12"; false if it is not one of at most 18 digits.
constexpr bool integer_in(text_view digits, std::int64_t& out) {
  const bool minus = digits.starts_with("-");
  if (minus) digits = digits.part(1);
  if (digits.empty() || digits.size() > 18) return false;
  out = 0;
  for (char c : digits) {
    if (c < '0' || c > '9') return false;
    out = out * 10 + (c - '0');
  }
  if (minus) out = -out;
  return true;
}

// Recursive descent. It runs often in constant evaluation, so steps are few: after an error, which
// the members hold, every function returns false.
class signature_parser {
 public:
  constexpr explicit signature_parser(text_view source) : source_(source) {}

  constexpr result<signature> parse() {
    skip();
    if (!parse_entries())
      return make_error(errc::bad_signature, source_, message_, position_at(source_, at_));
    return static_cast<signature&&>(out_);
  }

 private:
  constexpr bool parse_entries() {
    bool results = accept("->");
    while (at_ < source_.size() || results) {
      if (!parse_entry(results ? side::out : side::in)) return false;
      if (accept(',')) continue;
      if (!results && accept("->")) {
        results = true;
        continue;
      }
      break;
    }
    if (at_ != source_.size()) return fail("expected ',' or '->'");
    return results || fail("expected '->' and the results");
  }

  constexpr bool parse_entry(side s) {
    parameter p;
    p.side = s;
    p.name = word();
    if (s == side::in && p.name == "through") {
      if (out_.operand_pack != parameter::none)
        return fail("operands that are overwritten stand in front of '*'");
      p.side = side::through;
      p.name = word();
    } else if (accept('*')) {
      p.count = p.name;
      p.name = word();
      if (p.count.empty()) return fail("expected a name for the number of values before '*'");
    }
    if (p.name.empty()) return fail("expected a parameter's name");
    if (accept('@')) {
      p.usage = word();
      if (p.usage.empty()) return fail("expected a usage tag after '@'");
    }
    if (accept(':')) {
      p.bound = word();
      if (p.bound.empty()) return fail("expected a dtype or a class of dtypes after ':'");
    }
    if (peek() != '[' && p.side == side::in && p.usage.empty() && p.count.empty() &&
        (peek() == '=' || is_attribute_kind(p.bound)))
      return parse_attribute(p);
    if (!parse_dimensions(p)) return false;
    if (!p.count.empty()) {
      std::uint32_t& pack = s == side::out ? out_.result_pack : out_.operand_pack;
      if (pack != parameter::none) return fail("there can be one '*' on each side");
      pack = static_cast<std::uint32_t>(out_.parameters.size());
    }
    if (p.side != side::out) {
      if (peek() == '=' && p.count.empty() && !parse_default(p.default_value)) return false;
      ++out_.inputs;
    }
    out_.parameters.push_back(p);
    return true;
  }

  constexpr bool parse_attribute(const parameter& p) {
    attribute_declaration a;
    a.name = p.name;
    if (!p.bound.empty()) a.kind = p.bound;
    if (!is_attribute_kind(a.kind))
      return fail("an attribute is a number, integer, extent, real or string");
    if (peek() == '=' && !parse_default(a.default_value)) return false;
    out_.attributes.push_back(a);
    return true;
  }

  constexpr bool parse_default(text_view& out) {
    accept('=');
    out = until_separator(true);
    return !out.empty() || fail("expected a value after '='");
  }

  constexpr bool parse_dimensions(parameter& p) {
    if (!accept('[')) return fail("expected '[' and the dimensions");
    p.dimensions.first = static_cast<std::uint32_t>(out_.dimensions.size());
    if (peek() == '.' && accept("...")) {
      p.leading = true;
      if (!accept(',') && peek() != ']') return fail("expected ',' or ']' after '...'");
    }
    while (!accept(']')) {
      text_view dimension = until_separator();
      if (!dimension.empty() && dimension[dimension.size() - 1] == '?') {
        if (p.leading) return fail("'...' leaves the rank open, and so does '?'");
        if (p.optional != parameter::none) return fail("one dimension may be optional");
        p.optional = p.dimensions.count;
        dimension = dimension.part(0, dimension.size() - 1);
      }
      if (dimension.empty()) return fail("expected a dimension");
      out_.dimensions.push_back(dimension);
      ++p.dimensions.count;
      if (!accept(',') && peek() != ']') return fail("expected ',' or ']' after a dimension");
    }
    return true;
  }

  constexpr char peek() const { return at_ < source_.size() ? source_[at_] : '\0'; }
  static constexpr bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t'; }
  constexpr void skip() {
    while (at_ < source_.size() && is_space(source_[at_])) ++at_;
  }
  constexpr bool accept(char token) {
    if (at_ >= source_.size() || source_[at_] != token) return false;
    ++at_;
    skip();
    return true;
  }
  constexpr bool accept(text_view token) {
    if (!source_.part(at_).starts_with(token)) return false;
    at_ += token.size();
    skip();
    return true;
  }
  constexpr text_view word() {
    const std::size_t first = at_;
    while (at_ < source_.size() && symbol_code(source_[at_]) != 0) ++at_;
    const text_view found = source_.part(first, at_ - first);
    skip();
    return found;
  }
  // A dimension runs to the next ',' or ']' outside parentheses, a default to ',' or '->'.
  constexpr text_view until_separator(bool arrow_ends = false) {
    const std::size_t first = at_;
    int depth = 0;
    std::size_t last = at_;
    for (; at_ < source_.size(); ++at_) {
      const char c = source_[at_];
      if (depth == 0 && (c == ',' || (c == ']' && !arrow_ends))) break;
      if (arrow_ends && depth == 0 && source_.part(at_).starts_with("->")) break;
      if (c == '(') ++depth;
      if (c == ')') --depth;
      if (!is_space(c)) last = at_ + 1;
    }
    return source_.part(first, last - first);
  }
  constexpr bool fail(text_view message) {
    message_ = message;
    return false;
  }

  text_view source_;
  std::size_t at_ = 0;
  text_view message_;
  signature out_;
};

}  // namespace detail

/// Parses a signature; the result views `source`. Errors: `bad_signature` with position. O(size).
constexpr result<signature> parse_signature(text_view source) {
  return detail::signature_parser(source).parse();
}

/// True if `name` is one of the classes of dtypes `any`, `number`, `ordered` (integers and
/// floating), `field` (floating and complex), `floating`, `integer`, `complex`.
constexpr bool is_dtype_class(text_view name) {
  return name == "any" || name == "number" || name == "ordered" || name == "floating" ||
         name == "integer" || name == "complex" || name == "field";
}

/// True if `name` is a dtype or a class of dtypes: the names that may stand after ':' in a
/// signature.
constexpr bool is_dtype_bound(text_view name) {
  return dtype_named(name) != dtype::unknown || is_dtype_class(name);
}

/// True if `d` is the dtype, or in the class of dtypes, that `bound` names.
constexpr bool satisfies(dtype d, text_view bound) {
  if (bound == "any") return d != dtype::unknown;
  if (bound == "number") return is_number(d);
  if (bound == "ordered") return is_integer(d) || is_floating(d);
  if (bound == "floating") return is_floating(d);
  if (bound == "field") return is_field(d);
  if (bound == "integer") return is_integer(d);
  if (bound == "complex") return is_complex(d);
  return d == dtype_named(bound) && d != dtype::unknown;
}

}  // namespace wf
