// SPDX-License-Identifier: BSL-1.0
#pragma once

// Checks proofs by what they claim: every step is a fact of the inputs, or follows from its
// premises by its rule. It shares the tables of programs and proofs with the engine, and no code.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <wf/logic/program/tensor_program.hpp>
#include <wf/logic/proof/proof.hpp>

namespace wf_proof {

// By the name of a tensor: the values of its entries.
using places = std::vector<std::int64_t>;
using all_entries = std::map<std::string, std::map<places, double>>;

class checker {
 public:
  // `given` are the inputs; `final` all tensors at the end, for complements and lookups.
  checker(const wf::logic::tensor_program& p, const all_entries& given, const all_entries& final,
          const std::map<std::string, std::int64_t>& symbols = {})
      : program_(p), given_(given), final_(final), symbols_(symbols) {}

  // What is wrong with a proof of an entry; "" if nothing is.
  std::string check(const wf::logic::proof& proof, const std::string& tensor, const places& at) {
    proof_ = &proof;
    if (proof.steps.empty()) return "there are no steps";
    const wf::logic::proof_step& last = proof.steps.back();
    if (name_of(last.tensor) != tensor || at_of(last) != at || last.present)
      return "it proves another fact";
    for (std::size_t i = 0; i < proof.steps.size(); ++i)
      if (const std::string wrong = step(i); !wrong.empty())
        return "step " + std::to_string(i) + ", " + name_of(proof.steps[i].tensor) + ": " + wrong;
    return "";
  }

 private:
  using scalar_kind = wf::logic::scalar_kind;

