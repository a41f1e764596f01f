// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/spelling.hpp>
#include <wf/formula/language/parse.hpp>
#include <wf/ir/graph/validate.hpp>
#include <wf/registry/dtype_lattice.hpp>
#include <wf/registry/infer.hpp>

// Checks of a kernel that enters a registry, at compile time and at run time alike: its texts
// parse, and every formula names only what the signature declares.

namespace wf {

/// The fault of a kernel or a transform, with the text at fault.
struct registry_fault {
  /// The error; its position, if any, refers to `source`.
  error failure;
  /// The signature or formula at fault, as viewed by the kernel or transform; empty: none.
  text_view source;

  /// True if there is a fault.
  constexpr explicit operator bool() const { return failure.code != errc::none; }
};

/// The error message, "WF202 in 'blur': cost in flops: unknown symbol 'Q': did you mean 'R'? (line
/// 1, column 5)", followed by the text at fault with a caret.
constexpr text picture(const registry_fault& fault) {
  text out = to_text(fault.failure);
  if (fault.failure.where.line != 0) out << '\n' << caret(fault.source, fault.failure.where).view();
  return out;
}

/// The names that a kernel's formulas may use: symbols of the operands' dimensions; numeric
/// attributes; parameters, which stand for their numbers of elements, with the suffix ".bytes" for
/// their storage in bytes, with ".integers" for their number of integer elements. If a C++ rule
/// computes the result shapes, also the symbols of the results' dimensions.
class declared_symbols {
 public:
  /// Collects the names that a signature declares; `s` must outlive this object.
  constexpr declared_symbols(const signature& s, bool shapes_by_rule) : signature_(s) {
    const std::size_t count = shapes_by_rule ? s.parameters.size() : s.inputs;
    for (std::size_t i = 0; i < count; ++i)
      for (text_view dimension : s.dimensions_of(s.parameters[i]))
        if (bound_dimensions::is_symbol(dimension) && !contains(dimension))
          names_.push_back(dimension);
    if (s.operand_pack != parameter::none) names_.push_back(s.parameters[s.operand_pack].count);
    dimensions_ = names_.size();
    for (const attribute_declaration& a : s.attributes)
      if (a.kind != "string" && a.kind != "real") names_.push_back(a.name);
    for (const parameter& p : s.parameters) names_.push_back(p.name);
  }

  /// Number of symbols for dimensions.
  constexpr std::size_t dimensions() const { return dimensions_; }
  /// True if a cost or a guard may use the name. O(names).
  constexpr bool contains(text_view name) const {
    const std::size_t dot = name.find('.');
    for (text_view known : names_)
      if (known == name) return true;
    if (dot == name.size()) return false;
    if (name.part(dot) != ".bytes" && name.part(dot) != ".integers") return false;
    for (const parameter& p : signature_.parameters)
      if (p.name == name.part(0, dot)) return true;
    return false;
  }
  /// True if a dimension of a result may use the name: sizes of parameters are not known yet.
  constexpr bool contains_extent(text_view name) const {
    for (std::size_t i = 0; i + signature_.parameters.size() < names_.size(); ++i)
      if (names_[i] == name) return true;
    return false;
  }
  /// The message for an unknown symbol: "unknown symbol 'Q': did you mean 'K'?" Candidates are the
  /// names for costs and guards, or those for dimensions.
  constexpr text unknown(text_view name, bool in_dimension = false) const {
    const std::size_t parameters = signature_.parameters.size();
    table<text> storage;
    table<text_view> known(
        view<text_view>(names_.data(), names_.size() - (in_dimension ? parameters : 0)));
    if (!in_dimension && name.find('.') != name.size()) {
      for (const parameter& p : signature_.parameters) {
        storage.push_back(text() << p.name << ".bytes");
        storage.push_back(text() << p.name << ".integers");
      }
      for (const text& t : storage) known.push_back(t.view());
    }
    return unknown_name_message("symbol", name, known);
  }

