// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/integer.hpp>
#include <wf/core/json/document.hpp>
#include <wf/core/text/character.hpp>
#include <wf/core/text/spelling.hpp>

namespace wf::detail {

/// A field of an object of a JSON form, and the kinds of value that it accepts.
struct json_field {
  text_view name;
  json_kind kind;
  bool required = false;
  json_kind other = kind;
};

/// Copies the JSON value that begins at an offset of a valid text, without its white space.
/// O(size).
constexpr text compact_json(text_view source, std::size_t at) {
  text out;
  std::size_t depth = 0;
  bool quoted = false;
  for (; at < source.size(); ++at) {
    const char c = source[at];
    if (quoted) {
      out << c;
      if (c == '\\') out << source[++at];
      if (c == '"') quoted = false;
      if (quoted || depth != 0) continue;
      return out;
    }
    if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
      if (depth == 0) return out;  // behind a number or a word
      continue;
    }
    if (depth == 0 && (c == ',' || c == '}' || c == ']')) return out;
    out << c;
    quoted = c == '"';
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return out;
  }
  return out;
}

/// The base of readers of JSON forms: the fields of objects, integers and arrays of a document, and
/// the first error with its position. Its functions return false after an error.
class json_form_reader {
 public:
  /// The source and its document must outlive the reader.
  constexpr json_form_reader(text_view source, const json_document& json)
      : json_(json), source_(source) {}

 protected:
  constexpr bool fail(std::uint32_t item, text_view message) {
    message_ = text(message);
    failed_ = item;
    return false;
  }
  /// The error that the last `fail` kept.
  constexpr error failure(errc code) const {
    return make_error(code, "", message_.view(), position_at(source_, json_[failed_].offset));
  }

  constexpr bool expect(std::uint32_t item, const json_field& f) {
    if (json_[item].kind == f.kind || json_[item].kind == f.other) return true;
    text message("'");
    message << f.name << "' must be " << name_of(f.kind);
    if (f.other != f.kind) message << " or " << name_of(f.other);
    message << ", not " << name_of(json_[item].kind);
    return fail(item, message.view());
  }
  /// Finds the values of the known fields of an object; 0 for absent ones. Other fields and missing
  /// required ones are errors. O(fields) in the order of `known`.
  constexpr bool fields(std::uint32_t object, text_view what, view<json_field> known,
                        std::uint32_t* found) {
    if (json_[object].kind != json_kind::object)
      return fail(
          object,
          (text("expected an object, ") << what << ", not " << name_of(json_[object].kind)).view());
    std::uint32_t key = json_document::first_of(object);
    std::size_t k = 0;  // where the search begins: fields mostly come in the writer's order
    for (std::uint32_t i = 0; i < json_[object].size; ++i, key = json_[key + 1].next) {
      const text_view name = json_.text_of(key);
      std::size_t tried = 0;
      for (; tried < known.size() && known[k].name != name; ++tried)
        k = k + 1 == known.size() ? 0 : k + 1;
      if (tried == known.size()) return unknown_field(key, what, known);
      found[k] = json_document::value_of(key);
      if (!expect(found[k], known[k])) return false;
    }
    for (k = 0; k < known.size(); ++k)
      if (known[k].required && found[k] == 0)
        return fail(object, (text(what) << " needs the field '" << known[k].name << "'").view());
    return true;
  }
  /// Refuses a word and suggests the closest known one.
  constexpr bool unknown_word(std::uint32_t item, text_view kind, view<text_view> known) {
    return fail(item, unknown_name_message(kind, json_.text_of(item), known).view());
  }

  /// The characters of a string; none for an absent field.
  constexpr text_view string(std::uint32_t item) const {
    return item == 0 ? text_view{} : json_.text_of(item);
  }
  /// Reads a number without fraction and exponent, or a string of one.
  constexpr bool integer(std::uint32_t item, std::int64_t lowest, std::int64_t highest,
                         std::int64_t& out) {
    text_view digits;
    if (json_[item].kind == json_kind::number || json_[item].kind == json_kind::string)
      digits = json_.text_of(item);
    const bool negative = digits.starts_with("-");
    if (negative) digits = digits.part(1);
    int128 size = 0;
    for (char c : digits) {
      if (!is_digit(c)) return fail(item, "expected an integer");
      if (size <= INT64_MAX) size = 10 * size + (c - '0');
    }
    if (digits.empty() || (digits[0] == '0' && digits.size() > 1))
      return fail(item, "expected an integer");
    if (negative) size = -size;
    if (size < lowest || size > highest)
      return fail(item, (text("expected an integer from ") << lowest << " to " << highest).view());
    out = static_cast<std::int64_t>(size);
    return true;
  }
  /// Calls `each(element)` for the elements of an array until it returns false; an absent field
  /// counts as empty.
  template <class Each>
  constexpr bool elements(std::uint32_t array, const Each& each) {
    if (array == 0) return true;
    std::uint32_t item = json_document::first_of(array);
    for (std::uint32_t i = 0; i < json_[array].size; ++i, item = json_[item].next)
      if (!each(item)) return false;
    return true;
  }

  const json_document& json_;
  const text_view source_;

 private:
  constexpr bool unknown_field(std::uint32_t key, text_view what, view<json_field> known) {
    table<text_view> names;
    for (const json_field& f : known) names.push_back(f.name);
    const text kind = text("field of ") << what;
    return unknown_word(key, kind.view(), names);
  }

  text message_;
  std::uint32_t failed_ = 0;
};

}  // namespace wf::detail
