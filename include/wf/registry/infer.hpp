// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/dimension.hpp>
#include <wf/registry/kernel.hpp>

namespace wf {

/// Result types of a kernel on given operand types.
struct inference {
  /// The types of the results, `count` of them.
  value_type results[max_results];
  /// Number of results.
  std::uint32_t count = 0;
  bound_dimensions bindings;  ///< extents bound to the symbols of the signature
  table<text> derived;        ///< polynomials of the derived extents in `results`, as text

  /// The types in use: the first `count` of `results`.
  constexpr view<value_type> types() const { return {results, count}; }
};

namespace detail {

constexpr error shape_error(const kernel_spec& k, text_view message) {
  return make_error(errc::shape_mismatch, k.name, message);
}

// Merges two broadcast extents into `into`; false if they differ and neither is 1. Extents unknown
// at compile time fit: capture by value checks them again.
constexpr bool broadcast(extent& into, extent other) {
  if (into == other || other == extent(1)) return true;
  if (into == extent(1)) {
    into = other;
    return true;
  }
  if (into.is_unknown() || other.is_unknown()) {
    into = into.is_unknown() ? other : into;
    return true;
  }
  return false;
}

class matcher {
 public:
  constexpr matcher(const kernel_spec& k, const signature& s, const rule_input& in)
      : kernel_(k), signature_(s), in_(in) {}

  constexpr result<inference> run() {
    in_.derived = &out_.derived;
    in_.declared = &signature_;
    adopt_derived();
    if (!signature_.takes(in_.operands.size()))
      return shape_error(kernel_,
                         (text() << "takes " << signature_.inputs
                                 << (signature_.operand_pack != parameter::none ? " or more" : "")
                                 << " operands, not " << in_.operands.size())
                             .view());
    for (const attribute_declaration& a : signature_.attributes)
      if (error e = match_attribute(a); e.code != errc::none) return e;
    for (std::uint32_t i = 0; i < in_.operands.size(); ++i) {
      if (error e = match_dtype(i); e.code != errc::none) return e;
      if (error e = match_shape(i); e.code != errc::none) return e;
    }
    if (signature_.operand_pack != parameter::none)
      out_.bindings.bind(
          signature_.parameters[signature_.operand_pack].count,
          extent(std::int64_t{
              signature_.values_of(signature_.operand_pack, in_.operands.size()).count}));
    for (std::size_t i = signature_.inputs; i < signature_.parameters.size(); ++i)
      if (error e = conclude_all(signature_.parameters[i]); e.code != errc::none) return e;
    if (kernel_.result_properties != nullptr)
      out_.results[0].known = kernel_.result_properties(in_);
    return static_cast<inference&&>(out_);
  }

 private:
  // Results may use derived extents of operands or attributes, so these keep their indices.
  constexpr void adopt_derived() {
    if (in_.graph == nullptr || in_.graph->derived.empty()) return;
    bool any = false;
    for (const value_type& t : in_.operands)
      for (std::uint32_t d = 0; t.shape.has_rank() && d < t.shape.rank; ++d)
        any = any || t.shape[d].is_derived();
    for (const attribute_value& a : in_.attributes)
      any = any || (a.kind == attribute_kind::extent && a.number < -1);
    if (!any) return;
    for (text_ref d : in_.graph->derived) out_.derived.push_back(text(in_.graph->text_of(d)));
  }

  constexpr error match_attribute(const attribute_declaration& a) const {
    const attribute_value* stated = in_.find(a.name);
    if (stated == nullptr || satisfies(stated->kind, a.kind)) return {};
    return make_error(errc::bad_attribute, kernel_.name,
                      (text() << "attribute " << a.name << " is no " << a.kind).view());
  }
  constexpr const parameter& parameter_of(std::uint32_t i) const {
    return signature_.operand(i, in_.operands.size());
  }
  constexpr error match_dtype(std::uint32_t i) {
    const parameter& p = parameter_of(i);
    const dtype d = in_.operands[i].type;
    if (!p.bound.empty()) {
      if (satisfies(d, p.bound)) return match_class(i);
      return make_error(
          errc::dtype_mismatch, kernel_.name,
          (text() << "operand " << p.name << " is " << name_of(d) << ", not " << p.bound).view());
    }
    if (shared_ == dtype::unknown) shared_ = d;
    if (shared_ == d) return {};
    return dtypes_differ(shared_, d);
  }