 private:
  const signature& signature_;
  table<text_view> names_;  // dimensions, attributes, parameters
  std::size_t dimensions_ = 0;
};

namespace detail {

constexpr registry_fault fault_in(text_view subject, errc code, text_view message,
                                  text_view source = {}, text_position where = {}) {
  return {make_error(code, subject, message, where), source};
}

// A fault located at a part of a text.
constexpr registry_fault fault_at(text_view subject, errc code, text_view message, text_view source,
                                  text_view part) {
  const auto offset = static_cast<std::size_t>(part.data() - source.data());
  return fault_in(subject, code, message, source, position_at(source, offset));
}

// Checks that a formula names only declared symbols; a cost may also name `second_cache`.
constexpr registry_fault formula_fault(text_view subject, text_view what, text_view formula,
                                       const declared_symbols& declared, bool is_cost = false) {
  const auto parsed = parse_formula(formula);
  if (!parsed)
    return fault_in(subject, parsed.error().code,
                    (text() << what << ": " << parsed.error().message.view()).view(), formula,
                    parsed.error().where);
  const formula_view code = *parsed;
  for (std::size_t i = 0; i < code.names.size(); ++i)
    if (!declared.contains(code.name(i)) && !(is_cost && code.name(i) == second_cache_symbol))
      return fault_in(subject, errc::unknown_symbol,
                      (text() << what << ": " << declared.unknown(code.name(i)).view()).view(),
                      formula, code.where(code.names[i].first));
  return {};
}

class kernel_checker {
 public:
  constexpr explicit kernel_checker(const kernel_spec& k) : kernel_(k) {}

  constexpr registry_fault run() {
    const bool is_opaque = kernel_.name.starts_with(opaque_prefix);
    for (text_view name :
         {is_opaque ? kernel_.name.part(opaque_prefix.size()) : kernel_.name, kernel_.domain})
      if (!is_valid_name(name))
        return fault(errc::invalid_name, text() << "a kernel and its domain have names of letters, "
                                                   "digits and underscores; not '"
                                                << name << "'");
    const auto parsed = parse_signature(kernel_.signature);
    if (!parsed)
      return fault_in(kernel_.name, errc::bad_signature, parsed.error().message.view(),
                      kernel_.signature, parsed.error().where);
    const declared_symbols declared(*parsed, kernel_.result_shape != nullptr);
    if (auto f = check_limits(*parsed, declared)) return f;
    if (auto f = check_names(*parsed)) return f;
    if (auto f = check_result_pack(*parsed)) return f;
    if (auto f = check_optional(*parsed)) return f;
    if (auto f = check_attributes(*parsed)) return f;
    for (std::uint32_t i = 0; i < parsed->parameters.size(); ++i)
      if (auto f = check_parameter(*parsed, i, declared)) return f;
    if (auto f = check_cuts()) return f;
    if (auto f = check_body(*parsed, declared)) return f;
    return check_costs(declared);
  }

 private:
  constexpr registry_fault fault(errc code, const text& message) const {
    return fault_in(kernel_.name, code, message.view());
  }
  constexpr registry_fault bad(const text& message, text_view part) const {
    return fault_at(kernel_.name, errc::bad_signature, message.view(), kernel_.signature, part);
  }

  constexpr registry_fault check_limits(const signature& s,
                                        const declared_symbols& declared) const {
    const std::size_t results = s.outputs();
    if (s.inputs > max_operands || results > max_results ||
        declared.dimensions() > bound_dimensions::capacity)
      return fault(errc::bad_signature, text() << "has more than " << max_operands << " operands, "
                                               << max_results << " results or "
                                               << bound_dimensions::capacity << " symbols");
    if (!has_arity(kernel_.meaning, s.inputs, results, s.operand_pack != parameter::none,
                   s.result_pack != parameter::none))
      return fault(errc::bad_signature, text() << "takes " << s.inputs << " operands and gives "
                                               << results << " results, as no "
                                               << name_of(kernel_.meaning) << " does");
    return {};
  }

