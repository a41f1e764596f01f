// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/equations/v2_names.hpp>

namespace wf::detail {

/// Reads the expressions of the v2 dialect. `Reader` is the derived class: its `inlined(n,
/// function, arguments, out)` replaces a call of a function.
template <class Reader>
class v2_expressions : public v2_names {
 public:
  constexpr explicit v2_expressions(text_view source) : v2_names(source) {}

 protected:
  // c ? a : b
  constexpr bool expression(std::uint32_t& out) {
    if (++depth_ > max_depth) return fail("the expression is nested too deeply");
    if (!disjunction(out)) return false;
    skip();
    if (const std::size_t at = at_; take('?')) {
      std::uint32_t parts[3] = {out, 0, 0};
      if (!expression(parts[1]) || !expect(':', "':' is missing after '?'") ||
          !expression(parts[2]))
        return false;
      out = add(node_of(equation_kind::choice, at), parts);
    }
    --depth_;
    return true;
  }
  // a || b: 1 if one of them is not 0, else 0
  constexpr bool disjunction(std::uint32_t& out) {
    if (!conjunction(out)) return false;
    skip();
    const std::size_t at = at_;
    table<std::uint32_t> parts;
    while (take("||")) {
      if (parts.empty()) parts = {out, add_number(1, at)};
      std::uint32_t right = 0;
      if (!conjunction(right)) return false;
      parts.push_back(right);
      parts.push_back(add_number(1, at));
    }
    if (parts.empty()) return true;
    parts.push_back(add_number(0, at));
    out = add(node_of(equation_kind::choice, at), parts);
    return true;
  }
  constexpr bool conjunction(std::uint32_t& out) {
    if (!additive(out)) return false;
    for (skip(); peek() == '&' && peek(1) == '&'; skip()) {
      const std::size_t at = at_;
      at_ += 2;
      std::uint32_t right = 0;
      if (!additive(right)) return false;
      out = fold(equation_kind::product, at, out, right);
    }
    return true;
  }
  constexpr bool additive(std::uint32_t& out) {
    if (!multiplicative(out)) return false;
    for (skip(); peek() == '+' || (peek() == '-' && peek(1) != '>'); skip()) {
      const std::size_t at = at_++;
      const bool minus = source_[at] == '-';
      std::uint32_t right = 0;
      if (!multiplicative(right)) return false;
      out = fold(minus ? equation_kind::difference : equation_kind::sum, at, out, right);
    }
    return true;
  }
  constexpr bool multiplicative(std::uint32_t& out) {
    if (!power(out)) return false;
    for (skip(); peek() == '*' || peek() == '/'; skip()) {
      const std::size_t at = at_++;
      std::uint32_t right = 0;
      if (!power(right)) return false;
      out = fold(source_[at] == '/' ? equation_kind::quotient : equation_kind::product, at, out,
                 right);
    }
    return true;
  }
  constexpr bool power(std::uint32_t& out) {
    if (++depth_ > max_depth) return fail("the expression is nested too deeply");
    if (!unary(out)) return false;
    skip();
    if (const std::size_t at = at_; take("**")) {
      std::uint32_t right = 0;
      if (!power(right)) return false;
      out = fold(equation_kind::power, at, out, right);
    }
    --depth_;
    return true;
  }
  // -a; !a: 0 if a is not 0, else 1
  constexpr bool unary(std::uint32_t& out) {
    skip();
    const std::size_t at = at_;
    const char sign = peek();
    if (sign != '-' && sign != '!') return primary(out);
    ++at_;
    if (++depth_ > max_depth) return fail("the expression is nested too deeply");
    if (!unary(out)) return false;
    --depth_;
    if (sign == '-') return out = negated(at, out), true;
    const std::uint32_t parts[] = {out, add_number(0, at), add_number(1, at)};
    out = add(node_of(equation_kind::choice, at), parts);
    return true;
  }

  constexpr bool primary(std::uint32_t& out) {
    const char c = peek();
    equation_node n = node_of(equation_kind::number, at_);
    if (is_digit(c) || c == '.') {
      if (!number(n.number)) return false;
      out = add(n);
      return true;
    }
    if (c == '(') {
      ++at_;
      ++brackets_;
      if (!expression(out) || !expect(')', "')' is missing")) return false;
      --brackets_;
      return true;
    }
    if (c == '@') return macro(n, out);
    if (!is_letter(c)) return fail("a name, a number or '(' is missing");
    n.name = take_path();
    skip();
    if (n.name == "case" && peek() == '{') return cases(n, out);
    if (n.name == "reduce" && peek() == '(') return reduction(n, out);
    if (peek() == '(') return call(n, out);
    return reference(n, out);
  }
  // A name with its name spaces: q::f
  constexpr text_view take_path() {
    const std::size_t first = at_;
    if (take_name().empty()) return {};
    while (peek() == ':' && peek(1) == ':' && is_letter(peek(2))) {
      at_ += 2;
      (void)take_name();
    }
    return source_.part(first, at_ - first);
  }

