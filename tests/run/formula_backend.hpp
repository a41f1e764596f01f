// SPDX-License-Identifier: BSL-1.0
#pragma once

// A foreign compiler: formulas over matrices, compiled for the shapes of their arguments without
// any graph; and the same formulas for back ends that take graphs.

#include <atomic>
#include <cctype>
#include <string>
#include <vector>

#include <wf/capture/workflow.hpp>
#include <wf/compile/program.hpp>
#include <wf/run/values/named_matrices.hpp>

namespace formulas {

// A formula such as "A[M,K] x[K,1] alpha[] -> alpha * A * x": inputs and an expression.
struct formula {
  std::string characters;
  friend bool operator==(const formula&, const formula&) = default;
};
inline wf::text_view definition_name(const formula&) { return "y"; }

struct input {
  std::string name;
  std::vector<std::string> extents;
};
// The formula in postfix order: names and operators.
struct parsed {
  std::vector<input> inputs;
  std::vector<std::string> terms;
};

class reader {
 public:
  explicit reader(const std::string& source) : at_(source.c_str()) {}
  wf::result<parsed> read() {
    while (std::isalpha(next())) out_.inputs.push_back(declaration());
    if (!take('-') || !take('>')) return wrong("expected '->'");
    if (!sum() || next() != '\0') return wrong("expected a formula");
    return out_;
  }

 private:
  char next() {
    while (*at_ == ' ') ++at_;
    return *at_;
  }
  bool take(char c) { return next() == c && ++at_ != nullptr; }
  std::string word() {
    std::string out;
    next();
    while (std::isalnum(*at_)) out += *at_++;
    return out;
  }
  input declaration() {
    input out{word(), {}};
    if (take('['))
      while (!take(']') && next() != '\0') {
        if (!take(',')) out.extents.push_back(word());
      }
    return out;
  }
  bool sum() {
    if (!product()) return false;
    while (next() == '+' || next() == '-') {
      const std::string op(1, *at_++);
      if (!product()) return false;
      out_.terms.push_back(op);
    }
    return true;
  }
  bool product() {
    if (!factor()) return false;
    while (take('*')) {
      if (!factor()) return false;
      out_.terms.push_back("*");
    }
    return true;
  }
  bool factor() {
    if (take('(')) return sum() && take(')');
    out_.terms.push_back(word());
    return !out_.terms.back().empty();
  }
  static wf::error wrong(const char* why) {
    return wf::make_error(wf::errc::equation_syntax, "y", why);
  }

  const char* at_;
  parsed out_;
};
inline wf::result<parsed> parse(const formula& f) { return reader(f.characters).read(); }

inline bool is_operator(const std::string& term) { return term.size() == 1 && !isalpha(term[0]); }

// --- the foreign compiler ---

// An instruction: 'i' an input, 'c' a number, 's' a scaling, 'p' a product, '+', '-'.
struct instruction {
  char kind;
  std::string name;
  double number = 0;
  friend bool operator==(const instruction&, const instruction&) = default;
};

struct machine {
  std::vector<instruction> code;

