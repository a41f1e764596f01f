// SPDX-License-Identifier: BSL-1.0
#pragma once

// Random programs of rules with their facts, and an evaluation that follows the definitions: all
// bindings of all variables, until nothing changes. It shares no code with the engine.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace wf_test {

enum class sign { boolean, sum, mean, minimum, maximum };

struct random_tensor {
  std::string name;
  int rank = 0;
  sign kind = sign::boolean;
  int layer = 0;  // 0: an input
  bool recursive = false;
};
struct random_term {
  int variable = -1;  // -1: a constant
  int shift = 0;      // or the constant
};
struct random_atom {
  int tensor = 0;
  std::vector<random_term> terms;
};
struct random_comparison {
  random_term left, right;
  int lookup = -1;  // or the entry of an atom on the left
  int sign = 0;     // of <, <=, >, >=, ==, !=
};
struct random_rule {
  random_atom head;
  std::vector<random_atom> joins, negations, lookups;
  std::vector<random_comparison> comparisons;
  double constant = 1;          // a factor, or an addend of `min=` and `max=`
  std::vector<double> addends;  // of lookups that are factors (V[x] + addend)
  int variables = 0;
};
using entries = std::map<std::vector<int>, double>;
struct random_program {
  std::vector<random_tensor> tensors;
  std::vector<random_rule> rules;
  std::vector<entries> facts;  // by tensor; of inputs
};

namespace random_detail {

constexpr double infinite = std::numeric_limits<double>::infinity();
inline const char* const signs[] = {"<", "<=", ">", ">=", "==", "!="};

class generator {
 public:
  explicit generator(std::uint64_t seed) : random_(seed) {}

  random_program make() {
    const int inputs = pick(2, 4), layers = pick(1, 3);
    positions_ = pick(2, 4);
    for (int i = 0; i < inputs; ++i) add_input();
    for (int l = 1; l <= layers; ++l) add_layer(l);
    return out_;
  }

 private:
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(int percent) { return pick(1, 100) <= percent; }

  void add_input() {
    random_tensor t;
    t.name = "In" + std::to_string(out_.tensors.size());
    t.rank = pick(0, 3);
    t.kind = chance(60) ? sign::boolean : sign::sum;
    if (t.kind == sign::sum && t.rank == 0) t.rank = 1;
    entries facts;
    const int rows = t.rank == 0 ? pick(0, 1) : pick(0, 8);
    for (int r = 0; r < rows; ++r) {
      std::vector<int> at;
      for (int c = 0; c < t.rank; ++c) at.push_back(pick(0, positions_ - 1));
      facts[at] = t.kind == sign::boolean ? 1 : pick(1, 5);
    }
    out_.tensors.push_back(t);
    out_.facts.push_back(facts);
  }
  void add_layer(int layer) {
    const int first = static_cast<int>(out_.tensors.size());
    const bool recursive = chance(70);
    const int roll = pick(1, 100);
    const sign extreme = roll <= 50 ? sign::boolean : roll <= 75 ? sign::minimum : sign::maximum;
    const int count = recursive ? pick(1, 2) : 1;
    for (int i = 0; i < count; ++i) {
      random_tensor t;
      t.name = "T" + std::to_string(out_.tensors.size());
      t.rank = pick(0, 3);
      t.layer = layer;
      t.recursive = recursive;
      t.kind = recursive ? (i == 0 || chance(60) ? extreme : sign::boolean)
               : chance(40)
                   ? sign::boolean
                   : std::vector<sign>{sign::sum, sign::mean, sign::minimum,
                                       sign::maximum}[static_cast<std::size_t>(pick(0, 3))];
      out_.tensors.push_back(t);
      out_.facts.emplace_back();
    }
    for (int i = 0; i < count; ++i)
      for (int r = pick(1, 3); r > 0; --r) add_rule(first + i, layer);
  }

  random_term any_term(int& variables, bool shifts) {
    random_term t;
    if (chance(12)) {
      t.shift = pick(0, positions_ - 1);
      return t;
    }
    t.variable = variables < 4 && chance(variables < 2 ? 70 : 35) ? variables++
                 : variables == 0                                 ? variables++
                                                                  : pick(0, variables - 1);
    if (shifts && chance(10)) t.shift = pick(-1, 1);
    return t;
  }
  random_atom any_atom(int tensor, int& variables, bool shifts) {
    random_atom a;
    a.tensor = tensor;
    for (int c = 0; c < out_.tensors[static_cast<std::size_t>(tensor)].rank; ++c)
      a.terms.push_back(any_term(variables, shifts));
    return a;
  }
  const random_tensor& tensor(int t) const { return out_.tensors[static_cast<std::size_t>(t)]; }
  // A tensor of earlier layers, or of this one where that is allowed; -1 if there is none.
  int readable(int head, int layer, bool negated) {
    std::vector<int> list;
    for (int t = 0; t < static_cast<int>(out_.tensors.size()); ++t) {
      const random_tensor& other = tensor(t);
      if (other.layer > layer) continue;
      if (other.layer == layer && (negated || !tensor(head).recursive)) continue;
      if (negated && other.kind != sign::boolean) continue;
      list.push_back(t);
    }
    return list.empty()
               ? -1
               : list[static_cast<std::size_t>(pick(0, static_cast<int>(list.size()) - 1))];
  }

