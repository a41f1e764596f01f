// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include <wf/capture/equations/v2_expressions.hpp>
#include <wf/core/callable.hpp>

namespace wf {

namespace detail {

/// Finds the text of an import by its path.
using v2_texts = callable<result<text>, text_view>;

/// Parses a program of the v2 dialect by recursive descent: once to find what it declares, then for
/// its statements. Functions return false after an error, which is kept.
class v2_reader : v2_expressions<v2_reader> {
 public:
  constexpr v2_reader(text_view source, const v2_texts* texts)
      : v2_expressions(source), texts_(texts) {}

  constexpr result<equation_program> read() {
    if (!collect()) return failure();
    at_ = 0;
    while (skip_separators() && statement()) {
    }
    if (failed()) return failure();
    return static_cast<equation_program&&>(out_);
  }

 private:
  friend v2_expressions;

  /// Where reading goes on after another text.
  struct place {
    std::size_t at = 0;
    std::uint32_t brackets = 0, unit = 0;
    bool collects = false;
  };
  static constexpr std::size_t max_characters = std::size_t{1} << 22;

  // Reads the declarations of the text, and checks its grammar.
  constexpr bool collect() {
    collects_ = true;
    while (skip_separators()) {
      const tree_mark before = mark();
      if (!statement()) return false;
      undo(before);
    }
    collects_ = false;
    units_[unit_].complete = true;
    return true;
  }
  constexpr place enter(std::uint32_t unit, std::size_t at) {
    const place before{at_, brackets_, unit_, collects_};
    unit_ = unit;
    source_ = units_[unit].source;
    at_ = at;
    brackets_ = 0;
    return before;
  }
  // Returns to a place. Errors in another text are told there, at `where`.
  constexpr void leave(const place& to, std::size_t where) {
    const bool foreign = unit_ != to.unit;
    const error e = failed() && foreign ? failure() : error{};
    const text_view path = units_[unit_].path;
    unit_ = to.unit;
    source_ = units_[unit_].source;
    at_ = to.at;
    brackets_ = to.brackets;
    collects_ = to.collects;
    if (e.code != errc::none)
      fail_at(where,
              (text() << "in \"" << path << "\", line " << e.where.line << ", column "
                      << e.where.column << ": " << e.message.view())
                  .view(),
              e.code);
  }

  // --- statements -------------------------------------------------------------------------------

  constexpr bool statement() {
    equation_statement s;
    s.offset = offset();
    if (peek() == '{') return block();
    const text_view word = take_name();
    if (word == "import") return import(s.offset);
    if (word == "export") return exported(s);
    if (word == "param") return parameter(s);
    if (word == "axis") return axis(s);
    if (word == "const") return constant();
    if (word == "fn") return function();
    if (word != "let") at_ = s.offset;
    return definition(s) && end_of_statement();
  }
  constexpr bool end_of_statement() {
    return at_end_of_statement() || peek() == '}' || fail("the statement should end here");
  }
  constexpr bool block() {
    if (++depth_ > max_depth) return fail("blocks are nested too deeply");
    for (++at_; skip_separators();) {
      if (take('}')) return --depth_, true;
      if (!statement()) return false;
    }
    return fail("'}' is missing after a block");
  }
  // A name that nothing else has.
  constexpr bool own_name(text_view& out) {
    skip();
    const std::size_t first = at_;
    out = take_name();
    return is_free(out, first);
  }

  constexpr bool exported(equation_statement s) {
    s.kind = equation_statement_kind::exported;
    skip();
    s.offset = offset();
    if (!own_name(s.name)) return false;
    out_.statements.push_back(s);
    return end_of_statement();
  }

