// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/equations/text.hpp>
#include <wf/logic/program/axes.hpp>
#include <wf/logic/program/functions.hpp>
#include <wf/logic/program/lowering.hpp>

namespace wf::logic {

namespace detail {

/// Turns a syntax tree into a program.
class program_lowering {
 public:
  constexpr program_lowering(const equation_program& p, text_view source, const registry& operators)
      : tree_(p), source_(source), names_(tree_, operators), forms_(tree_, source, names_) {}
  program_lowering(const program_lowering&) = delete;
  program_lowering& operator=(const program_lowering&) = delete;

  constexpr result<tensor_program> run(view<text_view> inputs) {
    for (text_view name : inputs) names_.declare(name);
    out_.made = tree_.made;
    if (!supported() || !declarations() || !steps()) return forms_.failure();
    for (std::uint32_t i = 0; i < tree_.statements.size(); ++i)
      if (tree_.statements[i].kind == equation_statement_kind::sink && !sink(i))
        return forms_.failure();
    rule_lowering rules(tree_, names_, forms_, out_);
    for (const equation_statement& s : tree_.statements)
      if (s.kind == equation_statement_kind::definition && !rules.definition(s))
        return forms_.failure();
    if (!exports()) return forms_.failure();
    for (tensor_file& f : out_.sinks) names_.tensors()[f.tensor].exported = true;
    out_.tensors.swap(names_.tensors());
    for (const rule& r : out_.rules)
      if (tensor_info& t = out_.tensors[r.head.tensor]; t.stepped && t.produced < r.head.step)
        t.produced = r.head.step;
    for (const rule& r : out_.rules)
      if (error e = check_steps(r); e.code != errc::none) return e;
    if (error e = settle_axes(out_, tree_, source_, rules.axes()); e.code != errc::none) return e;
    if (error e = check_indices(out_, source_); e.code != errc::none) return e;
    return static_cast<tensor_program&&>(out_);
  }

