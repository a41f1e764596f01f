// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/equations/text.hpp>
#include <wf/core/text/spelling.hpp>
#include <wf/logic/program/forms.hpp>
#include <wf/logic/program/functions.hpp>

namespace wf::logic {

/// What is asked of a program: the entries of one tensor at some positions. A term is a constant, a
/// symbol, or a variable as it is; a variable that stands twice asks for equal positions.
struct query {
  std::uint32_t tensor = none;  ///< number in the program
  table<term> terms;            ///< by position of the tensor; variables are numbered from 0
  std::uint32_t variables = 0;  ///< number of variables
  text source;                  ///< as written
};

/// True if every term is a variable of its own: all entries are wanted. O(rank²).
constexpr bool wants_all(const query& q) { return q.variables == q.terms.size(); }

namespace detail {

/// Reads the text of a query as the right side of an equation.
class query_reader {
 public:
  constexpr query_reader(text_view source, const tensor_program& p) : source_(source), program_(p) {
    equation_ << prefix << source;
  }

  constexpr result<query> read() {
    auto tree = parse_equations(equation_.view());
    if (!tree) return moved(tree.error());
    if (tree->statements.size() != 1 || !is_entry(tree->nodes[tree->statements[0].root]))
      return refuse(0, "a query names one tensor with its indices: Path('a', y) or D[3, y]");
    const equation_node& n = tree->nodes[tree->statements[0].root];
    const registry operators = rule_registry();
    name_table names(*tree, operators);
    if (error e = declare(n.name, names); e.code != errc::none) return e;
    form_reader forms(*tree, equation_.view(), names);
    atom_form found;
    if (!(n.kind == equation_kind::call ? forms.relation(n, found) : forms.reference(n, found)))
      return moved(forms.failure());
    return numbered(n, found);
  }

 private:
  static constexpr text_view prefix = "q += ";

  static constexpr bool is_entry(const equation_node& n) {
    return n.kind == equation_kind::reference || n.kind == equation_kind::call;
  }
  // A slice has its text as its name.
  static constexpr bool is_slice(text_view name) { return name.find(':', 0) < name.size(); }
  constexpr error refuse(std::uint32_t offset, text_view message) const {
    return make_error(errc::bad_equation, "", message, position_at(source_, offset));
  }
  // An error of the equation, as one of the query.
  static constexpr error moved(error e) {
    const auto by = static_cast<std::uint32_t>(prefix.size());
    if (e.where.line == 1 && e.where.offset >= by) e.where.offset -= by, e.where.column -= by;
    return e;
  }

  // Makes the rank and kind of the tensor known to the reader of indices.
  constexpr error declare(text_view name, name_table& names) {
    table<text_view> known;
    for (std::uint32_t t = 0; t < program_.tensors.size(); ++t) {
      const tensor_info& info = program_.tensors[t];
      if (info.temporary || !info.ranked) continue;
      known.push_back(info.name.view());
      if (!(info.name.view() == name)) continue;
      out_.tensor = t;
      names.tensors()[names.add(name)] = info;
    }
    if (out_.tensor != none) return {};
    return make_error(errc::bad_equation, name, unknown_name_message("tensor", name, known).view());
  }
  constexpr result<query> numbered(const equation_node& n, const atom_form& found) {
    table<text_view> variables;
    for (std::size_t i = 0; i < found.terms.size(); ++i) {
      const term_form& f = found.terms[i];
      term t;
      t.kind = f.kind;
      t.shift = f.shift;
      if (f.kind == term_kind::symbol) t.symbol = text(f.name);
      if (f.kind == term_kind::variable) {
        if (f.scale != 1 || f.shift != 0 || is_slice(f.name))
          return moved(make_error(errc::bad_equation, n.name,
                                  "an index of a query is a name, a position or a symbol",
                                  position_at(equation_.view(), n.offset)));
        while (t.variable < variables.size() &&
               (f.name == "_" || !(variables[t.variable] == f.name)))
          ++t.variable;
        if (t.variable == variables.size()) variables.push_back(f.name);
      }
      out_.terms.push_back(static_cast<term&&>(t));
    }
    out_.variables = static_cast<std::uint32_t>(variables.size());
    out_.source = text(source_);
    return static_cast<query&&>(out_);
  }

  text_view source_;
  const tensor_program& program_;
  text equation_;
  query out_;
};

}  // namespace detail

/// The query of a text such as `Path('a', y)` or `D[3, y]`, where `_` is any position and a tensor
/// without indices stands alone. Errors, with positions in the text: `equation_syntax`;
/// `bad_equation` for an unknown tensor, or another number or kind of indices than the program's.
/// O(length + tensors).
constexpr result<query> read_query(text_view source, const tensor_program& program) {
  return detail::query_reader(source, program).read();
}

}  // namespace wf::logic
