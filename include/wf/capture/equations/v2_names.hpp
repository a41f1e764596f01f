// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/equations/v2_scope.hpp>

namespace wf::detail {

/// What names of the v2 dialect stand for: constants, functions, and in the body of a function that
/// replaces a call its arguments and local names.
class v2_names : public call_builder {
 public:
  constexpr explicit v2_names(text_view source) : call_builder(source) {
    v2_unit program;
    program.source = source;
    units_.push_back(static_cast<v2_unit&&>(program));
  }

 protected:
  // True where calls are not replaced, and names stand for themselves.
  constexpr bool only_checks() const { return collects_ || declaring_ != nullptr; }
  static constexpr bool is_keyword(text_view name) {
    for (text_view known :
         {text_view("import"), text_view("export"), text_view("param"), text_view("axis"),
          text_view("const"), text_view("fn"), text_view("let"), text_view("when"),
          text_view("case"), text_view("default"), text_view("reduce")})
      if (known == name) return true;
    return false;
  }
  constexpr bool is_free(text_view name, std::size_t where) {
    if (name.empty()) return fail_at(where, "a name is missing");
    return call_builder::is_free(name, is_keyword(name), where);
  }

  // --- constants --------------------------------------------------------------------------------

  constexpr const v2_unit::constant* constant_named(text_view name) const {
    for (const v2_unit::constant& c : units_[unit_].constants)
      if (c.name == name) return &c;
    return nullptr;
  }
  // Adds an operation; one on two numbers becomes their result, if that is finite.
  constexpr std::uint32_t fold(equation_kind kind, std::size_t at, std::uint32_t a,
                               std::uint32_t b) {
    const equation_node &left = out_.nodes[a], &right = out_.nodes[b];
    double made = 0;
    if (left.kind != equation_kind::number || right.kind != equation_kind::number ||
        !folded(kind, left.number, right.number, made))
      return add(kind, at, a, b);
    const std::uint32_t offset = left.offset;
    if (b == a + 1 && b + 1 == out_.nodes.size()) out_.nodes.resize(a);
    return add_number(made, offset);
  }
  static constexpr bool folded(equation_kind kind, double a, double b, double& out) {
    switch (kind) {
      case equation_kind::sum:
        return out = a + b, true;
      case equation_kind::difference:
        return out = a - b, true;
      case equation_kind::product:
        return finite_product(a, b, out);
      case equation_kind::quotient:
        // The quotient itself, not a product with a rounded reciprocal.
        if (double test = 0; !whole_power(b, -1, test) || !finite_product(a, test, test))
          return false;
        return out = a / b, true;
      case equation_kind::power:
        return whole_power(a, b, out);
      default:
        return false;
    }
  }
  constexpr std::uint32_t negated(std::size_t at, std::uint32_t a) {
    if (out_.nodes[a].kind != equation_kind::number) return add(equation_kind::negation, at, a);
    out_.nodes[a].number = -out_.nodes[a].number;
    return a;
  }

  // --- functions --------------------------------------------------------------------------------

  // The function of a name in this text; `none` if there is none.
  constexpr std::uint32_t function_named(text_view name) const {
    for (const v2_unit::known_function& f : units_[unit_].functions)
      if (f.name == name) return f.function;
    return none;
  }
  constexpr table<text_view> functions() const {
    table<text_view> known;
    for (const v2_unit::known_function& f : units_[unit_].functions) known.push_back(f.name);
    return known;
  }
  constexpr bool know_function(text_view name, std::uint32_t function, std::size_t where) {
    if (function_named(name) != none)
      return refuse(where, text() << "function '" << name << "' is defined twice");
    units_[unit_].functions.push_back({name, function});
    return true;
  }

  // --- bodies -----------------------------------------------------------------------------------

  constexpr text_view local_name(const v2_call& c, text_view name) {
    return out_.made.keep(text() << "__fn" << c.number << "_" << name);
  }

  // Binds a formal of a function to an argument of a call, which gets a name if it is more than a
  // reference.
  constexpr bool bind(v2_call& c, const v2_name& formal, std::uint32_t argument) {
    v2_name operand;
    const std::uint32_t offset = out_.nodes[argument].offset;
    operand.axes = axes_of(out_, argument);
    if (is_plain(out_.nodes[argument], operand.axes.size())) {
      operand.name = out_.nodes[argument].name;
    } else {
      operand.name = local_name(c, formal.name);
      equation_statement s;
      s.offset = offset;
      s.name = operand.name;
      s.labelled = !operand.axes.empty();
      s.root = argument;
      if (!list(operand.axes, offset, s.indices)) return false;
      out_.statements.push_back(s);
    }
    if (operand.axes.size() < formal.axes.size())
      return refuse(offset, text("Function argument has fewer axes than formal dims"));
    const std::size_t leading = operand.axes.size() - formal.axes.size();
    add_missing(c.leading, view<text_view>(operand.axes).part(0, leading));
    for (std::size_t i = 0; i < formal.axes.size(); ++i) {
      bool known = false;
      for (const v2_call::bound_axis& a : c.axes) {
        if (!(a.inside == formal.axes[i])) continue;
        known = true;
        if (!(a.outside == operand.axes[leading + i]))
          return refuse(offset, text() << "Inconsistent binding for axis '" << a.inside
                                       << "' across arguments");
      }
      if (!known) c.axes.push_back({formal.axes[i], operand.axes[leading + i]});
    }
    c.operands.push_back(static_cast<v2_name&&>(operand));
    return true;
  }
  // True for a reference whose indices are different names.
  constexpr bool is_plain(const equation_node& n, std::size_t axes) const {
    if (n.kind != equation_kind::reference || n.indices.count != axes) return false;
    for (std::uint32_t i = 0; i < n.indices.count; ++i)
      if (!out_.indices[n.indices.first + i].is_plain()) return false;
    return true;
  }
  // Appends an index list of names.
  constexpr bool list(const label_list& axes, std::uint32_t offset, range& out) {
    if (axes.size() > max_rank) return fail_at(offset, "at most 8 indices");
    out = {static_cast<std::uint32_t>(out_.indices.size()),
           static_cast<std::uint32_t>(axes.size())};
    for (text_view axis : axes) {
      index_term t;
      t.name = axis;
      t.offset = offset;
      out_.indices.push_back(t);
    }
    return true;
  }

