// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/gradient/scalar_adjoint.hpp>
#include <wf/logic/program/axes.hpp>
#include <wf/logic/program/functions.hpp>
#include <wf/registry/gradient_request.hpp>

namespace wf::logic {

namespace detail {

/// Adds the rules of derivatives to a program.
class gradient_rewrite {
 public:
  constexpr gradient_rewrite(const tensor_program& p, const registry& operators)
      : program_(p), operators_(operators), out_(p), write_(out_) {}
  // The writer refers to another member.
  gradient_rewrite(const gradient_rewrite&) = delete;
  gradient_rewrite& operator=(const gradient_rewrite&) = delete;

  constexpr result<tensor_program> run(const gradient_request& wanted) {
    prefix_ = wanted.prefix;
    if (error e = find(wanted); e.code != errc::none) return e;
    close();
    for (std::uint32_t t = 0; t < program_.tensors.size(); ++t)
      if (depends_[t] && reaches_[t])
        if (error e = add_gradient(t); e.code != errc::none) return e;
    if (error e = seed(wanted.seed); e.code != errc::none) return e;
    for (const rule& r : program_.rules)
      if (gradients_[r.head.tensor] != none && r.value != none)
        if (error e = pass(r); e.code != errc::none) return e;
    for (const std::uint32_t t : wanted_) add_zeros(t);
    return static_cast<tensor_program&&>(out_);
  }

 private:
  // --- what is wanted ---------------------------------------------------------------------------

  constexpr error unknown(text_view what, text_view name, bool defined) const {
    table<text_view> known;
    for (const tensor_info& t : program_.tensors)
      if (!t.temporary && t.defined == defined && !t.boolean) known.push_back(t.name.view());
    return make_error(errc::unknown_argument, name, unknown_name_message(what, name, known).view());
  }
  constexpr error find(const gradient_request& wanted) {
    depends_ = reaches_ = table<bool>(program_.tensors.size());
    gradients_ = shares_ = table<std::uint32_t>(program_.tensors.size(), none);
    std::uint32_t outputs = 0;
    for (std::uint32_t t = 0; t < program_.tensors.size(); ++t) {
      const tensor_info& info = program_.tensors[t];
      if (info.stepped)
        return make_error(
            errc::no_adjoint, info.name.view(),
            "has an axis of steps, along which no derivatives are taken: unroll it first");
      outputs += info.exported && info.defined;
      if (wanted.output.empty() ? info.exported && info.defined
                                : info.name.view() == wanted.output && info.defined)
        output_ = t;
    }
    if (output_ == none || (wanted.output.empty() && outputs != 1))
      return unknown("output", wanted.output, true);
    if (error e = check_numeric(output_); e.code != errc::none) return e;
    for (text_view name : wanted.inputs) {
      const std::uint32_t t = program_.find(name);
      if (t == none || program_.tensors[t].defined) return unknown("input", name, false);
      if (error e = check_numeric(t); e.code != errc::none) return e;
    }
    for (std::uint32_t t = 0; t < program_.tensors.size(); ++t) {
      const tensor_info& info = program_.tensors[t];
      bool named = wanted.inputs.empty() && !info.boolean && !info.defined && info.ranked;
      for (text_view name : wanted.inputs) named = named || info.name.view() == name;
      if (!named) continue;
      depends_[t] = true;
      wanted_.push_back(t);
    }
    return {};
  }
  constexpr error check_numeric(std::uint32_t t) const {
    const tensor_info& info = program_.tensors[t];
    return info.boolean ? make_error(errc::dtype_mismatch, info.name.view(),
                                     "is a relation, and only numbers have derivatives")
                        : error();
  }
  // The tensor that a join or lookup of a rule reads.
  constexpr const atom& read_by(const rule& r, const scalar_node& leaf) const {
    const range& part = leaf.kind == scalar_kind::joined ? r.joins : r.lookups;
    return program_.atoms[part.first + leaf.index];
  }
  // Marks what depends on the inputs, and what the output depends on.
  constexpr void close() {
    reaches_[output_] = true;
    for (bool changed = true; changed;) {
      changed = false;
      for (const rule& r : program_.rules) {
        const std::uint32_t head = r.head.tensor;
        if (program_.tensors[head].boolean) continue;
        const auto each = [&](const scalar_node& leaf) {
          const std::uint32_t t = read_by(r, leaf).tensor;
          if (program_.tensors[t].boolean) return false;
          if (depends_[t] && !depends_[head]) depends_[head] = changed = true;
          if (reaches_[head] && !reaches_[t]) reaches_[t] = changed = true;
          return false;
        };
        (void)depends_on(program_, r.value, each);
      }
    }
  }

  // --- tensors ----------------------------------------------------------------------------------

