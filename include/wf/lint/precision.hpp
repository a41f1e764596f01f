// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cost/metric.hpp>
#include <wf/cost/price.hpp>
#include <wf/lint/finding.hpp>
#include <wf/lint/label.hpp>

namespace wf::detail {

/// Precision of an element type in bits: of the significand of a floating-point number (or of each
/// part of a complex one), of the magnitude of an integer; 0 for other types.
constexpr std::int64_t digits_of(dtype d) {
  switch (d) {
    case dtype::f16:
      return 11;
    case dtype::bf16:
      return 8;
    case dtype::f32:
    case dtype::c64:
      return 24;
    case dtype::f64:
    case dtype::c128:
      return 53;
    default:
      return magnitude_bits(d);
  }
}

/// True if both are integer, both floating-point or both complex types.
constexpr bool same_kind(dtype a, dtype b) {
  return (is_integer(a) && is_integer(b)) || (is_floating(a) && is_floating(b)) ||
         (is_complex(a) && is_complex(b));
}

/// A finding of a precision rule about one node.
struct precision_hit {
  lint_rule rule = lint_rule::cancellation;   ///< the violated rule
  wf::severity severity = severity::warning;  ///< its severity, before options are applied
  text message;                               ///< the diagnosis, in one sentence
};

/// The metric in which kernels state their numbers of summands, over all elements of all results.
/// For a kernel that does not state it, the number of multiply-accumulate operations is used.
inline constexpr metric_spec summands{"summands", "summand"};

/// Rules for numerical accuracy. Each matches a pattern of a few nodes around one node. Operators
/// are recognised by their `meaning`; the patterns look through operators that only repeat or pass
/// on elements. Element types and shapes are used as far as they are known.
class precision_rules {
 public:
  /// Prepares the rules for a graph whose references are in range. An accumulation is reported if
  /// the bound on its relative error is 1 / `tolerance` or more.
  constexpr precision_rules(const graph_view& g, const registry& r, std::int64_t tolerance)
      : graph_(g),
        tolerance_(tolerance),
        summands_(g, summands, r),
        products_(g, macs_::spec, r),
        operators_(g.operations.size()),
        is_output_(g.values.size()) {
    for (std::size_t i = 0; i < g.operations.size(); ++i) {
      const kernel_spec* k = r.find(g.text_of(g.operations[i].name));
      if (k == nullptr) continue;
      operators_[i].computes = k->meaning;
      for (const cost_formula& c : costs_of(*k))
        operators_[i].states_summands |= priced_metric::of(c.metric).metric == summands.name;
      if (auto parsed = parse_signature(k->signature))
        operators_[i].takes = static_cast<signature&&>(*parsed);
    }
    for (const output& o : g.outputs) is_output_[index_of(o.source)] = 1;
    for (std::uint32_t i = 0; i < g.values.size(); ++i) {
      origins_.push_back(static_cast<value_id>(i));
      const node_id from = g.values[i].producer;
      if (from == node_id::none || !is_transparent(meaning_of(from)) || g[from].inputs.count == 0)
        continue;
      const value_id operand = g.inputs_of(g[from])[0];
      if (index_of(operand) < i) origins_[i] = origins_[index_of(operand)];
    }
  }

  /// Findings about a node, in the order in which the rules run. O(number of operands).
  constexpr table<precision_hit> examine(node_id id) {
    hits_.clear();
    node_ = id;
    const meaning m = meaning_of(id);
    if (m == meaning::conversion) {
      round_trip();
      integer_quotient();
    } else {
      low_precision_sum();
      mixed_precision();
    }
    const bool divides = m == meaning::division, takes_log = m == meaning::logarithm;
    if (m == meaning::subtraction) cancellation();
    if (m == meaning::product) explicit_inverse();
    if (divides || takes_log) exponentials(divides);
    if (takes_log) log_of_probability();
    if (divides || takes_log || m == meaning::square_root) unguarded_domain(m);
    return static_cast<table<precision_hit>&&>(hits_);
  }