  constexpr registry_fault check_cuts() const {
    int stars = 0;
    for (char c : kernel_.cuts) {
      stars += c == '*' ? 1 : 0;
      if ((c != 'c' && c != 'w' && c != '-' && c != '*') || stars > 1)
        return fault(errc::bad_signature, text() << "its cuts '" << kernel_.cuts
                                                 << "' are not of c, w, - and at most one *");
    }
    return {};
  }
  // A kernel with a body has the attributes and results that the body needs.
  constexpr registry_fault check_body(const signature& s, const declared_symbols& declared) const {
    if (kernel_.repeats.empty()) return {};
    const attribute_declaration* const body = s.find_attribute("body");
    const std::uint32_t pack = s.result_pack;
    if (body == nullptr || body->kind != "string" || s.operand_pack == parameter::none ||
        pack != s.inputs || s.parameters[pack].count != "carried" || s.outputs() != 3 ||
        s.parameters[pack + 1].bound != "i64" || s.parameters[pack + 2].bound != "bool")
      return fault(errc::bad_signature,
                   text() << "repeats a body, so its signature is 'operands*X: any [...], body: "
                             "string, carried = 1 -> carried*Y: any [...], runs: i64 [], "
                             "converged: bool []' with other names and attributes");
    return formula_fault(kernel_.name, text() << "number of runs of its body", kernel_.repeats,
                         declared, true);
  }
  // Parameters and attributes have distinct names, which no dimension shares.
  constexpr registry_fault check_names(const signature& s) const {
    table<text_view> names;
    for (const parameter& p : s.parameters) names.push_back(p.name);
    for (const attribute_declaration& a : s.attributes) names.push_back(a.name);
    if (s.operand_pack != parameter::none) names.push_back(s.parameters[s.operand_pack].count);
    for (std::size_t i = 0; i < names.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j)
        if (names[i] == names[j])
          return bad(text() << "the name '" << names[i] << "' is declared twice", names[i]);
      if (!bound_dimensions::is_symbol(names[i]))
        return bad(text() << "the name '" << names[i] << "' begins with a digit", names[i]);
      for (text_view dimension : s.dimensions)
        if (dimension == names[i] && (i < s.parameters.size() || is_operands(s, dimension)))
          return bad(text() << "the dimension '" << dimension << "' is also "
                            << (i < s.parameters.size()                         ? "a parameter"
                                : i < s.parameters.size() + s.attributes.size() ? "an attribute"
                                                                                : "a number"),
                     dimension);
    }
    return {};
  }
  // A pack of results is as many as an attribute or a pack of operands says.
  constexpr registry_fault check_result_pack(const signature& s) const {
    if (s.result_pack == parameter::none) return {};
    const text_view count = s.parameters[s.result_pack].count;
    const attribute_declaration* const a = s.find_attribute(count);
    if (a != nullptr && (a->kind == "number" || a->kind == "integer")) return {};
    if (s.operand_pack != parameter::none && s.parameters[s.operand_pack].count == count) return {};
    return bad(text() << "the number of results '" << count
                      << "' is neither an attribute nor the number of operands",
               count);
  }
  // A dimension is optional in each pattern or in none, and for results only if it is for operands.
  constexpr registry_fault check_optional(const signature& s) const {
    for (std::uint32_t i = 0; i < s.parameters.size(); ++i) {
      const parameter& p = s.parameters[i];
      if (p.optional == parameter::none) continue;
      const text_view optional = s.dimensions_of(p)[p.optional];
      bool of_operand = false;
      for (std::uint32_t j = 0; j < s.parameters.size(); ++j)
        for (std::uint32_t d = 0; d < s.parameters[j].dimensions.count; ++d) {
          const text_view dimension = s.dimensions_of(s.parameters[j])[d];
          if (dimension != optional) continue;
          if (d != s.parameters[j].optional)
            return bad(text() << "the dimension '" << optional << "' is optional here only",
                       optional);
          of_operand = of_operand || j < s.inputs;
        }
      if (!of_operand || !bound_dimensions::is_symbol(optional))
        return bad(text() << "the optional dimension '" << optional << "' is no operand's symbol",
                   optional);
    }
    return {};
  }
  static constexpr bool is_operands(const signature& s, text_view dimension) {
    for (std::uint32_t i = 0; i < s.inputs; ++i)
      for (text_view one : s.dimensions_of(s.parameters[i]))
        if (one.data() == dimension.data()) return true;
    return false;
  }