  // Operands of the same class have the same dtype.
  constexpr error match_class(std::uint32_t i) const {
    const text_view bound = parameter_of(i).bound;
    if (bound == "any") return {};
    for (std::uint32_t j = 0; j < i; ++j)
      if (parameter_of(j).bound == bound && in_.operands[j].type != in_.operands[i].type)
        return dtypes_differ(in_.operands[j].type, in_.operands[i].type);
    return {};
  }
  constexpr error dtypes_differ(dtype a, dtype b) const {
    return make_error(
        errc::dtype_mismatch, kernel_.name,
        (text() << "element types differ: " << name_of(a) << " vs " << name_of(b)).view());
  }

  constexpr error match_shape(std::uint32_t i) {
    const parameter& p = parameter_of(i);
    const shape& s = in_.operands[i].shape;
    if (!s.has_rank()) {
      rank_unknown_ = true;
      return {};
    }
    const view<text_view> pattern = signature_.dimensions_of(p);
    const bool lacks = p.lacks_optional(s.rank);
    const std::size_t present = pattern.size() - (lacks ? 1 : 0);
    if (p.leading ? s.rank < present : s.rank != present) return wrong_rank(p, s);
    const auto leading = static_cast<std::uint32_t>(s.rank - present);
    std::uint32_t at = leading;
    for (std::uint32_t d = 0; d < pattern.size(); ++d) {
      if (d == p.optional) {
        if (error e = match_presence(pattern[d], lacks); e.code != errc::none) return e;
        if (lacks) continue;
      }
      if (error e = match_dimension(i, pattern[d], s[at++]); e.code != errc::none) return e;
    }
    if (p.leading && kernel_.result_shape == nullptr) return match_leading(i, leading);
    return {};
  }

  constexpr error wrong_rank(const parameter& p, const shape& s) const {
    const std::uint32_t most = p.dimensions.count;
    text message;
    message << "operand " << p.name << " has " << s.rank << " dimensions (" << to_text(s).view()
            << "), not " << (p.leading ? "at least " : "");
    if (p.optional != parameter::none) message << most - 1 << " or ";
    return shape_error(kernel_, (message << most).view());
  }
  // All operands with an optional dimension in their patterns have it, or all lack it; then
  // formulas see 1.
  constexpr error match_presence(text_view optional, bool lacks) {
    if (out_.bindings.find(optional) != nullptr && out_.bindings.is_absent(optional) != lacks)
      return shape_error(kernel_, (text() << "one operand has dimension " << optional
                                          << " and another lacks it" << operand_list().view())
                                      .view());
    if (lacks) out_.bindings.bind_absent(optional);
    return {};
  }

  constexpr error match_dimension(std::uint32_t i, text_view pattern, extent actual) {
    const extent* bound = out_.bindings.find(pattern);
    if (bound == nullptr) {
      if (pattern[0] >= '0' && pattern[0] <= '9') {
        const extent wanted = fixed_dimension(pattern);
        if (wanted == actual || actual.is_unknown()) return {};
        return shape_error(kernel_, (text() << "operand " << name(i) << " needs extent " << pattern
                                            << ", not " << to_text(actual).view())
                                        .view());
      }
      out_.bindings.bind(pattern, actual);
      return {};
    }
    if (*bound == actual || actual.is_unknown()) return {};
    if (bound->is_unknown()) {
      out_.bindings.bind(pattern, actual);
      return {};
    }
    return shape_error(kernel_,
                       (text() << "dimension " << pattern << " differs: " << to_text(*bound).view()
                               << " vs " << to_text(actual).view() << operand_list().view())
                           .view());
  }

  constexpr error match_leading(std::uint32_t i, std::uint32_t count) {
    const shape& s = in_.operands[i].shape;
    while (leading_.rank < count) {  // grow on the left: broadcasting aligns on the right
      for (std::uint32_t d = leading_.rank; d > 0; --d) leading_.extents[d] = leading_[d - 1];
      leading_.extents[0] = extent(1);
      ++leading_.rank;
    }
    const std::uint32_t offset = leading_.rank - count;
    for (std::uint32_t d = 0; d < count; ++d)
      if (!broadcast(leading_.extents[offset + d], s[d]))
        return shape_error(kernel_,
                           (text() << "shapes do not fit" << operand_list().view()).view());
    return {};
  }