  // param n, param n : f64, param n = 3
  constexpr bool parameter(equation_statement s) {
    s.kind = equation_statement_kind::parameter;
    skip();
    s.offset = offset();
    if (!own_name(s.name)) return false;
    s.type = value_type{dtype::unknown, {}, shape::unknown()};
    if (take(':')) {
      skip();
      const std::size_t first = at_;
      const text_view type = take_name();
      s.type.type = type == "float"  ? dtype::f64
                    : type == "int"  ? dtype::i64
                    : type == "bool" ? dtype::boolean
                                     : dtype_named(type);
      if (s.type.type == dtype::unknown) return fail_at(first, "wf knows no such element type");
    }
    if (take('=')) return declare(s.name, s.offset);
    out_.statements.push_back(s);
    return end_of_statement();
  }
  // const k = expression
  constexpr bool constant() {
    text_view name;
    skip();
    const std::size_t first = at_;
    if (!own_name(name)) return false;
    return expect('=', "'=' is missing after the constant's name") && declare(name, first);
  }
  constexpr bool declare(text_view name, std::size_t where) {
    double value = 0;
    if (!folded_number(value)) return false;
    if (collects_) {
      if (constant_named(name) != nullptr)
        return refuse(where, text() << "constant '" << name << "' is defined twice");
      units_[unit_].constants.push_back({name, value});
    }
    return end_of_statement();
  }
  constexpr bool folded_number(double& out) {
    skip();
    const std::size_t first = at_;
    std::uint32_t root = 0;
    if (!expression(root)) return false;
    out = out_.nodes[root].number;
    return out_.nodes[root].kind == equation_kind::number ||
           refuse(first, text("a constant consists of numbers, constants defined before it and "
                              "+ - * / **, with finite values"));
  }

  // axis i, axis i = 10
  constexpr bool axis(equation_statement s) {
    s.kind = equation_statement_kind::axis;
    if (!own_name(s.name)) return false;
    if (!take('=')) return end_of_statement();
    skip();
    const std::size_t first = at_;
    double value = 0;
    if (!folded_number(value)) return false;
    const bool whole = value >= 0 && value < 9.0e15 &&
                       static_cast<double>(static_cast<std::int64_t>(value)) == value;
    const extent e(whole ? static_cast<std::int64_t>(value) : 0);
    if (!whole || !e.is_fixed())
      return refuse(first, text("the extent of an axis is a whole number"));
    s.type.shape.push_back(e);
    out_.statements.push_back(s);
    return end_of_statement();
  }

  // lhs = e, lhs when guard = e
  constexpr bool definition(equation_statement s) {
    v2_name left;
    skip();
    s.offset = offset();
    if (!left_side(s, left)) return false;
    std::size_t when = 0;
    std::uint32_t guard = 0;
    if (take_word("when")) {
      when = at_ - 4;
      if (!expression(guard)) return false;
    }
    if (!expect('=', "'=' is missing after the left side") || !expression(s.root)) return false;
    if (when != 0) s.root = add(equation_kind::product, when, s.root, guard);
    out_.statements.push_back(s);
    return true;
  }
  constexpr bool left_side(equation_statement& s, v2_name& left) {
    if (!own_name(s.name)) return false;
    left.name = s.name;
    skip();
    s.labelled = peek() == '[';
    if (s.labelled && !indices(s.indices)) return false;
    name_axes(s.indices);
    left.axes = names_of_indices(out_, s.indices);
    if (declaring_ != nullptr) declaring_->locals.push_back(left);
    if (call_ != nullptr) {
      if (named(functions_[call_->function].formals, s.name) != nullptr)
        return refuse(s.offset, text() << "'" << s.name << "' is an argument of the function");
      return rename(s.name, s.labelled, s.indices, s.offset) && has_different_axes(s, left.name);
    }
    if (!only_checks() && constant_named(s.name) != nullptr)
      return refuse(s.offset, text() << "'" << s.name << "' is a constant");
    return true;
  }

  // Two axes of the function may be one of the arguments, but not both of a local name.
  constexpr bool has_different_axes(const equation_statement& s, text_view local) {
    const label_list axes = names_of_indices(out_, s.indices);
    for (text_view axis : axes)
      if (!axis.empty() && count_label(axes, axis) != 1)
        return refuse(s.offset, text() << "two axes of '" << local << "' are both '" << axis
                                       << "' in this call");
    return true;
  }

  // --- imports ----------------------------------------------------------------------------------

