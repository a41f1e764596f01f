// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/equations/text.hpp>
#include <wf/logic/program/attribute_number.hpp>
#include <wf/logic/program/names.hpp>

namespace wf::logic::detail {

/// An operand of a call of an operator that equations define.
struct defined_operand {
  table<text_view> labels;      ///< the index of the call along each of its positions
  std::uint32_t tensor = none;  ///< of the program
};

/// The equations that define an operator, for one call of it. First `read` finds how the indices of
/// the operands stand to those of the definition; `bind` then puts tensors of the program in the
/// place of its names.
class definition_instance {
 public:
  /// Of a kernel with a definition and the parsed signature of its node, which must outlive this
  /// object. `made` keeps texts.
  constexpr definition_instance(const kernel_spec& k, const signature& s, text_store& made)
      : kernel_(k), signature_(s), made_(made) {}

  /// Reads the definition for operands of these indices and a call with these attributes. Errors:
  /// those of the equations, and `bad_equation` for operands of too few indices.
  constexpr error read(view<defined_operand> operands, view<attribute_value> attributes) {
    attributes_ = attributes;
    table<value_type> types;
    for (const defined_operand& o : operands) {
      value_type t{dtype::f64, {}, shape()};
      for (std::size_t i = 0; i < o.labels.size(); ++i) t.shape.push_back(extent());
      types.push_back(t);
    }
    text_view source = kernel_.definition;
    if (kernel_.write_definition != nullptr)
      source =
          made_.keep(kernel_.write_definition({types, attributes, nullptr, nullptr, &signature_}));
    auto parsed = parse_equations(source);
    if (!parsed) return parsed.error();
    tree_ = static_cast<equation_program&&>(*parsed);
    source_ = source;
    trailing_ = table<std::uint32_t>(operands.size(), none);
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (error e = match(i, operands[i].labels); e.code != errc::none) return e;
    return {};
  }

  /// The number of indices that the definition gives an operand after its leading ones.
  constexpr std::uint32_t trailing(std::size_t operand) const { return trailing_[operand]; }

  /// True if the result has the only such index of the first operand.
  constexpr bool keeps_axis() const {
    const equation_node* const n = reference(operand_name(0));
    const equation_statement* const s =
        find_statement(signature_.parameters[signature_.inputs].name);
    if (n == nullptr || s == nullptr || n->indices.count == 0) return false;
    return wf::detail::has_label(wf::detail::names_of_indices(tree_, s->indices),
                                 tree_.indices[n->indices.first + n->indices.count - 1].name);
  }

