// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>

#include <wf/core/text/real.hpp>
#include <wf/logic/program/read_program.hpp>
#include <wf/logic/program/strata.hpp>

/// Programs of rules as C++ expressions: what is written becomes the text that `parse_equations`
/// reads, so that both ways lead to the same program.
///
///     using namespace wf::logic::notation;
///     index x("x"), y("y"), z("z");
///     predicate edge("edge"), path("path");
///     equations p;
///     p.let(path(x, y) = edge(x, y));
///     p.let(path(x, z) = edge(x, y) * path(y, z));
///     const auto program = p.program();
namespace wf::logic::notation {

/// How tightly the text of an expression binds.
enum class binding : std::uint8_t {
  sum,       ///< sums, differences, negative numbers
  quotient,  ///< a / b
  product,   ///< a b
  factor,    ///< names, numbers, entries, calls
};

/// The right side of an equation, or a part of it. A regular value.
class expression {
 public:
  /// An expression of this text, which binds as is said.
  constexpr expression(text_view characters, binding b) : text_(characters), binding_(b) {}
  /// A number.
  constexpr expression(double number)
      : text_(real_text(number < 0 ? -number : number)), binding_(binding::factor) {
    if (number < 0) *this = expression((text() << '-' << text_.view()).view(), binding::sum);
  }
  /// A number.
  constexpr expression(int number) : binding_(number < 0 ? binding::sum : binding::factor) {
    text_ << number;
  }
  /// A symbol, as in `x != "Ulm"`.
  constexpr expression(const char* symbol)
      : expression((text() << '\'' << symbol << '\'').view(), binding::factor) {}

  /// The text.
  constexpr text_view characters() const { return text_.view(); }
  /// The text, in parentheses if it binds less tightly than is needed.
  constexpr text at_least(binding needed) const {
    if (binding_ >= needed) return text_;
    return text() << '(' << text_.view() << ')';
  }

 private:
  text text_;
  binding binding_;
};

namespace detail {

constexpr expression joined(const expression& a, text_view sign, const expression& b, binding left,
                            binding right, binding whole) {
  return {(text() << a.at_least(left).view() << sign << b.at_least(right).view()).view(), whole};
}
constexpr expression compared(const expression& a, text_view sign, const expression& b) {
  return {(text() << '[' << a.characters() << sign << b.characters() << ']').view(),
          binding::factor};
}

}  // namespace detail

/// a + b
constexpr expression operator+(const expression& a, const expression& b) {
  return detail::joined(a, " + ", b, binding::sum, binding::quotient, binding::sum);
}
/// a - b
constexpr expression operator-(const expression& a, const expression& b) {
  return detail::joined(a, " - ", b, binding::sum, binding::quotient, binding::sum);
}
/// A product, or "and" of relations: it sums over the indices that stand in it and not on the left.
constexpr expression operator*(const expression& a, const expression& b) {
  return detail::joined(a, " ", b, binding::product, binding::factor, binding::product);
}
/// a divided by b: each operand in parentheses, unless it is a name, number or call.
constexpr expression operator/(const expression& a, const expression& b) {
  return detail::joined(a, " / ", b, binding::factor, binding::factor, binding::quotient);
}
/// The sign changed.
constexpr expression operator-(const expression& a) {
  return {(text() << '-' << a.at_least(binding::quotient).view()).view(), binding::sum};
}
/// 1 where a relation does not hold: `!edge(x, y)`.
constexpr expression operator!(const expression& a) {
  return {(text() << '!' << a.characters()).view(), binding::factor};
}
/// 1 where a is less than b, else 0: a factor that keeps what fulfils it.
constexpr expression operator<(const expression& a, const expression& b) {
  return detail::compared(a, " < ", b);
}
/// 1 where a is at most b, else 0.
constexpr expression operator<=(const expression& a, const expression& b) {
  return detail::compared(a, " <= ", b);
}
/// 1 where a is more than b, else 0.
constexpr expression operator>(const expression& a, const expression& b) {
  return detail::compared(a, " > ", b);
}
/// 1 where a is at least b, else 0.
constexpr expression operator>=(const expression& a, const expression& b) {
  return detail::compared(a, " >= ", b);
}
/// 1 where a is equal to b, else 0.
constexpr expression operator==(const expression& a, const expression& b) {
  return detail::compared(a, " == ", b);
}
/// 1 where a is other than b, else 0.
constexpr expression operator!=(const expression& a, const expression& b) {
  return detail::compared(a, " != ", b);
}

/// An entry of an index list.
class argument {
 public:
  /// An entry of this text.
  constexpr explicit argument(text_view characters) : text_(characters) {}
  /// One position.
  constexpr argument(int position) { text_ << position; }
  /// The position of a symbol.
  constexpr argument(const char* symbol) { text_ << '\'' << symbol << '\''; }
  /// The text.
  constexpr text_view characters() const { return text_.view(); }