  constexpr std::uint32_t add_like(std::uint32_t t, text_view mark, bool exported) {
    tensor_info info;
    const tensor_info& of = program_.tensors[t];
    info.name << mark << of.name.view();
    info.defined = info.ranked = true;
    info.exported = exported;
    info.temporary = !exported;
    info.part_of = program_.owner_of(t);
    info.rank = of.rank;
    info.axes = of.axes;
    info.projection = projection::sum;
    info.offset = of.offset;
    out_.tensors.push_back(static_cast<tensor_info&&>(info));
    return static_cast<std::uint32_t>(out_.tensors.size() - 1);
  }
  constexpr error add_gradient(std::uint32_t t) {
    bool wanted = false;
    for (const std::uint32_t each : wanted_) wanted = wanted || each == t;
    gradients_[t] = add_like(t, prefix_, wanted);
    const text_view name = out_.tensors[gradients_[t]].name.view();
    if (program_.find(name) == none) return {};
    return make_error(errc::duplicate_name, name,
                      "is a tensor of the program: take another prefix");
  }
  // An atom with a variable of its own at each position of a tensor; the variables of a rule.
  constexpr range fresh_variables(std::uint32_t t) {
    const tensor_info& info = program_.tensors[t];
    const range out{static_cast<std::uint32_t>(out_.variables.size()), info.rank};
    for (std::uint32_t c = 0; c < info.rank; ++c) {
      out_.variables.push_back(text("_"));
      const std::uint32_t axis = out_.axes_of[info.axes.first + c];
      out_.axis_of_variable.push_back(axis);
    }
    return out;
  }
  // A rule that adds a multiple of one tensor to another of the same positions.
  constexpr void add_copy(std::uint32_t to, std::uint32_t from, double factor) {
    const std::uint32_t rank = program_.tensors[to].rank;
    rule r;
    r.projection = projection::sum;
    r.variables = fresh_variables(to);
    const range terms{static_cast<std::uint32_t>(out_.terms.size()), rank};
    for (std::uint32_t c = 0; c < rank; ++c) {
      term t;
      t.variable = c;
      out_.terms.push_back(t);
    }
    r.head = {gradients_[to], terms, 0, program_.tensors[to].offset};
    r.joins = {static_cast<std::uint32_t>(out_.atoms.size()), 1};
    out_.atoms.push_back({from, terms, 0, program_.tensors[to].offset});
    r.value = write_.leaf(scalar_kind::joined, 0);
    if (factor != 1)
      r.value = write_.simplified(scalar_kind::product, write_.number(factor), r.value);
    out_.rules.push_back(r);
  }
  // The derivative of the output by itself.
  constexpr error seed(text_view name) {
    if (gradients_[output_] == none) return {};
    const tensor_info& info = program_.tensors[output_];
    if (name.empty() && info.rank != 0)
      return make_error(errc::shape_mismatch, info.name.view(),
                        (text() << "has " << info.rank
                                << " indices and needs a seed, only one without has a gradient")
                            .view());
    if (name.empty()) {
      add_copy(output_, output_, 1);
      out_.rules.back().value = none;
      return {};
    }
    if (program_.find(name) != none)
      return make_error(errc::duplicate_name, name, "is a tensor of the program, and no seed");
    tensor_info given = info;
    given.name = text(name);
    given.defined = given.exported = given.temporary = given.sealed = false;
    out_.tensors.push_back(static_cast<tensor_info&&>(given));
    add_copy(output_, static_cast<std::uint32_t>(out_.tensors.size() - 1), 1);
    return {};
  }
  // Every entry of an input has a derivative, even if it is 0.
  constexpr void add_zeros(std::uint32_t t) {
    if (gradients_[t] == none) gradients_[t] = add_like(t, prefix_, true);
    add_copy(t, t, 0);
    out_.rules.back().value = write_.number(0);
  }

  // --- rules ------------------------------------------------------------------------------------

