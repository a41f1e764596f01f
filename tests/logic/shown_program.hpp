// SPDX-License-Identifier: BSL-1.0
#pragma once

// The rules of a program as lines that tests can read: "Y[i] += (A[i,k] * B[k]) <- A[i,k], B[k]"
// has a value and two joins; "!R(i)" is a complement, "?X[i]" a lookup, "@1" a step.

#include <cstdint>
#include <string>

#include <wf/logic/program/tensor_program.hpp>

namespace wf_test {

class shown_program {
 public:
  explicit shown_program(const wf::logic::tensor_program& p) : program_(p) {}

  // All rules, one a line.
  std::string text() const {
    std::string out;
    for (const wf::logic::rule& r : program_.rules) out += line(r) + "\n";
    return out;
  }
  std::string line(const wf::logic::rule& r) const {
    std::string out = r.initial ? "initial " : "";
    out += shown(r.head, r) + " " + std::string(wf::sign_of(r.projection)) + " ";
    out += r.value == wf::logic::none ? "true" : shown(r.value, r);
    std::string separator = " <- ";
    const auto add = [&](const std::string& part) { out += separator + part, separator = ", "; };
    for (std::uint32_t i = 0; i < r.joins.count; ++i)
      add(shown(program_.atoms[r.joins.first + i], r));
    for (std::uint32_t i = 0; i < r.negations.count; ++i)
      add("!" + shown(program_.atoms[r.negations.first + i], r));
    for (std::uint32_t i = 0; i < r.lookups.count; ++i)
      add("?" + shown(program_.atoms[r.lookups.first + i], r));
    for (std::uint32_t i = 0; i < r.comparisons.count; ++i) {
      const wf::logic::comparison& c = program_.comparisons[r.comparisons.first + i];
      constexpr const char* signs[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
      add("[" + shown(c.left, r) + signs[static_cast<std::size_t>(c.sign)] + shown(c.right, r) +
          "]");
    }
    return out;
  }

 private:
  std::string variable(std::uint32_t v, const wf::logic::rule& r) const {
    return std::string(program_.variables[r.variables.first + v]);
  }
  std::string shown(const wf::logic::atom& a, const wf::logic::rule& r) const {
    const wf::logic::tensor_info& t = program_.tensors[a.tensor];
    std::string out = std::string(t.name) + (t.boolean ? "(" : "[");
    for (std::uint32_t i = 0; i < a.terms.count; ++i) {
      const wf::logic::term& e = program_.terms[a.terms.first + i];
      if (i != 0) out += ",";
      if (e.kind == wf::logic::term_kind::symbol) out += "'" + std::string(e.symbol) + "'";
      if (e.kind == wf::logic::term_kind::constant) out += std::to_string(e.shift);
      if (e.kind != wf::logic::term_kind::variable) continue;
      if (e.scale != 1) out += std::to_string(e.scale);
      out += variable(e.variable, r);
      if (e.shift != 0) out += (e.shift > 0 ? "+" : "") + std::to_string(e.shift);
    }
    out += t.boolean ? ")" : "]";
    return t.stepped ? out + "@" + std::to_string(a.step) : out;
  }
  std::string shown(std::uint32_t scalar, const wf::logic::rule& r) const {
    using wf::logic::scalar_kind;
    const wf::logic::scalar_node& n = program_.scalars[scalar];
    const auto binary = [&](const char* sign) {
      return "(" + shown(n.left, r) + sign + shown(n.right, r) + ")";
    };
    switch (n.kind) {
      case scalar_kind::number: {
        const std::string digits = std::to_string(n.number);  // two digits suffice
        return digits.substr(
            0, digits.find(".00") == std::string::npos ? digits.find('.') + 3 : digits.find('.'));
      }
      case scalar_kind::variable:
        return variable(n.index, r);
      case scalar_kind::joined:
        return shown(program_.atoms[r.joins.first + n.index], r);
      case scalar_kind::looked_up:
        return "?" + shown(program_.atoms[r.lookups.first + n.index], r);
      case scalar_kind::sum:
        return binary(" + ");
      case scalar_kind::difference:
        return binary(" - ");
      case scalar_kind::product:
        return binary(" * ");
      case scalar_kind::quotient:
        return binary(" / ");
      case scalar_kind::negation:
        return "-" + shown(n.left, r);
      case scalar_kind::power:
        return binary(" ** ");
      case scalar_kind::choice:
        return "(" + shown(n.left, r) + " ? " + shown(n.right, r) + " : " + shown(n.other, r) + ")";
      case scalar_kind::parity:
        return (n.number == 0 ? "even(" : "odd(") + variable(n.index, r) + ")";
      case scalar_kind::function:
        return std::string(n.name) + "(" + shown(n.left, r) +
               (n.right == wf::logic::none ? "" : "; " + shown(n.right, r)) + ")";
      case scalar_kind::symbol:
        return variable(n.index, r) + ":'" + std::string(n.name) + "'";
    }
    return "?";
  }

  const wf::logic::tensor_program& program_;
};

}  // namespace wf_test