 private:
  // Facts about an operator that the rules need.
  struct operator_facts {
    meaning computes = meaning::other;
    bool states_summands = false;
    signature takes;
  };

  // --- the graph around a node ------------------------------------------------------------------

  constexpr value_id operand(std::size_t i) const {
    const view<value_id> all = graph_.inputs_of(graph_[node_]);
    return i < all.size() ? all[i] : value_id::none;
  }
  static constexpr bool is_transparent(meaning m) {
    return m == meaning::identity || m == meaning::copy || m == meaning::reshape ||
           m == meaning::repetition;
  }
  constexpr meaning meaning_of(node_id n) const { return operators_[graph_[n].op].computes; }
  // The value whose elements `id` repeats or passes on; `id` itself if there is none.
  constexpr value_id origin(value_id id) const {
    return id == value_id::none ? id : origins_[index_of(id)];
  }
  // The node that computes a value's elements, if its operator has meaning `m`; else none.
  constexpr node_id maker(value_id id, meaning m) const {
    const value_id from = origin(id);
    if (from == value_id::none || graph_[from].producer == node_id::none) return node_id::none;
    const node_id n = graph_[from].producer;
    return meaning_of(n) == m ? n : node_id::none;
  }
  constexpr value_id operand_of(node_id n, std::size_t i) const {
    const view<value_id> all = graph_.inputs_of(graph_[n]);
    return i < all.size() ? origin(all[i]) : value_id::none;
  }
  constexpr dtype type_of(value_id id) const {
    return id == value_id::none ? dtype::unknown : graph_[id].type.type;
  }
  constexpr value_id result() const {
    return graph_[node_].outputs.count == 0 ? value_id::none : graph_view::output_of(graph_[node_]);
  }
  constexpr bool is_constant(value_id id) const {
    return maker(id, meaning::constant) != node_id::none;
  }
  // The value `x` if `id` is a constant multiple of `x`; else the origin of `id`.
  constexpr value_id unscaled(value_id id) const {
    for (meaning m : {meaning::multiplication, meaning::division}) {
      const node_id n = maker(id, m);
      if (n == node_id::none) continue;
      if (is_constant(operand_of(n, 1))) return operand_of(n, 0);
      if (m == meaning::multiplication && is_constant(operand_of(n, 0))) return operand_of(n, 1);
    }
    return origin(id);
  }
  // The operand `x` if the value is `x` squared; else none.
  constexpr value_id root_of_square(value_id id) const {
    if (const node_id n = maker(id, meaning::square); n != node_id::none) return operand_of(n, 0);
    const node_id n = maker(id, meaning::multiplication);
    if (n == node_id::none) return value_id::none;
    const view<value_id> factors = graph_.inputs_of(graph_[n]);
    return factors.size() == 2 && factors[0] == factors[1] ? operand_of(n, 0) : value_id::none;
  }
  constexpr node_id mean_or_sum(value_id id) const {
    const value_id inner = unscaled(id);
    const node_id n = maker(inner, meaning::mean);
    return n != node_id::none ? n : maker(inner, meaning::total);
  }
  constexpr void report(lint_rule rule, const text& message) {
    hits_.push_back({rule, severity_of(rule), message});
  }
  constexpr text name(value_id id) const { return label_of(graph_, id); }
  constexpr text name(node_id id) const { return label_of(graph_, id); }

  // --- rules ------------------------------------------------------------------------------------

  constexpr void round_trip() {
    const node_id first = maker(operand(0), meaning::conversion);
    if (first == node_id::none) return;
    const dtype wide = type_of(operand_of(first, 0)), narrow = type_of(operand(0)),
                last = type_of(result());
    if (!same_kind(wide, narrow) || !same_kind(narrow, last) ||
        digits_of(narrow) >= digits_of(wide) || digits_of(narrow) >= digits_of(last))
      return;
    report(lint_rule::precision_round_trip,
           text() << name(node_).view() << " widens to " << name_of(last) << " what "
                  << name(first).view() << " narrows from " << name_of(wide) << " to "
                  << name_of(narrow) << ": the digits between are lost");
  }