  constexpr registry_fault check_attributes(const signature& s) const {
    for (const attribute_declaration& a : s.attributes) {
      rational number(0);
      if (a.default_value.empty() || a.kind == "string" || default_of(&s, a.name, number)) continue;
      return bad(text() << "the default of attribute '" << a.name << "' is no number",
                 a.default_value);
    }
    return {};
  }

  constexpr registry_fault check_parameter(const signature& s, std::uint32_t i,
                                           const declared_symbols& declared) const {
    const parameter& p = s.parameters[i];
    if (!p.bound.empty() && !is_dtype_bound(p.bound)) return unknown_bound(p.bound);
    for (text_view dimension : s.dimensions_of(p)) {
      if (std::int64_t size = 0; integer_in(dimension, size) && size >= 0) continue;
      if (dimension.size() > 18 && fixed_digits(dimension))
        return bad(text() << "the extent " << dimension << " is too large", dimension);
      if (i < s.inputs) {
        if (!bound_dimensions::is_symbol(dimension))
          return bad(text() << "a dimension of an operand is a symbol or a number, not '"
                            << dimension << "'",
                     dimension);
      } else if (kernel_.result_shape == nullptr) {
        if (auto f = check_extent(dimension, declared)) return f;
      }
    }
    if (p.default_value.empty()) return {};
    return inside(
        formula_fault(kernel_.name, text() << "default of " << p.name, p.default_value, declared));
  }

  static constexpr bool fixed_digits(text_view dimension) {
    for (char c : dimension)
      if (c < '0' || c > '9') return false;
    return true;
  }

  constexpr registry_fault unknown_bound(text_view bound) const {
    table<text_view> known;
    for (const auto& c : dtype_classes) known.push_back(c.name);
    for (std::size_t d = 1; d < dtype_count; ++d) known.push_back(name_of(static_cast<dtype>(d)));
    return bad(unknown_name_message("element type", bound, known), bound);
  }

  constexpr registry_fault check_extent(text_view dimension,
                                        const declared_symbols& declared) const {
    const auto parsed = parse_formula(dimension);
    if (!parsed)
      return inside({make_error(parsed.error().code, kernel_.name, parsed.error().message.view(),
                                parsed.error().where),
                     dimension});
    const formula_view code = *parsed;
    for (std::size_t n = 0; n < code.names.size(); ++n)
      if (!declared.contains_extent(code.name(n)))
        return fault_at(kernel_.name, errc::unknown_symbol,
                        (text() << "dimension " << dimension << ": "
                                << declared.unknown(code.name(n), true).view())
                            .view(),
                        kernel_.signature, dimension.part(code.names[n].first));
    return {};
  }

  // Moves a fault in a part of the signature to the whole signature.
  constexpr registry_fault inside(registry_fault f) const {
    if (!f) return f;
    const auto first = static_cast<std::size_t>(f.source.data() - kernel_.signature.data());
    f.failure.where = position_at(kernel_.signature, first + f.failure.where.offset);
    f.source = kernel_.signature;
    return f;
  }

