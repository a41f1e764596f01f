// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <wf/calibrate/fit.hpp>
#include <wf/core/text/character.hpp>
#include <wf/formula/language/parse.hpp>

namespace wf::calibration {

/// A formula as a sum of terms, each a number (its coefficient) or a number times an expression:
/// the model that measured times are fitted to. The coefficients are the literals themselves, so
/// other numbers in their place give a formula of the same form. `N == 1 ? 9 + 2*M : 5 + 3*M*N` is
/// a sum too, whose terms are those of both branches; the condition's numbers remain.
class time_form {
 public:
  /// Analyses a formula. Errors: those of `parse_formula`; `formula_syntax` for a formula that is
  /// no such sum.
  static result<time_form> of(text_view formula) {
    const auto parsed = parse_formula(formula);
    if (!parsed) return parsed.error();
    std::vector<part> stack;
    std::vector<std::size_t> joins;  // where the branches of the open conditionals end
    for (std::size_t at = 0; at < parsed->code.size(); ++at) {
      while (!joins.empty() && joins.back() == at) join(stack, joins);
      if (!apply(parsed->code[at], stack, joins)) break;
    }
    while (!joins.empty() && !stack.empty()) join(stack, joins);
    if (stack.size() != 1 || !stack[0].is_sum)
      return make_error(errc::formula_syntax, formula,
                        "a time is a sum of numbers times something: '70 + 0.15*C'");
    time_form out;
    out.text_.assign(formula.data(), formula.size());
    for (const std::size_t first : stack[0].literals) {
      std::size_t end = first;
      while (end < formula.size() && (wf::detail::is_digit(formula[end]) || formula[end] == '.'))
        ++end;
      out.literals_.push_back({first, end - first});
    }
    return out;
  }

  /// Number of terms.
  std::size_t size() const { return literals_.size(); }
  /// The formula with other coefficients: one per term, all nonnegative.
  std::string with(const std::vector<double>& coefficients) const {
    std::string out;
    std::size_t at = 0;
    for (std::size_t t = 0; t < literals_.size(); ++t) {
      out += text_.substr(at, literals_[t].first - at) + decimal(coefficients[t]);
      at = literals_[t].first + literals_[t].size;
    }
    return out + text_.substr(at);
  }
  /// The formula with coefficient 1 for term `t` and 0 for all others.
  std::string term(std::size_t t) const {
    std::vector<double> only(literals_.size(), 0.0);
    only[t] = 1;
    return with(only);
  }
  /// The coefficients of the terms, in the order of the text.
  std::vector<double> coefficients() const {
    std::vector<double> out;
    for (const literal& l : literals_) out.push_back(std::stod(text_.substr(l.first, l.size)));
    return out;
  }

 private:
  struct literal {
    std::size_t first, size;
  };
  // A part of the formula as a sum: the offsets of its terms' coefficients.
  struct part {
    bool is_sum = false;
    std::vector<std::size_t> literals;
  };

  // Applies an instruction; false, with an empty stack, where it is part of no sum.
  static bool apply(const formula_instruction& i, std::vector<part>& stack,
                    std::vector<std::size_t>& joins) {
    using enum formula_op;
    if (i.op == integer || i.op == constant) {
      stack.push_back({true, {i.offset}});
    } else if (i.op == symbol || i.op == local) {
      stack.push_back({});
    } else if (is_unary(i.op)) {
      stack.back() = {};
    } else if (i.op == skip_if_false || i.op == and_skip || i.op == or_skip) {
      stack.pop_back();
    } else if (i.op == skip) {
      joins.push_back(i.operand);
    } else if (is_binary(i.op)) {
      const part right = std::move(stack.back());
      stack.pop_back();
      part& left = stack.back();
      if (i.op == add && left.is_sum && right.is_sum)
        left.literals.insert(left.literals.end(), right.literals.begin(), right.literals.end());
      else if (!((i.op == multiply || i.op == divide) && left.is_sum && left.literals.size() == 1))
        left = {};
    } else {
      stack.clear();
      return false;
    }
    return true;
  }
  // Makes one part of the two branches of the innermost conditional.
  static void join(std::vector<part>& stack, std::vector<std::size_t>& joins) {
    joins.pop_back();
    const part otherwise = std::move(stack.back());
    stack.pop_back();
    part& then = stack.back();
    then.is_sum = then.is_sum && otherwise.is_sum;
    then.literals.insert(then.literals.end(), otherwise.literals.begin(), otherwise.literals.end());
  }
  static bool is_unary(formula_op op) {
    return op >= formula_op::negate && op <= formula_op::floor_sqrt;
  }
  static bool is_binary(formula_op op) {
    return op >= formula_op::add && op <= formula_op::maximum;
  }

  std::string text_;
  std::vector<literal> literals_;
};

}  // namespace wf::calibration