 private:
  text text_;
};

/// What `i + 1` is: the position one behind that of an index.
class shifted_index {
 public:
  /// The index of that name plus a number.
  constexpr shifted_index(text_view name, int by) : text_(name) {
    if (by >= 0) text_ << '+';
    text_ << by;
  }
  /// As an entry of an index list: `x+1`.
  constexpr operator argument() const { return argument(text_.view()); }
  /// As a number: the position.
  constexpr operator expression() const { return {text_.view(), binding::sum}; }

 private:
  text text_;
};

/// An index: a name for the positions along an axis. As a number, its position.
class index {
 public:
  /// An index of that name, a letter and then letters and digits.
  constexpr explicit index(text_view name) : name_(name) {}
  /// As an entry of an index list, which binds it.
  constexpr operator argument() const { return argument(name_.view()); }
  /// As a number: the position that it stands for.
  constexpr operator expression() const { return {name_.view(), binding::factor}; }
  /// Its characters.
  constexpr text_view name() const { return name_.view(); }
  /// The index as the axis of steps, so many steps from the present one: `*t+1`.
  constexpr argument step(int from_now = 0) const {
    text out("*");
    out << name_.view();
    if (from_now > 0) out << '+';
    if (from_now != 0) out << from_now;
    return argument(out.view());
  }
  /// The first position of the axis of steps: `t=0`.
  constexpr argument start() const { return argument((text() << name_.view() << "=0").view()); }

 private:
  text name_;
};

/// i + n, as an entry of an index list or a number.
constexpr shifted_index operator+(const index& i, int by) { return {i.name(), by}; }
/// i - n, as an entry of an index list or a number.
constexpr shifted_index operator-(const index& i, int by) { return {i.name(), -by}; }

/// An expression that `min=`, `max=`, `avg=` or an operator projects.
struct projected {
  text sign;         ///< "min="
  expression value;  ///< the right side
};
/// The least value over the indices that are not on the left.
constexpr projected least(const expression& e) { return {text("min="), e}; }
/// The largest value over the indices that are not on the left.
constexpr projected most(const expression& e) { return {text("max="), e}; }
/// The mean value over the indices that are not on the left.
constexpr projected mean(const expression& e) { return {text("avg="), e}; }
/// What an operator of two operands makes of the values over these indices: `fold("gcd", e)`.
constexpr projected fold(text_view operation, const expression& e) {
  return {text() << operation << '=', e};
}

/// An equation.
struct statement {
  text characters;  ///< as `parse_equations` reads it
};

/// A tensor or relation at some indices: part of an expression, or the left side of an equation.
class entry : public expression {
 public:
  /// The entry that is written so: `A[i,j]`.
  constexpr explicit entry(text_view characters) : expression(characters, binding::factor) {}
  constexpr entry(const entry&) = default;

  /// The equation that defines it; several equations of one left side add up.
  constexpr statement operator=(const expression& right) const { return equation("=", right); }
  constexpr statement operator=(const entry& right) const { return equation("=", right); }
  /// The equation that adds, over all indices that are not on the left.
  constexpr statement operator+=(const expression& right) const { return equation("+=", right); }
  /// The equation that projects by a sign of its own.
  constexpr statement operator=(const projected& right) const {
    return equation(right.sign.view(), right.value);
  }