  // import "path", import "path" as q
  constexpr bool import(std::size_t where) {
    text_view path, space;
    if (!string(path)) return false;
    if (take_word("as") && !own_name(space)) return false;
    if (!end_of_statement()) return false;
    return !collects_ || import(path, space, where);
  }
  constexpr bool import(text_view path, text_view space, std::size_t where) {
    std::uint32_t unit = 0;
    while (unit < units_.size() && !(units_[unit].path == path && unit != 0)) ++unit;
    if (unit == units_.size() && !load(path, where)) return false;
    if (!units_[unit].complete) return refuse(where, text() << "\"" << path << "\" imports itself");
    for (std::uint32_t f = 0; f < functions_.size(); ++f) {
      if (functions_[f].unit != unit) continue;
      text_view name = functions_[f].name;
      if (!space.empty()) name = out_.made.keep(text() << space << "::" << name);
      if (!know_function(name, f, where)) return false;
    }
    return true;
  }
  constexpr bool load(text_view path, std::size_t where) {
    if (texts_ == nullptr)
      return refuse(where, text() << "nothing says where the text of \"" << path
                                  << "\" is: give the parser a function that finds it");
    if (++depth_ > max_depth) return fail_at(where, "imports are nested too deeply");
    result<text> found = (*texts_)(path);
    if (!found)
      return refuse(where, text() << "\"" << path
                                  << "\" cannot be imported: " << found.error().message.view());
    v2_unit unit;
    unit.path = path;
    unit.source = out_.made.keep(static_cast<text&&>(*found));
    units_.push_back(static_cast<v2_unit&&>(unit));
    const place before = enter(static_cast<std::uint32_t>(units_.size() - 1), 0);
    const bool fine = collect();
    leave(before, where);
    --depth_;
    return fine;
  }

  // --- functions --------------------------------------------------------------------------------

  // fn q::f(a[i], b) -> c[i] { c[i] = a[i] * b }
  constexpr bool function() {
    v2_function f;
    skip();
    const std::size_t first = at_;
    f.name = take_path();
    f.unit = unit_;
    if (!is_free(f.name, first)) return false;
    if (!expect('(', "'(' is missing after the function's name")) return false;
    ++brackets_;
    for (bool more = !take(')'); more;) {
      if (!formal(f)) return false;
      more = !take(')');
      if (more && !expect(',', "',' or ')' is missing after an argument")) return false;
    }
    --brackets_;
    f.has_result = take("->");
    skip();
    const std::size_t result_at = at_;
    if (f.has_result && !signature_name(f.result)) return false;
    if (!expect('{', "'{' and the function's body are missing")) return false;
    f.body = at_;
    const tree_mark before = mark();
    declaring_ = &f;
    const bool fine = body();
    declaring_ = nullptr;
    undo(before);
    if (!fine || !collects_) return fine;
    if (f.has_result && !has_result(f, result_at)) return false;
    const text_view name = f.name;
    functions_.push_back(static_cast<v2_function&&>(f));
    return know_function(name, static_cast<std::uint32_t>(functions_.size() - 1), first);
  }
  constexpr bool formal(v2_function& f) {
    skip();
    const std::size_t first = at_;
    v2_name n;
    if (!signature_name(n)) return false;
    if (named(f.formals, n.name) != nullptr)
      return refuse(first, text() << "the function has two arguments '" << n.name << "'");
    f.formals.push_back(static_cast<v2_name&&>(n));
    return true;
  }
  // A name with names of indices.
  constexpr bool signature_name(v2_name& out) {
    if (!own_name(out.name)) return false;
    skip();
    if (peek() != '[') return true;
    range r;
    const tree_mark before = mark();
    if (!indices(r)) return false;
    for (std::uint32_t i = 0; i < r.count; ++i)
      if (const index_term& t = out_.indices[r.first + i]; !t.is_plain())
        return refuse(t.offset, text("the indices of an argument or result are names"));
    out.axes = names_of_indices(out_, r);
    undo(before);
    return true;
  }
  constexpr bool has_result(const v2_function& f, std::size_t where) {
    table<text_view> known;
    for (const v2_name& n : f.formals) known.push_back(n.name);
    for (const v2_name& n : f.locals) known.push_back(n.name);
    for (text_view name : known)
      if (name == f.result.name) return true;
    return refuse(where, unknown_name_message("result", f.result.name, known));
  }
  // The statements of a function up to '}'.
  constexpr bool body() {
    while (skip_separators()) {
      if (take('}')) return true;
      const std::size_t first = at_;
      if (peek() == '{' || is_impure(take_name()))
        return refuse(first, text("Only let/equations are allowed in pure functions"));
      at_ = first;
      (void)take_word("let");
      if (!definition({}) || !end_of_statement()) return false;
    }
    return fail("'}' is missing after the function's body");
  }
  static constexpr bool is_impure(text_view word) {
    for (text_view known : {text_view("import"), text_view("export"), text_view("param"),
                            text_view("axis"), text_view("const"), text_view("fn")})
      if (known == word) return true;
    return false;
  }

