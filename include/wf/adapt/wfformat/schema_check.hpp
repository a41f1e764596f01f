// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/adapt/wfformat/field_path.hpp>
#include <wf/adapt/wfformat/fields.hpp>

namespace wf::wfformat::detail {

/// True if all characters are letters, digits or one of `more`: a pattern of the schema.
constexpr bool consists_of(text_view characters, text_view more) {
  for (const char c : characters) {
    const bool plain = (wf::detail::is_letter(c) && c != '_') || wf::detail::is_digit(c);
    if (!plain && more.find(c) == more.size()) return false;
  }
  return true;
}

/// The sentence about a string that breaks a rule; empty if it does not.
constexpr text_view broken_rule(value_rule rule, text_view s) {
  switch (rule) {
    case value_rule::task_id:
      return consists_of(s, "-_.#") ? ""
                                    : "an id of a task consists of letters, digits and - _ . #";
    case value_rule::file_id:
      if (!consists_of(s, "-_./:#"))
        return "an id of a file consists of letters, digits and - _ . / : #";
      break;
    case value_rule::version:
      return s == "1.5" ? "" : "only version 1.5 of WfFormat is read and written";
    case value_rule::system:
      return s == "linux" || s == "macos" || s == "windows"
                 ? ""
                 : "a system is 'linux', 'macos' or 'windows'";
    default:
      break;
  }
  return s.empty() ? "a string needs at least one character" : "";
}

/// The same of a number.
constexpr text_view broken_rule(value_rule rule, const number& n) {
  switch (rule) {
    case value_rule::whole:
    case value_rule::positive:
      if (!n.is_integer()) return "expected an integer, without fraction and exponent";
      if (n.sign() < 0) return "the number is negative";
      return rule == value_rule::positive && n.sign() == 0 ? "the number must be at least 1" : "";
    case value_rule::at_least_one:
      return n.is_at_least_one() ? "" : "the number must be at least 1";
    default:
      return "";
  }
}

/// Compares an instance with the schema, except for what its types enforce.
class schema_checker {
  template <schema_object T>
  constexpr void object(const T& o) {
    visit_fields(o, [&](const field_rule& rule, const auto& member) {
      if (fault_) return;
      path_.field(rule.key);
      value(rule, member);
      path_.leave();
    });
  }
  constexpr void complain(text_view sentence) {
    if (sentence.empty()) return;
    fault_ = {path_, text(sentence)};
  }
  constexpr void value(const field_rule& rule, const string& s) {
    if (rule.required || !s.empty()) complain(broken_rule(rule.value, s.view()));
  }
  constexpr void value(const field_rule& rule, const number& n) {
    if (n.is_stated()) return complain(broken_rule(rule.value, n));
    if (rule.required) complain("the number is missing");
  }
  template <class T>
  constexpr void value(const field_rule&, const std::optional<T>& o) {
    if (o) object(*o);
  }
  template <schema_object T>
  constexpr void value(const field_rule&, const T& o) {
    object(o);
  }
  template <class T>
  constexpr void value(const field_rule& rule, const table<T>& list) {
    if (rule.required && rule.nonempty && list.empty())
      complain("an array needs at least one element here");
    for (std::size_t i = 0; i < list.size() && !fault_; ++i) {
      path_.element(i);
      if constexpr (std::same_as<T, string>)
        complain(broken_rule(rule.value, list[i].view()));
      else
        object(list[i]);
      path_.leave();
    }
  }

 public:
  /// The first fault in the order of the schema.
  // Behind the templates that it uses, which clang then has for constant evaluation.
  constexpr field_fault run(const instance& all) {
    object(all);
    return static_cast<field_fault&&>(fault_);
  }

 private:
  field_path path_;
  field_fault fault_;
};

}  // namespace wf::wfformat::detail