  // Concludes the results of a parameter: for a pack, their number is a symbol or an attribute.
  constexpr error conclude_all(const parameter& p) {
    std::int64_t count = 1;
    if (!p.count.empty()) {
      rational number(0);
      const dimension_lookup known{out_.bindings, in_};
      if (!known(p.count, number) || !number.is_integer() || number < rational(1) ||
          number > rational(static_cast<std::int64_t>(max_results)))
        return make_error(errc::bad_attribute, kernel_.name,
                          (text() << p.count << ", the number of results, is to be an integer from "
                                  << "1 to " << max_results)
                              .view());
      count = static_cast<std::int64_t>(number.numerator);
    }
    for (; count > 0; --count)
      if (error e = conclude(p); e.code != errc::none) return e;
    return {};
  }
  constexpr error conclude(const parameter& p) {
    if (out_.count == max_results) return shape_error(kernel_, "has too many results");
    value_type& t = out_.results[out_.count];
    in_.result = out_.count;
    t.type = p.bound.empty() ? shared_ : dtype_named(p.bound);
    for (std::uint32_t i = 0; i < in_.operands.size() && t.type == dtype::unknown; ++i)
      if (p.bound.empty() || satisfies(in_.operands[i].type, p.bound))
        t.type = in_.operands[i].type;
    if (kernel_.rules_dtype_of(p)) {
      const auto made = kernel_.result_dtype(in_);
      if (!made) return made.error();
      t.type = *made;
    }
    if (rank_unknown_) {
      t.shape = shape::unknown();
    } else if (kernel_.rules_shape_of(p)) {
      auto made = kernel_.result_shape(in_);
      if (!made) return made.error();
      t.shape = *made;
    } else {
      if (p.leading) t.shape = leading_;
      const view<text_view> pattern = signature_.dimensions_of(p);
      for (std::uint32_t d = 0; d < pattern.size(); ++d) {
        const text_view dimension = pattern[d];
        if (d == p.optional && out_.bindings.is_absent(dimension)) continue;
        auto e = dimension_of(dimension, out_.bindings, in_, out_.derived);
        if (!e) return make_error(e.error().code, kernel_.name, e.error().message.view());
        if (!t.shape.push_back(*e)) return shape_error(kernel_, "the result has over 8 dimensions");
      }
    }
    ++out_.count;
    return {};
  }

  constexpr text_view name(std::uint32_t i) const { return parameter_of(i).name; }
  constexpr text operand_list() const {
    text out;
    for (std::uint32_t i = 0; i < in_.operands.size(); ++i)
      out << (i == 0 ? " (" : ", ") << name(i) << " is " << to_text(in_.operands[i].shape).view();
    return out << ')';
  }

  const kernel_spec& kernel_;
  const signature& signature_;
  rule_input in_;
  inference out_;
  dtype shared_ = dtype::unknown;
  shape leading_;
  bool rank_unknown_ = false;
};

}  // namespace detail

/// Infers the result types of a kernel: matches the operands against the signature, binds its
/// symbols, and computes shapes, dtypes and properties. A result extent that is a polynomial of
/// symbols is `extent::derived(i)` with its text in `derived[i]`, also where an operand's extent is
/// one of `in.graph`; the owner of a graph interns it there (`graph::add_derived`). Unknown extents
/// and ranks fit everything and give unknown ones. `s` must be the parsed signature of `k`. Errors:
/// `shape_mismatch`, `dtype_mismatch`, `bad_attribute`, those of formulas and of the kernel's
/// rules. O(size of the signature), plus the kernel's rules.
constexpr result<inference> infer(const kernel_spec& k, const signature& s, const rule_input& in) {
  return detail::matcher(k, s, in).run();
}

/// The same, parsing the signature first. Errors: also `bad_signature`.
constexpr result<inference> infer(const kernel_spec& k, const rule_input& in) {
  const auto s = parse_signature(k.signature);
  if (!s) return s.error();
  return infer(k, *s, in);
}

}  // namespace wf