  std::string name_of(std::uint32_t t) const { return std::string(program_.tensors[t].name); }
  static places at_of(const wf::logic::proof_step& s) {
    return places(s.at.data(), s.at.data() + s.at.size());
  }
  static const double* find(const all_entries& in, const std::string& name, const places& at) {
    const auto tensor = in.find(name);
    if (tensor == in.end()) return nullptr;
    const auto entry = tensor->second.find(at);
    return entry == tensor->second.end() ? nullptr : &entry->second;
  }
  static bool near(double a, double b) {
    return a == b || std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b));
  }
  bool is_literal(std::uint32_t t, const places& at, double& value) const {
    for (const wf::logic::tensor_literal& l : program_.literals) {
      if (l.tensor != t) continue;
      std::size_t cell = 0;
      for (std::size_t c = 0; c < at.size(); ++c)
        cell = cell * static_cast<std::size_t>(l.extents[c]) + static_cast<std::size_t>(at[c]);
      value = l.values[cell];
      return true;
    }
    return false;
  }

  std::string step(std::size_t number) {
    const wf::logic::proof_step& s = proof_->steps[number];
    const wf::logic::tensor_info& t = program_.tensors[s.tensor];
    const bool extreme = wf::is_extreme(t.projection) && !t.boolean;
    double sum = 0, highest = 0, literal = 0;
    std::size_t summands = s.derivations.size();
    if (s.given) {
      const double* const input = find(given_, name_of(s.tensor), at_of(s));
      if (input == nullptr && !is_literal(s.tensor, at_of(s), literal))
        return "no input has this fact";
      const double value = input != nullptr ? *input : literal;
      if (s.derivations.empty()) {
        if (s.height != 0) return "a given fact has height 0";
        return t.boolean || s.present || near(value, s.value) ? "" : "the input has another value";
      }
      sum = value;
      ++summands;
    }
    if (s.derivations.empty()) return "nothing derives it";
    if ((t.boolean || extreme) && summands != 1) return "one derivation is enough";
    for (std::size_t d = 0; d < s.derivations.size(); ++d) {
      double value = 0, height = 0;
      if (const std::string wrong = derived(number, s.derivations[d], value, height);
          !wrong.empty())
        return wrong;
      for (std::size_t e = 0; e < d; ++e)
        if (same(s.derivations[d], s.derivations[e])) return "a summand counts twice";
      sum += value;
      highest = std::max(highest, height + 1);
    }
    if (highest != s.height) return "its height is not that of its premises";
    if (t.projection == wf::projection::mean) sum /= static_cast<double>(summands);
    if (s.present && !extreme) return "what a sum or relation has is not proved without its value";
    return t.boolean || s.present || near(sum, s.value) ? "" : "its value is not what is derived";
  }
  static bool same(const wf::logic::derivation& a, const wf::logic::derivation& b) {
    return a.rule == b.rule && std::equal(a.variables.begin(), a.variables.end(),
                                          b.variables.begin(), b.variables.end());
  }
  places positions(const wf::logic::atom& a) const {
    places out;
    for (std::uint32_t i = 0; i < a.terms.count; ++i) {
      const wf::logic::term& t = program_.terms[a.terms.first + i];
      out.push_back(t.kind == wf::logic::term_kind::constant ? t.shift
                    : t.kind == wf::logic::term_kind::symbol
                        ? symbols_.at(std::string(t.symbol))
                        : t.scale * derivation_->variables[t.variable] + t.shift);
    }
    return out;
  }
  std::string derived(std::size_t number, const wf::logic::derivation& d, double& value,
                      double& height) {
    const wf::logic::proof_step& s = proof_->steps[number];
    if (d.rule >= program_.rules.size()) return "there is no such rule";
    rule_ = &program_.rules[d.rule];
    derivation_ = &d;
    if (rule_->head.tensor != s.tensor) return "the rule is of another tensor";
    if (d.variables.size() != rule_->variables.count) return "variables are missing";
    if (positions(rule_->head) != at_of(s)) return "the rule's head stands elsewhere";
    if (d.premises.size() != rule_->joins.count) return "premises are missing";
    for (std::uint32_t i = 0; i < rule_->joins.count; ++i) {
      if (d.premises[i] >= number) return "a premise does not stand before it";
      const wf::logic::proof_step& p = proof_->steps[d.premises[i]];
      const wf::logic::atom& a = program_.atoms[rule_->joins.first + i];
      if (p.tensor != a.tensor || at_of(p) != positions(a)) return "a premise is another fact";
      height = std::max(height, static_cast<double>(p.height));
      if (p.present && reads(*rule_, i)) return "it reads a value that is not proved";
    }
    for (std::uint32_t i = 0; i < rule_->negations.count; ++i) {
      const wf::logic::atom& a = program_.atoms[rule_->negations.first + i];
      if (find(final_, name_of(a.tensor), positions(a)) != nullptr) return "a complement fails";
    }
    for (std::uint32_t i = 0; i < rule_->comparisons.count; ++i)
      if (!holds(program_.comparisons[rule_->comparisons.first + i])) return "a comparison fails";
    const bool extreme = wf::is_extreme(program_.tensors[s.tensor].projection);
    value = rule_->value == wf::logic::none ? (extreme ? 0 : 1) : scalar(rule_->value);
    return "";
  }

  // True if a rule reads the value of a join.
  bool reads(const wf::logic::rule& r, std::uint32_t join) const {
    bool any = reads(r.value, join);
    for (std::uint32_t i = 0; i < r.comparisons.count; ++i) {
      const wf::logic::comparison& c = program_.comparisons[r.comparisons.first + i];
      any = any || reads(c.left, join) || reads(c.right, join);
    }
    return any;
  }
  bool reads(std::uint32_t node, std::uint32_t join) const {
    if (node == wf::logic::none) return false;
    const wf::logic::scalar_node& n = program_.scalars[node];
    return (n.kind == scalar_kind::joined && n.index == join) || reads(n.left, join) ||
           reads(n.right, join) || reads(n.other, join);
  }
  bool holds(const wf::logic::comparison& c) const {
    const double a = scalar(c.left), b = scalar(c.right);
    const bool outcomes[] = {a<b, a <= b, a> b, a >= b, a == b, a != b};
    return outcomes[static_cast<std::size_t>(c.sign)];
  }
  double scalar(std::uint32_t node) const {
    const wf::logic::scalar_node& n = program_.scalars[node];
    const auto left = [&] { return scalar(n.left); };
    const auto right = [&] { return scalar(n.right); };
    switch (n.kind) {
      case scalar_kind::number:
        return n.number;
      case scalar_kind::variable:
        return static_cast<double>(derivation_->variables[n.index]);
      case scalar_kind::joined:
        return proof_->steps[derivation_->premises[n.index]].value;
      case scalar_kind::looked_up:
        return looked_up(program_.atoms[rule_->lookups.first + n.index]);
      case scalar_kind::sum:
        return left() + right();
      case scalar_kind::difference:
        return left() - right();
      case scalar_kind::product:
        return left() * right();
      case scalar_kind::quotient:
        return left() / right();
      case scalar_kind::negation:
        return -left();
      case scalar_kind::power:
        return std::pow(left(), right());
      case scalar_kind::choice:
        return left() != 0 ? right() : scalar(n.other);
      case scalar_kind::parity:
        return (derivation_->variables[n.index] % 2 == 0) == (n.number == 0) ? 1 : 0;
      case scalar_kind::symbol:
        return static_cast<double>(symbols_.at(std::string(n.name)));
      case scalar_kind::function:
        break;  // of the registry, with which the checker shares nothing
    }
    return std::numeric_limits<double>::quiet_NaN();
  }
  double looked_up(const wf::logic::atom& a) const {
    if (const double* v = find(final_, name_of(a.tensor), positions(a))) return *v;
    constexpr double infinite = std::numeric_limits<double>::infinity();
    const wf::projection sign = program_.tensors[a.tensor].projection;
    return sign == wf::projection::minimum   ? infinite
           : sign == wf::projection::maximum ? -infinite
                                             : 0;
  }

  const wf::logic::tensor_program& program_;
  const all_entries& given_;
  const all_entries& final_;
  const std::map<std::string, std::int64_t>& symbols_;
  const wf::logic::proof* proof_ = nullptr;
  const wf::logic::rule* rule_ = nullptr;
  const wf::logic::derivation* derivation_ = nullptr;
};

}  // namespace wf_proof