  // What an axis of the body is called outside. One that no argument binds keeps its name, unless
  // an axis of an argument has it.
  constexpr bool outside(text_view axis, std::size_t where, text_view& out) {
    out = axis;
    for (const v2_call::bound_axis& a : call_->axes)
      if (a.inside == axis) return out = a.outside, true;
    if (!call_->has_outside(axis)) return true;
    if (has_label(functions_[call_->function].result.axes, axis))
      return refuse(where, text() << "the result of function '" << functions_[call_->function].name
                                  << "' has an axis '" << axis << "', as an argument has");
    out = local_name(*call_, axis);
    call_->axes.push_back({axis, out});
    return true;
  }
  // The declaration of a local name of the body that is being read; null if there is none.
  static constexpr const v2_name* named(const table<v2_name>& among, text_view name) {
    for (const v2_name& each : among)
      if (each.name == name) return &each;
    return nullptr;
  }

  // Replaces a name of the body that is being read, and its indices, by what they stand for.
  constexpr bool rename(text_view& name, bool& labelled, range& indices, std::size_t where) {
    const v2_function& f = functions_[call_->function];
    const v2_name* const formal = named(f.formals, name);
    const v2_name* const local = formal == nullptr ? named(f.locals, name) : nullptr;
    const v2_name* const own = formal != nullptr ? formal : local;
    if (own == nullptr && !labelled) return bare(name);
    if (own != nullptr && !labelled && !list(own->axes, static_cast<std::uint32_t>(where), indices))
      return false;
    if (own != nullptr && indices.count != own->axes.size())
      return refuse(where, text() << "'" << name << "' has " << own->axes.size()
                                  << (own->axes.size() == 1 ? " index" : " indices") << ", not "
                                  << indices.count);
    label_list leading;
    if (formal != nullptr) {
      const v2_name& operand = call_->operands[static_cast<std::size_t>(formal - f.formals.data())];
      leading.append(
          view<text_view>(operand.axes).part(0, operand.axes.size() - formal->axes.size()));
      name = operand.name;
    } else if (local != nullptr) {
      if (!further_axes(*local, where, leading)) return false;
      name = local_name(*call_, name);
    }
    table<index_term> terms;
    append_names(leading, where, terms);
    for (std::uint32_t i = 0; i < indices.count; ++i) {
      index_term t = out_.indices[indices.first + i];
      if (t.kind == index_kind::axis && !outside(t.name, t.offset, t.name)) return false;
      terms.push_back(t);
    }
    if (terms.size() > max_rank) return fail_at(where, "at most 8 indices");
    out_.indices.resize(indices.first);
    indices.count = static_cast<std::uint32_t>(terms.size());
    for (const index_term& t : terms) out_.indices.push_back(t);
    labelled = own == nullptr ? labelled : indices.count != 0;
    return true;
  }
  // The axes of arguments that a local name has before its own, which are given once each.
  constexpr bool further_axes(const v2_name& local, std::size_t where, label_list& out) {
    label_list own;
    for (text_view axis : local.axes) {
      if (!outside(axis, where, axis)) return false;
      own.push_back(axis);
    }
    for (text_view axis : call_->leading)
      if (!has_label(own, axis)) out.push_back(axis);
    return true;
  }
  // A name alone that the function does not declare may be an axis: even(i).
  constexpr bool bare(text_view& name) const {
    for (const v2_call::bound_axis& a : call_->axes)
      if (a.inside == name) return name = a.outside, true;
    return true;
  }
  static constexpr void append_names(view<text_view> axes, std::size_t where,
                                     table<index_term>& to) {
    for (text_view axis : axes) {
      index_term t;
      t.name = axis;
      t.offset = static_cast<std::uint32_t>(where);
      to.push_back(t);
    }
  }

  static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

  table<v2_unit> units_;  // the program first
  table<v2_function> functions_;
  std::uint32_t unit_ = 0;            // the text that is being read
  v2_call* call_ = nullptr;           // the call whose body is being read
  bool collects_ = false;             // while declarations are being found
  v2_function* declaring_ = nullptr;  // the function whose definition is being read
};

}  // namespace wf::detail
