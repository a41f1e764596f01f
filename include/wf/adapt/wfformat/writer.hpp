// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/adapt/wfformat/validate.hpp>

namespace wf::wfformat {

namespace detail {

/// Writes an instance as JSON.
class instance_writer {
 public:
  constexpr instance_writer(const instance& all, std::uint32_t indent)
      : all_(all), indent_(indent) {}

 private:
  constexpr void line() {
    if (indent_ == 0) return;
    out_ << '\n';
    for (std::uint32_t i = 0; i < indent_ * depth_; ++i) out_ << ' ';
  }
  constexpr void open(char bracket) {
    out_ << bracket;
    ++depth_;
  }
  constexpr void close(char bracket, bool empty) {
    --depth_;
    if (!empty) line();
    out_ << bracket;
  }
  constexpr void key(const string& name, bool& first) {
    if (!first) out_ << ',';
    first = false;
    line();
    value(name);
    out_ << (indent_ == 0 ? ":" : ": ");
  }

  template <schema_object T>
  constexpr void object(const T& o) {
    open('{');
    bool first = true;
    std::uint64_t written = 0;
    std::size_t unknown = 0;
    const view<string> keys = o.form.layout < all_.layouts.size()
                                  ? view<string>(all_.layouts[o.form.layout].keys)
                                  : view<string>();
    for (const string& name : keys) {
      bool known = false;
      std::uint32_t place = 0;
      visit_fields(o, [&](const field_rule& rule, const auto& member) {
        if (!known && rule.key == name.view()) {
          known = true;
          written |= std::uint64_t{1} << place;
          if (has_field(rule, member, true)) {
            key(name, first);
            value(member);
          }
        }
        ++place;
      });
      if (known || unknown == o.form.unknown.size()) continue;
      key(name, first);
      out_ << o.form.unknown[unknown++].view();
    }
    std::uint32_t place = 0;
    visit_fields(o, [&](const field_rule& rule, const auto& member) {
      if ((written >> place & 1) == 0 && has_field(rule, member, false)) {
        key(string(rule.key), first);
        value(member);
      }
      ++place;
    });
    close('}', first);
  }

  constexpr void value(const string& s) {
    if (s.spelling.empty())
      append_json_string(out_, s.view());
    else
      out_ << '"' << s.spelling.view() << '"';
  }
  constexpr void value(const number& n) { out_ << n.spelling(); }
  template <schema_object T>
  constexpr void value(const T& o) {
    object(o);
  }
  template <class T>
  constexpr void value(const std::optional<T>& o) {
    object(*o);
  }
  template <class T>
  constexpr void value(const table<T>& list) {
    open('[');
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i != 0) out_ << ',';
      line();
      value(list[i]);
    }
    close(']', list.empty());
  }

 public:
  // Behind the templates that it uses, which clang then has for constant evaluation.
  constexpr text run() {
    object(all_);
    if (indent_ != 0) out_ << '\n';
    return static_cast<text&&>(out_);
  }

 private:
  const instance& all_;
  std::uint32_t indent_;
  std::uint32_t depth_ = 0;
  text out_;
};

}  // namespace detail

/// Writes an instance as WfFormat 1.5: without white space, or each value on its own line, indented
/// by so many spaces a level. A file that was read is written as it was, except for white space; an
/// instance made by other means is read again with the same values, in the order of the schema.
/// Errors: those of `validate`. O(size log size).
constexpr result<text> to_json(const instance& all, std::uint32_t indent = 0) {
  if (const auto valid = validate(all); !valid) return valid.error();
  return detail::instance_writer(all, indent).run();
}

}  // namespace wf::wfformat