  constexpr void low_precision_sum() {
    const dtype d = type_of(operand(0));
    if (!(is_floating(d) || is_complex(d))) return;
    const std::int64_t terms = accumulated();
    const std::int64_t digits = digits_of(d);
    // terms / 2^digits >= 1 / tolerance, without overflow.
    if (terms < 2 || terms < ((std::int64_t{1} << digits) + tolerance_ - 1) / tolerance_) return;
    const int128 percent = (static_cast<int128>(terms) * 100) >> digits;
    report(lint_rule::low_precision_sum, text() << name(node_).view() << " adds up " << terms
                                                << " terms in " << name_of(d)
                                                << ": their rounding errors may reach " << percent
                                                << " % of the sum of their sizes");
  }
  // Number of terms summed per element of the result; 0 if there is no sum or it is unknown.
  constexpr std::int64_t accumulated() {
    const value_id from = operand(0), to = result();
    if (from == value_id::none || to == value_id::none || !all_static()) return 0;
    const auto own = operators_[graph_[node_].op].states_summands ? summands_.price(node_)
                                                                  : products_.price(node_);
    const auto whole = own ? to_int64(*own) : wf::result<std::int64_t>(std::int64_t{0});
    const std::int64_t terms = whole ? *whole : 0;
    const std::int64_t results = graph_[to].type.shape.elements();
    return terms < 0 || results <= 0 ? 0 : terms / results;
  }
  constexpr bool all_static() const {
    for (value_id id : graph_.inputs_of(graph_[node_]))
      if (!graph_[id].type.shape.is_static()) return false;
    for (std::uint32_t k = 0; k < graph_[node_].outputs.count; ++k)
      if (!graph_[graph_view::output_of(graph_[node_], k)].type.shape.is_static()) return false;
    return true;
  }

  constexpr void integer_quotient() {
    const node_id quotient = maker(operand(0), meaning::division);
    if (quotient == node_id::none || !is_integer(type_of(operand(0))) ||
        !(is_floating(type_of(result())) || is_complex(type_of(result()))))
      return;
    report(lint_rule::integer_quotient,
           text() << name(node_).view() << " makes " << name_of(type_of(result()))
                  << " of the integer quotient of " << name(quotient).view()
                  << ", which has lost its fraction: convert the operands first");
  }

  // Compares operands that the signature requires to have the same element type.
  constexpr void mixed_precision() {
    const view<value_id> all = graph_.inputs_of(graph_[node_]);
    const signature& s = operators_[graph_[node_].op].takes;
    if (!s.takes(all.size())) return;
    const auto bound_of = [&](std::uint32_t i) { return s.operand(i, all.size()).bound; };
    for (std::uint32_t i = 0; i < all.size(); ++i)
      for (std::uint32_t j = 0; j < i; ++j) {
        if (bound_of(i) != bound_of(j) || bound_of(i) == "any") continue;
        const dtype a = type_of(all[j]), b = type_of(all[i]);
        if (same_kind(a, b) && a != b)
          return report(lint_rule::mixed_precision, text()
                                                        << name(node_).view() << " has operands of "
                                                        << name_of(a) << " and " << name_of(b));
        if (a == b && widened(all[i], all[j])) return;
        if (a == b && widened(all[j], all[i])) return;
      }
  }
  // Reports a node with one operand widened by a cast and the other of the wide type from the
  // start.
  constexpr bool widened(value_id one, value_id other) {
    const node_id cast = maker(one, meaning::conversion);
    if (cast == node_id::none || maker(other, meaning::conversion) != node_id::none ||
        is_constant(other))
      return false;
    const dtype narrow = type_of(operand_of(cast, 0)), wide = type_of(one);
    if (!same_kind(narrow, wide) || is_integer(wide) || digits_of(narrow) >= digits_of(wide))
      return false;
    report(lint_rule::mixed_precision,
           text() << name(node_).view() << " computes in " << name_of(wide) << ", but its operand "
                  << name(operand_of(cast, 0)).view() << " has the digits of " << name_of(narrow));
    hits_.back().severity = severity::note;
    return true;
  }

