// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/equations/builder.hpp>
#include <wf/core/text/spelling.hpp>

namespace wf::detail {

/// The functions of the legacy and v2 dialects, whose names nothing else may have.
inline constexpr text_view equation_functions[] = {
    "step",           "relu",         "sig",         "gelu", "gelu_grad", "softmax",     "lnorm",
    "layernorm",      "sin",          "cos",         "rope", "concat",    "pow",         "max",
    "amax",           "avg",          "mean",        "sum",  "topk",      "causal_mask", "const",
    "attention",      "reduce_max",   "reduce_mean", "case", "select",    "even",        "odd",
    "masked_softmax", "softmax_grad", "tucker_dense"};

/// A function of the dialects that wf has under another name.
struct renamed_function {
  text_view name, operator_name;
  std::size_t operands = 0;  ///< of how many; 0: of any number
  bool over_last = false;    ///< works along the last axis, if none is stated
};
/// Those of the legacy and v2 dialects.
inline constexpr renamed_function renamed_functions[] = {
    {"max", "max", 1, true},
    {"amax", "max", 1, true},
    {"reduce_max", "max", 1, true},
    {"avg", "mean", 1, true},
    {"mean", "mean", 1, true},
    {"reduce_mean", "mean", 1, true},
    {"sum", "sum", 1, true},
    {"layernorm", "lnorm", 0, false},
    {"layer_norm", "lnorm", 1, false},
    {"attention", "masked_attention", 4, false},
    {"causal_mask", "lower_ones", 1, false}};

/// The index function of a name in any case: "even", "odd"; empty for other names.
constexpr text_view parity_named(text_view name) {
  if (same_but_for_case(name, "even")) return "even";
  return same_but_for_case(name, "odd") ? text_view("odd") : text_view();
}

/// True for the name of a function of the legacy and v2 dialects.
constexpr bool is_equation_function(text_view name) {
  for (text_view known : equation_functions)
    if (known == name) return true;
  return !parity_named(name).empty();
}

/// Reads the calls of the legacy and v2 dialects: arguments by position and by name. Literals by
/// name become attributes, as a name given for `axis` does.
class call_builder : public equation_builder {
 public:
  constexpr explicit call_builder(text_view source) : equation_builder(source) {}

 protected:
  // Keeps an error about the meaning of names; false.
  constexpr bool refuse(std::size_t where, const text& message) {
    return fail_at(where, message.view(), errc::bad_equation);
  }
  // True if a program may define a name.
  constexpr bool is_free(text_view name, bool keyword, std::size_t where) {
    if (!keyword && !is_equation_function(name)) return true;
    return refuse(where, text() << "'" << name << "' is "
                                << (keyword ? "a keyword" : "the name of a function"));
  }

  /// The arguments of a call.
  struct call_form {
    table<std::uint32_t> arguments, named;
    table<attribute_value> attributes;
    tree_mark before;  // the tree without them
  };

  // The arguments from '(' to ')'; `argument(out)` reads one.
  template <class Argument>
  constexpr bool arguments(call_form& f, Argument argument) {
    f.before = mark();
    ++at_;
    ++brackets_;
    for (bool more = !take(')'); more;) {
      skip();
      const std::size_t first = at_;
      const text_view name = take_name();
      if (!name.empty() && take('=')) {
        if (!named_argument(name, first, f, argument)) return false;
      } else {
        at_ = first;
        std::uint32_t made = 0;
        if (!argument(made)) return false;
        f.arguments.push_back(made);
      }
      more = !take(')');
      if (more && !expect(',', "',' or ')' is missing after an argument")) return false;
      more = more && !take(')');
    }
    --brackets_;
    return true;
  }