  // Replaces a call by the result of the function, whose body is read here.
  constexpr bool inlined(const equation_node& n, std::uint32_t function, call_form& form,
                         std::uint32_t& out) {
    const v2_function& f = functions_[function];
    if (form.named.size() + form.attributes.size() != 0)
      return refuse(n.offset, text() << "Function '" << f.name << "' takes no arguments by name");
    if (form.arguments.size() != f.formals.size())
      return refuse(n.offset, text() << "Function '" << f.name << "' expects " << f.formals.size()
                                     << " args; got " << form.arguments.size());
    if (!f.has_result)
      return refuse(n.offset, text() << "Function '" << f.name << "' missing return declaration");
    for (const v2_call* c = call_; c != nullptr; c = c->outer)
      if (c->function == function)
        return refuse(n.offset, text() << "function '" << f.name << "' calls itself");
    if (characters_ > max_characters)
      return refuse(n.offset, text("the bodies of functions make the program too long"));
    v2_call call;
    call.outer = call_;
    call.function = function;
    call.number = ++calls_;
    call.offset = n.offset;
    for (std::size_t i = 0; i < f.formals.size(); ++i)
      if (!bind(call, f.formals[i], form.arguments[i])) return false;
    if (out_.statements.size() == form.before.statements) undo(form.before);
    return replaced(n, f, call, out);
  }
  constexpr bool replaced(const equation_node& n, const v2_function& f, v2_call& call,
                          std::uint32_t& out) {
    const tree_mark before = mark();
    const place back = enter(f.unit, f.body);
    v2_call* const outer = call_;
    call_ = &call;
    bool fine = body();
    characters_ += at_ - f.body;
    const bool foreign = unit_ != back.unit;
    leave(back, n.offset);
    equation_node made = node_of(equation_kind::reference, n.offset);
    made.name = f.result.name;
    made.labelled = !f.result.axes.empty();
    fine = fine && (!made.labelled || list(f.result.axes, n.offset, made.indices)) &&
           rename(made.name, made.labelled, made.indices, n.offset);
    call_ = outer;
    if (!fine) return false;
    out = add(made);
    if (foreign) locate(before, n.offset);
    return true;
  }
  // Gives what an imported text made the position of the call.
  constexpr void locate(const tree_mark& from, std::uint32_t offset) {
    for (std::size_t i = from.statements; i < out_.statements.size(); ++i)
      out_.statements[i].offset = offset;
    for (std::size_t i = from.nodes; i < out_.nodes.size(); ++i) out_.nodes[i].offset = offset;
    for (std::size_t i = from.indices; i < out_.indices.size(); ++i)
      out_.indices[i].offset = offset;
  }

  const v2_texts* texts_ = nullptr;
  std::uint32_t calls_ = 0;     // that were replaced
  std::size_t characters_ = 0;  // of bodies that were read
};

}  // namespace detail

/// Parses a program of the v2 dialect of tensor logic, with statements on lines of their own or
/// separated by `;`: `y[i] = e`, `y[i] when g[i] = e`, `let`, blocks in braces, `export`, `param`,
/// `const`, `axis` and `fn f(a[i]) -> s { s = a[i] }`. Expressions consist of `c ? a : b`, `||`,
/// `&&`, `+ -`, `* /`, `**`, unary `-` and `!`, in ascending precedence, `case { c -> a; default ->
/// b }`, `reduce(max, k) e`, which extends as far right as it can, calls and `@softmax(x)`.
/// Constants, and parameters with a default, become numbers. A call of a function is replaced by
/// its body: its arguments bind their last axes, and its local names become `__fn1_s`, with the
/// other axes of the arguments before their own. An import is an error: it needs the other
/// overload. The result refers into `source`. Errors: `equation_syntax` and `bad_equation`, with
/// their position. O(length · declarations), for the program and each body that a call reads.
constexpr result<equation_program> parse_v2_equations(text_view source) {
  return detail::v2_reader(source, nullptr).read();
}

/// The same with imports: `texts(path)` returns the text of `import "path" as q` or an error, and
/// each function `f` of it is known as `q::f`, or as `f` without a name space. An import that
/// cannot be found is an error, and so is what is wrong in it, at the position of the import or
/// call.
template <class Texts>
  requires requires(Texts& texts, text_view path) { result<text>(texts(path)); }
constexpr result<equation_program> parse_v2_equations(text_view source, Texts&& texts) {
  const callable_to<std::remove_reference_t<Texts>, result<text>, text_view> found(texts);
  return detail::v2_reader(source, &found).read();
}

}  // namespace wf