  void add_rule(int head, int layer) {
    random_rule r;
    const sign kind = tensor(head).kind;
    const int joins = pick(1, 3);
    for (int i = 0; i < joins; ++i)
      r.joins.push_back(
          any_atom(readable(head, layer, false), r.variables, !tensor(head).recursive));
    std::vector<bool> bound(5);
    for (const random_atom& a : r.joins)
      for (const random_term& t : a.terms)
        if (t.variable >= 0) bound[static_cast<std::size_t>(t.variable)] = true;
    const auto bound_term = [&](bool shifts) {
      random_term t;
      std::vector<int> list;
      for (int v = 0; v < 5; ++v)
        if (bound[static_cast<std::size_t>(v)]) list.push_back(v);
      if (list.empty() || chance(10)) {
        t.shift = pick(0, positions_ - 1);
        return t;
      }
      t.variable = list[static_cast<std::size_t>(pick(0, static_cast<int>(list.size()) - 1))];
      if (shifts && chance(15)) t.shift = pick(-1, 1);
      return t;
    };
    const auto bound_atom = [&](int of) {
      random_atom a;
      a.tensor = of;
      for (int c = 0; c < tensor(of).rank; ++c) a.terms.push_back(bound_term(true));
      return a;
    };
    r.head.tensor = head;
    for (int c = 0; c < tensor(head).rank; ++c)
      r.head.terms.push_back(bound_term(!tensor(head).recursive));
    if (chance(30))
      if (const int n = readable(head, layer, true); n >= 0) r.negations.push_back(bound_atom(n));
    if (chance(30)) {
      random_comparison c;
      c.left = bound_term(true);
      c.right = bound_term(true);
      c.sign = pick(0, 5);
      r.comparisons.push_back(c);
    }
    std::vector<int> valued;
    for (int t = 0; t < static_cast<int>(out_.tensors.size()); ++t)
      if (tensor(t).layer < layer && tensor(t).kind != sign::boolean) valued.push_back(t);
    if (!valued.empty() && chance(25)) {
      random_comparison c;
      c.lookup = static_cast<int>(r.lookups.size());
      c.right.shift = pick(0, 4);
      c.sign = pick(0, 5);
      r.lookups.push_back(bound_atom(
          valued[static_cast<std::size_t>(pick(0, static_cast<int>(valued.size()) - 1))]));
      r.comparisons.push_back(c);
      r.addends.push_back(0);
    }
    r.constant = kind == sign::minimum   ? pick(0, 3)
                 : kind == sign::maximum ? pick(-3, 0)
                                         : pick(1, 3);
    out_.rules.push_back(r);
  }

  std::mt19937_64 random_;
  int positions_ = 0;
  random_program out_;
};

inline std::string text_of(const random_term& t) {
  if (t.variable < 0) return std::to_string(t.shift);
  std::string out(1, static_cast<char>('u' + t.variable));
  if (t.shift > 0) out += "+" + std::to_string(t.shift);
  if (t.shift < 0) out += std::to_string(t.shift);
  return out;
}
inline std::string text_of(const random_program& p, const random_atom& a) {
  const random_tensor& t = p.tensors[static_cast<std::size_t>(a.tensor)];
  const bool boolean = t.kind == sign::boolean;
  std::string out = t.name + (boolean ? "(" : "[");
  for (std::size_t i = 0; i < a.terms.size(); ++i) out += (i == 0 ? "" : ",") + text_of(a.terms[i]);
  return out + (boolean ? ")" : "]");
}

}  // namespace random_detail

// Programs of all kinds of rules; the same seed gives the same program.
inline random_program make_random_program(std::uint64_t seed) {
  return random_detail::generator(seed).make();
}