  // The node of a call of these arguments: some functions have a kind of their own.
  constexpr bool call_of(equation_node n, call_form& f, std::uint32_t& out) {
    if (const text_view parity = parity_named(n.name); !parity.empty()) {
      n.name = parity;
      return parity_of(n, f, out);
    }
    // A constant is what it is made of.
    if (n.name == "const" && f.arguments.size() == 1 && f.attributes.size() + f.named.size() == 0) {
      out = f.arguments[0];
      return true;
    }
    n.kind = equation_kind::call;
    const std::size_t operands = f.arguments.size() + f.named.size();
    for (const renamed_function& other : renamed_functions)
      if (n.name == other.name && (other.operands == 0 || operands == other.operands)) {
        n.name = other.operator_name;
        if (other.over_last && !states(f, "axis"))
          f.attributes.push_back(attribute_value::integer("axis", -1));
        break;
      }
    for (const own_kind& own : own_kinds) {
      if (!(n.name == own.name)) continue;
      if (f.attributes.size() + f.named.size() != 0)
        return refuse(n.offset, text() << n.name << " takes no arguments by name");
      if (f.arguments.size() < own.least || f.arguments.size() > own.most)
        return refuse(n.offset, text() << n.name << " takes " << own.takes);
      n.kind = own.kind;
    }
    if (n.kind == equation_kind::call) {
      n.attributes = appended(f.attributes);
      f.arguments.append(f.named);
    } else {
      n.name = {};
    }
    out = add(n, f.arguments);
    return true;
  }

 private:
  // A function that is a kind of node, with the number of its arguments.
  struct own_kind {
    text_view name;
    equation_kind kind;
    std::size_t least, most;
    text_view takes;
  };
  static constexpr own_kind own_kinds[] = {
      {"pow", equation_kind::power, 2, 2, "two arguments: pow(a, b)"},
      {"select", equation_kind::choice, 3, 3, "three arguments: select(c, a, b)"},
      {"case", equation_kind::choice, 2, static_cast<std::size_t>(-1),
       "conditions and values: case(c, a, b)"}};

  static constexpr bool states(const call_form& f, text_view name) {
    for (const attribute_value& a : f.attributes)
      if (a.name == name) return true;
    return false;
  }

  template <class Argument>
  constexpr bool named_argument(text_view name, std::size_t first, call_form& f,
                                Argument argument) {
    bool twice = states(f, name);
    for (std::uint32_t n : f.named) twice = twice || out_.nodes[n].name == name;
    if (twice) return refuse(first, text() << "Duplicate keyword argument '" << name << "'");
    const tree_mark before = mark();
    skip();
    const std::size_t from = at_;
    std::uint32_t value = 0;
    if (!argument(value)) return false;
    attribute_value a;
    if (before.statements == out_.statements.size() &&
        is_attribute(name, value, source_.part(from, at_ - from), a)) {
      undo(before);
      f.attributes.push_back(a);
    } else {
      f.named.push_back(add(equation_kind::keyword, first, value));
      out_.nodes[f.named.back()].name = name;
    }
    return true;
  }
  constexpr bool is_attribute(text_view name, std::uint32_t root, text_view written,
                              attribute_value& out) const {
    const equation_node& n = out_.nodes[root];
    if (n.kind == equation_kind::string ||
        (n.kind == equation_kind::reference && !n.labelled && name == "axis")) {
      out = attribute_value::string(name, n.name);
      return true;
    }
    const bool negative =
        n.kind == equation_kind::negation && child(n, 0).kind == equation_kind::number;
    if (!negative && n.kind != equation_kind::number) return false;
    const double value = negative ? -child(n, 0).number : n.number;
    const bool whole = value > -9.0e15 && value < 9.0e15 && written.find('.') == written.size() &&
                       static_cast<double>(static_cast<std::int64_t>(value)) == value;
    out = whole ? attribute_value::integer(name, static_cast<std::int64_t>(value))
                : attribute_value::floating(name, value);
    return true;
  }

  // even(i), even(axis = "i")
  constexpr bool parity_of(equation_node n, const call_form& f, std::uint32_t& out) {
    index_term t;
    t.offset = n.offset;
    if (f.arguments.size() == 1) {
      const equation_node& only = out_.nodes[f.arguments[0]];
      if (only.kind == equation_kind::reference && !only.labelled) t.name = only.name;
      t.offset = only.offset;
    } else if (f.arguments.empty() && f.attributes.size() == 1 && f.attributes[0].name == "axis") {
      t.name = f.attributes[0].characters;
    }
    if (t.name.empty() || f.arguments.size() + f.attributes.size() + f.named.size() != 1)
      return refuse(n.offset, text() << n.name << " requires exactly one axis");
    undo(f.before);
    n.kind = equation_kind::parity;
    n.indices = {static_cast<std::uint32_t>(out_.indices.size()), 1};
    out_.indices.push_back(t);
    out = add(n);
    return true;
  }
};

}  // namespace wf::detail