  constexpr std::uint32_t look_up(rule& r, std::uint32_t tensor) {
    r.lookups = copied(out_.atoms, r.lookups, atom{tensor, r.head.terms, 0, r.head.offset});
    return write_.leaf(scalar_kind::looked_up, r.lookups.count - 1);
  }
  // Lets a rule apply only where its value is that of its head.
  constexpr void meet_extremum(rule& r) {
    const std::uint32_t extremum = look_up(r, r.head.tensor);
    const std::uint32_t gap = write_.simplified(scalar_kind::difference, r.value, extremum);
    comparison c;
    c.sign = comparison_sign::less_equal;
    c.left = write_.simplified(scalar_kind::product, gap, gap);
    c.right = write_.simplified(scalar_kind::product, write_.number(1e-24),
                                write_.simplified(scalar_kind::product, extremum, extremum));
    r.comparisons = copied(out_.comparisons, r.comparisons, c);
  }
  // The number of bindings that share the derivative of an entry: all of a mean, those that attain
  // an extremum.
  constexpr std::uint32_t shares_of(std::uint32_t head) {
    if (shares_[head] != none) return shares_[head];
    shares_[head] = add_like(head, (text() << prefix_ << "#shares ").view(), false);
    // A fact would be one of the values that a mean counts.
    out_.tensors[head].sealed = program_.tensors[head].projection == projection::mean;
    for (const rule& each : program_.rules) {
      if (each.head.tensor != head) continue;
      rule r = each;
      if (is_extreme(each.projection)) {
        if (r.value == none) r.value = write_.number(0);
        meet_extremum(r);
      }
      r.head.tensor = shares_[head];
      r.projection = projection::sum;
      r.part_of = program_.owner_of(each);
      r.value = none;
      out_.rules.push_back(r);
    }
    return shares_[head];
  }
  // Adds the rules by which a rule passes the derivatives of its head on.
  constexpr error pass(const rule& r) {
    if (r.projection == projection::combined)
      return make_error(errc::no_adjoint, program_.tensors[r.head.tensor].combining.view(),
                        "combines values, and no derivative of that is known");
    rule base = r;
    base.part_of = program_.owner_of(r);
    const atom from{gradients_[r.head.tensor], r.head.terms, 0, r.head.offset};
    base.joins = copied(out_.atoms, r.joins, from);
    std::uint32_t derivative = write_.leaf(scalar_kind::joined, r.joins.count);
    if (is_extreme(r.projection)) meet_extremum(base);
    if (is_extreme(r.projection) || r.projection == projection::mean)
      derivative = write_.simplified(scalar_kind::quotient, derivative,
                                     look_up(base, shares_of(r.head.tensor)));
    table<std::uint32_t> totals(r.joins.count + r.lookups.count, none);
    const auto counts = [&](const scalar_node& leaf) {
      return gradients_[read_by(r, leaf).tensor] != none;
    };
    const auto visit = [&](const scalar_node& leaf, std::uint32_t passed) {
      std::uint32_t& total =
          totals[leaf.kind == scalar_kind::joined ? leaf.index : r.joins.count + leaf.index];
      total = total == none ? passed : write_.simplified(scalar_kind::sum, total, passed);
    };
    if (error e = pass_derivative(out_, operators_, r.value, derivative, counts, visit);
        e.code != errc::none)
      return e;
    for (std::uint32_t i = 0; i < totals.size(); ++i) {
      if (totals[i] == none || write_.is(totals[i], 0)) continue;
      const bool joined = i < r.joins.count;
      const atom to =
          program_.atoms[joined ? r.joins.first + i : r.lookups.first + i - r.joins.count];
      rule made = base;
      // Only what has an entry has a derivative.
      if (!joined) made.joins = copied(out_.atoms, base.joins, to);
      made.head = to;
      made.head.tensor = gradients_[to.tensor];
      made.projection = projection::sum;
      made.value = totals[i];
      out_.rules.push_back(made);
    }
    return {};
  }

  const tensor_program& program_;
  const registry& operators_;
  tensor_program out_;
  scalar_writer write_;
  text_view prefix_;
  std::uint32_t output_ = none;
  table<std::uint32_t> wanted_;
  table<bool> depends_, reaches_;  // by tensor: on the inputs; the output
  table<std::uint32_t> gradients_, shares_;
};

}  // namespace detail

/// The program with further results: the derivatives of one of its outputs by the entries of its
/// inputs, as rules like its own (reverse mode), which are ordered, evaluated, queried, proven and
/// differentiated like any others. Each kernel's adjoint says what its operator passes on; of a
/// recursion of numbers, the derivatives are what their own recursion converges to; a mean passes
/// equal parts on; an extremum, equal parts to the bindings that attain it, within a relative
/// 1e-12. Relations, comparisons and which entries there are count as constant, as do facts that a
/// run is given of tensors with rules; under `avg=` none may be given.
///
/// Results: `prefix` and the name of each input, with an entry for each of its entries. An input
/// on which the output does not depend has derivatives of 0. `request.inputs`, if empty, are all
/// inputs of numbers. Errors: `unknown_argument` for names that there are not; `dtype_mismatch`
/// for relations; `shape_mismatch` for an output with indices without a seed; `duplicate_name`;
/// `no_adjoint` for an operator without one, and for a program with an axis of steps, which
/// `unrolled` takes away.
/// O(size of the program · depth of its expressions).
/// Source: Griewank and Walther, "Evaluating Derivatives", 2008, chapters 3 and 15.
constexpr result<tensor_program> gradient(const tensor_program& program,
                                          const gradient_request& request = {},
                                          const registry& operators = rule_registry()) {
  return detail::gradient_rewrite(program, operators).run(request);
}

}  // namespace wf::logic