// The program as a text.
inline std::string text_of(const random_program& p) {
  using namespace random_detail;
  std::string out;
  for (const random_rule& r : p.rules) {
    const sign kind = p.tensors[static_cast<std::size_t>(r.head.tensor)].kind;
    const bool extreme = kind == sign::minimum || kind == sign::maximum;
    out += random_detail::text_of(p, r.head);
    out += kind == sign::boolean   ? " = "
           : kind == sign::sum     ? " += "
           : kind == sign::mean    ? " avg= "
           : kind == sign::minimum ? " min= "
                                   : " max= ";
    bool first = true;
    for (const random_atom& a : r.joins) {
      out += first ? "" : extreme ? " + " : " ";
      out += random_detail::text_of(p, a);
      first = false;
    }
    if (extreme)
      out +=
          (r.constant < 0 ? " - " : " + ") + std::to_string(static_cast<int>(std::abs(r.constant)));
    else if (kind != sign::boolean)
      out += " * " + std::to_string(static_cast<int>(r.constant));
    if (extreme && !(r.negations.empty() && r.comparisons.empty())) out += " + 0";
    for (const random_atom& a : r.negations) out += " !" + random_detail::text_of(p, a);
    for (const random_comparison& c : r.comparisons) {
      out += " [";
      out += c.lookup >= 0
                 ? random_detail::text_of(p, r.lookups[static_cast<std::size_t>(c.lookup)])
                 : random_detail::text_of(c.left);
      out += std::string(" ") + signs[c.sign] + " " + random_detail::text_of(c.right) + "]";
    }
    out += "\n";
  }
  return out;
}

// Evaluates a program by its definition. False if a recursion does not end within `rounds`.
class naive_evaluation {
 public:
  explicit naive_evaluation(const random_program& p) : program_(p), values(p.facts) {}

  bool run(int rounds = 200) {
    int layers = 0;
    for (const random_tensor& t : program_.tensors) layers = std::max(layers, t.layer);
    for (int l = 1; l <= layers; ++l) {
      bool ended = false;
      for (int round = 0; round < rounds && !ended; ++round) ended = !pass(l);
      if (!ended) return false;
    }
    return true;
  }

 private:
  const random_program& program_;

 public:
  std::vector<entries> values;  // by tensor

  // After `run`: by tensor, the least height of a proof of each entry, those of inputs 0. All
  // bindings contribute to a sum or mean, one that gives the value is enough for others. Relations
  // need of a tensor of `min=` or `max=` only that there is an entry, whatever gives it.
  std::vector<entries> heights() {
    std::vector<entries> valued(program_.tensors.size());
    for (std::size_t t = 0; t < program_.tensors.size(); ++t)
      for (const auto& [at, value] : values[t])
        if (program_.tensors[t].layer == 0) valued[t][at] = 0;
    std::vector<entries> present = valued;
    for (bool changed = true; changed;) {
      const std::vector<entries> v = heights_from(valued, present, true);
      const std::vector<entries> p = heights_from(valued, present, false);
      changed = v != valued || p != present;
      valued = v;
      present = p;
    }
    return valued;
  }

 private:
  std::vector<entries> heights_from(const std::vector<entries>& valued,
                                    const std::vector<entries>& present, bool of_values) {
    std::vector<entries> out(program_.tensors.size());
    for (std::size_t t = 0; t < out.size(); ++t)
      if (program_.tensors[t].layer == 0) out[t] = valued[t];
    for (const random_rule& r : program_.rules) {
      const auto t = static_cast<std::size_t>(r.head.tensor);
      const sign kind = program_.tensors[t].kind;
      const bool all = kind == sign::sum || kind == sign::mean;
      std::vector<int> binding(static_cast<std::size_t>(r.variables));
      enumerate(r, binding, 0, [&] {
        double value = 0, height = 0;
        if (!value_of(r, binding, value)) return;
        const std::vector<int> at = positions(r.head, binding);
        if (of_values && is_extreme(kind) && value != values[t].at(at)) return;
        for (const random_atom& a : r.joins) {
          const auto from = static_cast<std::size_t>(a.tensor);
          const bool presence = kind == sign::boolean && is_extreme(program_.tensors[from].kind);
          const entries& known = (presence ? present : valued)[from];
          const auto found = known.find(positions(a, binding));
          height = std::max(height, found == known.end() ? random_detail::infinite : found->second);
        }
        if (height == random_detail::infinite) return;
        auto& own = out[t].try_emplace(at, all ? 0 : random_detail::infinite).first->second;
        own = all ? std::max(own, height + 1) : std::min(own, height + 1);
      });
    }
    return out;
  }
  static bool is_extreme(sign s) { return s == sign::minimum || s == sign::maximum; }

 private:
  struct cell {
    double total = 0;
    int count = 0;
  };