  static wf::result<wf::type_args> types_of(const formula&, const wf::named_matrices& given,
                                            const wf::table<wf::text>& static_inputs) {
    wf::type_args out;
    for (const auto& [name, m] : given) {
      bool fixed = false;
      for (const wf::text& s : static_inputs) fixed = fixed || s.view() == name;
      if (fixed)
        out.fixed.push_back(wf::static_arg(name, m(0, 0)));
      else
        out.types.push_back(
            {wf::text(name), {wf::dtype::f64, {}, wf::shape::of(m.rows(), m.cols())}});
    }
    return out;
  }
  static wf::named_matrices without(wf::named_matrices given,
                                    const wf::table<wf::text>& static_inputs) {
    for (const wf::text& s : static_inputs) given.erase(static_cast<std::string>(s.view()));
    return given;
  }
  wf::result<wf::named_matrices> operator()(const wf::named_matrices& given) const {
    std::vector<wf::dynamic_matrix> stack;
    for (const instruction& i : code) {
      if (i.kind == 'i') {
        const auto found = given.find(i.name);
        if (found == given.end())
          return wf::make_error(wf::errc::missing_argument, i.name, "the formula reads it");
        stack.push_back(found->second);
        continue;
      }
      if (i.kind == 'c') {
        stack.push_back(wf::dynamic_matrix::Constant(1, 1, i.number));
        continue;
      }
      wf::dynamic_matrix b = stack.back();
      stack.pop_back();
      wf::dynamic_matrix& a = stack.back();
      if (i.kind == 's')
        a = a.size() == 1 ? wf::dynamic_matrix(a(0, 0) * b) : wf::dynamic_matrix(b(0, 0) * a);
      else if (i.kind == 'p')
        a = wf::dynamic_matrix(a * b);
      else
        a = i.kind == '+' ? wf::dynamic_matrix(a + b) : wf::dynamic_matrix(a - b);
    }
    return wf::named_matrices{{"y", stack.back()}};
  }
};

struct artifact {
  std::vector<instruction> code;
  std::int64_t nanoseconds = 0;
  machine load() const { return {code}; }
  friend bool operator==(const artifact&, const artifact&) = default;
};

// The number of specialisations.
inline std::atomic<int> specialised = 0;

inline wf::result<artifact> specialise(const wf::concrete<parsed, wf::type_args>& d) {
  ++specialised;
  artifact out;
  std::vector<std::pair<std::int64_t, std::int64_t>> stack;
  for (const std::string& term : d.data.terms) {
    if (!is_operator(term)) {
      bool known = false;
      for (const wf::static_argument& a : d.args.fixed)
        if (a.name.view() == term) {
          known = true;
          stack.push_back({1, 1});
          out.code.push_back({'c', "", a.is_real ? a.real : static_cast<double>(a.number)});
        }
      for (const wf::argument_type& a : d.args.types)
        if (a.name.view() == term) {
          known = true;
          const wf::shape& s = a.type.shape;
          stack.push_back({s.rank > 0 ? s[0].size() : 1, s.rank > 1 ? s[1].size() : 1});
          out.code.push_back({'i', term});
        }
      if (!known) return wf::make_error(wf::errc::missing_argument, term, "its type is not known");
      continue;
    }
    const auto b = stack.back();
    stack.pop_back();
    auto& a = stack.back();
    const bool scales = a == std::pair<std::int64_t, std::int64_t>(1, 1) || b.first * b.second == 1;
    const bool product = term == "*";
    if (product ? !scales && a.second != b.first : a != b)
      return wf::make_error(wf::errc::argument_shape, term, "the shapes do not fit");
    out.nanoseconds += product && !scales ? 2 * a.first * a.second * b.second
                                          : a.first * a.second * b.first * b.second;
    out.code.push_back({product ? scales ? 's' : 'p' : term[0], ""});
    if (product) a = scales ? (a.first * a.second == 1 ? b : a) : std::pair(a.first, b.second);
  }
  return out;
}

inline wf::error lint(const parsed& p) {
  for (const std::string& term : p.terms) {
    bool declared = is_operator(term);
    for (const input& i : p.inputs) declared = declared || i.name == term;
    if (!declared) return wf::make_error(wf::errc::lint_failed, term, "it is not declared");
  }
  return {};
}

inline const auto parse_step = wf::step<"parse">(&parse);
inline const auto lint_step =
    wf::verify<"lint">([](const parsed& p) -> wf::error { return lint(p); });

// The back end without graphs.
inline auto foreign_backend() {
  return wf::make_backend<"foreign">(
      wf::chain<"front">(wf::on_data<wf::type_args>(parse_step),
                         wf::on_data<wf::type_args>(lint_step)),
      wf::step<"specialise">(&specialise),
      [](const artifact& a) -> wf::result<std::int64_t> { return a.nanoseconds; });
}

// --- for back ends that take graphs ---

inline wf::shape shape_of(const input& declared) {
  wf::shape out = wf::shape::of();
  for (const std::string& extent : declared.extents) {
    const wf::extent e = std::isdigit(extent[0]) ? wf::extent(std::int64_t{std::stoll(extent)})
                                                 : wf::extent(wf::make_symbol(extent));
    out = out.rank == 0 ? wf::shape::of(e) : wf::shape::of(out[0], e);
  }
  return out;
}
inline wf::result<wf::graph> lower(const parsed& p) {
  return wf::capture("y", [&](wf::scope& s) {
    using handle = decltype(s.input<double>("A", wf::shape::of(1)));
    std::vector<std::pair<std::string, handle>> inputs;
    for (const input& i : p.inputs)
      inputs.emplace_back(i.name, s.input<double>(i.name, shape_of(i)));
    std::vector<handle> stack;
    for (const std::string& term : p.terms) {
      if (!is_operator(term)) {
        for (const auto& [name, value] : inputs)
          if (name == term) stack.push_back(value);
        continue;
      }
      const handle b = stack.back();
      stack.pop_back();
      const handle a = stack.back();
      stack.back() = term == "*" ? handle(a * b) : term == "+" ? handle(a + b) : handle(a - b);
    }
    s.output("y", stack.back());
  });
}

// A back end for graphs that begins with a formula.
template <class Backend>
auto for_formulas(const Backend& b) {
  return b.prepend(wf::on_data<wf::type_args>(wf::step<"lower">(&lower)))
      .prepend(wf::on_data<wf::type_args>(parse_step));
}

}  // namespace formulas