  constexpr void cancellation() {
    const node_id squares = mean_or_sum(operand(0));
    const value_id mean = root_of_square(operand(1));
    if (squares == node_id::none || mean == value_id::none) return;
    const node_id plain = mean_or_sum(mean);
    if (plain == node_id::none) return;
    const value_id of = root_of_square(operand_of(squares, 0));
    if (of == value_id::none || of != operand_of(plain, 0) ||
        graph_.integer_attribute(graph_[squares], "axis", -1) !=
            graph_.integer_attribute(graph_[plain], "axis", -1))
      return;
    report(lint_rule::cancellation,
           text() << name(node_).view() << " subtracts a squared mean of " << name(of).view()
                  << " from the mean of its squares: subtract the mean before squaring");
  }

  constexpr void explicit_inverse() {
    for (std::size_t i = 0; i < 2; ++i) {
      node_id inverse = maker(operand(i), meaning::inverse);
      if (const node_id n = maker(operand(i), meaning::transposition); n != node_id::none)
        inverse = maker(operand_of(n, 0), meaning::inverse);
      if (inverse == node_id::none) continue;
      const value_id made = graph_view::output_of(graph_[inverse]);
      if (is_output_[index_of(made)] != 0) continue;  // the inverse itself is an output
      return report(lint_rule::explicit_inverse,
                    text() << name(node_).view() << " multiplies by the inverse of "
                           << name(operand_of(inverse, 0)).view()
                           << ": a solution of the system is cheaper and more accurate");
    }
  }

  // exp(x) / sum(exp(x)) and log(sum(exp(x))), where x has not been shifted by its maximum.
  constexpr void exponentials(bool divides) {
    const node_id sum = maker(operand(divides ? 1 : 0), meaning::total);
    const node_id exponential =
        sum == node_id::none ? sum : maker(operand_of(sum, 0), meaning::exponential);
    if (exponential == node_id::none) return;
    if (divides && maker(operand(0), meaning::exponential) != exponential) return;
    const value_id x = operand_of(exponential, 0);
    const node_id shift = maker(x, meaning::subtraction);
    if (shift != node_id::none && maker(operand_of(shift, 1), meaning::largest) != node_id::none)
      return;
    report(lint_rule::overflowing_exponential,
           text() << name(node_).view() << (divides ? " normalises" : " sums up")
                  << " exponentials of " << name(x).view()
                  << ", which may overflow: subtract the maximum first"
                  << (divides ? ", or use softmax" : ""));
  }

  constexpr void log_of_probability() {
    const node_id probability = maker(operand(0), meaning::probability);
    if (probability == node_id::none) return;
    report(lint_rule::log_of_softmax, text() << name(node_).view() << " is taken of the result of "
                                             << name(probability).view() << ", which may be 0");
  }

  constexpr void unguarded_domain(meaning m) {
    const bool divides = m == meaning::division;
    const node_id difference = maker(operand(divides ? 1 : 0), meaning::subtraction);
    if (difference == node_id::none || is_integer(type_of(result()))) return;
    report(lint_rule::unguarded_domain,
           text() << name(node_).view() << (divides ? " divides by" : " is taken of")
                  << " the difference " << name(difference).view() << ", which may be "
                  << (divides                   ? "0"
                      : m == meaning::logarithm ? "0 or negative"
                                                : "negative"));
  }

  graph_view graph_;
  std::int64_t tolerance_;
  pricer<rational> summands_, products_;
  table<operator_facts> operators_;  // by operation; default for one without a kernel
  table<char> is_output_;            // by value
  table<value_id> origins_;          // by value: see `origin`
  node_id node_ = node_id::none;
  table<precision_hit> hits_;
};

}  // namespace wf::detail