  constexpr registry_fault check_costs(const declared_symbols& declared) const {
    const table<cost_formula> costs = costs_of(kernel_);
    for (std::size_t i = 0; i < costs.size(); ++i) {
      const priced_metric named = priced_metric::of(costs[i].metric);
      if (!is_valid_name(named.metric))
        return fault(errc::invalid_name, text() << "a metric has a name of letters, digits and "
                                                   "underscores; not '"
                                                << costs[i].metric << "'");
      if (!named.elements.empty() && !is_dtype_bound(named.elements))
        return fault(errc::bad_signature, text()
                                              << "states a cost of elements of '" << named.elements
                                              << "', which is no dtype nor a class of them");
      for (std::size_t j = 0; j < i && !named.elements.empty(); ++j) {
        const priced_metric other = priced_metric::of(costs[j].metric);
        if (other.metric == named.metric && !other.elements.empty() &&
            !(other.elements == named.elements))
          return fault(errc::bad_signature, text() << "states costs in " << named.metric
                                                   << " for two classes of elements");
      }
      for (std::size_t j = 0; j < i; ++j)
        if (costs[j].metric == costs[i].metric)
          return fault_in(kernel_.name, errc::bad_signature,
                          (text() << "states two costs in " << costs[i].metric).view(),
                          costs[i].formula, {1, 1, 0});
      if (auto f = formula_fault(kernel_.name, text() << "cost in " << costs[i].metric,
                                 costs[i].formula, declared, true))
        return f;
    }
    return {};
  }

  const kernel_spec& kernel_;
};

// The dtypes that parameter `i` may have for operands of the signature `taken`: a result without a
// bound takes the dtype of the first operand without one, else that of the first operand.
constexpr dtype_set dtypes_of(const signature& s, std::size_t i, const signature& taken) {
  if (!s.parameters[i].bound.empty()) return dtypes_named(s.parameters[i].bound);
  std::uint32_t k = 0;
  while (k < s.inputs && !s.parameters[k].bound.empty()) ++k;
  if (k == s.inputs) k = 0;
  const bool follows = i >= s.inputs && s.inputs != 0 && !taken.parameters[k].bound.empty();
  return dtypes_named(follows ? taken.parameters[k].bound : text_view("any"));
}

}  // namespace detail

/// Finds the first fault of a kernel by itself: `invalid_name` for its name, domain or a metric;
/// `bad_signature` for a signature that does not parse, repeats a name, has an unknown element
/// type, formulas where operands need symbols, or too many parameters; `unknown_symbol`, with the
/// nearest name, for a cost, result dimension or default that names something undeclared; those of
/// `parse_formula`. O(size of its texts · names).
constexpr registry_fault find_fault(const kernel_spec& k) {
  return detail::kernel_checker(k).run();
}

/// `find_fault` as a result, without the text at fault. Errors: see `find_fault`.
constexpr result<nothing> check_kernel(const kernel_spec& k) {
  registry_fault f = find_fault(k);
  if (f) return static_cast<error&&>(f.failure);
  return nothing{};
}

/// Finds a fault in a transform's guard on nodes of a kernel; a guard may name what the kernel's
/// costs may, except `second_cache`. `subject` names the transform. Errors: `unknown_symbol`, those
/// of `parse_signature` and `parse_formula`.
constexpr registry_fault find_guard_fault(text_view subject, text_view guard,
                                          const kernel_spec& k) {
  const auto parsed = parse_signature(k.signature);
  if (!parsed) return {parsed.error(), k.signature};
  return detail::formula_fault(subject, "guard", guard,
                               declared_symbols(*parsed, k.result_shape != nullptr));
}