 private:
  constexpr statement equation(text_view sign, const expression& right) const {
    return {text() << characters() << ' ' << sign << ' ' << right.characters()};
  }
};

namespace detail {

template <class... Argument>
constexpr entry entry_of(text_view name, char open, char close, const Argument&... arguments) {
  text out(name);
  out << open;
  bool first = true;
  ((out << (first ? "" : ",") << static_cast<argument>(arguments).characters(), first = false),
   ...);
  return entry((out << close).view());
}

}  // namespace detail

/// The name of a relation: what it says is true or false.
class predicate {
 public:
  /// The relation that inputs and equations call so.
  constexpr explicit predicate(text_view name) : name_(name) {}
  /// Its characters.
  constexpr text_view name() const { return name_.view(); }
  /// The relation at these indices, positions and symbols.
  template <std::convertible_to<argument>... Argument>
  constexpr entry operator()(const Argument&... at) const {
    return detail::entry_of(name_.view(), '(', ')', at...);
  }

 private:
  text name_;
};

/// The name of a tensor: it has a number at each position.
class tensor {
 public:
  /// The tensor that inputs and equations call so.
  constexpr explicit tensor(text_view name) : name_(name) {}
  /// Its characters.
  constexpr text_view name() const { return name_.view(); }
  /// The tensor at these indices, positions and symbols.
  template <std::convertible_to<argument>... Argument>
  constexpr entry operator()(const Argument&... at) const {
    return detail::entry_of(name_.view(), '[', ']', at...);
  }

 private:
  text name_;
};

/// An attribute of a call: `named("axis", 1)`, `named("T", 0.5)`, `named("axis", "j")`.
struct named_attribute {
  text characters;  ///< "axis = 1"
};
/// A number by its name.
constexpr named_attribute named(text_view name, double value) {
  return {text() << name << " = " << real_text(value).view()};
}
/// A whole number by its name.
constexpr named_attribute named(text_view name, int value) {
  return {text() << name << " = " << value};
}
/// Characters by their name.
constexpr named_attribute named(text_view name, const char* characters) {
  return {text() << name << " = \"" << characters << '"'};
}

namespace detail {
constexpr text_view characters_of(const named_attribute& a) { return a.characters.view(); }
constexpr text_view characters_of(const expression& e) { return e.characters(); }
}  // namespace detail

/// An operator by its name, with operands and attributes: `call("relu", X(i))`,
/// `call("softmax", X(i, j), named("axis", "j"))`.
template <class... Argument>
constexpr expression call(text_view name, const Argument&... arguments) {
  text out(name);
  out << '(';
  bool first = true;
  ((out << (first ? "" : ", ") << detail::characters_of(arguments), first = false), ...);
  return {(out << ')').view(), binding::factor};
}

/// A program: its statements in order.
class equations {
 public:
  /// Appends an equation.
  constexpr equations& let(const statement& s) { return append(s.characters.view()); }
  /// Makes tensors and relations results; without it all that have equations are.
  template <class... Name>
  constexpr equations& exports(const Name&... names) {
    (append((text() << "export " << names.name()).view()), ...);
    return *this;
  }
  /// Says how far an index runs.
  constexpr equations& axis(const index& i, int extent) {
    return append((text() << "axis " << i.name() << " = " << extent).view());
  }
  /// Says which relation lists the positions of an index.
  constexpr equations& axis(const index& i, const predicate& members) {
    return append((text() << "axis " << i.name() << " : " << members.name()).view());
  }
  /// Declares an input with its type: `input(A, "f64[3, M]")`.
  constexpr equations& input(const tensor& t, text_view type) {
    return append((text() << "input " << t.name() << " : " << type).view());
  }

  /// The text, as `parse_equations` reads it.
  constexpr text_view source() const { return text_.view(); }
  /// The program, read and ordered; it may refer to this object, which must outlive it. Errors:
  /// those of `read_program` and `stratify`, with positions in `source()`.
  constexpr result<stratified_program> program(view<text_view> inputs = {},
                                               const registry& operators = rule_registry()) const {
    auto read = read_program(source(), inputs, operators);
    if (!read) return read.error();
    return stratify(static_cast<tensor_program&&>(*read), source());
  }

 private:
  constexpr equations& append(text_view line) {
    text_ << line << '\n';
    return *this;
  }

  text text_;
};

}  // namespace wf::logic::notation