  constexpr bool reference(equation_node n, std::uint32_t& out) {
    if (!is_free(n.name, n.offset)) return false;
    n.kind = equation_kind::reference;
    n.labelled = peek() == '[';
    if (n.labelled && !indices(n.indices)) return false;
    const bool declared = call_ != nullptr && is_declared(n.name);
    if (const auto* const c = constant_named(n.name); c != nullptr && !declared) {
      if (n.labelled)
        return refuse(n.offset, text() << "'" << n.name << "' is a constant, without indices");
      if (declaring_ == nullptr) return out = add_number(c->value, n.offset), true;
    }
    if (call_ != nullptr && !rename(n.name, n.labelled, n.indices, n.offset)) return false;
    out = add(n);
    return true;
  }
  constexpr bool is_declared(text_view name) const {
    const v2_function& f = functions_[call_->function];
    return named(f.formals, name) != nullptr || named(f.locals, name) != nullptr;
  }

  constexpr bool indices(range& out) {
    const std::size_t first = at_;
    const auto entry = [this](index_term& t) {
      if (!index(t)) return false;
      return t.kind < index_kind::symbol ||
             fail_at(t.offset, "an index is a name, a position or a slice");
    };
    if (!labels(']', out, entry)) return false;
    return out.count != 0 || fail_at(first, "a scalar is written without brackets");
  }

  constexpr bool call(const equation_node& n, std::uint32_t& out) {
    call_form f;
    if (!arguments(f, [this](std::uint32_t& made) { return expression(made); })) return false;
    const std::uint32_t function = only_checks() ? none : function_named(n.name);
    if (function != none) return static_cast<Reader&>(*this).inlined(n, function, f, out);
    if (!collects_ && n.name.find(':') != n.name.size() && function_named(n.name) == none)
      return refuse(n.offset, unknown_name_message("function", n.name, functions()));
    return call_of(n, f, out);
  }
  // @softmax(x, mask = m), @layer_norm(x); others are calls.
  constexpr bool macro(equation_node n, std::uint32_t& out) {
    ++at_;
    n.name = take_name();
    if (n.name.empty() || peek() != '(') return fail_at(n.offset, "a macro is called: @softmax(x)");
    call_form f;
    if (!arguments(f, [this](std::uint32_t& made) { return expression(made); })) return false;
    if (n.name == "softmax")
      for (std::uint32_t each : f.named)
        if (out_.nodes[each].name == "mask") n.name = "masked_softmax";
    if (n.name == "layer_norm") n.name = "layernorm";
    return call_of(n, f, out);
  }

  // case { c -> a; default -> b }
  constexpr bool cases(const equation_node& n, std::uint32_t& out) {
    table<std::uint32_t> parts;
    bool complete = false;
    for (++at_; skip_separators();) {
      if (take('}')) {
        if (parts.size() < 2) return fail_at(n.offset, "a case needs a condition and a value");
        out = add(node_of(equation_kind::choice, n.offset), parts);
        return true;
      }
      if (complete) return fail("'}' is missing after the default");
      complete = take_word("default");
      std::uint32_t made = 0;
      if (!complete) {
        if (!expression(made)) return false;
        parts.push_back(made);
      }
      if (!take("->")) return fail("'->' and a value are missing");
      if (!expression(made)) return false;
      parts.push_back(made);
    }
    return fail("'}' is missing after a case");
  }

  // reduce(op, i, j) e: extends as far to the right as possible.
  constexpr bool reduction(equation_node n, std::uint32_t& out) {
    ++at_;
    skip();
    const std::size_t first = at_;
    n.kind = equation_kind::reduction;
    n.name = take_name();
    if (n.name == "avg") n.name = "mean";
    if (!(n.name == "sum" || n.name == "max" || n.name == "mean"))
      return refuse(first, text() << "Unsupported reduce op '" << n.name << "'");
    if (!reduced_indices(n.indices)) return false;
    for (std::uint32_t i = 0; i < n.indices.count && call_ != nullptr; ++i) {
      index_term& t = out_.indices[n.indices.first + i];
      if (!outside(t.name, t.offset, t.name)) return false;
    }
    std::uint32_t inner = 0;
    if (!expression(inner)) return false;
    out = add(n, {&inner, 1});
    return true;
  }
};

}  // namespace wf::detail
