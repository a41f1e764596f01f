// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/result.hpp>
#include <wf/ir/node.hpp>

namespace wf {

/// Whether a parameter is read, written or both.
enum class side : std::uint8_t {
  in,       ///< an operand
  out,      ///< a result
  through,  ///< an operand that the operator overwrites and hands on
};

/// One parameter of a signature: `A: floating [..., M, K]`. The texts view the kernel's own text.
struct parameter {
  /// The name by which formulas call it.
  text_view name;
  text_view bound;  ///< dtype or class of dtypes; empty: the dtype shared by all such parameters
  /// Whether it is read, written or both.
  wf::side side = side::in;
  /// True if it begins with `...`: any leading dimensions, broadcast between parameters.
  bool leading = false;
  /// Run of `signature::dimensions`.
  range dimensions;
};

/// What an operator takes and gives, parsed from text such as
/// `"A[..., M, K], B[..., K, N] -> C[..., M, N]"`.
///
/// A dimension of an operand is a symbol, bound on first sight and compared afterwards, or a
/// number; a dimension of a result may be any formula over those symbols and the node's integer
/// attributes.
/// `...` stands for any number of leading dimensions, which broadcast. Without a bound after `:`
/// all parameters share one dtype; those bound by the same class (except `any`) share one, too.
/// `through p: i64 [M]` is an operand whose new state is the operator's first result: what a loop
/// carries from step to step.
struct signature {
  /// Operands, then results, in order.
  table<parameter> parameters;
  /// The pool of dimension texts.
  table<text_view> dimensions;
  std::uint32_t inputs = 0;  ///< how many parameters stand left of the arrow

  /// The dimension texts of a parameter.
  constexpr view<text_view> dimensions_of(const parameter& p) const {
    return {dimensions.data() + p.dimensions.first, p.dimensions.count};
  }
};

namespace detail {

class signature_parser {
 public:
  constexpr explicit signature_parser(text_view source) : source_(source) {}

  constexpr result<signature> parse() {
    skip();
    bool results = false;
    if (accept("->")) results = true;
    while (at_ < source_.size() || results) {
      if (error e = parse_parameter(results ? side::out : side::in); e.code != errc::none) return e;
      if (!results) ++out_.inputs;
      if (accept(",")) continue;
      if (!results && accept("->")) {
        results = true;
        continue;
      }
      break;
    }
    if (at_ != source_.size()) return fail("expected ',' or '->'");
    if (!results) return fail("expected '->' and the results");
    return static_cast<signature&&>(out_);
  }

 private:
  constexpr error parse_parameter(side s) {
    parameter p;
    p.side = s;
    p.name = word();
    if (p.name == "through" && s == side::in) {
      p.side = side::through;
      p.name = word();
    }
    if (p.name.empty()) return fail("expected a parameter's name");
    if (accept(":")) {
      p.bound = word();
      if (p.bound.empty()) return fail("expected a dtype or a class of dtypes after ':'");
    }
    if (!accept("[")) return fail("expected '[' and the dimensions");
    p.dimensions.first = static_cast<std::uint32_t>(out_.dimensions.size());
    if (accept("...")) {
      p.leading = true;
      if (!accept(",") && peek() != ']') return fail("expected ',' or ']' after '...'");
    }
    while (!accept("]")) {
      const text_view dimension = until_separator();
      if (dimension.empty()) return fail("expected a dimension");
      out_.dimensions.push_back(dimension);
      ++p.dimensions.count;
      if (!accept(",") && peek() != ']') return fail("expected ',' or ']' after a dimension");
    }
    out_.parameters.push_back(p);
    return {};
  }

  constexpr char peek() const { return at_ < source_.size() ? source_[at_] : '\0'; }
  constexpr void skip() {
    while (at_ < source_.size() && source_[at_] == ' ') ++at_;
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
  // A dimension runs to the next ',' or ']' outside parentheses.
  constexpr text_view until_separator() {
    const std::size_t first = at_;
    int depth = 0;
    std::size_t last = at_;
    for (; at_ < source_.size(); ++at_) {
      const char c = source_[at_];
      if (depth == 0 && (c == ',' || c == ']')) break;
      if (c == '(') ++depth;
      if (c == ')') --depth;
      if (c != ' ') last = at_ + 1;
    }
    return source_.part(first, last - first);
  }
  constexpr error fail(text_view message) const {
    return make_error(errc::bad_signature, source_, message, position_at(source_, at_));
  }

  text_view source_;
  std::size_t at_ = 0;
  signature out_;
};

}  // namespace detail

/// Parses a signature; the result views `source`. Errors: `bad_signature` with position. O(size).
constexpr result<signature> parse_signature(text_view source) {
  return detail::signature_parser(source).parse();
}

/// True if `name` is one of the classes of dtypes `any`, `number`, `ordered` (integers and
/// floating), `floating`, `integer`, `complex`.
constexpr bool is_dtype_class(text_view name) {
  return name == "any" || name == "number" || name == "ordered" || name == "floating" ||
         name == "integer" || name == "complex";
}

/// True if `name` is a dtype or a class of dtypes: the names that may stand after ':' in a
/// signature.
constexpr bool is_dtype_bound(text_view name) {
  return dtype_named(name) != dtype::unknown || is_dtype_class(name);
}

/// True if `d` lies in the class or is the dtype that `bound` names.
constexpr bool satisfies(dtype d, text_view bound) {
  if (bound == "any") return d != dtype::unknown;
  if (bound == "number") return is_number(d);
  if (bound == "ordered") return is_integer(d) || is_floating(d);
  if (bound == "floating") return is_floating(d);
  if (bound == "integer") return is_integer(d);
  if (bound == "complex") return is_complex(d);
  return d == dtype_named(bound) && d != dtype::unknown;
}

}  // namespace wf