 private:
  // A rule reads no step that no rule has computed.
  constexpr error check_steps(const rule& r) const {
    for (const range part : {r.joins, r.negations, r.lookups})
      for (std::uint32_t i = 0; i < part.count; ++i) {
        const atom& a = out_.atoms[part.first + i];
        const tensor_info& t = out_.tensors[a.tensor];
        if (!t.stepped || a.step <= t.produced) continue;
        return make_error(
            errc::bad_equation, t.name.view(),
            (text() << "is read " << a.step << " steps ahead, and computed " << t.produced).view(),
            position_at(source_, a.offset));
      }
    return {};
  }
  // Refuses what rules cannot say.
  constexpr bool supported() {
    for (const equation_node& n : tree_.nodes)
      if (n.kind > equation_kind::parity && n.kind != equation_kind::list &&
          n.kind != equation_kind::keyword)
        return forms_.fail(n.offset,
                           (text() << "a rule has no place for " << name_of(n.kind)).view());
    return true;
  }
  // Inputs with their types, and the names that definitions give.
  constexpr bool declarations() {
    for (const equation_statement& s : tree_.statements) {
      if (s.kind == equation_statement_kind::repetition)
        return forms_.fail(
            s.offset,
            "a recursion of rules begins with nothing and ends where nothing changes: "
            "rounds and tolerance are options of the evaluation");
      if (s.kind == equation_statement_kind::opaque)
        return forms_.fail(s.offset, "opaque functions are no part of programs of rules");
      if (s.kind == equation_statement_kind::parameter) names_.declare(s.name);
      if (s.kind == equation_statement_kind::source && !source(s)) return false;
      if (s.kind == equation_statement_kind::input) {
        names_.declare(s.name);
        tensor_info& t = names_.tensors()[names_.find(s.name)];
        if (t.ranked)
          return forms_.fail(s.offset, (text() << s.name << " is declared twice").view());
        t.ranked = true;
        t.rank = s.type.shape.rank;
        t.boolean = s.type.type == dtype::boolean;
        t.offset = s.offset;
      }
    }
    for (const equation_statement& s : tree_.statements)
      if (s.kind == equation_statement_kind::definition && !defined(s)) return false;
    for (const equation_statement& s : tree_.statements)
      if (s.kind == equation_statement_kind::axis && !s.function.empty()) members(s);
    return true;
  }
  // An input that a file has.
  constexpr bool source(const equation_statement& s) {
    names_.declare(s.name);
    for (const tensor_file& f : out_.sources)
      if (names_.tensors()[f.tensor].name.view() == s.name)
        return forms_.fail(s.offset, (text() << s.name << " is read from two files").view());
    atom_form head;
    bool initial = false;
    if (!forms_.head(s, head, initial)) return false;
    out_.sources.push_back({text(s.path), head.tensor, 0});
    return true;
  }
  // A result that goes to a file: a tensor as it is, else the definition of one of its own.
  constexpr bool sink(std::uint32_t number) {
    equation_statement& s = tree_.statements[number];
    tensor_file file{text(s.path), none, 0};
    std::uint32_t root = s.root;
    if (const equation_node& n = tree_.nodes[root];
        n.kind == equation_kind::call && n.name == "topk" && n.children.count != 0) {
      const rule_input node{
          {}, view<attribute_value>(tree_.attributes).part(n.attributes.first, n.attributes.count)};
      double top = node.real("k", 5);
      if (n.children.count > 1) top = tree_.nodes[child_of(tree_, n, 1)].number;
      if (!(top >= 1 && top < 1e9)) return forms_.fail(n.offset, "topk takes a number from 1 on");
      file.top = static_cast<std::uint64_t>(top);
      root = child_of(tree_, n, 0);
    }
    table<text_view> labels;
    const index_uses uses(tree_, names_, forms_);
    table<text_view> all;
    uses.collect_free(root, all);
    wf::detail::add_missing(labels, all);
    const equation_node& n = tree_.nodes[root];
    const bool alone = n.kind == equation_kind::reference && all.size() == n.indices.count &&
                       labels.size() == all.size();
    if (!alone) {
      text name("#sink");
      name << out_.sinks.size() + 1;
      s.kind = equation_statement_kind::definition;
      s.name = out_.made.keep(static_cast<text&&>(name));
      s.root = root;
      s.labelled = true;
      s.indices = {static_cast<std::uint32_t>(tree_.indices.size()),
                   static_cast<std::uint32_t>(labels.size())};
      for (text_view label : labels) {
        tree_.indices.push_back({});
        tree_.indices.back().name = label;
      }
      if (!defined(s)) return false;
    }
    file.tensor = names_.add(alone ? n.name : s.name);
    out_.sinks.push_back(static_cast<tensor_file&&>(file));
    return true;
  }
  // The relation that lists the positions of an axis may stand nowhere else.
  constexpr void members(const equation_statement& s) {
    tensor_info& t = names_.tensors()[names_.add(s.function)];
    if (t.defined || t.ranked) return;
    t.boolean = t.ranked = true;
    t.rank = 1;
    t.offset = s.offset;
  }
  constexpr bool defined(const equation_statement& s) {
    tensor_info& t = names_.tensors()[names_.add(s.name)];
    if (!t.defined && t.ranked)
      return forms_.fail(s.offset, (text() << s.name << " is an input").view());
    const bool sums = s.adds || (s.projection == projection::plain && !s.boolean);
    const projection of = sums && !s.boolean ? projection::sum : s.projection;
    // A name that is Boolean in one equation only has a message of its own, when it is read.
    const bool plain = t.projection <= projection::sum && s.projection == projection::plain;
    tensor_info made;
    made.projection = s.projection;
    if (of == projection::combined && !combines(s, made)) return false;
    if (t.defined && (t.projection != of || !(t.combining.view() == made.combining.view())) &&
        !plain)
      return forms_.fail(s.offset,
                         (text() << s.name << " has equations with '" << out_.sign_of(t).view()
                                 << "' and '" << out_.sign_of(made).view() << "'")
                             .view());
    t.defined = true;
    t.projection = of;
    t.combining = static_cast<text&&>(made.combining);
    t.idempotent = made.idempotent;
    t.zero = made.zero;
    return true;
  }
  // Finds the operator of a sign of its own.
  constexpr bool combines(const equation_statement& s, tensor_info& out) {
    const kernel_spec* const k = names_.operator_of(s.function);
    if (k == nullptr) return forms_.fail(s.offset, names_.unknown(s.function).view());
    if (s.boolean) return forms_.fail(s.offset, "a Boolean left side is defined by '='");
    const law_set& laws = k->laws;
    if (!laws.elementwise || !laws.commutative || !laws.associative || !laws.has_neutral())
      return forms_.fail(s.offset, (text() << s.function
                                           << " does not state that it is elementwise, "
                                              "commutative, associative and has a neutral number: '"
                                           << s.function << "=' is no sign")
                                       .view());
    if (k->element == nullptr && k->constant == nullptr)
      return forms_.fail(s.offset,
                         (text() << s.function << " states no value for one element").view());
    out.combining = text(s.function);
    out.idempotent = laws.idempotent;
    out.zero = laws.neutral;
    return true;
  }
  constexpr bool steps() {
    for (const index_term& t : tree_.indices)
      if ((t.streams || t.kind == index_kind::initial) && !forms_.set_steps(t)) return false;
    return true;
  }
  // Without an export, what the program defines is exported.
  constexpr bool exports() {
    bool any = false;
    for (const equation_statement& s : tree_.statements) {
      if (s.kind != equation_statement_kind::exported) continue;
      any = true;
      const std::uint32_t found = names_.find(s.name);
      if (found == none) {
        table<text_view> known;
        for (const tensor_info& t : names_.tensors())
          if (!t.temporary) known.push_back(t.name.view());
        return forms_.fail(s.offset, unknown_name_message("name", s.name, known).view());
      }
      names_.tensors()[found].exported = true;
    }
    for (tensor_info& t : names_.tensors())
      if (!any && t.defined && !t.temporary) t.exported = true;
    return true;
  }

  equation_program tree_;
  text_view source_;
  name_table names_;
  form_reader forms_;
  tensor_program out_;
};

}  // namespace detail

/// The program of a syntax tree, which `parse_equations`, `parse_legacy_equations` or
/// `parse_v2_equations` made of `source`. `inputs` are names that a run will be given as tensors:
/// such a name is a relation or tensor even where an operator has it, too. An index on the left
/// that nothing on the right binds runs along its axis, which must be declared for a Boolean left
/// side. Errors, with positions: `bad_equation` for names, ranks and kinds that do not fit
/// together; `unbound_index`. O(length · log length) for rules of bounded size.
constexpr result<tensor_program> read_program(const equation_program& tree, text_view source,
                                              view<text_view> inputs = {},
                                              const registry& operators = rule_registry()) {
  return detail::program_lowering(tree, source, operators).run(inputs);
}

/// The program of a text in wf's own notation (`parse_equations`). Errors: `equation_syntax`, and
/// those of the tree, with positions.
constexpr result<tensor_program> read_program(text_view source, view<text_view> inputs = {},
                                              const registry& operators = rule_registry()) {
  const auto tree = parse_equations(source);
  if (!tree) return tree.error();
  return read_program(*tree, source, inputs, operators);
}

}  // namespace wf::logic