/// The effective kernel of `k`, which overrides `base`. Without a signature `k` refines `base`: it
/// inherits everything it does not state, and adds costs, flags, laws and rules. With a signature
/// it replaces `base`. Costs of `base` beyond `max_kernel_costs` are dropped and counted in
/// `omitted`.
constexpr kernel_spec refined(const kernel_spec& k, const kernel_spec& base,
                              std::size_t* omitted = nullptr) {
  kernel_spec out = k;
  if (out.domain.empty()) out.domain = base.domain;
  if (out.summary.empty()) out.summary = base.summary;
  if (!k.signature.empty()) return out;
  out.signature = base.signature;
  if (out.meaning == meaning::other) out.meaning = base.meaning;
  if (out.result_shape == nullptr) out.result_shape = base.result_shape;
  if (out.result_dtype == nullptr) out.result_dtype = base.result_dtype;
  if (out.result_properties == nullptr) out.result_properties = base.result_properties;
  out.is_view = k.is_view || base.is_view;
  if (out.reading == nullptr) out.reading = base.reading;
  out.in_place = k.in_place || base.in_place;
  out.moves_elements = k.moves_elements || base.moves_elements;
  if (out.constant == nullptr) out.constant = base.constant;
  if (out.element == nullptr) out.element = base.element, out.elements = base.elements;
  if (k.fusion != fusion_role::none) out.fusion = k.fusion;
  if (out.adjoint.empty() && out.write_adjoint == nullptr) {
    out.adjoint = base.adjoint;
    out.write_adjoint = base.write_adjoint;
  }
  if (out.definition.empty() && out.write_definition == nullptr) {
    out.definition = base.definition;
    out.write_definition = base.write_definition;
  }
  if (out.cuts.empty()) out.cuts = base.cuts;
  out.laws = joined(k.laws, base.laws);
  if (!out.implementation) out.implementation = base.implementation;
  if (!out.library) out.library = base.library;
  if (k.effects == effect::pure) out.effects = base.effects;
  std::size_t count = costs_of(k).size();
  for (const cost_formula& c : costs_of(base)) {
    bool stated = false;
    for (const cost_formula& own : costs_of(k)) stated = stated || own.metric == c.metric;
    if (stated) continue;
    if (count < max_kernel_costs)
      out.costs[count++] = kernel_cost::of(c);
    else if (omitted != nullptr)
      ++*omitted;
  }
  return out;
}

/// Finds a fault in overriding `base` by `k`. Graphs with `base` must remain valid with `k`: it has
/// as many operands and results, accepts every dtype that `base` accepts and gives no dtype that
/// `base` does not give. Both kernels must be free of faults. Errors: `bad_signature`.
constexpr registry_fault find_override_fault(const kernel_spec& k, const kernel_spec& base) {
  const auto ours = parse_signature(k.signature), theirs = parse_signature(base.signature);
  const std::size_t count = theirs->parameters.size();
  if (ours->inputs != theirs->inputs || ours->parameters.size() != count ||
      ours->operand_pack != theirs->operand_pack || ours->result_pack != theirs->result_pack)
    return detail::fault_in(
        k.name, errc::bad_signature,
        (text() << "overrides a kernel of " << theirs->inputs << " operands and "
                << theirs->outputs() << " results, so it must have as many")
            .view(),
        k.signature, {1, 1, 0});
  for (std::size_t i = 0; i < count; ++i) {
    const parameter &mine = ours->parameters[i], &other = theirs->parameters[i];
    if (other.optional != parameter::none && !mine.leading && mine.optional == parameter::none)
      return detail::fault_at(
          k.name, errc::bad_signature,
          (text() << mine.name << " has all dimensions, but one is optional in the kernel that it "
                  << "overrides")
              .view(),
          k.signature, mine.name);
    const dtype_set own = detail::dtypes_of(*ours, i, *theirs);
    const dtype_set old = detail::dtypes_of(*theirs, i, *theirs);
    const bool operand = i < ours->inputs;
    if (is_within(operand ? old : own, operand ? own : old)) continue;
    return detail::fault_at(
        k.name, errc::bad_signature,
        (text() << (operand ? "operand " : "result ") << ours->parameters[i].name << " is "
                << name_of(own) << ", but of the kernel that it overrides " << name_of(old))
            .view(),
        k.signature, ours->parameters[i].name);
  }
  return {};
}

}  // namespace wf