  /// Puts tensors in the place of the names of operands, and new tensors (`add()` makes one and
  /// returns its number) in that of the names that the definition defines. Errors: `bad_equation`
  /// for a definition without the result.
  template <class Add>
  constexpr error bind(name_table& names, view<defined_operand> operands, Add add) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const std::size_t leading = operands[i].labels.size() - trailing_[i];
      for (std::size_t k = 0; k < leading; ++k)
        wf::detail::add_missing(leading_, {&operands[i].labels[k], 1});
      if (const equation_node* const at = reference(operand_name(i)))
        for (std::uint32_t k = 0; k < trailing_[i]; ++k)
          note(tree_.indices[at->indices.first + at->indices.count - trailing_[i] + k].name,
               operands[i].labels[leading + k]);
    }
    for (const equation_statement& s : tree_.statements) {
      if (s.kind == equation_statement_kind::axis) continue;
      if (s.kind != equation_statement_kind::definition)
        return make_error(errc::bad_equation, s.name, "a definition consists of equations");
      if (find(s.name) == nullptr) named_.push_back({s.name, add(s), {}, 0});
    }
    for (std::size_t i = 0; i < operands.size(); ++i)
      named_.push_back({operand_name(i), operands[i].tensor, operands[i].labels, trailing_[i]});
    const text_view result = signature_.parameters[signature_.inputs].name;
    const named_tensor* const made = find(result);
    if (made == nullptr || find_statement(result) == nullptr)
      return make_error(errc::bad_equation, result, "the definition does not define the result");
    result_ = made->tensor;
    label_result(*find_statement(result));
    own_axes();
    rename(names);
    return settle_attributes();
  }

  /// The equations, which refer into `source()`.
  constexpr const equation_program& tree() const { return tree_; }
  constexpr text_view source() const { return source_; }
  /// The tensor of the result, and the index of the call along each of its positions; empty where
  /// no operand has one.
  constexpr std::uint32_t result() const { return result_; }
  constexpr const table<text_view>& result_labels() const { return result_labels_; }

 private:
  struct named_tensor {
    text_view name;
    std::uint32_t tensor = none;
    table<text_view> labels;     // of an operand
    std::uint32_t trailing = 0;  // of an operand
  };
  struct index_meaning {
    text_view index, label;
  };

  constexpr text_view operand_name(std::size_t i) const {
    return signature_.operand(static_cast<std::uint32_t>(i), trailing_.size()).name;
  }
  constexpr const equation_node* reference(text_view name) const {
    for (const equation_node& n : tree_.nodes)
      if (n.kind == equation_kind::reference && n.name == name) return &n;
    return nullptr;
  }
  constexpr const equation_statement* find_statement(text_view name) const {
    for (const equation_statement& s : tree_.statements)
      if (s.kind == equation_statement_kind::definition && s.name == name) return &s;
    return nullptr;
  }
  constexpr const named_tensor* find(text_view name) const {
    for (const named_tensor& n : named_)
      if (n.name == name) return &n;
    return nullptr;
  }
  constexpr bool begins_with_rest(range r) const {
    return r.count != 0 && tree_.indices[r.first].kind == index_kind::rest;
  }

  constexpr error match(std::size_t i, const table<text_view>& labels) {
    const equation_node* const n = reference(operand_name(i));
    trailing_[i] = static_cast<std::uint32_t>(labels.size());
    if (n == nullptr) return {};
    const bool rest = begins_with_rest(n->indices);
    const std::uint32_t own = n->indices.count - (rest ? 1 : 0);
    trailing_[i] = own;
    if (rest ? labels.size() >= own : labels.size() == own) return {};
    return make_error(errc::bad_equation, "",
                      (text() << operand_name(i) << " of " << kernel_.name << " has " << own
                              << (rest ? " or more" : "") << " indices, not " << labels.size())
                          .view());
  }
  constexpr void note(text_view index, text_view label) {
    for (const index_meaning& m : meanings_)
      if (m.index == index) return;
    meanings_.push_back({index, label});
  }
  constexpr void label_result(const equation_statement& s) {
    for (std::uint32_t i = 0; i < s.indices.count; ++i) {
      const index_term& t = tree_.indices[s.indices.first + i];
      if (t.kind == index_kind::rest) {
        result_labels_.append(leading_);
        continue;
      }
      text_view label;
      for (const index_meaning& m : meanings_)
        if (m.index == t.name) label = m.label;
      result_labels_.push_back(label);
    }
  }

  // --- the tree in names of the program ---------------------------------------------------------

  // An index whose axis the definition declares is of this call alone.
  constexpr void own_axes() {
    for (equation_statement& s : tree_.statements) {
      if (s.kind != equation_statement_kind::axis) continue;
      const text_view written = s.name;
      s.name = made_.keep(text() << written << '#' << result_);
      for (index_term& t : tree_.indices)
        if (t.name == written) t.name = s.name;
      for (equation_node& n : tree_.nodes)
        if (n.kind == equation_kind::reference && !n.labelled && n.name == written) n.name = s.name;
    }
  }

  constexpr void rename(const name_table& names) {
    const auto name_of = [&](const named_tensor& n) {
      return made_.keep(text(names.tensors()[n.tensor].name.view()));
    };
    for (equation_statement& s : tree_.statements) {
      if (s.kind != equation_statement_kind::definition) continue;
      s.indices = expanded(s.indices, leading_);
      s.name = name_of(*find(s.name));
    }
    for (equation_node& n : tree_.nodes) {
      if (n.kind != equation_kind::reference) continue;
      const named_tensor* const own = find(n.name);
      if (own == nullptr) {
        as_number(n);
        continue;
      }
      table<text_view> leading;
      for (std::size_t k = 0; k + own->trailing < own->labels.size(); ++k)
        leading.push_back(own->labels[k]);
      n.indices = expanded(n.indices, own->labels.empty() ? leading_ : leading);
      n.name = name_of(*own);
    }
  }
  // A list of indices with the leading ones in the place of `...`; no definition spells those.
  constexpr range expanded(range r, const table<text_view>& leading) {
    if (!begins_with_rest(r)) return r;
    const auto first = static_cast<std::uint32_t>(tree_.indices.size());
    for (text_view label : leading) {
      index_term t;
      t.name = made_.keep(text() << "..." << label);
      t.offset = tree_.indices[r.first].offset;
      tree_.indices.push_back(t);
    }
    for (std::uint32_t i = 1; i < r.count; ++i) {
      const index_term t = tree_.indices[r.first + i];
      tree_.indices.push_back(t);
    }
    return {first, static_cast<std::uint32_t>(tree_.indices.size()) - first};
  }

  // --- attributes -------------------------------------------------------------------------------

  constexpr rule_input call() const { return {{}, attributes_, nullptr, nullptr, &signature_}; }
  constexpr bool number_of(text_view name, double& out) const {
    return find_number(call(), name, out);
  }
  constexpr void as_number(equation_node& n) const {
    if (n.labelled || !number_of(n.name, n.number)) return;
    n.kind = equation_kind::number;
  }
  // Attributes of the definition's calls, and extents, may be attributes of the node.
  constexpr error settle_attributes() {
    const auto fail = [&](text_view name) {
      return make_error(errc::bad_equation, name,
                        (text() << "is no number among the attributes of " << kernel_.name).view());
    };
    double number = 0;
    text missing;
    if (!settle_numbers(call(), tree_.attributes, missing)) return fail(missing.view());
    for (equation_statement& s : tree_.statements) {
      if (s.kind != equation_statement_kind::axis || s.type.shape.rank == 0) continue;
      if (const extent e = s.type.shape[0]; e.is_symbol()) {
        const text name = to_text(e.name());
        if (!number_of(name.view(), number) || !(number >= 0 && number < 2147483648))
          return fail(name.view());
        s.type.shape = shape::of(static_cast<std::int64_t>(number));
      }
    }
    return {};
  }

  const kernel_spec& kernel_;
  const signature& signature_;
  text_store& made_;
  view<attribute_value> attributes_;
  equation_program tree_;
  text_view source_;
  table<std::uint32_t> trailing_;  // by operand
  table<text_view> leading_;       // indices of the call, those of all operands
  table<named_tensor> named_;
  table<index_meaning> meanings_;
  std::uint32_t result_ = none;
  table<text_view> result_labels_;
};

}  // namespace wf::logic::detail