  // Computes the tensors of a layer anew from the present ones. False if nothing changes.
  bool pass(int layer) {
    low_ = 0, high_ = 0;
    for (const entries& e : values)
      for (const auto& [at, value] : e)
        for (int position : at) low_ = std::min(low_, position), high_ = std::max(high_, position);
    low_ -= 3, high_ += 6;
    bool changed = false;
    std::map<int, std::map<std::vector<int>, cell>> made;
    for (std::size_t t = 0; t < program_.tensors.size(); ++t)
      if (program_.tensors[t].layer == layer) made[static_cast<int>(t)];
    for (const random_rule& r : program_.rules) {
      if (program_.tensors[static_cast<std::size_t>(r.head.tensor)].layer != layer) continue;
      std::vector<int> binding(static_cast<std::size_t>(r.variables));
      enumerate(r, binding, 0, [&] { contribute(r, binding, made[r.head.tensor]); });
    }
    for (auto& [t, cells] : made) {
      const sign kind = program_.tensors[static_cast<std::size_t>(t)].kind;
      entries fresh;
      for (const auto& [at, c] : cells)
        fresh[at] = kind == sign::boolean ? 1 : kind == sign::mean ? c.total / c.count : c.total;
      entries& present = values[static_cast<std::size_t>(t)];
      changed = changed || fresh != present;
      present = fresh;
    }
    return changed;
  }
  // Binds the variables one after the other; a join whose variables are bound cuts the search.
  template <class Visit>
  void enumerate(const random_rule& r, std::vector<int>& binding, std::size_t bound,
                 const Visit& visit) {
    for (const random_atom& a : r.joins) {
      std::size_t needed = 0;
      for (const random_term& t : a.terms)
        needed = std::max(needed, static_cast<std::size_t>(t.variable + 1));
      if (needed == bound && !present(a, binding)) return;
    }
    if (bound == binding.size()) return visit();
    for (int p = low_; p <= high_; ++p) {
      binding[bound] = p;
      enumerate(r, binding, bound + 1, visit);
    }
  }
  static int position(const random_term& t, const std::vector<int>& binding) {
    return (t.variable < 0 ? 0 : binding[static_cast<std::size_t>(t.variable)]) + t.shift;
  }
  static std::vector<int> positions(const random_atom& a, const std::vector<int>& binding) {
    std::vector<int> out;
    for (const random_term& t : a.terms) out.push_back(position(t, binding));
    return out;
  }
  const double* find(const random_atom& a, const std::vector<int>& binding) const {
    const entries& e = values[static_cast<std::size_t>(a.tensor)];
    const auto found = e.find(positions(a, binding));
    return found == e.end() ? nullptr : &found->second;
  }
  bool present(const random_atom& a, const std::vector<int>& binding) const {
    return find(a, binding) != nullptr;
  }
  double entry(const random_atom& a, const std::vector<int>& binding) const {
    if (const double* v = find(a, binding)) return *v;
    const sign kind = program_.tensors[static_cast<std::size_t>(a.tensor)].kind;
    return kind == sign::minimum   ? random_detail::infinite
           : kind == sign::maximum ? -random_detail::infinite
                                   : 0;
  }
  static bool holds(int sign, double a, double b) {
    const bool outcomes[] = {a<b, a <= b, a> b, a >= b, a == b, a != b};
    return outcomes[sign];
  }
  // The value that a rule contributes for a binding; false if its conditions do not hold.
  bool value_of(const random_rule& r, const std::vector<int>& binding, double& value) const {
    for (const random_atom& a : r.joins)
      if (!present(a, binding)) return false;
    for (const random_atom& a : r.negations)
      if (present(a, binding)) return false;
    for (const random_comparison& c : r.comparisons) {
      const double left = c.lookup >= 0
                              ? entry(r.lookups[static_cast<std::size_t>(c.lookup)], binding)
                              : position(c.left, binding);
      if (!holds(c.sign, left, position(c.right, binding))) return false;
    }
    const sign kind = program_.tensors[static_cast<std::size_t>(r.head.tensor)].kind;
    const bool extreme = kind == sign::minimum || kind == sign::maximum;
    value = r.constant;
    for (const random_atom& a : r.joins) {
      const sign of = program_.tensors[static_cast<std::size_t>(a.tensor)].kind;
      if (of == sign::boolean) continue;
      if (kind == sign::boolean && of != sign::minimum && of != sign::maximum &&
          entry(a, binding) == 0)
        return false;
      value = extreme ? value + entry(a, binding) : value * entry(a, binding);
    }
    return true;
  }
  void contribute(const random_rule& r, const std::vector<int>& binding,
                  std::map<std::vector<int>, cell>& out) const {
    double value = 0;
    if (!value_of(r, binding, value)) return;
    const sign kind = program_.tensors[static_cast<std::size_t>(r.head.tensor)].kind;
    cell& c = out[positions(r.head, binding)];
    if (kind == sign::minimum)
      c.total = c.count == 0 ? value : std::min(c.total, value);
    else if (kind == sign::maximum)
      c.total = c.count == 0 ? value : std::max(c.total, value);
    else
      c.total += value;
    ++c.count;
  }

  int low_ = 0, high_ = 0;
};

}  // namespace wf_test
